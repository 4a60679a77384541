"""A human's page in headless Chromium: whole games, mistakes, reloads, tabs, and what other pages try."""

import http.client
import http.server
import json
import re
import signal
import socket
import threading
import time
from contextlib import contextmanager
from random import Random

import pytest

from referee import rules
from referee.__main__ import main
from referee.commands import replay
from referee.human.clicks import steps
from referee.human.server import MAX_BODY, MAX_CONNECTIONS, PageServer, View
from referee.human.web import WebPages
from referee.isolation.allowance import Allowance
from referee.match.loop import Match
from referee.match.planned import PlannedGame
from referee.players.names import resolve
from tests.referee.match.test_match import FakeSeat
from tests.support.browser import WebGame, click_next, status, until
from tests.support.samples import few

GAMES = ["kalaha", "fanorona", "expendibots", "pentago", "ropasci"]
YOUR_TURN = "document.getElementById('status').textContent.startsWith('Your turn')"


@pytest.fixture
def visit(kept_page):
    """Opens an address, a second one in a browser of its own; fails afterwards for any error in a script."""
    errors = []

    def open_page(address, **look):
        on = {"pageerror": lambda error: errors.append(str(error))}
        page = kept_page.lend(on, reduced_motion="reduce", **look)
        page.goto(address)
        return page

    yield open_page
    kept_page.give_back()
    assert errors == []


def place(page, name):
    """Click in the middle of a place."""
    page.locator(f'#board [data-place="{name}"] .spot').click(force=True)


def state_of(page):
    return page.evaluate("shown")


# Whole games


# RoPaSci's longest of all games are clicked in the whole samples.
@pytest.mark.parametrize("game", [game for game in GAMES if game != "ropasci" or few(False, True)])
def test_a_game_against_random_is_clicked_through_to_its_end(game, visit, tmp_path):
    random = Random(1)  # whose games are among the shorter ones
    opening = few({"expendibots": 4, "pentago": 12}.get(game, 24), 0)  # turns that nobody clicks
    words = ["--record", str(tmp_path), "--opening", str(opening)]
    with WebGame(game, "human", "random", *words) as played:
        page = visit(played.address, viewport={"width": 360, "height": 740})
        while click_next(page, random):
            pass
        shown = status(page)
        until(page, "shown.closed")
        code, said = played.wait()
        assert code == 0
        # The page outlives the program.
        assert status(page) == shown and shown.startswith("The game is over: ")
        assert shown.removeprefix("The game is over: ") in said
        assert not page.locator("#board .able").count() and not page.locator("#resign").is_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
    (record,) = tmp_path.iterdir()
    assert ": same, " in f": {replay.judge(replay.read(record))}"
    turns = [line for line in record.read_text().split("\n") if line.startswith("turn ")]
    assert state_of(page)["list"][-1][0] == len(turns)


# What a page answers


def test_an_illegal_click_is_answered_with_what_is_legal(visit):
    with WebGame("fanorona", "human", "random") as played:
        page = visit(played.address)
        until(page, YOUR_TURN)
        place(page, "A0")
        assert page.inner_text("#message") == "A0 is not legal; legal is F3, D2, E3, D3."
        place(page, "D2")
        place(page, "D1")
        assert page.inner_text("#message") == "D1 is not legal after D2; legal is E2."
        place(page, "F3")  # another man may be taken instead
        assert "F3: choose a marked place" in status(page)
        place(page, "D2")
        place(page, "E2")
        buttons = page.locator("#choices button").all_inner_texts()
        assert buttons == ["approach", "withdraw", "start over"]
        page.click("text=withdraw")
        until(page, "shown.list.length > 1")
        assert state_of(page)["list"][0] == [1, 0, "D2-E2-W"]


@pytest.mark.parametrize("game", ["pentago", "ropasci", *few([], ["kalaha", "expendibots"])])
def test_who_uses_keys_need_not_look_for_the_board_again_after_each_choice(game, visit):
    with WebGame(game, "human", "random", "--seed", "3") as played:
        page = visit(played.address)
        until(page, YOUR_TURN)
        usable = "Boolean(shown.over || document.activeElement.closest('.able, #choices'))"
        for _ in range(100):
            if page.evaluate(usable):
                break
            page.keyboard.press("Tab")
        for _ in range(9):  # three actions of up to three choices each
            until(page, f"{YOUR_TURN} || shown.over")
            assert page.evaluate(usable)
            page.keyboard.press("Enter")
        until(page, "shown.list.length > 4 || shown.over")


