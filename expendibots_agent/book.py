"""The opening book: moves that long searches came to, found again in all four views of a position.

The set-up stays as it is when left and right are exchanged, and when bottom and top are exchanged
together with the colours.  So a position of the game has four views that are worth the same, and
one of them in the book is enough.
"""

import struct
from typing import Dict, Optional

from .position import Position, put_together
from .shared import data
from .sides import Side, side

MIRRORED = [8 * y + 7 - x for y in range(8) for x in range(8)]
FLIPPED = [8 * (7 - y) + x for y in range(8) for x in range(8)]
BOTH = [63 - square for square in range(64)]
SAME = list(range(64))


def _load():
    return dict(struct.iter_unpack("<QQ", data.contents("book.npy")))


BOOK = _load()


def moved(owner: Side, squares: list) -> Side:
    """The side with each stack on the square that the list gives for its own."""
    heights = 0
    for square in range(64):
        heights |= (owner[0] >> 4 * square & 15) << 4 * squares[square]
    return side(heights)


def view(position: Position, squares: list) -> Position:
    """A position as seen in a mirror; seen from the other end the colours are exchanged too."""
    mover, mine, theirs, plies, _ = position
    if squares is FLIPPED or squares is BOTH:
        mover = 1 - mover
    return put_together(mover, moved(mine, squares), moved(theirs, squares), plies)


def turned(move: int, squares: list) -> int:
    """A move as seen in a mirror; each is its own inverse."""
    if move < 64:
        return squares[move]
    return move >> 12 << 12 | squares[move >> 6 & 63] << 6 | squares[move & 63]


def book_move(position: Position, moves_of: Dict[int, int] = BOOK) -> Optional[int]:
    """The book's move for a position, or None."""
    for squares in (SAME, MIRRORED, FLIPPED, BOTH):
        move = moves_of.get(view(position, squares)[4])
        if move is not None:
            return turned(move, squares)
    return None
