"""The agent's search in C, for what takes too many games in Python: engine.c, compiled when first asked for.

Same moves, scores, depths and nodes as the player's search without lots, at twenty times its speed; a test
compares the two.  `python -m expendibots_agent.train.duels` plays games with it.
"""

import ctypes
import functools
from pathlib import Path
from typing import Any, Dict, Mapping, NamedTuple, Optional, Sequence, Tuple

import numpy as np

from referee.match import compiled
from referee.match.compiled import pointer

from .. import candidates, evaluate, player
from ..evaluate import WEIGHTS, Weights, by_distance, by_shape, by_tokens, material, shy
from ..position import LAST_PLY, Position
from ..sides import AREA, KING, MOST, TARGETS, side

SOURCE = Path(__file__).resolve().parent / "engine.c"
OPTIONS = ("-ffp-contract=off",)
PLACES = 1 << 16  # positions that a tree remembers
# The search's numbers, in engine.c's order, and where the agent has them.
NAMES = {
    "DRAW": evaluate,
    "ASPIRATION": player,
    "LATE": candidates,
    "LATER": candidates,
    "FEW": candidates,
}
# A player's clock in a game of so many nodes: see `Limits`.
CLOCK = {"turns": player.USUAL, "least": 10, "share": 0.5, "none": 0, "a_token": 0}
U64 = ctypes.c_uint64


class Limits(ctypes.Structure):
    """The nodes of a player: so many a move; or for the game, shared out by the clock's numbers."""

    _fields_ = [(name, ctypes.c_double) for name in ("game", *CLOCK)] + [("move", ctypes.c_int64)]


class Found(NamedTuple):
    """What a search says."""

    move: int
    score: int
    depth: int
    nodes: int


class Played(NamedTuple):
    """A game: white's points, the plies at its end, the nodes of both."""

    points: float
    plies: int
    white: int
    black: int


@functools.lru_cache(maxsize=None)
def library() -> ctypes.CDLL:
    """The compiled engine.c, whose file is gone again."""
    loaded = compiled.library(SOURCE, OPTIONS)
    loaded.tree_new.restype = ctypes.c_void_p
    alone = [[side(height << 4 * square) for square in range(64)] for height in range(MOST + 1)]
    areas, names = ([[stack[part] for stack in row] for row in alone] for part in (AREA, 12))
    loaded.begin(*(pointer(table, np.uint64) for table in (KING, TARGETS, areas, names)))
    return loaded


def numbers(weights: Weights, draw: int) -> np.ndarray:
    """What engine.c keeps of the evaluation, in its order."""
    plain = material(weights)
    found = [shy(plain, draw, 1), shy(plain, draw, -1), plain, by_shape(weights), by_distance(weights)]
    terms = "area", "exposed", "in reach", "worst", "other threats", "other gains"
    return np.concatenate([np.ravel(table) for table in found + [by_tokens(weights[name]) for name in terms]])


class Tree:
    """One player's search: what it knows of positions lives as long as the object, or until a game begins."""

    def __init__(
        self,
        settings: Optional[Mapping[str, int]] = None,
        weights: Weights = WEIGHTS,
        places: int = PLACES,
    ) -> None:
        """`settings`: values for some of NAMES; `places`: positions that its table holds, a multiple of 4."""
        values = dict({name: getattr(NAMES[name], name) for name in NAMES}, **(settings or {}))
        self.pointer = ctypes.c_void_p(
            library().tree_new(
                pointer([values[name] for name in NAMES], np.int32),
                places,
                pointer(numbers(weights, values["DRAW"]), np.float64),
            )
        )

    def __del__(self) -> None:
        if hasattr(self, "pointer"):
            library().tree_free(self.pointer)

    def forget(self) -> None:
        """Be as new."""
        library().tree_forget(self.pointer)

    def best(self, position: Position, nodes: int, seen: Sequence[int] = ()) -> Found:
        """The move after so many nodes; `seen`: names of positions that must not come again."""
        out = np.zeros(4, np.int64)
        library().search(
            self.pointer,
            *_told(position),
            pointer(seen or [0], np.uint64),
            len(seen),
            ctypes.c_int64(nodes),
            pointer(out, np.int64),
        )
        return Found(*out.tolist())


def _told(position: Position) -> Tuple:
    """A position as engine.c is told of it."""
    mover, mine, theirs, plies, _ = position
    sides = [[side[0] >> 64 * part & (1 << 64) - 1 for part in range(4)] for side in (mine, theirs)]
    return (mover, *(pointer(side, np.uint64) for side in sides), plies)


def limits(move: int = 0, game: float = 0, clock: Optional[Mapping[str, float]] = None) -> Limits:
    """So many nodes a move, or for the game; `clock`: values for some of CLOCK."""
    values: Dict[str, Any] = dict(CLOCK, **(clock or {}))
    return Limits(game=game, move=move, **values)


def game(
    white: Tree,
    black: Tree,
    allowed: Sequence[Limits],
    position: Position,
    judged: int = 0,
    longest: int = LAST_PLY,
) -> Played:
    """A game from a position without a history, with these nodes for White and Black.

    `judged`: points at which a game counts as won if both say so, 0: it is played to its end; `longest`: the
    plies after which it is drawn.
    """
    trees = (ctypes.c_void_p * 2)(white.pointer, black.pointer)
    out = np.zeros(3, np.int64)
    halves: int = library().game(
        trees, (Limits * 2)(*allowed), judged, longest, *_told(position), pointer(out, np.int64)
    )
    return Played(halves / 2, *out.tolist())


class Copy(player.Player):
    """The agent's player with the search in C, without lots: against players that are not in C."""

    def __init__(self, colour: str, nodes: int = 20_000, **limits: Any) -> None:
        """`nodes`: for each action, which is all that limits it."""
        player.Player.__init__(self, colour, nodes=nodes, **limits)
        self.copy = Tree()

    def choose(self) -> int:
        """The move that the search comes to; it may carry the flag LOUD."""
        assert self.clock.nodes is not None
        return self.copy.best(self.position, self.clock.nodes, self.played).move
