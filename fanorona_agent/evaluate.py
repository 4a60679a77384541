"""What a position without a known result is worth to its mover, fitted to how games ended.

300 points are odds of e to 1 of scoring.  A row has a number for each of the counts of men on the board
in KNOTS, or for the first of them; between them it is read off, beyond them it stays as it is.  The
numbers, and the changes to them, are what these printed, the first one with the search of commit fcf6e28:

    python -m fanorona_agent.train.fit
    python -m fanorona_agent.train.tune
"""

from typing import List, Optional, Tuple

from .position import (
    AHEAD,
    BEHIND,
    BOARD,
    COLUMNS,
    HERE,
    INNER,
    LAST_QUIET,
    LINES,
    NEXT,
    OVER,
    ROWS,
    STRONG,
    Position,
    popcount,
)

WIN = 1_000_000  # what is said of a won game

KNOTS = [6, 8, 11, 15, 22]

# When the mover has no capture, which is rare with more men than 20:
QUIET = [
    [495, 288, 201, 143],  # for each man more
    [3, 8, 3, 0],  # for each line more from an own man to an empty point
    [20, 38, 67, 126],  # for a line a man more
    [49, 17, -4, 25],  # for each man more that is not on the edge
    [-13, -16, -17, -36],  # for each man more on a strong point
    [-217, -119, -34, -56],  # for each hop with which the other could capture
    [26, 24, 8, 49],  # for being to move
    [-100, -83, -85, -108],  # for each column between the middles of both sides, to who leads
]
# When he has one, the same and then:
LOUD = [
    [311, 218, 166, 122, 75],
    [9, 12, 11, 7, 6],
    [-38, 36, 44, 102, 38],
    [71, 15, -7, -1, 17],
    [1, -93, -59, -83, -100],
    [-139, -69, -41, -37, -1],
    [212, 304, 285, 136, 45],
    [-81, 33, -18, -31, 0],
    [63, 65, 7, 33, 12],  # for each hop with which the mover can capture
]

# What is added to them, with FEW_MEN on the board or fewer and with MANY_MEN or more: found by games.
FEW_MEN, MANY_MEN = 9, 15
QUIET_CHANGES = [[55, -13], [-1, -1], [12, -11], [39, -7], [-7, 11], [-65, -7], [47, 12], [15, 3]]
LOUD_CHANGES = [[53, 29], [3, -1], [-13, 9], [-10, -19], [12, -15], [26, -38], [15, -28], [40, -12], [41, 49]]

# A leader has to come near, or the quiet limit saves the other.  With so many men the sides meet anyway.
MANY = 15
# A side's men, copied for each one that a column is on from the left, and what such a copy keeps of them:
# so many are left in all as the men's columns come to.
SIDES = 50
REPEATED = sum(1 << SIDES * copy for copy in range(COLUMNS - 1))
COLUMN = sum(
    1 << SIDES * copy + 10 * row + column
    for copy in range(COLUMNS - 1)
    for row in range(ROWS)
    for column in range(copy + 1, COLUMNS)
)


def by_men(rows: List[List[int]], changes: Optional[List[List[int]]] = None) -> List[Tuple[float, ...]]:
    """The numbers for each count of men on the board."""
    found = []
    for men in range(46):
        many = min(max((men - FEW_MEN) / (MANY_MEN - FEW_MEN), 0.0), 1.0)
        men = min(max(men, KNOTS[0]), KNOTS[len(rows[0]) - 1])
        above = next(place for place in range(1, len(KNOTS)) if men <= KNOTS[place])
        below = above - 1
        share = (men - KNOTS[below]) / (KNOTS[above] - KNOTS[below])
        numbers = [row[below] * (1 - share) + row[above] * share for row in rows]
        more = [few * (1 - many) + last * many for few, last in changes or [[0, 0]] * len(rows)]
        found.append(tuple(number + change for number, change in zip(numbers, more)))
    return found


QUIET_BY_MEN, LOUD_BY_MEN = by_men(QUIET, QUIET_CHANGES), by_men(LOUD, LOUD_CHANGES)


def middle(men: int, count: int) -> float:
    """The mean column of so many men."""
    return popcount(men * REPEATED & COLUMN) / count


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
        man, line, line_a_man, inner, strong, exposed, move, apart, capture = LOUD_BY_MEN[my_men + their_men]
        move += capture * popcount(my_captures)
    else:
        man, line, line_a_man, inner, strong, exposed, move, apart = QUIET_BY_MEN[my_men + their_men]
    score = (
        man * (my_men - their_men)
        + line * (my_lines - their_lines)
        + line_a_man * (my_lines / my_men - their_lines / their_men)
        + inner * (popcount(mine & INNER) - popcount(theirs & INNER))
        + strong * (popcount(mine & STRONG) - popcount(theirs & STRONG))
        + exposed * popcount(their_hops & (mine * AHEAD | mine * BEHIND))
        + move
    )
    if my_men != their_men and my_men + their_men < MANY:
        columns = abs(middle(mine, my_men) - middle(theirs, their_men))
        score += apart * columns if my_men > their_men else -apart * columns
    return int(score) or 1
