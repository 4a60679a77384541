"""The search's table, packed: an entry takes 16 bytes, where one of a dict takes 300.

A position's ponds are one number.  Divided by the size of the table, the remainder is where its entry
lies, and the quotient, kept beside it, tells it from the others that lie there: nothing is taken for
another position.  What came last stays.  An entry is one number as well:

    bits  0-15 the move    16-47 the score and ORIGIN    48-49 the bound    50-60 the depth
"""

from array import array
from typing import Optional, Tuple

from .position import MINE, THEIRS, Board, Position
from .shared.search import Entry

SIZES = 1048583, 400009, 131101, 32771, 8209  # entries: primes, so that alike positions lie apart
PACKED, LARGE = 16, 62  # bytes of an entry; of one whose quotient takes more than 64 bits
MEGABYTES = 25
SCORE, BOUND, DEPTH = 16, 48, 50  # where they begin
MOVE, LOW_BITS = (1 << 16) - 1, (1 << 32) - 1
ORIGIN = 1 << 31  # added to scores, so that they are not negative


class Packed:
    """What is known of positions, by the pairs that `key` makes of them; to the search a Table."""

    def __init__(self, board: Board, megabytes: float = MEGABYTES) -> None:
        """As large as fits, but no smaller than the smallest."""
        self.bits = board.ponds * board.width
        for self.size in SIZES:
            large = (1 << 2 * self.bits) // self.size >= 1 << 64
            if self.size * (LARGE if large else PACKED) <= megabytes * 1e6:
                break
        self.quotients = [0] * self.size if large else array("Q", [0]) * self.size
        self.entries = array("Q", [0]) * self.size
        self.young, self.old = self, ()  # the search asks two generations, here is only one

    def key(self, position: Position) -> Tuple[int, int]:
        """What distinguishes a position from the others at its place, and its place."""
        return divmod(position[MINE] << self.bits | position[THEIRS], self.size)

    def get(self, key: Tuple[int, int]) -> Optional[Entry]:
        """The entry of a position, or None."""
        quotient, place = key
        entry = self.entries[place]
        if not entry or self.quotients[place] != quotient:
            return None
        return entry >> DEPTH, entry >> BOUND & 3, (entry >> SCORE & LOW_BITS) - ORIGIN, entry & MOVE, 0

    def keep(self, key: Tuple[int, int], entry: Entry) -> None:
        """Remember an entry, instead of what is in its place."""
        quotient, place = key
        depth, bound, score, move, _ = entry
        self.quotients[place] = quotient
        self.entries[place] = depth << DEPTH | bound << BOUND | score + ORIGIN << SCORE | move
