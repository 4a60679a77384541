"""The replay page: what is in it, what players cannot get into it, and how it behaves in a browser."""

import base64
import hashlib
import itertools
import json
import os
import random
import re
import textwrap
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from referee import rules
from referee.__main__ import main
from referee.commands import replay
from referee.isolation.replies import BadReply, search_figures, search_words
from referee.match import record
from referee.match.record import Account, Entry
from referee.view import boards, page, shell
from referee.view.game import ShownGame
from tests.support.samples import few

GAMES = """
    expendibots fanorona fanorona:1100 kalaha kalaha:4x3 kalaha:14x2 pentago pentago:classic
    pentago:classic-late ropasci
    """.split()
ALIKE = ("fanorona:1100", "kalaha:4x3", "pentago:classic")
EVIL = "</script><script>alert(1)</script><!--<img src=x onerror=alert(2)>&amp;\u2028'\""
ERRORS = "policy.*violat|refused to|not defined|error"  # in what a browser says of a page


def account(game, seed=1, most=60):
    """A game of random players, with figures as a record has them."""
    chance = random.Random(f"{game} {seed}")
    state, turns = rules.start(game), []
    while state.to_act() and len(turns) < most:
        chosen = {player: chance.choice(_tame(state.actions(player))) for player in state.to_act()}
        said = {player: {"depth": 1.0 + len(turns) % 7, "score": -3.5, "nodes": 1e6} for player in chosen}
        cpu, megabytes = (0.25, 0.001), (3.0 + len(turns), 40.5)
        turns.append(Entry(0, tuple(chosen), chosen, True, cpu, megabytes, said))
        state = state.after(chosen)
    limits = {"action": 1.0, "megabytes": 100}, {"game": 60.0, "action": 0.5, "first": 2.0}
    return Account(game, state.COLOURS, {"players": ("one", "two"), "limits": limits}, turns=turns)


def _tame(actions):
    """Random Expendibots players would blow themselves up at once: mostly moves, then."""
    moves = [action for action in actions if "BOOM" not in repr(action)]
    return moves if len(moves) > 40 else actions


class Tags(HTMLParser):
    """The elements of a page with what is in them, and all addresses."""

    def __init__(self, text):
        super().__init__()
        self.found, self.addresses, self.handlers = [], [], []
        self.inside = False
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.found.append((tag, dict(attributes), ""))
        self.inside = True
        self.addresses += [value for name, value in attributes if name in ("href", "src")]
        self.handlers += [name for name, _ in attributes if name.startswith("on") or name == "style"]

    def handle_endtag(self, tag):
        self.inside = False

    def handle_data(self, data):
        if self.inside:
            tag, attributes, words = self.found[-1]
            self.found[-1] = tag, attributes, words + data

    def of(self, tag):
        return [(attributes, words) for name, attributes, words in self.found if name == tag]

    @property
    def data(self):
        return json.loads(next(words for attributes, words in self.of("script") if "id" in attributes))


def hashed(text):
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


@pytest.mark.parametrize("game", GAMES)
def test_the_page_has_every_state_and_action_of_a_game_and_allows_no_network(game):
    played = account(game)
    text = page.html(ShownGame.of(played))
    tags, states = Tags(text), [rules.start(game)]
    for entry in played.turns:
        states.append(states[-1].after(entry.chosen))
    assert tags.data["states"] == [boards.line(state) for state in states]
    for step, entry in zip(tags.data["steps"], played.turns, strict=True):
        assert step["chosen"] == json.loads(json.dumps(entry.chosen))
    policy = next(one["content"] for one, _ in tags.of("meta") if "http-equiv" in one)
    (style,), (script,) = tags.of("style"), [one for one in tags.of("script") if not one[0]]
    assert policy.startswith("default-src 'none'") and "unsafe" not in policy
    assert hashed(style[1]) in policy and hashed(script[1]) in policy
    assert tags.addresses == tags.handlers == []
    assert not re.search(r"url\(|@import|fetch\(|https?:(?!//www.w3.org/2000/svg)", text)
    assert "prefers-color-scheme: dark" in style[1]
    for title in ("Time of each action", "Time in all", "Memory", "Depth of the search", "Score"):
        assert title in text
    assert 'class="limit p0"' in text and 'class="limit p1"' in text


