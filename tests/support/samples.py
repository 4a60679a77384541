"""How much a test tries: a sample in the suite, all of it under `python -m tests.long.whole`."""

import os

SWITCH = "WHOLE_SAMPLES"


def few(suite, whole):
    """The first in the suite, the second where the whole samples are asked for."""
    return whole if SWITCH in os.environ else suite


def soon(counts, most):
    """The counts of a table that are soon counted in the suite: those up to so many."""
    return [count for count in counts if count <= few(most, count)]
