"""What a position is worth to the mover: bank difference, and what each pond's pebbles promise.

The promise of a side is the sum over its ponds of a number that depends on the pond and its pebbles.
It is the same whatever the other's ponds hold, so it is remembered side by side: evaluating is two
look-ups and two additions.
"""

from typing import Callable, List, Sequence

from .position import Board, Position

Table = Sequence[Sequence[int]]  # [pond][pebbles], the last column also for more pebbles

REMEMBERED = 30_000  # sides, of each player: 4 MB

# In eighths of a pebble (position.UNIT).  A pond as far from the bank as it has pebbles moves again;
# pebbles hoarded next to the bank are safe, a few there have to be given away soon.
# Fitted to searches of self-play: python -m kalaha_agent.train.weights

#       pebbles 0, 1, 2 ... 20 and more
MINE = (
    ( -4,   8,  11,  14,  21,  21,  38,   2,   1,  -4,  -7,  -5,  -2,   9,   0,  -1,  -6,  15,  31,  10,   6),
    (-10,   3,   9,  12,  14,  32,  -3,  -2,  -6,  -7,  -4,  -1,   7,  15,   2,   6,   7,  11,  42,   2,  29),
    ( -8,   3,  10,  12,  28,  -7,  -6,  -6,  -5,  -7,  -1,   4,   7,  25,   8,   9,  13,  36,   8,  11,  23),
    ( -3,   6,  11,  23,  -8,  -5,  -5,  -7,  -5,  -2,   5,   6,  10,  22,  10,  14,  41,   8,   5,  11,  19),
    (  0,   4,  17, -13, -12, -13,  -9,  -5,   0,   7,  11,  14,  19,  27,  17,  37,   8,  13,   4,  11,  20),
    ( -9,  -1, -22, -18, -15, -15, -11,  -3,   3,  11,  18,  21,  24,  29,  41,   6,   8,  16,  22,  15,  37),
)
THEIRS = (
    ( -3, -11, -12, -14, -15, -22,   1,  -1,   2,   7,   7,   9,   5,  17,  22,  26,  20,   6,  -6,  -2,   0),
    (  4,  -7, -11, -12, -19,  -7,   8,   5,   5,   7,   3,   9,   0,   2,   8,  15,   3,   0,   4,  -1,  19),
    ( 11,  -2,  -8, -11,  -7,  10,  10,   7,   5,   6,   5,   6,   2,   3,   4,   4, -10,  -9,  13,  -1,  -2),
    (  6,  -6, -12,  -9,   8,   6,   7,   5,   7,   3,   0,   1,  -2,  -4,   5,  -5, -14,   9,  17,   8,   6),
    (  7,  -2,  -1,  17,  14,  14,  11,  11,   7,   2,  -3,  -3, -12, -12,  -7, -16,  10,   1,   3,   5, -11),
    ( 16,  12,  28,  26,  22,  21,  16,  11,   3,  -2,  -8, -12, -17, -19, -14,   1,   2,  -2, -12, -12, -24),
)


def evaluator(board: Board, mine: Table = MINE, theirs: Table = THEIRS) -> Callable[[Position], int]:
    """The evaluation for a board: exact for a finished game, whose ponds promise nothing."""
    my_promise, their_promise = Promise(board, mine), Promise(board, theirs)

    def evaluate(position: Position) -> int:
        """The score of a position, from the mover's side."""
        _, lead, mine, theirs = position
        return lead + my_promise[mine] + their_promise[theirs]

    return evaluate


class Promise(dict):
    """What each side promises its owner; worked out when first asked for."""

    def __init__(self, board: Board, table: Table) -> None:
        super().__init__()
        self.counts = board.counts
        self.table = rescaled(table, board.ponds)
        self[0] = 0

    def __missing__(self, side: int) -> int:
        if len(self) >= REMEMBERED:
            self.clear()
            self[0] = 0
        most = len(self.table[0]) - 1
        worth = sum(row[min(pebbles, most)] for row, pebbles in zip(self.table, self.counts(side)))
        self[side] = worth
        return worth


def rescaled(table: Table, ponds: int) -> List[List[int]]:
    """The table for a board with another number of ponds a side.

    What counts is how far a pond is from the bank, and how far past it its pebbles reach.  Ponds too
    far out for the table are like its farthest, with as many pebbles fewer.
    """
    known = len(table)
    if ponds == known:
        return [list(row) for row in table]
    most = len(table[0]) - 1
    rows = []
    for distance in range(ponds, 0, -1):
        row, further = table[max(0, known - distance)], max(0, distance - known)
        rows.append([row[0]])
        for pebbles in range(1, most + 2 * ponds):
            past = pebbles - distance
            if past > 0:  # laps are longer on a larger board
                pebbles = distance + max(1, int(past * (2 * known + 1) / (2 * ponds + 1)))
            rows[-1].append(row[max(0 if past < 0 else 1, min(most, pebbles - further))])
    return rows
