"""Both players choose at once: equilibria of matrix games, and a deepening search over such positions.

`solve(matrix)` gives the value of one matrix game and a mixed strategy for each player, with a
gap that says how far from optimal the two can be at most.  `Search` puts such a matrix at every
position of a tree.  Every product here is an `einsum`: numpy hands `@` to a BLAS library, which
wakes threads from about 9 000 cells on, and their time is charged to the player.
"""

from collections import namedtuple
from typing import Any, Callable, Collection, Hashable, List, Optional, Sequence, Tuple

import numpy as np

from .clock import Clock, Stop

# value lies between what `row` is sure to win and what `column` is sure to concede; gap is the
# difference of those two, so neither player can gain more than gap by playing otherwise.
Equilibrium = namedtuple("Equilibrium", "value row column gap")

PIVOTS = 100  # times (rows + columns): far beyond what the simplex method ever took in tests
ENTRY = 1e-11  # a reduced cost above -ENTRY is none (the matrix is scaled to 1..2 beforehand)
PIVOT = 1e-9  # smaller entries of a column are rounding errors, no pivots
ROUNDS = 20000  # of regret matching, where nothing else bounds it


def solve(
    matrix: Sequence[Sequence[float]], gap: Optional[float] = None, iterations: Optional[int] = None
) -> Equilibrium:
    """Value and both mixed strategies of the game whose row player wins what the matrix says.

    Exact (the simplex method; gap below 1e-9 of the matrix's range) when neither `gap` nor
    `iterations` is given.  With one of them or both: regret matching until the gap is small
    enough or the iterations are used up, whatever comes first; the returned gap tells.
    Deterministic.  ValueError for anything but a rectangle of finite numbers.

    CPU milliseconds on payoffs as games have them (few interactions) and on random numbers:

        size        exact             100 iterations, gap in percent of the range
        10 x 10     0.04    0.06      1.2    0.7  1
        30 x 30     0.08    0.6       1.3    0.3  1
        100 x 100   0.35    4.5       1.7    0.2  0.9
    """
    payoff = np.array(matrix, dtype=float)
    if payoff.ndim != 2 or payoff.size == 0:
        raise ValueError("a matrix game needs at least one row and one column, all of one length")
    if not np.isfinite(payoff).all():
        raise ValueError("a matrix game needs finite payoffs; this one holds nan or infinity")
    shrink = 1.0
    low, high = payoff.min(), payoff.max()
    if low < -1e307 or high > 1e307:  # the range itself, or a sum of payoffs, would overflow
        shrink = 1e-3
        payoff *= shrink
        low, high = payoff.min(), payoff.max()
    spread = high - low
    # Subtracting first keeps small differences between large payoffs exact.  Spreads so small
    # that dividing by them is inexact are doubled into the normal range first.
    scaled = payoff - low
    lift = 2.0**200 if spread < 1e-280 else 1.0
    if spread > 0:
        scaled *= lift
        scaled /= spread * lift

    mixes = None
    if gap is None and iterations is None:
        mixes = _simplex(scaled)
    if mixes is None:
        wanted = 1e-9 if gap is None else gap * shrink / spread if spread > 0 else 1.0
        mixes = _regret_matching(scaled, wanted, ROUNDS if iterations is None else iterations)
    row, column = mixes
    least, most = _guarantees(scaled, row, column)
    value = (low + (least + most) / 2 * spread) / shrink
    return Equilibrium(float(value), row, column, float(max(most - least, 0.0) * spread / shrink))


def _guarantees(matrix, row, column):
    """What the row player wins at least and the column player concedes at most."""
    return np.einsum("i,ij->j", row, matrix).min(), np.einsum("ij,j->i", matrix, column).max()


def _simplex(matrix):
    """Optimal mixes by the simplex method, for entries from 0 to 1; None if it does not settle.

    The column player's linear program: weights w >= 0 with (matrix + 1) w <= 1 and the largest
    sum, kept in the condensed form that swaps one row's label with one column's at each pivot.
    The labels below `columns` are weights, the others the slacks of rows, whose prices at the
    end are the row player's weights.
    """
    rows, columns = matrix.shape
    table = np.empty((rows + 1, columns + 1))
    table[:rows, :columns] = matrix + 1.0
    table[:rows, columns] = 1.0
    table[rows, :columns] = -1.0
    table[rows, columns] = 0.0
    left = list(range(columns, columns + rows))
    top = list(range(columns))
    costs, amounts = table[rows, :columns], table[:rows, columns]
    change = np.empty_like(table)
    ratios = np.empty(rows)
    total, stalled = 0.0, 0
    for _ in range(PIVOTS * (rows + columns)):
        # 1. Which column enters: the steepest; but while nothing has been gained for long, the
        #    one with the lowest label (Bland), which cannot go round in circles.
        bland = stalled > rows + columns
        if bland:
            open_columns = np.flatnonzero(costs < -ENTRY)
            enters = min(open_columns, key=top.__getitem__) if len(open_columns) else -1
        else:
            enters = int(costs.argmin())
        if enters < 0 or costs[enters] >= -ENTRY:
            return _mix(top, costs, columns, rows), _mix(left, amounts, 0, columns)
        # 2. Which row leaves: the first to run out.
        column = table[:, enters].copy()
        ratios.fill(np.inf)
        np.divide(amounts, column[:rows], out=ratios, where=column[:rows] > PIVOT)
        leaves = int(ratios.argmin())
        if ratios[leaves] == np.inf:
            return None
        if bland:
            ties = np.flatnonzero(ratios <= ratios[leaves])
            leaves = min(ties, key=left.__getitem__)
        # 3. Swap the two.
        pivot = column[leaves]
        row = table[leaves] / pivot
        np.multiply(column[:, None], row, out=change)
        table -= change
        table[leaves] = row
        table[:, enters] = column / -pivot
        table[leaves, enters] = 1.0 / pivot
        left[leaves], top[enters] = top[enters], left[leaves]
        stalled = 0 if table[rows, columns] > total + 1e-13 else stalled + 1
        total = table[rows, columns]
    return None


