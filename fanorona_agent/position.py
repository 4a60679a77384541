"""The fast board: whole turns of Fanorona, those that leave the same board made once.

A set of points is an int with a bit for each; the bit's number is ten times the row plus the column.
The tenth column is no point: it keeps shifted rows apart.

         A   B   C   D   E   F   G   H   I
    0    0   1   2   3   4   5   6   7   8  (9)
    1   10  11  12  13  14  15  16  17  18 (19)
    2   20  21  22  23  24  25  26  27  28 (29)
    3   30  31  32  33  34  35  36  37  38 (39)
    4   40  41  42  43  44  45  46  47  48 (49)

A position is (mover, mine, theirs, quiet, name, chain):
    mover   0 for light, 1 for dark
    mine    the mover's men, theirs the other's
    quiet   how many boards the history holds: paikas since the last capture; OVER after a draw
    name    the board if a paika made it, so that it must not come again; else None
    chain   the points of an open chain, () at the beginning of a turn

A move is a whole turn, one int: the mover's points that change and, from bit 50 on, the men taken.
So a move below CAPTURE is a paika, and what is no move at all, 0, is a Pass.

To look along all lines at once, a board is multiplied by a number with a bit for each of the eight
directions: that writes eight copies of it, each 72 bits after the last one and shifted against the
direction by one point (or two).  72 leave room for a shift of two rows and two columns to both sides.
"""

from typing import Dict, List, Tuple

Position = Tuple
Move = int

COLUMNS, ROWS = 9, 5
DIRECTIONS = (-11, -10, -9, -1, 1, 9, 10, 11)
LANE, MARGIN = 72, 22

POINTS = tuple(10 * row + column for row in range(ROWS) for column in range(COLUMNS))
BOARD = sum(1 << point for point in POINTS)
STRONG = sum(1 << 10 * row + column for row in range(5) for column in range(9) if (row + column) % 2 == 0)
INNER = sum(1 << 10 * row + column for row in range(1, 4) for column in range(1, 8))

CAPTURE = 1 << 50
LOWER = CAPTURE - 1
LAST_QUIET = 21  # with so many boards in the history the next hop is a draw, whatever it is
OVER = 22

popcount = getattr(int, "bit_count", None) or (lambda men: bin(men).count("1"))  # int.bit_count: 3.10


def copies(distance: int) -> int:
    """What to multiply by, to see at every point what is that many steps ahead of it (or behind)."""
    return sum(1 << LANE * lane + MARGIN - distance * step for lane, step in enumerate(DIRECTIONS))


HERE, NEXT, AHEAD, BEHIND = copies(0), copies(1), copies(2), copies(-1)


def ray(point: int, step: int) -> Tuple[int, ...]:
    """The points from one on in a direction, itself included, as sets of one."""
    found = []
    while point in POINTS:
        found.append(1 << point)
        point += step
    return tuple(found)


# LINES: the copies' bits from where a line goes in the copy's direction.
# HOP_OF_BIT: what such a bit stands for, by its bit_length: (origin, target, the two together, the points
# ahead of the target, those behind the origin, HOPS_AFTER).  HOPS_AFTER lists, in the same form, where the
# man may go on from there: the same direction is out.
LINES = 0
HOP_OF_BIT = [None] * (LANE * 8 + MARGIN + 1)
# ORIGINS: the points from which a line goes in each of the directions.
ORIGINS = [0] * len(DIRECTIONS)


def _fill_tables() -> None:
    global LINES
    after = {}
    for lane, step in enumerate(DIRECTIONS):
        for origin in POINTS:
            target = origin + step
            if target not in POINTS or step not in (-10, -1, 1, 10) and not STRONG >> origin & 1:
                continue
            bit = LANE * lane + MARGIN + origin
            both = 1 << origin | 1 << target
            ahead, behind = ray(target + step, step), ray(origin - step, -step)
            LINES |= 1 << bit
            hops_after = after.setdefault((target, step), [])
            HOP_OF_BIT[bit + 1] = 1 << origin, 1 << target, both, ahead, behind, hops_after
            ORIGINS[lane] |= 1 << origin
    for (point, step), hops in after.items():
        same = 1 << point + step if point + step in POINTS else 0
        hops += [hop for hop in HOP_OF_BIT if hop and hop[0] == 1 << point and hop[1] != same]


_fill_tables()


class Onwards(dict):
    """The hops with which a man may go on who made a certain hop, by which of their targets are free.

    Each of `rows` stands for one way to capture with such a hop: (the target, the first of the points along
    which men are taken, all of them, what the man may go on with from there, as in ONWARDS).
    """

    def __init__(self) -> None:
        super().__init__()
        self.rows: List[Tuple] = []

    def __missing__(self, free: int) -> Tuple[Tuple, ...]:
        self[free] = found = tuple(row for row in self.rows if row[0] & free)
        return found


# By a hop's number in HOP_OF_BIT: the points to which the man may go on, and the hops that lead there.
ONWARDS = [(sum(after[1] for after in hop[5]), Onwards()) if hop else None for hop in HOP_OF_BIT]


def _fill_onwards() -> None:
    numbers = {id(hop): number for number, hop in enumerate(HOP_OF_BIT)}
    for hop, onwards in zip(HOP_OF_BIT, ONWARDS):
        for after in hop[5] if hop else ():
            row = ONWARDS[numbers[id(after)]]
            onwards[1].rows += [(after[1], points[0], points, row) for points in after[3:5] if points]


_fill_onwards()


