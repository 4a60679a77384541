"""Standings from journals: one, while it is written, and several; what replay and the report make of them."""

import json
import textwrap

import pytest

from referee.__main__ import main
from referee.tournament.journal import Journal
from referee.tournament.standings import of_journals
from referee.view.report_games import account
from tests.referee.tournament.test_tournament import HEADER, SUMMARY, Reader, fake_pair, lasting
from tests.support.browser import until

GAME = "kalaha:2x2"


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """A journal of three players, two of which are the same but for their labels, and its summary."""
    journal = tmp_path_factory.mktemp("played") / "journal.jsonl"
    words = [GAME, "alpha=random", "beta=greedy", "random,seed=5", "--pairs", "2", "--seed", "4"]
    assert main(["tournament", *words, "--journal", str(journal)]) == 0
    return journal


def said(capsys, *words):
    code = main(list(map(str, words)))
    printed = capsys.readouterr()
    return code, printed.out, printed.err


def test_standings_are_what_the_tournament_said(played, capsys):
    words = [GAME, "alpha=random", "beta=greedy", "random,seed=5", "--pairs", "2", "--seed", "4"]
    _, whole, _ = said(capsys, "tournament", *words, "--journal", played, "--json")
    code, out, errors = said(capsys, "standings", played, "--json")
    there, here = json.loads(whole.splitlines()[-1]), json.loads(out)
    assert (code, errors) == (0, "") and set(SUMMARY) <= set(here)
    assert lasting(here) == lasting(there)
    _, text, _ = said(capsys, "standings", played)
    assert "alpha" in text and "6 pairs, 12 games" in text and "one fit over all pairings" in text


def test_standings_are_had_while_the_journal_is_written_and_without_the_players_files(tmp_path, capsys):
    path = tmp_path / "journal"
    with Journal(path, HEADER, lambda pair: None) as journal:
        journal.append(fake_pair((0, 1, 1), 0, name="a"))
        with path.open("ab") as file:
            file.write(b'{"pair":"b","players":[0,1],"num')  # what is being written
        code, out, _ = said(capsys, "standings", path, "--json")
    assert (code, json.loads(out)["pairs"]) == (0, 1)


@pytest.mark.parametrize("torn", [b'{"pair":"b","pl', b'{"pair":"b","pl\n', b"\0" * 100, b"\0\0\n", b"\n"])
def test_a_torn_last_line_is_left_out_however_it_ends_and_one_before_others_is_named(torn, tmp_path, capsys):
    path = tmp_path / "journal"
    with Journal(path, HEADER, lambda pair: None) as journal:
        for number, name in enumerate("ab", 1):
            journal.append(fake_pair((0, 1, number), 0, name=name))
    header, first, second = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(header + first + torn)
    code, out, _ = said(capsys, "standings", path, "--json")
    assert (code, json.loads(out)["pairs"]) == (0, 1)
    path.write_bytes(header + torn.rstrip(b"\n") + b"\n" + second)
    code, _, errors = said(capsys, "standings", path)
    assert code == 2 and "line 2: this is not a pair" in errors


def test_several_journals_of_the_same_players_are_added_up_and_a_pair_in_both_counts_once(tmp_path, capsys):
    one, two, exchanged = tmp_path / "one", tmp_path / "two", tmp_path / "exchanged"
    first, second = fake_pair((0, 1, 1), 0, name="a"), fake_pair((0, 1, 2), 0, name="b")
    for path, header, pairs in (
        (one, HEADER, [first]),
        (two, HEADER, [first, second]),
        # There the players have changed places, so who wins is the other.
        (exchanged, {**HEADER, "players": HEADER["players"][::-1]}, [fake_pair((0, 1, 1), 1, name="c")]),
    ):
        with Journal(path, header, lambda pair: None) as journal:
            for pair in pairs:
                journal.append(pair)
    code, out, _ = said(capsys, "standings", one, two, exchanged, "--json")
    summary = json.loads(out)
    assert (code, summary["pairs"]) == (0, 3)
    assert [(row["player"], row["points"]) for row in summary["standings"]] == [("one", 6), ("two", 0)]


