"""The profile of one turn: what it watches, what it says, and its sentences for what cannot be done."""

import json
import os
import subprocess
import sys
import time
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path
from zipfile import ZipFile

import pytest

from referee.__main__ import main
from referee.profile import child
from tests import ROOT
from tests.support.agents import MEASURED
from tests.support.samples import few
from tests.support.typed import typed

# Plain Python, with functions of several kinds; neither `nodes` nor a search.  Its turn is long enough to be
# sampled at once: a shorter one is repeated many times, in vain.
STUDENT = """
class Player:
    def __init__(self, colour):
        self.told = []

    def action(self):
        if FAILS:
            raise RuntimeError("lost")
        def seven(number):
            return sum(number for _ in range(7))
        def seven_again(number):
            return sum(number for _ in range(7))
        for _ in range(50):
            seven(1)
        sum(range(1_000_000))
        print("thinking")
        self.action_of(self.inner)
        return best(seven_again(deeper(4) - 3)) - len(self.told)

    def update(self, colour, action):
        self.told.append(action)

    def action_of(self, inner):
        return inner.action_of(inner)

    class inner:
        def action_of(self):
            return 1


def deeper(depth):
    return 4 if depth == 0 else deeper(depth - 1)


best = lambda number: [value - 2 for value in (number,)][0]
"""


def profile(*words, cwd=ROOT):
    """The command's exit code, what it printed, and its complaints."""
    once = [] if "--samples" in words else ["--samples", "1"]  # where shares are not what matters
    return typed("profile", *words, *once, cwd=cwd)


def found(*words, cwd=ROOT):
    code, out, err = profile(*words, "--json", cwd=cwd)
    assert code == 0, err[-1000:]
    return json.loads(out)


def refused(*words, cwd=ROOT, code=2):
    ended, _, err = profile(*words, cwd=cwd)
    assert ended == code and err.count("\n") == 1, err[-1000:]
    return err


@pytest.fixture
def student(tmp_path):
    package = tmp_path / "team"
    package.mkdir()
    (package / "__init__.py").write_text("from .brain import Player\n")
    (package / "brain.py").write_text("FAILS = False\n" + STUDENT)
    return tmp_path


@pytest.fixture(scope="module")
def of_500_nodes():
    """The profile of Kalaha's agent at the named start, which several tests look at."""
    return found("kalaha", "kalaha_agent", "start", "--nodes", 500)


# In the suite one of each kind of search: a tree in Python, one over numpy's arrays, and matrices.
@pytest.mark.parametrize("game", few(["kalaha", "pentago", "ropasci"], MEASURED))
def test_every_agent_is_profiled_down_to_the_functions_its_search_makes(game, of_500_nodes):
    nodes = 30 if game == "ropasci" else 500
    figures = of_500_nodes if game == "kalaha" else found(game, f"{game}_agent", "--nodes", nodes)
    files = {function["file"] for function in figures["functions"] if not function["library"]}
    assert f"{game}_agent/player.py" in files and all(file.startswith(f"{game}_agent/") for file in files)
    cost, turn = figures["cost"], figures["turn"]
    assert (cost["counted_action"], cost["counted_nodes"]) == (turn["action"], figures["search"]["nodes"])
    assert any(line["hits"] for line in figures["lines"])
    assert sum(line["own"] for line in figures["lines"]) in (0, pytest.approx(1))


def test_a_record_that_begins_in_a_position_brings_the_agent_to_that_first(tmp_path):
    game = tmp_path / "game.txt"
    figures = "\tcpu 0.000000 0.000000\tmegabytes 0.000 0.000\n"
    position = "B 7 7 0 7 1 8 2 8 8 1 8 7 7 1"  # which A's first update would not fit at the start
    game.write_text(
        f"record: 1\ngame: 'kalaha'\nplayers: ('us', 'them')\nposition: {position!r}\n"
        f"turn 1: B 5{figures}turn 2: A 1{figures}"
    )
    profile = found("kalaha", "kalaha_agent", "--record", game, "--turn", 2, "--nodes", 500)
    assert profile["turn"]["position"] == "A 8 8 1 8 2 8 2 8 8 1 8 0 8 2"


