"""The lab in headless Chromium: journeys by clicks, wide and light, and by keys, narrow and dark.

In the suite each goes one of the two ways, so that all that is done in them is done both ways by some; in the
whole samples each goes both.
"""

import json
import re
import shutil
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from referee.__main__ import main
from referee.human.server import port_and_token
from tests.support.browser import until
from tests.support.lab import RunningLab, go, open_page, own_port, write_player
from tests.support.samples import few

WIDE = {"viewport": {"width": 1280, "height": 900}, "color_scheme": "light"}
NARROW = {"viewport": {"width": 390, "height": 800}, "color_scheme": "dark"}
WAYS = {False: "clicks, wide, light", True: "keys, narrow, dark"}
BY_CLICKS, BY_KEYS = (
    pytest.mark.parametrize("keys", few([keys], list(WAYS)), ids=WAYS.get) for keys in (False, True)
)


class Visitor:
    """Who uses a page, by the mouse or by the keyboard alone."""

    def __init__(self, page, keys):
        self.page = page
        self.keys = keys

    def press(self, what):
        """A button, a link or a place on a board."""
        self._click(what, "Enter")

    def tick(self, what):
        """A box, which is on or off afterwards, whichever it was not."""
        self._click(what, "Space")

    def tick_only(self, name, values):
        """Of the boxes of that name, these."""
        for box in self.page.locator(f"[name={name}]").all():
            value = box.get_attribute("value")
            if box.is_checked() != (value in values):
                self.tick(f"[name={name}][value='{value}']")

    def fill(self, what, text):
        if self.keys:
            self._focus(what)
            self.page.keyboard.press("Control+A")
            self.page.keyboard.type(text)
        else:
            self.page.locator(what).first.fill(text)

    def choose(self, what, value):
        """From a list; the keyboard walks through it."""
        if not self.keys:
            self.page.locator(what).first.select_option(value)
            return
        self._focus(what)
        steps = self.page.locator(what).first.evaluate(
            "(list, value) => [...list.options].findIndex((one) => one.value === value) - list.selectedIndex",
            value,
        )
        for _ in range(abs(steps)):
            self.page.keyboard.press("ArrowDown" if steps > 0 else "ArrowUp")
        assert self.page.locator(what).first.input_value() == value

    def stop(self):
        """End the match, unless it has ended by itself by now."""
        until(self.page, STOPPED)

    def comes_to(self, name):
        comes_to(self.page, name)

    def until(self, condition):
        until(self.page, condition)

    @property
    def shown(self):
        return self.page.inner_text("main")

    def _click(self, what, key):
        """By the mouse, or by the key that does the same to what has the focus."""
        if self.keys:
            self._focus(what)
            self.page.keyboard.press(key)
        else:
            self.page.locator(what).first.click()

    def _focus(self, what):
        found = self.page.locator(what).first
        found.focus()
        assert found.evaluate("one => one.tabIndex") == 0, f"{what} is not to be reached by the keyboard"


STOPPED = """(() => {
  const named = (kind, words) =>
    [...document.querySelectorAll(kind)].find((one) => one.textContent === words);
  const stop = named("main button", "stop");
  if (stop && !window.hasStopped) {
    window.hasStopped = true;
    stop.click();
  }
  return named("main a", "play again");
})()"""


@pytest.fixture(scope="module")
def filled(tmp_path_factory):
    """A folder with players, one of which has lost matches: on the board, and by its time; and a journal."""
    home = tmp_path_factory.mktemp("lab")
    write_player(home)
    (home / "late.py").write_text(LATE)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(home)
        play = "play kalaha my_team kalaha_agent --nodes 300 --seed 1 --record records -v0"
        assert main(play.split()) == 0
        assert main("play kalaha ./late.py greedy --action-time 0.05 --record records -v0".split()) == 1
        many = "tournament kalaha random greedy --pairs 1 --jobs 1 --seed 1 --journal tournaments/first.jsonl"
        assert main([*many.split(), "--record", "records", "--json"]) == 0
    return home