@pytest.mark.parametrize(
    "word, problem", [("other", "is of pentago"), ("strangers", "no player of the journals")]
)
def test_journals_that_do_not_go_together_are_refused(word, problem, tmp_path, capsys):
    strangers = [{**player, "files": "other"} for player in HEADER["players"]]
    headers = {
        "one": HEADER,
        "other": {**HEADER, "game": "pentago"},
        "strangers": {**HEADER, "players": strangers},
    }
    for name, header in headers.items():
        Journal(tmp_path / name, header, print).close()
    code, out, errors = said(capsys, "standings", tmp_path / "one", tmp_path / word)
    assert (code, out, errors.count("\n")) == (2, "", 1) and problem in errors


@pytest.mark.parametrize(
    "text", ["", "no journal\n", '{"journal": 1}\n', "[1]\n", '{"journal": 1, "players": [1]}\n']
)
def test_what_is_no_journal_is_refused_in_a_sentence(text, tmp_path, capsys):
    path = tmp_path / "notes"
    path.write_text(text)
    for words in (["standings", path], ["replay", path, "--pair", "1"], ["standings", path, path]):
        code, out, errors = said(capsys, *words)
        assert (code, out, errors.count("\n")) == (2, "", 1) and "journal" in errors


def test_a_journal_that_is_not_there_is_a_sentence(tmp_path, capsys):
    code, _, errors = said(capsys, "standings", tmp_path / "none")
    assert code == 2 and "cannot read" in errors


def test_the_report_of_a_journal_is_written_from_it_alone(played, tmp_path, capsys):
    assert said(capsys, "standings", played, "--report", tmp_path / "r.html")[0] == 0
    text = " ".join(Reader((tmp_path / "r.html").read_text()).words)
    assert "alpha" in text and "Pairings" in text and len(list((tmp_path / "r_games").iterdir())) == 12


def test_a_report_in_one_file_has_the_games_pages_inside(played, tmp_path, capsys, kept_page):
    path = tmp_path / "r.html"
    assert said(capsys, "standings", played, "--report", path, "--report-one-file")[0] == 0
    assert [one.name for one in tmp_path.iterdir()] == ["r.html"]
    wrong = []
    on = {
        "pageerror": lambda error: wrong.append(str(error)),
        "console": lambda said: wrong.append(said.text),
    }
    page = kept_page.lend(on)
    page.goto(path.as_uri())
    page.locator(".game summary").nth(2).click()
    page.get_by_text("turn by turn").click()
    inside = page.frame_locator("#shown iframe")
    assert "against" in inside.locator("h1").inner_text() and inside.locator("#turns li").count() > 2
    page.get_by_text("Next game").click()
    until(page, "location.hash === '#game-4' && document.querySelector('#shown iframe') !== null")
    inside.locator("#last").click()
    assert "wins" in inside.locator("#now").inner_text() or "draw" in inside.locator("#now").inner_text()
    page.get_by_text("All games").click()
    until(page, "document.getElementById('shown') === null")
    assert wrong == []


def test_a_report_whose_games_have_no_place_is_refused_before_anything_is_played(tmp_path, capsys):
    (tmp_path / "day_games").write_text("a file")
    words = ["tournament", GAME, "random", "greedy", "--report", tmp_path / "day.html"]
    code, out, errors = said(capsys, *words)
    assert (code, out) == (2, "") and "day_games" in errors and not (tmp_path / "day.html").exists()
    assert said(capsys, *words, "--pairs", "1", "--report-one-file")[0] == 0


@pytest.mark.parametrize("words", [["--report", "JOURNAL"], ["--report-one-file"]])
def test_a_report_over_a_journal_or_nowhere_is_refused(words, played, tmp_path, capsys):
    before = played.read_bytes()
    for more in ([], [played]):
        words = [played if word == "JOURNAL" else word for word in words]
        code, out, errors = said(capsys, "standings", played, *more, *words)
        assert (code, out, errors.count("\n")) == (2, "", 1) and "--report" in errors
    assert played.read_bytes() == before


