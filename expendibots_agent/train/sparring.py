"""A sparring partner: alpha-beta of three plies and one ply of booms, with a few linear features.

It is what stronger students handed in: booms are tried first, leaves look at one boom more, and the
evaluation weighs tokens, their ratio, own stacks side by side, and how far the enemies are.
"""

from typing import Optional, Sequence, Tuple

from .. import notation
from ..position import START, moves, over, play

DEPTH = 3
WIN = 100_000
TOKENS, RATIO, PAIRS, DISTANCE = 100, 60, -4, -6


class Player:
    """The sparring partner, in the same form as the agent's player."""

    def __init__(
        self, colour: str, seconds: Optional[float] = None, nodes: Optional[int] = None, depth: int = DEPTH
    ) -> None:
        """`seconds` and `nodes` are not looked at: it always searches `depth` plies."""
        if depth < 0:
            raise ValueError("a depth is 0 plies or more, not %d" % depth)
        self.colour = colour
        self.position = START
        self.depth = depth
        self.nodes = 0

    def action(self) -> Tuple:
        """The best action at its depth."""
        self.nodes = 0
        _, move = self._node(self.position, self.depth, -2 * WIN, 2 * WIN)
        return notation.to_action(self.position, move)

    def update(self, colour: str, action: Sequence) -> None:
        """Follow the game."""
        self.position = notation.follow(self.position, {notation.COLOURS.index(colour): action})

    def _node(self, position, depth, alpha, beta):
        self.nodes += 1
        if over(position):
            return value(position), None
        best, choice = -2 * WIN, None
        if depth == 0:  # booms only, and standing still
            best = value(position)
            for move in distinct_booms(position):
                best = max(best, -value(play(position, move)))
            return best, None
        listed = [move for move in moves(position) if move > 63]
        for move in distinct_booms(position) + listed:
            score = -self._node(play(position, move), depth - 1, -beta, -max(alpha, best))[0]
            if score > best:
                best, choice = score, move
                if best >= beta:
                    break
        return best, choice


def distinct_booms(position: Tuple) -> list:
    """One boom for each component with a stack of the mover's and one of the enemy's, else any one."""
    mine, theirs = position[1], position[2]
    found = [group for group in mine[5] if group[1] & theirs[1]]
    chosen = [group[0].bit_length() - 1 for group in found]
    return chosen or [mine[1].bit_length() - 1]


def value(position: Tuple) -> float:
    """The position's worth for the player to move."""
    _, mine, theirs, plies, _ = position
    m, e = mine[4], theirs[4]
    if not m or not e:
        return WIN if m else -WIN if e else 0
    if over(position):
        return 0
    apart = (mine[9] / m - theirs[9] / e) ** 2 + (mine[10] / m - theirs[10] / e) ** 2
    apart = apart**0.5 * ((m > e) - (m < e))
    return TOKENS * (m - e) + RATIO * (m - e) / (m + e) + PAIRS * (mine[7] - theirs[7]) + DISTANCE * apart
