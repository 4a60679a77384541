"""Who may ask the lab, what it refuses, and what it keeps of what has ended."""

import asyncio
import hmac
import io
import json
import os
import socket
import struct
import subprocess
import sys

import pytest
from tornado.httpclient import HTTPClientError, HTTPRequest
from tornado.websocket import websocket_connect

from referee import UsageError
from referee.__main__ import main
from referee.human.server import MAX_CONNECTIONS, MAX_MESSAGE, MAX_UNSENT, PageServer, port_and_token
from referee.human.server import Window as PagesWindow
from referee.lab import programs as started
from referee.lab import shown
from referee.lab.programs import KEPT, REMEMBERED, Program, Programs, Shown
from referee.lab.site import Lab
from tests import ROOT
from tests.long.lab import FORM, Window
from tests.long.lab import main as many_matches
from tests.referee.human.test_web import REFUSED as REFUSED_OF_A_HUMANS_PAGE
from tests.referee.human.test_web import ask
from tests.support.lab import RunningLab, awaited


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    with RunningLab(tmp_path_factory.mktemp("site")) as running:
        yield running


def test_a_match_is_asked_for_watched_and_kept(lab):
    async def play():
        window = await Window.on(lab.address)
        state = await window.play(FORM)
        return state, await window.ask("there")

    state, there = awaited(play())
    assert state["code"] == 0 and state["match"]["now"]["over"] and state["match"]["data"]["states"]
    assert [row["path"] for row in there["record"]] == [state["record"]]
    assert (lab.folder / state["record"]).is_file() and there["programs"][0]["code"] == 0


REFUSED = [
    {"path": "wrong/socket"},
    {"Origin": None},
    {"Origin": "http://evil.example"},
    {"Origin": "null"},
    {"Host": "localhost:{port}"},
    {"Host": "evil.example"},
    {"Sec-Fetch-Site": "cross-site"},
]


@pytest.mark.parametrize("how", REFUSED, ids=str)
def test_only_the_page_itself_gets_a_connection(how, lab):
    origin, token = lab.address.rsplit("/", 2)[0], lab.address.rsplit("/", 2)[1]
    port = origin.rpartition(":")[2]
    headers = {"Origin": origin} | {name: text for name, text in how.items() if name != "path"}
    headers = {name: text.format(port=port) for name, text in headers.items() if text is not None}
    address = f"{origin}/{how.get('path', f'{token}/socket')}".replace("http:", "ws:")

    async def connect():
        await websocket_connect(HTTPRequest(address, headers=headers))

    with pytest.raises(HTTPClientError) as refused:
        awaited(connect())
    assert refused.value.code == 403


NO_QUESTIONS = ["[]", "7", "{", '{"ask": "there"}', '{"id": "x", "ask": "there"}', "[" * 5000]


@pytest.mark.parametrize("message", [*NO_QUESTIONS, "x" * (MAX_MESSAGE + 1)])
def test_what_is_no_question_ends_the_connection_and_nothing_else(message, lab):
    async def say():
        window = await Window.on(lab.address)
        await window.socket.write_message(message)
        while await window.socket.read_message() is not None:
            pass
        other = await Window.on(lab.address)
        return await other.ask("there")

    assert awaited(say())["games"]


