"""Joining the board game server of Pentago-Twist: whole games, late and replaced moves, and every fault."""

import re
import signal
import socket
import subprocess
import sys
import threading
import time
from itertools import pairwise
from pathlib import Path

import pytest

from referee.__main__ import main
from referee.match.judging import judge, read
from referee.servers.agent import Agent
from referee.servers.connection import Connection
from tests import ROOT
from tests.referee.commands.test_cli import wait_for
from tests.support.arena import living
from tests.support.servers.listener import Listener
from tests.support.servers.pentago import BoardGame, Transcript

# Ends of games that the course's own server has seen, White's move first.
ENDINGS = {
    "black wins with five in a row": """
        2 2 3 1; 5 3 3 0; 0 0 3 0; 2 3 2 1; 5 2 0 0; 0 5 1 1; 1 2 3 1; 1 1 2 0; 4 4 2 0; 1 5 1 1; 1 4 0 1; 3
        5 2 1; 2 4 3 0; 4 5 1 1""",
    "white wins: black's own twist gave away five in a row": """
        3 5 0 0; 4 5 3 1; 2 1 1 1; 2 3 3 1; 2 0 0 0; 1 3 2 0; 4 1 0 0; 1 4 0 0; 3 2 2 1; 2 0 3 1; 5 0 3 1; 1
        0 2 0; 3 1 1 1; 0 0 2 0""",
    "draw: both have five in a row": """
        1 5 1 0; 0 2 2 1; 3 2 1 1; 5 3 3 1; 1 4 3 0; 1 1 1 0; 5 4 3 0; 2 2 2 1; 3 5 1 0; 5 5 3 1; 3 2 2 1; 1
        3 0 0; 4 2 0 0; 4 1 0 0; 3 4 2 1; 2 3 2 1; 2 5 2 1; 0 1 0 1; 3 1 1 0""",
    "draw: the board is full": """
        0 4 1 1; 4 1 0 0; 3 4 0 0; 3 1 3 1; 4 4 2 1; 0 2 0 1; 1 0 1 0; 3 0 3 1; 0 3 1 1; 1 2 3 1; 5 4 3 1; 4
        0 1 1; 3 5 1 0; 4 3 3 1; 5 1 1 1; 2 1 3 0; 5 0 3 0; 0 2 2 1; 0 5 1 0; 4 5 2 1; 0 1 1 0; 2 4 2 1; 2 2
        3 1; 3 3 2 0; 1 3 2 0; 5 5 1 0; 0 5 3 1; 1 1 3 1; 5 2 3 0; 4 2 0 1; 3 2 3 0; 1 4 1 0; 2 3 2 1; 2 2 3
        0; 3 3 0 0; 1 3 0 0""",
}
# Left to right; what stands behind a slash came in the same segment.
CAPTURED = """
C>S START PyRandom | S>C START Player-1 PyRandom | S>C 1 1 0 0 0/PLAY Player-1 | C>S 1 3 2 0 1
S>C 1 3 2 0 1 | S>C 1 4 0 0 0/PLAY Player-1 | C>S 0 4 0 0 1 | S>C 0 4 0 0 1 | S>C 4 1 0 0 0/PLAY Player-1
C>S 2 0 0 1 1 | S>C 2 0 0 1 1 | S>C 4 4 0 0 0/PLAY Player-1 | C>S 0 3 3 0 1 | S>C 0 3 3 0 1
S>C 5 2 0 1 0/PLAY Player-1 | C>S 3 3 3 0 1 | S>C 3 3 3 0 1 | S>C 3 1 2 0 0/PLAY Player-1 | C>S 5 5 1 0 1
S>C 5 5 1 0 1 | S>C 5 4 3 1 0 | S>C PLAY Player-1 | C>S 3 2 1 1 1 | S>C 3 2 1 1 1 | S>C 3 4 3 0 0
S>C GAMEOVER WINNER 0
"""
ILLEGAL = "ILLEGAL MOVE: Player {}, Move: (6, 0), R/F: (0, 0)"
PLAYER = """
import time

class Player:
    def __init__(self, colour, seconds=None, first_seconds=None, wall=None, **more):
        self.colour, self.turns, self.cells = colour, 0, set()
        self.script = {script!r}
        print("made as", colour, seconds, first_seconds, wall)

    def action(self):
        {action}

    def legal(self):
        return next((x, y, 0, 0) for x in range(6) for y in range(6) if (x, y) not in self.cells)

    def update(self, colour, action):
        print("told", colour, action)
        {update}
"""