def test_replay_shows_a_pair_of_a_journal(played, tmp_path, capsys):
    pair = json.loads(played.read_text().splitlines()[1])
    for which, games in ((pair["pair"], 2), (2, 6)):
        code, out, _ = said(capsys, "replay", played, "--pair", which, "--html", tmp_path / "page.html")
        assert (code, out.count(": same, ")) == (0, games) and "[A " in out
    assert len(list(tmp_path.glob("page-*.html"))) == 6
    assert pair["games"][0]["reason"] in said(capsys, "replay", played, "--pair", pair["pair"])[1]
    code, _, errors = said(capsys, "replay", played, "--pair", "77")
    assert code == 2 and "numbered from 1 to 2 between each two players, but none '77'" in errors


def test_replay_finds_the_games_of_a_player(played, capsys):
    code, out, _ = said(capsys, "replay", played, "--player", "alpha", "--pair", "1")
    assert (code, out.count(": same, ")) == (0, 4) and out.count("alpha") == 4
    for words, complaint in (
        (["--player", "alp"], ""),
        (["--player", "gamma"], "'gamma' is none of the players: alpha, beta, random"),
        (["--player", "a"], "'a' is more than one of the players: alpha, beta, random"),
        (["--player", "beta", "--faults"], "no such game"),
        ([], "is a tournament's journal: name games by --pair, --player or --faults"),
    ):
        code, out, errors = said(capsys, "replay", played, *words)
        assert code == (2 if complaint else 0) and complaint in errors


def test_a_game_that_a_fault_ended_is_shown_with_the_turn_in_which_it_was(tmp_path, capsys):
    calls = {"one": ("return 99", "pass"), "two": ("1 / 0", "pass"), "three": ("return 3", "1 / 0")}
    for name, (action, update) in calls.items():
        (tmp_path / f"{name}.py").write_text(
            "class Player:\n    def __init__(self, colour): pass\n"
            f"    def action(self): {action}\n    def update(self, colour, action): {update}\n"
        )
    players = ["random", *(tmp_path / f"{name}.py" for name in calls)]
    words = ["--format", "gauntlet", "--pairs", "1", "--opening", "0", "--on-fault", "continue"]
    path = tmp_path / "journal"
    assert said(capsys, "tournament", "kalaha", *players, *words, "--journal", path)[0] == 1
    code, out, _ = said(capsys, "replay", path, "--faults", "--html", tmp_path / "page.html")
    assert (code, out.count(": same, ")) == (0, 6), out
    standings = of_journals([path])
    for pair, game in [(one, game) for one in standings.pairs() for game in one.games]:
        seat, faulty = game.seated((0, 1)).index(1), pair.players[1]
        told = account(standings, pair, game)
        assert len(told.turns) == game.turns
        assert [turn.played for turn in told.turns] == [True] * (game.turns - 1) + [faulty == 3]
        if faulty < 3:
            assert told.turns[-1].cpu[seat] > 0 and told.turns[-1].chosen == (
                {seat: 99} if faulty == 1 else {}
            )


# Labels


def test_two_settings_of_one_player_are_told_apart_by_their_labels(tmp_path, capsys):
    words = [
        GAME,
        "one=greedy",
        "two=greedy,seed=1",
        "--pairs",
        "1",
        "--record",
        tmp_path / "records",
        "--json",
    ]
    _, out, _ = said(capsys, "tournament", *words)
    pair, summary = map(json.loads, out.splitlines())
    assert pair["players"] == ["one", "two"] == sorted(row["player"] for row in summary["standings"])
    assert "'one'" in (tmp_path / "records").glob("*one-two*").__next__().read_text()
    _, out, _ = said(capsys, "play", GAME, "one=greedy", "two=greedy,seed=1", "--json")
    assert json.loads(out.splitlines()[0])["players"] == ["one", "two"]


def test_two_players_cannot_have_one_label(capsys):
    code, _, errors = said(capsys, "tournament", GAME, "a=random", "a=greedy")
    assert code == 2 and "the same label" in errors


