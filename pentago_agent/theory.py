"""The second stone in classic Pentago, where White has won the game after most answers: a book of four corners.

The published solution of classic (arXiv 1404.0743) says: White's first stone wins but on 12 of the 36 cells, a
corner of the board and the two quadrant corners beside it; of the 1 260 boards with two stones he has won 1 240.
What follows, for the other 20, which are drawn:

- White's stone is on a corner of the board.  Were it elsewhere, one twist would lead there from a first stone
  that wins.  So Black has to twist it back there, or to leave it there.
- Up to the symmetries of the four quadrants five of 234 boards are drawn, and counting both ways leaves
  five answers for each corner, all in its own quadrant or in the opposite one, each with its reflection.

Which five is not published in words.  Of them long games of the search find the one beside the corner the best.
"""

from typing import Optional

from .geometry import Geometry, cell
from .position import Position, moves, play, stones

# White's stone and Black's.
DRAWN = {
    (cell(white_row, white_column), cell(row, column))
    for white_row in (0, 5)
    for white_column in (0, 5)
    for row, column in ((white_row, abs(white_column - 1)), (abs(white_row - 1), white_column))
}


def second_stone(position: Position, geometry: Geometry) -> Optional[int]:
    """Black's first move in classic where it can still draw; None in other positions."""
    if not geometry.places_at_once or stones(position) != 1:
        return None
    for move in moves(position, geometry):
        after = play(position, move, geometry)
        if (_only_cell(after[1:5]), _only_cell(after[5:])) in DRAWN:
            return move
    return None


def _only_cell(quadrants):
    """The cell of the only stone in four quadrants."""
    return next(9 * number + bits.bit_length() - 1 for number, bits in enumerate(quadrants) if bits)
