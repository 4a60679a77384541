"""What `check` finds: a package with each fault, of which exactly that step complains, and clean ones."""

import contextlib
import json
import os
import re
import shutil
import tempfile
import zipfile
from pathlib import Path
from random import Random

import pytest

from referee import rules
from referee.__main__ import main
from referee.check import FAIL, NOT_TRIED, PASS, file_steps, sandbox
from referee.check.all_steps import Wanted, all_steps
from referee.check.courses import course
from referee.check.handin import HandIn, handed_in
from referee.check.language_step import step as language_step
from referee.check.source import sources
from referee.match import judging
from referee.players.names import resolve
from tests import ROOT
from tests.support.agents import MEASURED
from tests.support.samples import few

STUDENTS = ROOT / "tests" / "players" / "handin"
KALAHA = (STUDENTS / "kalaha.py").read_text()
STEPS = [
    "name",
    "size",
    "language",
    "imports",
    "import",
    "class",
    "constructor",
    "course game",
    "limits",
    "news",
    "second game",
    "two at once",
    "renamed",
    "output",
    "files",
    "threads",
]


def package(folder, files, name="team"):
    """Write a package; returns its folder."""
    for path, text in files.items():
        place = folder / name / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(text) if isinstance(text, bytes) else place.write_text(text)
    return folder / name


def steps_of(path, game="kalaha", part=1.0, until=""):
    """The steps by their names; where a later one is not the subject, up to the one that is."""
    spec, found = resolve(str(path)), {}
    with contextlib.closing(all_steps(game, spec, handed_in(spec), Wanted(part))) as steps:
        for step in steps:
            found[step.step] = step
            if step.step == until:
                break
    return found


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


# Clean ones


@pytest.mark.parametrize("game", sorted(path.stem for path in STUDENTS.glob("*.py")))
def test_clean_student_of_each_game_passes_every_step(game):
    steps = steps_of(STUDENTS / f"{game}.py", game)
    assert list(steps) == STEPS
    assert {step.state for step in steps.values()} == {PASS}, [step for step in steps.values()]
    assert "of 2 x " in steps["course game"].found and "actions of" in steps["course game"].found


FEW_NODES = """

defaults = Player.__init__.__defaults__
names = Player.__init__.__code__.co_varnames[: Player.__init__.__code__.co_argcount][-len(defaults) :]
told = {}
Player.__init__.__defaults__ = tuple(told.get(name, value) for name, value in zip(names, defaults))
"""


def of_few_nodes(game, folder):
    """A copy of the game's agent that searches so few nodes an action that it is in time on any machine.

    Its lots are the same each time where these are not what keeps it from being foretold: by four coins that
    fall alike, once in 256 times, games that part by lot look like games that disturb each other.
    """
    agent = f"{game.partition(':')[0]}_agent"
    shutil.copytree(ROOT / agent, folder / agent, ignore=shutil.ignore_patterns("__pycache__"))
    with (folder / agent / "__init__.py").open("a") as file:
        told = {"nodes": 3} if len(rules.start(game).to_act()) == 2 else {"nodes": 100, "seed": 1}
        file.write(FEW_NODES.format(told))
    return folder / agent


@pytest.mark.parametrize("game", MEASURED)
@pytest.mark.lengthy
def test_our_own_agent_passes_every_step(game, no_match, tmp_path, monkeypatch):
    # In the suite RoPaSci's games end after 60 turns, of 360, and where actions are to be quick they are of 3
    # nodes, as in the course's game: for 20 its agent takes 15 ms.
    monkeypatch.setattr("referee.rules.ropasci.MAX_TURNS", few(60, 360))
    if len(rules.start(game).to_act()) == 2:
        monkeypatch.setattr("referee.check.course_game.NODES", few(3, 20))
    steps = steps_of(of_few_nodes(game, tmp_path), game)
    # One course asks for absolute imports: `pack` writes them.
    remarked = ["imports"] if rules.start(game).COURSE.absolute_imports else []
    assert [step.step for step in steps.values() if step.state != PASS] == remarked
    assert steps["language"].figures["oldest"] == "3.6"


@pytest.mark.parametrize("game", ["kalaha:5x4", "fanorona:1100"])
def test_variants_are_told_to_players_that_name_them(game, no_match, tmp_path):
    steps = steps_of(of_few_nodes(game, tmp_path), game, until="course game")
    assert [step for step in steps.values() if step.state != PASS] == []


# Faults of one step each: (files of the package, the step, what it says)

SHARED_BOARD = (
    KALAHA.replace("class Player:\n", "PONDS = []\n\n\nclass Player:\n")
    .replace("self.ponds = [", "PONDS[:] = [")
    .replace("self.ponds", "PONDS")
)
KEPT_BOARD = KALAHA.replace("class Player:\n", "class Player:\n    ponds = None\n\n").replace(
    "self.ponds = [", "Player.ponds = Player.ponds or ["
)

