"""What the commands of this folder ask of the words typed after them, before any work is done."""

import argparse

import numpy as np

from ..evaluate import PHASES, STATES
from ..geometry import SOURCES, Geometry

VARIANTS = tuple(SOURCES)
OF_GAMES = ("boards", "labels", "scores", "games")  # the arrays of a file of selfplay.py


def games_of(path: str, *more: str) -> dict:
    """The arrays of a file of selfplay.py, and more that record.py adds."""
    try:
        with np.load(path) as stored:
            found = {name: stored[name] for name in OF_GAMES + more}
    except Exception:  # numpy's and its unpackers' many, in words that are not about this file
        maker = "record.py" if more else "selfplay.py"
        raise argparse.ArgumentTypeError("%r is not there, or no file of %s" % (path, maker)) from None
    if not len(found["boards"]):
        raise argparse.ArgumentTypeError("%r has no positions" % path)
    return found


def weights_of(path: str, geometry: Geometry, parser: argparse.ArgumentParser) -> np.ndarray:
    """The array of a file of weights for a variant."""
    try:
        found = np.load(path)
        fitting = found.shape == (len(PHASES) + 1, 1 + max(geometry.kinds), STATES)
    except Exception:  # the same
        fitting = False
    if not fitting:
        parser.error("%r is not there, or no file of weights for this variant" % path)
    return found


def check_weights(parser: argparse.ArgumentParser, options: argparse.Namespace) -> None:
    """A usage error where --weights or --even do not fit --variant, for a search in C that plays by them."""
    if options.weights:
        weights_of(options.weights, Geometry(options.variant), parser)
    if len(options.even) not in (0, len(PHASES) + 1):
        parser.error("--even should be %d numbers" % (len(PHASES) + 1))
