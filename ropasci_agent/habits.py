"""A model of the opponent's habits: which of its moves it is likely to make, learned as it plays.

A softmax over features of each of its moves.  The weights start from what fits recorded games
and follow the opponent turn by turn (AdaGrad).  How far the forecast is to be trusted depends on how
much better it has been than the equilibria of one stage and of all at telling this opponent's moves, and
on what answers to it would have gained: one who plays equilibria can be told too, and punishes them.
"""

import numpy as np

from .position import BEATEN_BY, BEATS, DISTANCE, FIRST_STEP, ZONES, occupied

FAR = 5  # steps away, where a hunter does not worry anybody
PREY = np.array(BEATS)
DISTANCES = np.array(DISTANCE)

# What is seen of each move, with the weight that makes 8 497 recorded turns likeliest:
# python -m ropasci_agent.train.habits tests/records/ropasci/tournament_2021.jsonl.gz
# (mean log-likelihood -2.24 a turn; the equilibrium of one stage has -4.02).
PRIOR = {
    "log of the equilibrium's share": 0.08,
    "regret against our mix": 0.33,
    "regret in the worst case": 0.19,
    "regret if we stand still": 0.10,
    "regret on average": -0.26,
    "best if we stand still": 0.11,
    "free capture": 2.05,
    "other capture": 1.80,
    "throw": -2.65,
    "throw onto prey": 3.77,
    "flight": 1.48,
    "step into reach": 0.36,
    "hides on its symbol": 0.66,
    "kills its own": -2.57,
    "dies": -0.34,
    "same token again": 1.04,
    "straight back": 0.63,
    "throw into reach": -0.05,
    "swing": -0.14,
    "closer to prey": 0.80,
    "away from hunters": 0.57,
    "into our throws": 0.28,
}
FEATURE = {name: place for place, name in enumerate(PRIOR)}
FREE_CAPTURES = "free capture", "throw onto prey", "throw into reach"
STEP = 0.1
DECAY = 0.97  # of what is remembered of the forecasts' merits
CONVINCED = 5.0  # so much merit, and the forecast gets ...
MOST = 0.9  # ... the largest weight
# Points (a win has 1) that answers to the forecast may have lost against the equilibrium's, before they
# are given up; and the credit that they can earn.  Whole games: cascade +0.7 to +0.9, equilibria 0 to -1.2.
PATIENCE, CREDIT = 0.1, 0.2
# So much counts what an answer would have gained that was not played: against it, an opponent who knows our
# moves would have made others.
IMAGINED = 0.25
# From so much merit to half as much again, what answers seem to have lost is held against them less and less,
# and the largest weight grows by SURE: whoever mixes is not told so well for long.
CERTAIN, SURE = 50.0, 0.08
# Of the turns in which a capture was free it took one in so many of so many, before any was seen.  Whoever
# hides has nothing to take for a hundred turns, which seem to say that it never would.  So LEAST_TAKEN times
# that share is expected at least: 3 764 recorded turns have -2.235 on average, -2.254 without, -2.269 with 1.
TAKEN, FREE, LEAST_TAKEN = 1, 2, 0.5


