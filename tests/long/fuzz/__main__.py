"""`python -m tests.long.fuzz replies --cases 1000000 --seed 1`: as many hostile cases as wanted."""

import argparse
import time

from tests.long.fuzz import PARTS, run


def main():
    """Any case that fails ends it, with the command that tries this one again."""
    parser = argparse.ArgumentParser(prog="python -m tests.long.fuzz", description=__doc__)
    parser.add_argument("part", choices=PARTS)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=1, help="number of the first case")
    parser.add_argument("--cases", type=int, default=100_000)
    options = parser.parse_args()
    begun = time.monotonic()
    numbers = range(options.first, options.first + options.cases)
    grown = run(options.part, options.seed, numbers, lambda text: print(text, flush=True))
    print(
        f"{options.part}, seed {options.seed}: {options.cases} cases in {time.monotonic() - begun:.0f} s, "
        f"all as promised; memory grew by {grown:.1f} MB"
    )


if __name__ == "__main__":
    main()
