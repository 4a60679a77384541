"""Changes the weights of the evaluation by what wins games: prints WEIGHTS of evaluate.py.

    python -m expendibots_agent.train.tune

It begins with what `fit.py` made of games of `selfplay.py`, by the commands at their top.  In each step all
weights are changed at once, by lot up or down, and who has them so plays some pairs of games in C against who
has them the other way (SPSA).  What wins moves them its way, less and less; the mean of them on the way, the
later the heavier, is what is printed.
"""

import argparse
import time
from typing import Dict, Tuple

import numpy as np

from referee.commands.options import positive

from ..evaluate import WEIGHTS
from .duels import openings, points
from .engine import Tree, limits
from .fit import FITTED

# By how much a weight is changed at once.
AT_ONCE = {
    "tokens": 150,
    "share": 3000,
    "area": 7,
    "pairs": 2500,
    "stacks": 300,
    "exposed": 40,
    "in reach": 40,
    "worst": 80,
    "other threats": 120,
    "other gains": 120,
    "distance": 25,
    "distance of share": 200,
}
SEED, STEPS, PAIRS, NODES = 1, 4500, 8, 1500  # pairs a step, nodes a move
FASTEST, SLOWEST = 0.45, 0.08  # how far a step won or lost moves the weights: at first, and then
OPENINGS, CHECKED = 1001, (3000,)  # a seed; nodes that are to find an opening balanced
JUDGING = {"judged": 4000, "longest": 250}  # when a game ends before its end
PLACES = 1 << 12  # positions that a search remembers


def weights(values: np.ndarray) -> Dict[str, Tuple[float, float]]:
    """Weights as evaluate.py has them."""
    return {name: (few, many) for name, (few, many) in zip(WEIGHTS, values.tolist())}


def tuned(steps: int) -> np.ndarray:
    """The weights after so many of the steps."""
    fitted = np.array([FITTED[name] for name in WEIGHTS], float)
    at_once = np.array([[AT_ONCE[name]] * 2 for name in WEIGHTS], float)
    lots, allowed = np.random.default_rng(SEED), [limits(NODES)] * 2
    drawn = openings(OPENINGS, CHECKED, FITTED)
    changes, total, weight = np.zeros_like(fitted), np.zeros_like(fitted), 0.0
    for step in range(steps):
        way = at_once * lots.choice([-1.0, 1.0], size=fitted.shape)
        one, other = (Tree(weights=weights(fitted + changes + side), places=PLACES) for side in (way, -way))
        won = sum(sum(points(one, other, allowed, next(drawn), **JUDGING)) - 1 for _ in range(PAIRS))
        changes = changes + (FASTEST * (1 - step / STEPS) + SLOWEST) * way * won / PAIRS
        share = (step / STEPS) ** 2
        total, weight = total + share * changes, weight + share
    return fitted + (total / weight if weight else changes)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--steps", type=positive, default=STEPS, help="at most, to see that it works")
    options = parser.parse_args()
    found = weights(tuned(min(options.steps, STEPS)))
    print("WEIGHTS = {")
    for name, (few, many) in found.items():
        print('    "%s": (%g, %g),' % (name, float("%.3g" % few), float("%.3g" % many)))
    print("}  # %.0f s" % time.process_time())


if __name__ == "__main__":
    main()