class Habits:
    """What one opponent does, in one game."""

    def __init__(self):
        self.weights = np.array(list(PRIOR.values()))
        self.squares = np.ones(len(PRIOR))  # of past gradients
        self.merit = 0.0  # log-likelihood of its moves: this model's minus the equilibria's
        self.gain = 0.0  # of answers to the forecasts, against the equilibrium's
        self.taken, self.free = TAKEN, FREE  # of the turns in which a capture was free, how many took one
        self.last = None  # its last move
        self.features = None  # of the turn that `learn` has not been told about

    def forecast(self, matrix, equilibrium):
        """The share of each of the opponent's moves (the columns of a matrix not yet deepened)."""
        self.features = features(matrix, equilibrium, self.last)
        self.moves = matrix.moves[1]
        self.equilibrium, self.stakes = equilibrium.column, None
        self.shares = self._shares(self.features)
        return self.shares

    def forecast_after(self, move, matrix, equilibrium):
        """The same for a turn to come, before which the opponent will have made that move."""
        return self._shares(features(matrix, equilibrium, move))

    def _shares(self, seen):
        scores = np.einsum("ij,j->i", seen, self.weights)
        shares = np.exp(scores - scores.max())
        shares /= shares.sum()
        free = captures_freely(seen)
        all_free, least = shares[free].sum(), LEAST_TAKEN * self.taken / self.free
        if 0.0 < all_free < least:
            shares[free] *= least / all_free
            shares[~free] *= (1.0 - least) / (1.0 - all_free)
        return shares

    def weigh(self, matrix, played):
        """What is at stake in each column of the same matrix, now that more stages of it are known.

        `played` is the answer to the forecast; None if it was not trusted.
        """
        equilibrium = matrix.answer(values=matrix.plain)
        bold = played or matrix.answer(self.shares, MOST, matrix.plain)
        self.equilibrium = 0.5 * (self.equilibrium + equilibrium.column)
        self.stakes = np.einsum("i,ij->j", bold.row - equilibrium.row, matrix.plain)
        if not played:
            self.stakes = np.minimum(self.stakes, 0.0) + IMAGINED * np.maximum(self.stakes, 0.0)

    def trust(self):
        """In what share of the turns to count on the forecast, from 0 to MOST."""
        convinced = min(1.0, max(0.0, self.merit / CONVINCED))
        most = MOST + SURE * self.certainty()
        return most * convinced * max(self.certainty(), min(1.0, max(0.0, 1.0 + self.gain / PATIENCE)))

    def boldness(self):
        """The share for what costs more if the forecast is wrong: 0 until answers to it have gained."""
        return self.trust() * self.secured()

    def secured(self):
        """How far answers have paid or are sure to, from 0 to 1."""
        return max(self.certainty(), min(1.0, max(0.0, self.gain / PATIENCE)))

    def told(self):
        """How far its moves are told better than mixed ones are, from 0 to 1: `certainty` begins at 1."""
        return min(1.0, max(0.0, 2.0 * self.merit / CERTAIN - 1.0))

    def certainty(self):
        """How sure it is that the opponent can be foretold, from 0 to 1."""
        return min(1.0, max(0.0, 2.0 * self.merit / CERTAIN - 2.0))

    def learn(self, move):
        """The opponent has made this move, in the position of the last forecast if it was legal there."""
        seen, self.features, self.last = self.features, None, move
        if seen is None or move not in self.moves:
            return
        chosen = self.moves.index(move)
        count = len(self.moves)
        forecast = np.log(0.98 * self.shares[chosen] + 0.02 / count)
        equilibrium = np.log(0.9 * self.equilibrium[chosen] + 0.1 / count)
        self.merit = DECAY * self.merit + forecast - equilibrium
        if self.stakes is not None:
            self.gain = min(CREDIT, max(-CREDIT, self.gain + self.stakes[chosen]))
        free = captures_freely(seen)
        self.free += free.any()
        self.taken += free[chosen]
        gradient = seen[chosen] - np.einsum("i,ij->j", self.shares, seen)
        self.squares += gradient * gradient
        self.weights += STEP * gradient / np.sqrt(self.squares)


def captures_freely(seen):
    """Which moves, by their features, capture where none of our tokens on board could capture next."""
    free, thrown, answered = (seen[:, FEATURE[name]] for name in FREE_CAPTURES)
    return (free > 0.0) | (thrown > answered)


def features(matrix, equilibrium, last):
    """One row a move of the opponent, one column a feature."""
    mine, theirs = matrix.changes
    values, still = -matrix.values.T, matrix.still[1]
    moving = ~theirs.throws
    # Where my tokens can go next, by the symbol they prey on; and how far each symbol is from its prey.
    reach = np.zeros((3, 61), dtype=bool)
    steps = ~mine.throws
    reach[PREY[mine.symbol[steps]], mine.end[steps]] = True
    standing = [occupied(matrix.position[3 + 3 * matrix.player + symbol]) for symbol in range(3)]
    shared = np.zeros((3, 61), dtype=bool)
    nearest, hunters = np.full((3, 61), 9), np.full((3, 61), FAR)
    for symbol in range(3):
        shared[symbol, standing[symbol]] = True
        if standing[PREY[symbol]]:
            nearest[symbol] = DISTANCES[:, standing[PREY[symbol]]].min(1)
        if standing[BEATEN_BY[symbol]]:
            hunters[symbol] = np.minimum(DISTANCES[:, standing[BEATEN_BY[symbol]]].min(1), FAR)
    zone = np.zeros(61, dtype=bool)
    zone[ZONES[matrix.player][matrix.position[1 + matrix.player]]] = True

    into = reach[theirs.symbol, theirs.end]
    captures = theirs.enemy_amount < 0
    dies = theirs.put_amount == 0
    threatened = moving & reach[theirs.symbol, theirs.left]
    closer = nearest[theirs.symbol, theirs.left] - nearest[theirs.symbol, theirs.end]
    away = hunters[theirs.symbol, theirs.end] - hunters[theirs.symbol, theirs.left]
    same = back = np.zeros(len(theirs.moves), dtype=bool)
    if last is not None:
        came_from, stands = divmod(last - FIRST_STEP, 61) if last >= FIRST_STEP else (-1, last % 61)
        same = moving & (theirs.left == stands)
        back = same & (theirs.end == came_from)
    worths = [np.einsum("ij,j->i", values, equilibrium.row), values.min(1), still, values.mean(1)]
    return np.column_stack(
        [np.log(equilibrium.column + 0.01 / len(theirs.moves))]
        + [4.0 * (worth - worth.max()) for worth in worths]
        + [
            still >= still.max() - 1e-9,
            captures & moving & ~into,
            captures & moving & into,
            theirs.throws,
            captures & theirs.throws,
            threatened & ~into & ~dies,
            into & moving,
            shared[theirs.symbol, theirs.end],
            theirs.own_amount < 0,
            dies,
            same,
            back,
            into & theirs.throws,
            moving & (DISTANCES[theirs.left, theirs.end] == 2),
            np.where(moving, closer, 0),
            np.where(moving, away, 0),
            zone[theirs.end],
        ]
    )