LATE = """class Player:
    def __init__(self, colour):
        pass

    def action(self):
        while True:  # the endless line
            pass

    def update(self, colour, action):
        pass
"""


@pytest.fixture(scope="module")
def lab(filled):
    with RunningLab(filled) as running:
        yield running


@pytest.fixture
def folder(filled):
    """That folder, for a test to add to: what has come is gone afterwards, whichever test is next."""
    before = set(filled.rglob("*"))
    yield filled
    for path in set(filled.rglob("*")) - before:
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)  # a match may just end in it
        else:
            path.unlink(missing_ok=True)


@pytest.fixture
def visit(folder, lab, kept_page):
    """Opens a page of the lab; fails afterwards for any error in its scripts, and where it is too wide."""
    pages = []

    def open_it(where="", keys=False):
        page, errors = open_page(kept_page, lab.address, **(NARROW if keys else WIDE))
        if where:
            go(page, where)
        pages.append((page, errors))
        return Visitor(page, keys)

    yield open_it
    for page, errors in pages:
        assert errors == []
        width = page.viewport_size["width"]
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        go(page, "nothing")  # so that it asks for nothing of the folder any more
    kept_page.give_back()


def comes_to(page, name):
    """Wait for the page of that name: the one before it may have the very things that are asked for next."""
    until(page, f"document.querySelector('#main > .page')?.dataset.address.startsWith('#/{name}?')")


def the_record(folder):
    (path,) = (folder / "records").glob("kalaha-seed1-001-my_team-*.txt")
    return f"records/{path.name}"


TURNS = "document.querySelectorAll('.turns li').length"
STATUS = "document.querySelector('.status')?.textContent"
CHOOSING = "document.querySelector('.choosing p').textContent"


@BY_CLICKS
def test_from_the_first_page_a_match_is_watched_in_two_steps(keys, visit):
    visitor = visit(keys=keys)
    assert "my_team" in visitor.shown and "kalaha: random against greedy" in visitor.shown
    visitor.press("[aria-label='Watch a match of kalaha']")
    visitor.comes_to("play")
    visitor.press("button.main:text-is('Start')")
    visitor.page.wait_for_selector(".stage svg [data-place=A1]")
    visitor.until(f"{TURNS} > 1")
    visitor.press(".turns li:nth-child(2) button")
    visitor.until("document.querySelector('.figures')?.textContent.match(/kalaha_agent \\(A\\)/)")
    visitor.stop()
    visitor.press("text=look at it turn by turn")
    visitor.comes_to("record")
    assert "The game is unfinished" in visitor.shown or " beats " in visitor.shown


@BY_KEYS
def test_a_match_is_paused_stepped_taken_over_given_back_and_taken_back(keys, visit):
    visitor = visit("play?game=kalaha&first=random&second=greedy", keys)
    visitor.tick("[name=paused]")
    visitor.press("button.main:text-is('Start')")
    visitor.until(f"{STATUS} === 'Paused.'")
    assert visitor.page.locator(".turns li").count() == 1
    visitor.press("button:text-is('step')")
    visitor.until(f"{TURNS} === 2")
    for name in ("random (A)", "greedy (B)"):
        visitor.press(f"button:text-is('take over {name}')")
        visitor.page.wait_for_selector(f"button:text-is('give {name} back')")
    visitor.press("button:text-is('step')")
    visitor.page.wait_for_selector("svg .able")
    visitor.press("svg .able")
    visitor.until(f"{TURNS} === 3")
    visitor.press("button:text-is('take back')")
    visitor.until(f"{TURNS} === 2")
    assert '{"do":"back"}' in visitor.shown, "the line that does the same"
    for name in ("random (A)", "greedy (B)"):
        visitor.press(f"button:text-is('give {name} back')")
        visitor.page.wait_for_selector(f"button:text-is('take over {name}')")
    visitor.press("button:text-is('go on')")
    visitor.until(f"{TURNS} > 4")
    visitor.stop()


