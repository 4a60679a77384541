"""What a position is worth to player 0 when nobody looks further: material, hunters and prey, danger.

A sum of weights, of three kinds: what tokens and throws there are; for every pair of one token of each
player, how near a hunter is to its prey; for every single token, where it stands.  That shape
is what lets `payoffs.py` fill a whole matrix at once; nothing else may enter.  The sum is read as the
logarithm of the odds of winning, so that `squash` of it is the expected result, from -1 to 1.
"""

import numpy as np

from .position import (
    BEATEN_BY,
    DISTANCE,
    HEXES,
    MAX_TURNS,
    THROWS,
    ZONES,
    decided,
    hopeless,
    material,
    occupied,
)

WEIGHTS = {
    # By the number of tokens on board: the first are worth more than later ones.
    "tokens": (0.0, 1.1, 2.2, 3.2, 3.9, 4.6, 5.3, 6.0, 6.7, 7.4),
    "throws": (0.0, 1.5, 3.0, 4.4, 5.85, 7.3, 8.7, 10.1, 11.6, 13.0),  # by the number still in hand
    "symbols": (0.0, 0.0, 0.3, 0.5),  # by the number of different symbols on board
    "out of reach": (0.0, -1.0, -1.5, 0.0),  # by the number of symbols neither on board nor to be thrown
    "lead": 1.5,  # times (mine - theirs) / (all + 1), of tokens and throws
    # When the enemy is out of throws:
    "invincible": (0.0, 1.5, 2.0, 2.3),  # by the number of such tokens, three or more
    # For each enemy token, by the number of its hunters on board; with more than CHASED tokens less for each.
    "hunted": (0.0, 0.5, 0.9, 1.0),
    "prey": 0.05,  # for each pair of a hunter and its prey on board
    # A hunter beside its prey, two steps away, ... eight.
    "hunter": (0.0, 0.15, 0.08, 0.05, 0.035, 0.025, 0.015, 0.01, 0.005),
    "zone": -0.04,  # a token where the enemy may throw
    "edge": -0.01,  # a token on the rim: fewer ways out
    # A token by the rows it is away from its own side of the board.
    "row": (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
}

# So many tokens of an enemy without throws are hunted at once.  Were each one more worth as much, papers
# beside two of four rocks would not take them, and four tokens and a throw would lead seven tokens.
CHASED = 2

# With fewer turns left than HASTE the odds shrink towards the draw at the cap, and a share of each value
# (EVEN at the cap) grows evenly with the odds up to FAR: one who is far ahead must finish the enemy off,
# and otherwise what he could lose by trying counts many times what he could win.
HASTE = 260.0
EVEN, FAR = 0.3, 30.0

# Whoever only waits draws at the cap.  For one who is ahead, after QUIET turns without a capture, in STEPS
# steps up to there, a throw in hand is worth no more than a token, and a hunter near its prey PURSUIT times
# as much.  With more than CROWD hunters of one symbol it is so much less for each: to stand around their prey
# would be worth more than to capture it.  And where the enemy may throw costs nothing any more: hunters far
# from their prey, whose nearness is worth less than that, would stop there.
QUIET, STEPS = 20, 4
PURSUIT, CROWD = 5.0, 2

FIELD = 5  # bits of each count in a packed material
EDGE = np.array([max(abs(r), abs(q), abs(r + q)) == 4 for r, q in HEXES])
ROW = np.array([4 - r for r, _ in HEXES])
NEAR = np.array(DISTANCE)


def squash(odds, turns):
    """The expected result, from -1 to 1, for the logarithm of the odds after so many turns."""
    left = min(1.0, (MAX_TURNS - turns) / HASTE)
    if left == 1.0:
        return np.tanh(0.5 * odds)
    even = EVEN * (1.0 - left)
    return (1.0 - even) * np.tanh(0.5 * left * odds) + even * np.clip(left * odds / FAR, -1.0, 1.0)


def pack(counts):
    """Eight counts (as `position.material` gives them) as one int, to which changes can be added."""
    return sum(number << FIELD * place for place, number in enumerate(counts))


def unpack(code):
    return [code >> FIELD * place & (1 << FIELD) - 1 for place in range(8)]


def material_features(mine, theirs, my_throws, their_throws):
    """(name, index, how often) of the weights that count for the side called mine.

    A throw can bring dozens of new materials into one matrix, of which an action of 20 ms has to make an end:
    so sums are written out.
    """
    first, second, third = mine
    hunters = mine[BEATEN_BY[0]], mine[BEATEN_BY[1]], mine[BEATEN_BY[2]]
    tokens, enemies = first + second + third, theirs[0] + theirs[1] + theirs[2]
    symbols = (first > 0) + (second > 0) + (third > 0)
    unreached = 3 - symbols - my_throws
    pairs = theirs[0] * hunters[0] + theirs[1] * hunters[1] + theirs[2] * hunters[2]
    lead = (tokens + my_throws) / (tokens + my_throws + enemies + their_throws + 1.0)
    features = [
        ("tokens", tokens, 1),
        ("throws", my_throws, 1),
        ("symbols", symbols, 1),
        ("out of reach", unreached if unreached > 0 else 0, 1),
        ("lead", None, lead),
        ("prey", None, pairs),
    ]
    if their_throws == 0:
        chased = min(1.0, CHASED / max(1, enemies))
        safe = sum(mine[symbol] for symbol in range(3) if not theirs[BEATEN_BY[symbol]])
        features.append(("invincible", min(safe, 3), 1))
        for symbol in range(3):
            if theirs[symbol]:
                features.append(("hunted", min(hunters[symbol], 3), chased * theirs[symbol]))
    return features


def crowd(counts, player):
    """How many tokens of one symbol that has prey on board the player has, at most."""
    mine, theirs = counts[3 * player : 3 * player + 3], counts[3 - 3 * player : 6 - 3 * player]
    return max(mine[BEATEN_BY[symbol]] if theirs[symbol] else 0 for symbol in range(3))


def restless(weights, share, hunters=CROWD):
    """The weights on the way, from 0 to 1, to those of one with so many hunters who has waited too long."""
    pursuit = max(1.0, PURSUIT * (CROWD / max(CROWD, hunters)) ** 2)
    throws = tuple((1.0 - share) * worth + share * number for number, worth in enumerate(weights["throws"]))
    hunter = tuple((1.0 + share * (pursuit - 1.0)) * worth for worth in weights["hunter"])
    return dict(weights, throws=throws, hunter=hunter, zone=(1.0 - share) * weights["zone"])


class Evaluation:
    """The tables that a set of weights makes.

    pairs[i, j]             what token i of player 0 (61 x symbol + hex) gains from token j of player 1
    single[player][k][i]    what player 0 gains from token i of that player when its enemy has made k throws
    """

    def __init__(self, weights=WEIGHTS):
        self.weights = weights
        self._restless = {}  # by step and hunters: see `after`
        near = np.array(weights["hunter"])[NEAR]
        self.pairs = np.zeros((183, 183))
        for symbol in range(3):
            prey, hunter = (slice(61 * s, 61 * s + 61) for s in (symbol, BEATEN_BY[symbol]))
            self.pairs[hunter, prey] = near
            self.pairs[prey, hunter] = -near
        self.single = np.zeros((2, THROWS + 1, 183))
        for player in (0, 1):
            rows = ROW if player == 0 else 8 - ROW
            for thrown in range(THROWS + 1):
                worth = weights["edge"] * EDGE + np.array(weights["row"])[rows]
                worth[ZONES[1 - player][thrown]] += weights["zone"]
                self.single[player, thrown] = np.tile(worth if player == 0 else -worth, 3)
        # What a throw by the other player, who then may throw a row further, adds to each single token.
        self.widens = np.concatenate([self.single[:, 1:], self.single[:, -1:]], axis=1) - self.single
        self._known = {}

    def after(self, quiet, hunters=CROWD):
        """The evaluation to use after so many turns without a capture, with so many hunters of one symbol."""
        step = min(quiet * STEPS // QUIET, STEPS)
        if step == 0:
            return self
        here = step, max(CROWD, hunters)
        if here not in self._restless:
            self._restless[here] = Evaluation(restless(self.weights, step / STEPS, hunters))
        return self._restless[here]

    def material(self, code):
        """(odds, share, rest): the expected result is rest + share * squash of all odds.

        While both can still win that is (odds, 1, 0); when tokens and throws have ended the game,
        (0, 0, result).  For one who can only draw any more, what he would win counts as a draw.
        """
        found = self._known.get(code)
        if found is None:
            if len(self._known) > 20000:
                self._known.clear()
            found = self._known[code] = self._material(unpack(code))
        return found

    def _material(self, counts):
        if max(counts) > THROWS:  # two captures of one token, say: no cell of a matrix keeps that
            return 0.0, 0.0, 0.0
        points = decided(counts)
        if points is not None:
            return 0.0, 0.0, 2.0 * points - 1.0
        upper, lower, left = counts[:3], counts[3:6], [THROWS - number for number in counts[6:]]
        odds = self._side(upper, lower, left[0], left[1]) - self._side(lower, upper, left[1], left[0])
        for player, rest in enumerate((-0.5, 0.5)):
            if hopeless(counts, player):
                return odds, 0.5, rest
        return odds, 1.0, 0.0

    def _side(self, mine, theirs, my_throws, their_throws):
        total = 0.0
        for name, index, times in material_features(mine, theirs, my_throws, their_throws):
            weight = self.weights[name]
            total += times * (weight if index is None else weight[index])
        return total

    def evaluate(self, position):
        """The expected result for player 0 of one position; the plain way, token by token."""
        value, share, rest = self.material(pack(material(position)))
        if not share:
            return rest
        if position[0] >= MAX_TURNS:
            return 0.0
        upper, lower = tokens_of(position, 0), tokens_of(position, 1)
        value += sum(number * self.single[0, position[2], i] for i, number in upper)
        value += sum(number * self.single[1, position[1], j] for j, number in lower)
        value += sum(n * m * self.pairs[i, j] for i, n in upper for j, m in lower)
        return rest + share * float(squash(value, position[0]))


def tokens_of(position, player):
    """(61 x symbol + hex, how many) for all tokens of a player."""
    boards = position[3 + 3 * player : 6 + 3 * player]
    return [(61 * s + h, tokens >> 4 * h & 15) for s, tokens in enumerate(boards) for h in occupied(tokens)]


DEFAULT = Evaluation()
for quiet in range(QUIET + 1):  # tables made at import take no time of a game
    DEFAULT.after(quiet)
evaluate = DEFAULT.evaluate
