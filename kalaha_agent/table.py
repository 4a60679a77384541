"""The search's table, packed: an entry takes 16 bytes, where one of a dict takes 300.

A position's ponds are one number.  Divided by the size of the table, the remainder is where its entry
lies, and the quotient, kept beside it, tells it from the others that lie there: nothing is taken for
another position.  What came last stays.  An entry is one number as well:

    bits  0-15 the move    16-47 the score and ORIGIN    48-49 the bound    50-60 the depth
"""

from array import array
from typing import Optional, Tuple

from .position import LEAD, MINE, THEIRS, Board, Move, Position

SIZES = 1048583, 400009, 131101, 32771, 8209  # entries: primes, so that alike positions lie apart
PACKED, LARGE = 16, 62  # bytes of an entry; of one whose quotient takes more than 64 bits
MEGABYTES = 25
SCORE, BOUND, DEPTH = 16, 48, 50  # where they begin
MOVE, LOW_BITS = (1 << 16) - 1, (1 << 32) - 1
EXACT, LOWER, UPPER = 0, 1, 2  # what the score of an entry is of the true value: the bound
SOLVED = 1_000  # the depth of an entry whose tree ended everywhere before the horizon
ORIGIN = 1 << 31  # added to scores, so that they are not negative


class Packed:
    """What is known of positions, whatever is in the banks: scores are kept without the lead."""

    def __init__(self, board: Board, megabytes: float = MEGABYTES) -> None:
        """As large as fits, but no smaller than the smallest."""
        self.bits = board.ponds * board.width
        for self.size in SIZES:
            large = (1 << 2 * self.bits) // self.size >= 1 << 64
            if self.size * (LARGE if large else PACKED) <= megabytes * 1e6:
                break
        self.quotients = [0] * self.size if large else array("Q", [0]) * self.size
        self.entries = array("Q", [0]) * self.size

    def entry(self, position: Position) -> Optional[Tuple[int, int, int, Move]]:
        """What is known of a position: (depth, bound, score, move), or None."""
        quotient, place = divmod(position[MINE] << self.bits | position[THEIRS], self.size)
        entry = self.entries[place]
        if not entry or self.quotients[place] != quotient:
            return None
        score = (entry >> SCORE & LOW_BITS) - ORIGIN + position[LEAD]
        return entry >> DEPTH, entry >> BOUND & 3, score, entry & MOVE

    def keep(self, position: Position, depth: int, bound: int, score: int, move: Move) -> None:
        """Remember what is known of a position, instead of what is in its place."""
        quotient, place = divmod(position[MINE] << self.bits | position[THEIRS], self.size)
        score += ORIGIN - position[LEAD]
        self.quotients[place] = quotient
        self.entries[place] = depth << DEPTH | bound << BOUND | score << SCORE | move
