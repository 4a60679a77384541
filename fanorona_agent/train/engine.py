"""The agent's search in C, for what takes too many games in Python: engine.c, compiled when first asked for.

Same turns, scores, depths and nodes as tree.py, at ten million nodes a second; a test compares the two.
`python -m fanorona_agent.train.duels` plays games with it.
"""

import ctypes
import functools
from pathlib import Path
from typing import Mapping, NamedTuple, Optional, Sequence

import numpy as np

from referee.match import compiled
from referee.match.compiled import pointer

from .. import tree
from ..endgames import FEW, IMAGES
from ..evaluate import LOUD_BY_MEN, MANY, QUIET_BY_MEN
from ..player import ENDGAMES
from ..position import BOARD, INNER, ORIGINS, POINTS, STRONG, Position
from ..tree import LESS_OF_CAPTURES, LESS_OF_PAIKAS

SOURCE = Path(__file__).resolve().parent / "engine.c"
OPTIONS = ("-ffp-contract=off",)
PLACES = 1 << 16  # positions that a tree remembers
# What engine.c is told of tree.py's numbers, in its order; the others it has itself.
NAMES = "STORM", "FORCED", "CONTEMPT", "NULL_FROM", "NULL_LESS", "NULL_SHARE", "NULL_MEN", "NULL_QUIET"
U64 = ctypes.c_uint64


class At(ctypes.Structure):
    """A position as engine.c has it."""

    _fields_ = [("mover", ctypes.c_int), ("mine", U64), ("theirs", U64), ("quiet", ctypes.c_int)]


class Found(NamedTuple):
    """What a search says."""

    move: int
    score: int
    depth: int
    nodes: int


@functools.lru_cache(maxsize=None)
def library() -> ctypes.CDLL:
    """The compiled engine.c, whose file is gone again."""
    loaded = compiled.library(SOURCE, OPTIONS)
    for name in "endgames_new", "tree_new":
        getattr(loaded, name).restype = ctypes.c_void_p
    images = np.zeros((4, 50), int)
    for image, points in enumerate(IMAGES):
        for point, other in zip(POINTS, points):
            images[image, point] = POINTS.index(other)
    reduced = [paikas + captures for paikas, captures in zip(LESS_OF_PAIKAS, LESS_OF_CAPTURES)]
    loaded.begin(
        U64(BOARD),
        U64(STRONG),
        U64(INNER),
        pointer(ORIGINS, np.uint64),
        pointer(images, np.int32),
        pointer(reduced, np.int32),
    )
    return loaded


@functools.lru_cache(maxsize=None)
def endgames(has_pass: bool) -> ctypes.c_void_p:
    """The agent's tables of endgames."""
    table = ENDGAMES[has_pass]
    assert table is not None
    entries = np.frombuffer(table.entries, np.uint8).copy()
    for number, value in table.changed.items():
        entries[number] = value
    places, images = np.zeros((2, 1000), int), np.zeros((2, 1000), int)
    for few, (place, image) in FEW.items():
        points = [POINTS.index(point) for point in POINTS if few >> point & 1]
        rank = points[0] if len(points) == 1 else points[0] + points[1] * (points[1] - 1) // 2
        places[len(points) - 1, rank], images[len(points) - 1, rank] = place, image
    begin, row = np.zeros((6, 6), int), np.zeros((6, 6), int)
    for (mine, theirs), (first, wide) in table.places.items():
        begin[mine, theirs], row[mine, theirs] = first, wide
    entries_pointer = pointer(entries, np.uint8)
    found = ctypes.c_void_p(
        library().endgames_new(
            entries_pointer,
            pointer(places, np.int32),
            pointer(images, np.int32),
            pointer(begin, np.int64),
            pointer(row, np.int64),
        )
    )
    found.kept = entries_pointer  # type: ignore[attr-defined]
    return found


def setting(name: str) -> int:
    """The value that tree.py gives one of NAMES."""
    return int(getattr(tree, name))


class Tree:
    """One player's search: what it knows of positions lives as long as the object."""

    def __init__(
        self,
        has_pass: bool,
        settings: Optional[Mapping[str, int]] = None,
        places: int = PLACES,
        quiet: Sequence[Sequence[float]] = QUIET_BY_MEN,
        loud: Sequence[Sequence[float]] = LOUD_BY_MEN,
    ) -> None:
        """`settings`: values for some of NAMES; `places`: positions that its table holds, a multiple of 4."""
        values = dict({name: setting(name) for name in NAMES}, **(settings or {}))
        self.has_pass = has_pass
        self.pointer = ctypes.c_void_p(
            library().tree_new(
                has_pass,
                pointer([values[name] for name in NAMES], np.int32),
                places,
                pointer(quiet, np.float64),
                pointer(loud, np.float64),
                MANY,
                endgames(has_pass),
            )
        )

    def __del__(self) -> None:
        if hasattr(self, "pointer"):
            library().tree_free(self.pointer)

    def forget(self) -> None:
        """Be as new."""
        library().tree_forget(self.pointer)

    def best(self, position: Position, nodes: int, seen: Sequence[int] = ()) -> Found:
        """The turn after so many nodes; `seen`: boards that must not come again."""
        mover, mine, theirs, quiet = position[:4]
        boards = [(board & (1 << 50) - 1, board >> 50) for board in seen] or [(0, 0)]
        out = np.zeros(5, np.int64)
        library().search(
            self.pointer,
            mover,
            U64(mine),
            U64(theirs),
            quiet,
            len(seen),
            pointer(boards, np.uint64),
            ctypes.c_int64(nodes),
            pointer(out, np.int64),
        )
        changed, taken, score, depth, searched = out.tolist()
        return Found(changed | taken << 50, score, depth, searched)


def game(light: Tree, dark: Tree, nodes: int, position: Position) -> float:
    """Light's points in a game from a position without a history, with so many nodes a turn."""
    trees = (ctypes.c_void_p * 2)(light.pointer, dark.pointer)
    halves: int = library().game(trees, (ctypes.c_int64 * 2)(nodes, nodes), At(*position[:4]))
    return halves / 2