@pytest.fixture
def player(tmp_path, monkeypatch):
    """Writes a player whose `action` has this body, and goes where it is."""
    monkeypatch.chdir(tmp_path)

    def write(action="return self.script.pop(0)", script=(), update="pass"):
        text = PLAYER.format(script=list(script), action=action, update=update)
        (tmp_path / "pupil.py").write_text(text)
        return "pupil"

    return write


def moves_of(text):
    return [tuple(map(int, move.split())) for move in text.split(";")]


def join(server, player, *options, cut="whole"):
    with Listener(server, cut=cut) as listener:
        # A busy machine may take seconds for what usually takes milliseconds.
        usual = ["--time", "300", "--record", "records"]
        return main(["join", "pentago", listener.address, player, *usual, *options])


def the_record():
    (path,) = Path("records").iterdir()
    return path.read_text(), judge(read(path))


@pytest.mark.parametrize("seat", (0, 1))
@pytest.mark.parametrize("ending", ENDINGS)
def test_each_known_ending_is_played_and_recorded(player, capsys, ending, seat):
    moves = moves_of(ENDINGS[ending])
    server = BoardGame(seat, script=moves[1 - seat :: 2])
    assert join(server, player(script=moves[seat::2]), "-v", "1", "--name", "our team") == 0
    assert server.moves == moves
    assert server.name == "our team"
    out, err = capsys.readouterr()
    assert ending in out
    assert err == ""
    assert the_record()[1] == f"pentago, {len(moves)} turns: same, {ending}"


@pytest.mark.parametrize("cut", ("whole", "bytes", "together"))
def test_the_captured_session_is_answered_word_for_word(player, cut):
    steps = []
    for step in re.split(r" [|] |\n", CAPTURED.strip()):
        steps.append((step[:3], step[4:].replace("/", "\n").encode() + b"\n"))
    sent = [line.decode() for direction, line in steps if direction == "C>S"][1:]
    script = [tuple(map(int, line.split()))[:4] for line in sent]
    assert join(Transcript(*steps), player(script=script), "--name", "PyRandom", "-v", "0", cut=cut) == 0
    assert "unfinished" not in the_record()[1]


@pytest.mark.parametrize("seat", (0, 1))
def test_our_own_agent_plays_a_game(player, seat):
    player()
    assert join(BoardGame(seat, seed=seat), "pentago_agent,nodes=200", "-v", "0") == 0
    assert "same" in the_record()[1]


def test_the_player_is_told_wall_limits_with_the_margin_taken_off(player, capsys):
    text = player("return self.script.pop(0)", [(0, 0, 0, 0)])
    end = {1: b"GAMEOVER SERVER ERROR UNDECIDED\n"}
    join(BoardGame(says=end), text, "--time", "2", "--margin", "0.2", "-v", "1")
    assert "made as white 1.7 29.7 True" in capsys.readouterr().out


def test_how_far_the_player_is_kept_apart_is_chosen_and_recorded(player):
    pupil = player("open('note', 'w').close(); return (0, 0, 0, 0)")
    end = {1: b"GAMEOVER TIMEOUT WINNER 0\n"}
    assert join(BoardGame(says=end), pupil, "--isolation", "process", "-v", "0") == 0
    assert "isolation: 'process'" in the_record()[0]
    assert Path("note").exists()


# Late, replaced, and wrong moves