@BY_KEYS
def test_who_plays_by_hand_sees_what_may_be_chosen_and_takes_back_a_choice(keys, visit):
    visitor = visit("play?game=ropasci&first=human&second=random", keys)
    visitor.press("button.main:text-is('Start')")
    visitor.until("document.querySelector('.choosing button')?.textContent === 'throw rock'")
    visitor.until("document.querySelector('.choosing button').getBoundingClientRect().bottom < innerHeight")
    assert "give human" not in visitor.shown, "there is no program to give that seat to"
    visitor.press("button:text-is('throw rock')")
    visitor.press("svg .able")
    visitor.until(f"{TURNS} === 2 && {CHOOSING}.match(/marked place or a button/)")
    visitor.press("button:text-is('take back')")
    visitor.until(f"{TURNS} === 1 && {CHOOSING}.match(/choose a button/)")
    visitor.stop()
    assert "The match was stopped" in visitor.shown


@BY_CLICKS
def test_from_a_lost_match_to_the_line_where_the_turn_spent_its_time(keys, visit):
    visitor = visit(keys=keys)
    visitor.press("text=kalaha: my_team against kalaha_agent")
    visitor.comes_to("record")
    visitor.press(".slowest button:has-text('my_team')")
    number = re.match(r"turn (\d+)", visitor.page.inner_text("[aria-current=step]"))[1]
    assert "looking" in visitor.page.inner_text(".output"), "what it printed in that turn"
    visitor.fill("[name=samples]", "10")  # 2 000 take nine seconds; here one line has nearly all of the time
    visitor.press("button:text-matches('Profile my_team')")
    visitor.comes_to("profile")
    first = visitor.page.locator(".profiled table.sortable tbody tr").first.inner_text()
    assert "range(200_000)" in first or "pass" in first
    assert f"--turn={number}" in visitor.shown, "the line that does the same"
    visitor.press("text=back to the match")
    visitor.comes_to("record")
    assert visitor.page.inner_text("[aria-current=step]").startswith(f"turn {number}")
    visitor.page.wait_for_selector("text=look at its profile")


def test_the_turn_that_was_lost_by_its_time_is_one_to_ask_about(visit):
    visitor = visit()
    visitor.press("text=kalaha: ./late.py against greedy")
    visitor.comes_to("record")
    visitor.press("text=late.py (A) lost here")
    assert visitor.page.inner_text("[aria-current=step]").startswith("turn 1")
    assert "Understand turn 1" in visitor.shown
    visitor.page.wait_for_selector(
        ".question code:text-matches('referee profile kalaha ./late.py .*--turn=1')"
    )
    assert visitor.page.is_enabled("button:text-matches('Profile ./late.py')")


@BY_KEYS
def test_players_are_asked_side_by_side_and_games_are_played_on_with_a_bar(keys, visit, folder):
    visitor = visit(f"record?path={the_record(folder)}&turn=5", keys)
    page = visitor.page
    values = [box.get_attribute("value") for box in page.locator("[name=agents]").all()]
    assert values.count("./my_team") == 1 and "my_team" not in values
    visitor.tick_only("agents", ("kalaha_agent", "greedy"))
    visitor.fill(".question [name=seconds]", "0.1")
    visitor.press("button:text-is('Ask')")
    visitor.until("document.querySelectorAll('.answer tbody tr').length === 2")
    row = page.locator(".answer tbody tr", has_text="kalaha_agent").locator("td").all_inner_texts()
    assert re.fullmatch("[1-6]", row[1]) and float(row[3]) >= 1 and row[6], "an action, a depth, a line"
    visitor.choose("[name=first]", "random")
    visitor.choose("[name=second]", "greedy")
    visitor.fill("[name=games]", "4")
    visitor.press("button:text-is('Play on')")
    page.wait_for_selector(".bar .interval")
    assert "of 4 games" in visitor.shown and "95 %" in visitor.shown
    if keys:
        return
    # What was asked stays with its turn, when the page is loaded anew too.
    visitor.press("[aria-label^='one turn forward']")
    visitor.until(
        "!document.querySelector('.bar') && document.querySelectorAll('.answer tbody tr').length === 0"
    )
    page.reload()
    visitor.press("button:text-is('turn 5')")
    page.wait_for_selector(".bar .interval")
    visitor.until("document.querySelectorAll('.answer tbody tr').length === 2")