FAULTS = {
    "other libraries, however they are imported": (
        student(
            top="import rich\nimport importlib\nimportlib.import_module('pluggy')",
            action="import iniconfig\n__import__('packaging')",
        ),
        "imports",
        "rich (team/__init__.py:4) is neither of",
        "pluggy (team/__init__.py:6)",
        "iniconfig",
        "packaging",
    ),
    "not handed in": (
        {**student(top="from .train import table"), "train/__init__.py": "table = 1\n"},
        "imports|import",
        "team.train (team/__init__.py:4) is not among the files",
    ),
    "own module by its bare name": (
        {**student(top="import board"), "board.py": ""},
        "imports|import",
        "write from .board import",
    ),
    "above the package": (student(top="from ..board import Board"), "imports|import", "above the package"),
    "newer Python": (
        {
            **student(top="from math import isqrt", action="if (n := 1) > 2: return n"),
            "search.py": "match 1:\n    case 1: pass\n",
            "notes.py": "print 'hello'\n",
        },
        "language",
        "an assignment with := needs 3.8",
        "a match statement needs 3.10",
        "math.isqrt needs 3.8",
        "team/notes.py:1",
    ),
    "raises at import": (student(top="raise RuntimeError('no table')"), "import", "RuntimeError: no table"),
    "ends at import": (student(top="import os\nos._exit(3)"), "import", "exit status 3"),
    "no class": ({"__init__.py": KALAHA.replace("class Player", "class Sower")}, "class", "it has Sower"),
    "constructor of two": (
        replaced("self, colour):", "self, colour, depth):"),
        "class",
        "the constructor takes colour, depth",
    ),
    "update of one": (replaced("self, colour, action):", "self, action):"), "class", "update takes action"),
    "no update": (replaced("def update", "def told"), "class", "Player has no update"),
    "one colour only": (
        student(constructor="assert colour == 'A', 'light only'"),
        "constructor",
        "'B': constructor raised Asser",
    ),
    "files written and read in many ways": (
        student(
            action="open('log.txt', 'a').close()",
            constructor="import os\nopen(os.path.expanduser('~/.kalaha'), 'w').close()",
            top=f"import os\nos.makedirs('cache', exist_ok=True)\nopen({str(ROOT / 'README.md')!r}).close()",
        ),
        "files",
        "writes log.txt in action (team/__init__",
        ".kalaha",
        "writes cache in import",
        "not in the package",
    ),
    "writes a temporary file": (
        student(top="import tempfile\nHELD = tempfile.NamedTemporaryFile()"),
        "files",
        "in import (team/__init__",
    ),
    "reads by the working directory": (
        {**student(top="open('team/book.txt').close()"), "book.txt": "1 3\n"},
        "renamed|files",
        "reads team/book.txt, relative to the working directory",
    ),
    "thread, process and network": (
        student(
            constructor="import threading\nthreading.Thread(target=id, args=(1,)).start()",
            top="import socket, subprocess, sys\nsocket.socket().close()\n"
            "subprocess.call([sys.executable, '-S', '-c', ''])",
        ),
        "threads",
        "starts a thread in constructor (team/__init__.py",
        "starts a process (",
        "opens a socket in import",
    ),
    "process that stays": (
        student(top="import os\nif os.fork() == 0:\n    import time\n    time.sleep(60)\n    os._exit(0)"),
        "threads",
        "1 processes were still there",
    ),
    "illegal action": (student(action="return 7"), "course game", "is illegal; legal are 1"),
    "odd action": (
        student(action="return float(next(p for p in range(1, 7) if self.ponds[self.mine][p - 1]))"),
        "course game",
        "an action has float in it, which the course's program takes for none",
    ),
    "list for an action": (student(action="return [1]"), "course game", "an action has list in it"),
    "own modules by bare names, in folders that nothing imports": (
        {
            **student(),
            "search/__init__.py": "",
            "search/board.py": "",
            "search/tree.py": "from search.board import Board\n",
            "eyes/__init__.py": "import search.board\n",
            "nose/__init__.py": "from nose.board import Board\n",
        },
        "imports",
        "write from .board import ...",
        "write from ..search.board import ...",
        "nose.board (team/nose/__init__.py:1) is not among the files",
    ),
    "raises at import, with numpy": (
        student(top="import numpy\nnumpy.ones((200, 200)) @ numpy.ones((200, 200))\n{}['x']"),
        "import",
        "KeyError: 'x'",
    ),
    "raises in a game": (
        student(action="if self.ponds[self.mine][0] == 0: {}['x']"),
        "course game",
        "KeyError",
    ),
    "crashes in C": (student(action="import os\nos.abort()"), "course game", "signal 6"),
    "wants exact ints": (
        student(update="assert type(action) is int, type(action)"),
        "news",
        "told of numpy numbers: turn",
    ),
    "board of the module": ({"__init__.py": SHARED_BOARD}, "two at once", "beside other games"),
    "board kept from the last game": (
        {"__init__.py": KEPT_BOARD},
        "second game|two at once",
        "in a second game in one process",
    ),
    "board made once, and strict": (
        {"__init__.py": KEPT_BOARD.replace("while left:", "assert left\n        while left:")},
        "second game|two at once",
        "update raised AssertionError",
    ),
    "plays before it is told": (
        student(
            action="chosen = next(pond for pond in range(1, 7) if self.ponds[self.mine][pond - 1])\n"
            "self.update('AB'[self.mine], chosen)\nreturn chosen"
        ),
        "course game",
        "it is told of your own actions too",
    ),
    "knows its name": (
        student(constructor="assert __name__ == 'team', __name__"),
        "renamed",
        "as another_name: constructor raised",
    ),
}


