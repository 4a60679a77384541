"""Matrix games solved exactly."""

import numpy as np
import pytest
import scipy

from shared import matrix as matrix_games
from shared.matrix import solve
from tests.support.machine import check_no_other_thread_runs
from tests.support.samples import few


def assert_is_equilibrium(matrix, result, gap):
    """The strategies are probabilities and guarantee the value within the gap, counted anew here."""
    matrix = np.array(matrix, dtype=float)
    for mix, size in ((result.row, matrix.shape[0]), (result.column, matrix.shape[1])):
        assert mix.shape == (size,) and mix.min() >= 0.0 and mix.sum() == pytest.approx(1.0, abs=1e-12)
    sure = min(float(result.row @ column) for column in matrix.T)
    conceded = max(float(row @ result.column) for row in matrix)
    rounding = 1e-12 * max(1.0, abs(matrix).max())
    assert sure - rounding <= result.value <= conceded + rounding
    assert conceded - sure <= result.gap + rounding
    assert result.gap <= gap


KNOWN = {
    # name: (matrix, value, row, column); None where more than one strategy is optimal
    "rock, paper, scissors": ([[0, -1, 1], [1, 0, -1], [-1, 1, 0]], 0, [1 / 3] * 3, [1 / 3] * 3),
    "rock worth double": ([[0, -1, 2], [1, 0, -1], [-2, 1, 0]], 0, [0.25, 0.5, 0.25], [0.25, 0.5, 0.25]),
    "matching pennies": ([[1, -1], [-1, 1]], 0, [1 / 2] * 2, [1 / 2] * 2),
    "mixed two by two": ([[3, 1], [0, 4]], 2, [2 / 3, 1 / 3], [1 / 2, 1 / 2]),
    "saddle point": ([[4, 3, 8], [9, 1, 2], [5, 2, 7]], 3, [1, 0, 0], [0, 1, 0]),
    "dominated row": ([[3, 1], [0, 4], [-1, 0]], 2, [2 / 3, 1 / 3, 0], [1 / 2, 1 / 2]),
    "dominated column": ([[3, 1, 5], [0, 4, 9]], 2, [2 / 3, 1 / 3], [1 / 2, 1 / 2, 0]),
    "dominated by a mix": ([[4, 0], [0, 4], [1, 1]], 2, [1 / 2, 1 / 2, 0], [1 / 2, 1 / 2]),
    "one row": ([[3, 1, 2]], 1, [1], [0, 1, 0]),
    "one column": ([[3], [1], [7]], 7, [0, 0, 1], [1]),
    "one cell": ([[-5]], -5, [1], [1]),
    "constant": ([[7, 7], [7, 7], [7, 7]], 7, None, None),
    "zeros": (np.zeros((4, 3)), 0, None, None),
    "duplicated rows": ([[3, 1], [3, 1], [0, 4], [0, 4]], 2, None, [1 / 2, 1 / 2]),
    "degenerate": ([[1, 0, 1], [0, 1, 1], [1, 1, 0], [1, 1, 1]], 1, [0, 0, 0, 1], None),
    "needs anti-cycling": (
        [[-1, 1, 0, 0], [1, -1, 0, 0], [0, 0, -1, 1], [0, 0, 1, -1], [0, 0, 0, 0]],
        0,
        None,
        None,
    ),
    "all negative": ([[-3, -5], [-6, -2]], -4, [2 / 3, 1 / 3], [1 / 2, 1 / 2]),
    "integers": (np.array([[3, 1], [0, 4]], dtype=np.int8), 2, [2 / 3, 1 / 3], [1 / 2, 1 / 2]),
    "truth values": (np.array([[True, False], [False, True]]), 1 / 2, [1 / 2] * 2, [1 / 2] * 2),
}


@pytest.mark.parametrize("name", KNOWN)
def test_known_matrix(name):
    matrix, value, row, column = KNOWN[name]
    result = solve(matrix)
    assert result.value == pytest.approx(value, abs=1e-12)
    assert_is_equilibrium(matrix, result, gap=1e-11)
    if row is not None:
        assert result.row == pytest.approx(row, abs=1e-12)
    if column is not None:
        assert result.column == pytest.approx(column, abs=1e-12)