@BY_CLICKS
def test_where_a_score_fell_most_stands_first(keys, visit, folder):
    visitor = visit(f"record?path={the_record(folder)}", keys)
    falls = FALL.findall(visitor.page.inner_text(".falls"))
    changes = [abs(number(after) - number(before)) for _, _, before, after in falls]
    assert len(falls) > 1 and changes == sorted(changes, reverse=True)
    colours = {colour for _, colour, _, _ in falls}
    assert "A" in colours and "my_team (A) tells none" in visitor.shown, "what B's rose by stands for it"
    visitor.press(".falls button")
    assert visitor.page.inner_text("[aria-current=step]").startswith(f"turn {falls[0][0]}")


FALL = re.compile(r"turn (\d+):\s*(\w) ([-\d.\u2009]+) → ([-\d.\u2009]+)")


def number(text):
    return float(text.replace("\u2009", ""))


@BY_KEYS
def test_a_position_is_set_up_and_played_from(keys, visit):
    visitor = visit("play?game=kalaha&first=random&second=greedy", keys)
    page = visitor.page
    visitor.press("summary:text-is('Begin at a position')")
    page.wait_for_selector("form svg .able")
    visitor.press("button:text-is('none')")
    visitor.press("form svg [data-place=A1]")
    visitor.press("button:text-is('the other to move')")
    visitor.until(f"{SETUP}.startsWith('B to act, 6')")
    assert page.input_value(".long") == "B 0 6 6 6 6 6 0 6 6 6 6 6 6 0"
    page.wait_for_selector(".command code:text-matches('--position=B 0 6')")
    visitor.fill(".long", "B 1 2")
    page.locator(".long").blur()
    page.wait_for_selector("form .error:not(:empty)")
    visitor.fill(".long", "B 0 6 6 6 6 6 0 6 6 6 6 6 6 0")
    page.locator(".long").blur()
    visitor.until(f"{SETUP}.startsWith('B to act, 6')")
    visitor.press("button.main:text-is('Start')")
    visitor.until(f"{TURNS} > 1")
    assert "B " in page.inner_text(".turns li:nth-child(2)")
    visitor.stop()


SETUP = "(document.querySelector('form [role=status]')?.textContent ?? '')"


@BY_CLICKS
def test_a_match_begins_at_any_turn_of_a_recorded_one(keys, visit, folder):
    visitor = visit(f"record?path={the_record(folder)}&turn=4", keys)
    visitor.press("text=Start a match there")
    visitor.comes_to("play")
    visitor.choose("form [name=second]", "random")
    visitor.choose("form [name=first]", "greedy")
    visitor.press("button.main:text-is('Start')")
    visitor.comes_to("match")
    visitor.until(f"{TURNS} > 4")
    places = [one.strip() for one in visitor.page.locator(".turns .number").all_inner_texts()[:5]]
    assert places == ["start", "opening", "opening", "opening", "turn 1"]
    visitor.stop()


@BY_KEYS
def test_a_tournament_is_started_watched_stopped_and_gone_on_with(keys, visit):
    visitor = visit("tournaments?game=kalaha:4x3", keys)
    page = visitor.page
    visitor.fill("[name=pairs]", "100000")
    visitor.fill("[name=jobs]", "1")
    visitor.tick_only("players", ("random", "greedy"))
    visitor.press("button.main:text-is('Start')")
    page.wait_for_selector(".cards svg [data-place=A4]")
    assert "random (A) against greedy (B), turn " in shown_once(page) or "greedy (A)" in shown_once(page)
    page.wait_for_selector(".report table")
    assert "Cross table" in visitor.shown
    visitor.press("button:text-is('stop')")
    page.wait_for_selector("button:text-is('go on')")
    assert page.locator(".cards li").count() == 0
    pairs = int(re.search(r"(\d+) pairs? in the journal", visitor.shown)[1])
    visitor.press("button:text-is('go on')")
    page.wait_for_selector("button:text-is('stop')")
    page.evaluate("window.pressed = document.querySelector('main .row button'); window.pressed.focus()")
    visitor.until(f"({STATUS}?.match(/running: (\\d+)/) || [])[1] > {pairs}")
    assert page.evaluate("document.activeElement === window.pressed"), "news do not take away what is pressed"
    visitor.press("button:text-is('stop')")
    page.wait_for_selector("button:text-is('go on')")
    visitor.press("a:has-text('records/')")
    visitor.comes_to("record")


