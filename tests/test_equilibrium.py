"""Matrix games solved exactly, and the search over them equal to plain backward induction."""

import random
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import linprog

from shared import equilibrium
from shared.clock import Clock, Stop
from shared.equilibrium import Search, solve
from tests.machine import check_no_other_thread_runs

ROOT = Path(__file__).resolve().parent.parent


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
        [[-1, 1, 0, 0], [1, -1, 0, 0], [0, 0, -1, 1], [0, 0, 1, -1], [0, 0, 0, 0]], 0, None, None,
    ),
    "all negative": ([[-3, -5], [-6, -2]], -4, [2 / 3, 1 / 3], [1 / 2, 1 / 2]),
    "integers": (np.array([[3, 1], [0, 4]], dtype=np.int8), 2, [2 / 3, 1 / 3], [1 / 2, 1 / 2]),
    "truth values": (np.array([[True, False], [False, True]]), 1 / 2, [1 / 2] * 2, [1 / 2] * 2),
}  # fmt: skip


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


@pytest.mark.parametrize("quick", [{"iterations": 4000}, {"gap": 0.002}, {"gap": 0.002, "iterations": 5000}])
@pytest.mark.parametrize("name", KNOWN)
def test_known_matrix_by_regret_matching(name, quick):
    matrix, value, _, _ = KNOWN[name]
    result = solve(matrix, **quick)
    assert_is_equilibrium(matrix, result, gap=0.003)
    assert result.value == pytest.approx(value, abs=0.002)


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
    program = linprog(
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


def test_300_random_matrices_have_the_value_that_linear_programming_finds():
    for seed in range(300):
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


def test_regret_matching_comes_within_a_tenth_of_a_percent_in_100_iterations():
    for seed in range(10):
        generator = np.random.RandomState(seed)
        interactions = (generator.rand(100, 100) < 0.1) * generator.randn(100, 100)
        matrix = generator.randn(100, 1) + generator.randn(1, 100) + 5 * interactions
        result = solve(matrix, iterations=100)
        assert result.gap / np.ptp(matrix) < 0.002, f"seed {seed}"
        assert abs(result.value - solve(matrix).value) <= result.gap, f"seed {seed}"


def test_the_quick_way_stops_at_the_gap_asked_for_or_says_how_far_it_came():
    matrix = random_matrix(0)
    assert 1e-4 < solve(matrix, iterations=50, gap=1e-6).gap
    assert solve(matrix, gap=1e-2).gap <= 1e-2
    untouched = solve(matrix, iterations=0)
    assert untouched.row == pytest.approx(1 / len(matrix)), "without an iteration every row is as good"


def test_regret_matching_takes_over_where_pivoting_does_not_settle(monkeypatch):
    monkeypatch.setattr(equilibrium, "PIVOTS", 0)
    matrix = random_matrix(0)
    assert_is_equilibrium(matrix, solve(matrix), gap=1e-3 * np.ptp(matrix))


def test_ranges_at_the_ends_of_floating_point():
    largest = solve([[1.7e308, -1.7e308], [-1.7e308, 1.7e308]])
    assert largest.value == 0.0 and largest.row == pytest.approx([0.5, 0.5])
    tiniest = solve([[5e-324, 0], [0, 5e-324]])
    assert tiniest.row == pytest.approx([0.5, 0.5])
    assert solve([[-1.7e308]]).value == pytest.approx(-1.7e308)
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
    for quick in ({}, {"iterations": 64}):
        first, second = solve(matrix, **quick), solve(matrix, **quick)
        assert (matrix == before).all()
        assert (first.row == second.row).all() and (first.column == second.column).all()
        assert first.value == second.value


def test_no_product_wakes_a_second_thread():
    check_no_other_thread_runs("""
        import numpy
        from shared.equilibrium import solve
        matrix = numpy.random.RandomState(1).randn(250, 250)
    """, "solve(matrix), solve(matrix, iterations=300)")


# --- the search --------------------------------------------------------------------------------


class Tree:
    """A random game tree: a position is (path length, number); numbers decide moves and values.

    Kinds: both choose; only one does (the other's list has one move, or none at all); values that
    repeat; ends at different depths; many ways to the same position.
    """

    def __init__(self, seed, depth=3, width=4):
        self.seed, self.depth, self.width = seed, depth, width
        self.merges = seed % 3 == 0
        self.whole = seed % 2 == 0
        self.visited = []

    def random(self, position, purpose):
        return random.Random(f"{self.seed} {position} {purpose}")

    def moves(self, position):
        generator = self.random(position, "moves")
        if position[0] == self.depth or (position[0] and generator.random() < 0.1):
            return [], []
        sizes = [generator.randint(1, self.width) for _ in range(2)]
        alone = generator.random()
        if alone < 0.1:
            sizes[generator.randrange(2)] = 0
        elif alone < 0.2:
            sizes[generator.randrange(2)] = 1
        return [f"r{index}" for index in range(sizes[0])], [f"c{index}" for index in range(sizes[1])]

    def play(self, position, pair):
        for move, legal in zip(pair, self.moves(position), strict=True):
            assert move in legal or (move is None and not legal)
        number = self.random(position, pair).randrange(12 if self.merges else 10**9)
        return position[0] + 1, number

    def evaluate(self, position):
        self.visited.append(position)
        generator = self.random(position, "value")
        return generator.randint(-3, 3) if self.whole else generator.uniform(-1, 1)


def backward_induction(tree, position, stages, seen=(), root=True):
    """The plain twin: every cell of every matrix, no table, no bounds."""
    if position in seen and not root:
        return 0.0
    rows, columns = tree.moves(position)
    if stages == 0 or not (rows or columns):
        return tree.evaluate(position)
    matrix = [
        [
            backward_induction(tree, tree.play(position, (row, column)), stages - 1, seen, False)
            for column in columns or [None]
        ]
        for row in rows or [None]
    ]
    return solve(matrix).value


def search_of(tree):
    return Search(tree.moves, tree.play, tree.evaluate)


def assert_plan_holds(tree, plan, position, stages, seen, message):
    """Its mixes guarantee the value in the full matrix, and its moves are legal."""
    rows, columns = (part or [None] for part in tree.moves(position))
    for mix, legal in ((plan.row, rows), (plan.column, columns)):
        assert sum(share for _, share in mix) == pytest.approx(1.0), message
        assert all(move in legal and share > 0.0 for move, share in mix), message
        assert [share for _, share in mix] == sorted((share for _, share in mix), reverse=True), message

    def payoff(row, column):
        return backward_induction(tree, tree.play(position, (row, column)), stages - 1, seen, False)

    sure = min(sum(share * payoff(row, column) for row, share in plan.row) for column in columns)
    conceded = max(sum(share * payoff(row, column) for column, share in plan.column) for row in rows)
    assert sure == pytest.approx(plan.value, abs=1e-7), message
    assert conceded == pytest.approx(plan.value, abs=1e-7), message


def lasts(tree, position, stages):
    """Whether any way of playing on is longer than that many stages."""
    rows, columns = tree.moves(position)
    if stages == 0 or not (rows or columns):
        return bool(rows or columns)
    pairs = [(row, column) for row in rows or [None] for column in columns or [None]]
    return any(lasts(tree, tree.play(position, pair), stages - 1) for pair in pairs)


def test_search_equals_full_backward_induction_on_150_trees():
    kinds = set()
    for seed in range(150):
        tree = Tree(seed)
        position = (0, seed)
        rows, columns = tree.moves(position)
        kinds.add((min(len(rows), 2), min(len(columns), 2)))
        for stages in (1, 2, 3):
            message = f"tree {seed}, {stages} stages"
            plan = search_of(tree).best(position, depth=stages)
            expected = backward_induction(tree, position, stages)
            assert plan.value == pytest.approx(expected, abs=1e-7), message
            assert plan.depth == stages or not lasts(tree, position, plan.depth), message
            if stages < 3 or seed % 10 == 0:
                assert_plan_holds(tree, plan, position, plan.depth, (), message)
    assert {(2, 2), (0, 2), (2, 0), (1, 2), (2, 1)} <= kinds


def test_search_goes_deeper_than_three_stages_exactly():
    for seed in range(40):
        tree = Tree(seed, depth=5, width=2)
        plan = search_of(tree).best((0, seed))
        expected = backward_induction(tree, (0, seed), 5)
        assert plan.value == pytest.approx(expected, abs=1e-7), f"tree {seed}"


def test_positions_already_played_are_worth_a_draw():
    for seed in range(0, 120, 3):  # those trees where many ways lead to the same position
        tree = Tree(seed)
        seen = {(1, 3), (1, 4), (2, 5), (2, 6), (2, 7), (0, seed)}
        plan = search_of(tree).best((0, seed), depth=3, seen=seen)
        expected = backward_induction(tree, (0, seed), 3, seen)
        assert plan.value == pytest.approx(expected, abs=1e-7), f"tree {seed}"


def test_a_finished_game_has_its_value_and_no_moves():
    tree = Tree(1)
    finished = next((3, number) for number in range(9))
    plan = search_of(tree).best(finished)
    assert (plan.row, plan.column) == ([(None, 1.0)], [(None, 1.0)])
    assert plan.value == tree.evaluate(finished) and plan.depth == 0


class Skirmish:
    """Three stages whose payoffs add up, as captures do: a position is (stage, payoff so far)."""

    def __init__(self, seed, width):
        generator = random.Random(seed)
        self.visited = 0
        self.payoffs = [
            [[generator.randint(-20, 20) for _ in range(width)] for _ in range(width)] for _ in range(3)
        ]

    def moves(self, position):
        indices = list(range(len(self.payoffs[0]))) if position[0] < 3 else []
        return indices, indices

    def play(self, position, pair):
        return position[0] + 1, position[1] + self.payoffs[position[0]][pair[0]][pair[1]]

    def evaluate(self, position):
        self.visited += 1
        return position[1]


def test_bounds_and_double_oracle_save_most_of_the_positions():
    for seed in range(3):
        game = Skirmish(seed, width=8)
        plan = search_of(game).best((0, 0))
        expected = sum(solve(payoff).value for payoff in game.payoffs)
        assert plan.value == pytest.approx(expected), f"seed {seed}"
        assert game.visited < 8**6 / 20, f"seed {seed}"


def test_windows_save_positions_beyond_what_the_double_oracle_does():
    visited = {True: 0, False: 0}
    for windows in visited:
        for seed in range(1, 30, 2):
            tree = Tree(seed)
            searcher = search_of(tree)
            if not windows:
                bounded = searcher._value
                searcher._value = lambda position, stages, *_, f=bounded: f(position, stages, -np.inf, np.inf)
            searcher.best((0, seed), depth=3)
            visited[windows] += len(tree.visited)
    assert visited[True] < 0.9 * visited[False], visited


def test_the_same_nodes_and_plan_twice_under_a_node_limit():
    for seed in range(20):
        tree = Tree(seed)
        for nodes in (1, 7, 60, 400):
            searcher = search_of(tree)
            first, second = (searcher.best((0, seed), Clock(nodes=nodes)) for _ in range(2))
            assert first == second == search_of(tree).best((0, seed), Clock(nodes=nodes)), f"tree {seed}"
            assert first.nodes <= nodes


class ClockThatRunsOut(Clock):
    """A clock that is asked at each node and stops when it has been asked so often."""

    def __init__(self, polls):
        super().__init__()
        self.polls = polls

    def poll(self, nodes):
        if not self.polls:
            raise Stop
        self.polls -= 1
        return nodes + 1


def test_interrupted_anywhere_it_keeps_the_last_complete_iteration():
    tree = Tree(4, depth=3, width=3)
    position = (0, 4)
    complete = {stages: search_of(tree).best(position, depth=stages) for stages in (1, 2, 3)}
    needed = complete[3].nodes
    assert needed > 40
    rows, columns = (part or [None] for part in tree.moves(position))
    for make_clock in (lambda limit: Clock(nodes=limit), ClockThatRunsOut):
        depths = set()
        for limit in range(needed + 10):
            plan = search_of(tree).best(position, make_clock(limit), depth=3)
            depths.add(plan.depth)
            if plan.depth:
                assert plan[:4] == complete[plan.depth][:4]
            else:
                assert [move for move, _ in plan.row] == rows and [move for move, _ in plan.column] == columns
            if plan.depth < 3:
                assert plan.nodes < complete[plan.depth + 1].nodes
        assert depths == {0, 1, 2, 3}


def test_full_tables_change_no_value(monkeypatch):
    for seed in range(30):
        tree = Tree(seed)
        roomy = search_of(tree).best((0, seed), depth=3)
        monkeypatch.setattr(Search, "ENTRIES", 3)
        assert search_of(tree).best((0, seed), depth=3).value == pytest.approx(roomy.value, abs=1e-7)
        monkeypatch.undo()