def test_the_charts_say_what_each_player_used_at_most_and_its_limits():
    text = page.html(ShownGame.of(account("kalaha", most=40)))
    assert re.findall(r"<li><i class=.p[01].></i>(.*?)</li>", text) == [
        # 0.25 s a turn of the first, which once waited for two of the other's; of the second 0.001 s.
        "one (A): at most 0.75 s, limit 1 s",
        "two (B): at most 0.003 s, limit 0.5 s, 2 s for the first",
        "one (A): at most 10 s",
        "two (B): at most 0.04 s, limit 60 s",
        "one (A): at most 42 MB, limit 100 MB",
        "two (B): at most 40.5 MB",
        "one (A): at most 7",
        "two (B): at most 7",
        "one (A): -3.5 at first, -3.5 at last",
        "two (B): -3.5 at first, -3.5 at last",
    ]


def test_nothing_that_players_say_becomes_a_part_of_the_page():
    played = account("kalaha", most=5)
    played.header.update(players=(EVIL, "two"), date=EVIL, seed=EVIL, isolation=EVIL)
    played.output += [(0, 0, EVIL), (3, 1, EVIL + "\x1b[2J\u202e\n\ttail"), (3, 0, "a\nb\n")]
    played.turns.append(Entry(0, (0,), {0: (EVIL, EVIL)}, played=False))
    played.verdict = record.Verdict(0, "illegal action", (0,), "action", (0, 1), f"refused: {EVIL}", 6)
    plain = Tags(page.html(ShownGame.of(account("kalaha", most=5)), home="x"))
    tags = Tags(page.html(ShownGame.of(played), home="x"))
    assert [tag for tag, _, _ in tags.found] == [tag for tag, _, _ in plain.found]
    assert tags.addresses == ["x"] and tags.handlers == []
    output = [tuple(one) for one in tags.data["output"]]
    assert output[0] == (0, 0, EVIL.replace("\u2028", "\\u2028"))
    assert output[1] == (3, 1, EVIL.replace("\u2028", "\\u2028") + "\\x1b[2J\\u202e\n    tail")
    assert tags.data["steps"][-1]["refused"]["0"].startswith("('</script>")
    (ending,) = [words for attributes, words in tags.of("p") if attributes.get("class") == "ending"]
    assert f"refused: {EVIL}" in ending


HUGE = {"action": 10**400, "game": float("inf")}


@pytest.mark.parametrize(
    "limits", [3, (1, 2), (HUGE, {"action": -1}), ({"action": "1"}, {2: None}), ({"action": 0.0}, {})]
)
def test_limits_that_cannot_be_are_left_out(limits):
    played = account("kalaha", most=5)
    played.header["limits"] = limits
    text = page.html(ShownGame.of(played))
    assert "one (A): no limits" in text and not re.search(r"\bnan\b", text) and 'class="limit' not in text


def test_a_flood_of_output_leaves_a_small_page_with_the_end_of_it():
    played = account("kalaha", most=40)
    played.output = [(turn, 0, "x" * 60_000 + f"end {turn}") for turn in range(1, 41)]
    data = Tags(page.html(ShownGame.of(played))).data
    assert all(text.endswith(f"end {turn}") or turn > 5 for turn, _, text in data["output"])
    assert data["output"][0][2].startswith("(56005 characters are left out here)")
    assert sum(len(text) for _, _, text in data["output"]) < page.OUTPUT_GAME + 40 * 60


