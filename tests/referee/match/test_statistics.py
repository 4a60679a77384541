"""Scores, ratings and sequential tests, against worked numbers and by hand."""

import json
from itertools import product
from math import erf, inf, isclose, isfinite, log, log10, sqrt
from random import Random

import pytest
import scipy

from referee.match.statistics import (
    C,
    Sprt,
    Z,
    bar,
    elo,
    elo_error,
    elo_interval,
    error,
    expected,
    figures_of,
    interval,
    likely,
    logistic_llr,
    los,
    normalised_elo,
    normalised_elo_error,
    normalised_elo_interval,
    normalised_llr,
    normalised_rating,
    pair_counts,
    rating,
    share,
    standard_error,
    superiority,
    variance,
    without_zeros,
    words,
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


@pytest.mark.parametrize("counts", [(2, 2, 7, 1, 15), (34, 54, 63, 64, 75), (6, 3, 16, 4, 11)], ids=str)
def test_figures_are_those_of_fastchess_s_formulas_and_its_ratio_that_of_a_general_optimiser(counts):
    pairs, a = sum(counts), (0, 0.25, 0.5, 0.75, 1)
    s = sum(n * value for n, value in zip(counts, a, strict=True)) / pairs
    v = sum(n * (value - s) ** 2 for n, value in zip(counts, a, strict=True)) / pairs
    low, high = s - 1.959963984540054 * sqrt(v / pairs), s + 1.959963984540054 * sqrt(v / pairs)

    def elo_of(x):
        return -400 * log10(1 / x - 1)

    def normalised_of(x):
        return (x - 0.5) / sqrt(2 * v) * 800 / log(10)

    theirs = [elo_of(s), (elo_of(high) - elo_of(low)) / 2, normalised_of(s)]
    theirs += [(normalised_of(high) - normalised_of(low)) / 2, (1 + erf((s - 0.5) / sqrt(2 * v / pairs))) / 2]
    here = [
        one(counts) for one in (lambda n: elo(share(n)), elo_error, normalised_elo, normalised_elo_error, los)
    ]
    assert here == pytest.approx(theirs, rel=1e-9)

    def likeliest(normalised):
        """The greatest log-likelihood of any distribution with that normalised Elo."""

        def off(q):
            mean = sum(p * value for p, value in zip(q, a, strict=True))
            spread = sqrt(sum(p * (value - mean) ** 2 for p, value in zip(q, a, strict=True)))
            return mean - 0.5 - normalised * sqrt(2) * log(10) / 800 * spread

        constraints = [{"type": "eq", "fun": lambda q: sum(q) - 1}, {"type": "eq", "fun": off}]
        found = scipy.optimize.minimize(
            lambda q: -sum(n * log(p) for n, p in zip(counts, q, strict=True)),
            [n / pairs for n in counts], method="SLSQP", bounds=[(1e-9, 1)] * 5, constraints=constraints,
            options={"ftol": 1e-14, "maxiter": 1000},
        )  # fmt: skip
        return -found.fun

    assert normalised_llr(counts, 0, 10) == pytest.approx(likeliest(10) - likeliest(0), abs=1e-4)


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


# What is shown: intervals from the counts by Bayes' rule

SMALL = [counts for counts in product(range(4), repeat=5) if sum(counts) >= 2]
SMALL += [counts for counts in product(range(6), repeat=3) if sum(counts) >= 2]


def mirrored(ends):
    return tuple(-end for end in reversed(ends))


def test_every_interval_has_a_width_and_finite_ends_and_holds_its_figure():
    for counts in [*SMALL, (0, 0, 0, 0, 10**6), (10**5, 0, 0, 0, 1), (0, 0, 10**6, 0, 0)]:
        for figure, ends in (
            (share(counts), interval(counts)),
            (rating(counts), elo_interval(counts)),
            (normalised_rating(counts), normalised_elo_interval(counts)),
        ):
            low, high = ends
            assert isfinite(low) and isfinite(high) and low <= figure <= high and low < high, counts
        assert 0 <= interval(counts)[0] and interval(counts)[1] <= 1
        assert 0 <= superiority(counts) <= 1
        json.dumps(figures_of(counts), allow_nan=False)


def test_swapping_the_players_mirrors_every_figure():
    for counts in SMALL[::7]:
        there, back = counts, counts[::-1]
        assert isclose(superiority(there), 1 - superiority(back), abs_tol=1e-9)
        assert isclose(rating(there), -rating(back), abs_tol=1e-6)
        for ends in (elo_interval, normalised_elo_interval):
            both = zip(ends(there), mirrored(ends(back)), strict=True)
            assert all(isclose(one, other, rel_tol=1e-4, abs_tol=1e-4) for one, other in both), counts


def test_winning_every_pair_leaves_as_much_doubt_as_few_pairs_do():
    """By hand: four pairs won, and one more shared evenly, have a mean of 0.9 and a variance of 0.0108."""
    smoothed = [0.2, 0.2, 0.2, 0.2, 4.2]
    assert isclose(share(smoothed), 0.9) and isclose(variance(smoothed) / 6, 0.065 / 6)
    low, high = interval((0, 0, 0, 0, 4))
    assert high == 1 and 0.6 < low < 0.65
    assert 0.99 < superiority((0, 0, 0, 0, 4)) < 0.995
    assert words((0, 0, 0, 0, 4)) == "100.0 % (61.9 to 100.0)"
    lows = [interval((0, 0, 0, 0, pairs))[0] for pairs in (2, 4, 20, 100, 1000)]
    assert lows == sorted(lows) and 0.97 < lows[-2] < 0.98 and lows[-1] > 0.997


def test_drawing_every_pair_leaves_doubt_too():
    low, high = interval((0, 0, 10, 0, 0))
    assert isclose(0.5 - low, high - 0.5) and 0.04 < high - low < 0.2
    assert isclose(superiority((0, 0, 10, 0, 0)), 0.5)
    assert rating((0, 0, 10, 0, 0)) == 0 and abs(normalised_rating((0, 0, 10, 0, 0))) < 1e-6


def test_near_all_or_nothing_the_interval_is_lopsided():
    for counts in ((0, 0, 0, 1, 9), (0, 0, 1, 0, 30), (0, 1, 0, 2, 10)):
        s, (low, high) = share(counts), interval(counts)
        assert s - low > 1.3 * (high - s) > 0, counts


def test_where_all_is_won_elo_is_that_of_half_a_step_less_and_more_than_with_a_half_point_lost():
    for pairs in (1, 2, 4, 50):
        assert isclose(rating((0, 0, 0, 0, pairs)), elo(1 - 1 / (8 * pairs)))
        assert rating((0, 0, 0, 0, pairs)) > rating((0, 0, 0, 1, pairs - 1))
    assert elo_interval((0, 0, 0, 0, 4))[0] > 0  # better by four pairs to none


@pytest.mark.parametrize("row", WORKED, ids=lambda row: " ".join(map(str, row[0])))
def test_the_figures_shown_are_the_usual_ones_where_there_are_many_results(row):
    counts = tuple(200 * n for n in row[0])
    if not variance(counts) or not 0 < share(counts) < 1:
        return
    low, high = interval(counts)
    assert isclose(high - low, 2 * error(counts), rel_tol=0.005)
    low, high = elo_interval(counts)
    assert isclose(high - low, 2 * elo_error(counts), rel_tol=0.005)
    assert isclose(superiority(counts), los(counts), abs_tol=0.001)
    # The usual one takes the standard deviation for known: as near as that goes.
    low, high = normalised_elo_interval(counts)
    assert isclose(high - low, 2 * normalised_elo_error(counts), rel_tol=0.25)
    assert rating(counts) == elo(share(counts)) and normalised_rating(counts) == normalised_elo(counts)


@pytest.mark.parametrize(
    "p",
    [(0.2,) * 5, (0.05, 0.05, 0.1, 0.3, 0.5), (0.01, 0.01, 0.03, 0.15, 0.8), (0.02, 0, 0, 0, 0.98)],
    ids=str,
)
@pytest.mark.parametrize("pairs", [10, 40])
def test_the_interval_holds_the_true_share_about_as_often_as_it_says(p, pairs):
    random, hits, known = Random(seed := 3), 0, {}
    for _ in range(400):
        counts = [0] * 5
        for one in random.choices(range(5), p, k=pairs):
            counts[one] += 1
        counts = tuple(counts)
        if counts not in known:
            low, high = interval(counts)
            known[counts] = low <= share(p) <= high
        hits += known[counts]
    assert hits > 0.9 * 400, (seed, hits)


def test_one_pair_has_no_interval_and_none_has_no_figure():
    one = figures_of((0, 0, 0, 1, 0))
    assert one["score"] == 0.75 and one["error"] is one["interval"] is one["elo_interval"] is None
    assert isfinite(one["elo"]) and isfinite(one["normalised_elo"]) and 0.5 < one["los"] < 1
    assert set(figures_of((0,) * 5).values()) == {None}
    assert words((0, 0, 0, 1, 0)) == "75.0 %" and bar(None) == ""


def test_a_likelihood_is_never_said_to_be_all():
    said = [likely(one) for one in (0.0, 0.0004, 0.0005, 0.5, 0.9994, 0.9996, 1.0, None)]
    assert said == ["< 0.1 %", "< 0.1 %", "0.1 %", "50.0 %", "99.9 %", "> 99.9 %", "> 99.9 %", "undefined"]


def test_each_error_is_half_the_width_of_its_interval():
    figures = figures_of((1, 2, 3, 4, 5))
    for name, ends in (
        ("error", "interval"),
        ("elo_error", "elo_interval"),
        ("normalised_elo_error", "normalised_elo_interval"),
    ):
        low, high = figures[ends]
        assert isclose(figures[name], (high - low) / 2)
