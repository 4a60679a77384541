"""What a position is worth to the mover: bank difference, and what the pebbles in the ponds promise.

The promise of a half side depends on the pebbles in all three of its ponds: data/halves.npy, fitted to
searches of self-play and tuned by games, by train/halves.py.  Boards other than the usual one go by a number
for each pond and its pebbles, below.  Both are looked up by half sides (position.Halves), so evaluating is
four look-ups and four additions.
"""

from typing import Any, Callable, Sequence, Tuple

import numpy

from .position import STANDARD, Board, Halves, Position
from .shared import data

# What the evaluation may err by before a position is looked at, by turns to go; with more it always is.
# Printed by python -m kalaha_agent.train.halves.
MARGINS = (0, 23, 27, 49, 50, 63)
# Pebbles that a mover may have fewer in his ponds than the other for a margin to hold: when his run dry, the
# other banks what he has, which no margin bounds.
STARVING = 20

EXCESS = 128  # added to the promises of half sides, so that each is a byte

Table = Sequence[Sequence[int]]  # [pond][pebbles], the last column also for more pebbles
MOST = 20  # pebbles told apart in a pond

# In eighths of a pebble (position.UNIT).  A pond as far from the bank as it has pebbles moves again;
# pebbles hoarded next to the bank are safe, a few there have to be given away soon.
# Fitted to searches of self-play: python -m kalaha_agent.train.weights

#       pebbles 0, 1, 2 ... 20 and more
MINE = (
    (-6, 5, 8, 13, 16, 20, 37, -3, -3, -5, -2, 1, 2, 18, 0, -4, -2, 4, 16, 5, 5),
    (-8, 3, 8, 13, 16, 33, -2, -3, -4, -2, -5, 1, 6, 25, 0, -4, -3, 3, 35, 9, 3),
    (-7, 3, 10, 12, 29, -5, -4, -4, -5, -6, -1, 6, 6, 22, 0, 9, 11, 37, 5, -1, 9),
    (-5, 4, 8, 23, -8, -7, -8, -6, -9, -1, 2, 10, 11, 27, 6, 15, 33, 5, 3, 7, 15),
    (1, 5, 18, -9, -7, -8, -6, -3, -1, 10, 8, 13, 17, 25, 15, 30, 1, 2, 1, 6, 7),
    (-5, 3, -18, -15, -13, -13, -9, -3, 1, 13, 15, 21, 22, 32, 42, 1, 3, 8, 13, 10, 16),
)
THEIRS = (
    (-4, -11, -13, -17, -18, -22, -5, -5, -4, 4, 10, 11, 7, 15, 27, 25, 18, 10, 1, 0, 0),
    (3, -8, -13, -16, -22, -9, 4, -2, 1, 3, 5, 8, -4, 10, 12, 13, 6, 6, 6, 10, 15),
    (7, -5, -10, -15, -9, 6, 3, 3, 2, 3, 4, 3, -6, 9, 11, 6, 3, -8, 10, 5, 6),
    (9, -4, -10, -6, 8, 6, 7, 4, 5, 1, -2, -2, -5, -1, 6, -6, -6, 6, 5, 19, -6),
    (8, -2, -1, 14, 13, 14, 12, 11, 7, 0, 1, -7, -7, -9, -10, -11, 7, 0, 0, -3, -9),
    (15, 12, 26, 25, 23, 19, 18, 10, 2, -3, -8, -17, -21, -26, -18, 1, -1, 1, -11, -6, -13),
)


def promises(board: Board) -> Tuple[Halves, Halves]:
    """What the mover's side promises on a board, and the other's."""
    return USUAL if board is STANDARD else by_ponds(board)


def by_ponds(board: Board) -> Tuple[Halves, Halves]:
    """The promises of each pond by itself."""
    mine, theirs = [board.of_ponds(rescaled(table, board.ponds)) for table in (MINE, THEIRS)]
    return mine, theirs


def looked_up(table: Table) -> Callable[[int, int], int]:
    """The number of a pond and its pebbles."""
    return lambda pond, pebbles: table[pond][min(pebbles, len(table[pond]) - 1)]


def by_halves(tables: Any) -> Tuple[Halves, Halves]:
    """The promises of the usual board's half sides: tables [side][half][ponds 3, 2, 1]."""
    mine, theirs = [Halves(STANDARD, spread(near), spread(far), 2 * EXCESS) for near, far in tables]
    return mine, theirs


def spread(table: Any) -> bytes:
    """The promise of every half side of the usual board and EXCESS, to be looked up at once: 2 MB of bytes.

    Of all that has a number for each half side, bytes are looked up fastest, and no number is made anew.
    """
    level = numpy.minimum(numpy.arange(STANDARD.field + 1), MOST)
    table = (table.astype(numpy.int16) + EXCESS).astype(numpy.uint8)
    return table[level][:, level][..., level].tobytes()


def evaluator(promised: Tuple[Halves, Halves]) -> Callable[[Position], int]:
    """The evaluation for a board: exact for a finished game, whose ponds promise nothing."""
    my, their = promised
    cut, low, my_near, my_far, their_near, their_far = my.cut, my.low, my.near, my.far, their.near, their.far
    excess = my.excess + their.excess

    def evaluate(position: Position) -> int:
        """The score of a position, from the mover's side."""
        _, lead, mine, theirs = position
        if not mine:
            return lead
        lead += my_near[mine & low] + my_far[mine >> cut] - excess
        return lead + their_near[theirs & low] + their_far[theirs >> cut]

    return evaluate


def rescaled(table: Table, ponds: int) -> Callable[[int, int], int]:
    """The number of a pond and its pebbles on a board with another number of ponds a side.

    What counts is how far a pond is from the bank, and how far past it its pebbles reach.  Ponds too
    far out for the table are like its farthest, with as many pebbles fewer.
    """
    known = len(table)
    if ponds == known:
        return looked_up(table)
    most = len(table[0]) - 1

    def number(pond: int, pebbles: int) -> int:
        distance = ponds - pond
        row, further = table[max(0, known - distance)], max(0, distance - known)
        if not pebbles:
            return row[0]
        pebbles = min(pebbles, most + 2 * ponds - 1)
        past = pebbles - distance
        if past > 0:  # laps are longer on a larger board
            pebbles = distance + max(1, int(past * (2 * known + 1) / (2 * ponds + 1)))
        return row[max(0 if past < 0 else 1, min(most, pebbles - further))]

    return number


HALVES = data.array("halves.npy")
USUAL = by_ponds(STANDARD) if HALVES is None else by_halves(HALVES)
