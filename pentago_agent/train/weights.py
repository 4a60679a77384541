"""Weights by hand, for opponents and for the first games to learn from."""

import numpy as np

from ..evaluate import PHASES, STATES
from ..geometry import Geometry

COUNTS = (0, 1, 2, 10, 100, 100)  # stones in an open window, as public agents count them
NEAR = (20, 60, 200, 400, 400)  # first guesses for masks one twist away, in thousandths
NOW = (20, 60, 200, 800, 800)
AGAINST = (-20, -100, -400, 0, 0)


def window_counts(geometry: Geometry) -> np.ndarray:
    """Windows only, the other side's taken off."""
    weights = np.zeros((len(PHASES) + 1, 1 + max(geometry.kinds), STATES))
    weights[:, : geometry.window_kinds] = COUNTS + tuple(-count for count in COUNTS[1:])
    return weights


def first_guess(geometry: Geometry) -> np.ndarray:
    """Windows and masks one twist away alike, the other side's threes twice the mover's."""
    weights = np.zeros((len(PHASES) + 1, 1 + max(geometry.kinds), STATES))
    weights[:] = (0,) + NEAR + AGAINST
    weights[:, : geometry.window_kinds] = (0,) + NOW + AGAINST
    return weights