def test_no_turn_begins_before_the_move_that_it_follows_was_sent(player, monkeypatch):
    """The server sends our move, its own and the next PLAY at once, while nobody reads yet."""
    turns = []
    answer, sent = Agent.action, Connection.send

    def action(self, state, since=None, overtaken=None):
        chosen = answer(self, state, since, overtaken)
        turns.append((since, time.monotonic()))
        return chosen

    def send(self, data):
        sent(self, data)
        while turns and not self.waiting():
            time.sleep(0.001)

    monkeypatch.setattr(Agent, "action", action)
    monkeypatch.setattr(Connection, "send", send)

    def server(link):
        link.line()
        link.send("START Player-0 pupil\nPLAY Player-0\n")
        for number in range(3):
            link.send(f"{link.line()}\n5 {number} 0 0 1\nPLAY Player-0\n")
        link.line()

    # All within two rows of quadrants that are turned alike: no cell is taken twice.
    join(server, player(script=[(0, 3, 3, 1), (1, 3, 3, 1), (0, 5, 3, 1), (1, 5, 3, 1)]), "-v", "0")
    assert len(turns) == 4
    assert all(since > answered for (_, answered), (since, _) in pairwise(turns))


def test_nothing_is_sent_in_a_turn_that_the_server_has_taken(player, capsys, monkeypatch):
    """An answer would be taken for one to the next PLAY, where it could be illegal."""
    asked, answered, answer = threading.Event(), threading.Event(), Agent.action

    def action(self, *given):
        asked.set()
        chosen = answer(self, *given)
        answered.set()
        return chosen

    monkeypatch.setattr(Agent, "action", action)

    def server(link):
        link.line()
        link.send("START Player-0 pupil\nPLAY Player-0\nPLAY Player-0\n")
        asked.wait()
        link.send("1 1 0 0 0\n5 5 0 0 1\n")
        answered.wait()
        link.send("PLAY Player-0\n")
        assert link.line() == "0 3 0 0 0"
        link.send("GAMEOVER TIMEOUT WINNER 1\n")

    thinks = player(
        "time.sleep(0 if self.cells else 10**6); return (0, 3, 0, 0)", update="self.cells.add(action[:2])"
    )
    assert join(server, thinks, "--first-time", "300", "-v", "0") == 1
    assert "our move (0, 0, 0, 0) was late: the server played (1, 1, 0, 0)" in capsys.readouterr().err


def test_a_replaced_move_is_followed_and_said_and_a_new_instance_knows_the_game(player, capsys):
    remembers = "self.turns += 1; return (0, self.turns, 0, 0)"
    server = BoardGame(0, replaces=(0, 2), script=[(5, 5, 0, 0)], says={3: b"GAMEOVER DRAW\n"}, seed=4)
    assert join(server, player(remembers), "-v", "1") == 3
    out, err = capsys.readouterr()
    assert "turn 1: our move (0, 1, 0, 0) was late: the server played" in err
    assert "turn 3: our move (0, 1, 0, 0) was late" in err  # the count began anew: it is another instance
    first, second, third = server.moves
    told = [f"told white {first}", f"told black {second}", f"told white {third}"]
    said = [line.partition(": ")[2] for line in out.splitlines() if "| " in line]
    # After the first move, after the second, after the third.
    assert [line for line in said if "told" in line] == [*told[:1], told[1], *told]


@pytest.mark.parametrize("says", (b"", b"GAMEOVER DISCONNECTION Player-1 WINNER 0\n", b"1 1 0 0 0\n"))
def test_what_the_server_says_while_we_think_is_heard_at_once(player, capsys, says):
    """The player would think for days, and may."""

    def server(link):
        link.line()
        link.send("START Player-0 pupil\nPLAY Player-0\n")
        time.sleep(0.5)  # so that it thinks by then; the verdict does not depend on it
        link.send(says)

    pupil = player("time.sleep(10**6)")
    with Listener(server) as listener:
        options = ["--time", "900000", "--first-time", "900000", "-v", "0"]
        code = main(["join", "pentago", listener.address, pupil, *options])
    err = capsys.readouterr().err
    assert code == (0 if says.startswith(b"GAMEOVER") else 3)
    assert ("pupil wins" if says.startswith(b"GAMEOVER") else "has closed the connection") in err
    assert ("our move (0, 0, 0, 0) was late" in err) == says.startswith(b"1")


