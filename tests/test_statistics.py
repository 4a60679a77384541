"""Scores and their error bars, against worked numbers and by hand."""

from math import inf, isclose, log10, sqrt

import pytest

from referee.statistics import Z, error, pair_counts, share, standard_error, variance


def elo(s):
    return inf if s == 1 else -400 * log10(1 / s - 1)


# Elo and half its 95 % interval follow from the share and its standard error.
PAIRS = [
    ((34, 54, 63, 64, 75), 55.5798, 27.6534),
    ((332, 433, 498, 333, 334), -8.6427, 10.3342),
    ((2, 10, 18, 25, 5), 61.4336, 43.9239),
    ((0, 1, 4, 3, 2), 107.5381, 113.3639),
    ((0, 0, 10, 0, 0), 0, 0),
]
GAMES = [
    ((96, 111, 136), 40.7025, 30.4272),
]


@pytest.mark.parametrize(("counts", "expected", "half_width"), PAIRS + GAMES)
def test_share_and_standard_error_give_the_worked_elo(counts, expected, half_width):
    s, bar = share(counts), error(counts)
    assert isclose(elo(s), expected, abs_tol=5e-5)
    assert isclose((elo(s + bar) - elo(s - bar)) / 2, half_width, abs_tol=5e-5)


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


def test_games_are_paired_in_the_order_played():
    assert pair_counts([0, 0, 0, 0.5, 1, 0, 0.5, 1, 1, 1]) == [1, 1, 1, 1, 1]


def test_a_last_game_without_partner_is_left_out():
    assert pair_counts([1, 1, 1]) == [0, 0, 0, 0, 1]
    assert pair_counts([0.5]) == [0, 0, 0, 0, 0]
