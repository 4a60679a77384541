"""Scores, ratings and sequential tests, against worked numbers and by hand."""

from math import inf, isclose, log, log10, sqrt
from random import Random

import pytest

from referee.statistics import (
    C,
    Sprt,
    Z,
    elo,
    elo_error,
    error,
    expected,
    logistic_llr,
    los,
    normalised_elo,
    normalised_elo_error,
    normalised_llr,
    pair_counts,
    share,
    standard_error,
    variance,
    without_zeros,
)

# Counts, worst first; Elo and its error; normalised Elo and its error; LOS; the two hypotheses; the
# log-likelihood ratios, normalised and logistic.
WORKED = [
    ((34, 54, 63, 64, 75), 55.5798, 27.6534, 57.9356, 28.2754, 0.99997, (0, 10), 2.483695, 2.551067),
    ((332, 433, 498, 333, 334), -8.6427, 10.3342, -9.1729, 10.9605, 0.05047, (0, 2), -0.649614, -0.692275),
    ((2, 10, 18, 25, 5), 61.4336, 43.9239, 89.2833, 62.1630, 0.99756, (0, 20), 1.424715, 1.862154),
    ((0, 1, 4, 3, 2), 107.5381, 113.3639, 160.8314, 152.2676, 0.98078, (0, 50), 0.950033, 1.310610),
    ((0, 0, 10, 0, 0), 0, 0, None, None, None, (0, 50), -0.399813, -1.534916),
    ((0, 0, 0, 0, 10), inf, None, inf, None, 1, (0, 50), 1.818531, 1.336165),
    ((96, 111, 136), 40.7025, 30.4272, 49.7684, 36.7685, 0.99601, (0, 10), 1.258039, 1.493716),
    # Elo itself was worked here with 0.001 for the zero count: see the test below.
    ((40, 0, 60), 70.4365, 70.5712, 70.9200, 68.0961, 0.97939, (0, 50), 1.843442, 1.846268),
]


def close(value, worked, digits):
    if worked is None or worked == inf:
        return value == worked
    return isclose(value, worked, abs_tol=0.5001 * 10**-digits)


@pytest.mark.parametrize("row", WORKED, ids=lambda row: " ".join(map(str, row[0])))
def test_every_worked_number(row):
    counts, rating, bar, normalised, normalised_bar, likely, hypotheses, normalised_ratio, ratio = row
    assert close(elo(share(counts)), rating, 4)
    assert close(elo_error(counts), bar, 4)
    assert close(normalised_elo(counts), normalised, 4)
    assert close(normalised_elo_error(counts), normalised_bar, 4)
    assert close(los(counts), likely, 5)
    assert close(normalised_llr(counts, *hypotheses), normalised_ratio, 6)
    assert close(logistic_llr(counts, *hypotheses), ratio, 6)


def test_the_elo_worked_as_70_4358_has_0_001_for_the_zero_count_and_its_error_has_not():
    counts = (40, 0, 60)
    assert round(elo(share(without_zeros(counts))), 4) == 70.4358
    assert round(elo_error(counts), 4) == 70.5712
    assert round(elo_error(without_zeros(counts)), 4) == 70.5704


def test_with_0_001_for_zero_counts_elo_and_error_are_those_that_fishtest_prints():
    counts = without_zeros((0, 1, 4, 3, 2))
    assert counts == [0.001, 1, 4, 3, 2]
    assert (round(elo(share(counts)), 4), round(elo_error(counts), 4)) == (107.4885, 113.3898)


# By hand


def test_share_of_one_pair_of_each_class_is_a_half():
    assert share((1, 1, 1, 1, 1)) == 0.5


def test_share_variance_and_error_by_hand():
    counts = (1, 0, 0, 0, 3)  # one pair lost, three won
    assert share(counts) == 0.75
    assert isclose(variance(counts), (1 * 0.75**2 + 3 * 0.25**2) / 4)
    assert isclose(standard_error(counts), sqrt(0.1875 / 4))
    assert isclose(error(counts), 1.959963984540054 * sqrt(0.1875 / 4))
    assert Z == 1.959963984540054


def test_games_and_pairs_use_the_same_formula():
    assert share((2, 0, 2)) == share((2, 0, 0, 0, 2)) == 0.5
    assert error((2, 0, 2)) == error((2, 0, 0, 0, 2))