def shown_once(page):
    return page.inner_text(".cards li")


@BY_CLICKS
def test_a_player_is_checked_step_by_step_and_packed(keys, visit, folder):
    name = "by_keys" if keys else "by_clicks"
    write_player(folder, name, loops="0")
    visitor = visit(f"check?game=kalaha&agent=./{name}", keys)
    page = visitor.page
    visitor.fill("[name=share]", "0.05")
    visitor.press("button.main:text-is('Check')")
    page.wait_for_selector(".steps li >> nth=3")
    visitor.until(f"{STATUS}?.match(/^(nothing|\\d+) (to )?object/)")
    assert page.locator(".steps li").count() == 16
    visitor.press("button:text-is('Pack')")
    page.wait_for_selector("text=save the zip")
    assert page.locator(".steps li").count() == 16
    with page.expect_download() as saved:
        visitor.press("text=save the zip")
    assert saved.value.suggested_filename == f"{name}.zip"
    assert (folder / f"{name}.zip").read_bytes() == saved.value.path().read_bytes()
    go(page, "")
    page.wait_for_selector("td a.good")


@BY_KEYS
def test_an_objection_shows_the_lines_that_it_is_about(keys, visit, folder):
    text = "class Player:\n    def __init__(self, colour):\n        open('x.txt', 'w')  # the line\n"
    text += "    def action(self): return 9\n    def update(self, *news): pass\n"
    (folder / "careless.py").write_text(text)
    visitor = visit("check?game=kalaha&agent=./careless.py", keys)
    visitor.press("button.main:text-is('Check')")
    visitor.until(f"{STATUS}?.match(/^\\d+ objection/)")
    assert visitor.page.locator(".steps .fail .advice").count() == 2
    assert "# the line" in visitor.page.inner_text(".steps .source .hot")
    visitor.press("text=look at that game")
    visitor.comes_to("record")


WAITS = """import os, time
while not os.path.exists(os.path.join(os.path.dirname(__file__), "begin")):
    time.sleep(0.01)
"""


def test_before_there_is_a_board_nothing_can_be_taken_back(visit, folder):
    write_player(folder, "waits", loops="0")
    source = folder / "waits" / "__init__.py"
    source.write_text(source.read_text() + WAITS)
    visitor = visit("play?game=kalaha&first=./waits&second=random&delay=0")
    visitor.press("button.main:text-is('Start')")
    visitor.until(f"{STATUS} === 'The players are being started …'")
    assert visitor.page.locator("main .row button").all_inner_texts() == ["pause", "stop"]
    (folder / "waits" / "begin").write_text("")
    visitor.page.wait_for_selector("text=look at it turn by turn")


def test_several_windows_see_the_same_match(visit):
    one = visit("play?game=kalaha&first=random&second=greedy")
    one.tick("[name=paused]")
    one.press("button.main:text-is('Start')")
    one.until(f"{STATUS} === 'Paused.'")
    other = visit(one.page.evaluate("location.hash.slice(2)"))
    other.press("button:text-is('step')")
    for visitor in (one, other):
        visitor.until(f"{TURNS} === 2")
    one.page.reload()
    one.until(f"{TURNS} === 2")
    one.press("button:text-is('stop')")
    other.page.wait_for_selector("text=play again")


