"""What a position is worth to the player to move: 1000 points are half a logit of the score expected.

Booms are not searched: what the explosion components with stacks of both would bring, the players
booming in turn or leaving it, is worked out here, from the numbers of tokens alone.
"""

from math import sqrt
from typing import Callable, List, Mapping, Optional, Tuple

from .position import LAST_PLY, Position
from .shared.alphabeta import WIN
from .sides import MOST, mixed

# With two tokens left and with all 24, changing evenly in between: `python -m expendibots_agent.train.tune`.
WEIGHTS = {
    # after the booms that both would play: my tokens less theirs, and the same as a share of all
    "tokens": (-1140, 205),
    "share": (75300, 40100),
    # squares that stacks can come to and all around these
    "area": (58.4, 119),
    # pairs of stacks side by side, as a share of what there could be; and stacks a token
    "pairs": (9370, -43700),
    "stacks": (199, -2590),
    # tokens beyond the first in the largest group that an enemy can land beside and did not yet
    "exposed": (-233, -201),
    "in reach": (156, 498),
    # tokens to be lost, more than won, in the worst of the components that the enemy may boom; in the
    # others; and to be won in those that remain when the best for the mover has gone
    "worst": (-203, -262),
    "other threats": (-1100, -1380),
    "other gains": (977, 970),
    # the root of the mean squared distance between a token of mine and one of theirs, for who has
    # more tokens; and times the difference as a share of all
    "distance": (127, 123),
    "distance of share": (750, 614),
}
Weights = Mapping[str, Tuple[float, float]]

# What a draw costs the searching player.  While he has no more tokens than the enemy his value loses a part
# of this, the larger the fewer he has: even trades, of which most draws are made, empty the board.
DRAW = 4000
PAIRS = 29  # the most there can be: twelve stacks, three by four


def evaluator(player: Optional[int] = None, weights: Weights = WEIGHTS, draw: int = DRAW) -> Callable:
    """`evaluate(position)` for a search of that player's; None: one that sees both sides alike."""
    plain = material(weights)
    tables = [shy(plain, draw, 0 if player is None else 1 if player == mover else -1) for mover in (0, 1)]
    draws = [int(table[0][0]) for table in tables]
    dead = [int(worth * _emptied(1)) for worth in draws]
    shape = by_shape(weights)
    per_area, exposed, in_reach, worst_threat, other_threats, other_gains = (
        by_tokens(weights[name])
        for name in ("area", "exposed", "in reach", "worst", "other threats", "other gains")
    )
    distances = by_distance(weights)

    def evaluate(position: Position) -> int:
        """The worth of a position; of a finished one WIN, -WIN or that of a draw."""
        mover, mine, theirs, plies, _ = position
        _, my_bits, my_near, my_area, m, my_groups, my_stacks, my_pairs, my_spread, mx, my, mm, _, _ = mine
        _, bits, near, area, e, groups, stacks, pairs, spread, ex, ey, ee, _, _ = theirs
        if not m or not e:
            return WIN if m else -WIN if e else draws[mover]
        if plies >= LAST_PLY:
            return draws[mover]
        if m == e == 1:  # nobody can win by force
            return dead[mover]

        both = m + e
        value = (
            per_area[both] * (my_spread - spread) + shape[m][my_stacks][my_pairs] - shape[e][stacks][pairs]
        )
        for group, around, together in my_groups:
            if group & area and not around & bits:
                value += exposed[both] * (together - 1)
                break
        for group, around, together in groups:
            if group & my_area and not around & my_bits:
                value += in_reach[both] * (together - 1)
                break
        if m != e:
            value += distances[m][e] * sqrt((e * mm + m * ee - 2 * (mx * ex + my * ey)) / (m * e))
        if not my_near & bits:
            return int(value + tables[mover][m][e])

        components = mixed(mine, theirs)
        if len(components) == 1:
            ((_, my_part, their_part),) = components
            if my_part > their_part:
                value += worst_threat[both] * (my_part - their_part)
        else:
            worst = best = threats = gains = 0
            for _, my_part, their_part in components:
                gain = their_part - my_part
                if gain > 0:
                    gains += gain
                    if gain > best:
                        best = gain
                else:
                    threats -= gain
                    if gain < worst:
                        worst = gain
            value += (
                other_gains[both] * (gains - best)
                + other_threats[both] * (threats + worst)
                - worst_threat[both] * worst
            )
        material = exchange(tables, mover, m, e, components)
        if material > WIN - 10:
            return WIN - 1
        return int(value + material)

    return evaluate