def test_the_start_may_be_named(of_500_nodes):
    turn = of_500_nodes["turn"]
    assert (turn["where"], turn["position"]) == ("the start of the game", "A 6 6 6 6 6 6 0 6 6 6 6 6 6 0")
    assert "start" in refused("kalaha", "kalaha_agent", "begin")


def test_nodes_bound_the_turn_so_that_two_profiles_hit_the_same_lines(of_500_nodes):
    position = "A 6 6 6 6 6 6 0 6 6 6 6 6 6 0"  # the start
    first, second = found("kalaha", "kalaha_agent", "--nodes", 500, "--position", position), of_500_nodes
    assert hits(first) == hits(second)
    search = first["search"]
    assert search["nodes"] == 500 == second["search"]["nodes"]
    counted = [(line["file"], line["hits"]) for line in first["lines"] if line["source"] == "nodes += 1"]
    assert {file for file, _ in counted} == {"kalaha_agent/tree.py"}
    assert sum(number for _, number in counted) == 500
    assert search["variation"][0] == first["turn"]["action"] and len(search["scores"]) == search["depth"]


def hits(figures):
    return {(line["file"], line["line"]): line["hits"] for line in figures["lines"] if line["hits"]}


def test_a_package_of_plain_python_is_watched_with_its_nested_functions_told_apart(student):
    figures = found("kalaha", "team", cwd=student)
    assert figures["search"] is None and figures["turn"]["action"] == "5"
    hits = {line["source"]: line["hits"] for line in figures["lines"]}
    assert hits["seven(1)"] == 50 and hits["for _ in range(50):"] == 51
    calls = {function["function"].rpartition(".")[2]: function["calls"] for function in figures["functions"]}
    assert calls["seven"] == 50 and calls["seven_again"] == calls["action"] == 1


KINDS = """
import asyncio, functools, threading, time


def twice(function):
    def inner(number):
        return function(number) * 2
    return inner

@twice
def decorated(number):
    return number

def counts(most):
    for number in range(most):
        yield number

@functools.lru_cache(maxsize=None)
def fib(number):
    return number if number < 2 else fib(number - 1) + fib(number - 2)

async def step():
    await asyncio.sleep(0)
    return 1

async def steps():
    return [await step() for _ in range(6)]

def fails(number):
    try:
        raise ValueError(number)
    except ValueError:
        return 1

class Board:
    @property
    def worth(self):
        return 1

def threaded(most):
    total = 0
    for number in range(most):
        total += number

class Player:
    def __init__(self, colour):
        pass

    def action(self):
        for number in range(5):
            decorated(number)
            fails(number)
            Board().worth
        sum(counts(40))
        fib(10)
        asyncio.run(steps())
        thread = threading.Thread(target=threaded, args=(500,))
        thread.start()
        thread.join()
        return 1

class Timed(Player):
    def action(self):
        until = time.process_time() + 0.05
        while time.process_time() < until:
            sum(counts(10))
        return 1
"""


def test_hits_and_calls_are_exact_for_every_kind_of_function_and_in_threads(tmp_path):
    (tmp_path / "kinds.py").write_text(KINDS)
    figures = found("kalaha", "kinds.py", cwd=tmp_path)
    expected = {
        "return function(number) * 2": 5,
        "return number": 5,
        "for number in range(most):": 41 + 501,
        "yield number": 40,
        "return number if number < 2 else fib(number - 1) + fib(number - 2)": 11,
        "await asyncio.sleep(0)": 6,
        "raise ValueError(number)": 5,
        "except ValueError:": 5,
        "total += number": 500,
        "fails(number)": 5,
    }
    hits = Counter()
    for line in figures["lines"]:
        hits[line["source"]] += line["hits"] or 0
    assert {source: hits[source] for source in expected} == expected
    calls = {function["function"]: function["calls"] for function in figures["functions"]}
    assert (calls["counts"], calls["step"], calls["steps"], calls["fib"]) == (1, 6, 1, 11)
    assert calls["Board.worth"] == calls["twice.<locals>.inner"] == 5
    assert figures["cost"]["same_turn"]