def test_what_stands_in_a_form_is_there_when_the_page_is_loaded_anew(visit):
    visitor = visit("play?game=kalaha")
    page = visitor.page
    page.select_option("[name=second]", "random")
    page.check("[name=paused]")
    page.click("summary:text-is('Limits, opening, seed')")
    page.fill("[name=action-time]", "0.25")
    visitor.until("location.hash.includes('action-time=0.25')")
    page.reload()
    page.wait_for_selector("[name=action-time]")
    assert page.input_value("[name=action-time]") == "0.25" and page.is_checked("[name=paused]")
    assert page.input_value("[name=second]") == "random"
    go(page, "tournaments?game=kalaha")
    visitor.tick_only("players", ("random", "greedy"))
    page.fill("[name=pairs]", "7")
    visitor.until("location.hash.includes('pairs=7')")
    page.reload()
    page.wait_for_selector("[name=pairs]")
    assert page.input_value("[name=pairs]") == "7"
    chosen = page.locator("[name=players]:checked").evaluate_all("boxes => boxes.map((one) => one.value)")
    assert chosen == ["random", "greedy"]


def test_a_variant_is_typed_and_started_with_one_click_and_mistakes_are_said_in_the_form(visit):
    visitor = visit("play?game=kalaha&first=random&second=random&delay=0")
    page = visitor.page
    page.fill("[name=variant]", "many")
    page.click("button.main:text-is('Start')")
    page.wait_for_selector(".error:has-text('kalaha has no variant')")
    page.click("summary:text-is('Limits, opening, seed')")
    page.fill("[name=variant]", "4x3")
    page.fill("[name=seed]", "one")
    page.click("button.main:text-is('Start')")
    page.wait_for_selector(".error:has-text(\"invalid int value: 'one'\")")
    page.fill("[name=seed]", "1")
    page.click("button.main:text-is('Start')")
    visitor.comes_to("match")
    page.wait_for_selector(".stage svg [data-place=A4]")
    assert page.locator(".stage svg [data-place=A5]").count() == 0
    assert "random (A) against random (B)" in visitor.shown, "who was chosen stays chosen"
    go(page, "tournaments?game=kalaha")
    visitor.tick_only("players", ("random",))
    page.click("button.main:text-is('Start')")
    page.wait_for_selector(".status:has-text('The tournament did not begin.')")
    page.click("text=ask for another")
    visitor.comes_to("tournaments")
    assert page.locator("[name=players]:checked").evaluate_all("boxes => boxes.map((one) => one.value)") == [
        "random"
    ]


def test_a_restart_of_the_lab_loses_nothing(kept_page, tmp_path):
    with RunningLab(tmp_path, port=own_port()) as first:
        page, _ = open_page(kept_page, first.address, alone=True, **WIDE)
        go(page, "play?game=kalaha&first=greedy&second=random&action-time=2")
        page.check("[name=paused]")
        page.click("button.main:text-is('Start')")
        until(page, "document.querySelector('.status')?.textContent === 'Paused.'")
        for turn in (2, 3):
            page.click("button:text-is('step')")
            until(page, f"document.querySelectorAll('.turns li').length === {turn}")
        assert first.end() == 0
        page.wait_for_selector("#gone .command code:text-matches('referee lab .* --again')")
        assert "The lab does not answer." in page.inner_text("#gone")
    with RunningLab(tmp_path, again=page.url) as second:  # the page that is open goes on by itself
        assert second.address == first.address
        page.click("text=look at its record, and go on there")
        comes_to(page, "record")
        page.click("text=go on with it")
        comes_to(page, "play")
        assert page.input_value("[name=action-time]") == "2", "the limits that it had"
        page.select_option("[name=delay]", "0")
        page.click("button.main:text-is('Start')")
        page.click("text=look at it turn by turn")
        comes_to(page, "record")
        before, after = sorted((tmp_path / "records").iterdir(), key=lambda one: one.stat().st_mtime)
        turns = [re.findall("^turn .*", one.read_text(), re.M) for one in (before, after)]
        assert len(turns[0]) == 2 and turns[1][:2] == turns[0] and len(turns[1]) > 4
        go(page, "")
        assert "Unfinished" not in page.inner_text("main")


