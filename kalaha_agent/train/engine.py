"""The agent's search in C, for what takes too many games in Python: engine.c, compiled when first asked for.

Same moves, scores, depths and nodes as tree.py, at some twenty times its speed; a test compares the two.
`python -m kalaha_agent.train.duels` plays games with it.
"""

import ctypes
import functools
from pathlib import Path
from typing import Mapping, NamedTuple, Optional, Tuple

import numpy as np

from referee.match import compiled
from referee.match.compiled import pointer

from .. import evaluate, player, tree
from ..endgames import COLUMNS, ENTRIES, ROWS
from ..endgames import MOST as KNOWN
from ..evaluate import HALVES
from ..position import STANDARD, Position

SOURCE = Path(__file__).resolve().parent / "engine.c"
PLACES = 131101  # positions that a tree remembers: a size of table.py
# The search's numbers, in engine.c's order, and where the agent has them; then come the margins.
NAMES = {
    "ASPIRATION": player,
    "LATE": tree,
    "DEEP": tree,
    "REMEMBERED": tree,
    "STARVING": evaluate,
}
MOST_MARGINS = 16
U64 = ctypes.c_uint64


class Found(NamedTuple):
    """What a search says."""

    move: int
    score: int
    depth: int
    nodes: int
    exact: bool


@functools.lru_cache(maxsize=None)
def library() -> ctypes.CDLL:
    """The compiled engine.c, whose file is gone again."""
    loaded = compiled.library(SOURCE, ())
    loaded.tree_new.restype = ctypes.c_void_p
    sides = list(ROWS)
    sowings = [STANDARD.record(pond, count) for pond in range(6) for count in range(STANDARD.pebbles + 1)]
    entries = pointer(np.frombuffer(ENTRIES, np.uint8), np.uint8)
    loaded.kept = entries
    loaded.begin(
        pointer(sowings, np.int64),
        KNOWN,
        len(sides),
        pointer(sides, np.uint64),
        pointer([ROWS[side] for side in sides], np.int32),
        pointer([COLUMNS[side] for side in sides], np.int32),
        entries,
    )
    return loaded


class Tree:
    """One player's search: what it knows of positions lives as long as the object."""

    def __init__(
        self,
        settings: Optional[Mapping[str, int]] = None,
        places: int = PLACES,
        promises: Optional[np.ndarray] = None,
        margins: Optional[Tuple[int, ...]] = None,
    ) -> None:
        """`settings`: values for some of NAMES; `promises`: as evaluate.HALVES."""
        values = dict({name: getattr(NAMES[name], name) for name in NAMES}, **(settings or {}))
        given = evaluate.MARGINS if margins is None else margins
        numbers = [values[name] for name in NAMES] + [len(given), *given]
        numbers += [0] * (len(NAMES) + 1 + MOST_MARGINS - len(numbers))
        promises = HALVES if promises is None else promises
        self.pointer = ctypes.c_void_p(
            library().tree_new(pointer(numbers, np.int32), ctypes.c_long(places), pointer(promises, np.int16))
        )

    def __del__(self) -> None:
        if hasattr(self, "pointer"):
            library().tree_free(self.pointer)

    def forget(self) -> None:
        """Be as new."""
        library().tree_forget(self.pointer)

    def best(self, position: Position, nodes: int) -> Found:
        """The move of a position that is not finished after so many nodes."""
        _, lead, mine, theirs = position
        out = np.zeros(5, np.int64)
        library().search(
            self.pointer, lead, U64(mine), U64(theirs), ctypes.c_int64(nodes), pointer(out, np.int64)
        )
        move, score, depth, searched, exact = out.tolist()
        return Found(move, score, depth, searched, bool(exact))


def game(first: Tree, second: Tree, nodes: int, position: Position) -> int:
    """What the mover of a position leads by at the end of a game, in units, with so many nodes a move."""
    _, lead, mine, theirs = position
    trees = (ctypes.c_void_p * 2)(first.pointer, second.pointer)
    return library().game(trees, (ctypes.c_int64 * 2)(nodes, nodes), lead, U64(mine), U64(theirs))