@pytest.mark.parametrize("sleeps", (0.55, 60))  # it ends its thoughts soon, or has to be ended
def test_a_player_that_is_late_is_answered_for_and_made_anew(player, capsys, monkeypatch, sleeps):
    answer = Agent.action  # with a time that begins when it is asked, however late that is here
    monkeypatch.setattr(Agent, "action", lambda self, state, since, overtaken: answer(self, state))
    server = BoardGame(0, script=[(5, 5, 0, 0)], says={4: b"GAMEOVER DRAW\n"})
    action = f"time.sleep({sleeps} if len(self.cells) == 0 else 0); return self.legal()"
    pupil = player(action, update="self.cells.add(action[:2])")
    assert join(server, pupil, "--first-time", "0.6", "-v", "1") == 3
    out, err = capsys.readouterr()
    assert "turn 1: pupil: out of time in action" in err and "(0, 0, 0, 0) is played in its stead" in err
    assert err.count("pupil: ") == 1  # and was not late again
    assert server.moves[0] == (0, 0, 0, 0)
    assert server.moves[2] == (0, 1, 0, 0)  # by the new instance, which had been told of the first
    assert out.count("made as") == 2


@pytest.mark.parametrize(
    ("action", "why"),
    [
        ("return (0, 0, 0)", "illegal action in action: (0, 0, 0) is illegal"),
        ("return (0, 0, 0, 7)", "illegal action in action: (0, 0, 0, 7) is illegal"),
        ("return (9, 9, 9, 9)", "illegal action in action"),
        ("raise ValueError('oh')", "crashed in action: ValueError: oh"),
        ("import os; os._exit(3)", "crashed in action"),
        ("return None", "illegal action in action"),
    ],
)
def test_a_players_fault_never_reaches_the_server(player, capsys, action, why):
    server = BoardGame(0, script=[(5, 5, 0, 0)], says={3: b"GAMEOVER DISCONNECTION Player-1 WINNER 0\n"})
    assert join(server, player(action), "-v", "0") == 1
    assert why in capsys.readouterr().err


def test_the_best_that_a_late_player_has_told_is_played(player, capsys):
    told = "self.tell((5, 4, 0, 1)); self.tell((3, 3, 3, 1)); self.tell((9, 9)); time.sleep(60)"
    server = BoardGame(says={1: b"GAMEOVER DISCONNECTION Player-1 WINNER 0\n"})
    pupil = player(told)
    Path("pupil.py").write_text(
        Path("pupil.py").read_text().replace("**more):", "tell=None):\n        self.tell = tell")
    )
    assert join(server, pupil, "--first-time", "4", "-v", "0") == 1
    assert server.moves == [(3, 3, 3, 1)]
    assert "(3, 3, 3, 1) is played in its stead" in capsys.readouterr().err


def test_a_player_that_always_fails_is_not_made_anew_for_ever(player, capsys):
    assert join(BoardGame(0, seed=2), player("raise ValueError"), "-v", "0") == 1
    assert capsys.readouterr().err.count("crashed in action") == 6
    assert "same" in the_record()[1]


# How games end otherwise


@pytest.mark.parametrize(
    ("ply", "said", "code", "sentence", "judged"),
    [
        (1, "GAMEOVER TIMEOUT WINNER 0", 0, "out of time", "same, out of time by black"),
        (2, "GAMEOVER TIMEOUT WINNER 1", 1, "out of time", "same, out of time by white"),
        (1, "GAMEOVER DISCONNECTION Player-1 WINNER 0", 0, "crashed", "same, crashed by black"),
        (2, "GAMEOVER DISCONNECTION Player-1 WINNER 0", 0, "pupil wins", "unfinished"),
        (1, f"GAMEOVER {ILLEGAL.format(1)} WINNER 0", 0, ILLEGAL.format(1), "same, illegal action by black"),
        (2, f"GAMEOVER {ILLEGAL.format(0)} WINNER 1", 1, ILLEGAL.format(0), "same, illegal action by white"),
        (2, "GAMEOVER CONNECTION ERROR UNDECIDED", 3, "CONNECTION ERROR UNDECIDED", "unfinished"),
        (2, "GAMEOVER SERVER ERROR UNDECIDED", 3, "SERVER ERROR UNDECIDED", "unfinished"),
        (1, "GAMEOVER USER CANCEL UNDECIDED", 3, "USER CANCEL UNDECIDED", "unfinished"),
        (1, "GAMEOVER DRAW", 3, "ended the game early", "unfinished"),
        (1, "GAMEOVER", 3, "ended the game early", "unfinished"),
    ],
)
def test_every_form_of_gameover_is_read_from_the_right(player, capsys, ply, said, code, sentence, judged):
    server = BoardGame(0, script=[(5, 5, 0, 0)], says={ply: said.encode() + b"\n"}, ends="closes")
    assert join(server, player(script=[(0, 0, 0, 0)]), "-v", "0") == code
    out, err = capsys.readouterr()
    assert sentence in out + err
    assert judged in the_record()[1]


