"""Which ponds may be played, most promising first.

A rich capture comes first, then extra turns, then a poor capture, then what gives least away.  Working
that out takes as long as three nodes of the search, so it is done once for all sides whose ponds are
of the same kinds.  These are looked up by half sides, together with who may capture what:

    kinds   for each pond KIND bits: whether it may be played, moves again, or how much it gives away
    ends    for each pond a bit for each pond: whether its last pebble falls there
    gaps    for each pond a bit for each pond: whether that one is empty by then

A pond captures where an end is a gap, if there is something opposite.
"""

from functools import partial
from typing import Any, Callable, List, Tuple

KIND = 3  # bits
EMPTY, AHEAD = 0, 7  # kinds; those in between say how many pebbles go to the other side:
GIVEN = (None, 0, 1, 2, 4, 8, 12)  # at most so many, or more
RANK = (
    10  # bits of each part of a pond's rank in the order: whether it moves again, what it gives, which it is
)
POND = (1 << RANK) - 1
RICH = 4  # pebbles that are worth capturing before extra turns are looked at
REMEMBERED = 50_000  # of each kind of thing that is worked out below: 12 MB
# Ponds a side up to which so many are remembered: what is remembered grows as their square.  On 12x10 it is
# as fast as with four times as many, in 30 MB less.
USUAL = 6


def chooser(
    ponds: int, shifts: List[int], field: int, halves: Callable
) -> Callable[[int, int], Tuple[int, ...]]:
    """The function `choices` for boards with so many ponds a side; `halves` makes position.Halves."""
    prospects = halves(partial(prospect, ponds))
    cut, low, near, far = prospects.cut, prospects.low, prospects.near, prospects.far
    kinds = (1 << KIND * ponds) - 1
    ends = KIND * ponds
    gaps = ends + ponds * ponds
    middle = KIND * (ponds // 2)
    lower = (1 << middle) - 1

    def ranked(first, known):
        """The ranks of ponds of these kinds, from one pond on."""
        found = []
        for pond in range(first, ponds):
            kind = known >> KIND * (pond - first) & AHEAD
            if kind:
                given = 0 if kind == AHEAD else GIVEN[kind]
                found.append(((kind == AHEAD) << RANK | pond - given + GIVEN[-1]) << RANK | pond)
        return found

    def ordered(known):
        """The order for ponds of these kinds, without captures."""
        ranks = LOWER[known & lower] + UPPER[known >> middle]
        ranks.sort(reverse=True)
        return tuple([rank & POND for rank in ranks])

    def chances(bits):
        """Which ponds may capture, and the shifts of what they would, where ends are gaps."""
        return [
            (pond, shifts[ponds - 1 - end])
            for pond in range(ponds)
            for end in range(ponds)
            if bits >> pond * ponds + end & 1
        ]

    def promoted(what):
        """The order for ponds of these kinds when this one captures, much or little."""
        known, first, rich = what
        order = list(ORDERS[known])
        order.remove(first)
        ahead = 0
        if not rich:
            while ahead < len(order) and known >> KIND * order[ahead] & AHEAD == AHEAD:
                ahead += 1
        order.insert(ahead, first)
        return tuple(order)

    functions = ordered, chances, promoted, partial(ranked, 0), partial(ranked, ponds // 2)
    most_kept = bounded(REMEMBERED, ponds)
    ORDERS, CHANCES, PROMOTED, LOWER, UPPER = [Remembered(what, most_kept) for what in functions]

    def choices(mine: int, theirs: int) -> Tuple[int, ...]:
        """The ponds that may be played, most promising first; none when the game is over."""
        prospect = near[mine & low] + far[mine >> cut]
        bits = prospect >> ends & prospect >> gaps
        if bits:
            most = first = 0
            for pond, opposite in CHANCES[bits]:
                caught = theirs >> opposite & field
                if caught > most:
                    most = caught
                    first = pond
            if most:
                return PROMOTED[prospect & kinds, first, most >= RICH]
        return ORDERS[prospect & kinds]

    return choices


class Remembered(dict):
    """What a function says, worked out when first asked for; at most so many answers are kept."""

    def __init__(self, function: Callable, most: int) -> None:
        super().__init__()
        self.function = function
        self.most = most

    def __missing__(self, what: Any) -> Any:
        if len(self) >= self.most:
            self.clear()
        self[what] = found = self.function(what)
        return found


def bounded(most: int, ponds: int) -> int:
    """How many of so many things to remember on a board with so many ponds a side."""
    return most * USUAL**2 // max(USUAL, ponds) ** 2


def prospect(ponds: int, pond: int, pebbles: int) -> int:
    """Kinds, ends and gaps of one pond, to be added to the other ponds'."""
    ring = 2 * ponds + 1
    last = (pond + pebbles) % ring
    if not pebbles:
        kind = EMPTY
    elif last == ponds:
        kind = AHEAD
    else:
        kind = 1 + sum([pond + pebbles - ponds > given for given in GIVEN[1:-1]])
    ends = gaps = 0
    if 0 < pebbles <= ring and last < ponds:
        ends = 1 << pond * ponds + last
    if not pebbles:
        gaps = sum([1 << other * ponds + pond for other in range(ponds)])
    elif pebbles == ring:  # it comes back to where it was lifted
        gaps = 1 << pond * ponds + pond
    return kind << KIND * pond | (ends | gaps << ponds * ponds) << KIND * ponds
