"""The lab in headless Chromium: every journey by clicks and by keys, wide and narrow, in light and dark."""

import json
import re

import pytest

from referee.__main__ import main
from tests.support.browser import until
from tests.support.lab import RunningLab, open_page, write_player

WIDE = {"viewport": {"width": 1280, "height": 900}, "color_scheme": "light"}
NARROW = {"viewport": {"width": 390, "height": 800}, "color_scheme": "dark"}
LOOKS = pytest.mark.parametrize("look", [WIDE, NARROW], ids=["wide and light", "narrow and dark"])


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with a player of its own, that has lost a match, and a tournament's journal."""
    home = tmp_path_factory.mktemp("lab")
    write_player(home)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(home)
        play = "play kalaha ./my_team kalaha_agent --nodes 300 --seed 1 --record records -v0"
        assert main(play.split()) == 0
        many = "tournament kalaha random greedy --pairs 1 --jobs 1 --seed 1 --journal tournaments/first.jsonl"
        assert main([*many.split(), "--record", "records", "--json"]) == 0
    return home


@pytest.fixture(scope="module")
def lab(folder):
    with RunningLab(folder) as running:
        yield running


@pytest.fixture
def visit(lab, browser):
    """Opens a page of the lab; fails afterwards for any error in its scripts, and where it is too wide."""
    pages = []

    def open_it(where="", look=WIDE):
        page, errors = open_page(browser, lab.address, **look)
        if where:
            go(page, where)
        pages.append((page, errors))
        return page

    yield open_it
    for page, errors in pages:
        assert errors == []
        width = page.viewport_size["width"]
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        page.context.close()


def go(page, where):
    page.evaluate("where => { location.hash = where; }", f"#/{where}")
    asked = f"decodeURI({json.dumps(f'#/{where}')})"
    until(page, f"decodeURI(document.querySelector('#main > .page')?.dataset.address ?? '') === {asked}")


def comes_to(page, name):
    """Wait for the page of that name: the one before it may have the very things that are asked for next."""
    until(page, f"document.querySelector('#main > .page')?.dataset.address.startsWith('#/{name}?')")


def the_record(folder):
    (path,) = (folder / "records").glob("kalaha-seed1-001-my_team-*.txt")
    return f"records/{path.name}"


# A profile takes ten seconds of CPU time, for small errors: here one line has nearly all of the turn's time.
FEW_SAMPLES = """() => {
  const send = WebSocket.prototype.send, asked = '"action":"profile","form":{';
  const few = (text) => text.replace(asked, `${asked}"samples":"10",`);
  WebSocket.prototype.send = function (text) { send.call(this, few(text)); };
}"""


def shown(page):
    return page.inner_text("main")


@LOOKS
def test_from_the_first_page_a_match_is_watched_in_three_clicks(look, visit, folder):
    page = visit(look=look)
    assert "my_team" in shown(page) and "kalaha: random against greedy" in shown(page)
    page.click("[aria-label='Watch a match of kalaha']")
    comes_to(page, "play")
    page.select_option("[name=delay]", "")
    page.fill("[name=nodes]", "100", force=True) if page.is_visible("[name=nodes]") else None
    page.click("button.main:text-is('Start')")
    page.wait_for_selector(".stage svg [data-place=A1]")
    until(page, "document.querySelectorAll('.turns li').length > 3")
    page.click("button:text-is('stop')")
    page.click("text=look at it turn by turn")
    comes_to(page, "record")
    assert "The game is unfinished" in shown(page)


@LOOKS
def test_a_match_is_paused_stepped_taken_over_given_back_and_taken_back_by_keys(look, visit):
    page = visit("play?game=kalaha&first=random&second=greedy", look)
    press(page, "[name=paused]", " ")
    press(page, "button.main:text-is('Start')", "Enter")
    until(page, "document.querySelector('.status')?.textContent === 'Paused.'")
    assert page.locator(".turns li").count() == 1
    press(page, "button:text-is('step')", "Enter")
    until(page, "document.querySelectorAll('.turns li').length === 2")
    press(page, "button:text-is('take over random (A)')", "Enter")
    press(page, "button:text-is('take over greedy (B)')", "Enter")
    until(page, "document.querySelector('button.main')?.textContent === 'go on'")
    press(page, "button:text-is('step')", "Enter")
    page.wait_for_selector("svg .able")
    page.locator("svg .able").first.focus()
    page.keyboard.press("Enter")
    until(page, "document.querySelectorAll('.turns li').length === 3")
    press(page, "button:text-is('take back')", "Enter")
    until(page, "document.querySelectorAll('.turns li').length === 2")
    assert '{"do":"back"}' in shown(page), "the line that does the same"
    press(page, "button:text-is('give random (A) back')", "Enter")
    press(page, "button:text-is('give greedy (B) back')", "Enter")
    press(page, "button:text-is('go on')", "Enter")
    until(page, "document.querySelectorAll('.turns li').length > 4")
    press(page, "button:text-is('stop')", "Enter")
    page.wait_for_selector("text=play again")