def _mix(labels, amounts, first, count):
    """The amounts of the labels from `first` on, as probabilities."""
    weights = np.zeros(count)
    for label, amount in zip(labels, amounts):
        if first <= label < first + count and amount > 0.0:
            weights[label - first] = amount
    return weights / weights.sum()


def _regret_matching(matrix, gap, iterations):
    """Average mixes of regret matching+: the players in turn, later rounds weighing more."""
    rows, columns = matrix.shape
    row, column = np.full(rows, 1.0 / rows), np.full(columns, 1.0 / columns)
    row_regrets, column_regrets = np.zeros(rows), np.zeros(columns)
    row_sum, column_sum = row.copy(), column.copy()
    for turn in range(1, iterations + 1):
        gains = np.einsum("ij,j->i", matrix, column)
        row = _follow(row_regrets, gains, row)
        losses = np.einsum("i,ij->j", row, matrix)
        column = _follow(column_regrets, -losses, column)
        row_sum += turn * turn * row
        column_sum += turn * turn * column
        if turn % 16 == 0 and gap > 0.0:
            least, most = _guarantees(matrix, row_sum / row_sum.sum(), column_sum / column_sum.sum())
            if most - least <= gap:
                break
    return row_sum / row_sum.sum(), column_sum / column_sum.sum()


def _follow(regrets, gains, mix):
    """Add to the regrets, in place, what each choice would have gained; the mix they ask for."""
    regrets += gains - np.einsum("i,i", gains, mix)
    np.maximum(regrets, 0.0, out=regrets)
    total = regrets.sum()
    return regrets / total if total > 0.0 else mix


# What `Search` found: `row` and `column` are lists of (move, probability), most probable first;
# for a player without a choice the move is None.  `depth` stages were searched completely.
Plan = namedtuple("Plan", "value row column depth nodes")