@pytest.mark.parametrize("game", ["expendibots", "ropasci", "fanorona"])
def test_the_longest_games_make_small_pages(game):
    played = account(game, most=500)
    refused = replace(played.turns[-1], played=False)  # so that the chance of a short game does not matter
    played.turns += [refused] * (500 - len(played.turns))
    assert len(page.html(ShownGame.of(played))) < 350_000


def test_a_game_without_a_drawing_is_shown_by_its_text(tmp_path, monkeypatch):
    (tmp_path / "nim.py").write_text(
        textwrap.dedent(
            '''
            """One heap; who takes the last wins."""

            from dataclasses import dataclass
            from referee import rules

            @dataclass(frozen=True)
            class State(rules.State):
                heap: int
                mover: int

                @classmethod
                def start(cls, variant):
                    return cls(3, 0)

                @classmethod
                def parse(cls, line, variant):
                    return cls(*map(int, line.split()))

                def to_act(self):
                    return (self.mover,) if self.heap else ()

                def actions(self, player):
                    return list(range(1, self.heap + 1)) if player in self.to_act() else []

                def after(self, chosen):
                    ((player, taken),) = chosen.items()
                    return State(self.heap - taken, 1 - player)

                def outcome(self):
                    return None if self.heap else ((self.mover, 1 - self.mover), "taken")

                def text(self):
                    return f"{self.heap} {self.mover}"

                def draw(self, unicode=False, large=False, paint=rules.plain):
                    return "<|>" * self.heap
            '''
        )
    )
    monkeypatch.setattr(rules, "__path__", [*rules.__path__, str(tmp_path)])
    data = Tags(page.html(ShownGame.of(account("nim")))).data
    assert (data["drawn"], data["states"][0]) == (False, "<|><|><|>") and not boards.is_drawn("nim")


# What a player's search says, from the player to the page

SEARCHER = """
class Search:
    depth = 0
    def __init__(self): self.pv = []
class Player:
    def __init__(self, colour, variant=""):
        self.ponds = [[3] * 4, [3] * 4]
        self.me = "AB".index(colour)
        self.search = Search()
        self.asked = 0
    def action(self):
        self.asked += 1
        {says}
        return next(pond for pond in range(1, 5) if self.ponds[self.me][pond - 1])
    def update(self, colour, action):
        mover = "AB".index(colour)
        ring = self.ponds[mover] + [0] + self.ponds[1 - mover]
        place, pebbles = action - 1, ring[action - 1]
        ring[place] = 0
        for _ in range(pebbles):
            place = (place + 1) % 9
            ring[place] += 1
        if place < 4 and ring[place] == 1 and ring[8 - place]:
            ring[place] = ring[8 - place] = 0
        self.ponds[mover], self.ponds[1 - mover] = ring[:4], ring[5:]
"""
SAYINGS = {  # what a player's search has after each action: what the record keeps of the first action
    "self.search.depth, self.search.score, self.search.pv = 9, -14, []": {"depth": 9, "score": -14},
    "import numpy; self.search.depth, self.search.score = numpy.int64(3), numpy.float64(0.25)": {
        "depth": 3,
        "score": 0.25,
    },
    "self.search.depth, self.search.nodes = 2, 12345678": {"depth": 2, "nodes": 12345678},
    "self.search.depth, self.search.score = True, 'high'": None,
    "self.search.depth, self.search.score = 10**15, float('nan')": None,
    "self.search.depth = type('int', (int,), {'__float__': lambda self: 1 / 0})(4)": None,
    "self.search.score = '1\\nend: 3'": None,
    "type(self).search = property(lambda self: 1 / 0); self.__dict__.pop('search', None)": None,
    "self.search = None": None,
}


@pytest.mark.parametrize("says", SAYINGS)
def test_depth_and_score_of_a_search_are_kept_and_shown_and_anything_else_is_not(says, tmp_path, capsys):
    (tmp_path / "searcher.py").write_text(SEARCHER.format(says=says))
    kept = played_by(tmp_path / "searcher.py")
    assert kept.turns[0].searches == ({0: SAYINGS[says]} if SAYINGS[says] else {})
    assert all(1 not in entry.searches for entry in kept.turns)
    assert replay.judge(kept).startswith("kalaha:4x3")