def press(page, what, key):
    page.locator(what).focus()
    page.keyboard.press(key)


@LOOKS
def test_from_a_lost_match_to_the_line_where_the_turn_spent_its_time(look, visit, folder):
    page = visit(look=look)
    page.click("text=kalaha: ./my_team against kalaha_agent")
    comes_to(page, "record")
    page.click(".turns li:nth-child(2) button")
    assert "looking" in shown(page), "what it printed in its first turn"
    page.evaluate(FEW_SAMPLES)
    page.click("button:text-matches('Profile ./my_team')")
    comes_to(page, "profile")
    first = page.locator(".profiled table.sortable tbody tr").first.inner_text()
    assert "range(200_000)" in first or "pass" in first
    page.click("text=back to the match")
    comes_to(page, "record")
    assert page.inner_text("[aria-current=step]").startswith("turn 1")
    (saved,) = (folder / "profiles").iterdir()
    assert json.loads(saved.read_text())["cost"]["samples"] < 50


def test_players_are_asked_side_by_side_and_games_are_played_on_with_a_bar(visit, folder):
    page = visit(f"record?path={the_record(folder)}&turn=5")
    for box in page.locator("[name=agents]").all():
        box.set_checked(box.get_attribute("value") in ("kalaha_agent", "greedy"))
    page.fill(".question [name=seconds]", "0.2")
    page.click("button:text-is('Ask')")
    until(page, "document.querySelectorAll('.answer tbody tr').length === 2")
    until(page, "!document.querySelector('.answer')?.textContent.includes('running')")
    row = page.locator(".answer tbody tr", has_text="kalaha_agent").locator("td").all_inner_texts()
    assert re.fullmatch("[1-6]", row[1]) and float(row[3]) >= 1 and row[6], "an action, a depth, a line"
    page.select_option("[name=first]", "random")
    page.select_option("[name=second]", "greedy")
    page.fill("[name=games]", "4")
    page.click("button:text-is('Play on')")
    page.wait_for_selector(".bar .interval")
    assert "of 4 games" in shown(page) and "95 %" in shown(page)


def test_where_a_score_fell_most_stands_first(visit, folder):
    page = visit(f"record?path={the_record(folder)}")
    falls = [(int(turn), before, after) for turn, before, after in FALL.findall(page.inner_text(".falls"))]
    depths = [number(after) - number(before) for _, before, after in falls]
    assert falls and depths == sorted(depths) and depths[0] < 0
    page.locator(".falls button").first.click()
    assert page.inner_text("[aria-current=step]").startswith(f"turn {falls[0][0]}")


FALL = re.compile(r"turn (\d+):\s*\S+ \(\w\) (\S+) → (\S+)")


def number(text):
    return float(text.replace("\u2009", ""))


@LOOKS
def test_a_position_is_set_up_by_clicks_and_played_from(look, visit):
    page = visit("play?game=kalaha&first=random&second=greedy", look)
    page.click("summary:text-is('Begin at a position')")
    page.wait_for_selector("form svg .able")
    page.click("button:text-is('none')")
    page.locator("form svg [data-place=A1] .spot").click()
    page.click("button:text-is('the other to move')")
    until(page, "document.querySelector('form [role=status]')?.textContent.startsWith('B to act, 6')")
    assert page.input_value(".long") == "B 0 6 6 6 6 6 0 6 6 6 6 6 6 0"
    assert "--position='B 0 6" in page.inner_text(".command") or "'--position=B 0 6" in page.inner_text(
        ".command"
    )
    page.fill(".long", "B 1 2")
    page.locator(".long").blur()
    page.wait_for_selector("form .error:not(:empty)")
    page.fill(".long", "B 0 6 6 6 6 6 0 6 6 6 6 6 6 0")
    page.locator(".long").blur()
    until(page, "document.querySelector('form [role=status]')?.textContent.startsWith('B to act, 6')")
    page.click("button.main:text-is('Start')")
    until(page, "document.querySelectorAll('.turns li').length > 1")
    assert "B " in page.inner_text(".turns li:nth-child(2)")


