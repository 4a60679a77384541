"""Both players choose at once: the equilibrium of a matrix of payoffs.

`solve(matrix)` gives the value of the matrix game and a mixed strategy for each player, with a
gap that says how far from optimal the two can be at most.  Every product here is an `einsum`: numpy
hands `@` to a BLAS library, which wakes threads from about 9 000 cells on, and their time is charged to
the player.
"""

from collections import namedtuple
from typing import Sequence

import numpy as np

# value lies between what `row` is sure to win and what `column` is sure to concede; gap is the
# difference of those two, so neither player can gain more than gap by playing otherwise.
Equilibrium = namedtuple("Equilibrium", "value row column gap")

PIVOTS = 100  # times (rows + columns): far beyond what the simplex method ever took in tests
ENTRY = 1e-11  # a reduced cost above -ENTRY is none (the matrix is scaled to 1..2 beforehand)
PIVOT = 1e-9  # smaller entries of a column are rounding errors, no pivots


def solve(matrix: Sequence[Sequence[float]]) -> Equilibrium:
    """Value and both mixed strategies of the game whose row player wins what the matrix says.

    By the simplex method; the gap is below 1e-9 of the matrix's range.  Deterministic.  ValueError for
    anything but a rectangle of finite numbers; ArithmeticError should the method not settle, which has
    not been seen.

    CPU milliseconds on payoffs as games have them (few interactions), and on random numbers:

        10 x 10     0.04    0.06
        30 x 30     0.08    0.6
        100 x 100   0.35    4.5
    """
    payoff = np.array(matrix, dtype=float)
    if payoff.ndim != 2 or payoff.size == 0:
        raise ValueError("a matrix game needs at least one row and one column, all of one length")
    if not np.isfinite(payoff).all():
        raise ValueError("a matrix game needs finite payoffs; this one holds nan or infinity")
    low = payoff.min()
    spread = payoff.max() - low
    # Subtracting first keeps small differences between large payoffs exact.
    scaled = (payoff - low) / (spread or 1.0)
    row, column = _simplex(scaled)
    least, most = _guarantees(scaled, row, column)
    value = low + (least + most) / 2 * spread
    return Equilibrium(float(value), row, column, float(max(most - least, 0.0) * spread))


def _guarantees(matrix, row, column):
    """What the row player wins at least and the column player concedes at most."""
    return np.einsum("i,ij->j", row, matrix).min(), np.einsum("ij,j->i", matrix, column).max()


def _simplex(matrix):
    """Optimal mixes by the simplex method, for entries from 0 to 1.

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
            break
        if bland:
            ties = np.flatnonzero(ratios <= ratios[leaves])
            leaves = int(min(ties, key=left.__getitem__))
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
    raise ArithmeticError("the simplex method does not settle on this matrix")


def _mix(labels, amounts, first, count):
    """The amounts of the labels from `first` on, as probabilities."""
    weights = np.zeros(count)
    for label, amount in zip(labels, amounts):
        if first <= label < first + count and amount > 0.0:
            weights[label - first] = amount
    return weights / weights.sum()