def played_by(path):
    """What the record says of a game that the player in a file played."""
    records = path.parent / "records"
    assert main(["play", "kalaha:4x3", str(path), "random", "-v0", "--record", str(records)]) == 0
    return replay.read(next(records.iterdir()))


def test_a_search_that_did_not_run_for_an_action_is_not_told_again(tmp_path, capsys):
    says = "self.search.depth, self.search.pv = (4, []) if self.asked == 1 else (4, self.search.pv)"
    (tmp_path / "searcher.py").write_text(SEARCHER.format(says=says))
    kept = played_by(tmp_path / "searcher.py")
    asked = [entry for entry in kept.turns if 0 in entry.players]
    assert [entry.searches for entry in asked] == [{0: {"depth": 4}}, *[{}] * (len(asked) - 1)]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "depth",
        "depth 1e3",
        "depth 1 ",
        "size 3",
        "depth 1\n",
        "depth 1" * 30,
        "depth 9999999999999999",
        "score nan",
        "depth ١",
    ],
)
def test_figures_of_another_form_are_refused(text):
    with pytest.raises(BadReply):
        search_figures(text)


def test_figures_come_back_as_they_were_written():
    figures = {"depth": 7.0, "score": -1234567.25, "nodes": 123456789.0}
    assert search_words(figures) == "depth 7 score -1234567.25 nodes 123456789"
    assert search_figures(search_words(figures)) == figures


RECORD = "record: 1\ngame: 'kalaha'\n"
TURN = "turn 1: A 1\tcpu 0.1 0.2\tmegabytes 3.0 4.0\n"


@pytest.mark.parametrize(
    ("lines", "complaint"),
    [
        ("search A: depth 3\n", "line 3: A had not to act"),
        (TURN + "search B: depth 3\n", "line 4: B had not to act"),
        (TURN + "search A: depth deep\n", "line 4: no figures of a search: 'depth deep'"),
        (TURN + "search C: depth 3\n", "line 4: expected one of the colours A and B, not 'C'"),
        (TURN + "output C: 'x'\n", "line 4: expected one of the colours"),
        (TURN + "output A: '\\x'\n", "line 4: not a string"),
        (TURN + "turn 2: A 1\tcpu 0.1 0.2\tmegabytes 3.0 4.0\n", "A's action 1 is illegal"),
        (f"turn 1: A 1\tcpu {'9' * 400}.0 0.2\tmegabytes 3.0 4.0\n", "two figures each"),
        ("turn 1: A 9\tcpu 0.1 0.2\tmegabytes 3.0 4.0\n", "A's action 9 is illegal"),
    ],
)
def test_a_broken_record_gets_a_sentence_and_no_page(lines, complaint, tmp_path, capsys):
    path, out = tmp_path / "broken.txt", tmp_path / "out.html"
    path.write_text(RECORD + lines)
    assert main(["replay", str(path), "--html", str(out)]) in (1, 2)
    said = "".join(capsys.readouterr())
    assert complaint in said and said.count("\n") == 1 and not out.exists()


def test_records_of_before_and_unfinished_ones_have_pages_too(tmp_path, capsys):
    path, out = tmp_path / "old.txt", tmp_path / "out.html"
    path.write_text(RECORD + TURN + "output A: 'x'\nturn 2: B 2\tcpu 0.1")
    assert main(["replay", str(path), "--html", str(out)]) == 0
    assert "The game is unfinished." in out.read_text() and len(Tags(out.read_text()).data["states"]) == 2


# The commands