@pytest.mark.parametrize("last", (b"GAMEOVER WINNER 0\n", b"PLAY Player-0\n", b"", b"\xff\n"))
def test_a_game_that_is_over_stays_so_whatever_the_server_says_then(player, capsys, last):
    (ending, text), *_ = ENDINGS.items()
    moves = moves_of(text)
    lines = [" ".join(map(str, (*move, ply % 2))) + "\n" for ply, move in enumerate(moves)]
    steps = [("C>S", b"START pupil\n"), ("S>C", b"START Player-0 pupil\n")]
    for ply, line in enumerate(lines):
        if ply % 2 == 0:
            steps += [("S>C", b"PLAY Player-0\n"), ("C>S", line.encode())]
        steps.append(("S>C", line.encode()))

    def server(link):
        for direction, data in steps:
            link.send(data) if direction == "S>C" else link.line()
        link.send(last)

    assert join(server, player(script=moves[0::2]), "-v", "0") == 0
    out, err = capsys.readouterr()
    assert ending in out
    assert ("otherwise" in err, "goes on" in err, "no GAMEOVER" in err) == (
        last.startswith(b"GAMEOVER"),
        last[:1] in (b"P", b"\xff"),
        last == b"",
    )
    assert ending in the_record()[1]


# Servers that talk nonsense, or not at all


@pytest.mark.parametrize("ply", (0, 1, 2))
@pytest.mark.parametrize(
    ("said", "ends", "sentence"),
    [
        (b"\x00\xff\xfe garbage\n", "waits", "sent '\\\\x00"),
        (b"hello\n", "waits", "sent 'hello'"),
        (b"HTTP/1.1 400 Bad Request\r\n\r\n", "closes", "HTTP/1.1 400 Bad Request"),
        (b"x" * 100_000, "waits", "over 65536 bytes"),
        (b"", "closes", "closed the connection"),
        (b"", "half", "closed the connection"),
        (b"1 1 0", "closes", "closed the connection"),
        (b"", "resets", "is gone: connection reset"),
        (b"", "waits", "has sent nothing for"),
        (b"PLAY Pla", "waits", "half a line"),
        (b"0 0 9 0 0\n", "waits", "legal move"),
        (b"0 0 0 0 1 \n0 0 0 0 1\n", "waits", "legal move"),
    ],
)
def test_nonsense_is_a_sentence_that_names_the_server(player, capsys, ply, said, ends, sentence):
    if ply == 1 and said.startswith(b"0 0 0 0 1"):
        said = said.replace(b"1", b"0")
    server = BoardGame(0, script=[(5, 5, 0, 0)], says={ply: said}, ends=ends)
    options = ("-v", "0", "--patience", "0.3", "--time", "3", "--first-time", "3")
    pupil = player(script=[(0, 0, 0, 0)])
    assert join(server, pupil, *options) == 3
    err = capsys.readouterr().err
    assert "the server at 127.0.0.1:" in err
    if not (ply != 1 and said.startswith(b"0 0")):
        assert sentence in err
    assert err.count("referee: ") == 1 and "Traceback" not in err
    assert "unfinished, legal as far as it goes" in the_record()[1]


@pytest.mark.parametrize(
    "said", (b"START\n", b"START Player-2 pupil\n", b"1 1 0 0 0\n", b"GAMEOVER DRAW\n", b"")
)
def test_a_server_that_does_not_begin_with_start_is_left(player, capsys, said):
    def server(link):
        link.line()
        link.send(said)

    assert join(server, player(), "-v", "0") == 3
    assert capsys.readouterr().err.startswith("referee: the server at 127.0.0.1:")