SIDE_BY_SIDE = ("second game", "two at once")

# Of six faults one is followed through all steps, in the suite the others up to the one that complains.
STOPPED_THERE = {fault for number, fault in enumerate(FAULTS) if number % 6}


@pytest.mark.parametrize("fault", FAULTS)
def test_of_each_fault_exactly_its_step_complains_in_a_useful_sentence(fault, tmp_path, no_match):
    files, wanted, *said = FAULTS[fault]
    wanted = wanted.split("|")
    last = wanted[-1] if fault in STOPPED_THERE else ""
    steps = steps_of(package(tmp_path, files), until=few(last, ""))
    assert failing(steps) == wanted, steps
    texts = [steps[name].found + steps[name].advice for name in wanted]
    assert [one for one in said if not any(one in text for text in texts)] == [], texts
    assert all(steps[name].advice for name in wanted)
    in_games = [steps[name].found for name in wanted if name in ("course game", "news", *SIDE_BY_SIDE)]
    for found in in_games:
        path = Path(found.rpartition("to look at it again: referee replay ")[2].split("\n")[0])
        account = judging.read(path)
        turns = re.findall(r"turn (\d+): ", found)  # of faults; else it played otherwise than alone
        assert ": same, " in judging.judge(account) if turns else account.verdict is None
        assert not turns or len(account.turns) == int(turns[-1])
    assert list(steps) == STEPS[: STEPS.index(few(last, "") or STEPS[-1]) + 1]


# What is said and keeps nobody from handing in: (game, files of the package, the step, what it says)


def of_game(game, old="", new=""):
    text = (STUDENTS / f"{game}.py").read_text()
    assert old in text
    return {"__init__.py": text.replace(old, new)}


OWN = ('return "MOVE", 1,', 'return "MOVE", numpy.int64(1),')
FLOATS = "            kind, what, to = action\n"
REMARKS = {
    "prints everywhere": (
        "kalaha",
        student(
            top="print('ready')",
            action="import os, sys\nos.write(1, b'raw')\nsys.stderr.write('hm')",
            update="print('thinking', colour)",
        ),
        "output",
        "printed in import: 'ready'",
        "in update: 'thinking A'",
        "'rawhm'",
    ),
    "its own names for news": (
        "ropasci",
        {
            "__init__.py": of_game("ropasci")["__init__.py"]
            .replace("opponent_action", "theirs")
            .replace("player_action", "ours")
        },
        "class",
        "update takes theirs, ours: the course's referee calls it by position",
    ),
    "wants no floats": (
        "ropasci",
        of_game("ropasci", FLOATS, f"{FLOATS}            assert all(type(one) is not float for one in to)\n"),
        "news",
        "told of whole floats: ",
    ),
    "numpy's numbers": (
        "expendibots",
        {"__init__.py": "import numpy\n" + of_game("expendibots", *OWN)["__init__.py"]},
        "course game",
        "has numpy.int64 in it, which the course's program takes",
    ),
    "relative imports": (
        "expendibots",
        {**of_game("expendibots", '"""A', 'from .board import SIZE\n"""A'), "board.py": "SIZE = 8\n"},
        "imports",
        "relatively (team/__init__.py:1); the course asks for absolute imports",
    ),
    "example player": (
        "kalaha",
        replaced("class Player", "class ExamplePlayer"),
        "class",
        "looks for Player",
    ),
}


