"""Endings with at most four tokens, known to their end: who wins, and in how many plies.

The tables of data/ are for the player to move: m v e is m tokens of his against e.  A value d > 0
says that he wins in d plies, d < 0 that he loses in -d, 0 that neither can force a win.  Each of
the eight symmetries of the board gives the same value, so they are stored for one of them
(symmetry.py): that which brings a lone token to the corner, or gives the mover's pair its lowest
number.  With one token each nobody can force anything: these need no table.
"""

from typing import List, Optional

from .position import LAST_PLY, Position, moves, over, play
from .shared import data
from .symmetry import LONE, NUMBERS, PAIR, TURNED, number

KNOWN = 4  # tokens on the board, at most

# Bytes, unsigned: indexing them is several times as fast as indexing an array.
TABLES = {}
for _m, _e in ((2, 1), (1, 2), (2, 2), (3, 1), (1, 3)):
    _table = data.contents("%dv%d.npy" % (_m, _e))
    if _table:
        TABLES[_m, _e] = _table


def squares_of(heights: int) -> List[int]:
    """The square of each token of a side."""
    found = []
    while heights:
        square = heights.bit_length() - 1 >> 2
        height = heights >> 4 * square
        heights -= height << 4 * square
        found += [square] * height
    return found


def ending(position: Position) -> Optional[int]:
    """The value of a position as the tables have it; None if they do not, or it is over.

    A win or loss that the limit of plies comes before is a draw.
    """
    _, mine, theirs, plies, _ = position
    m, e = mine[4], theirs[4]
    table = TABLES.get((m, e))
    if table is None or plies >= LAST_PLY:
        return 0 if m == e == 1 else None
    if m == 1:
        place, symmetry = LONE[mine[1].bit_length() - 1]
        other = squares_of(theirs[0])
    elif e == 1:
        place, symmetry = LONE[theirs[1].bit_length() - 1]
        other = squares_of(mine[0])
    else:
        place, symmetry = PAIR[number(squares_of(mine[0]))]
        other = squares_of(theirs[0])
    turn = TURNED[symmetry]
    value = table[place * NUMBERS[len(other)] + number([turn[square] for square in other])]
    if value > 127:
        value -= 256
    return value if plies + abs(value) <= LAST_PLY else 0


def best_move(position: Position) -> Optional[int]:
    """The move that wins soonest or loses latest by the tables; None where they decide nothing."""
    if over(position) or not ending(position):
        return None
    return max(moves(position), key=lambda move: _worth(play(position, move)))


def _worth(child: Position) -> float:
    """What a position is worth to the player who has just moved: soonest wins first."""
    _, mine, theirs, plies, _ = child
    if not mine[4] or not theirs[4]:
        return 1.0 if theirs[4] else -1.0 if mine[4] else 0.0
    value = ending(child)
    if not value:
        return 0.0
    return 1.0 / (1 - value) if value < 0 else -1.0 / (1 + value)