def test_the_client_waits_for_an_opponent_as_long_as_it_takes(player, capsys):
    def server(link):
        link.line()
        time.sleep(3)  # far more than the patience
        link.send("START Player-0 pupil\r\nPLAY Player-0\r\n")
        assert link.line() == "0 0 0 0 0"
        link.send("GAMEOVER SERVER ERROR UNDECIDED\r\n")

    assert join(server, player(script=[(0, 0, 0, 0)]), "--patience", "0.2", "-v", "0") == 3
    assert "waiting for an opponent" in capsys.readouterr().err


def test_a_server_that_is_just_being_started_is_waited_for(player, capsys):
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    process = subprocess.Popen(
        [sys.executable, "-m", "referee", "join", "pentago", f"127.0.0.1:{port}", player()],
        env={"PYTHONPATH": str(ROOT), "PATH": ""},
        stderr=subprocess.PIPE,
        text=True,
    )
    time.sleep(1.5)
    with socket.create_server(("127.0.0.1", port)) as late:
        late.settimeout(300)
        link, _ = late.accept()
        with link:
            assert link.recv(100) == b"START pupil\n"
    assert process.wait(300) == 3
    assert "closed the connection before GAMEOVER" in process.communicate()[1]


def test_interrupting_the_game_leaves_nothing_running(player, tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(300)
        address = f"127.0.0.1:{server.getsockname()[1]}"
        process = subprocess.Popen(
            [sys.executable, "-m", "referee", "join", "pentago", address, player("time.sleep(60)"), "-v1"],
            env={"PYTHONPATH": str(ROOT), "PATH": "", "TMPDIR": str(tmp_path)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        link, _ = server.accept()
        with link:
            link.recv(100)
            link.sendall(b"START Player-0 pupil\nPLAY Player-0\n")
            while "to play" not in process.stdout.readline():
                pass
            wait_for(lambda: len(living(str(tmp_path))) >= 2)
            process.send_signal(signal.SIGINT)
            said = process.communicate(timeout=300)[1]
            assert (process.returncode, said) == (130, "referee: interrupted; no player is left running\n")
            assert living(str(tmp_path)) == []


# The command line


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["pentago"], "name the server: HOST:PORT"),
        (["pentago", "localhost"], "'localhost' should be HOST:PORT"),
        (["pentago", "localhost:99999"], "should be HOST:PORT"),
        (["pentago", ":8123"], "should be HOST:PORT"),
        (["pentago", "localhost:8123", "no_such_agent"], "there is no package 'no_such_agent'"),
        (["pentago", "ws://localhost:8123/socket"], "only kalaha is played through a WebSocket"),
        (["pentago:odd", "localhost:8123"], "pentago has the variants"),
        (["pentagon", "localhost:8123"], "there is no game 'pentagon'; did you mean 'pentago'?"),
        (["pentago", "localhost:8123", "--time", "0"], "number of seconds above 0"),
        (["pentago", "localhost:8123", "--name", "a\x07b"], "--name"),
        (["pentago", "localhost:8123", "--record", "/dev/null/records"], "cannot keep records in"),
        (["pentago", "localhost:8123", "human"], "a human plays in `play` alone"),
    ],
)
def test_a_wrong_command_line_is_a_sentence(capsys, words, sentence):
    assert main(["join", *words]) == 2
    err = capsys.readouterr().err
    assert sentence in err and err.count("\n") == 1


def test_a_server_that_is_not_there_is_a_sentence(player, capsys, monkeypatch):
    monkeypatch.setattr("referee.servers.connection.CONNECTING", 0.1)
    with socket.create_server(("127.0.0.1", 0)) as free:
        address = f"127.0.0.1:{free.getsockname()[1]}"
    assert main(["join", "pentago", address, player()]) == 3
    assert f"nobody listens at {address}; start the server first" in capsys.readouterr().err
    assert main(["join", "pentago", "no.such.machine.invalid:8123", player()]) == 3
    assert "no machine called 'no.such.machine.invalid'" in capsys.readouterr().err


def test_a_player_that_cannot_be_imported_is_said_before_anybody_is_asked(player, capsys, tmp_path):
    player()
    (tmp_path / "broken.py").write_text("import nothing_of_that_name")
    assert main(["join", "pentago", "127.0.0.1:1", "broken"]) == 2
    assert "nothing_of_that_name" in capsys.readouterr().err
