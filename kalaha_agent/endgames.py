"""Perfect play when few pebbles are left: tables of what the mover can still win, and by how much.

The table is made by train/endgames.py.  It has a row for each side that the mover may have, and in it
a column for each side of the other that leaves no more than MOST pebbles in all.  Sides are numbered
by how many pebbles they have, then as the counts of ponds 1 to 6 sort.  So a row is a prefix of that
numbering, and an entry lies at ROWS[mine] + COLUMNS[theirs].

An entry is four bits: half of what is left plus what the mover gains on the other, which is even.
"""

from itertools import combinations
from math import factorial
from typing import Callable, List, Tuple

import numpy

from .position import STANDARD, UNIT, Board, Move, Position
from .shared import data

MOST = 12  # pebbles
PONDS = STANDARD.ponds


def sides(most: int = MOST) -> List[Tuple[int, ...]]:
    """Every way to have at most so many pebbles in a player's ponds, in the order of the table."""
    found = []
    for pebbles in range(most + 1):
        bars = combinations(range(pebbles + PONDS - 1), PONDS - 1)  # between stars: one pond ends
        for bar in bars:
            ends = (-1,) + bar + (pebbles + PONDS - 1,)
            found.append(tuple(ends[pond + 1] - ends[pond] - 1 for pond in range(PONDS)))
    return found


def row_lengths(most: int = MOST) -> List[int]:
    """How many columns the row of a side with 0, 1, 2 ... pebbles has."""
    return [_choose(most - pebbles + PONDS, PONDS) for pebbles in range(most + 1)]


def _choose(n: int, k: int) -> int:
    return factorial(n) // factorial(k) // factorial(n - k)


def unpacked(packed: numpy.ndarray) -> numpy.ndarray:
    """The entries, one a byte."""
    entries = numpy.empty(2 * len(packed), numpy.uint8)
    entries[0::2] = packed & 15
    entries[1::2] = packed >> 4
    return entries


def _load() -> Tuple[dict, dict, bytes]:
    counts = numpy.array(sides(), numpy.int64)
    numbers = counts.dot(1 << numpy.array(STANDARD.shifts, numpy.int64)).tolist()
    lengths = numpy.array(row_lengths())[counts.sum(axis=1)]
    starts = (numpy.cumsum(lengths) - lengths).tolist()
    packed = data.array("endgames.npy")
    if packed is None:
        return {}, {}, b""
    entries = unpacked(packed)
    return dict(zip(numbers, starts)), dict(zip(numbers, range(len(numbers)))), entries.tobytes()


ROWS, COLUMNS, ENTRIES = _load()


def gain(mine: int, theirs: int) -> int:
    """Pebbles that the mover will bank from here on, less the other's, with perfect play by both."""
    left = (mine + theirs) % STANDARD.field
    return 2 * ENTRIES[ROWS[mine] + COLUMNS[theirs]] - left


def ending(board: Board) -> Callable[[Position, Move], Position]:
    """`play` for such a board, with positions that the table knows taken as finished."""
    play = board.play
    if board is not STANDARD or not ENTRIES:
        return play
    field, row, column, entries = board.field, ROWS, COLUMNS, ENTRIES

    def play_to_the_tables(position: Position, move: Move) -> Position:
        """The position after a move; finished, with all pebbles counted, if its value is known."""
        child = play(position, move)
        mover, lead, mine, theirs = child
        left = (mine + theirs) % field
        if left > MOST or not left:
            return child
        return mover, lead + UNIT * (2 * entries[row[mine] + column[theirs]] - left), 0, 0

    return play_to_the_tables
