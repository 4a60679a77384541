"""The agent's matrices in C, for what takes too many games in Python: engine.c, compiled when asked for.

    python -m ropasci_agent.train.matches copy,nodes=60 copy,nodes=60,forecasts=False --pairs 100

`Copy` is the agent's player, `Exploiter` its exploiter, with matrices, equilibria and the stages behind
cells in C: ten times the speed.  All else is the same code.  Values are the same but for their last digits;
a test compares mixes and nodes.
"""

import ctypes
import functools
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from referee.match import compiled
from referee.match.compiled import pointer

from .. import evaluate, player, tree
from ..payoffs import KEYS
from ..position import DISTANCE, ZONES
from ..shared.clock import Stop
from ..shared.matrix import Equilibrium
from . import exploiter

SOURCE = Path(__file__).resolve().parent / "engine.c"
OPTIONS = ("-ffp-contract=off",)
POSITION = 3 * 4 + 2 * 183 + 2  # bytes
ENDLESS = 1 << 62
# Of weights, in engine.c's order.
LISTS = "tokens", "throws", "symbols", "out of reach", "invincible", "hunted"
CHANGES = "moves", "end", "left", "symbol", "put_amount", "own_amount", "enemy_amount"


@functools.lru_cache(maxsize=None)
def library() -> ctypes.CDLL:
    """The compiled engine.c, whose file is gone again."""
    loaded = compiled.library(SOURCE, OPTIONS)
    for name in "evaluation_new", "matrix_new":
        getattr(loaded, name).restype = ctypes.c_void_p
    for name in "answer", "value_of":
        getattr(loaded, name).restype = ctypes.c_double
    near = [[sum(1 << h for h in range(61) if row[h] == steps) for row in DISTANCE] for steps in (1, 2)]
    zones = [[sum(1 << h for h in zone) for zone in of_player] for of_player in ZONES]
    numbers = evaluate.HASTE, evaluate.EVEN, evaluate.FAR, tree.CARRIES_BEHIND
    loaded.begin(
        *(pointer(table, np.uint64) for table in (*near, zones)),
        pointer(KEYS, np.int64),
        pointer(numbers, np.float64),
    )
    return loaded


class Tables:
    """What engine.c keeps of one evaluation."""

    def __init__(self, evaluation: evaluate.Evaluation) -> None:
        weights = evaluation.weights
        found = [number for name in LISTS for number in weights[name]]
        found += [weights["lead"], weights["prey"], evaluate.CHASED]
        tables = evaluation.pairs, evaluation.single, evaluation.widens, found
        self.pointer = ctypes.c_void_p(library().evaluation_new(*(pointer(of, np.float64) for of in tables)))

    def __del__(self) -> None:
        if hasattr(self, "pointer"):
            library().evaluation_free(self.pointer)


def tables(evaluation: evaluate.Evaluation) -> ctypes.c_void_p:
    """The pointer to them; they live as long as the evaluation."""
    if not hasattr(evaluation, "in_c"):
        evaluation.in_c = Tables(evaluation)
    found: ctypes.c_void_p = evaluation.in_c.pointer
    return found


def told(position: Any) -> Any:
    """A position as engine.c has it."""
    here = ctypes.create_string_buffer(POSITION)
    boards = b"".join(board.to_bytes(31, "little") for board in position[3:])
    library().unpack(here, *position[:3], boards)
    return here


class Matrix(tree.Matrix):
    """tree.Matrix without `lists`, filled and solved in C."""

    def __init__(
        self, position: Any, player: int, evaluation: Any, seen: Any, contempt: float, with_still: bool
    ) -> None:
        self.position, self.player, self.contempt = position, player, contempt
        self.here, many = told(position), (ctypes.c_int * 2)()
        matrix = ctypes.c_void_p(library().matrix_new(self.here, player, many))
        parts = [np.empty((7, number), np.int64) for number in many]
        library().matrix_changes(matrix, _both(parts))
        self.changes = [SimpleNamespace(throws=part[2] < 0, **dict(zip(CHANGES, part))) for part in parts]
        self.moves = [part[0].tolist() for part in parts]
        self.values = np.empty(tuple(many))
        self.still = [np.empty(number) for number in many] if with_still else None
        library().matrix_fill(
            matrix,
            tables(evaluation),
            self.here,
            player,
            pointer(self.values, np.float64),
            _both(self.still) if with_still else None,
        )
        self.plain = self.values.copy()
        self.known = np.zeros(self.values.shape, dtype=bool)
        self.drawn = {}
        if seen:
            self._mark(matrix, seen)
        library().matrix_free(matrix)

    def _mark(self, matrix: ctypes.c_void_p, seen: Any) -> None:
        cells, keys = np.empty(self.values.size, np.int32), np.empty(self.values.size, np.int64)
        marked = pointer(cells, np.int32), pointer(keys, np.int64)
        states = pointer(list(seen), np.int64), len(seen)
        found = library().matrix_seen(matrix, self.here, self.player, *states, *marked)
        for cell, key in zip(cells[:found].tolist(), keys[:found].tolist()):
            row, column = divmod(cell, self.values.shape[1])
            if abs(self.values[row, column]) < 1.0:
                self.drawn[row, column] = 1.0 if seen[key] >= 2 else tree.SEEN_ONCE
                self.set(row, column, self.values[row, column], self.values[row, column])

    def solved(self, values: np.ndarray) -> Equilibrium:
        row, column = np.empty(len(values)), np.empty(len(values[0]))
        mixes = (pointer(mix, np.float64) for mix in (row, column))
        value = library().answer(pointer(values, np.float64), *values.shape, *mixes)
        return Equilibrium(value, row, column, 0.0)


def _both(arrays: Any) -> Any:
    return (ctypes.c_void_p * 2)(*(array.ctypes.data for array in arrays))


class Tree(tree.Tree):
    """tree.Tree in C, as long as forecasts are not asked for behind the first stage."""

    def stage(self, position: Any, seen: Any, with_still: bool) -> Matrix:
        return Matrix(position, self.player, self.evaluation, seen, self.contempt, with_still)

    def _look_behind(self, matrix: Any, row: int, column: int, stages: int) -> None:
        if self.behind:
            tree.Tree._look_behind(self, matrix, row, column, stages)
            return
        matrix.known[row, column] = True
        if matrix.drawn.get((row, column)) == 1.0:
            return
        child = ctypes.create_string_buffer(POSITION)
        pair = matrix.moves[0][row], matrix.moves[1][column]
        if library().after(matrix.here, *(pair if self.player == 0 else pair[::-1]), child):
            return
        search = self._search
        if search.nodes >= self._next_poll:
            self._next_poll = self._poll(search.nodes)
        nodes = ctypes.c_int64(search.nodes)
        most = ctypes.c_int64(ENDLESS if self.clock.nodes is None else self.clock.nodes)
        told_of = tables(self.evaluation), child, self.player, stages, ctypes.byref(nodes), most
        found = library().value_of(*told_of)
        search.nodes = nodes.value
        if found != found:
            raise Stop
        matrix.set(row, column, found, found)


class Copy(player.Player):
    """The agent's player with its matrices in C: limits of nodes are its only ones."""

    tree_of = Tree


class Exploiter(exploiter.Player):
    """The exploiter of that player, in C as well."""

    agent_of = Copy

    def worth(self, position: Any) -> float:
        nodes, here = ctypes.c_int64(0), (tables(evaluate.DEFAULT), told(position), self.player, 1)
        found: float = library().value_of(*here, ctypes.byref(nodes), ctypes.c_int64(ENDLESS))
        return found