def test_what_stands_where_a_lab_was_is_not_told_its_address(kept_page, tmp_path):
    with RunningLab(tmp_path, port=own_port()) as first:
        page, _ = open_page(kept_page, f"{first.address}#/play?game=kalaha", alone=True, **WIDE)
        page.select_option("[name=delay]", "1")
    asked, again = [], threading.Semaphore(0)

    class Impostor(BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append(f"{self.path} {self.headers}")
            text = b'["0000000000000000000000000000000000000000000000000000000000000000"]'
            self.send_response(200)
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)
            again.release()

        def log_message(self, *_):
            pass

    port, token = port_and_token(first.address)
    server = HTTPServer(("127.0.0.1", port), Impostor)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    page.wait_for_selector("#gone:has-text('Another program answers where the lab was')")
    page.click("button.main:text-is('Start')")
    page.wait_for_selector(".error:has-text('nothing was done')")
    for _ in range(3):
        assert again.acquire(timeout=300), "the page asks again and again"
    server.shutdown()
    server.server_close()
    assert not [one for one in asked if token in one]
    with RunningLab(tmp_path, again=first.address):
        page.wait_for_selector("#gone", state="hidden")
        until(page, "document.querySelector('[name=delay]')?.value === '1'")
        assert token in page.url


def test_all_that_a_page_loads_is_less_than_200_kb(visit):
    page = visit().page
    sizes = page.evaluate(
        "performance.getEntriesByType('resource')"
        ".map((one) => [one.name.split('/').at(-1), one.decodedBodySize])"
    )
    assert {"app.js", "lab.css", "board-scripts.js"} <= {name for name, _ in sizes}
    assert sum(size for _, size in sizes) < 200_000, json.dumps(sizes)


def test_what_strangers_write_is_shown_as_text(kept_page, tmp_path):
    image = "<img src=x onerror=document.title=1>"
    loud = f"class Player:\n    def __init__(self, colour): print({image!r})\n"
    loud += "    def action(self): return 9\n    def update(self, *news): pass\n"
    (tmp_path / f"{image.replace('/', '')}.py").write_text(loud)
    (tmp_path / "loud.py").write_text(loud)
    (tmp_path / "cut.jsonl").write_text('{"journal": ')
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
        page, errors = open_page(kept_page, running.address, alone=True, **WIDE)
        assert "onerror" in page.inner_text("main")
        assert page.locator("a", has_text="cut.jsonl").count() == 1, "it says no game"
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


# By game: places with the piece that is put there, and the text that comes of it.
SETUPS = {
    "fanorona": ([("a light man", "A0"), ("nothing", "B0")], "o.xxxxxxxxxxxxxxxxxoxo.xo"),
    "expendibots": ([("nothing", "(7, 7)"), ("one white more", "(0, 0)")], "W2(0,0)"),
    "pentago": ([("a white stone", "(0, 0)"), ("a black stone", "(5, 5)")], f"w{34 * '.'}b w"),
    "ropasci": ([("upper rock", "(4, -2)"), ("lower paper", "(0, 0)")], "0 1/1 (4,-2):R (0,0):p"),
    "kalaha:4x3": ([("one more", "A1"), ("none", "B2")], "A 4 3 3 3 0 3 0 3 3 0"),
}


def test_a_position_of_each_game_is_set_up_by_clicks(visit):
    visitor = visit()
    page = visitor.page
    for game, (puts, text) in SETUPS.items():
        go(page, f"play?game={game}&first=random&second=greedy")
        visitor.press("summary:text-is('Begin at a position')")
        page.wait_for_selector("form svg .able")
        for piece, place in puts:
            visitor.press(f"button:text-is('{piece}')")
            page.locator(f'form svg [data-place="{place}"]').click(force=True)
            visitor.until(f"{SETUP}.match(/to act, \\d+ legal/)")
        assert text in page.input_value(".long"), game
        page.wait_for_selector(".command code:text-matches('--position=')")