def test_no_time_a_hit_is_told_of_a_turn_that_is_never_the_same(tmp_path):
    (tmp_path / "kinds.py").write_text(KINDS)
    code, out, _ = profile("kalaha", "kinds.py:Timed", "--samples", "20", cwd=tmp_path)
    assert code == 0 and "not the same each time" in out
    (line,) = (line for line in out.splitlines() if "sum(counts(10))" in line)
    assert line.split()[2] == "-"


COSTLY = """
import copy, threading

class Board:
    def __init__(self):
        self.cells = [[row * column for column in range(6)] for row in range(6)]

    def copy(self):
        return copy.deepcopy(self)

    def score(self):
        return sum(sum(row) for row in self.cells)


def tree(board, depth):
    return board.score() if depth == 0 else max([tree(board.copy(), depth - 1) for _ in range(3)])


def power(number):
    return number ** 40_000  # in C, and no bytecode after it that looks for signals


def counts(number):
    for step in range(number):
        yield step * step


def burn():
    sum(counts(600_000))


class Copies:
    def __init__(self, colour):
        pass

    def action(self):
        tree(Board(), 6)
        return 1


class Powers(Copies):
    def action(self):
        for number in range(25):
            power(number + 10)
            tree
        return 1


def rank(number):
    return sum([number % step for step in range(1, 5)])


class Sorts(Copies):
    def action(self):
        for _ in range(40):
            sorted(range(500), key=rank)
        return 1


class Threads(Copies):
    def action(self):
        thread = threading.Thread(target=burn)
        thread.start()
        thread.join()
        return 1
"""


@pytest.fixture
def costly(tmp_path):
    (tmp_path / "costly.py").write_text(COSTLY)

    def sampled(cls):
        figures = found("kalaha", f"costly:{cls}", "--samples", 100, cwd=tmp_path)
        for rows in ("lines", "functions"):
            assert abs(sum(row["own"] for row in figures[rows]) - 1) < 1e-9, "shares do not add up"
            assert all(row["own"] <= row["total"] + 1e-9 <= 1 + 2e-9 for row in figures[rows])
        return figures, {row["function"].rpartition(".")[2]: row for row in figures["functions"]}

    return sampled


def test_copying_by_the_library_is_its_callers_and_its_own_and_nobody_elses(costly):
    figures, functions = costly("Copies")
    assert functions["copy"]["total"] > 0.6 and functions["deepcopy"]["total"] > 0.6
    assert functions["deepcopy"]["library"] and functions["deepcopy"]["file"] == "copy.py"
    assert functions["deepcopy"]["calls"] > functions["copy"]["calls"] == 1092
    own = {name: row["own"] for name, row in functions.items() if not row["library"]}
    assert max(own.values()) < 0.3, "no function of the player's takes that time itself"
    (line,) = (row for row in figures["lines"] if row["source"] == "return copy.deepcopy(self)")
    assert line["total"] > 0.6 and line["hits"] == 1092
    # A comprehension is part of the function that it is written in.
    assert not [name for name in functions if name in ("<listcomp>", "<genexpr>") and functions[name]["own"]]
    assert functions["tree"]["total"] > 0.9, "recursion is counted once"
    places = [(row["file"], row["line"]) for row in figures["lines"]]
    assert len(places) == len(set(places))


def test_time_in_c_is_that_of_the_line_that_it_was_called_in(costly):
    figures, functions = costly("Powers")
    assert functions["power"]["own"] > 0.9 > 0.1 > functions["action"]["own"]
    assert figures["lines"][0]["source"].startswith("return number ** 40_000")


def test_functions_that_c_code_calls_all_the_time_do_not_break_the_profile(costly):
    _, functions = costly("Sorts")
    assert functions["rank"]["own"] > 0.5 and functions["action"]["total"] > 0.9


def test_what_a_thread_of_the_players_uses_is_counted_where_it_is_used(costly):
    _, functions = costly("Threads")
    assert functions["burn"]["total"] > 0.5 and functions["counts"]["own"] > 0.3
    assert functions["action"]["own"] < 0.3


