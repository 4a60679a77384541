"""The fast board: START, moves, play.

Squares are numbered like this, White's side at the bottom, so that square = 8 y + x:

    y=7   56 57 58 59 60 61 62 63
    y=6   48 49 50 51 52 53 54 55
    y=5   40 41 42 43 44 45 46 47
    y=4   32 33 34 35 36 37 38 39
    y=3   24 25 26 27 28 29 30 31
    y=2   16 17 18 19 20 21 22 23
    y=1    8  9 10 11 12 13 14 15
    y=0    0  1  2  3  4  5  6  7
         x=0                  x=7

A position is (mover, mine, theirs, plies, name): the player to move, the two sides as he sees them
(sides.py), the plies played, and a number that is the same for the same stacks with the same
player to move and, but for one chance in 10 to the 18th, different for others.

A move is an int.  Below 64: the boom of the stack on that square.  Else n * 4096 + start * 64 +
target: n tokens go from start to target.
"""

from typing import List, Tuple

from .sides import MOST, SIDES, TARGETS, Side, count, mixed, side

Position = Tuple[int, Side, Side, int, int]

LAST_PLY = 500  # the game is drawn after this one
# So near the end a position's worth depends on the plies, and they become part of its name.  No
# win of the ending tables takes longer than this.
NEAR_THE_END = LAST_PLY - 80

LOUD = 1 << 16  # a flag that candidates.py gives some moves; it changes nothing here

# What a move adds to the heights; the board with its target; and both at once for the move lists.
_MOVES = [
    (n << 12 | start << 6 | target, n, start, target)
    for n in range(1, MOST + 1)
    for start in range(64)
    for target in range(64)
    if TARGETS[7][start] >> target & 1
]
CHANGE = [0] * (2 << 16)
for _move, _n, _start, _target in _MOVES:
    CHANGE[_move] = CHANGE[_move | LOUD] = (_n << 4 * _target) - (_n << 4 * _start)

BLACK_TO_MOVE = 0x1F83D9ABFB41BD6B & 0x3FFFFFFFFFFFFFFF  # any number will do


def _row_heights():
    """For each set of squares of one row: all the bits of their heights."""
    return [sum(15 << 4 * x for x in range(8) if row >> x & 1) for row in range(256)]


_ROW = _row_heights()


def all_heights(bits: int) -> int:
    """A board with one bit a square, made into one with all four bits of each of these squares."""
    wide = 0
    shift = 0
    while bits:
        wide |= _ROW[bits & 255] << shift
        bits >>= 8
        shift += 32
    return wide


def put_together(mover: int, mine: Side, theirs: Side, plies: int) -> Position:
    """The position with these sides."""
    name = mine[12] ^ theirs[13]
    if mover:
        name ^= BLACK_TO_MOVE
    if plies > NEAR_THE_END:
        name ^= plies << 40
    return mover, mine, theirs, plies, name


def without_plies(position: Position) -> int:
    """The name that says whether a position came before: near the end too it leaves the plies out."""
    plies = position[3]
    return position[4] ^ plies << 40 if plies > NEAR_THE_END else position[4]


def _start():
    white = sum(1 << 4 * (8 * y + x) for x in (0, 1, 3, 4, 6, 7) for y in (0, 1))
    return put_together(0, side(white), side(white << 4 * 48), 0)


START = _start()


def over(position: Position) -> bool:
    """Whether the game is over, as far as one position shows it (repetition needs the whole game)."""
    return not position[1][4] or not position[2][4] or position[3] >= LAST_PLY


def moves(position: Position) -> List[int]:
    """All legal moves, booms first; none when the game is over."""
    if over(position):
        return []
    heights, rest = position[1][:2]
    free = ~position[2][1]
    booms = []
    found = []
    while rest:
        low = rest & -rest
        rest ^= low
        start = low.bit_length() - 1
        booms.append(start)
        height = heights >> 4 * start & 15
        targets = TARGETS[height][start] & free
        while targets:
            low = targets & -targets
            targets ^= low
            target = low.bit_length() - 1
            for n in range(1, height + 1):
                found.append(n << 12 | start << 6 | target)
    return booms + found


def count_moves(position: Position) -> int:
    """How many moves there are, without making the list."""
    if over(position):
        return 0
    heights, rest = position[1][:2]
    free = ~position[2][1]
    found = 0
    while rest:
        start = rest.bit_length() - 1
        rest ^= 1 << start
        height = heights >> 4 * start & 15
        found += 1 + height * count(TARGETS[height][start] & free)
    return found


def play(position: Position, move: int) -> Position:
    """The position after a move; its legality is not checked."""
    mover, mine, theirs, plies, _ = position
    if move > 63:
        mine = SIDES[mine[0] + CHANGE[move]]
    else:
        gone = ~all_heights(component(mine, theirs, move))
        mine = SIDES[mine[0] & gone]
        theirs = SIDES[theirs[0] & gone]
    # As put_together does, here without the call.
    name = theirs[12] ^ mine[13]
    plies += 1
    if plies > NEAR_THE_END:
        name ^= plies << 40
    if mover:
        return 0, theirs, mine, plies, name
    return 1, theirs, mine, plies, name ^ BLACK_TO_MOVE


def component(mine: Side, theirs: Side, square: int) -> int:
    """The squares that a boom on one of them clears."""
    bit = 1 << square
    for found, _, _ in mixed(mine, theirs):
        if found & bit:
            return found
    for group, _, _ in mine[5]:
        if group & bit:
            return group
    return bit
