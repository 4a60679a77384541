"""Choosing a mixed move: the full matrix of one stage, then further stages where they matter.

Every cell starts as the evaluation of the position it leads to.  The cells that carry the solution
are replaced by the equilibrium value of the whole one-stage game behind them, most important
first, and the matrix is solved again, until all cells that carry it have been looked behind or
the time is up; then the same with two stages behind each cell, and so on.  No move is left out: all
others stay in the matrix with their estimate.
"""

import numpy as np

from .evaluate import DEFAULT
from .habits import Habits
from .payoffs import stage
from .position import FIRST_STEP, play, result
from .shared.clock import Clock, Stop
from .shared.matrix import solve

# A draw by repetition counts a little less than an even position, so that the agent plays on;
# and a state that would occur for the second time is half way to that draw.
CONTEMPT = 0.1
SEEN_ONCE = 0.5
CARRIES = 0.01  # a cell that both moves together make less likely than this is not looked behind
CARRIES_BEHIND = 0.03  # the same for stages further on
HEARD = 0.05  # a forecast that is trusted less is not asked for behind the first stage
# What a reply may take from an answer to the forecast, of a win's 1: while moves are told no better than
# mixed ones, and then while such answers have gained nothing; and the trust below which there is none.
LEAST_BOUND, BOUND, LEAST_TRUST = 0.01, 0.1, 0.1
# So many of the opponent's best replies to the answer are looked behind as well, where they meet a move with
# at least that share.
REPLIES, PLAYED = 8, 0.03


class Matrix:
    """The joint moves of a position as one player sees them: rows are his, columns his opponent's."""

    def __init__(
        self, position, player, evaluation, seen=None, lists=None, contempt=CONTEMPT, with_still=False
    ):
        self.position, self.player, self.contempt = position, player, contempt
        found = stage(position, evaluation, bool(seen), lists, with_still)
        self.moves = found.moves if player == 0 else found.moves[::-1]
        self.changes = found.changes if player == 0 else found.changes[::-1]
        self.values = found.values if player == 0 else -found.values.T
        if with_still:  # what each player gains from his moves, were the other to stand still
            mine, theirs = found.still if player == 0 else found.still[::-1]
            self.still = (mine, -theirs) if player == 0 else (-mine, theirs)
        # The same where nobody answers forecasts: what those answers cost is reckoned by it.
        self.plain = self.values.copy()
        self.known = np.zeros(self.values.shape, dtype=bool)
        self.drawn = {}  # how far a cell's position is on its way to a draw by repetition
        if seen:
            self._mark_repetitions(found.keys if player == 0 else found.keys.T, seen)

    def _mark_repetitions(self, keys, seen):
        """A state that comes for the third time is a draw, unless the game was decided before."""
        again = np.isin(keys, list(seen))
        for side, moves in enumerate(self.moves):
            throws = np.array(moves) < FIRST_STEP
            again &= ~(throws[:, None] if side == 0 else throws)
        for row, column in zip(*np.nonzero(again)):
            if abs(self.values[row, column]) < 1.0:
                self.drawn[row, column] = 1.0 if seen[int(keys[row, column])] >= 2 else SEEN_ONCE
                self.set(row, column, self.values[row, column], self.values[row, column])

    def set(self, row, column, value, plain):
        drawn = self.drawn.get((row, column), 0.0)
        self.values[row, column] = (1.0 - drawn) * value - drawn * self.contempt
        self.plain[row, column] = (1.0 - drawn) * plain - drawn * self.contempt

    def child(self, row, column):
        pair = self.moves[0][row], self.moves[1][column]
        return play(self.position, pair if self.player == 0 else pair[::-1])

    def answer(self, predicted=None, weight=0.0, values=None):
        """The equilibrium, or the best mix if the prediction holds in that share of all turns."""
        values = self.values if values is None else values
        if predicted is not None and weight > 0.0:
            values = (1.0 - weight) * values + weight * np.einsum("ij,j->i", values, predicted)[:, None]
        return self.solved(values)

    def solved(self, values):
        # Sums come out differently in the last digits on different machines: the answer should not.
        return solve(np.round(values, 9))


