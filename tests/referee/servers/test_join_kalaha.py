"""Joining a Kalah server: games, answers while it thinks, stops, problems, WebSockets, and every fault."""

import re
import select
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace

import pytest

from referee import rules
from referee.__main__ import main
from referee.match.judging import judge, read
from referee.match.loop import is_legal
from referee.rules.kalaha import A, B, State
from referee.servers import kalaha_answers, kalaha_protocol
from referee.servers.kalaha_games import FollowedGame, way
from tests import ROOT
from tests.referee.commands.test_cli import wait_for
from tests.support.arena import living
from tests.support.servers.kalah import Frames, Session, board, start
from tests.support.servers.listener import Link, Listener

ENDGAME = State(A, ((1, 0, 2, 0, 0, 3), (0, 4, 0, 1, 0, 2)), (30, 29))
PLAYER = """
import time

class Player:
    def __init__(self, colour, variant="", seconds=None, tell=None, wall=None):
        print("made as", colour, repr(variant), seconds, wall)
        self.tell = tell
        self.state = None

    def action(self):
        {action}

    def update(self, colour, action):
        print("told", colour, action)
"""
SET_UP = """
    def set_up(self, line):
        print("set up", line)
        self.state = line
        self.ponds = list(map(int, line.split()[1:]))
"""
# It has a board of its own: where that is not the server's, its first pond would soon be an empty one.
FOLLOWS = """
class Player:
    def __init__(self, colour, variant):
        assert variant == "4x3"
        self.side = "AB".index(colour)
        self.ponds = [[3] * 4, [3] * 4]

    def action(self):
        return next(pond for pond, pebbles in enumerate(self.ponds[self.side], 1) if pebbles)

    def update(self, colour, action):
        side = "AB".index(colour)
        ring = self.ponds[side] + [0] + self.ponds[1 - side]
        place = action - 1
        pebbles, ring[place] = ring[place], 0
        for _ in range(pebbles):
            place = (place + 1) % 9
            ring[place] += 1
        if place < 4 and ring[place] == 1 and ring[8 - place]:
            ring[place] = ring[8 - place] = 0
        self.ponds[side], self.ponds[1 - side] = ring[:4], ring[5:]
"""
MIDDLE = "w.....b....w.b..w....b..w.....b....w"  # of a game of Pentago
FIRST = "return next(pond for pond, pebbles in enumerate(self.ponds, 1) if pebbles)"