def exchange(tables: List, mover: int, m: int, e: int, components: List[Tuple[int, int, int]]) -> float:
    """The material for the mover when booms alone are played, by turns, until one had rather not.

    Nobody booms a component that costs him more than it brings; so each has his own to boom, and
    begins with the best.
    """
    table = tables[mover]
    best = standing = table[m][e]
    chosen = None
    for component in components:
        _, my_part, their_part = component
        gain = table[m - my_part][e - their_part]
        if gain > best:
            best = gain
            chosen = component
    if chosen is None or len(components) == 1:
        return best
    _, my_part, their_part = chosen
    rest = [(bits, b, a) for bits, a, b in components if bits != chosen[0]]
    return max(standing, -exchange(tables, 1 - mover, e - their_part, m - my_part, rest))


def by_tokens(weight: Tuple[float, float]) -> List[float]:
    """What a weight is when there are so many tokens, of both together."""
    few, many = weight
    return [few + (many - few) * max(0, tokens - 2) / (2 * MOST - 2) for tokens in range(2 * MOST + 1)]


def material(weights: Weights) -> List[List[float]]:
    """[mine][theirs]: what so many tokens are worth; where one's are gone he has lost, in one ply."""
    each, share = by_tokens(weights["tokens"]), by_tokens(weights["share"])
    table = [[0.0] * (MOST + 1) for _ in range(MOST + 1)]
    for m in range(MOST + 1):
        for e in range(MOST + 1):
            if m and e:
                table[m][e] = each[m + e] * (m - e) + share[m + e] * (m - e) / (m + e)
            elif m or e:
                table[m][e] = WIN - 1 if m else 1 - WIN
    return table


def shy(plain: List[List[float]], draw: int, sign: int) -> List[List[float]]:
    """The table of tokens' worth with the searcher's dislike of draws: he is to move where sign is 1."""
    table = [row[:] for row in plain]
    table[0][0] -= sign * draw
    for m in range(1, MOST + 1):
        for e in range(1, MOST + 1):
            own, other = (m, e) if sign > 0 else (e, m)
            if sign and own <= other:
                table[m][e] -= sign * draw * _emptied(own)
    return table


def _emptied(own):
    """How much of a draw it is to have so few tokens left, where the enemy has as many."""
    return 1 - own / MOST


def by_shape(weights: Weights) -> List[List[List[float]]]:
    """[tokens][stacks][pairs]: what the form of a side is worth."""
    per_pair, per_stack = (by_tokens(weights[name])[::2] for name in ("pairs", "stacks"))
    return [
        [
            [
                per_pair[tokens] * pairs / (8 * stacks + 1) + per_stack[tokens] * stacks / max(1, tokens)
                for pairs in range(PAIRS + 1)
            ]
            for stacks in range(MOST + 1)
        ]
        for tokens in range(MOST + 1)
    ]


def by_distance(weights: Weights) -> List[List[float]]:
    """[mine][theirs]: what a square of distance is worth."""
    each, share = by_tokens(weights["distance"]), by_tokens(weights["distance of share"])
    return [
        [each[m + e] * ((m > e) - (m < e)) + share[m + e] * (m - e) / (m + e or 1) for e in range(MOST + 1)]
        for m in range(MOST + 1)
    ]


evaluate = evaluator()
MATERIAL = material(WEIGHTS)