def test_a_match_begins_at_any_turn_of_a_recorded_one(visit, folder):
    page = visit(f"record?path={the_record(folder)}&turn=4")
    page.click("text=Start a match there")
    comes_to(page, "play")
    page.select_option("form [name=second]", "random")
    page.select_option("form [name=first]", "greedy")
    page.click("button.main:text-is('Start')")
    comes_to(page, "match")
    until(page, "document.querySelectorAll('.turns li').length > 4")
    assert [one.strip() for one in page.locator(".turns .number").all_inner_texts()[:5]] == [
        "start",
        "opening",
        "opening",
        "opening",
        "turn 1",
    ]


@LOOKS
def test_a_tournament_is_started_watched_stopped_and_gone_on_with(look, visit, folder):
    page = visit("tournaments?game=kalaha:4x3", look)
    page.fill("[name=pairs]", "400")
    page.fill("[name=jobs]", "1")
    for box in page.locator("[name=players]").all():
        box.set_checked(box.get_attribute("value") in ("random", "greedy"))
    page.click("button.main:text-is('Start')")
    page.wait_for_selector(".report h1")
    assert "Cross table" in shown(page)
    page.click("button:text-is('stop')")
    page.wait_for_selector("button:text-is('go on')")
    pairs = int(re.search(r"(\d+) pairs are in the journal", shown(page))[1])
    page.click("button:text-is('go on')")
    until(
        page, f"(document.querySelector('.status')?.textContent?.match(/running: (\\d+)/) || [])[1] > {pairs}"
    )
    page.click("button:text-is('stop')")
    page.wait_for_selector("button:text-is('go on')")
    page.locator("a", has_text="records/").first.click()
    comes_to(page, "record")


@LOOKS
def test_a_player_is_checked_step_by_step_and_packed(look, visit, folder):
    page = visit("check?game=kalaha&agent=./my_team", look)
    page.fill("[name=share]", "0.05")
    page.click("button.main:text-is('Check')")
    page.wait_for_selector(".steps li >> nth=3")
    until(page, "document.querySelector('.status')?.textContent?.match(/^(nothing|\\d+) (to )?object/)")
    assert page.locator(".steps li").count() == 16
    page.click("button:text-is('Pack')")
    page.wait_for_selector("text=save the zip")
    with page.expect_download() as saved:
        page.click("text=save the zip")
    assert saved.value.suggested_filename == "my_team.zip"
    assert (folder / "my_team.zip").read_bytes() == saved.value.path().read_bytes()
    go(page, "")
    page.wait_for_selector("td a.good")


def test_an_objection_shows_the_lines_that_it_is_about(visit, folder):
    text = "class Player:\n    def __init__(self, colour):\n        open('x.txt', 'w')  # the line\n"
    text += "    def action(self): return 9\n    def update(self, *news): pass\n"
    (folder / "careless.py").write_text(text)
    page = visit("check?game=kalaha&agent=./careless.py")
    page.click("button.main:text-is('Check')")
    until(page, "document.querySelector('.status')?.textContent?.match(/^\\d+ objection/)")
    assert page.locator(".steps .fail .advice").count() == 2
    assert "# the line" in page.inner_text(".steps .source .hot")
    page.locator("text=look at that game").first.click()
    comes_to(page, "record")


def test_several_windows_see_the_same_match(visit):
    one = visit("play?game=kalaha&first=random&second=greedy")
    one.check("[name=paused]")
    one.click("button.main:text-is('Start')")
    until(one, "document.querySelector('.status')?.textContent === 'Paused.'")
    other = visit(one.evaluate("location.hash.slice(2)"))
    other.click("button:text-is('step')")
    for page in (one, other):
        until(page, "document.querySelectorAll('.turns li').length === 2")
    one.reload()
    until(one, "document.querySelectorAll('.turns li').length === 2")
    one.click("button:text-is('stop')")
    other.wait_for_selector("text=play again")


