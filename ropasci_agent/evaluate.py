"""What a position is worth to player 0 when nobody looks further: material, hunters and prey, danger.

The value is material(counts, throws made) + a sum over pairs of one token of each player + a sum
over single tokens.  That shape is what lets `payoffs.py` fill a whole matrix at once; nothing else
may enter.  A finished game counts WIN, -WIN or 0 and nothing besides.
"""

import numpy as np

from .position import BEATEN_BY, DISTANCE, HEXES, MAX_TURNS, THROWS, ZONES, decided, material, occupied

WIN = 40.0

WEIGHTS = {
    # The first tokens on board are worth more than later ones: three are kept in play, the rest held.
    "tokens": (0.0, 4.3, 8.6, 12.6, 15.4, 18.2, 21.0, 23.8, 26.6, 29.4),
    "throw": 4.5,
    "invincible": 7.0,
    "missing_symbol": -4.0,  # fewer than three symbols on board or still to be thrown
    "lead": 6.0,  # times (mine - theirs) / (all + 1), of tokens and throws
    # A hunter beside its prey, two steps away, ... eight.
    "hunter": (0.0, 0.55, 0.28, 0.18, 0.12, 0.08, 0.05, 0.03, 0.02),
    "zone": -0.12,  # a token where the enemy may throw
    "edge": -0.03,  # a token on the rim: fewer ways out
}  # fmt: skip

FIELD = 5  # bits of each count in a packed material
EDGE = [max(abs(r), abs(q), abs(r + q)) == 4 for r, q in HEXES]


def pack(counts):
    """Eight counts (as `position.material` gives them) as one int, to which changes can be added."""
    return sum(number << FIELD * place for place, number in enumerate(counts))


def unpack(code):
    return tuple(code >> FIELD * place & (1 << FIELD) - 1 for place in range(8))


class Evaluation:
    """The tables that a set of weights makes.

    pairs[i, j]             what token i of player 0 (61 x symbol + hex) gains from token j of player 1
    single[player][k][i]    what player 0 gains from token i of that player when its enemy has made k throws
    """

    def __init__(self, **changes):
        weights = self.weights = dict(WEIGHTS, **changes)
        near = np.array(weights["hunter"])[np.array(DISTANCE)]
        self.pairs = np.zeros((183, 183))
        for symbol in range(3):
            prey, hunter = (slice(61 * s, 61 * s + 61) for s in (symbol, BEATEN_BY[symbol]))
            self.pairs[hunter, prey] = near
            self.pairs[prey, hunter] = -near
        self.single = np.zeros((2, THROWS + 1, 183))
        for player in (0, 1):
            for thrown in range(THROWS + 1):
                worth = weights["edge"] * np.array(EDGE)
                worth[ZONES[1 - player][thrown]] += weights["zone"]
                self.single[player, thrown] = np.tile(worth if player == 0 else -worth, 3)
        self._known = {}

    def material(self, code):
        """(value, 1.0) while the game goes on, where positions add to the value; (value, 0.0) at its end."""
        found = self._known.get(code)
        if found is None:
            if len(self._known) > 50000:
                self._known.clear()
            found = self._known[code] = self._material(unpack(code))
        return found

    def _material(self, counts):
        if max(counts) > THROWS:  # two captures of one token, say: no cell of a matrix keeps that
            return 0.0, 0.0
        points = decided(counts)
        if points is not None:
            return WIN * (2.0 * points - 1.0), 0.0
        upper, lower, thrown = counts[:3], counts[3:6], counts[6:]
        left = [THROWS - number for number in thrown]
        all_upper, all_lower = sum(upper) + left[0], sum(lower) + left[1]
        value = self._side(upper, lower, left) - self._side(lower, upper, left[::-1])
        return value + self.weights["lead"] * (all_upper - all_lower) / (all_upper + all_lower + 1), 1.0

    def _side(self, mine, theirs, left):
        weights = self.weights
        value = weights["tokens"][sum(mine)] + weights["throw"] * left[0]
        if left[1] == 0 and any(mine[s] and not theirs[BEATEN_BY[s]] for s in range(3)):
            value += weights["invincible"]
        if sum(map(bool, mine)) + left[0] < 3:
            value += weights["missing_symbol"]
        return value

    def evaluate(self, position):
        """The value of one position, for player 0; the plain way, token by token."""
        value, goes_on = self.material(pack(material(position)))
        if not goes_on:
            return value
        if position[0] >= MAX_TURNS:
            return 0.0
        upper, lower = tokens_of(position, 0), tokens_of(position, 1)
        value += sum(number * self.single[0, position[2], i] for i, number in upper)
        value += sum(number * self.single[1, position[1], j] for j, number in lower)
        return value + sum(n * m * self.pairs[i, j] for i, n in upper for j, m in lower)


def tokens_of(position, player):
    """(61 x symbol + hex, how many) for all tokens of a player."""
    boards = position[3 + 3 * player : 6 + 3 * player]
    return [(61 * s + h, tokens >> 4 * h & 15) for s, tokens in enumerate(boards) for h in occupied(tokens)]


DEFAULT = Evaluation()
evaluate = DEFAULT.evaluate