def test_a_turn_of_a_record_is_reached_by_updates(student):
    path = student / "game.txt"
    path.write_text(
        "record: 1\ngame: 'kalaha'\nturn 1: A 2\tcpu 0.1 0.0\tmegabytes 1.0 1.0\n"
        "turn 2: B 3\tcpu 0.1 0.1\tmegabytes 1.0 1.0\nturn 3: A 1\tcpu 0.1 0.1\tmegabytes 1.0 1.0\n"
    )
    figures = found("kalaha", "team", "--record", path, "--turn", 3, cwd=student)
    turn = figures["turn"]
    assert (turn["colour"], turn["action"], turn["number"]) == ("A", "3", 3), "told two, it answers 5 - 2"
    assert "no turn 4" in refused("kalaha", "team", "--record", path, "--turn", 4, cwd=student)
    assert "go together" in refused("kalaha", "team", "--record", path, cwd=student)
    assert "game of kalaha" in refused("pentago", "team", "--record", path, "--turn", 1, cwd=student)


def test_a_player_in_a_zip_shows_its_lines(student):
    with ZipFile(student / "team.zip", "w") as archive:
        for path in (student / "team").glob("*.py"):
            archive.write(path, f"team/{path.name}")
    figures = found("kalaha", student / "team.zip")
    (seven,) = (line for line in figures["lines"] if line["source"] == "seven(1)")
    assert (seven["file"], seven["hits"]) == ("team/brain.py", 50)
    assert figures["sources"]["team/brain.py"] == (student / "team" / "brain.py").read_text().splitlines()


def test_the_referees_own_player_is_profiled_too():
    assert found("pentago", "greedy", "--top", 3)["turn"]["cpu"] > 0


def test_what_moved_is_shown_against_a_saved_profile_and_on_a_page(student):
    saved = student / "before.json"
    saved.write_text(profile("kalaha", "team", "--json", cwd=student)[1])
    brain = student / "team" / "brain.py"
    brain.write_text("# a line more\n" + brain.read_text().replace("range(50)", "range(90)"))
    code, out, err = profile("kalaha", "team", "--compare", saved, "--html", "<page>.html", cwd=student)
    assert code == 0, err
    assert "What moved" in out and "50 > 90" in out and "times as long" in out
    page = (student / "<page>.html").read_text()
    assert "://" not in page and "prefers-color-scheme: dark" in page and "width=device-width" in page
    assert "50 &gt; 90" in page
    reader = Tags()
    reader.feed(page)
    assert reader.open == [] and "table" in reader.seen


class Tags(HTMLParser):
    """Which elements a page has, and which it leaves open."""

    def __init__(self):
        super().__init__()
        self.open, self.seen = [], set()

    def handle_starttag(self, tag, attributes):
        self.seen.add(tag)
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_what_cannot_be_done_is_said_in_one_sentence(student):
    assert "set_up" in refused("kalaha", "team", "--position", "A 6 6 6 6 6 6 0 6 6 6 6 6 6 0", cwd=student)
    assert "nodes" in refused("kalaha", "team", "--nodes", 5, cwd=student)
    assert "seconds" in refused("kalaha", "team", "--time", 1, cwd=student)
    assert "above 0" in refused("kalaha", "team", "--top", 0, cwd=student)
    assert "above 0" in refused("kalaha", "team", "--samples", 0, cwd=student)
    assert "to act" in refused("kalaha", "team", "--colour", "B", cwd=student)
    assert "no package" in refused("kalaha", "taem", cwd=student)
    assert "no game" in refused("kalahaa", "team", cwd=student)
    assert "saved profile" in refused("kalaha", "team", "--compare", _broken(student), cwd=student)


def _broken(folder):
    path = folder / "broken.json"
    path.write_text("[1]")
    return path


def test_threads_that_a_player_leaves_behind_are_not_waited_for(student):
    thread = "import threading, time\nthreading.Thread(target=time.sleep, args=(1000,)).start()\n"
    (student / "team" / "__init__.py").write_text(f"{thread}from .brain import Player\n")
    assert found("kalaha", "team", cwd=student)["turn"]["action"] == "5"


