"""Moves for the first plies, from long searches made once: data/book.npy.

A position and its half turn share an entry.  (The half turn is the only symmetry of the twist variant;
classic has others, which the book does not use, and no book.)
"""

import io
import pkgutil
from typing import Optional

import numpy as np

from .geometry import CELLS, TWISTS, cell, row_and_column
from .kernel import keys_of
from .position import Position, batch

# Where half a turn of the board puts each cell; a twist goes with its quadrant.
HALF_TURN = [cell(5 - row, 5 - column) for row, column in map(row_and_column, range(CELLS))]


def turned(position: Position) -> Position:
    """The position after half a turn of the board."""
    quadrants = []
    for bits in position[1:]:
        quadrants.append(sum((bits >> place & 1) << 8 - place for place in range(9)))
    return position[:1] + tuple(quadrants[3::-1]) + tuple(quadrants[7:3:-1])


def turned_move(move: int) -> int:
    """The same move on the board after half a turn."""
    twist, number = divmod(move, CELLS)
    return (TWISTS - 2 - (twist & 6) + (twist & 1)) * CELLS + HALF_TURN[number]


def key(position: Position) -> int:
    """What the book knows a position by."""
    return int(keys_of(batch(position))[0])


class Book:
    """The entries of one variant: `positions` by number, read once and never changed."""

    def __init__(self) -> None:
        table = np.load(io.BytesIO(pkgutil.get_data(__package__, "data/book.npy")))
        self.moves = {int(known): int(move) for known, move in table}

    def move(self, position: Position) -> Optional[int]:
        """The book's move, or None."""
        found = self.moves.get(key(position))
        if found is not None:
            return found
        found = self.moves.get(key(turned(position)))
        return None if found is None else turned_move(found)
