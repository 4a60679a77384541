"""Are a profile's shares true? `python -m tests.long.profile_truth` profiles a turn whose costs are known.

The turn has a part for each kind of Python there is: plain lines, recursion, generators, coroutines,
properties, exceptions, threads, numpy, library code and more.  Each burns until the CPU clock says that it
has had its time, and writes down what it took.  So every part's share is known on any machine, however busy.
While the player sleeps, numpy's threads still spin for a moment, as they do after each product of matrices.
Three more parts take turns with each other many times, one a tenth, one three and one six.  `--busy 3` runs
beside three processes that compute.

A profile says of its shares that in 95 % of profiles all of them are within their errors.  So some runs may
have a share that is off: one of 20 is to be expected, more than four are met once in 400 times.  More than
that, or a share that is off by more than twice its error, ends this with exit status 1.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from math import comb
from pathlib import Path

from referee.players.names import resolve
from referee.profile.measure import Effort, ProfiledTurn, measure
from referee.rules import start

PARTS = (
    "plain", "comprehension", "nested_comprehension", "generator", "recursion", "deep", "deeper",
    "mutual", "inherited",
    "attribute", "decorated", "anonymous", "nested", "closure", "raising", "made", "remembered", "coroutines",
    "collecting", "text", "numpy_short", "numpy_long", "numpy_sort", "copying", "sorting", "in_a_thread",
    "threaded_numpy", "sleeping", "a_long_call", "between_calls", "seldom", "often", "mostly",
)  # fmt: skip
APART = "in_a_thread", "sleeping", "a_long_call", "between_calls", "seldom", "often", "mostly"
ONE_OFF = 0.05  # the chance that a profile has a share outside its error
FAR = 2.0  # errors
PACKAGE = {
    "__init__.py": "from .team import Player\n",
    "work/__init__.py": "",
    "work/board.py": """
class Board:
    def __init__(self):
        self.cells = list(range(50))

    def inherited(self):
        for cell in self.cells:
            self.one(cell)

    def one(self, cell):
        return cell * cell

    @property
    def worth(self):
        return sum(cell * 3 for cell in self.cells)


class Larger(Board):
    def one(self, cell):
        return super().one(cell) + 1
""",
    "work/parts.py": """
import asyncio, copy, functools, gc, json, re
import numpy
from .board import Larger

ROWS = [[row * column for column in range(20)] for row in range(20)]
NUMBERS = numpy.arange(1_000.0)
LARGE = numpy.arange(400_000.0)
MIXED = numpy.random.default_rng(1).random(150_000)
LONG = range(600_000)
SQUARE = numpy.random.default_rng(2).random((400, 400))
BOARD = Larger()
LOOP = asyncio.new_event_loop()


def plain():
    total = 0
    for number in range(200):
        total += number * number


def comprehension():
    [number * number for number in range(200)]


def nested_comprehension():
    {row: [cell for cell in range(20) if cell != row] for row in range(20)}


def squares(most):
    for number in range(most):
        yield number * number


def both(most):
    yield from squares(most)


def generator():
    sum(both(100)) + sum(number for number in squares(100))


def recursion(depth=50):
    return 0 if depth == 0 else 1 + recursion(depth - 1)


def deep():
    recursion(300)  # more frames than are written down of a sample


def deeper():
    recursion(800)


def mutual(depth=40):
    return depth and other(depth - 1)


def other(depth):
    for _ in range(20):
        pass
    return depth and mutual(depth - 1)


def inherited():
    BOARD.inherited()


def attribute():
    BOARD.worth


def counted(function):
    @functools.wraps(function)
    def inner(*given):
        return function(*given)
    return inner


@counted
@counted
def decorated():
    sum(range(300))


anonymous = lambda: [one * one for one in range(50)]


def nested():
    def inner(number):
        return number + 1
    for number in range(50):
        inner(number)


def closure_of(step):
    return lambda: sum([number + step for number in range(60)])


closure = closure_of(3)


def fails(number):
    raise ValueError(number)


def raising():
    for number in range(20):
        try:
            fails(number)
        except ValueError as error:
            str(error)


exec(compile('''
def made():
    for number in range(100):
        number * number
''', "<made>", "exec"))


@functools.lru_cache(maxsize=None)
def fib(number):
    return number if number < 2 else fib(number - 1) + fib(number - 2)


def remembered():
    fib.cache_clear()
    fib(40)


async def step(number):
    await asyncio.sleep(0)
    return sum(range(100))


async def steps():
    return await asyncio.gather(*[step(number) for number in range(5)])


def coroutines():
    LOOP.run_until_complete(steps())


def collecting():
    gc.collect(0)
    for _ in range(20):
        loop = []
        loop.append(loop)


def text():
    json.loads(json.dumps(ROWS[:3]))
    re.sub("([0-9])", "<\\\\1>", "a1b2c3" * 20)


def numpy_short():
    NUMBERS[::2].dot(NUMBERS[1::2])


def numpy_long():
    numpy.sqrt(LARGE).sum()


def numpy_sort():
    numpy.sort(MIXED)  # longer than there is between two samples


def copying():
    copy.deepcopy(ROWS)


def negative(number):
    return -number


def sorting():
    sorted(range(200), key=negative)


def in_a_thread():
    total = 0
    for number in range(200):
        total -= number