def test_an_action_that_no_click_could_make_is_refused_by_the_program_too(visit):
    with WebGame("kalaha", "human", "random") as played:
        page = visit(played.address)
        until(page, YOUR_TURN)
        page.evaluate("send('play', 9)")
        until(page, "document.getElementById('message').textContent")
        assert page.inner_text("#message") == "'9' is not legal here; legal are 1, 2, 3, 4, 5, 6"
        for turn in (0, 2, "1", None):
            answer = page.evaluate(
                """async (turn) => (await (await fetch("do", {method: "POST",
                headers: {"Content-Type": "application/json"},
                body: JSON.stringify({do: "play", action: 1, number: 1, turn})})).json()).sentence""",
                turn,
            )
            assert "another turn" in answer
        assert state_of(page)["list"] == []


def test_a_reload_in_mid_game_loses_nothing(visit):
    random = Random(3)
    with WebGame("expendibots", "human", "random", "--seed", "8") as played:
        page = visit(played.address)
        while len(page.locator("#turns li").all()) < 4:
            assert click_next(page, random)
        until(page, YOUR_TURN)
        before = state_of(page), page.inner_text("#turns"), page.inner_html("#board svg g[data-place]")
        page.reload()
        until(page, YOUR_TURN)
        after = state_of(page), page.inner_text("#turns"), page.inner_html("#board svg g[data-place]")
        for one in (before[0], after[0]):
            del one["age"], one["clocks"]
        assert after == before
        page.evaluate("window.turns = shown.list.length")
        while page.evaluate("shown.list.length === turns"):
            assert click_next(page, random)
        until(page, YOUR_TURN)
        # Nor is an action lost that was half put together.
        page.evaluate("picked = []; drawChoices()")
        page.locator("#board .able").first.click(force=True)
        half = status(page)
        assert half.startswith("Your turn (white). (")
        page.reload()
        until(page, YOUR_TURN)
        assert status(page) == half and page.locator("#board .picked").count() == 1
        for name in ("resign", "resign"):
            page.click(f"#{name}")
        until(page, "shown.closed")
        assert played.wait()[0] == 1


@pytest.mark.parametrize(
    "request_, answer",
    [
        ({"do": "win"}, "a page may want play, undo, hint, resign, quit, next, not 'win'"),
        ({"do": ["play"]}, "a page may want"),
        ({}, "a page may want"),
        ({"do": "next"}, "this game is not over yet"),
        ({"do": "undo", "number": 1, "turn": 1}, "there is nothing of yours to take back yet"),
        ({"do": "play", "number": 1, "turn": 1}, "'None' is not legal here"),
        ({"do": "play", "number": 1, "turn": 1, "action": True}, "'True' is not legal here"),
        ({"do": "play", "number": 1, "turn": 1, "action": 1.0}, "'1.0' is not legal here"),
        ({"do": "play", "number": 1, "turn": 1, "action": {"a": [1]}}, "is not legal here"),
        ({"do": "play", "number": 1, "turn": 1, "action": "\ud800"}, "is not legal here"),
        ({"do": "play", "number": 1, "turn": 1.5, "action": 1}, "another turn"),
    ],
)
def test_what_a_page_may_not_want_is_answered_and_changes_nothing(request_, answer, seated):
    view, _ = seated
    version = view.state(-1, "")["version"]
    assert answer in view.do(request_) and view.wish is None
    assert view.state(-1, "")["version"] == version


def test_one_of_two_answers_to_a_turn_counts(seated):
    view, seat = seated
    assert view.do({"do": "play", "number": 1, "turn": 1, "action": 6}) == ""
    assert "you have chosen 6 already" in view.do({"do": "play", "number": 1, "turn": 1, "action": 5})
    assert seat.choose(seat.match) == 6