def test_replay_writes_a_page_for_one_game_and_for_several_a_list_that_links_them(tmp_path, capsys):
    folder = tmp_path / "a b&c"
    words = ["play", "pentago", "random", "random", "--games", "2", "--record", str(folder / "kept")]
    assert main(words) == 0
    log = folder / "kept" / "zz.log"
    log.write_text("turn 1: upper: THROW symbol s to (4, -2)\nturn 1: lower: THROW symbol s to (-4, 2)\n")
    kept = sorted(map(str, (folder / "kept").iterdir()))
    assert main(["replay", kept[0], "--html", str(folder / "one.html")]) == 0
    assert main(["replay", *kept, "--html", str(folder / "new" / "all.html")]) == 0
    index = Tags((folder / "new" / "all.html").read_text())
    assert index.addresses == ["all-001.html", "all-002.html", "all-003.html"]
    text = " ".join(words for _, _, words in index.found)
    assert "random (white)" in text and "unfinished" in text and "upper against lower" in text
    for address in index.addresses:
        tags = Tags((folder / "new" / address).read_text())
        assert tags.addresses == ["all.html"] and len(tags.data["states"]) > 1


def test_play_writes_the_same_pages_as_it_goes(tmp_path, capsys):
    words = ["play", "fanorona", "random", "greedy", "-v0", "--html"]
    assert main([*words, str(tmp_path / "one.html")]) == 0
    assert Tags((tmp_path / "one.html").read_text()).data["game"] == "fanorona"
    assert main([*words, str(tmp_path / "day.html"), "--games", "3"]) == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "day-001.html",
        "day-002.html",
        "day-003.html",
        "day.html",
        "one.html",
    ]
    assert main([*words, str(tmp_path)]) == 2
    assert capsys.readouterr().err.splitlines()[-1] == f"referee: cannot write {tmp_path}: Is a directory"


@pytest.mark.parametrize(
    "games, log, html",
    [("1", "a.x", "a.x"), ("2", "a.x", "a.x"), ("2", "a.x", "a-001.x"), ("2", "a.x", "a-0012.x")],
)
def test_a_page_is_not_written_over_a_log(games, log, html, tmp_path, capsys):
    files = ["--logfile", str(tmp_path / log), "--html", str(tmp_path / html)]
    assert main(["play", "kalaha:2x1", "random", "random", "--games", games, *files]) == 2
    assert "would overwrite --logfile" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_a_log_and_a_page_of_like_names_are_both_written(tmp_path, capsys):
    files = ["--logfile", str(tmp_path / "a-001.x"), "--html", str(tmp_path / "a.x")]
    assert main(["play", "kalaha:2x1", "random", "random", "--games", "2", *files]) == 0
    names = ["a-001-001.x", "a-001-002.x", "a-001.x", "a-002.x", "a.x"]
    assert sorted(path.name for path in tmp_path.iterdir()) == names


def test_pages_link_each_other_by_a_name_that_is_no_text(tmp_path, capsys):
    path = tmp_path / os.fsdecode(b"\xfc.html")
    assert main(["play", "kalaha:2x1", "random", "random", "--games", "2", "--html", str(path)]) == 0
    assert "%FC-002.html" in path.read_text() and "%FC.html" in page.numbered(path, 2).read_text()


def test_a_page_does_not_overwrite_a_record(tmp_path, capsys):
    kept = [tmp_path / name for name in ("game.txt", "game-001.txt")]
    for path in kept:
        path.write_text(RECORD + TURN)
    for files in ([kept[0]], kept, [kept[1], kept[1]]):
        assert main(["replay", *map(str, files), "--html", str(kept[0])]) == 2
        assert "would overwrite" in capsys.readouterr().err
    assert [path.read_text() for path in kept] == [RECORD + TURN] * 2


# In a browser