def threaded_numpy():
    SQUARE @ SQUARE  # by threads of a library's, where there are processors for them


def a_long_call():
    sum(LONG)


def seldom():
    for _ in range(5):
        pass


often = mostly = between_calls = seldom
""",
}
TEAM = """
import json, signal, threading, time
from .work import parts

EACH, ROUNDS = %g, 40
SPENT = %r


def clock():
    sampler = getattr(signal.getsignal(signal.SIGPROF), "__self__", None)
    return time.process_time() - (sampler.waited if sampler else 0.0)


def until(name, seconds=EACH):
    work, begun = getattr(parts, name), clock()
    end = begun + seconds
    while clock() < end:
        work()
    used[name] = used.get(name, 0.0) + clock() - begun


used = {}


def in_a_thread():
    until("in_a_thread")  # in_a_thread


class Player:
    def __init__(self, colour):
        pass

    def action(self):
        begun = clock()
%s
        thread = threading.Thread(target=in_a_thread)
        thread.start()
        thread.join()
        asleep = clock()
        time.sleep(0.05)  # sleeping
        used["sleeping"] = clock() - asleep
        for _ in range(4):
            until("a_long_call", 0.001)  # a_long_call
            until("between_calls", EACH / 4)  # between_calls
        for _ in range(ROUNDS):
            until("seldom", 3 * EACH / ROUNDS * 0.1)  # seldom
            until("often", 3 * EACH / ROUNDS * 0.3)  # often
            until("mostly", 3 * EACH / ROUNDS * 0.6)  # mostly
        with open(SPENT, "a") as file:
            print(json.dumps([clock() - begun, used]), file=file)
        used.clear()
        return 1
"""


def shares(folder: Path, samples: int, each: float = 0.02) -> dict[str, tuple[float, float, float]]:
    """Of each part of the turn the total share of its line, the stated error, and the truth."""
    package, spent = folder / "costs", folder / "spent.txt"
    (package / "work").mkdir(parents=True, exist_ok=True)
    spent.write_text("")
    for name, text in PACKAGE.items():
        (package / name).write_text(text)
    straight = [part for part in PARTS if part not in APART]
    lines = "\n".join(f'        until("{part}")  # {part}' for part in straight)
    (package / "team.py").write_text(TEAM % (each, str(spent), lines))
    turn = ProfiledTurn("kalaha", start("kalaha"), 0, [], None, "the start of the game")
    profile = measure(resolve(str(package)), turn, Effort(samples=samples))
    truth = _spent(spent)
    assert abs(sum(line["own"] for line in profile["lines"]) - 1) < 1e-6, "own shares add up"
    assert all(row["total"] <= 1 for row in (*profile["lines"], *profile["functions"]))
    found = {}
    for line in profile["lines"]:
        part = line["source"].partition("  # ")[2]
        if part in truth and line["file"].endswith("team.py"):
            found[part] = line["total"], line["total_error"], truth[part]
    return found


def _spent(path: Path) -> dict[str, float]:
    """Of each part its share of all CPU time that the turns took, by their own account."""
    turns = [json.loads(line) for line in path.read_text().splitlines()]
    whole = sum(cpu for cpu, _ in turns)
    return {part: sum(used.get(part, 0.0) for _, used in turns) / whole for part in PARTS}


def off(found: dict[str, tuple[float, float, float]], times: float = 1.0) -> list[str]:
    """The parts whose share is farther from the truth than so many times what is stated."""
    return [
        f"{part}: {share:.1%} +- {error:.1%}, not {truth:.1%}"
        for part, (share, error, truth) in found.items()
        if abs(share - truth) > times * error
    ]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.long.profile_truth")
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--busy", type=int, default=0, metavar="N", help="processes that compute beside it")
    parser.add_argument("--samples", type=int, default=2000)
    options = parser.parse_args()
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(options.busy)]
    wrong = checked = 0
    worst = []
    try:
        with tempfile.TemporaryDirectory() as folder:
            for run in range(1, options.runs + 1):
                found = shares(Path(folder), options.samples)
                missed = [*off(found), *(f"{part}: not seen" for part in PARTS if part not in found)]
                wrong, checked = wrong + bool(missed), checked + len(found)
                times, part = max(
                    (abs(one - truth) / error, part) for part, (one, error, truth) in found.items()
                )
                worst.append(times)
                said = f"{len(found)} shares, the farthest {part} by {times:.2f} of its error"
                print(f"run {run}: {said}" + "".join(f"\n  off: {one}" for one in missed), flush=True)
    finally:
        for process in busy:
            process.kill()
            process.wait()
    load = f"load {os.getloadavg()[0]:.0f}, {checked} shares"
    may = allowed(options.runs)
    print(
        f"{options.runs} runs, {load}: {wrong} runs with a share that is off by more than stated ({may} may)"
    )
    return 1 if wrong > may or max(worst) > FAR else 0


def allowed(runs: int) -> int:
    """How many of the runs may have a share that is off: more are met once in a hundred times at most."""
    chances = [comb(runs, off) * ONE_OFF**off * (1 - ONE_OFF) ** (runs - off) for off in range(runs + 1)]
    return next(most for most in range(runs + 1) if sum(chances[most + 1 :]) <= 0.01)


if __name__ == "__main__":
    sys.exit(main())
