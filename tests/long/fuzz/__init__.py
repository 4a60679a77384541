"""Hostile input for all of the referee that reads: `python -m tests.long.fuzz`, and a sample in test_fuzz.py.

Each module here has `prepared()`, a context that yields a function: called with a `Random` it tries one
case, and raises where something else than what is promised comes of it.  A case is known by its
part, seed and number alone, so that one that fails can be had again.
"""

import gc
import importlib
from pathlib import Path
from random import Random

PARTS = ("replies", "readers", "positions", "commands", "bridges", "steering", "calls")
WARM = 2000  # cases before memory is looked at for the first time


def run(part, seed, numbers, say=lambda text: None):
    """Try the cases of those numbers; the growth of this process's memory in megabytes meanwhile."""
    module = importlib.import_module(f"tests.long.fuzz.{part}")
    warm = highest = 0.0
    with module.prepared() as try_one:
        for done, number in enumerate(numbers, 1):
            try:
                try_one(Random(f"{part} {seed} {number}"))
            except BaseException as error:
                error.add_note(f"python -m tests.long.fuzz {part} --seed {seed} --first {number} --cases 1")
                raise
            if done == WARM:
                warm = resident()
            if done % 50_000 == 0:
                highest = max(highest, resident())
                say(f"{part}: {done} cases, {resident():.1f} MB")
    return max(highest, resident()) - warm if warm else 0.0


def resident():
    """Megabytes of memory that this process has, garbage apart."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096 / 1_048_576