@pytest.fixture
def shown(kept_page, tmp_path):
    """Opens the page of an account; fails afterwards for anything that the browser had to say against it."""
    said = []
    on = {
        "pageerror": lambda error: said.append(str(error)),
        "console": lambda message: said.append(message.text),
        "dialog": lambda dialog: said.append(f"dialog {dialog.message}"),
        "request": lambda request: said.append(request.url) if request.url[:5] != "file:" else None,
    }

    def show(played, hash="", **look):
        path = tmp_path / "game.html"
        shell.write(path, page.html(ShownGame.of(played)))
        opened = kept_page.lend(on, **look)
        opened.goto(f"{path.as_uri()}{hash}")
        return opened

    yield show
    kept_page.give_back()
    assert said == []


def at(opened):
    return opened.evaluate("shown")


def test_buttons_keys_list_and_slider_go_through_the_game(shown):
    opened = shown(account("kalaha", most=30), reduced_motion="reduce")
    assert at(opened) == 0 and opened.is_disabled("#back") and opened.is_disabled("#first")
    for how, where in [
        (lambda: opened.click("#forward"), 1),
        (lambda: opened.keyboard.press("ArrowRight"), 2),
        (lambda: opened.keyboard.press("End"), 30),
        (lambda: opened.keyboard.press("ArrowRight"), 30),
        (lambda: opened.click("#back"), 29),
        (lambda: opened.keyboard.press("Home"), 0),
        (lambda: opened.click("#turns li:nth-child(13) button"), 12),
        (lambda: opened.locator("#slider").fill("20"), 20),
        (lambda: opened.locator("#slider").press("ArrowLeft"), 19),
        (lambda: opened.click("#last"), 30),
    ]:
        how()
        assert at(opened) == where
        current = opened.locator("#turns [aria-current=step] .number").inner_text()
        assert current == (f"turn {where}" if where else "start")
        assert opened.evaluate(
            """() => { const list = document.getElementById("turns").getBoundingClientRect();
            const one = document.querySelector("[aria-current]").getBoundingClientRect();
            return one.top >= list.top - 1 && one.bottom <= list.bottom + 1; }"""
        )
    assert opened.is_disabled("#forward") and "turn 30 of 30" in opened.inner_text("#now")


def test_it_plays_by_itself_and_stops_at_the_end(shown):
    opened = shown(account("kalaha", most=3), alone=True, reduced_motion="reduce")
    opened.clock.install()
    opened.clock.pause_at(10**10)  # from here on the page's time passes where this test lets it
    opened.select_option("#speed", "300")
    opened.click("body", position={"x": 2, "y": 2})
    opened.keyboard.press(" ")
    assert opened.get_attribute("#play", "aria-label") == "pause"
    opened.clock.run_for(1500)
    assert at(opened) == 3 and opened.get_attribute("#play", "aria-label") == "play"


def test_every_button_and_field_has_a_name(shown):
    opened = shown(account("kalaha", most=3))
    names = opened.eval_on_selector_all(
        "button, input, select",
        "all => all.map(one => one.ariaLabel || one.textContent.trim() || one.labels[0].textContent.trim())",
    )
    assert len(names) == 5 + 2 + 4 and all(names)
    assert opened.get_attribute("#board", "role") == "img" and opened.get_attribute("#board", "aria-label")


# Fanorona's other rules and classic Pentago have the same boards.
@pytest.mark.parametrize("game", few([game for game in GAMES if game not in ALIKE], GAMES))
def test_every_turn_of_every_game_can_be_drawn_with_its_last_action_marked(game, shown):
    played = account(game, seed=2)
    opened = shown(played, reduced_motion="reduce")
    marks = opened.evaluate(
        """() => data.states.map((_, index) => { show(index);
        return document.querySelectorAll("#board :is(.ring, .arrow, .burst, .lifted)").length; })"""
    )
    unmarked = [entry.chosen for entry, mark in zip(played.turns, marks[1:], strict=True) if not mark]
    assert marks[0] == 0 and all("P" in chosen.values() for chosen in unmarked)


