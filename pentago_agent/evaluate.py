"""What a mask is worth: 1000 times the logarithm of the odds that the player who has just moved wins.

A mask counts for a colour that has one to five stones in it while the other has none.  Masks that are
each other's images are of one kind; every kind has its weights, which change with the stones on the
board.  They were learned from games of the agent against itself (`python -m pentago_agent.train.learn`),
then refined on what deeper searches say (`python -m pentago_agent.train.refine`), in twist then fitted to
many games of the search in C (`python -m pentago_agent.train.fit`).
"""

import numpy as np

from .geometry import Geometry
from .shared import data

LAST_STONES = 35  # with so many on the board the next stone is the last one
UNSAFE = -65536.0  # in float32 so many thousandths still add up exactly
# Boards after the move with fewer stones than this; the last phase is the rest.
PHASES = (6, 8, 10, 12, 14, 16, 18, 22)
# The best of a position's moves looks better than what comes of it: at these scores, by phase, the chances
# are even, as `refine` and `fit` print them.
# They are taken off, or searches of an even depth would take draws from good positions, and those of an
# odd depth leave draws for bad ones.
OPTIMISM = {
    "": (257, 769, 1214, 1120, 1314, 1080, 1356, 1568, 368),
    "classic": (894, 779, 800, 686, 445, 1134, 1027, 954, 193),
}
# The first guesses, for one to five stones in masks one twist away, in windows, and of the other's in both.
NEAR = (20, 60, 200, 400, 400)
NOW = (20, 60, 200, 800, 800)
AGAINST = (-20, -100, -400, 0, 0)
STATES = 11  # of a mask: nothing; 1 to 5 stones of the player who has just moved; 1 to 5 of the other


def load(geometry: Geometry) -> np.ndarray:
    """The learned weights of a variant: (phases, kinds, states), in thousandths."""
    weights = data.array("weights%s.npy" % ("-classic" if geometry.variant else ""))
    return first_guess(geometry) if weights is None else weights


def first_guess(geometry: Geometry) -> np.ndarray:
    """Weights by hand, which the first games to learn from were played with."""
    weights = np.zeros((len(PHASES) + 1, 1 + max(geometry.kinds), STATES))
    weights[:] = (0,) + NEAR + AGAINST
    weights[:, : geometry.window_kinds] = (0,) + NOW + AGAINST
    return weights


def phase(stones: int) -> int:
    """The phase of a board with so many stones, after the move that is judged."""
    return sum(stones >= end for end in PHASES)


def tables(stones: int, weights: np.ndarray) -> tuple:
    """Value and gain of each code, for movers who see so many stones: two arrays of float32.

    A code is mine + 8 x theirs + 64 x the mask's kind.  The value is that of the mask if the move
    leaves it alone; the gain is what one stone of the mover's adds to it.
    """
    kinds = weights[phase(stones + 1)].astype(np.float32)
    value = np.zeros((len(kinds), 8, 8), np.float32)
    value[:, 0, 1:6] = kinds[:, 1:6]
    value[:, 1:6, 0] = kinds[:, 6:]
    value[:, 4:6, 0] = UNSAFE
    gain = np.zeros_like(value)
    gain[:, :, :5] = value[:, :, 1:6] - value[:, :, :5]
    return value.ravel(), gain.ravel()


def last_tables(kinds: int, window_kinds: int) -> tuple:
    """The same for the last stone, after which only a five of the other's matters."""
    value = np.zeros((kinds, 8, 8), np.float32)
    value[:window_kinds, 5, 0] = UNSAFE
    return value.ravel(), np.zeros_like(value).ravel()