def test_error_is_undefined_below_two_results():
    assert error((0, 0, 1, 0, 0)) is None
    assert error((0, 0, 0, 0, 0)) is None
    assert error((0, 0, 2, 0, 0)) == 0
    assert elo_error((0, 0, 1, 0, 0)) is None


def test_games_are_paired_in_the_order_played():
    assert pair_counts([0, 0, 0, 0.5, 1, 0, 0.5, 1, 1, 1]) == [1, 1, 1, 1, 1]


def test_a_last_game_without_partner_is_left_out():
    assert pair_counts([1, 1, 1]) == [0, 0, 0, 0, 1]
    assert pair_counts([0.5]) == [0, 0, 0, 0, 0]


def test_elo_and_the_expected_share_are_each_others_inverse():
    assert isclose(C, 347.4355855, abs_tol=5e-8)
    assert isclose(elo(10 / 11), 400) and isclose(expected(400), 10 / 11)
    assert all(isclose(elo(expected(value)), value) for value in (-350, -1, 2.5, 60))
    assert isclose(elo(0.75), -400 * log10(1 / 0.75 - 1))
    assert elo(0) == -inf and elo(1) == inf


def test_an_interval_that_reaches_all_points_has_no_finite_error():
    assert elo_error((0, 0, 0, 1, 9)) == inf
    assert elo_error((9, 1, 0, 0, 0)) == inf


def test_the_bounds_of_a_sequential_test_are_those_of_its_errors():
    usual = Sprt(0, 10)
    assert isclose(usual.lower, -2.944439, abs_tol=5e-7) and isclose(usual.upper, 2.944439, abs_tol=5e-7)
    strict = Sprt(0, 10, alpha=0.01, beta=0.1)
    assert isclose(strict.lower, log(0.1 / 0.99)) and isclose(strict.upper, log(0.9 / 0.01))
    assert [usual.decision(llr) for llr in (-2.95, -2.94, 0, 2.94, 2.95)] == ["H0", None, None, None, "H1"]


def test_a_sequential_test_says_nothing_before_the_first_result():
    assert Sprt(0, 10).llr([0] * 5) == 0
    assert Sprt(0, 10, model="logistic").llr([0] * 5) == 0


def test_each_model_has_its_own_ratio():
    counts = (34, 54, 63, 64, 75)
    assert Sprt(0, 10).llr(counts) == normalised_llr(counts, 0, 10)
    assert Sprt(0, 10, model="logistic").llr(counts) == logistic_llr(counts, 0, 10)


@pytest.mark.parametrize("llr", [normalised_llr, logistic_llr])
@pytest.mark.parametrize("classes", [3, 5])
def test_swapping_players_and_hypotheses_turns_the_sign(llr, classes):
    random = Random(seed := 4)
    for _ in range(20):
        counts = [random.choice((0, 1, 7, 200)) for _ in range(classes)]
        if any(counts):
            there, back = llr(counts, -3, 12), llr(counts[::-1], -12, 3)
            assert isclose(there, -back, abs_tol=1e-6), (seed, counts)


def test_ratios_exist_for_any_counts_and_any_hypotheses_that_the_command_line_takes():
    random = Random(seed := 5)
    for _ in range(60):
        counts = [random.choice((0, 1, 5, 100, 10**6)) for _ in range(random.choice((3, 5)))]
        if any(counts):
            for llr in (normalised_llr, logistic_llr):
                assert abs(llr(counts, -200, 200)) < inf, (seed, counts)


def decided(sprt, probabilities, random):
    counts = [0] * 5
    while True:
        for _ in range(4):
            counts[random.choices(range(5), probabilities)[0]] += 1
        if decision := sprt.decision(sprt.llr(counts)):
            return decision


def test_a_sequential_test_errs_no_oftener_than_it_says():
    """Simulated matches with elo1 true: H0 is accepted in 20 % of them at most, within sampling."""
    random = Random(seed := 6)
    sprt = Sprt(0, 50, alpha=0.2, beta=0.2)
    p = (0.1175, 0.1375, 0.32, 0.2225, 0.2025)
    assert abs(normalised_elo(p) - 50) < 0.1, normalised_elo(p)
    wrong = [decided(sprt, p, random) for _ in range(60)].count("H0")
    assert wrong <= 60 * 0.2 + 2 * sqrt(60 * 0.2 * 0.8), (seed, wrong)
