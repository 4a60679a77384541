"""The second stone in classic Pentago, where White has won after most answers: a book of four corners.

The published solution of classic (arXiv 1404.0743) says: White's first stone wins but on 12 of the 36 cells,
a corner of the board and the two quadrant corners beside it; of the 1 260 boards with two stones White has
won 1 240.  What follows, for the other 20, which are drawn:

- White's stone is on a corner of the board.  Were it elsewhere, one twist would lead there from a first
  stone that wins.  So Black has to twist it back there, or to leave it there.
- Up to the symmetries of the quadrants five of 234 boards are drawn.  With the other count that leaves five
  answers for each corner, all in its own quadrant or in the opposite one.
- With an answer its reflection in the board's diagonal is one, so an odd number of them is on the diagonal.

Which five is not published in words.  In long games of the search against itself (train/second.py) White
makes least, and no more with more nodes, where Black's stone is in the middle of an edge of White's quadrant
that is no edge of the board: likely drawn, not proven.
"""

from typing import Optional

from .geometry import Geometry, cell
from .position import Position, moves, play, stones

# White's stone, on a corner of the board, and Black's.
DRAWN = {(cell(row, column), cell(abs(row - 1), abs(column - 2))) for row in (0, 5) for column in (0, 5)}


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
