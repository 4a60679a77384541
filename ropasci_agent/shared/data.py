"""An agent's tables of numbers, read from its folder or from its zip; None where they are missing.

A file in `data/` may be lost, cut short, or about to be made (the commands in `train/` import the agent
too).  The agent then plays without it.
"""

import io
import pkgutil
from typing import Any, Optional

# The agent's package, whatever it is called today.  It is cut off this file's name, since older zip
# importers leave __package__ empty until the import is over.
AGENT = __name__.rsplit(".", 2)[0]


def array(name: str) -> Optional[Any]:
    """The array in the file data/NAME of the agent, or None."""
    import numpy  # here, for agents that have no need of it: it takes longer than all else

    try:
        return numpy.load(io.BytesIO(_read(name)))
    except (EOFError, ValueError):
        return None


def _read(name: str) -> bytes:
    try:
        return pkgutil.get_data(AGENT, "data/" + name) or b""
    except OSError:
        return b""