def random_matrix(seed):
    """Of many shapes and kinds: continuous, few integers, copied rows, sparse, of huge and tiny ranges."""
    generator = np.random.RandomState(seed)
    rows, columns = generator.randint(1, 24, 2)
    kind = seed % 6
    if kind == 0:
        return generator.randn(rows, columns)
    if kind == 1:
        return generator.randint(-2, 3, (rows, columns))
    if kind == 2:
        return np.repeat(generator.randint(-9, 10, (rows, columns)), 2, axis=seed % 4 // 2)
    if kind == 3:
        return generator.randn(rows, 1) + generator.randn(1, columns) * (generator.rand(rows, columns) < 0.2)
    if kind == 4:
        return generator.randn(rows, columns) * 10.0 ** generator.randint(-12, 13)
    return 1000.0 + generator.randint(0, 2, (rows, columns)) * generator.rand(rows, 1)


def value_by_linear_programming(matrix):
    rows, columns = matrix.shape
    program = scipy.optimize.linprog(
        np.r_[np.zeros(rows), -1.0],
        A_ub=np.c_[-matrix.T, np.ones(columns)],
        b_ub=np.zeros(columns),
        A_eq=[np.r_[np.ones(rows), 0.0]],
        b_eq=[1.0],
        bounds=[(0, None)] * rows + [(None, None)],
        method="highs",
    )
    assert program.status == 0
    return -program.fun


def test_random_matrices_have_the_value_that_linear_programming_finds():
    for seed in range(few(100, 300)):
        matrix = np.asarray(random_matrix(seed), dtype=float)
        low, spread = matrix.min(), np.ptp(matrix) or 1.0
        expected = value_by_linear_programming((matrix - low) / spread)
        result = solve(matrix)
        assert (result.value - low) / spread == pytest.approx(expected, abs=1e-7), f"seed {seed}"
        assert_is_equilibrium(matrix, result, gap=1e-9 * spread)


def test_large_matrices_are_exact_too():
    for seed, shape in enumerate([(100, 100), (300, 7), (7, 300), (200, 150)]):
        generator = np.random.RandomState(seed)
        interactions = (generator.rand(*shape) < 0.1) * generator.randn(*shape)
        matrix = generator.randn(shape[0], 1) + generator.randn(1, shape[1]) + 5 * interactions
        assert_is_equilibrium(matrix, solve(matrix), gap=1e-9 * np.ptp(matrix))


def test_what_does_not_settle_is_said(monkeypatch):
    monkeypatch.setattr(matrix_games, "PIVOTS", 0)
    with pytest.raises(ArithmeticError, match="does not settle"):
        solve(random_matrix(0))


def test_small_differences_between_large_payoffs_are_exact():
    small_on_large = solve([[1e9 + 0.5, 1e9], [1e9, 1e9 + 0.5]])
    assert small_on_large.row == pytest.approx([0.5, 0.5], abs=1e-12) and small_on_large.value == 1e9 + 0.25


NO_MATRICES = [[[np.nan, 1]], [[np.inf, 1]], [[1, -np.inf]], [], [[]], [1, 2], [[1, 2], [3]], [[[1]]], "x"]


@pytest.mark.parametrize("matrix", NO_MATRICES)
def test_what_is_no_matrix_of_finite_numbers_is_refused(matrix):
    with pytest.raises(ValueError):
        solve(matrix)


def test_the_matrix_is_left_as_it_was_and_the_same_twice():
    matrix = np.asarray(random_matrix(3), dtype=float)
    before = matrix.copy()
    first, second = solve(matrix), solve(matrix)
    assert (matrix == before).all()
    assert (first.row == second.row).all() and (first.column == second.column).all()
    assert first.value == second.value


def test_no_product_wakes_a_second_thread():
    check_no_other_thread_runs(
        """
        import numpy
        from shared.matrix import solve
        matrix = numpy.random.RandomState(1).randn(250, 250)
    """,
        "solve(matrix)",
    )