class Steps(dict):
    """The paikas of sets of men in one direction: most of those asked for were asked for before."""

    def __init__(self, step: int) -> None:
        super().__init__()
        self.step = step

    def __missing__(self, men: int) -> Tuple[Move, ...]:
        found, rest = [], men
        while rest:
            origin = rest & -rest
            rest ^= origin
            found.append(origin | (origin << self.step if self.step > 0 else origin >> -self.step))
        if len(self) >= MOST_STEPS:
            self.clear()
        self[men] = tuple(found)
        return self[men]


MOST_STEPS = 2000  # sets for each direction, half a megabyte at most
STEPS = [Steps(step) for step in DIRECTIONS]

LIGHT = sum(1 << point for point in POINTS if point >= 30 or point in (21, 23, 26, 28))
START = (0, LIGHT, BOARD ^ LIGHT ^ 1 << 24, 0, None, ())


def moves(position: Position, has_pass: bool = True) -> List[Move]:
    """All whole turns with different results, the biggest captures first; none when the game is over."""
    _, mine, theirs, quiet, _, chain = position
    if chain:
        return _turns_from(position, has_pass)
    if quiet == OVER or not theirs:
        return []
    hops = mine * HERE & ((BOARD ^ mine ^ theirs) * NEXT & LINES)
    approaches, withdrawals = hops & theirs * AHEAD, hops & theirs * BEHIND
    if approaches or withdrawals:
        return captures(mine, theirs, quiet, approaches, withdrawals, has_pass)
    return paikas(mine, BOARD ^ mine ^ theirs)


def paikas(mine: int, free: int) -> List[Move]:
    """The turns of one hop to a free point, captures or not, in a list of its own."""
    return [
        *STEPS[0][mine & free << 11 & ORIGINS[0]],
        *STEPS[1][mine & free << 10 & ORIGINS[1]],
        *STEPS[2][mine & free << 9 & ORIGINS[2]],
        *STEPS[3][mine & free << 1 & ORIGINS[3]],
        *STEPS[4][mine & free >> 1 & ORIGINS[4]],
        *STEPS[5][mine & free >> 9 & ORIGINS[5]],
        *STEPS[6][mine & free >> 10 & ORIGINS[6]],
        *STEPS[7][mine & free >> 11 & ORIGINS[7]],
    ]


def captures(
    mine: int, theirs: int, quiet: int, approaches: int, withdrawals: int, has_pass: bool = True
) -> List[Move]:
    """The turns that begin with one of these hops, copies' bits as in LINES."""
    found: Dict[Move, None] = {}  # in the order in which they are found
    for capturing, side in ((approaches, 3), (withdrawals, 4)):
        while capturing:
            bit = capturing & -capturing
            capturing ^= bit
            number = bit.bit_length()
            hop = HOP_OF_BIT[number]
            taken = 0
            for point in hop[side]:
                if not point & theirs:
                    break
                taken |= point
            if quiet == LAST_QUIET:  # the game ends with this hop
                found[hop[2] | taken * CAPTURE] = None
            else:
                _follow_chains(hop[0], hop[1], mine, theirs, taken, ONWARDS[number], hop[2], has_pass, found)
    return sorted(found, key=popcount, reverse=True) if len(found) > 1 else list(found)


def _follow_chains(origin, here, mine, theirs, taken, onwards, left, has_pass, found) -> None:
    """Add to `found` all ways to end the turn of a man who has begun to capture.

    origin  where he stood when the turn began, `here` where he stands now
    mine    the mover's men when the turn began, theirs likewise, `taken` those since taken
    onwards what the lines allow him to go on with, as in ONWARDS; `left` where he has been
    """
    free = BOARD ^ mine ^ theirs
    stack = [(here, taken, onwards, left)]
    while stack:
        here, taken, (targets, hops), left = stack.pop()
        remaining = theirs & ~taken
        goes_on = False
        for target, first, points, onwards in hops[targets & (free | taken) & ~left]:
            if first & remaining:
                goes_on = True
                now_taken = taken
                for point in points:
                    if not point & remaining:
                        break
                    now_taken |= point
                stack.append((target, now_taken, onwards, left | target))
        if has_pass or not goes_on:
            found[origin ^ here | taken * CAPTURE] = None


def _turns_from(position: Position, has_pass: bool) -> List[Move]:
    """The turns that are left to a mover in the middle of a chain; `origin` is then where his man is now."""
    _, mine, theirs, _, _, chain = position
    here = 1 << chain[-1]
    onwards = ONWARDS[number_of(*chain[-2:])]
    left = sum(1 << point for point in chain)
    found: Dict[Move, None] = {}
    _follow_chains(here, here, mine, theirs, 0, onwards, left, has_pass, found)
    return sorted(found, key=popcount, reverse=True)


def hops_on(chain: Tuple[int, ...]) -> List[Tuple]:
    """The rows of HOP_OF_BIT along which the lines let a chain go on."""
    return HOP_OF_BIT[number_of(*chain[-2:])][5]


def number_of(origin: int, target: int) -> int:
    """The number in HOP_OF_BIT of the hop between two points."""
    return LANE * DIRECTIONS.index(target - origin) + MARGIN + origin + 1


def play(position: Position, move: Move) -> Position:
    """The position after a turn."""
    mover, mine, theirs, quiet, _, _ = position
    if quiet == LAST_QUIET:
        return 1 - mover, theirs & ~(move >> 50), mine ^ (move & LOWER), OVER, None, ()
    if move >= CAPTURE or not move:
        return 1 - mover, theirs ^ (move >> 50), mine ^ (move & LOWER), 0, None, ()
    mine ^= move
    name = theirs | mine << 50 if mover else mine | theirs << 50
    return 1 - mover, theirs, mine, quiet + 1, name, ()
