"""Changes the weights by what wins games: makes weights.npy of those that were fitted.

    python -m pentago_agent.train.tune FITTED.npy OUT.npy --steps 2000 --seed 1

In each step the factors of all weights are changed at once, by lot up or down, and who has them so plays
some pairs of games in C (engine.c) against who has them the other way (SPSA).  What wins moves them its way,
less and less; what is written is the mean of them on the way, the later the heavier.  A factor is that of
the masks with so many stones of one side, of windows and of those one twist away, early in a game and late.
"""

import argparse
import random
import time
from typing import Iterator, List, Tuple

import numpy as np

from referee.commands.options import new_file, positive
from referee.match.compiled import NoCompiler

from ..evaluate import LAST_STONES, OPTIMISM, PHASES, last_tables, phase, tables
from ..geometry import CELLS, Geometry
from ..player import CONTEMPT, kernel_of
from ..position import START, Position, play
from .engine import Branches, Tables, game, settings
from .matches import opening
from .options import VARIANTS, weights_of

COUNTS = (1, 2, 3, 4, 6, 7, 8, 9)  # states of evaluate.py: stones of the one who moved, then of the other
STEP = 0.08  # of a factor, at once
EVEN_STEP = 80  # of what is taken off for optimism
SHAPE = (2, len(COUNTS) + 1, 2)  # masks one twist away or windows; counts, and OPTIMISM; early and late
PAIRS = 8  # a step
FASTEST, SLOWEST = 0.45, 0.08  # how far a step won or lost moves the factors: at first, and then
BITS = 16  # of the leaves that a search remembers
PLIES = 1, 5  # random ones, of an opening
BALANCED, CHECKED = 700, 300  # thousandths of a logit that a search of so many nodes may see there
SEATS = 2
EVERY = 20  # steps, what has come of them is written


def changed(changes: np.ndarray, weights: np.ndarray, window_kinds: int) -> Tuple[np.ndarray, np.ndarray]:
    """The weights with these changes of their factors, and what is added to OPTIMISM, by phase."""
    late = np.arange(len(PHASES) + 1) / len(PHASES)
    by_phase = changes[..., :1] * (1 - late) + changes[..., 1:] * late  # (2, counts and one, phases)
    found = np.array(weights, float)
    for group, kinds in enumerate((slice(window_kinds, None), slice(window_kinds))):
        for place, state in enumerate(COUNTS):
            found[:, kinds, state] *= 1 + STEP * by_phase[group, place][:, None]
    return found, EVEN_STEP * by_phase[:, -1].sum(axis=0)


class Side:
    """Who has some changes: a search for each colour, made anew whenever they are others."""

    def __init__(self, base: Tables, nodes: int):
        self.base, self.numbers = base, settings(nodes)
        self.kernels = [base.like() for _ in range(SEATS)]
        self.searches: List[Branches] = []

    def take(self, weights: np.ndarray, more: np.ndarray) -> None:
        kernel, geometry = self.base.kernel, self.base.kernel.geometry
        two = [tables(stones, weights) for stones in range(LAST_STONES)]
        two.append(last_tables(weights.shape[1], geometry.window_kinds))
        for colour, own in enumerate(self.kernels):
            even = list(kernel.leaning(colour, CONTEMPT).optimism)
            for stones in range(LAST_STONES):
                even[stones] += more[phase(stones + 1)]
            own.weigh(two, even)
        self.searches = [Branches(own, self.base, self.numbers, BITS) for own in self.kernels]


def balanced(name: str, judge: Branches, geometry: Geometry) -> Position:
    """A position after some random plies in which neither side is far ahead."""
    dice, figures = random.Random(name), np.zeros(8)
    while True:
        position: Position = START
        for move in opening(geometry, dice.randint(*PLIES), dice):
            position = play(position, move, geometry)
        judge.move(position, CHECKED, CELLS, 0, figures)
        if abs(figures[2]) <= BALANCED:
            return position


def tuned(
    weights: np.ndarray, base: Tables, nodes: int, seed: int, planned: int, made: int
) -> Iterator[Tuple[np.ndarray, float]]:
    """The changes after each of so many steps of those that were planned, and the points won in it."""
    lots = np.random.default_rng(seed)
    geometry = base.kernel.geometry
    judge = Branches(base, base, settings(CHECKED, 0))
    sides = Side(base, nodes), Side(base, nodes)
    changes, total, weight = np.zeros(SHAPE), np.zeros(SHAPE), 0.0
    for step in range(made):
        way = lots.choice([-1.0, 1.0], size=SHAPE)
        for side, sign in zip(sides, (1, -1)):
            side.take(*changed(changes + sign * way, weights, geometry.window_kinds))
        won = 0.0
        for pair in range(PAIRS):
            position = balanced("%d %d %d" % (seed, step, pair), judge, geometry)
            mover, lot = position[0], lots.integers(1 << 40)
            one, other = (side.searches for side in sides)
            won += game(one[mover], other[1 - mover], position, nodes, lot)
            won -= game(other[mover], one[1 - mover], position, nodes, lot)
        won /= 2 * PAIRS
        changes = changes + (FASTEST * max(0, 1 - step / planned) + SLOWEST) * way * won
        share = ((step + 1) / planned) ** 2
        total, weight = total + share * changes, weight + share
        yield total / weight, won


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("fitted")
    parser.add_argument("out", type=new_file)
    parser.add_argument("--steps", type=positive, default=1000)
    parser.add_argument("--planned", type=positive, help="steps after which it would be slowest, if others")
    parser.add_argument("--nodes", type=positive, default=1200, help="a move")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--variant", choices=VARIANTS, default="")
    options = parser.parse_args()
    fitted = weights_of(options.fitted, Geometry(options.variant), parser)
    try:
        base = Tables(kernel_of(options.variant))
    except NoCompiler as trouble:
        parser.error(str(trouble))
    planned = options.planned or options.steps
    for step, (changes, _) in enumerate(
        tuned(fitted, base, options.nodes, options.seed, planned, options.steps), 1
    ):
        if step % EVERY and step < options.steps:
            continue
        weights, more = changed(changes, fitted, base.kernel.geometry.window_kinds)
        np.save(options.out, np.rint(weights).astype(np.int16))
        even = np.array(OPTIMISM["classic" if options.variant else ""]) + more
        print("%d steps, %.0f s" % (step, time.process_time()))
        print("factors", np.rint(100 * (1 + STEP * changes[:, :-1])).astype(int).tolist())
        print("even at", tuple(np.rint(even).astype(int).tolist()), flush=True)


if __name__ == "__main__":
    main()