@pytest.fixture
def seated():
    """A view with a person to move in Kalaha, and the seat, without a program around them."""
    with WebPages("kalaha", 1) as pages:
        spec = resolve("human", person=True)
        planned = PlannedGame("kalaha", (spec, resolve("random")), (Allowance(),) * 2, 1, 1, 0, 0)
        seat = pages.seat(planned, 0)
        match = Match(rules.start("kalaha"), (seat, FakeSeat()), ("human", "random"))
        match.number = 1
        seat.begin(match)
        seat.ask(match)
        yield pages.views[0], seat


def test_two_tabs_follow_the_same_game_and_either_may_play(visit):
    with WebGame("kalaha", "random", "human", "--seed", "4") as played:
        tabs = [visit(played.address), visit(played.address)]
        random = Random(2)
        until(tabs[0], YOUR_TURN)
        for turn in range(4):
            done = len(state_of(tabs[turn % 2])["list"])  # before the click: what follows may come at once
            assert click_next(tabs[turn % 2], random)
            for tab in tabs:
                until(tab, f"shown.list.length > {done} && ({YOUR_TURN} || shown.over)")
        lists = [tab.inner_text("#turns") for tab in tabs]
        assert lists[0] == lists[1]


def test_the_choice_in_ropasci_stays_hidden_until_both_have_chosen(visit):
    with WebGame("ropasci", "human", "human") as played:
        upper, lower = map(visit, played.addresses)
        for page in (upper, lower):
            until(page, YOUR_TURN)
        lower.click("text=throw paper")
        place(lower, "(-4, 2)")
        until(lower, "shown.chosen")
        assert status(lower) == "You chose THROW p (-4, 2). Waiting for human (upper) …"
        # Not in what is shown, and not in what the other page was sent.
        upper.wait_for_timeout(300)
        upper.reload()
        until(upper, YOUR_TURN)
        assert "THROW p (-4, 2)" not in json.dumps(state_of(upper)) and not state_of(upper)["chosen"]
        upper.click("text=throw rock")
        place(upper, "(4, -2)")
        for page in (upper, lower):
            until(page, "shown.list.length === 2")
            assert page.inner_text("#turns") == "1. upper THROW r (4, -2), lower THROW p (-4, 2)"
        # Either may leave, and both are told.
        upper.click("#quit")
        upper.click("#quit")
        for page in (upper, lower):
            until(page, "shown.closed")
        code, said = played.wait()
        assert code == 0 and "the human has left; the game stays unfinished" in said


def test_hint_undo_and_resigning_work_on_the_page(visit, tmp_path):
    with WebGame("kalaha", "human", "kalaha_agent", "--nodes", "200", "--record", str(tmp_path)) as played:
        page = visit(played.address)
        until(page, YOUR_TURN)
        assert page.locator("#undo").is_disabled()
        page.click("#hint")
        until(page, "/^hint: [1-6]$/.test(document.getElementById('message').textContent)")
        place(page, "A6")
        until(page, f"shown.list.length > 1 && {YOUR_TURN}")
        page.click("#undo")
        until(page, f"shown.turn === 1 && {YOUR_TURN}")
        assert state_of(page)["list"] == [] and page.inner_text("#message") == "taken back"
        place(page, "A2")
        until(page, f"shown.list.length > 1 && {YOUR_TURN}")
        page.click("#resign")
        assert page.inner_text("#resign") == "really resign?"
        page.click("#resign")
        until(page, "shown.closed")
        assert "human (A) forfeits: resigned" in status(page)
        assert played.wait()[0] == 1
    (record,) = tmp_path.iterdir()
    assert "same, no answer by A" in replay.judge(replay.read(record))
    assert "turn 1: A 2\t" in record.read_text() and "A 6\t" not in record.read_text()


def test_a_limit_that_was_asked_for_ends_the_game_on_time(visit):
    with WebGame("kalaha", "human", "random", "--action-time", "0.5,1") as played:
        time.sleep(1)  # the clock begins when the page is there
        page = visit(played.address)
        until(page, "shown.over")
        assert "out of time in action: the time was up, 0.5 s" in status(page)
        assert "0.0 s left" in page.inner_text("#clocks"), "nothing is left when the time was up"
        assert played.wait()[0] == 1


