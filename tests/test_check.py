"""What `check` finds: a package with each fault, of which exactly that step complains, and clean ones."""

import json
import zipfile
from pathlib import Path

import pytest

from referee import check, rules
from referee.__main__ import main
from referee.checks import FAIL, NOT_TRIED, PASS, Step, lab
from referee.checks.language import step as language_step
from referee.checks.played import Played
from referee.checks.source import sources
from referee.handin import HandIn, handed_in
from referee.players import resolve

ROOT = Path(__file__).resolve().parent.parent
STUDENTS = ROOT / "tests" / "players" / "handin"
KALAHA = (STUDENTS / "kalaha.py").read_text()
STEPS = [
    "name", "size", "language", "imports", "import", "class", "constructor", "course game", "limits", "news",
    "second game", "two at once", "renamed", "output", "files", "threads",
]  # fmt: skip


def package(folder, files, name="team"):
    """Write a package; returns its folder."""
    for path, text in files.items():
        place = folder / name / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(text) if isinstance(text, bytes) else place.write_text(text)
    return folder / name


def steps_of(path, game="kalaha", part=1.0):
    spec = resolve(str(path))
    return {step.step: step for step in check.walk(game, spec, handed_in(spec), part)}


def failing(steps):
    return [name for name, step in steps.items() if step.state == FAIL]


def student(**changes):
    """The Kalaha student's package with lines put in: at the top, in a method, or in place of something."""
    text = KALAHA
    anchors = {
        "constructor": "        self.mine =",
        "action": "        return next(",
        "update": "        me =",
        "top": "class Player:",
    }
    for place, lines in changes.items():
        anchor = anchors[place]
        indent = anchor[: len(anchor) - len(anchor.lstrip())]
        put = "".join(f"{indent}{line}\n" for line in lines.split("\n"))
        text = text.replace(anchor, put + anchor, 1)
    return {"__init__.py": text}


def replaced(old, new):
    assert old in KALAHA
    return {"__init__.py": KALAHA.replace(old, new)}


@pytest.fixture
def no_match(monkeypatch):
    """Leaves out the games between processes, which cost most and have tests of their own."""
    monkeypatch.setattr(Played, "limits_step", lambda self: Step("limits", PASS, "left out here"))


# Clean ones


@pytest.mark.parametrize("game", rules.games())
def test_clean_student_of_each_game_passes_every_step(game):
    steps = steps_of(STUDENTS / f"{game}.py", game)
    assert list(steps) == STEPS
    assert {step.state for step in steps.values()} == {PASS}, [step for step in steps.values()]
    assert "of 2 x " in steps["course game"].found and "actions of" in steps["course game"].found


@pytest.mark.parametrize("game", rules.games())
def test_our_own_agent_passes_every_step(game):
    part = 0.02 if rules.start(game).LIMITS.game else 0.1
    steps = steps_of(ROOT / f"{game}_agent", game, part)
    assert [step for step in steps.values() if step.state != PASS] == []
    assert steps["language"].figures["oldest"] == "3.6"


@pytest.mark.parametrize("game", ["kalaha:5x4", "fanorona:1100"])
def test_variants_are_told_to_players_that_name_them(game, no_match):
    steps = steps_of(ROOT / f"{game.partition(':')[0]}_agent", game, part=0.1)
    assert [step for step in steps.values() if step.state != PASS] == []


# One fault each: (files of the package, the step, what it says)

SHARED_BOARD = KALAHA.replace("class Player:\n", "PONDS = []\n\n\nclass Player:\n").replace(
    "self.ponds = [", "PONDS[:] = ["
).replace("self.ponds", "PONDS")  # fmt: skip
KEPT_BOARD = KALAHA.replace("class Player:\n", "class Player:\n    ponds = None\n\n").replace(
    "self.ponds = [", "Player.ponds = Player.ponds or ["
)  # fmt: skip