@pytest.fixture
def player(tmp_path, monkeypatch):
    """Writes a player whose `action` has this body, and goes where it is."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("KGP_HOST", raising=False)

    def write(action=FIRST, set_up=SET_UP):
        (tmp_path / "pupil.py").write_text(PLAYER.format(action=action) + set_up)
        return "pupil"

    return write


def join(talk, *words, cut="whole"):
    """The exit code; `talk` gets a session."""
    with Listener(lambda link: talk(Session(link)), cut=cut) as listener:
        return main(["join", "kalaha", listener.address, *words, "--record", "records"])


def records():
    return [(path.read_text(), judge(read(path))) for path in sorted(Path("records").iterdir())]


def played(text):
    """The plies that a record has."""
    found = re.findall(r"^turn [0-9]+: ([AB]) ([0-9]+)\t", text, re.M)
    return [("AB".index(who), int(pond)) for who, pond in found]


# Games


@pytest.mark.parametrize(("ponds", "pebbles", "cut"), [(6, 6, "whole"), (8, 8, "bytes"), (3, 4, "together")])
def test_games_on_any_board_are_played_and_their_records_pieced_together(player, capsys, ponds, pebbles, cut):
    games = []

    def talk(session):
        assert session.greet() == ['set info:name "our team"']
        for us in (A, B):
            games.append(session.game(start(ponds, pebbles), us, seed=us))
        session.goodbye()

    player()
    assert join(talk, "kalaha_agent,nodes=300", "--name", "our team", "-v", "1", cut=cut) == 0
    out, err = capsys.readouterr()
    assert err == ""
    kept = records()
    assert len(kept) == 2
    for (text, judged), (end, plies), us in zip(kept, games, (A, B), strict=True):
        assert f"game: 'kalaha:{ponds}x{pebbles}'" in text
        assert f"first: {us}" in text
        moves = played(text)
        assert moves[-1][0] == us
        assert moves == plies[: len(moves)]  # what came after our last move nobody told
        state = start(ponds, pebbles)
        for number, (mover, pond) in enumerate(plies):  # there the server plays our only ponds by itself
            assert number < len(moves) or mover != us or state.actions(mover) == [pond]
            state = state.after({mover: pond})
        done = end.outcome() and len(moves) == len(plies)
        assert judged.split(": ")[1].startswith("same" if done else "unfinished, legal")
    assert out.count(" plays ") == sum(line.startswith("* A") for line in out.splitlines())


def test_a_program_in_another_language_is_told_games_from_their_start(player, capsys):
    games = []

    def talk(session):
        session.greet()
        for us in (A, B):
            games.append(session.game(start(4, 3), us, seed=us))
        session.goodbye()

    player()
    program = f"exec:python3 -S -E {ROOT / 'tests' / 'players' / 'programs' / 'program.py'}"
    assert join(talk, program, "-v", "1") == 0
    for (text, _), (_, plies), us in zip(records(), games, (A, B), strict=True):
        moves = played(text)
        assert moves == plies[: len(moves)] and moves[-1][0] == us
    assert capsys.readouterr().err.count("cannot be set up") == 1


def test_the_session_of_the_protocols_description(player):
    def talk(session):
        link = session.link
        link.send("2 kgp 1 0 1\r\n")
        assert session.hear() == (None, 'set info:name "me"')
        assert session.hear() == (None, 'set auth:token "secret"')
        assert session.hear() == (None, "mode freeplay")
        link.send("4@5 ok\r\n6 ping\r\n")
        assert session.hear() == (6, "pong")
        link.send("8 state <6,0,0,6,6,6,6,6,6,6,6,6,6,6,6>\r\n")
        assert [session.hear() for _ in range(4)] == [
            (8, "move 3"),
            (8, "move 1"),
            (8, "move 1"),
            (8, "yield"),
        ]
        link.send("10@8 stop\r\ngoodbye\r\n")
        assert link.wait_for_end() == b""

    assert join(talk, player("self.tell(3); return 1"), "--name", "me", "--token", "secret", "-v", "0") == 0


@pytest.mark.parametrize(
    ("game", "position", "first"),
    [("kalaha", "A 6 6 6 6 6 6 0 6 6 6 6 6 6 0", 1), ("pentago", f"{MIDDLE} w", 2)],
)
def test_our_agents_tell_their_best_action_after_each_iteration(game, position, first):
    told, state = [], rules.parse(game, position)
    player = import_module(f"{game}_agent").Player(state.COLOURS[0], nodes=20_000, tell=told.append)
    player.set_up(position)
    chosen = player.action()
    assert len(told) == player.search.depth + 1 - first >= 2
    assert all(is_legal(action, state.actions(0)) for action in [*told, chosen])


def test_the_final_move_is_repeated(player):
    def talk(session):
        session.greet()
        for _ in range(5):
            number = session.ask(ENDGAME)
            assert session.hear() == (number, "move 3")
            assert session.hear() == (number, "move 3")
            assert session.hear() == (number, "yield")
            session.say("stop", ref=number)
        session.goodbye()

    assert join(talk, player("self.tell(3); return 3"), "-v", "0") == 0


@pytest.mark.parametrize("thought", [0.0, 0.004, 3.0])
def test_nothing_is_sent_at_once(monkeypatch, thought):
    """A server that has just sent a state may not expect an answer yet, and drops it."""
    said, now = [], [1000.0 + thought]

    def sleep(seconds):
        now[0] += seconds

    monkeypatch.setattr(kalaha_answers, "time", SimpleNamespace(monotonic=lambda: now[0], sleep=sleep))
    request = kalaha_answers.Request(
        8, ENDGAME, 1000.0, 1005.0, 1005.0, lambda _, text: said.append((text, now[0]))
    )
    request.final(3)
    moments = [max(1000.0 + thought, 1000.0 + more) for more in (0.01, 0.02, 0.02)]
    assert said == list(zip(["move 3", "move 3", "yield"], moments, strict=True))


def test_pings_are_answered_once_each_while_the_player_thinks(player):
    def talk(session):
        session.greet()
        number = session.ask(ENDGAME)
        for _ in range(3):
            ping = session.say("ping")
            assert session.hear() == (ping, "pong")
        session.link.send("ping\r\n")  # an id may be left out
        assert session.hear() == (None, "pong")
        assert session.answer(number) == 6
        session.goodbye()
        assert session.heard.count("pong") == 4

    assert join(talk, player("time.sleep(1.5); return 6"), "-v", "0") == 0


def test_several_positions_may_be_open_at_once(player):
    """One that is thought about for long does not keep another waiting."""
    slow = "time.sleep(60 if ' 1 0 2 ' in self.state else 0); return 1"

    def talk(session):
        session.greet()
        first, second = session.ask(ENDGAME), session.ask(start(4, 3))
        assert session.answer(second) == 1
        session.say("stop", ref=first)
        assert session.answer(session.ask(start(5, 3))) == 1
        session.goodbye()

    assert join(talk, player(slow), "-v", "0") == 0


def test_an_id_that_is_given_again_is_answered_for_its_last_position(player):
    """The first position would be thought about for long, and pond 2 is its answer."""
    slow = "time.sleep(60 if ' 1 0 2 ' in self.state else 0.3); return 2 if ' 1 0 2 ' in self.state else 1"

    def talk(session):
        session.greet()
        number = session.ask(ENDGAME)
        for _ in range(2):  # said twice, it is answered once
            session.link.send(f"{number} state {board(start(4, 3))}\r\n")
        assert session.answer(number) == 1
        time.sleep(0.5)
        session.goodbye()

    assert join(talk, player(slow), "--time", "10", "-v", "0") == 0


def test_more_positions_than_players_wait_for_their_turn(player):
    def talk(session):
        session.greet()
        asked = [session.ask(start(4, pebbles)) for pebbles in range(2, 9)]
        answered = []
        while len(answered) < len(asked):
            ref, said = session.hear()
            if said == "yield":
                answered.append(ref)
        assert sorted(answered) == asked
        session.goodbye()

    assert join(talk, player("time.sleep(0.05); return 2"), "-v", "0") == 0


def test_a_stop_ends_the_thinking_and_the_next_position_is_answered_by_a_new_player(player, capsys):
    slow = "self.tell(6); time.sleep(60 if self.ponds[0] else 0); return 6"

    def talk(session):
        session.greet()
        number = session.ask(ENDGAME)
        assert session.hear() == (number, "move 6")
        session.say("stop", ref=number)
        other = State(A, ((0, 2, 0, 0, 0, 3), ENDGAME.ponds[1]), ENDGAME.banks)
        assert session.answer(session.ask(other)) == 6
        session.goodbye()

    assert join(talk, player(slow), "-v", "0") == 0
    assert "the server stopped us before we had finished" in capsys.readouterr().err


def test_a_position_with_one_choice_is_answered_without_the_player(player):
    def talk(session):
        session.greet()
        assert session.answer(session.ask(State(A, ((0, 0, 2), (1, 1, 1)), (5, 5)))) == 3
        assert session.answer(session.ask(State(A, ((1,), (1,)), (0, 0)))) == 1
        assert session.answer(session.ask(State(A, ((0, 2, 2), (0, 0, 0)), (5, 5)))) == 2
        session.goodbye()

    assert join(talk, player("raise ValueError"), "-v", "0") == 0


def test_a_games_record_may_begin_anywhere(player):
    def talk(session):
        session.greet()
        session.answer(session.ask(ENDGAME))
        session.goodbye()

    assert join(talk, player(), "-v", "0") == 0
    ((text, judged),) = records()
    assert "position: 'A 1 0 2 0 0 3 30 0 4 0 1 0 2 29'" in text
    assert judged == "kalaha:6x6, 1 turn: unfinished, legal as far as it goes"


def test_a_record_that_begins_at_no_position_is_no_record(player, capsys):
    player()
    for position in ("'A 1 2'", "'F 1 1 1 1'", "7", "'B 1 0 2 0 0 3 30 0 0 0 0 0 0 29'"):
        Path("odd.txt").write_text(f"record: 1\ngame: 'kalaha'\nposition: {position}\n")
        assert main(["replay", "odd.txt"]) == 2
        assert "line 3: no position of kalaha" in capsys.readouterr().err


def test_a_game_that_our_move_ends_is_recorded_with_its_result(player):
    last = State(A, ((0, 1, 1), (0, 0, 1)), (4, 4))

    def talk(session):
        session.greet()
        assert session.answer(session.ask(last)) == 3
        session.answer(session.ask(State(A, ((0, 0, 1), (2, 0, 0)), (4, 4))))
        session.goodbye()

    assert join(talk, player("return 3"), "-v", "0") == 0
    assert [judged for _, judged in records()] == [
        "kalaha:3x1, 1 turn: unfinished, legal as far as it goes",
        "kalaha:3x1, 1 turn: same, B wins 5-6",
    ]


def test_what_the_server_played_in_our_stead_is_in_the_record(player):
    def talk(session):
        session.greet()
        state = start(4, 3)
        assert session.answer(session.ask(state)) == 2
        state = state.after({A: 3}).after({B: 1})
        while state.to_act() != (A,):
            state = state.after({B: state.actions(B)[0]})
        session.answer(session.ask(state))
        session.goodbye()

    assert join(talk, player("return 2"), "-v", "0") == 0
    ((text, judged),) = records()
    assert played(text)[0] == (A, 3)
    assert "unfinished" in judged


# Players of other kinds


def test_a_player_that_cannot_be_set_up_is_told_the_game_from_its_start(player, capsys):
    player()
    Path("pupil.py").write_text(FOLLOWS)

    def talk(session):
        session.greet()
        for us in (A, B):
            session.game(start(4, 3), us, seed=us + 5)
        session.goodbye()

    assert join(talk, "pupil", "-v", "0") == 0
    err = capsys.readouterr().err
    assert "pupil cannot be set up" in err and "it is told games from their start" in err
    assert err.count("referee: ") == 1


def test_a_player_without_set_up_is_told_so_in_words(player, capsys):
    def talk(session):
        session.greet()
        session.goodbye()

    assert join(talk, player(set_up=""), "-v", "0") == 0
    said = "pupil cannot be set up (it has no method set_up(line)); it is told games from their start"
    assert said in capsys.readouterr().err


def test_a_player_that_cannot_be_set_up_is_not_asked_where_no_game_leads(player, capsys):
    def talk(session):
        session.greet()
        assert session.answer(session.ask(ENDGAME)) == 1
        assert session.answer(session.ask(ENDGAME)) == 1
        session.goodbye()

    assert join(talk, player("return 6", set_up=""), "-v", "0") == 0
    err = capsys.readouterr().err
    assert err.count("it needs a method set_up(line), as kalaha_agent has; the first pond is played") == 1


def test_the_referees_own_players_join_too(player, capsys):
    def talk(session):
        session.greet()
        session.game(start(4, 3), B, seed=3)
        session.goodbye()

    player()
    assert join(talk, "greedy", "-v", "0") == 0
    assert "the first pond is played" not in capsys.readouterr().err


@pytest.mark.parametrize(
    ("action", "move", "why"),
    [
        ("raise ValueError('oh')", 1, "crashed in action: ValueError: oh"),
        ("self.tell(3); raise ValueError", 3, "crashed in action: ValueError"),
        ("return 2", 1, "illegal action in action: 2 is not among [1, 3, 6]"),
        ("return True", 1, "illegal action in action"),
        ("self.tell(2); self.tell('3'); self.tell(6); return 99", 6, "99 is not among"),
        ("import os; os._exit(1)", 1, "crashed in action"),
        ("self.tell(3); time.sleep(60)", 3, "out of time"),
        ("self.tell([3]); return 3", 1, "an action is made of int, str and tuple, not list"),
    ],
)
@pytest.mark.lengthy
def test_a_players_fault_costs_no_game(player, capsys, action, move, why):
    def talk(session):
        session.greet()
        for _ in range(2):
            assert session.answer(session.ask(ENDGAME), pings=1) == move
        session.goodbye()

    seconds = "4" if why == "out of time" else "300"
    assert join(talk, player(action), "--time", seconds, "-v", "0") == 1
    err = capsys.readouterr().err
    assert err.count(why) == 2 and "the best so far is played" in err


def test_limits_are_wall_time_less_the_margin_and_less_still_where_the_server_says_so(player):
    seconds = []
    told = "return 1 if self.seconds > 2 else 3 if self.seconds > 0.6 else 6"
    text = PLAYER.replace("self.tell = tell", "self.tell, self.seconds = tell, seconds")
    player()
    Path("pupil.py").write_text(text.format(action=told) + SET_UP)

    def talk(session):
        session.greet()
        seconds.append(session.answer(session.ask(ENDGAME)))
        session.say("set time:mode relative")
        session.say("set time:clock 1.0")
        seconds.append(session.answer(session.ask(ENDGAME)))
        session.say("set time:mode absolute")
        session.say("set time:clock 10")
        seconds.append(session.answer(session.ask(ENDGAME)))
        session.say("set time:clock nonsense")
        session.say('set game:opponent "an \\"odd\\" name"')
        session.say("set time:mode none")
        seconds.append(session.answer(session.ask(ENDGAME)))
        session.goodbye()

    assert join(talk, "pupil", "-v", "0") == 0
    assert seconds == [1, 3, 6, 1]


# Problems


@pytest.mark.parametrize(
    ("before", "pit", "after", "word"),
    [
        # In the order of the rules: an extra turn; plain; a capture; nothing opposite; a lap; two laps.
        ("<6,0,0,6,6,6,6,6,6,6,6,6,6,6,6>", 0, "<6,1,0,0,7,7,7,7,7,6,6,6,6,6,6>", "yes"),
        ("<6,0,0,6,6,6,6,6,6,6,6,6,6,6,6>", 1, "<6,1,0,6,0,7,7,7,7,7,6,6,6,6,6>", "no"),
        ("<6,20,18,2,0,5,1,0,3,4,6,1,7,2,3>", 3, "<6,27,18,2,0,5,0,0,3,4,0,1,7,2,3>", "no"),
        ("<6,20,24,2,0,5,1,0,3,4,0,1,7,2,3>", 3, "<6,20,24,2,0,5,0,1,3,4,0,1,7,2,3>", "no"),
        ("<6,20,21,1,0,0,13,0,2,4,2,6,0,0,3>", 3, "<6,29,21,2,1,1,0,1,3,5,3,0,1,1,4>", "no"),
        ("<6,10,19,1,0,0,26,0,2,4,2,5,0,0,3>", 3, "<6,12,19,3,2,2,2,2,4,6,4,7,2,2,5>", "no"),
        # The last pebble in the own bank ends the game; a bank with more than half ends it, too.
        ("<6,30,26,0,0,0,0,0,1,3,2,1,4,0,5>", 5, "<6,31,41,0,0,0,0,0,0,0,0,0,0,0,0>", "yes"),
        ("<6,36,20,1,0,0,0,0,8,1,1,1,1,1,2>", 5, "<6,39,33,0,0,0,0,0,0,0,0,0,0,0,0>", "no"),
        ("<2,1,0,2,1,2,2>", 0, "<2,2,0,0,2,2,2>", "yes"),
    ],
)
def test_problems_are_solved(player, before, pit, after, word):
    def talk(session):
        session.greet("verify")
        number = session.say(f"problem {before} {pit}")
        assert session.hear() == (number, f"solution {after} {word}")
        session.say("ok")
        session.goodbye()

    assert join(talk, player(), "--mode", "verify", "-v", "0") == 0


def test_problems_that_are_none_are_passed_over(player, capsys):
    def talk(session):
        session.greet("verify")
        board = "<2,0,0,0,1,1,1>"
        for odd in ("<6,0,0,1> 1", f"{board} 7", f"{board} 0", board, f"1 {board}"):
            session.say(f"problem {odd}")
        number = session.say("problem <1,0,0,1,1> 0")
        assert session.hear()[0] == number
        session.goodbye()

    assert join(talk, player(), "--mode", "verify", "-v", "0") == 0
    assert capsys.readouterr().err.count("referee: the server at 127.0.0.1:") == 5


# The server as it should not be


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        ("2 kgp 2 0 0\r\n", "speaks version '2.0.0' of the protocol, not 1"),
        ("hello\r\n", "sent 'hello': expected a line `kgp 1 0 1`"),
        ("\x00\x01\r\n", "expected a line `kgp 1 0 1`"),
        ("HTTP/1.1 400 Bad Request\r\n\r\n", "expected a line `kgp 1 0 1`"),
        ("x" * 70_000, "over 65536 bytes"),
        ("2 kgp", "without a word"),
        ("", "without a word"),
    ],
)
def test_a_server_that_does_not_greet_is_left(player, capsys, said, sentence):
    assert join(lambda session: session.link.send(said), player(), "-v", "0") == 3
    err = capsys.readouterr().err
    assert sentence in err and err.count("\n") == 1 and "the server at 127.0.0.1:" in err


def test_a_server_that_says_nothing_is_left(player, capsys, monkeypatch):
    monkeypatch.setattr("referee.servers.kalaha.GREETING", 0.3)
    assert join(lambda session: session.link.wait_for_end(), player(), "-v", "0") == 3
    assert "has sent nothing for 0 s" in capsys.readouterr().err


def test_a_mode_that_is_refused_is_said(player, capsys):
    def talk(session):
        session.say("kgp 1 0 1")
        while session.hear()[1] != "mode verify":
            pass
        session.say('error "Unknown mode \\"verify\\""', ref=session.theirs[-1])
        assert session.hear()[1] == "goodbye"

    assert join(talk, player(), "--mode", "verify", "-v", "0") == 3
    assert "refuses the mode 'verify': 'Unknown mode \"verify\"'" in capsys.readouterr().err


def test_what_is_odd_but_harmless_is_passed_over(player, capsys):
    def talk(session):
        session.link.send("\n \r\nkgp 1\n\n  \n")
        while session.hear()[1] != "mode freeplay":
            pass
        session.link.send(
            "ok\n@99 stop\nstop\n3@1 error\n17 set a\nset info:x 1\nupdate <1,2> 3.5 word\n\x00garbage\xff\n"
            '5 state "no board"\nstate <1,0,0,1,1>\n7 state <2,0,0,0,0,1,1>\n9 state <2,0,0,1>\n11 state\n'
        )
        session.link.send("  12   state   < 2, 0,0,1,1 ,1,1 >  \n")
        for expected in ((12, "move 1"), (12, "move 1"), (12, "yield")):
            assert session.hear() == expected
        session.link.send("13@12 stop\n13@12 stop\ngoodbye")
        session.link.send(" now\n")

    assert join(talk, player("return 1"), "-v", "0") == 0
    assert "Traceback" not in capsys.readouterr().err


@pytest.mark.parametrize(
    ("last", "code", "sentence"),
    [
        (b"\x00\xff\xfe\n" * 20, 3, "it is no line of the Kalah Game Protocol, and 10 lines before it"),
        (b"y" * 70_000, 3, "over 65536 bytes"),
        (b"8 state <6,0,0,6,6,6,6,6,6,6,6,6,6,6,6>\r\n", 3, "has closed the connection in a game"),
        (b"8 state <6,0,", 0, "has closed the connection"),
        (b"", 0, "has closed the connection"),
    ],
)
@pytest.mark.parametrize("ends", ("closes", "half"))
def test_a_connection_that_ends_is_said(player, capsys, last, code, sentence, ends):
    def talk(session):
        session.greet()
        session.link.send(last)
        session.link.flush()
        if ends == "half":
            session.link.link.shutdown(1)
            session.link.wait_for_end()

    assert join(talk, player("time.sleep(3); return 1"), "-v", "0") == code
    err = capsys.readouterr().err
    assert sentence in err and "Traceback" not in err


def test_silence_is_said_once_and_waited_through(player, capsys):
    def talk(session):
        session.greet()
        time.sleep(3)  # far more than the patience, which begins when somebody waits here
        session.goodbye()

    assert join(talk, player(), "--patience", "0.2", "-v", "0") == 0
    assert capsys.readouterr().err.count("still waiting (Ctrl-C leaves)") == 1


def test_interrupting_says_goodbye_and_leaves_nothing_running(player, tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(300)
        address = f"127.0.0.1:{server.getsockname()[1]}"
        process = subprocess.Popen(
            [sys.executable, "-m", "referee", "join", "kalaha", address, player("time.sleep(60)")],
            env={"PYTHONPATH": str(ROOT), "PATH": "", "TMPDIR": str(tmp_path)},
            stderr=subprocess.PIPE,
            text=True,
        )
        accepted, _ = server.accept()
        with accepted:
            session = Session(Link(accepted))
            session.greet()
            session.ask(ENDGAME)
            ping = session.say("ping")
            assert session.hear() == (ping, "pong")
            wait_for(lambda: len(living(str(tmp_path))) >= 2)
            process.send_signal(signal.SIGINT)
            assert session.hear() == (None, "goodbye")
            said = process.communicate(timeout=300)[1]
            assert (process.returncode, said) == (130, "referee: interrupted; no player is left running\n")
            assert living(str(tmp_path)) == []


@pytest.mark.parametrize("line", (b"2 set time:clock 5\r\n", b"2 ok\r\n", b"2 hello\r\n", b"2 ping\r\n"))
def test_a_server_that_talks_without_end_and_asks_for_nothing_is_left(player, capsys, line):
    def talk(session):
        session.greet()
        link = session.link.link
        with suppress(OSError):
            while True:
                link.sendall(line)
                if select.select([link], [], [], 0)[0] and not link.recv(65536):
                    return

    assert join(talk, player(), "--patience", "0.2", "-v", "0") == 3
    assert "has asked for nothing for 0 s, and sent" in capsys.readouterr().err


def test_blank_lines_are_no_greeting(player, capsys, monkeypatch):
    monkeypatch.setattr("referee.servers.kalaha.GREETING", 0.2)

    def talk(link):
        with suppress(OSError):
            while True:
                link.link.sendall(b"\r\n" * 50)

    with Listener(talk) as listener:
        assert main(["join", "kalaha", listener.address, player(), "-v", "0"]) == 3
    assert "has sent nothing" in capsys.readouterr().err


def test_a_server_that_only_looks_whether_we_are_there_is_waited_for(player, capsys):
    def talk(session):
        session.greet()
        for _ in range(10):
            time.sleep(0.05)
            ping = session.say("ping")
            assert session.hear() == (ping, "pong")
        session.goodbye()

    assert join(talk, player(), "--patience", "0.2", "-v", "0") == 0
    assert capsys.readouterr().err.count("still waiting (Ctrl-C leaves)") == 1


def test_a_board_of_more_pebbles_than_any_game_has_at_its_start_is_answered(player, capsys):
    boards = State(A, ((2000,) * 6,) * 2, (0, 0)), State(A, ((1001,) * 50,) * 2, (5, 0))
    answers = []

    def talk(session):
        session.greet()
        for one in (*boards, *boards):
            answers.append(session.answer(session.ask(one)))
        session.goodbye()

    assert join(talk, player(), "--time", "100", "-v", "0") == 0
    assert answers == [1] * 4 and "Traceback" not in capsys.readouterr().err
    assert all("same" in judged or "unfinished" in judged for _, judged in records())


# Where the server is


def test_host_and_port_come_from_the_environment(player, monkeypatch, capsys):
    def talk(session):
        session.greet()
        session.goodbye()

    name = player()
    for words in ([], [name]):
        with Listener(lambda link: talk(Session(link))) as listener:
            host, port = listener.address.split(":")
            monkeypatch.setenv("KGP_HOST", host)
            monkeypatch.setenv("KGP_PORT", port)
            assert main(["join", "kalaha", *words, "-v", "0"]) == 0
    with Listener(lambda link: talk(Session(link))) as listener:
        monkeypatch.setenv("KGP_PORT", "1")
        assert main(["join", "kalaha", listener.address, name, "-v", "0"]) == 0
    monkeypatch.setenv("KGP_PORT", "nonsense")
    assert main(["join", "kalaha"]) == 2
    assert "'127.0.0.1:nonsense' should be HOST:PORT" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("path", "parts", "cut"), [("", 1, "whole"), ("/socket", 3, "bytes"), ("/x", 2, "together")]
)
def test_games_are_played_through_a_websocket(player, path, parts, cut):
    def talk(link):
        session = Session(Frames(link, path or "/socket", parts))
        session.link.receive = session.link.exactly  # not used: everything is a frame here
        session.greet()
        session.game(start(4, 3), A, seed=1)
        session.goodbye()
        assert session.link.kinds.count(0xA) > 0 or parts == 1

    player()
    with Listener(talk, cut=cut) as listener:
        address = f"ws://{listener.address}{path}"
        assert main(["join", "kalaha", address, "pupil", "--record", "records", "-v", "0"]) == 0
    assert "unfinished" in records()[0][1] or "same" in records()[0][1]


@pytest.mark.parametrize("last", (b"", b"\x03\xe8bye"))
def test_a_websocket_that_closes_is_the_end(player, capsys, last):
    def talk(link):
        frames = Frames(link)
        Session(frames).greet()
        frames.frame(0x8, last)
        assert frames.message()[0] == 0x8
        link.wait_for_end()

    with Listener(talk) as listener:
        assert main(["join", "kalaha", f"ws://{listener.address}", player(), "-v", "0"]) == 0
    assert "has closed the connection" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("answer", "frame", "sentence"),
    [
        (b"HTTP/1.1 404 Not Found\r\n\r\n", b"", "answered 404 Not Found: it does not open a WebSocket"),
        (b"HTTP/1.1 101 Switching\r\nSec-WebSocket-Accept: x\r\n\r\n", b"", "does not open a WebSocket"),
        (b"2 kgp 1 0 1\r\n", b"", "gave no HTTP answer"),
        (b"", b"", "gave no HTTP answer"),
        (None, b"\x81\x85abcdefghi", "expected a line `kgp 1 0 1`"),
        (None, b"\xf1\x01a", "no frame of a WebSocket's server"),
        (None, b"\x81\x7f\0\0\0\1\0\0\0\0", "over 65536 bytes"),
        (None, b"\x09\x00", "no frame of a WebSocket's server"),
        (None, b"\x83\x00", "no frame of a WebSocket's server"),
        (None, b"\x01\x7e\xff\xff" + b"x" * 65535 + b"\x00\x02xx", "over 65536 bytes"),
    ],
)
def test_what_is_no_websocket_is_said(player, capsys, answer, frame, sentence):
    def talk(link):
        if answer is None:
            Frames(link)
            link.send(frame)
            link.wait_for_end()
        else:
            link.receive()
            link.send(answer)

    with Listener(talk) as listener:
        assert main(["join", "kalaha", f"ws://{listener.address}", player(), "-v", "0"]) == 3
    err = capsys.readouterr().err
    assert sentence in err and err.count("\n") == 1


# The parts


def test_lines_are_read_in_all_their_forms():
    assert kalaha_protocol.parse("kgp 1 0 1") == kalaha_protocol.Line(None, None, "kgp", ("1", "0", "1"))
    assert kalaha_protocol.parse("@8 move 3") == kalaha_protocol.Line(None, 8, "move", ("3",))
    assert kalaha_protocol.parse('12@8 set a:b-c_d "x \\" \\\\ y" -1.5 <1,2> \r') == kalaha_protocol.Line(
        12, 8, "set", ("a:b-c_d", 'x " \\ y', "-1.5", "<1,2>")
    )
    for text in ("", "12", "@ move", "1@x move", "8 state <1,2", 'set "a', 'set "a"b', "set <1><2>", "é 1"):
        with pytest.raises(ValueError):
            kalaha_protocol.parse(text)


def test_boards_are_read_and_written():
    assert kalaha_protocol.state("<2,7,8,1,2,3,4>") == State(A, ((1, 2), (3, 4)), (7, 8))
    assert kalaha_protocol.board(State(A, ((1, 2), (3, 4)), (7, 8))) == "<2,7,8,1,2,3,4>"
    for text in ("<>", "<0,0,0>", "<2,0,0,1,1,1>", "<1,0,0,1,1,1>", "<1,0,0,-1,1>", "<101,0,0>", "<x>"):
        with pytest.raises(ValueError, match="is no board"):
            kalaha_protocol.state(text)


def test_a_way_is_found_through_extra_turns_and_moves_without_choice():
    state = start(6, 6).after({A: 1}).after({A: 3})
    for pond in (1, 2):
        if state.to_act() == (B,):
            state = state.after({B: pond})
    while state.to_act() != (A,):
        state = state.after({B: state.actions(B)[-1]})
    found = way(start(6, 6).after({A: 1}).after({A: 3}), state, A)
    now = start(6, 6).after({A: 1}).after({A: 3})
    for mover, pond in found:
        now = now.after({mover: pond})
    assert now == state
    assert way(start(6, 6).after({A: 1}), start(6, 6), A) is None


def test_a_story_knows_its_seat_from_the_first_position():
    assert FollowedGame(start(6, 6)).us == A
    as_b = start(6, 6).after({A: 2})
    followed = FollowedGame(State(A, as_b.ponds[::-1], as_b.banks[::-1]))
    assert (followed.us, followed.plies, followed.told_from_start) == (B, [(A, 2)], True)
    followed = FollowedGame(ENDGAME)
    assert (followed.us, followed.plies, followed.told_from_start) == (A, [], False)