def test_the_next_game_waits_for_its_button_and_seats_are_swapped(visit):
    with WebGame("expendibots", "human", "random", "--games", "2", "--opening", "0") as played:
        page = visit(played.address)
        for number in (1, 2):
            until(page, f"shown.number === {number} && {YOUR_TURN}")
            assert state_of(page)["you"] == number - 1
            page.click("#resign")
            page.click("#resign")
            until(page, "shown.over")
            if number == 1:
                page.click("#next")
        assert played.wait()[0] == 1


def test_an_interruption_is_told_to_the_page(visit):
    with WebGame("pentago", "human", "random") as played:
        page = visit(played.address)
        until(page, YOUR_TURN)
        played.process.send_signal(signal.SIGINT)
        until(page, "shown.closed")
        assert "this game's program has ended" in status(page)
        assert played.wait()[0] == 130


@pytest.mark.parametrize("game", [*GAMES, "pentago:classic", "fanorona:1100", "kalaha:4x3", "kalaha:1x1"])
def test_no_two_actions_have_the_same_steps_and_none_begins_anothers(game):
    random = Random(f"steps {game}")
    state = rules.start(game)
    for _ in range(60):
        if not state.to_act():
            break
        chosen = {}
        for player in state.to_act():
            found = steps(game, state, player)
            assert [action for action, _ in found] == state.actions(player)
            ways = {way for _, way in found}
            assert len(ways) == len(found) and all(ways)
            assert not any(way[:short] in ways for way in ways for short in range(1, len(way)))
            chosen[player] = random.choice(found)[0]
        state = state.after(chosen)


# Who may ask


class Notebook(View):
    """A view that keeps what it was asked to do."""

    def __init__(self):
        super().__init__()
        self.done = []

    def files(self):
        return {"": ("text/html", "the page")}

    def state(self, since, tab):
        return {"since": since}

    def do(self, request):
        self.done.append(request)
        return ""


@pytest.fixture
def server():
    served = PageServer([Notebook(), Notebook()])
    served.start()
    yield served
    served.close()


def ask(server, method="GET", name="", body=None, host=None, token=None, **headers):
    """The status, the headers and the text of an answer; a header of None is left out."""
    token = server.views[0].token if token is None else token
    usual = {"Host": host or server.host}
    if method == "POST":
        usual |= {"Origin": f"http://{server.host}", "Content-Type": "application/json"}
        usual["Content-Length"] = str(len(body or ""))
    given = {**usual, **{key.replace("_", "-"): value for key, value in headers.items()}}
    lines = [f"{key}: {value}" for key, value in given.items() if value is not None]
    request = "\r\n".join([f"{method} /{token}/{name} HTTP/1.1", *lines, "", body or ""])
    with socket.create_connection(("127.0.0.1", server.server_port), timeout=300) as link:
        # In one piece: who refuses and closes before a body has come would lose the answer on its way.
        link.sendall(request.encode())
        answer = http.client.HTTPResponse(link, method=method)
        answer.begin()
        return answer.status, answer.headers, answer.read().decode()


PLAY = '{"do": "play", "action": 1}'


def test_the_page_itself_is_answered(server):
    assert ask(server)[::2] == (200, "the page")
    assert ask(server, name="state?since=3")[::2] == (200, '{"since": 3}')
    assert ask(server, "POST", "do", PLAY)[0] == 200
    assert ask(server, "POST", "do", PLAY, Origin=None, Sec_Fetch_Site="same-origin")[0] == 200
    assert server.views[0].done == [{"do": "play", "action": 1}] * 2 and server.views[1].done == []


REFUSED = [
    (403, {"host": "localhost:{port}"}),
    (403, {"host": "127.0.0.1"}),
    (403, {"host": "127.0.0.1:{port}.evil.example"}),
    (403, {"host": "evil.example:{port}"}),
    (400, {"Host": None}),
    (403, {"token": ""}),
    (403, {"token": "x" * 32}),
    (403, {"token": "%00"}),
    (403, {"token": "%C3%A9"}),
    (403, {"Origin": "http://evil.example"}),
    (403, {"Origin": "null"}),
    (403, {"Origin": "http://localhost:{port}"}),
    (403, {"Origin": "https://127.0.0.1:{port}"}),
    (403, {"Sec_Fetch_Site": "cross-site"}),
    (403, {"Sec_Fetch_Site": "same-site"}),
]