class Tree:
    """What one player looks at: the matrix of the stage at hand, and those behind its cells.

    evaluation  of positions that are not looked behind
    player      whose moves are the rows
    forecasts   whether to answer what the opponent is expected to do
    contempt    what a draw by repetition costs, of a win's 1
    replies     of the opponent's to the answer that are looked behind, of the first stage
    clock       what charges the player, to know how long a look takes

    `seen` and `theirs` may be set between searches: how often each state has been there since the last throw,
    and the opponent's last move, if nothing has been learned from it yet.  After a search `matrix` is
    the one at hand, with what was found behind its cells.
    """

    def __init__(
        self, player=0, evaluation=DEFAULT, forecasts=False, contempt=CONTEMPT, clock=None, replies=REPLIES
    ):
        self.player, self.evaluation, self.replies = player, evaluation, replies
        self.forecasts, self.contempt = forecasts, contempt
        self.habits = Habits()
        self.seen, self.theirs = None, None
        self.matrix = None
        self.clock = clock or Clock()
        self.looking = 0.0  # seconds that looking at one stage took, the longest

    def plant(self, position, search, poll):
        """Prepare to look from a position that is not finished: see shared/deepening.py.

        A move of the search's is a mixed one: an Equilibrium, whose row is the mover's.
        """
        self._search, self._poll, self._next_poll = search, poll, 0
        self.behind = 0.0  # how far forecasts are trusted behind the first stage
        search.nodes = 1
        begun = self.clock.spent()
        matrix = self.matrix = self.stage(position, self.seen, self.forecasts)
        search.move = matrix.answer()
        predicted, weight = self._forecast(matrix, search.move) if self.forecasts else (None, 0.0)
        self.predicted, self.trusted = predicted, weight
        if weight:
            search.move = matrix.answer(predicted, weight)
        bold = self.habits.boldness()
        self.behind = bold if bold >= HEARD else 0.0
        search.score = search.move.value
        search.depth = 1
        self.looking = max(self.looking, self.clock.spent() - begun)

        def look(stages, alpha, beta):
            """So many stages, this one included; what was found of an unfinished one counts as well."""
            matrix.known[:] = False
            try:
                search.move = self._refine(
                    matrix, search.move, stages, CARRIES, predicted, weight, self.replies
                )
            except Stop:
                search.move = matrix.answer(predicted, weight)
                raise
            search.score = search.move.value
            return search.score

        return look

    def stage(self, position, seen, with_still):
        """The matrix of one stage, with what a forecast asks for or without."""
        return Matrix(position, self.player, self.evaluation, seen, None, self.contempt, with_still)

    def _forecast(self, matrix, answer):
        """The opponent's mix as it is expected, and how far that is to be trusted."""
        if self.theirs is not None:
            theirs, self.theirs = self.theirs, None
            self.habits.learn(theirs)
        return self.habits.forecast(matrix, answer), self.habits.trust()

    def bounded(self, answer):
        """The answer, with less trust in the forecast where a reply could take too much from it."""
        most = min(1.0, BOUND / max(1e-3, 1.0 - self.habits.secured()))
        most = LEAST_BOUND + self.habits.told() * (most - LEAST_BOUND)
        matrix = self.matrix
        if not self.trusted or most >= 1.0:
            return answer
        kept = matrix.answer(values=matrix.plain).value
        while self.trusted and kept - np.einsum("i,ij->j", answer.row, matrix.plain).min() > most:
            self.trusted = self.trusted / 2 if self.trusted > LEAST_TRUST else 0.0
            answer = matrix.answer(self.predicted, self.trusted)
        return answer

    def _refine(self, matrix, answer, stages, carries, predicted=None, weight=0.0, replies=0):
        """Look behind all cells that carry the answer, until it stands on such cells alone: that answer.

        With `replies`, it also stands against so many of the opponent's best replies to it, looked behind.
        """
        while True:
            cells = carrying(matrix, answer, carries, predicted, weight)
            if not cells and replies:
                cells = against(matrix, answer, replies)
            if not cells:
                return answer
            for row, column in cells:
                self._look_behind(matrix, row, column, stages - 1)
            answer = matrix.answer(predicted, weight)

    def _look_behind(self, matrix, row, column, stages):
        matrix.known[row, column] = True
        child = matrix.child(row, column)
        if matrix.drawn.get((row, column)) != 1.0 and result(child) is None:
            matrix.set(row, column, *self.value(child, stages, matrix.moves[1][column]))

    def value(self, position, stages, theirs=None):
        """What an unfinished position is worth to the player with that many stages to come, twice.

        First with answers to what the opponent is expected to do after `theirs`, its move that led there;
        then where nobody answers forecasts.
        """
        search = self._search
        if search.nodes >= self._next_poll:
            self._next_poll = self._poll(search.nodes)
        search.nodes += 1
        weight = self.behind
        matrix = self.stage(position, None, weight > 0.0)
        answer, predicted = matrix.answer(), None
        plain = answer.value
        if weight:
            predicted = self.habits.forecast_after(theirs, matrix, answer)
            answer = matrix.answer(predicted, weight)
        for more in range(2, stages + 1):
            matrix.known[:] = False
            answer = self._refine(matrix, answer, more, CARRIES_BEHIND, predicted, weight)
            plain = matrix.answer(values=matrix.plain).value if weight else answer.value
        return answer.value, plain


def carrying(matrix, answer, carries, predicted=None, weight=0.0):
    """The cells not looked behind that are likeliest to come, eight at most."""
    likely = answer.column
    if predicted is not None:
        likely = np.maximum(likely, weight * predicted)
    shares = answer.row[:, None] * likely
    shares[matrix.known] = 0.0
    rows, columns = np.nonzero(shares >= carries)
    order = np.argsort(-shares[rows, columns], kind="stable")[:8]
    return list(zip(rows[order], columns[order]))


def against(matrix, answer, replies):
    """The cells not looked behind where one of the best replies meets a move that the answer plays."""
    losses = np.round(np.einsum("i,ij->j", answer.row, matrix.values), 9)
    columns = np.argsort(losses, kind="stable")[:replies]
    rows = np.flatnonzero(answer.row >= PLAYED)
    return [(row, column) for column in columns for row in rows if not matrix.known[row, column]]