def test_a_restart_of_the_lab_loses_nothing(browser, tmp_path):
    with RunningLab(tmp_path) as first:
        page, _ = open_page(browser, first.address, **WIDE)
        go(page, "play?game=kalaha&first=greedy&second=random")
        page.check("[name=paused]")
        page.click("button.main:text-is('Start')")
        until(page, "document.querySelector('.status')?.textContent === 'Paused.'")
        for turn in (2, 3):
            page.click("button:text-is('step')")
            until(page, f"document.querySelectorAll('.turns li').length === {turn}")
        assert first.end() == 0
        page.wait_for_selector("#gone:not([hidden])")
        page.context.close()
    with RunningLab(tmp_path) as second:
        page, errors = open_page(browser, second.address, **WIDE)
        page.click("text=go on")
        comes_to(page, "play")
        page.select_option("[name=delay]", "")
        page.click("button.main:text-is('Start')")
        page.click("text=look at it turn by turn")
        comes_to(page, "record")
        assert errors == []
        before, after = sorted((tmp_path / "records").iterdir(), key=lambda one: one.stat().st_mtime)
        turns = [re.findall("^turn .*", one.read_text(), re.M) for one in (before, after)]
        assert len(turns[0]) == 2 and turns[1][:2] == turns[0] and len(turns[1]) > 4
        go(page, "")
        assert "Unfinished" not in shown(page)
        page.context.close()


def test_all_that_a_page_loads_is_less_than_200_kb(lab, browser):
    page, _ = open_page(browser, lab.address, **WIDE)
    sizes = page.evaluate(
        "performance.getEntriesByType('resource')"
        ".map((one) => [one.name.split('/').at(-1), one.decodedBodySize])"
    )
    assert {"app.js", "lab.css", "board-scripts.js"} <= {name for name, _ in sizes}
    assert sum(size for _, size in sizes) < 200_000, json.dumps(sizes)
    page.context.close()


def test_what_strangers_write_is_shown_as_text(browser, tmp_path):
    image = "<img src=x onerror=document.title=1>"
    loud = f"class Player:\n    def __init__(self, colour): print({image!r})\n"
    loud += "    def action(self): return 9\n    def update(self, *news): pass\n"
    (tmp_path / f"{image.replace('/', '')}.py").write_text(loud)
    (tmp_path / "loud.py").write_text(loud)
    turn = "turn 1: A 1\tcpu 0.1 0.1\tmegabytes 1.0 1.0"
    lines = ["record: 1", "game: 'kalaha'", f"players: ({image!r}, {image!r})", turn]
    lines += [
        f"output A: {image!r}",
        "ending: 'crashed'",
        "call: 'update'",
        "at_fault: (0,)",
        "scores: (0, 1)",
    ]
    (tmp_path / "bad.txt").write_text("\n".join([*lines, f"reason: {image!r}", "end: 1", ""]))
    with RunningLab(tmp_path) as running:
        page, errors = open_page(browser, running.address, **WIDE)
        assert "onerror" in shown(page)
        for where in ("play", "check", "tournaments", "record?path=bad.txt&turn=1"):
            go(page, where)
            until(page, "document.querySelector('main').innerText.includes('onerror')")
            assert page.locator("img").count() == 0
        go(page, "play?game=kalaha&first=./loud.py&second=random")
        page.wait_for_selector("option[value='./loud.py']", state="attached")
        page.click("button.main:text-is('Start')")
        until(page, "document.querySelector('.status')?.textContent.includes('forfeits')")
        assert "onerror" in page.inner_text(".output") and page.locator("img").count() == 0
        assert errors == []
        page.context.close()


# By game: places with the piece that is put there, and the text that comes of it.
SETUPS = {
    "fanorona": ([("a light man", "A0"), ("nothing", "B0")], "o.xxxxxxxxxxxxxxxxxoxo.xo"),
    "expendibots": ([("nothing", "(7, 7)"), ("one white more", "(0, 0)")], "W2(0,0)"),
    "pentago": ([("a white stone", "(0, 0)"), ("a black stone", "(5, 5)")], f"w{34 * '.'}b w"),
    "ropasci": ([("upper rock", "(4, -2)"), ("lower paper", "(0, 0)")], "0 1/1 (4,-2):R (0,0):p"),
    "kalaha:4x3": ([("one more", "A1"), ("none", "B2")], "A 4 3 3 3 0 3 0 3 3 0"),
}


@pytest.mark.parametrize("game", SETUPS)
def test_a_position_of_each_game_is_set_up_by_clicks(game, visit):
    page = visit(f"play?game={game}&first=random&second=greedy")
    page.click("summary:text-is('Begin at a position')")
    page.wait_for_selector("form svg .able")
    puts, text = SETUPS[game]
    for piece, place in puts:
        page.click(f"button:text-is('{piece}')")
        page.locator(f'form svg [data-place="{place}"]').click(force=True)
        until(page, "document.querySelector('form [role=status]')?.textContent.match(/to act, \\d+ legal/)")
    assert text in page.input_value(".long")
    page.click("button.main:text-is('Start')")
    until(page, "document.querySelectorAll('.turns li').length > 1")
    page.click("button:text-is('stop')")
    page.wait_for_selector("text=play again")
