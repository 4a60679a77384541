"""Everything worth knowing of one player's stacks, worked out once for each arrangement of them.

A move changes one player's stacks only, and the same arrangements come again and again in a
search (nine times of ten in a middle game), so a position is put together from two such `Side`s.

A side is named by its heights: one int with four bits a square, those of square s from bit 4 s on
(position.py draws the squares).  Boards are ints with one bit a square.
"""

from operator import itemgetter
from random import Random
from typing import List, Tuple

# What a side is: a plain tuple, since unpacking one is several times as fast as attributes.
#   heights  tokens on each square, four bits a square
#   bits     the squares with stacks
#   near     those squares and all around them
#   area     what a stack can stand on after a move, and all around that
#   tokens   how many there are
#   groups   its explosion components, were it alone: tuples (bits, near, tokens), most tokens first
#   stacks   how many there are
#   pairs    how many pairs of its stacks stand side by side
#   spread   how many squares are in `area`
#   across, up, square   sums over tokens of x, of y and of x x + y y
#   name, other_name     two random numbers that stand for the arrangement
Side = Tuple[int, int, int, int, int, tuple, int, int, int, int, int, int, int, int]
HEIGHTS, BITS, NEAR, AREA, TOKENS, GROUPS = range(6)

MOST = 12  # tokens a player has
BOARD = (1 << 64) - 1  # all squares
EACH_SQUARE = sum(1 << 4 * square for square in range(64))  # the lowest bit of every height
ENTRIES = 7000  # sides remembered in each of two generations: about 10 MB each

try:
    _bit_count = int.bit_count  # CPython 3.10 and newer

    def count(bits: int) -> int:
        """How many squares a board has."""
        return _bit_count(bits)

except AttributeError:

    def count(bits: int) -> int:
        """How many squares a board has."""
        return bin(bits).count("1")


def _square(x, y):
    return 1 << 8 * y + x if 0 <= x < 8 and 0 <= y < 8 else 0


def _around(bits):
    """The squares of a board and all around them."""
    wide = bits | (bits & ~0x8080808080808080) << 1 | (bits & ~0x0101010101010101) >> 1
    return (wide | wide << 8 | wide >> 8) & 0xFFFFFFFFFFFFFFFF


KING = [_around(1 << square) for square in range(64)]  # a square and those around it

# TARGETS[height][square]: squares in line with it, at most as far away as the stack is high.
TARGETS = [
    [
        sum(
            _square(square % 8 + dx * distance, square // 8 + dy * distance)
            for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1))
            for distance in range(1, height + 1)
        )
        for square in range(64)
    ]
    for height in range(MOST + 1)
]


# Sums over stacks lie side by side in one int, so that adding up a side is one addition a stack: from the
# lowest bits on its tokens, stacks, the three moments, and the number that goes into its name.
FIELD = 12  # bits of each but the last: twelve tokens of at most 98 each
MASK = (1 << FIELD) - 1
NAME = (1 << 62) - 1


def _stacks():
    """For each square and height what a stack adds to its side."""
    source = Random(2020)
    table = []
    for square in range(64):
        x, y = square % 8, square // 8
        row = [None]
        for height in range(1, MOST + 1):
            area = _around(1 << square | TARGETS[height][square])
            sums = 0
            parts = height, 1, height * x, height * y, height * (x * x + y * y), source.getrandbits(62)
            for place, part in enumerate(parts):
                sums |= part << FIELD * place
            row.append((1 << square, KING[square], 1 << square | area << 64, height, sums))
        table.append(row)
    return table


_STACKS = _stacks()
_TOKENS = itemgetter(2)


class Sides(dict):
    """Sides by their heights, in two generations: what this one has not is looked for in the older one."""

    old = {}  # type: dict

    def __missing__(self, heights: int) -> Side:
        known = self.old.get(heights)
        if known is None:
            known = _work_out(heights)
        if len(self) >= ENTRIES:
            self.old = dict(self)
            self.clear()
        self[heights] = known
        return known


SIDES = Sides()
side = SIDES.__getitem__  # side(heights): the side with these heights


def _work_out(heights: int) -> Side:
    wide = near = pairs = sums = 0  # wide: the stacks' squares, and above these their area
    groups = []  # type: List[Tuple[int, int, int]]
    rest = (heights | heights >> 1 | heights >> 2 | heights >> 3) & EACH_SQUARE
    while rest:
        place = rest.bit_length() - 1
        rest ^= 1 << place
        bit, king, reach, height, numbers = _STACKS[place >> 2][heights >> place & 15]
        if near & bit:  # beside stacks that were here before: their groups become one
            pairs += count(king & wide)
            group, around, together = bit, king, height
            apart = []
            for other in groups:
                if other[1] & bit:
                    group |= other[0]
                    around |= other[1]
                    together += other[2]
                else:
                    apart.append(other)
            groups = apart
            groups.append((group, around, together))
        else:
            groups.append((bit, king, height))
        wide |= reach
        near |= king
        sums += numbers
    if len(groups) > 1:
        groups.sort(key=_TOKENS, reverse=True)
    area = wide >> 64
    tokens, stacks = sums & MASK, sums >> FIELD & MASK
    name = sums >> 5 * FIELD & NAME
    return (
        heights,
        wide & BOARD,
        near,
        area,
        tokens,
        tuple(groups),
        stacks,
        pairs,
        count(area),
        sums >> 2 * FIELD & MASK,
        sums >> 3 * FIELD & MASK,
        sums >> 4 * FIELD & MASK,
        name,
        name * 0x9E3779B97F4A7C15 & NAME,
    )


def height_at(heights: int, square: int) -> int:
    """How many tokens stand on a square."""
    return heights >> 4 * square & 15


def mixed(mine: Side, theirs: Side) -> List[Tuple[int, int, int]]:
    """The explosion components with stacks of both: (bits, my tokens in it, theirs).

    Every component of the whole board is a union of groups that touch each other.
    """
    their_bits, my_rest, their_rest = theirs[1], [], []
    for group in mine[5]:  # a comprehension is slower for so few
        if group[1] & their_bits:
            my_rest.append(group)
    if not my_rest:
        return my_rest
    my_bits = mine[1]
    for group in theirs[5]:
        if group[1] & my_bits:
            their_rest.append(group)
    if len(my_rest) == 1 or len(their_rest) == 1:  # two times of three: then all of them touch that one
        bits = m = e = 0
        for group, _, tokens in my_rest:
            bits |= group
            m += tokens
        for group, _, tokens in their_rest:
            bits |= group
            e += tokens
        return [(bits, m, e)]
    found = []
    while my_rest:
        bits, near, m = my_rest.pop()
        e = 0
        grown = True
        while grown:
            grown = False
            for group in their_rest[:]:
                if group[0] & near:
                    their_rest.remove(group)
                    bits |= group[0]
                    near |= group[1]
                    e += group[2]
                    grown = True
            if not grown:
                break
            grown = False
            for group in my_rest[:]:
                if group[0] & near:
                    my_rest.remove(group)
                    bits |= group[0]
                    near |= group[1]
                    m += group[2]
                    grown = True
        found.append((bits, m, e))
    return found
