"""The tree that the search walks: whole turns, cut short where the endgame tables know the result."""

from typing import List, Optional

from .endgames import DRAWN, MOST_MEN, WON, Endgames
from .evaluate import evaluate
from .position import LAST_QUIET, Move, Position, captures, moves, popcount
from .shared.alphabeta import WIN

# A win by the tables is worth less than one that the search sees to its end, whatever the difference
# of men: of two such wins the one with more men, then the quicker one.  Without that term the search
# throws men away on its way to an ending that is just as won.
TABLE_WIN = WIN - 5000
TABLE_MAN = 300
# So many captures are followed past the horizon, the biggest ones.
STORM = 3
DRAWN_MAN = 3  # a man more in a drawn ending: the opponent may still err
# What a draw is worth less than nothing to the player who searches: half a man.  Few opponents can hold
# what is even, so he does not steer into a draw, nor capture his way into a drawn ending.
CONTEMPT = 100


class Tree:
    """The three functions of a search, for one rule set, with tables or (None) without."""

    def __init__(self, has_pass: bool, endgames: Optional[Endgames]) -> None:
        self.has_pass = has_pass
        self.endgames = endgames
        self.tabled = MOST_MEN if endgames is not None else 0
        self.ended = self.tabled
        self.draws = 0, 0  # what a draw is worth to light and to dark

    def plant(self, root: Position) -> bool:
        """Prepare for a search from a position; True if the tables know it.

        A position with as many men as the root is then not ended by the tables, which know nothing
        of repetitions, but played on from; what they say counts at the horizon.
        """
        self.draws = (CONTEMPT, -CONTEMPT) if root[0] else (-CONTEMPT, CONTEMPT)
        men = popcount(root[1] | root[2])
        self.ended = min(self.tabled, men - 1)
        return men <= self.tabled

    def moves(self, position: Position) -> List[Move]:
        """The turns, the biggest captures first; none where the game, or the search for it, is over."""
        if popcount(position[1] | position[2]) <= self.ended:
            return []
        return moves(position, self.has_pass)

    def noisy(self, position: Position) -> List[Move]:
        """The turns worth following past the horizon."""
        if popcount(position[1] | position[2]) <= self.tabled:
            return []
        return captures(position, self.has_pass)[:STORM]

    def evaluate(self, position: Position) -> int:
        """The score for the mover."""
        _, mine, theirs, quiet, _, _ = position
        my_men, their_men = popcount(mine), popcount(theirs)
        if my_men + their_men > self.tabled or not my_men or not their_men or quiet >= LAST_QUIET:
            return evaluate(position) or self.draws[position[0]]
        value = self.endgames.value(mine, theirs, my_men, their_men)
        more = my_men - their_men
        if value > DRAWN and quiet + WON - value <= LAST_QUIET:
            return TABLE_WIN + TABLE_MAN * more - (WON - value)
        if value < DRAWN and quiet + value <= LAST_QUIET:
            return TABLE_MAN * more + value - TABLE_WIN if value else -WIN
        return self.draws[position[0]] + DRAWN_MAN * more
