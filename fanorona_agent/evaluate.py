"""What a position without a known result is worth to its mover; a man is worth some 200 in the end."""

from .position import (
    AHEAD,
    BEHIND,
    BOARD,
    HERE,
    INNER,
    LAST_QUIET,
    LINES,
    NEXT,
    OVER,
    Position,
    popcount,
)
from .shared.search import WIN

# A man in the opening is worth little, for each turn takes several; in a board of ten he is worth 224.
# Fitted to deeper searches (train/fit.py), then rounded.
MAN = 20
FEWER_MEN = 6  # times the men missing on the board, for each man more
FREE_LINE = 3  # for each line from an own man to an empty point
IN_THE_MIDDLE = 3  # for a man not on the edge
TEMPO = 8  # for being to move
EXPOSED = 20  # for each hop with which the opponent could capture if he were to move


def evaluate(position: Position) -> int:
    """The score for the mover; exact when the game is over or the quiet limit decides it."""
    _, mine, theirs, quiet, _, _ = position
    if quiet == OVER:
        return 0
    free = (BOARD ^ mine ^ theirs) * NEXT & LINES
    my_hops = mine * HERE & free
    if not my_hops:
        return -WIN
    if not theirs:
        return WIN
    if quiet == LAST_QUIET:
        return 0
    their_hops = theirs * HERE & free
    my_men, their_men = popcount(mine), popcount(theirs)
    score = (
        (my_men - their_men) * (MAN + FEWER_MEN * (44 - my_men - their_men))
        + FREE_LINE * (popcount(my_hops) - popcount(their_hops))
        + IN_THE_MIDDLE * (popcount(mine & INNER) - popcount(theirs & INNER))
        + TEMPO
    )
    if my_hops & (theirs * AHEAD | theirs * BEHIND):
        return score
    return score - EXPOSED * popcount(their_hops & (mine * AHEAD | mine * BEHIND))