def test_processes_that_a_player_leaves_behind_are_ended(student):
    begins = [
        "import multiprocessing, os, subprocess, sys",
        "from .brain import Player",
        "ready = multiprocessing.get_context('fork')",
        "fellow = ready.Process(target=ready.Event().wait, daemon=True)",
        "fellow.start()",
        "other = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(1000)'])",
        "print(fellow.pid, other.pid, file=open('here', 'w'))",
    ]
    (student / "team" / "__init__.py").write_text("\n".join(begins))
    assert found("kalaha", "team", cwd=student)["turn"]["action"] == "5"
    until = time.monotonic() + 300
    for pid in (student / "here").read_text().split():
        while _is_running(pid):
            assert time.monotonic() < until, "it is still there"
            time.sleep(0.02)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux says how much memory a process has")
def test_a_player_that_grows_without_end_runs_out_of_memory_alone(student):
    grows = "\nclass Grows(Player):\n    def action(self):\n        return len(bytes(6 * 10**9))\n"
    brain = student / "team" / "brain.py"
    brain.write_text(brain.read_text() + grows)
    said = refused("kalaha", "team.brain:Grows", cwd=student, code=1)
    assert "crashed in its action: MemoryError" in said


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux asks a process where it is")
@pytest.mark.parametrize("grouped", [True, False])
def test_an_action_that_never_ends_is_stopped_and_named_with_its_line(student, monkeypatch, capsys, grouped):
    monkeypatch.setattr(child, "LONGEST", 0.5)
    if not grouped:  # as for most users
        monkeypatch.setattr("referee.isolation.cgroup.make", lambda: None)
    brain = student / "team" / "brain.py"
    brain.write_text(
        brain.read_text() + "\nclass Loops(Player):\n    def action(self):\n        while True: pass\n"
    )
    line = len(brain.read_text().splitlines())
    assert main(["profile", "kalaha", f"{student / 'team' / 'brain.py'}:Loops"]) == 1
    said = capsys.readouterr().err
    assert f"action within 0.5 s of CPU time (it was stopped at team/brain.py:{line} in action)" in said


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends a process with its parent")
def test_a_profile_that_is_killed_leaves_no_player_running(student):
    says = "print(os.getpid(), file=open('here', 'w'))"
    lines = ["class Waits(Player):", "    def action(self):", f"        {says}"]
    brain = student / "team" / "brain.py"
    waits = "\n".join([*lines, "        time.sleep(1000)\n"])
    brain.write_text(f"import os, time\n{brain.read_text()}{waits}")
    command = [sys.executable, "-m", "referee", "profile", "kalaha", "team.brain:Waits"]
    here, until = student / "here", time.monotonic() + 300
    surroundings = {**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(student)}
    with subprocess.Popen(command, cwd=student, env=surroundings) as run:
        while not (here.exists() and here.read_text().endswith("\n")):
            assert time.monotonic() < until, "it was not asked for its action"
            time.sleep(0.02)
        run.kill()
    while _is_running(here.read_text().strip()):
        assert time.monotonic() < until, "it is still there"
        time.sleep(0.02)


def _is_running(pid):
    try:
        return Path("/proc", pid, "stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_a_player_that_raises_in_its_action_is_at_fault(student):
    brain = student / "team" / "brain.py"
    brain.write_text(brain.read_text().replace("FAILS = False", "FAILS = True"))
    assert "crashed in its action: RuntimeError: lost" in refused("kalaha", "team", cwd=student, code=1)


def test_a_file_that_is_no_python_is_named_by_its_path_and_line(student):
    (student / "team" / "brain.py").write_text("class Player:\n    x = (1,\n")
    said = refused("kalaha", "team", cwd=student, code=1)
    assert "SyntaxError: '(' was never closed (team/brain.py:2)" in said


EDITED = """
from pathlib import Path

class Player:
    def __init__(self, colour):
        pass

    def action(self):
        Path(__file__).with_name("more.py").write_text("# edited while it is profiled")
        return 1

    def update(self, colour, action):
        pass
"""


def test_an_agent_that_is_edited_while_it_is_profiled_is_refused(tmp_path):
    package = tmp_path / "team"
    package.mkdir()
    (package / "__init__.py").write_text(EDITED)
    said = refused("kalaha", "team", cwd=tmp_path)
    assert "team/more.py was changed while team was profiled; profile it again" in said