class Search:
    """A deepening search of positions where both players choose at once.

    moves(position)         a list for each player; one is empty when only the other chooses, both
                            are exactly when the game is over
    play(position, pair)    the position after the pair of moves (None from who does not choose)
    evaluate(position)      a number from player 0's side; the exact result of a finished game

    A position can be any hashable value.  Its moves must come in the same order every time.  No
    move is left out unsearched unless bounds show that it cannot matter, so a finished iteration
    holds the value of full backward induction over that many stages (up to TOLERANCE).
    """

    TOLERANCE = 1e-9  # of the payoffs at hand: smaller gains are rounding errors
    ENTRIES = 100000  # positions kept at once in each table: about 40 MB together at most

    def __init__(
        self,
        moves: Callable[[Hashable], Tuple[List[Any], List[Any]]],
        play: Callable[[Hashable, Tuple[Any, Any]], Hashable],
        evaluate: Callable[[Hashable], float],
    ) -> None:
        self.moves = moves
        self.play = play
        self.evaluate = evaluate
        self.nodes = 0

    def best(
        self,
        position: Hashable,
        clock: Optional[Clock] = None,
        depth: int = 64,
        seen: Collection[Hashable] = (),
    ) -> Plan:
        """The plan of the deepest iteration that was completed, of at most `depth` stages.

        Ends early when the clock (of seconds or of nodes) stops it, or when nothing is left beyond
        the horizon.  Positions in `seen` are worth a draw, 0.  Stopped before the first iteration
        is complete, it returns all moves as equally probable.
        """
        self.clock = clock or Clock()
        self.nodes = self.next_poll = 0
        self.seen = seen
        self.supports = {}
        with self.clock:
            self.clock.begin()
            try:
                return self._deepen(position, depth)
            finally:
                self.clock.end()

    def _deepen(self, position, depth):
        row_moves, column_moves = (found or [None] for found in self.moves(position))
        row = [(move, 1.0 / len(row_moves)) for move in row_moves]
        column = [(move, 1.0 / len(column_moves)) for move in column_moves]
        plan = Plan(self.evaluate(position), row, column, 0, 0)
        if row_moves == column_moves == [None]:
            return plan
        try:
            for stages in range(1, depth + 1):
                self.bounds = {}
                self.saw_horizon = False
                value, _, row, column = self._expand(position, stages, -np.inf, np.inf)
                row = sorted(row.items(), key=lambda pair: -pair[1])
                column = sorted(column.items(), key=lambda pair: -pair[1])
                plan = Plan(
                    value,
                    [(row_moves[index], share) for index, share in row],
                    [(column_moves[index], share) for index, share in column],
                    stages,
                    self.nodes,
                )
                if not self.saw_horizon or not self.clock.more():
                    break
        except Stop:
            pass
        return plan._replace(nodes=self.nodes)

    def _value(self, position, stages, alpha, beta):
        """(low, high) around the value: equal, or high <= alpha, or low >= beta."""
        if position in self.seen:
            return 0.0, 0.0
        if stages == 0:
            self._count_node()
            if not self.saw_horizon and any(self.moves(position)):
                self.saw_horizon = True
            value = self.evaluate(position)
            return value, value
        key = position, stages
        known_low, known_high = self.bounds.get(key, (-np.inf, np.inf))
        if known_low == known_high or known_low >= beta or known_high <= alpha:
            return known_low, known_high
        low, high, _, _ = self._expand(position, stages, alpha, beta)
        if low != high:
            low, high = max(low, known_low), min(high, known_high)
        if len(self.bounds) >= self.ENTRIES:
            self.bounds.clear()
        self.bounds[key] = low, high
        return low, high

    def _expand(self, position, stages, alpha, beta):
        """Bounds of the value as `_value` promises, and the mixes that hold them, by index.

        Double oracle: solve the game of a few rows and columns, then look for a row or column
        outside that does better against the solution; what does not can never matter.
        """
        self._count_node()
        row_moves, column_moves = self.moves(position)
        if not row_moves and not column_moves:
            value = self.evaluate(position)
            return value, value, {0: 1.0}, {0: 1.0}
        row_moves, column_moves = row_moves or [None], column_moves or [None]

        def cell(row, column, low=-np.inf, high=np.inf):
            child = self.play(position, (row_moves[row], column_moves[column]))
            return self._value(child, stages - 1, low, high)

        def payoff(row, column):
            if (row, column) not in exact:
                exact[row, column] = cell(row, column)[0]
            return exact[row, column]

        exact = {}
        # 1. Start from what carried the equilibrium when this position was searched less deeply.
        rows, columns = (list(part) for part in self.supports.get(position, ((0,), (0,))))
        while True:
            # 2. Solve the restricted game.
            matrix = [[payoff(row, column) for column in columns] for row in rows]
            solved = solve(matrix)
            row_mix = {row: share for row, share in zip(rows, solved.row) if share > 0.0}
            column_mix = {column: share for column, share in zip(columns, solved.column) if share > 0.0}
            size = max(abs(number) for line in matrix for number in line)
            slack = self.TOLERANCE * size
            # 3. The best column outside against the row mix: what the row player is sure of.
            low, better_column = solved.value, None
            for column in range(len(column_moves)):
                if column not in columns:
                    worth = self._deviation(column, row_mix, -1, low - slack, cell, exact)
                    if worth is not None:
                        low, better_column = worth, column
            if low >= beta:
                high = np.inf
                break
            # 4. The best row outside against the column mix: what the column player must concede.
            high, better_row = solved.value, None
            for row in range(len(row_moves)):
                if row not in rows:
                    worth = self._deviation(row, column_mix, 1, high + slack, cell, exact)
                    if worth is not None:
                        high, better_row = worth, row
            if high <= alpha:
                break
            # 5. Nobody gains by leaving: that is the value.
            if better_row is None and better_column is None:
                low = high = solved.value
                break
            if better_row is not None:
                rows.append(better_row)
            if better_column is not None:
                columns.append(better_column)
        if len(self.supports) >= self.ENTRIES:
            self.supports.clear()
        self.supports[position] = tuple(row_mix), tuple(column_mix)
        return low, high, row_mix, column_mix

    @staticmethod
    def _deviation(index, mix, side, threshold, cell, exact):
        """What a row (side 1) or column (side -1) is worth against a mix; None if not past the threshold.

        Only the last payoff decides, so its window lets the search behind it stop early.
        """
        worth = 0.0
        others = sorted(mix.items(), key=lambda item: item[1])
        for other, share in others:
            key = (index, other) if side > 0 else (other, index)
            if key not in exact:
                window = -np.inf, np.inf
                if other == others[-1][0]:
                    needed = (threshold - worth) / share
                    window = (needed, np.inf) if side > 0 else (-np.inf, needed)
                low, high = cell(key[0], key[1], *window)
                if low != high:
                    return None  # it cannot be what it needed to be
                exact[key] = low
            worth += share * exact[key]
        return worth if side * (worth - threshold) > 0.0 else None

    def _count_node(self):
        if self.nodes >= self.next_poll:
            self.next_poll = self.clock.poll(self.nodes)
        self.nodes += 1