def test_a_label_is_no_part_of_what_a_pair_is(played, capsys):
    words = [GAME, "random", "x=greedy", "random,seed=5", "--pairs", "2", "--seed", "4", "--journal", played]
    assert json.loads(said(capsys, "tournament", *words, "--json")[1].splitlines()[-1])["resumed"] == 6


# Players that fail at once


@pytest.fixture
def broken(tmp_path):
    path = tmp_path / "broken.py"
    path.write_text(
        textwrap.dedent("""
        class Player:
            def __init__(self, colour):
                raise ValueError("no good")
            def action(self): pass
            def update(self, *news): pass
    """)
    )
    return path


def test_a_player_that_fails_before_its_first_action_stops_the_tournament_and_the_line_is_named(
    broken, capsys
):
    words = [GAME, "random", broken, "--pairs", "9", "--jobs", "1"]
    code, out, errors = said(capsys, "tournament", *words)
    assert code == 1 and "1 pair, 2 games" in out
    for text in (out, errors):
        assert "ValueError: no good (" in text and f"({broken}:4 in __init__: raise" in text
    assert "stopped, since" in errors and "--on-fault continue" in errors
    assert f"go on: referee tournament {GAME} random {broken} " in errors and "--on-fault exclude\n" in errors
    assert "repeat" not in errors  # two games in which nobody moved


def test_told_to_continue_all_pairs_are_played(broken, capsys):
    words = [GAME, "random", broken, "--pairs", "2", "--on-fault", "continue"]
    code, out, errors = said(capsys, "tournament", *words)
    assert code == 1 and "2 pairs, 4 games" in out and "stopped" not in errors


def test_a_player_that_is_excluded_plays_no_more_while_the_others_do(broken, tmp_path, capsys):
    journal = tmp_path / "journal"
    words = [GAME, "random", broken, "greedy", "--pairs", "3", "--jobs", "1", "--on-fault", "exclude"]
    code, out, _ = said(capsys, "tournament", *words, "--journal", journal, "--json")
    summary = json.loads(out.splitlines()[-1])
    met = {tuple(one["indices"]): one["pairs"] for one in summary["pairings"]}
    assert code == 1 and met == {(0, 1): 1, (0, 2): 3}
    assert summary["failed_early"][0]["player"] == str(broken)
    again = json.loads(said(capsys, "tournament", *words, "--journal", journal, "--json")[1].splitlines()[-1])
    assert again["resumed"] == again["pairs"] == 4


def test_a_class_of_strangers_plays_and_broken_hand_ins_are_listed(broken, tmp_path, capsys):
    import zipfile

    folder = tmp_path / "hand_ins"
    folder.mkdir()
    (folder / "a.zip").write_bytes(b"no zip")
    with zipfile.ZipFile(folder / "b.zip", "w") as zipped:
        zipped.writestr("b/__init__.py", "import nothing_of_that_name\n")
    with zipfile.ZipFile(folder / "c.zip", "w") as zipped:
        zipped.writestr("c/__init__.py", broken.read_text())
    with zipfile.ZipFile(folder / "d.zip", "w") as zipped:
        zipped.writestr("d/__init__.py", "bytearray(10**9)\n")
    (folder / "empty").mkdir()
    words = [GAME, *sorted(folder.iterdir()), "random", "greedy", "random,seed=1", "--format", "swiss"]
    code, out, errors = said(
        capsys, "tournament", *words, "--rounds", "2", "--pairs", "1", "--json", "--seed", "1"
    )
    summary = json.loads(out.splitlines()[-1])
    assert code == 1 and {row["player"].rpartition("/")[2] for row in summary["left_out"]} == {
        "a.zip",
        "b.zip",
        "d.zip",
        "empty",
    }
    assert "nothing_of_that_name" in errors and "referee check kalaha:2x2" in errors
    assert "b/__init__.py:1 in <module>" in errors and "referee-player-" not in errors + out
    assert [row["player"].rpartition("/")[2] for row in summary["failed_early"]] == ["c.zip"]
    rounds_of_others = [row["games"] for row in summary["standings"] if not row["player"].endswith(".zip")]
    assert sum(rounds_of_others) >= 8  # the night went on
