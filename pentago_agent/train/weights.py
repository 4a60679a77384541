"""Weights by hand, for opponents."""

import numpy as np

from ..evaluate import PHASES, STATES
from ..geometry import Geometry

COUNTS = (0, 1, 2, 10, 100, 100)  # stones in an open window, as public agents count them


def window_counts(geometry: Geometry) -> np.ndarray:
    """Windows only, the other side's taken off."""
    weights = np.zeros((len(PHASES) + 1, 1 + max(geometry.kinds), STATES))
    weights[:, : geometry.window_kinds] = COUNTS + tuple(-count for count in COUNTS[1:])
    return weights
