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


def _stacks():
    """For each square and height what a stack adds to its side."""
    source = Random(2020)
    table = []
    for square in range(64):
        x, y = square % 8, square // 8
        row = [None]
        for height in range(1, MOST + 1):
            area = _around(1 << square | TARGETS[height][square])
            sums = height * x, height * y, height * (x * x + y * y)
            row.append((1 << square, KING[square], area, height) + sums + (source.getrandbits(62),))
        table.append(row)
    return table


_STACKS = _stacks()
_TOKENS = itemgetter(2)
_young = {}
_old = {}


def side(heights: int) -> Side:
    """The side with these heights."""
    global _young, _old
    known = _young.get(heights)
    if known is not None:
        return known
    known = _old.get(heights)
    if known is None:
        known = _work_out(heights)
    if len(_young) >= ENTRIES:
        _young, _old = {}, _young
    _young[heights] = known
    return known


def _work_out(heights):
    bits = near = area = tokens = pairs = stacks = across = up = square_sum = name = 0
    groups = []  # type: List[Tuple[int, int, int]]
    rest = (heights | heights >> 1 | heights >> 2 | heights >> 3) & EACH_SQUARE
    while rest:
        place = rest.bit_length() - 1
        rest ^= 1 << place
        bit, king, reach, height, dx, dy, dd, number = _STACKS[place >> 2][heights >> place & 15]
        group, around, together = bit, king, height
        if near & bit:  # beside stacks that were here before: their groups become one
            pairs += count(king & bits)
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
        bits |= bit
        near |= king
        area |= reach
        tokens += height
        stacks += 1
        across += dx
        up += dy
        square_sum += dd
        name ^= number
    if len(groups) > 1:
        groups.sort(key=_TOKENS, reverse=True)
    other_name = name * 0x9E3779B97F4A7C15 & 0x3FFFFFFFFFFFFFFF
    return (
        heights,
        bits,
        near,
        area,
        tokens,
        tuple(groups),
        stacks,
        pairs,
        count(area),
        across,
        up,
        square_sum,
        name,
        other_name,
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
