"""Where the players of tests/players are let loose: against `random`, or asked directly."""

import contextlib
import os
import signal
import time
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from referee.isolation import keepers, launchers
from referee.isolation.allowance import Allowance
from referee.isolation.process import PlayerProcess
from referee.match.loop import Watcher
from referee.match.planned import PlannedGame
from referee.players import names
from referee.tournament import jobs
from tests import ROOT

PLAYERS = ROOT / "tests" / "players"
ENDING = 300  # seconds for what was killed to be gone, on any machine
ATTACKS = (  # players by the dozen
    "changes_files",
    "keeps_in_the_kernel",
    "looks_around",
    "reaches_processes",
    "talks_to_others",
)
GAME = "kalaha:4x3"
USUAL = Allowance(action=0.3, megabytes=100)
OPPONENT = Allowance(action=10.0, megabytes=100)


class Printed(Watcher):
    """Keeps what the players printed."""

    def __init__(self):
        self.text = ["", ""]

    def printed(self, match, player, text):
        self.text[player] += text


@pytest.fixture(autouse=True)
def nothing_is_left_behind(monkeypatch, tmp_path_factory):
    """After every test here, no process has the environment that its players were started with.

    It is the same for all tests, so that they have launchers in common: these are left.
    """
    folder = tmp_path_factory.getbasetemp() / "players"
    folder.mkdir(exist_ok=True)
    monkeypatch.setenv("TMPDIR", str(folder))
    yield
    jobs.end_spare()
    left, kept = _left(str(folder)), sorted(keepers.LIVING)
    for pid in (*left, *kept):  # so that they fail no other test
        with contextlib.suppress(OSError):
            os.kill(pid, signal.SIGKILL)
    keepers.LIVING.clear()
    assert (list(left.values()), kept) == ([], [])


def _left(marker):
    """What is still there when all that was killed has had time enough to be gone."""
    until = time.monotonic() + ENDING
    while (found := _living(marker, launchers.sessions())) and time.monotonic() < until:
        time.sleep(0.02)
    return found


def living(marker, but=()):
    """The command lines of all processes with this in their environment, this one and those excepted."""
    return list(_living(marker, but).values())


def _living(marker, but):
    found = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal() and int(entry.name) not in (os.getpid(), *but):
            with contextlib.suppress(OSError):
                if marker.encode() in (entry / "environ").read_bytes():
                    found[int(entry.name)] = (entry / "cmdline").read_bytes().replace(b"\0", b" ")
    return found


def spec(name):
    """A player of the folder: its file's name, and a class after a colon."""
    file, _, cls = name.partition(":")
    found = names.resolve(f"{PLAYERS / file}.py")
    return replace(found, name=name, cls=cls or None)


def let_read(allowance):
    """The players here import each other, which a confined player may do only where it is allowed to."""
    return replace(allowance, readable=(str(PLAYERS),))


def play(name, allowance=USUAL, seat=0, opponent="random", game=GAME, watchers=(), level=None):
    """One game of that player, in that seat, against the opponent, at that level of isolation."""
    allowances = [replace(let_read(one), isolation=level) for one in (allowance, OPPONENT)]
    two = (spec(name), names.resolve(opponent) if opponent == "random" else spec(opponent))
    planned = PlannedGame(game, two, tuple(allowances), number=1, pair=1, first=seat, seed=1)
    return planned.play(watchers)


def actions(result):
    """Who did what, turn by turn."""
    return [
        (player, turn.chosen[player]) for turn in result.history if turn.played for player in turn.players
    ]


@cache
def behaved(seat):
    """The game as it goes if nobody makes trouble."""
    result = play("legal", OPPONENT, seat)
    assert result.ending == "finished"
    return actions(result)


def check_the_opponent_is_undisturbed(result, seat):
    """The opponent of the player in that seat played its usual game, at its usual cost, to the end."""
    opponent = 1 - seat
    assert opponent not in result.faults
    played = actions(result)
    assert played == behaved(seat)[: len(played)]
    assert result.cpu[opponent] < 1.0
    assert result.megabytes[opponent] < 20


def one(name, allowance=USUAL, arguments=(), colour="A", extra=()):
    """A player to be asked directly."""
    return PlayerProcess(replace(spec(name), arguments=arguments), colour, "4x3", let_read(allowance), extra)


def ready(player):
    """Started and made."""
    player.start()
    player.construct()
    return player
