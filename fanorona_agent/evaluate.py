"""What a position without a known result is worth to its mover, fitted to how games ended.

300 points are odds of e to 1 of scoring.  A row has a number for each of the counts of men on the board
in KNOTS, or for the first of them; between them it is read off, beyond them it stays as it is.  The
numbers are what this prints:

    python -m fanorona_agent.train.fit
"""

from typing import List, Tuple

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
    STRONG,
    Position,
    popcount,
)
from .shared.search import WIN

KNOTS = [6, 8, 11, 15, 22]

# When the mover has no capture, which is rare with more men than 20:
QUIET = [
    [371, 281, 148, 42],  # for each man more
    [-3, -5, -8, 10],  # for each line more from an own man to an empty point
    [80, 111, 129, 119],  # for a line a man more
    [16, -1, 8, 84],  # for each man more that is not on the edge
    [-79, -19, -29, -112],  # for each man more on a strong point
    [-200, -137, -63, -13],  # for each hop with which the other could capture
    [9, 7, 12, 23],  # for being to move
]
# When he has one, the same and then:
LOUD = [
    [325, 308, 156, 163, 62],
    [18, 21, 14, 1, -5],
    [91, -32, 66, 155, 207],
    [87, 78, 35, -9, 14],
    [-34, -164, -95, -150, -64],
    [-28, -61, -57, -1, 19],
    [333, 492, 387, 228, 80],
    [32, 31, -16, -29, -19],  # for each hop with which the mover can capture
]


def by_men(rows: List[List[int]]) -> List[Tuple[float, ...]]:
    """The numbers for each count of men on the board."""
    found = []
    for men in range(46):
        men = min(max(men, KNOTS[0]), KNOTS[len(rows[0]) - 1])
        above = next(place for place in range(1, len(KNOTS)) if men <= KNOTS[place])
        below = above - 1
        share = (men - KNOTS[below]) / (KNOTS[above] - KNOTS[below])
        found.append(tuple(row[below] * (1 - share) + row[above] * share for row in rows))
    return found


QUIET_BY_MEN, LOUD_BY_MEN = by_men(QUIET), by_men(LOUD)


def evaluate(position: Position) -> int:
    """The score for the mover: exact where the game or the quiet limit has decided it, 0 only for a draw."""
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
    my_lines, their_lines = popcount(my_hops), popcount(their_hops)
    my_captures = my_hops & (theirs * AHEAD | theirs * BEHIND)
    if my_captures:
        man, line, line_a_man, inner, strong, exposed, move, capture = LOUD_BY_MEN[my_men + their_men]
        move += capture * popcount(my_captures)
    else:
        man, line, line_a_man, inner, strong, exposed, move = QUIET_BY_MEN[my_men + their_men]
    score = (
        man * (my_men - their_men)
        + line * (my_lines - their_lines)
        + line_a_man * (my_lines / my_men - their_lines / their_men)
        + inner * (popcount(mine & INNER) - popcount(theirs & INNER))
        + strong * (popcount(mine & STRONG) - popcount(theirs & STRONG))
        + exposed * popcount(their_hops & (mine * AHEAD | mine * BEHIND))
        + move
    )
    return int(score) or 1