FAULTS = {
    "other library": (student(top="import rich"), "imports", "rich (team/__init__.py:4) is neither of"),
    "other library in a function": (student(action="import rich"), "imports", "rich"),
    "other library by its name": (
        student(top="import importlib\nimportlib.import_module('rich')"),
        "imports", "rich (team/__init__.py:5)"),
    "other library by __import__": (student(action="__import__('rich')"), "imports", "rich"),
    "not handed in": (
        {**student(top="from .train import table"), "train/__init__.py": "table = 1\n"},
        "imports|import", "team.train (team/__init__.py:4) is not among the files"),
    "own module by its bare name": (
        {**student(top="import board"), "board.py": ""}, "imports|import", "write from .board import"),
    "above the package": (student(top="from ..board import Board"), "imports|import", "above the package"),
    "walrus": (student(action="if (n := 1) > 2: return n"), "language", "an assignment with := needs 3.8"),
    "match": (student(action="match 1:\n    case 1: pass"), "language", "a match statement needs 3.10"),
    "library of 3.8": (student(top="from math import isqrt"), "language", "math.isqrt needs 3.8"),
    "no Python": ({**student(), "notes.py": "print 'hello'\n"}, "language", "team/notes.py:1"),
    "raises at import": (student(top="raise RuntimeError('no table')"), "import", "RuntimeError: no table"),
    "ends at import": (student(top="import os\nos._exit(3)"), "import", "exit status 3"),
    "no class": ({"__init__.py": KALAHA.replace("class Player", "class Sower")}, "class", "it has Sower"),
    "constructor of two": (
        replaced("self, colour):", "self, colour, depth):"),
        "class", "the constructor takes colour, depth"),
    "update of one": (replaced("self, colour, action):", "self, action):"), "class", "update takes action"),
    "no update": (replaced("def update", "def told"), "class", "Player has no update"),
    "one colour only": (
        student(constructor="assert colour == 'A', 'light only'"),
        "constructor", "'B': constructor raised Asser"),
    "prints": (student(update="print('thinking', colour)"), "output", "printed in update: 'thinking A'"),
    "prints at import": (student(top="print('ready')"), "output", "printed in import: 'ready'"),
    "prints from C": (student(action="import os\nos.write(1, b'raw')"), "output", "'raw'"),
    "prints an error": (student(action="import sys\nsys.stderr.write('hm')"), "output", "'hm'"),
    "writes": (
        student(action="open('log.txt', 'a').close()"),
        "files", "writes log.txt in action (team/__init__"),
    "writes to home": (
        student(constructor="import os\nopen(os.path.expanduser('~/.kalaha'), 'w').close()"),
        "files", ".kalaha"),
    "writes a temporary file": (
        student(top="import tempfile\nHELD = tempfile.NamedTemporaryFile()"),
        "files", "in import (team/__init__"),
    "makes a folder": (
        student(top="import os\nos.makedirs('cache', exist_ok=True)"),
        "files", "writes cache in import"),
    "reads elsewhere": (
        student(top=f"open({str(ROOT / 'README.md')!r}).close()"),
        "files", "not in the package"),
    "reads by the working directory": (
        {**student(top="open('team/book.txt').close()"), "book.txt": "1 3\n"},
        "renamed|files", "reads team/book.txt, relative to the working directory"),
    "thread": (
        student(constructor="import threading\nthreading.Thread(target=print, args=('',), kwargs={'end': ''}).start()"),
        "threads", "starts a thread in constructor (team/__init__.py"),
    "process": (
        student(top="import subprocess, sys\nsubprocess.call([sys.executable, '-c', ''])"),
        "threads", "a process"),
    "process that stays": (
        student(top="import os\nif os.fork() == 0:\n    import time\n    time.sleep(60)\n    os._exit(0)"),
        "threads", "1 processes were still there"),
    "network": (student(top="import socket\nsocket.socket().close()"), "threads", "opens a socket in import"),
    "illegal action": (student(action="return 7"), "course game", "is illegal; legal are 1"),
    "odd action": (
        student(action="return float(next(p for p in range(1, 7) if self.ponds[self.mine][p - 1]))"),
        "course game", "an action has float in it"),
    "raises in a game": (
        student(action="if self.ponds[self.mine][0] == 0: {}['x']"),
        "course game", "KeyError"),
    "crashes in C": (student(action="import os\nos.abort()"), "course game", "signal 6"),
    "takes its own colour for its index": (
        replaced('me = "AB".index(colour)', "me = ['A', 'B'].index(colour)\n        assert type(action) is int"),
        "news", "told of numpy numbers: turn"),
    "board of the module": ({"__init__.py": SHARED_BOARD}, "two at once", "beside other games"),
    "board kept from the last game": (
        {"__init__.py": KEPT_BOARD}, "second game|two at once", "in a second game in one process"),
    "knows its name": (
        student(constructor="assert __name__ == 'team', __name__"),
        "renamed", "as another_name: constructor raised"),
}  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS)
def test_of_each_fault_exactly_its_step_complains_in_a_useful_sentence(fault, tmp_path, no_match):
    files, wanted, said = FAULTS[fault]
    wanted = wanted.split("|")
    steps = steps_of(package(tmp_path, files))
    assert failing(steps) == wanted, steps
    texts = [steps[name].found + steps[name].advice for name in wanted]
    assert any(said in text for text in texts), texts
    assert all(steps[name].advice for name in wanted)
    assert list(steps) == STEPS
