"""Opponents in C, fast enough for hundreds of games: engine.c, compiled when it is first asked for.

    python -m pentago_agent.train.matches player sparring --pairs 100 --seats black --seconds 0.4

sparring   the strongest public agent's kind: three plies in full width, each node's distinct children by
           their window counts, wins in one known at the leaves, a fourth ply where three were quick
uct        Monte Carlo: playouts that pick among the best few moves by the same counts
published  yardstick.py's approach, move for move
copy       the agent's own search, eight times as fast: for what takes too many games in Python

All are the same every time: they count nodes, not seconds, unless `quick_seconds` is given.  `uct` and `copy`
draw lots, from their seeds.
"""

import ctypes
import functools
from pathlib import Path
from typing import Any, Optional, Sequence, Tuple

import numpy as np

from referee.match import compiled
from referee.match.compiled import pointer

from .. import tree, yardstick
from ..evaluate import LAST_STONES, phase
from ..geometry import CELLS, MOVES, TWISTS, Geometry, row_and_column
from ..kernel import Kernel
from ..notation import COLOURS, from_action, from_text, to_action
from ..player import ATTACK_NODES, CONTEMPT, NODES_A_SECOND, VETO_NODES, kernel_of
from ..position import START, Position, play
from ..tree import MARGIN, Tree
from .weights import window_counts

SOURCE = Path(__file__).resolve().parent / "engine.c"
OPTIONS = ("-Wno-psabi",)
NOWHERE = CELLS  # the cell of a mask that is not there
LANES = 16
# 20 ms of CPU: three plies hardly ever take so long here, so it nearly always sees four.  The player whose
# kind it is thinks 0.1 to 0.2 s over three plies: 200 nodes are the same share of what they take here.
QUICK = 30000


@functools.lru_cache(maxsize=None)
def library() -> ctypes.CDLL:
    """The compiled engine.c, whose file is gone again."""
    loaded = compiled.library(SOURCE, OPTIONS)
    loaded.kernel_new.restype = loaded.tree_new.restype = ctypes.c_void_p
    return loaded


class Tables:
    """A kernel's tables in the engine's memory, for as long as the process lives."""

    def __init__(self, kernel: Kernel):
        self.kernel = kernel
        geometry = kernel.geometry
        groups = self._groups(geometry)
        columns = np.zeros((len(groups), LANES, 4), np.uint16)
        cells = np.full((len(groups), 2, 5), NOWHERE)
        untouched = np.zeros((len(groups), 2), int)
        for group, (_, masks) in enumerate(groups):
            for which, mask in enumerate(masks):
                cells[group, which] = sorted(geometry.masks[mask])
                for twist in range(TWISTS):
                    before = geometry.before(twist, geometry.masks[mask])
                    columns[group, TWISTS * which + twist] = geometry.bits(before)
                    stays = before == geometry.masks[mask]
                    untouched[group, which] |= int(stays) << twist
        plain = [kind < geometry.window_kinds for kind, _ in groups]

        def place(move: int) -> tuple:  # of the stone on the board before the twist, then the twist
            twist, number = divmod(move, CELLS)
            return row_and_column(geometry.source[twist][number]) + (twist,)

        self.pointer = ctypes.c_void_p(
            library().kernel_new(
                len(groups),
                pointer(columns, np.uint16),
                pointer(cells, np.uint8),
                pointer(plain, np.uint8),
                pointer(untouched, np.uint8),
                pointer(geometry.turned, np.uint16),
                pointer(geometry.source, np.uint8),
                pointer(sorted(range(MOVES), key=place), np.int32),
                int(geometry.places_at_once),
                1,
            )
        )
        kinds = [kind for kind, _ in groups]
        for stones, tables in enumerate(kernel.tables):
            value, gain = (self._by_state(table)[kinds] for table in tables)
            library().kernel_weigh(
                self.pointer,
                stones,
                pointer(value, np.float32),
                pointer(gain, np.float32),
                ctypes.c_float(kernel.optimism[stones]),
            )

    @staticmethod
    def _groups(geometry: Geometry) -> list:
        """(kind, one or two masks of it) of all masks."""
        groups = []
        for kind in range(1 + max(geometry.kinds)):
            masks = [mask for mask, its in enumerate(geometry.kinds) if its == kind]
            groups += [(kind, masks[first : first + 2]) for first in range(0, len(masks), 2)]
        return groups

    @staticmethod
    def _by_state(table: np.ndarray) -> np.ndarray:
        """A table of codes as one of states: nothing, 1 to 5 mine, 1 to 5 theirs, both colours."""
        table = table.reshape(-1, 8, 8)
        found = np.zeros((len(table), LANES), np.float32)
        found[:, 0] = table[:, 0, 0]
        found[:, 1:6] = table[:, 0, 1:6]
        found[:, 6:11] = table[:, 1:6, 0]
        return found


@functools.lru_cache(maxsize=None)
def counting(variant: str) -> Tables:
    """The tables of players who count windows."""
    return Tables(Kernel(variant, window_counts(Geometry(variant))))


@functools.lru_cache(maxsize=None)
def learned(
    variant: str, colour: Optional[str] = None, weights: Optional[str] = None, even: Sequence[int] = ()
) -> Tables:
    """The tables with the agent's own weights; of a player of that colour, who leans.

    `weights` are a file of others, and `even` the scores by phase at which the chances are even with them.
    """
    kernel = kernel_of(variant)
    if weights is not None:
        kernel = Kernel(variant, np.load(weights))
        if even:
            kernel.optimism[:LAST_STONES] = [float(even[phase(count + 1)]) for count in range(LAST_STONES)]
    return Tables(kernel if colour is None else kernel.leaning(COLOURS.index(colour), CONTEMPT))


