"""Are a profile's shares true? `python -m tests.long.profile_truth` profiles a turn whose costs are known.

Each part of the turn burns until the CPU clock says that it has had its time: in plain lines, in a
comprehension, in recursion, in a generator, in numpy, and in library code (copying, sorting with a key).
So every part's share is known on any machine, however busy.  `--busy 3` runs beside three
processes that compute.  A share of more than its stated error off the truth ends it with exit status 1.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from referee.players.names import resolve
from referee.profile.measure import Effort, ProfiledTurn, measure
from referee.rules import start

PARTS = ("plain", "comprehension", "recursion", "generator", "numpy", "copying", "sorting")
SOURCE = """
import copy, time
import numpy

EACH = %g  # seconds of CPU
ROWS = [[row * column for column in range(20)] for row in range(20)]
NUMBERS = numpy.arange(100_000.0)


def until(work):
    end = time.process_time() + EACH
    while time.process_time() < end:
        work()


def plain():
    total = 0
    for number in range(200):
        total += number * number


def comprehension():
    [number * number for number in range(200)]


def recursion(depth=50):
    return 0 if depth == 0 else 1 + recursion(depth - 1)


def squares():
    for number in range(200):
        yield number * number


def generator():
    sum(squares())


def numpy_call():
    numpy.sqrt(NUMBERS).sum()


def copying():
    copy.deepcopy(ROWS)


def negative(number):
    return -number


def sorting():
    sorted(range(200), key=negative)


class Player:
    def __init__(self, colour):
        pass

    def action(self):
        until(plain)  # plain
        until(comprehension)  # comprehension
        until(recursion)  # recursion
        until(generator)  # generator
        until(numpy_call)  # numpy
        until(copying)  # copying
        until(sorting)  # sorting
        return 1
"""


def shares(folder: Path, samples: int, each: float = 0.05) -> dict[str, tuple[float, float]]:
    """Of each part of the turn the total share of its line and the stated error."""
    (folder / "costs.py").write_text(SOURCE % each)
    state = start("kalaha")
    turn = ProfiledTurn("kalaha", state, 0, [], None, "the start of the game")
    profile = measure(resolve(str(folder / "costs.py")), turn, Effort(samples=samples))
    found = {}
    for line in profile["lines"]:
        part = line["source"].partition("# ")[2]
        if part in PARTS:
            found[part] = line["total"], line["total_error"]
    return found


def off(found: dict[str, tuple[float, float]], times: float = 1.0) -> list[str]:
    """The parts whose share is farther from the truth than so many times what is stated."""
    return [
        f"{part}: {share:.1%} +- {error:.1%}, not {1 / len(PARTS):.1%}"
        for part, (share, error) in found.items()
        if abs(share - 1 / len(PARTS)) > times * error
    ]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.long.profile_truth")
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--busy", type=int, default=0, metavar="N", help="processes that compute beside it")
    parser.add_argument("--samples", type=int, default=2000)
    options = parser.parse_args()
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(options.busy)]
    wrong = 0
    try:
        with tempfile.TemporaryDirectory() as folder:
            for run in range(1, options.runs + 1):
                found = shares(Path(folder), options.samples)
                missed = off(found)
                wrong += len(missed)
                said = "  ".join(f"{part} {share:.1%}" for part, (share, _) in found.items())
                print(f"run {run}: {said}" + "".join(f"\n  off: {one}" for one in missed), flush=True)
    finally:
        for process in busy:
            process.kill()
            process.wait()
    print(f"{options.runs} runs, load {os.getloadavg()[0]:.0f}: {wrong} shares were off by more than stated")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