@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize("wanted, how", REFUSED)
def test_who_has_not_the_address_or_comes_from_elsewhere_is_refused(method, wanted, how, server):
    how = {key: value and value.format(port=server.server_port) for key, value in how.items()}
    name, body = ("do", PLAY) if method == "POST" else ("", None)
    code, headers, text = ask(server, method, name, body, **how)
    assert (code, server.views[0].done) == (wanted, [])
    assert server.views[0].token not in text + str(headers)


@pytest.mark.parametrize(
    "wanted, method, name, body, how",
    [
        (403, "POST", "do", PLAY, {"Origin": None}),
        (415, "POST", "do", PLAY, {"Content_Type": "text/plain"}),
        (415, "POST", "do", PLAY, {"Content_Type": "application/x-www-form-urlencoded"}),
        (411, "POST", "do", PLAY, {"Content_Length": None}),
        (411, "POST", "do", PLAY, {"Transfer_Encoding": "chunked"}),
        (411, "POST", "do", PLAY, {"Content_Length": "-1"}),
        (413, "POST", "do", " " * (MAX_BODY + 1), {}),
        (413, "POST", "do", None, {"Content_Length": "9" * 30}),
        (400, "POST", "do", "[" * MAX_BODY, {}),
        (400, "POST", "do", "[1]", {}),
        (400, "POST", "do", "[" * 2000 + "]" * 2000, {}),
        (400, "POST", "do", "\x00", {}),
        (404, "POST", "", PLAY, {}),
        (404, "GET", "do", None, {}),
        (404, "GET", "../etc/passwd", None, {}),
        (404, "GET", "page.js/", None, {}),
        (400, "GET", "state?since=--1", None, {}),
        (400, "GET", "state?since=1e9", None, {}),
        (405, "OPTIONS", "do", None, {}),
        (405, "PUT", "do", None, {}),
        (405, "HEAD", "", None, {}),
    ],
)
def test_what_is_no_request_of_the_page_is_refused(wanted, method, name, body, how, server):
    code, _, text = ask(server, method, name, body, **how)
    assert (code, server.views[0].done) == (wanted, [])
    assert method == "HEAD" or text.strip()


@pytest.mark.parametrize("how", [{}, {"token": "wrong"}, {"name": "nothing"}, {"method": "PUT"}])
def test_every_answer_forbids_what_a_page_does_not_need(how, server):
    _, headers, _ = ask(server, **how)
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy and "frame-ancestors 'none'" in policy and "unsafe" not in policy
    assert headers["X-Content-Type-Options"] == "nosniff" and headers["Referrer-Policy"] == "no-referrer"
    assert headers["Cache-Control"] == "no-store"
    assert not any(name.lower().startswith("access-control") for name in headers)


def test_junk_and_silence_do_not_keep_others_from_being_answered(server):
    silent = [socket.create_connection(("127.0.0.1", server.server_port)) for _ in range(30)]
    for junk in (b"\x16\x03\x01\x02", b"GET /\r\n\r\n", b"\r\n" * 50, b"A" * 100_000, b"GET / HTTP/9\r\n"):
        with socket.create_connection(("127.0.0.1", server.server_port), timeout=300) as connection:
            connection.sendall(junk)
    assert ask(server)[::2] == (200, "the page")
    for connection in silent:
        connection.close()


def test_an_address_without_its_last_slash_is_told_so(server):
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=300)
    connection.request("GET", f"/{server.views[0].token}")
    answer = connection.getresponse()
    assert answer.status == 404 and b"ends with a slash" in answer.read()
    connection.close()


def test_only_loopback_is_listened_to(server):
    assert server.socket.getsockname()[0] == "127.0.0.1"


def test_two_addresses_share_nothing_that_could_be_guessed(server):
    first, second = (view.token for view in server.views)
    assert len(first) >= 32 and len(second) >= 32 and first != second