@pytest.mark.parametrize("remark", REMARKS)
def test_what_the_course_takes_is_a_remark_that_keeps_nobody_from_handing_in(
    remark, tmp_path, no_match, capsys
):
    game, files, wanted, *said = REMARKS[remark]
    path = package(tmp_path, files)
    assert main(["check", game, str(path), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [row["step"] for row in found["steps"] if row["state"] == "remark"] == [wanted], found["steps"]
    (row,) = (row for row in found["steps"] if row["step"] == wanted)
    assert [one for one in said if one not in row["found"]] == [] and row["advice"]
    assert (found["objections"], found["remarks"]) == (0, 1)
    states = {row["step"]: row["state"] for row in found["steps"]}
    assert {states[step] for step in STEPS if step not in (wanted, "renamed")} == {"pass"}


ELSEWHERE = {  # where the class is, and what is advised
    "a repository": ("team/player.py", "class Player", "name the folder outer/team, if that is the package"),
    "a module": ("brain.py", "class Player", "let outer/__init__.py import it: from .brain import Player"),
    "below": ("ai/brain.py", "class Player", "let outer/__init__.py import it: from .ai.brain import Player"),
    "renamed": ("brain.py", "class Sower", "from .brain import Sower as Player"),
    "renamed at the top": ("__init__.py", "class Sower", "rename the class Sower to Player"),
    "nowhere": ("notes.py", "class", "write the class Player, with a constructor, action and update"),
}


@pytest.mark.parametrize("place", ELSEWHERE)
def test_a_class_that_is_not_where_the_course_looks_is_found_by_the_advice(place, tmp_path):
    path, name, advice = ELSEWHERE[place]
    text = KALAHA.replace("class Player", name) if name != "class" else ""
    files = {"__init__.py": "", path: text}
    if place == "a repository":
        files["team/__init__.py"] = "from team.player import Player\n"
    step = steps_of(package(tmp_path, files, "outer"), until="class")["class"]
    assert step.state == FAIL and advice in step.advice, step
    if place == "a repository":
        assert step.advice.endswith("else let outer/__init__.py import it: from .team.player import Player")


def test_a_fault_of_a_file_that_has_no_line_names_none(tmp_path):
    (source,) = sources(handed_in(resolve(str(package(tmp_path, {"__init__.py": b"x = 1\0\n"})))))
    assert source.wrong.startswith("team/__init__.py: ") and "null bytes" in source.wrong


def test_where_something_was_printed_it_is_not_said_that_nothing_was(tmp_path, no_news):
    step = steps_of(package(tmp_path, student(top="print('ready')")))["output"]
    assert step.found.startswith("printed in import: 'ready'") and "nothing" not in step.found


def test_what_libraries_look_for_on_the_path_of_imports_is_no_file_that_the_package_reads(
    tmp_path, monkeypatch, no_news
):
    monkeypatch.setattr(sandbox.site, "getusersitepackages", lambda: "__editable__.thing.__path_hook__")
    monkeypatch.setattr(sandbox.site, "ENABLE_USER_SITE", True)
    top = "from importlib import metadata\nmetadata.packages_distributions()"
    step = steps_of(package(tmp_path, student(top=top)))["files"]
    assert step.state == PASS, step


def test_the_users_own_site_is_not_set_up_before_the_package_is_imported(tmp_path, no_match):
    top = "import sys\nassert sys.flags.no_user_site, 'its .pth files may have run code'"
    steps = steps_of(package(tmp_path, student(top=top)), until="import")
    assert steps["import"].state == PASS, steps["import"]


def test_swapped_names_are_an_objection_since_the_course_calls_by_position(tmp_path, no_match):
    text = of_game("ropasci", "self, opponent_action, player_action", "self, player_action, opponent_action")
    steps = steps_of(package(tmp_path, text), "ropasci", until="constructor")
    assert failing(steps) == ["class"] and "calls it by position" in steps["class"].advice


# The libraries of a course's machine


@pytest.mark.parametrize(
    ("game", "library", "objected"),
    [
        ("kalaha", "scipy", True),
        ("ropasci", "scipy", False),
        ("expendibots", "scipy", False),
        ("expendibots", "aima3", False),
        ("pentago", "aima3", True),
        ("ropasci", "pandas", True),
    ],
)
def test_each_course_has_its_own_libraries(game, library, objected, tmp_path, monkeypatch, no_match):
    (tmp_path / "site" / library).mkdir(parents=True)
    own = "import sys\nsys.modules['_of_its_own'] = sys.modules[__name__]\n"
    (tmp_path / "site" / library / "__init__.py").write_text(own)
    monkeypatch.setattr(sandbox.site, "getusersitepackages", lambda: str(tmp_path / "site"))
    monkeypatch.setattr(sandbox.site, "ENABLE_USER_SITE", True)
    text = of_game(game)["__init__.py"]
    path = package(tmp_path, {"__init__.py": f"import {library}\n{text}"})
    steps = steps_of(path, game, until="constructor")
    assert failing(steps) == (["imports"] if objected else [])
    assert f"{library}" in steps["imports"].found and (not objected or "neither of" in steps["imports"].found)


def test_library_that_the_course_has_and_this_machine_has_not_is_to_be_installed(tmp_path, no_match):
    text = of_game("expendibots")["__init__.py"]
    steps = steps_of(
        package(tmp_path, {"__init__.py": f"import aima3\n{text}"}), "expendibots", until="class"
    )
    assert failing(steps) == ["import"] and "pip install aima3" in steps["import"].advice


# A second game


BOOK = """
class Player(Player):
    BOOK = [1, 1, 1]

    def action(self):
        legal = [pond for pond in range(1, 7) if self.ponds[self.mine][pond - 1]]
        if self.BOOK and self.BOOK.pop() in legal:
            return legal[0]
        return {}
"""


@pytest.mark.parametrize(
    ("rest", "top"),
    [
        ("legal[-1]", ""),
        ("random.choice(legal[1:] or legal)", "import random\n"),
        ("random.choice(legal[1:] or legal)", "import random\nrandom.seed(3)\n"),
        ("(legal[1:] or legal)[time.time_ns() // 1000 % len(legal[1:] or legal)]", "import time\n"),
    ],
    ids=["in order", "by lot", "by lots with a seed", "by the time"],
)
def test_book_of_the_class_that_the_first_game_uses_up_is_an_objection_whatever_follows(
    rest, top, tmp_path, no_news
):
    text = top + KALAHA + BOOK.format(rest)
    steps = steps_of(package(tmp_path, {"__init__.py": text}), until="second game")
    assert "second game" in failing(steps), steps["second game"]
    assert "its action 1 was" in steps["second game"].found


@pytest.mark.parametrize("seed", ["", "random.seed(5)\n", "LOTS = random.Random(5)\nrandom = LOTS\n"])
def test_lots_that_the_module_draws_are_no_state_of_a_game(seed, tmp_path, no_news):
    lots = student(action="return random.choice([p for p in range(1, 7) if self.ponds[self.mine][p - 1]])")
    files = {"__init__.py": f"import random\n{seed}{lots['__init__.py']}"}
    steps = steps_of(package(tmp_path, files), until="two at once")
    assert failing(steps) == []
    assert steps["second game"].found == "a second game in the same process goes as the first"


PREDICTABLE = {
    "the first there is": (
        'random.choice("rps")',
        '"r"',
        "random.choice(mine)",
        "mine[0]",
        "random.sample(STEPS, len(STEPS))",
        "STEPS",
    ),
    "a seed in the module": ("import random\n", "import random\nrandom.seed(360)\n"),
    "a seed in one seat": (
        "        self.thrown = 0\n",
        '        self.thrown = 0\n        if player == "lower":\n            random.seed(360)\n',
    ),
    "a seed in the game": ("        self.thrown = 0\n", "        self.thrown = random.seed(360) or 0\n"),
}


@pytest.mark.parametrize("kind", PREDICTABLE)
def test_predictable_player_is_an_objection_where_both_choose_at_once(kind, tmp_path, no_news):
    text = of_game("ropasci")["__init__.py"]
    for old, new in zip(PREDICTABLE[kind][::2], PREDICTABLE[kind][1::2], strict=True):
        text = text.replace(old, new)
    steps = steps_of(package(tmp_path, {"__init__.py": text}), "ropasci", until="second game")
    assert failing(steps) == ["second game"]
    assert "a list of actions made beforehand beats it" in steps["second game"].found


# Faults that need limits, games or steps of their own


@pytest.mark.lengthy
def test_hang_is_stopped_named_and_keeps_later_games_from_being_tried(tmp_path, monkeypatch):
    monkeypatch.setattr(sandbox, "PATIENCE", 8.0)
    steps = steps_of(package(tmp_path, student(action="import time\ntime.sleep(1000)")), "kalaha", 1.0)
    assert failing(steps) == ["course game"]
    assert "action did not come back within 8 s and was stopped" in steps["course game"].found
    assert [name for name in STEPS if steps[name].state == NOT_TRIED] == STEPS[8:13]


@pytest.mark.parametrize("place", ["top", "constructor"])
@pytest.mark.lengthy
def test_endless_loop_is_stopped_wherever_it_is(place, tmp_path, monkeypatch):
    """It sleeps, since it is the wall clock that ends it: what it burned would be the other tests'."""
    monkeypatch.setattr(sandbox, "PATIENCE", 1.0 if place == "top" else 8.0)  # within which it is imported
    step = {"top": "import"}.get(place, place)
    loop = "while True: __import__('time').sleep(0.01)"
    steps = steps_of(package(tmp_path, student(**{place: loop})), until=step)
    assert failing(steps) == [step]
    assert re.search(r"was stopped \(team/\w+\.py:\d+ in \S+\)", steps[step].found)


def test_time_over_the_courses_limit_is_an_objection_with_the_figures(tmp_path):
    slow = student(action="from time import process_time as now\nend = now() + 0.25\nwhile now() < end: pass")
    slow["__init__.py"] = slow["__init__.py"].replace("(self, colour", "(self, colour, seconds=1.0", 1)
    steps = steps_of(package(tmp_path, slow), part=0.2, until="course game")  # 0.2 s an action
    assert failing(steps) == ["course game"]
    assert "CPU" in steps["course game"].found and "clock" in steps["course game"].advice


def test_time_that_collecting_garbage_before_a_call_takes_is_not_the_players(tmp_path, no_match):
    files = student(
        constructor="COLLECTED.clear()",
        top="""\
import gc, time
COLLECTED = [1]
def burn(phase, info):
    if phase == "start" and not COLLECTED:
        COLLECTED.append(1)
        end = time.process_time() + 0.15
        while time.process_time() < end:
            pass
gc.callbacks.append(burn)
""",
    )
    files["__init__.py"] = files["__init__.py"].replace("(self, colour", "(self, colour, seconds=1.0", 1)
    step = steps_of(package(tmp_path, files), part=0.1, until="course game")["course game"]  # 0.1 s an action
    assert step.state == PASS, step


def test_address_space_beyond_both_players_share_is_an_objection(tmp_path, no_match):
    path = package(
        tmp_path, student(top="import mmap", constructor="self.table = mmap.mmap(-1, 250 * 2**20)")
    )
    steps = steps_of(path, until="course game")
    assert failing(steps) == ["course game"]
    assert "A" in steps["course game"].figures and "of 2 x 100 MB" in steps["course game"].found, steps[
        "course game"
    ]
    assert steps["course game"].figures["A"]["space_megabytes"] > 245, steps["course game"]


def test_own_referee_tells_what_it_would_forfeit_for(tmp_path):
    # 150 MB fit into what both players have in common on a course's machine; here each has its own 100.
    grows = student(constructor="self.table = b'1' * (150 * 2**20)")
    steps = steps_of(package(tmp_path, grows), until="limits")
    assert failing(steps) == ["limits"]
    assert "forfeits: out of memory in constructor" in steps["limits"].found


def test_numpy_first_imported_in_a_game_is_pointed_out(tmp_path, no_match):
    steps = steps_of(package(tmp_path, student(action="import numpy")), until="course game")
    assert "numpy is first imported in the middle of a game" in steps["course game"].found


def test_file_read_after_the_first_turn_is_an_objection_in_pentago_alone(tmp_path, no_news):
    late = "        import os\n        open(os.path.join(os.path.dirname(__file__), 'book.txt')).close()\n"
    for game, wanted in (("pentago", ["files"]), ("kalaha", [])):
        text = (
            (STUDENTS / f"{game}.py")
            .read_text()
            .replace("def update(self, colour, action):\n", ("def update(self, colour, action):\n" + late))
        )
        steps = steps_of(package(tmp_path / game, {"__init__.py": text, "book.txt": "1"}), game)
        assert failing(steps) == wanted


@pytest.mark.parametrize(
    ("name", "said"),
    [("random", "a module of the standard library"), ("scipy", "courses' machines"), ("class", "import")],
)
def test_name_that_is_somebody_elses_is_an_objection(name, said):
    step = file_steps.name_step(HandIn({f"{name}/__init__.py": b""}))
    assert step.state == FAIL and said in step.found and "rename" in step.advice


def test_package_larger_than_its_course_accepts_is_an_objection():
    lots = Random(7).randbytes(10_200_000)
    handin = HandIn({"team/__init__.py": b"", "team/data.npy": lots})
    step = file_steps.size_step(handin, course("pentago"))
    assert step.state == FAIL and "of the 10 MB" in step.found and "team/data.npy" in step.advice
    assert file_steps.size_step(handin, course("kalaha")).state == PASS


def test_package_that_imports_itself_by_its_name_passes_under_that_name(tmp_path, no_news):
    files = {"__init__.py": "from team.player import Player\n", "player.py": KALAHA}
    steps = steps_of(package(tmp_path, files), until="renamed")
    assert failing(steps) == []
    assert steps["renamed"].state == NOT_TRIED and "team/__init__.py:1" in steps["renamed"].found


def test_multiprocessing_may_be_imported_where_nothing_is_started(tmp_path, no_news):
    steps = steps_of(package(tmp_path, student(top="from multiprocessing import cpu_count")))
    assert failing(steps) == []


def test_module_or_class_within_the_package_can_be_named(tmp_path, no_match):
    files = {"__init__.py": "", "deep.py": KALAHA.replace("class Player", "class Sower")}
    steps = steps_of(f"{package(tmp_path, files)}/deep.py:Sower", until="course game")
    assert failing(steps) == []


def test_zip_is_checked_as_it_is_and_what_lies_beside_the_package_is_seen(tmp_path, no_match):
    with zipfile.ZipFile(tmp_path / "hand.zip", "w") as zipped:
        zipped.writestr("team/__init__.py", KALAHA)
        zipped.writestr("utils.py", "")
    steps = steps_of(tmp_path / "hand.zip", until="course game")
    assert failing(steps) == ["name"] and "utils.py lies beside the package" in steps["name"].found


def test_actions_drawn_by_lot_are_no_shared_state(tmp_path, no_news):
    lots = student(
        action="import random\nreturn random.choice([p for p in range(1, 7) if self.ponds[self.mine][p - 1]])"
    )
    steps = steps_of(package(tmp_path, lots), until="two at once")
    assert failing(steps) == [] and "time or lots" in steps["two at once"].found


SLOW = "import time\nspent = time.process_time() + 0.004\nwhile time.process_time() < spent: pass"
HASHED = "strings = {str(pond) for pond in range(1, 7) if self.ponds[self.mine][pond - 1]}\n"
HASHED += "return int(next(iter(strings)))"  # deterministic where the hashes of strings are


@pytest.mark.parametrize("action", [SLOW, HASHED], ids=["slow", "in the order of hashes"])
def test_a_deterministic_player_whose_second_game_differs_is_never_excused_by_time_or_lots(
    tmp_path, no_news, action
):
    counted = KALAHA.replace("class Player:", "GAMES = []\n\n\nclass Player:")
    counted = counted.replace("        self.mine =", "        GAMES.append(colour)\n        self.mine =")
    last = "options = [p for p in range(1, 7) if self.ponds[self.mine][p - 1]]\n"
    last += "if len(GAMES) > 1: return options[-1]\n"
    lines = "".join(f"        {line}\n" for line in (last + action).splitlines())
    text = counted.replace("        return next(", lines + "        return next(")
    steps = steps_of(package(tmp_path, {"__init__.py": text}), until="second game")
    assert failing(steps) == ["second game"]
    assert "it played otherwise" in steps["second game"].found
    assert "time or lots" not in steps["second game"].found


# The language


@pytest.mark.parametrize(
    ("text", "minor"),
    [
        ("x = 1_000\nf'{x}'", 6),
        ("from __future__ import annotations\ndef f(x: list[int] | None): pass", 7),
        ("import dataclasses", 7),
        ("from queue import SimpleQueue", 7),
        ("while x := f(): pass", 8),
        ("def f(a, /): pass", 8),
        ("f'{x=}'", 8),
        ("f'{x = !r:>5}'", 8),
        ("f'x={x!r}'", 6),
        ("f'{x == 1} {x <= 2}'", 6),
        ("import math as m\nm.prod([])", 8),
        ("from functools import lru_cache\n@lru_cache\ndef f(): pass", 8),
        ("from functools import lru_cache\n@lru_cache()\ndef f(): pass", 6),
        ("def f(a):\n    return 1, *a", 8),
        ("def f(a):\n    return (1, *a)", 6),
        ("from functools import cache", 9),
        ("'a'.removeprefix('b')", 9),
        ("import zoneinfo", 9),
        ("from graphlib import TopologicalSorter", 9),
        ("x = list[int]", 9),
        ("def f(x: dict[str, int]): pass", 9),
        ("def f():\n    x: list[int] = []", 6),
        ("list = [1]\nlist[0]", 6),
        ("import collections.abc\nx = collections.abc.Callable[[], int]", 9),
        ("@a[0]\ndef f(): pass", 9),
        ("(5).bit_count()", 10),
        ("def bit_count(x): pass\nself.bit_count()", 6),
        ("match x:\n    case 1: pass", 10),
        ("def f(x: int | None): pass", 10),
        ("x = 1 | 2", 6),
        ("zip(a, b, strict=True)", 10),
        ("from itertools import pairwise", 10),
        ("import tomllib", 11),
        ("try:\n    pass\nexcept* ValueError:\n    pass", 11),
        ("from enum import StrEnum", 11),
        ("from itertools import batched", 12),
        ("try:\n    from math import isqrt\nexcept ImportError:\n    isqrt = None", 6),
        ("try:\n    count = int.bit_count\nexcept AttributeError:\n    count = None", 6),
        ("count = int.bit_count if hasattr(int, 'bit_count') else None", 6),
        ("import sys, math\nif sys.version_info >= (3, 8):\n    math.prod([])", 6),
        ("import math\ntry:\n    math.prod([])\nexcept Exception:\n    pass", 8),
    ],
)
def test_oldest_python_is_told_by_grammar_and_library(text, minor):
    step = language_step(sources(HandIn({"team/__init__.py": text.encode()})))
    assert step.figures["oldest"] == f"3.{minor}", step
    assert (step.state == FAIL) == (minor > 6)
    assert minor == 6 or f"needs 3.{minor} (team/__init__.py:" in step.found


def test_newer_python_is_no_objection_where_the_course_has_it(tmp_path, no_news, capsys):
    path = package(tmp_path, student(top="from math import isqrt"))
    assert main(["check", "kalaha", str(path), "--python", "3.8"]) == 0
    assert "runs on CPython 3.8 and newer" in capsys.readouterr().out


# The command


def test_command_prints_a_row_a_step_and_exits_1_with_objections(tmp_path, no_news, capsys):
    path = package(tmp_path, student(update="print('thinking')\nopen('log.txt', 'w').close()"))
    assert main(["check", "kalaha", str(path)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("pass   name ")
    assert lines[-1] == "1 objection: files; 1 remark: output"
    assert any(line.startswith("FAIL   files ") for line in lines)
    assert any(line.startswith("remark output ") for line in lines)
    assert any("-> print little" in line for line in lines)


def test_json_is_one_object_with_a_row_a_step(tmp_path, no_match, capsys):
    path = package(tmp_path, student())
    assert main(["check", "kalaha", str(path), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert list(found) == ["game", "agent", "package", "oldest", "objections", "remarks", "steps"]
    assert [step["step"] for step in found["steps"]] == STEPS and found["objections"] == 0
    assert all(list(step) == ["step", "state", "found", "advice", "figures"] for step in found["steps"])


def test_several_players_are_told_one_after_the_other_and_one_that_cannot_be_read_is_an_objection(
    tmp_path, capsys, no_news
):
    good = str(package(tmp_path, student(), "good"))
    bad = str(package(tmp_path, student(action="return None"), "bad"))
    zipped = tmp_path / "deep.zip"
    with zipfile.ZipFile(zipped, "w") as archive:
        archive.writestr("hand in/deep/__init__.py", "")
    words = ["check", "kalaha", good, bad, str(zipped), "--share", "0.1", "--record", str(tmp_path / "games")]
    assert main([*words, "--json", "--save", str(tmp_path / "found")]) == 1
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [one["objections"] > 0 for one in found] == [False, True, True]
    assert [one["package"] for one in found] == ["good", "bad", None]
    assert "zip 'hand in/deep' itself" in found[2]["steps"][0]["found"]
    assert "is there a `return` on every way?" in str(found[1]["steps"])
    assert len((tmp_path / "found").read_text().splitlines()) == 3
    assert main([*words, "--only", "name"]) == 1
    out = capsys.readouterr().out
    assert f"{good}: nothing to object to\n" in out and "\n2 of 3 players have nothing to object to\n" in out
    assert main(["check", "kalaha", good, str(tmp_path / "nowhere")]) == 2


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["kalah", "kalaha_agent"], "did you mean 'kalaha'"),
        (["kalaha", "nowhere"], "there is no package 'nowhere'"),
        (["kalaha", "random"], "the referee's own player"),
        (["kalaha", "kalaha_agent,nodes=3"], "leave out nodes"),
        (["kalaha", "kalaha_agent", "--share", "2"], "at most 1"),
        (["kalaha", "kalaha_agent", "--python", "2.7"], "such as 3.6"),
        (["kalaha"], "AGENT"),
    ],
)
def test_users_mistake_is_one_sentence_and_exit_2(words, said, capsys):
    assert main(["check", *words]) == 2
    printed = capsys.readouterr()
    assert said in printed.err and printed.err.count("\n") == 1 and not printed.out


def test_file_whose_name_no_zip_can_hold_is_to_be_renamed(tmp_path, capsys):
    path = package(tmp_path, {**student(), os.fsdecode(b"f\xfcr.txt"): ""})
    for command in (["check", "kalaha", f"{path}/"], ["pack", "kalaha", f"{path}/", str(tmp_path / "a.zip")]):
        assert main(command) == 2
        printed = capsys.readouterr()
        assert "rename it" in printed.err and printed.err.count("\n") == 1 and not printed.out


def test_file_that_is_no_python_is_named_by_its_path_and_line(tmp_path, no_match):
    files = {"__init__.py": "from .board import Player\n", "board.py": "x = 1\nclass Player:\n    y = (1,\n"}
    found = steps_of(package(tmp_path, files), until="import")["import"].found
    assert "SyntaxError: '(' was never closed (team/board.py:3 in <module>" in found
    alone = steps_of(package(tmp_path, {"__init__.py": "if True:\nx = 1\n"}, "alone"), until="import")
    assert "IndentationError" in alone["import"].found and "(alone/__init__.py:2" in alone["import"].found


def test_package_that_says_a_number_is_its_file_is_taken_for_another(tmp_path, no_match):
    steps = steps_of(package(tmp_path, student(top="__file__ = 5")), until="import")
    assert "import" in failing(steps) and "brings another module: 5" in steps["import"].found


@pytest.mark.parametrize(
    "makes",
    [
        "os.makedirs('kept/deep', exist_ok=True)\nos.chmod('kept', 0)",
        "for _ in range(2000): os.makedirs('kept', exist_ok=True); os.chdir('kept')",
    ],
    ids=["without rights", "deep"],
)
def test_nothing_of_a_check_is_left_in_the_temporary_folder(makes, tmp_path, monkeypatch, no_news):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "tmp"))
    (tmp_path / "tmp").mkdir()
    top = f"import os\nhere = os.getcwd()\n{makes}\nos.chdir(here)"
    steps = steps_of(package(tmp_path, student(top=top)))
    assert "writes kept in import" in steps["files"].found
    assert list((tmp_path / "tmp").iterdir()) == []


@pytest.mark.lengthy
def test_package_that_eats_memory_or_floods_its_output_is_stopped(tmp_path, monkeypatch):
    monkeypatch.setattr(sandbox, "RUNAWAY", 300)
    eats = student(constructor="self.table = []\nwhile True: self.table.append(b'1' * 2**20)")
    steps = steps_of(package(tmp_path / "a", eats))
    assert failing(steps) == ["constructor"] and "grew beyond 300 MB" in steps["constructor"].found
    monkeypatch.setattr(sandbox, "PATIENCE", 8.0)
    # A hundred megabytes at once, then more slowly: it need not burn until it is stopped.
    lines = "    print('x' * 10**6)\n    time.sleep(0 if number < 100 else 0.05)"
    floods = student(constructor=f"import time\nfor number in range(10**9):\n{lines}")
    steps = steps_of(package(tmp_path / "b", floods))
    assert failing(steps) == ["constructor"] and steps["output"].state == "remark"


def test_where_a_course_game_fails_in_one_seat_no_further_games_are_tried(tmp_path, no_match):
    steps = steps_of(package(tmp_path, student()), "kalaha:4x3")  # it was not told of the board
    assert failing(steps) == ["course game"]
    assert "names no `variant`" in steps["constructor"].found
    assert {steps[name].state for name in STEPS[8:13]} == {NOT_TRIED}