class Opponent:
    """What all of them share: a game is followed by position.py."""

    def __init__(self, colour: str, variant: Optional[str] = None):
        self.colour = colour
        self.tables = counting(variant or "")
        self.geometry = self.tables.kernel.geometry
        self.position: Position = START
        self.figures = np.zeros(8)  # of the last move: nodes, depth, score
        self.told = ctypes.c_void_p(self.figures.ctypes.data)

    def update(self, colour: str, action: Sequence) -> None:
        self.position = play(self.position, from_action(action, self.geometry), self.geometry)

    def set_up(self, line: str) -> None:
        self.position = from_text(line)

    def action(self) -> Tuple[int, int, int, int]:
        return to_action(self.choose(), self.geometry)

    def choose(self) -> int:
        raise NotImplementedError


class Sparring(Opponent):
    """Fixed depth, full width.

    A search that takes less than `quick` nodes, or `quick_seconds` of CPU, is followed by one a ply deeper.
    """

    def __init__(
        self,
        colour: str,
        variant: Optional[str] = None,
        depth: int = 3,
        quick: int = QUICK,
        quick_seconds: float = 0.0,
    ):
        super().__init__(colour, variant)
        self.depth, self.quick, self.quick_seconds = depth, quick, quick_seconds

    def choose(self) -> int:
        board = pointer(self.position[1:], np.uint16)
        return library().fixed_move(
            self.tables.pointer,
            board,
            self.depth,
            ctypes.c_long(self.quick),
            ctypes.c_double(self.quick_seconds),
            self.told,
        )


class Uct(Opponent):
    """Upper confidence bounds on a tree of so many playouts."""

    def __init__(
        self,
        colour: str,
        variant: Optional[str] = None,
        playouts: int = 4000,
        explore: float = 0.4,
        bias: float = 2.0,
        seed: Optional[int] = None,
    ):
        super().__init__(colour, variant)
        self.playouts, self.explore, self.bias = playouts, explore, bias
        self.seed = 0 if seed is None else seed

    def choose(self) -> int:
        self.seed += 1
        return library().uct_move(
            self.tables.pointer,
            pointer(self.position[1:], np.uint16),
            self.playouts,
            ctypes.c_float(self.explore),
            ctypes.c_float(self.bias),
            ctypes.c_uint64(self.seed),
            self.told,
        )


class Published(Opponent):
    """yardstick.py's player with its usual habits."""

    def __init__(self, colour: str, variant: Optional[str] = None, nodes: int = yardstick.NODES):
        super().__init__(colour, variant)
        self.same = yardstick.Player(colour, variant or "")
        self.budget = nodes

    def choose(self) -> int:
        cells = np.zeros(CELLS, int)
        for number in range(CELLS):
            row, column = row_and_column(number)
            quadrant, place = divmod(number, 9)
            mine, theirs = (self.position[part + quadrant] >> place & 1 for part in (1, 5))
            cells[6 * row + column] = mine + 2 * theirs
        move = library().published_move(
            pointer(cells, np.uint8),
            len(yardstick.LINES),
            pointer(yardstick.VALUES, np.int32),
            pointer(yardstick.FIVES, np.uint8),
            pointer(yardstick.POWERS, np.int32),
            pointer(self.same.before, np.uint8),
            int(self.same.places_at_once),
            self.budget,
            self.told,
        )
        number, twist = divmod(move, 8)
        return from_action((number // 6, number % 6, twist // 2, twist % 2), self.geometry)


class Copy(Opponent):
    """The agent's own search with the limits of short actions, or `wide` with those of long ones.

    `depth`: no deeper; `search`: attributes of a Tree that are to be others; `leans` as the player does, or
    scores are what the odds say; `weights` and `even` as in `learned`; `bits`: of the number of
    leaves that it remembers.
    """

    def __init__(
        self,
        colour: str,
        variant: Optional[str] = None,
        nodes: int = 20000,
        depth: int = CELLS,
        seed: Optional[int] = None,
        leans: bool = True,
        margin: int = MARGIN,
        weights: Optional[str] = None,
        even: Sequence[int] = (),
        wide: bool = False,
        bits: int = 20,
        **search: Any,
    ):
        super().__init__(colour, variant)
        self.tables = learned(variant or "", None, weights, even)
        leaning = learned(variant or "", colour, weights, even) if leans else self.tables
        share = min(1.0, nodes / NODES_A_SECOND / 2)
        limits = {name: getattr(Tree, name) for name in ("mine", "theirs", "root", "replies")}
        limits.update((name, getattr(Tree, name)) for name in ("first_look", "late", "slack"))
        limits.update(veto_nodes=VETO_NODES * share, attack_nodes=ATTACK_NODES * share, margin=margin)
        limits.update(glance=tree.GLANCE, tried=tree.TRIED)
        limits.update(tree.WIDE if wide else {})
        limits.update(search)
        numbers = []
        for value in limits.values():
            if isinstance(value, dict):
                numbers += [value.get(depth, MOVES) for depth in range(8)]
            else:
                numbers += value if isinstance(value, tuple) else [value]
        self.tree = ctypes.c_void_p(
            library().tree_new(leaning.pointer, self.tables.pointer, pointer(numbers, np.float64), bits)
        )
        self.nodes, self.depth, self.seed = nodes, depth, 0 if seed is None else seed

    def choose(self) -> int:
        self.seed += 1
        return library().tree_move(
            self.tree,
            pointer(self.position[1:], np.uint16),
            ctypes.c_long(self.nodes),
            self.depth,
            ctypes.c_uint64(self.seed),
            self.told,
        )

    def __del__(self) -> None:
        if hasattr(self, "tree"):
            library().tree_free(self.tree)
