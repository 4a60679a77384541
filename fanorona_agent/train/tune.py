"""Changes the evaluation's numbers by what wins games: prints QUIET_CHANGES and LOUD_CHANGES of evaluate.py.

    python -m fanorona_agent.train.tune

In each step all numbers are changed at once, by lot up or down, and who has them so plays some pairs of games
in C against who has them the other way (SPSA).  What wins moves them its way, less and less; the mean of
them on the way, the later the heavier, is where the next run begins, or what is printed.
"""

import argparse
import random
import time
from typing import Dict, Tuple

import numpy as np

from referee.commands.options import positive

from ..evaluate import FEW_MEN, LOUD, MANY_MEN, QUIET, by_men
from ..position import START, Position, moves, play, popcount
from .engine import Tree, game

# By how much a number is changed at once, with few men and with many.  Rows as in evaluate.py.
STEPS = [[30, 15], [2, 1.5], [15, 15], [12, 8], [12, 10], [25, 12], [25, 20], [20, 15]]
STEPS = STEPS + STEPS + [[15, 10]]
NODES, PAIRS = 1000, 8  # a turn, a step
FASTEST, SLOWEST = 0.45, 0.08  # how far a step won or lost moves the numbers: at first, and then
# (seed, steps that it was planned with, steps that were made)
RUNS = (5, 2200, 1400), (6, 1500, 1200)
MEN, QUIET_RUN, CHECKED, BALANCED = 26, 4, 3000, 100  # what openings are like

Judges = Dict[bool, Tree]


def numbers(changes: np.ndarray) -> Dict[str, np.ndarray]:
    """The numbers with these changes by count of men, as Tree wants them."""
    few = np.interp(np.arange(46), [FEW_MEN, MANY_MEN], [1, 0])
    near = np.stack([few, 1 - few]).T
    rows = len(QUIET)
    return {
        "quiet": np.array(by_men(QUIET)) + near @ changes[:rows].T,
        "loud": np.array(by_men(LOUD)) + near @ changes[rows:].T,
    }


def opening(name: str, judges: Judges) -> Tuple[bool, Position]:
    """A rule set, by has_pass, and a position that a short search calls balanced."""
    number = 0
    while True:
        chance = random.Random("%s %d" % (name, number))
        number += 1
        has_pass, position = chance.random() < 0.5, START
        for _ in range(chance.randint(2, 6)):
            choices = moves(position, has_pass)
            if not choices:
                break
            position = play(position, chance.choice(choices))
        if popcount(position[1] | position[2]) < MEN or position[3] > QUIET_RUN:
            continue
        judges[has_pass].forget()
        found = judges[has_pass].best(position, CHECKED)
        if found.nodes and abs(found.score) <= BALANCED:
            return has_pass, position


def run(seed: int, planned: int, made: int, changes: np.ndarray) -> np.ndarray:
    """The changes after so many of the steps that were planned."""
    lots = np.random.default_rng(seed)
    fitted = numbers(np.zeros_like(changes))
    judges = {rules: Tree(rules, {"CONTEMPT": 0}, 1 << 14, **fitted) for rules in (True, False)}
    total, weight = np.zeros_like(changes), 0.0
    for step in range(made):
        way = np.array(STEPS) * lots.choice([-1.0, 1.0], size=changes.shape)
        sides = [numbers(changes + way), numbers(changes - way)]
        trees = {rules: [Tree(rules, places=1 << 12, **side) for side in sides] for rules in (True, False)}
        won = 0.0
        for pair in range(PAIRS):
            rules, position = opening("%d %d %d" % (seed, step, pair), judges)
            one, other = trees[rules]
            won += (game(one, other, NODES, position) - game(other, one, NODES, position)) / 2
        changes = changes + (FASTEST * (1 - step / planned) + SLOWEST) * way * won / PAIRS
        share = (step / planned) ** 2
        total, weight = total + share * changes, weight + share
    return total / weight


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--steps", type=positive, help="of each run at most, to see that it works")
    options = parser.parse_args()
    changes = np.zeros((len(STEPS), 2))
    for seed, planned, made in RUNS:
        changes = run(seed, planned, min(made, options.steps or made), changes)
        print("seed %d: %.0f s" % (seed, time.process_time()), flush=True)
    rows = np.rint(changes).astype(int).tolist()
    print("QUIET_CHANGES = %s" % rows[: len(QUIET)])
    print("LOUD_CHANGES = %s" % rows[len(QUIET) :])


if __name__ == "__main__":
    main()