@pytest.mark.parametrize(
    "what, given, sentence",
    [
        ("fly", {}, "nothing called 'fly'"),
        ("record", {"path": "../../etc/passwd"}, "there is no file"),
        ("record", {"path": ["x"]}, "path is missing"),
        ("journal", {"path": "/etc/passwd"}, "there is no file"),
        ("watch", {"program": 999}, "this was ended"),
        ("steer", {"program": "x", "request": {}}, "this was ended"),
        ("start", {"action": "rm", "form": {}}, "there is no action 'rm'"),
        ("start", {"action": "play", "form": {"game": "kalaha"}}, "first is missing"),
        ("start", {"action": "go on", "form": {"journal": "nothing.jsonl"}}, "there is no file"),
        ("position", {"game": "kalaha", "text": "A 1"}, "expected A, B or F"),
        ("position", {"game": "chess", "text": "A 1"}, "there is no game 'chess'"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_sentence(what, given, sentence, lab):
    async def ask():
        window = await Window.on(lab.address)
        with pytest.raises(ValueError, match=sentence):
            await window.ask(what, **given)

    awaited(ask())


def test_what_a_player_prints_is_text_and_bounded():
    watched = Shown()
    begin = {"event": "begin", "game": "kalaha", "names": ["a", "b"], "colours": ["A", "B"], "drawn": True}
    watched.hear({**begin, "state": "A"})
    for _ in range(1000):
        watched.hear({"event": "printed", "turn": 0, "player": 0, "text": "<script>" * 100})
    assert sum(len(text) for _, _, text in watched.data["output"]) <= started.OUTPUT + 1000


def test_what_has_ended_is_forgotten_and_what_it_wrote_is_bounded(tmp_path):
    programs = Programs(tmp_path, lambda program, event: None)
    for number in range(100):
        program = programs._all[number] = Program(number, "tournament", ["tournament"], {})
        for _ in range(2 * KEPT):
            program.hear({"pair": number})
        program.code = 0
        programs._forget()
        assert len(program.events) == KEPT
    assert len(programs.rows()) == REMEMBERED and programs.rows()[0]["program"] == 99
    json.dumps(programs.rows())


class Writes:
    """A process that has written much by the time that it is read."""

    returncode = stdin = None

    def __init__(self, lines):
        self.stdout, self.stderr = asyncio.StreamReader(), asyncio.StreamReader()
        self.stdout.feed_data(b'{"pair": "x"}\n' * lines)
        for stream in (self.stdout, self.stderr):
            stream.feed_eof()

    async def wait(self):
        return 0


def test_a_command_that_writes_without_end_does_not_keep_the_lab_from_all_else(tmp_path):
    read = []

    async def follow():
        programs = Programs(tmp_path, lambda program, event: read.append(event))
        program = Program(1, "tournament", ["tournament"], {})
        program.process = Writes(1000)
        task = asyncio.create_task(programs._follow(program))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        by_then = len(read)
        await task
        return by_then

    assert awaited(follow()) < 10 and len(read) == 1002


def test_a_folder_that_is_gone_is_said_to_be(tmp_path):
    home = tmp_path / "home"
    home.mkdir()
    assert shown.there(home)["is_there"]
    home.rmdir()
    there = shown.there(home)
    assert not there["is_there"] and there["player"] == there["record"] == []
    programs = Programs(home, lambda program, event: None)
    with pytest.raises(UsageError, match="no command can be started in .*home: No such file"):
        awaited(programs.start("play", ["play"], {}))
    assert programs.rows() == []


def test_tournaments_that_are_begun_at_once_have_a_journal_each(tmp_path):
    lab = Lab(tmp_path)
    (tmp_path / "tournaments").mkdir()
    (tmp_path / "tournaments" / "kalaha-4x3-2.jsonl").write_text("")
    named = []
    for number in range(3):
        _, form = lab._form({"action": "tournament", "form": {"game": "kalaha:4x3"}})
        lab.programs._all[number] = Program(number, "tournament", ["tournament"], form)
        named.append(form["journal"])
    assert named == [f"tournaments/kalaha-4x3-{number}.jsonl" for number in (1, 3, 4)]


def test_a_lab_that_ends_ends_what_it_has_started(tmp_path):
    async def start(running):
        window = await Window.on(running.address)
        form = {"game": "kalaha", "players": ["greedy", "random"], "pairs": "10000", "jobs": "1"}
        program = await window.ask("start", action="tournament", form=form)
        await window.ask("watch", program=program)
        while "pair" not in (await window.read()).get("event", {}):
            pass

    with RunningLab(tmp_path) as running:
        awaited(start(running))
        assert running.end() == 0
    (journal,) = (tmp_path / "tournaments").iterdir()
    before = journal.stat().st_size
    with journal.open("r+b"):
        assert journal.read_text().endswith("\n") and before > 500


def test_a_sample_of_the_hours_of_matches(capsys):
    assert many_matches(["--matches", "3"]) == 0
    assert "3 matches: grown by" in capsys.readouterr().out


@pytest.fixture
def served(tmp_path):
    """The lab's own server in this process, for a folder that has a zip beside it."""
    (tmp_path / "home").mkdir()
    (tmp_path / "outside.zip").write_bytes(b"PK outside")
    server = PageServer([Lab(tmp_path / "home")])
    server.start()
    yield server
    server.close()


def test_what_the_humans_page_refuses_the_lab_refuses(served):
    token = served.views[0].token
    for code, how in REFUSED_OF_A_HUMANS_PAGE:
        how = {key: value and value.format(port=served.server_port) for key, value in how.items()}
        for name in ("", "app.js", "socket", "zip/outside.zip"):
            answered, headers, text = ask(served, name=name, **how)
            assert answered in (code, 403) and token not in text + str(headers), (how, name)
    for method in ("POST", "PUT", "OPTIONS", "DELETE", "HEAD"):
        assert ask(served, method, "do", "{}")[0] in (404, 405)
    code, headers, _ = ask(served)
    policy = headers["Content-Security-Policy"]
    assert code == 200 and "default-src 'none'" in policy and "unsafe" not in policy


def test_who_serves_the_page_proves_it_to_pages_of_its_own_and_to_nobody_elses(served):
    token, nonce = served.views[0].token, "0123456789abcdef" * 2

    def here(name=nonce, **how):
        return ask(served, token="here", name=name, **how)

    code, headers, text = here()
    wanted = hmac.new(token.encode(), f"{served.host} {nonce}".encode(), "sha256").hexdigest()
    assert (code, json.loads(text)) == (200, [wanted]) and headers["Connection"] == "close"
    assert here("f" * 32)[2] != text and token not in text + str(headers)
    for refusal, how in REFUSED_OF_A_HUMANS_PAGE:
        if "token" not in how:
            how = {key: value and value.format(port=served.server_port) for key, value in how.items()}
            assert here(**how)[0] == refusal, how
    for name in ("", "0" * 31, "0" * 33, "g" * 32, "0" * 31 + "%00", f"{nonce}/socket", "../" + nonce):
        code, _, text = here(name)
        assert code == 403 and wanted not in text, "it is read as a token, which it is not"
    for method in ("POST", "PUT", "DELETE", "OPTIONS"):
        assert here(method=method, body="{}")[0] == 405


ADDRESS = f"http://127.0.0.1:4321/{'aZ09_-bc' * 4}/"


@pytest.mark.parametrize("text", [ADDRESS, f"  {ADDRESS}#/play?game=kalaha\n", f"{ADDRESS}app.js"])
def test_an_address_is_read_wherever_in_the_page_it_leads(text):
    assert port_and_token(text) == (4321, "aZ09_-bc" * 4)


NO_ADDRESSES = [
    "",
    "\n",
    "http://127.0.0.1:4321/",
    ADDRESS[:-1],
    ADDRESS.replace("bc/", "/"),  # too short to be unguessable
    ADDRESS.replace("bc/", "bcd/"),
    ADDRESS.replace("aZ", "é0"),
    ADDRESS.replace("4321", "0"),
    ADDRESS.replace("4321", "65536"),
    ADDRESS.replace("4321", "٤٣٢١"),
    ADDRESS.replace("127.0.0.1", "evil.example"),
    ADDRESS.replace("127.0.0.1", "127a0b0c1"),
    ADDRESS.replace("http", "https"),
]


@pytest.mark.parametrize("text", NO_ADDRESSES)
def test_what_is_no_whole_address_is_refused_in_a_sentence(text, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("sys.stdin", io.StringIO(text))
    assert main(["lab", str(tmp_path), "--again"]) == 2
    assert "that is no address of a page" in capsys.readouterr().err


def test_an_address_has_its_port_and_that_must_be_free(served, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("sys.stdin", io.StringIO(ADDRESS))
    assert main(["lab", str(tmp_path), "--again", "--port", "4321"]) == 2
    assert "leave out --port" in capsys.readouterr().err
    # In a process of its own: beside playwright, which other tests may have begun, a loop runs already.
    words = [sys.executable, "-m", "referee", "lab", str(tmp_path), "--again"]
    address = served.address(served.views[0])
    run = subprocess.run(words, cwd=ROOT, input=address, capture_output=True, text=True, timeout=300)
    assert run.returncode == 2 and f"port {served.server_port} cannot be had" in run.stderr


OUTSIDE = [
    "../outside.zip",
    "%2e%2e/outside.zip",
    "..%2foutside.zip",
    "/etc/passwd",
    "link.zip",
    "pipe.zip",
    "%00.zip",
]


@pytest.mark.parametrize("name", OUTSIDE)
def test_a_file_that_is_no_zip_of_the_folder_is_not_to_be_had(name, served, tmp_path):
    (tmp_path / "home" / "link.zip").symlink_to(tmp_path / "outside.zip")
    os.mkfifo(tmp_path / "home" / "pipe.zip")
    (tmp_path / "home" / "team.zip").write_bytes(b"PK inside")
    assert ask(served, name="zip/team.zip")[::2] == (200, "PK inside")
    code, _, text = ask(served, name=f"zip/{name}")
    assert code in (400, 404) and "outside" not in text


def connected(server):
    """A window's connection by hand, to send any bytes on."""
    link = socket.create_connection(server.server_address, timeout=300)
    head = f"GET /{server.views[0].token}/socket HTTP/1.1\r\nHost: {server.host}\r\nOrigin: http://{server.host}\r\n"
    head += "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    link.sendall(f"{head}Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n".encode())
    answer = b""
    while not answer.endswith(b"\r\n\r\n"):
        answer += link.recv(1)
    assert answer.startswith(b"HTTP/1.1 101")
    return link


def frame(kind, payload, length=None, is_masked=True):
    """A frame whose length may be a lie."""
    size = struct.pack("!BQ", 0x80 * is_masked | 127, len(payload) if length is None else length)
    return bytes([kind]) + size + (b"\0\0\0\0" if is_masked else b"") + payload


CLOSING = b"\x88"  # begins the frame that says that the connection ends
FRAMES = {
    "a length that is never sent": frame(0x81, b"", 2**62),
    "longer than is read": frame(0x81, b"x" * (MAX_MESSAGE + 1)),
    "pieces without end": frame(0x01, b"x" * 9000) + frame(0x00, b"x" * 9000) * 2,
    "without a mask": frame(0x81, b"[]", is_masked=False),
    "bits that are reserved": frame(0xF1, b"{}"),
    "a kind that is none": frame(0x83, b"{}"),
    "a ping in pieces": frame(0x09, b""),
    "bytes that are no text": frame(0x81, b"\xff\xfe{"),
    "no JSON, as bytes": frame(0x82, b"\xff\xfe{"),
    "the rest of nothing": frame(0x80, b"{}"),
}


@pytest.mark.parametrize("sent", FRAMES)
def test_frames_that_no_page_sends_end_their_connection_alone(sent, served):
    with connected(served) as link, connected(served) as other:
        link.sendall(FRAMES[sent])
        while (answer := link.recv(4096)) and CLOSING not in answer:
            pass
        other.sendall(frame(0x81, json.dumps({"id": 7, "ask": "command", "given": {}}).encode()))
        assert b'"id": 7' in other.recv(4096)


class DoesNotRead:
    """A window's connection whose page takes nothing."""

    ws_connection = True

    def __init__(self):
        self.own_stream = self
        self._write_buffer = b""
        self.is_closed = False

    def write_message(self, message):
        self._write_buffer += message.encode()

    def close(self):
        self.is_closed = True


def test_a_window_that_does_not_read_is_closed_but_not_for_one_long_message():
    page = DoesNotRead()
    window = PagesWindow(page)
    for _ in range(2):
        window.send("x" * (MAX_UNSENT // 2))
    window.send("x" * 2 * MAX_UNSENT)
    assert not page.is_closed, "a page would ask for it anew, and be closed each time"
    before = len(page._write_buffer)
    window.send("news")
    assert page.is_closed and len(page._write_buffer) == before


def test_who_has_no_token_and_says_nothing_does_not_keep_the_page_from_a_window(served):
    with connected(served) as window:
        silent = [
            socket.create_connection(served.server_address, timeout=300) for _ in range(MAX_CONNECTIONS + 9)
        ]
        assert ask(served)[0] == 200
        window.sendall(frame(0x81, b'{"id": 1, "ask": "command"}'))
        assert b'"id": 1' in window.recv(4096), "it is there still, and served"
        for link in silent:
            link.close()