@contextmanager
def page_elsewhere(content):
    """An address on another port that serves this page."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(content.encode())

        def log_message(self, *_):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as elsewhere:
        threading.Thread(target=elsewhere.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{elsewhere.server_port}/"
        elsewhere.shutdown()


ATTEMPTS = """
<iframe id="frame" src="{address}"></iframe><script src="{address}board.js"></script>
<form id="form" method="post" action="{address}do" enctype="text/plain" target="frame">
<input name='{{"do":"play","action":1,"number":1,"turn":1,"x":"' value='"}}'></form>
<script>
const body = JSON.stringify({{do: "play", action: 1, number: 1, turn: 1}});
const json = {{"Content-Type": "application/json"}};
const attempts = [
  fetch("{address}state").then((answer) => answer.text()),
  fetch("{address}do", {{method: "POST", body}}),
  fetch("{address}do", {{method: "POST", body, headers: json}}),
  fetch("{address}do", {{method: "POST", body, headers: json, credentials: "include"}}),
];
fetch("{address}do", {{method: "POST", body, mode: "no-cors"}}).catch(() => null);
navigator.sendBeacon("{address}do", body);
document.getElementById("form").submit();
window.results = Promise.allSettled(attempts).then((all) => all.map((one) => one.status));
</script>"""


def test_another_page_can_neither_play_nor_look_even_with_the_address(visit):
    with WebGame("kalaha", "human", "random") as played:
        page = visit(played.address)
        until(page, YOUR_TURN)
        with page_elsewhere(ATTEMPTS.format(address=played.address)) as elsewhere:
            other = visit(elsewhere)
            assert other.evaluate("window.results") == ["rejected"] * 4
            other.wait_for_timeout(300)
            assert other.evaluate("typeof drawBoard") == "undefined"  # scripts are not for other pages
        assert state_of(page)["list"] == [] and state_of(page)["turn"] == 1
        place(page, "A1")
        until(page, "shown.list.length > 0")


# The command line


def test_a_page_without_a_human_or_a_port_that_is_taken_is_refused_in_a_sentence(capsys, server):
    assert main(["play", "kalaha", "random", "random", "--web"]) == 2
    assert "--web is for a human's seat" in capsys.readouterr().err
    assert main(["play", "kalaha", "human", "random", "--port", "9999"]) == 2
    assert "--port goes with --web" in capsys.readouterr().err
    assert main(["play", "kalaha", "human", "random", "--web", "--port", str(server.server_port)]) == 2
    assert re.search("port [0-9]+ cannot be had: .* choose another --port", capsys.readouterr().err)
    assert main(["play", "kalaha", "human", "random", "--web", "--port", "70000"]) == 2


# Connections that are slow


class Silent(View):
    """A page with one letter."""

    def files(self):
        return {"": ("text/html", "x")}


@pytest.fixture
def served(monkeypatch):
    """A server of one page, with a minute for a request, and a way to ask it."""
    monkeypatch.setattr("referee.human.server.SILENCE", 60.0)
    view = Silent()
    server = PageServer([view])
    server.start()

    def ask():
        link = http.client.HTTPConnection(server.host, timeout=600)
        link.request("GET", f"/{view.token}/")
        content = link.getresponse().read()
        link.close()
        return content

    yield server, ask
    server.close()


def test_many_connections_that_say_nothing_do_not_keep_the_page_from_the_human(served):
    server, ask = served
    slow = [socket.create_connection(server.server_address, timeout=600) for _ in range(2 * MAX_CONNECTIONS)]
    try:
        for connection in slow[MAX_CONNECTIONS:]:
            connection.sendall(b"GET / HTTP/1.1\r\n")
        assert ask() == b"x"
        assert slow[0].recv(1) == b""  # the one that had waited longest made room
    finally:
        for connection in slow:
            connection.close()


def test_a_request_that_comes_bit_by_bit_has_one_deadline_for_the_whole(served, monkeypatch):
    server, ask = served
    with socket.create_connection(server.server_address, timeout=600) as slow:
        slow.sendall(b"GET / HTTP/1.1\r\n")
        assert ask() == b"x"  # the server has seen the first by now
        monkeypatch.setattr("referee.human.server.SILENCE", 0.0)
        assert slow.recv(1) == b""
