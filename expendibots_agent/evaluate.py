"""What a position is worth to the player to move: 1000 points are one logit of the score expected.

Booms are not searched: what the explosion components with stacks of both would bring, the players
booming in turn or leaving it, is worked out here, from the numbers of tokens alone.
"""

from typing import List, Tuple

from .endings import ending
from .position import LAST_PLY, Position
from .shared.search import WIN
from .sides import MOST, mixed

TOKEN = 585
RELATIVE = 1070
PAIRS = -1950
AREA = 17.3
MY_EXPOSED = -52
THEIR_EXPOSED = 116
THREATENED = -129
DISTANCE = 39
DEAD = 0.1  # what is left of all this in an ending that nobody can win by force

KNOWN = 4  # with no more tokens on the board the tables of endings.py know the result


def _material():
    """For my tokens and theirs what they are worth; a win at once where theirs are gone."""
    table = [[0.0] * (MOST + 1) for _ in range(MOST + 1)]
    for m in range(MOST + 1):
        for e in range(MOST + 1):
            if m and e:
                table[m][e] = TOKEN * (m - e) + RELATIVE * (m - e) / (m + e)
            elif m:
                table[m][e] = WIN - 1
            elif e:
                table[m][e] = 1 - WIN
    return table


MATERIAL = _material()
CROWDING = [[PAIRS * pairs / (8 * stacks + 1) for pairs in range(24)] for stacks in range(MOST + 1)]


def evaluate(position: Position) -> int:
    """The worth of a position; of a finished one WIN, -WIN or 0."""
    _, mine, theirs, plies, _ = position
    _, my_bits, my_near, my_area, m, my_groups, my_stacks, my_pairs, my_spread, mx, my, mm, _, _ = mine
    _, bits, near, area, e, groups, stacks, pairs, spread, ex, ey, ee, _, _ = theirs
    if not m or not e:
        return WIN if m else -WIN if e else 0
    if plies >= LAST_PLY:
        return 0
    if m + e <= KNOWN:
        known = ending(position)
        if known:
            return WIN - known if known > 0 else -WIN - known

    value = AREA * (my_spread - spread) + CROWDING[my_stacks][my_pairs] - CROWDING[stacks][pairs]
    for group, around, together in my_groups:
        if group & area and not around & bits:
            value += MY_EXPOSED * (together - 1)
            break
    for group, around, together in groups:
        if group & my_area and not around & my_bits:
            value += THEIR_EXPOSED * (together - 1)
            break
    if m != e:
        # The root of the mean squared distance between a token of mine and one of theirs.
        distance = ((e * mm + m * ee - 2 * (mx * ex + my * ey)) / (m * e)) ** 0.5
        value += DISTANCE * distance if m > e else -DISTANCE * distance

    if my_near & bits:
        components = mixed(mine, theirs)
        worst = max([my_part - their_part for _, my_part, their_part in components])
        if worst > 0:
            value += THREATENED * worst
        material = exchange(m, e, components)
        if material > WIN - 10:
            return WIN - 1
        return int(value + material)
    if m + e <= KNOWN:
        return int(DEAD * (value + MATERIAL[m][e]))
    return int(value + MATERIAL[m][e])


def exchange(m: int, e: int, components: List[Tuple[int, int, int]]) -> float:
    """The material for the mover when booms alone are played, by turns, until one had rather not.

    Nobody booms a component that costs him more than it brings; so each has his own to boom, and
    begins with the best.
    """
    best = MATERIAL[m][e]
    chosen = None
    for component in components:
        _, my_part, their_part = component
        gain = MATERIAL[m - my_part][e - their_part]
        if gain > best:
            best = gain
            chosen = component
    if chosen is None or len(components) == 1:
        return best
    _, my_part, their_part = chosen
    rest = [(bits, b, a) for bits, a, b in components if bits != chosen[0]]
    return max(MATERIAL[m][e], -exchange(e - their_part, m - my_part, rest))
