"""How fast the kernel is, and how deep the search sees in a second: figures for the README.

python -m pentago_agent.train.measure --positions 50
"""

import argparse
import random
import time

import numpy as np

from referee.commands.options import positive

from ..geometry import CELLS, TWISTS
from ..player import kernel_of
from ..position import batch, stones
from ..shared.clock import Clock
from ..shared.deepening import Search
from ..threats import Threats
from ..tree import Tree
from .full_width import FullWidth
from .selfplay import play_one

SIZES = (1, 4, 16, 64, 128)
ROUNDS = 2000
STONES = 8  # of the positions that the kernel is timed on
EARLY = (2, 9)  # stones of an early position


class Widest(FullWidth):
    """Full width with the player's own weights."""


def positions(number: int, least: int, most: int) -> list:
    """Positions of seeded games, one a game, in which nobody can win at once."""
    kernel = kernel_of("")
    search, found = Search(Tree(kernel, Threats(kernel))), []
    for seed in range(number):
        dice = random.Random(seed)
        wanted = least + seed % (most - least + 1)
        seen, _, _ = play_one(search, dice, 2)
        found += [position for position in seen if stones(position) == wanted]
    return found


def kernel_speed() -> None:
    """Children a CPU second, scored in full with wins in one for both sides."""
    kernel = kernel_of("")
    some = [batch(position) for position in positions(max(SIZES), STONES, STONES)]
    for size in SIZES:
        boards = np.concatenate((some * (1 + size // len(some)))[:size], axis=1)
        rounds = ROUNDS // size + 1
        began = time.process_time()
        for _ in range(rounds):
            codes = kernel.codes(boards)
            kernel.wins(boards, codes)
            kernel.judge(boards, codes, STONES)
        passed = (time.process_time() - began) / rounds / size
        children = TWISTS * (CELLS - STONES)
        print(
            "%3d at once: %.1f microseconds, %.0f million children a second"
            % (size, 1e6 * passed, children / passed / 1e6)
        )


def depths(kind, deepest: int, limit: float, some: list) -> None:
    """In how many positions a depth is completed within the limit, and the median time."""
    kernel, took = kernel_of(""), []
    for position in some:
        search = Search(kind(kernel, Threats(kernel)), deepest)
        clock = Clock(action=60.0)
        began = time.process_time()
        search.best(position, clock)
        took.append(time.process_time() - began)
    done = sum(seconds <= limit for seconds in took)
    median = sorted(took)[len(took) // 2]
    print(
        "%s to depth %d: %d of %d in %.2f s, median %.2f s"
        % (kind.__name__, deepest, done, len(took), limit, median)
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--positions", type=positive, default=50)
    options = parser.parse_args()
    kernel_speed()
    some = positions(options.positions, *EARLY)
    depths(Widest, 4, 0.5, some)
    depths(Tree, 6, 1.75, some)


if __name__ == "__main__":
    main()