@pytest.mark.parametrize("game", ["fanorona", "expendibots", "kalaha:14x2", "pentago", "ropasci"])
def test_nothing_is_cut_off_or_wider_than_a_telephone_in_light_and_dark(game, shown):
    grounds, played = set(), account(game, most=20)
    played.output.append((3, 0, "w" * 500))
    opened = shown(played, hash="#3", viewport={"width": 360, "height": 740})
    for scheme, width in itertools.product(("light", "dark"), (360, 1200)):
        opened.emulate_media(color_scheme=scheme)
        opened.set_viewport_size({"width": width, "height": 740})
        assert opened.evaluate("document.documentElement.scrollWidth") <= width
        board = opened.locator("#board").bounding_box()
        assert board["width"] > 300 and board["height"] > 60
        grounds.add(opened.evaluate("getComputedStyle(document.body).backgroundColor"))
    assert len(grounds) == 2


def one(game, text, chosen):
    """The account of one action from a position."""
    colours = rules.start(game).COLOURS
    return Account(game, colours, {"position": text}, turns=[Entry(0, tuple(chosen), chosen)])


def counted(opened, *kinds):
    """How many elements of each kind the drawing of the last state has."""
    opened.click("#last")
    return [opened.locator(f"#board {kind}").count() for kind in kinds]


def test_a_blast_shows_what_it_took_with_its_chain(shown):
    position = "white 0 W1(3,3) B2(4,4) B1(5,5) W1(0,0) B1(7,0)"
    opened = shown(one("expendibots", position, {0: ("BOOM", (3, 3))}))
    # Three stacks, each the middle of nine squares; neighbours share four.
    kinds = (".burst", ".gone-cross", ".blast", "[data-place] .man")
    assert counted(opened, *kinds) == [1, 3, 27 - 2 * 4, 2]


def test_a_chain_of_captures_is_drawn_as_one_way_with_the_men_taken(shown):
    state = rules.start("fanorona")
    while not state.chain:
        state = state.after({state.mover: state.legal[-1]})
    hop = next(hop for hop in state.legal if hop != "P")
    taken = state.after({state.mover: hop}).board.count(".") - state.board.count(".")
    opened = shown(one("fanorona", state.text(), {state.mover: hop}))
    assert counted(opened, ".arrow", ".gone-cross") == [len(state.chain), taken]


def test_beaten_tokens_are_shown_where_they_fell(shown):
    chosen = {0: ("SLIDE", (1, 0), (0, 0)), 1: ("THROW", "p", (-1, 0))}
    opened = shown(one("ropasci", "9 2/2 (1,0):R (0,0):s (-1,0):r", chosen))
    kinds = (".gone-cross", ".ring", ".arrow", "[data-place] .token")
    assert counted(opened, *kinds) == [2, 2, 1, 2]


@pytest.mark.parametrize(("op", "turned"), [(0, "rotate(-90deg)"), (1, "scaleX(-1)")])
def test_a_quadrant_turns_and_the_stone_is_marked_where_it_lands(op, turned, shown):
    opened = shown(one("pentago", "." * 36 + " w", {0: (0, 0, 0, op)}))
    opened.click("#forward")
    (first,) = opened.evaluate("document.getAnimations().map(one => one.effect.getKeyframes()[0])")
    assert first["transform"] == turned
    ring = opened.locator("#board .ring").locator("xpath=..").get_attribute("data-place")
    assert ring == "(0, 2)" and opened.locator("#board .man").count() == 1


def test_what_a_player_printed_stands_with_its_turn_as_text(shown):
    played = account("kalaha", most=4)
    played.output.append((2, 0, EVIL))
    opened = shown(played, hash="#2")
    assert opened.inner_text("#output pre") == EVIL.replace("\u2028", "\\u2028")
    opened.click("#forward")
    assert opened.locator("#output pre").count() == 0
    assert opened.inner_text("#figures tbody tr:first-child td:nth-child(2)") == "0.250 s"
