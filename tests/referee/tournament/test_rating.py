"""Ratings from all pairings at once: what the likeliest ones fulfil, and their errors in simulations."""

from itertools import combinations
from math import log
from random import Random

import pytest
import scipy

from referee.match.statistics import elo, elo_interval, expected
from referee.tournament.rating import ratings
from referee.tournament.results import Meeting


def met(*pairs):
    """A meeting whose pairs had these points of 2, all games being won or drawn as that asks for."""
    meeting = Meeting()
    for number, points in enumerate(pairs, 1):
        meeting.points[number] = points
        meeting.pairs[round(2 * points)] += 1
        for score in {0: (0, 0), 0.5: (0, 1), 1: (0, 2), 1.5: (1, 2), 2: (2, 2)}[points]:
            meeting.games[score] += 1
    return meeting


def drawn_of(random, share):
    """The points of a pair, each game won with that likelihood."""
    return float((random.random() < share) + (random.random() < share))


def test_of_two_players_the_difference_is_that_of_their_score():
    first, second = ratings(2, {(0, 1): met(2, 1, 1.5, 0.5, 1)})
    assert first.elo - second.elo == pytest.approx(elo(0.6)) and first.elo == pytest.approx(-second.elo)


def test_everybody_is_expected_to_have_the_points_that_it_has():
    random = Random(1)
    meetings = {
        two: met(*(drawn_of(random, 0.3 + 0.1 * two[1]) for _ in range(5 + two[0])))
        for two in combinations(range(6), 2)
    }
    found = ratings(6, meetings)
    assert sum(one.elo for one in found) == pytest.approx(0, abs=1e-6)
    for index, one in enumerate(found):
        games = [(sum(m.games), two) for two, m in meetings.items() if index in two]
        wanted = sum(count * expected(one.elo - found[sum(two) - index].elo) for count, two in games)
        points = sum(
            sum(m.points.values()) if two[0] == index else 2 * len(m.points) - sum(m.points.values())
            for two, m in meetings.items()
            if index in two
        )
        assert wanted == pytest.approx(points, abs=1e-6)


def test_they_are_those_that_zermelo_s_iteration_comes_to():
    """Another way to the same: strengths w_i = points_i / sum n_ij / (w_i + w_j), over and over."""
    random = Random(2)
    meetings = {two: met(*(drawn_of(random, 0.45) for _ in range(8))) for two in combinations(range(5), 2)}
    strength = [1.0] * 5
    points = [0.0] * 5
    for (i, j), meeting in meetings.items():
        points[i] += sum(meeting.points.values())
        points[j] += 2 * len(meeting.points) - sum(meeting.points.values())
    for _ in range(3000):
        strength = [
            points[i] / sum(16 / (strength[i] + strength[j]) for j in range(5) if j != i) for i in range(5)
        ]
    found = ratings(5, meetings)
    for i, j in combinations(range(5), 2):
        share = strength[i] / (strength[i] + strength[j])
        assert found[i].elo - found[j].elo == pytest.approx(elo(share), abs=0.01)


# Of a round-robin of three settings of our Kalaha agent, the template, greedy and random, 27 pairs each.
NIGHT = {
    (0, 1): ([2, 2, 7, 1, 15], [13, 3, 38]), (0, 2): ([0, 0, 4, 1, 22], [4, 1, 49]),
    (0, 3): ([0, 0, 1, 0, 26], [1, 0, 53]), (0, 4): ([0, 0, 0, 0, 27], [0, 0, 54]),
    (0, 5): ([0, 0, 0, 0, 27], [0, 0, 54]), (1, 2): ([1, 0, 9, 0, 17], [11, 0, 43]),
    (1, 3): ([0, 0, 0, 0, 27], [0, 0, 54]), (1, 4): ([0, 0, 0, 0, 27], [0, 0, 54]),
    (1, 5): ([0, 0, 0, 0, 27], [0, 0, 54]), (2, 3): ([0, 0, 3, 1, 23], [3, 1, 50]),
    (2, 4): ([0, 0, 1, 0, 26], [1, 0, 53]), (2, 5): ([0, 0, 0, 0, 27], [0, 0, 54]),
    (3, 4): ([0, 0, 3, 0, 24], [3, 0, 51]), (3, 5): ([0, 0, 1, 1, 25], [1, 1, 52]),
    (4, 5): ([4, 0, 16, 0, 7], [24, 0, 30]),
}  # fmt: skip


def test_they_are_ordo_s_and_near_bayeselo_s_on_the_same_results():
    """By the formulas that both publish, solved by scipy.

    Ordo: everybody's expected points are its points.  BayesElo: a game is won with the likelihood
    1 / (1 + 10^((drawelo - d) / 400)), lost alike and drawn otherwise; the likeliest ratings and drawelo.
    """
    found = ratings(6, {two: Meeting(pairs=pairs, games=games) for two, (pairs, games) in NIGHT.items()})
    points = [0.0] * 6
    for (i, j), (_, (lost, drawn, won)) in NIGHT.items():
        points[i] += won + drawn / 2
        points[j] += lost + drawn / 2

    def missing(r):
        shares = [(two, 54 * expected(r[two[0]] - r[two[1]])) for two in NIGHT]
        wanted = [sum(s if i == k else 54 - s for (i, j), s in shares if k in (i, j)) for k in range(6)]
        return [*(one - other for one, other in zip(wanted[1:], points[1:], strict=True)), sum(r)]

    ordo = scipy.optimize.fsolve(missing, [300.0, 200.0, 100.0, 0.0, -300.0, -300.0])
    assert [one.elo for one in found] == pytest.approx(list(ordo), abs=0.05)

    def unlikely(x):
        total = 1e-6 * sum(x[:6]) ** 2
        for (i, j), (_, (lost, drawn, won)) in NIGHT.items():
            wins, losses = expected(x[i] - x[j] - x[6]), expected(x[j] - x[i] - x[6])
            total -= won * log(wins) + lost * log(losses) + drawn * log(max(1e-12, 1 - wins - losses))
        return total

    bayes = scipy.optimize.minimize(unlikely, [*ordo, 10.0], method="BFGS").x
    assert [one.elo for one in found] == pytest.approx(list(bayes[:6]), abs=8)


def test_who_has_won_or_lost_all_has_a_finite_rating_and_who_has_not_played_none():
    found = ratings(4, {(0, 1): met(2, 2), (1, 2): met(1, 1)})
    assert found[0].elo > 50 > 0 > found[1].elo and found[3].elo is None
    assert all(abs(one.elo) < 1000 and 0 < one.error < 1000 for one in found[:3])
    assert ratings(2, {}) == ratings(2, {(0, 1): Meeting()})


def test_one_pair_says_nothing_of_the_error():
    assert [one.error for one in ratings(2, {(0, 1): met(1.5)})] == [None, None]


def test_of_two_players_the_error_of_the_difference_is_about_that_of_their_pairs():
    random = Random(3)
    meeting = met(*(drawn_of(random, 0.6) for _ in range(200)))
    low, high = elo_interval(meeting.pairs)
    first, second = ratings(2, {(0, 1): meeting})
    assert first.error + second.error == pytest.approx((high - low) / 2, rel=0.1)


def test_games_of_a_pair_that_go_together_make_the_error_larger_than_single_games_would():
    random = Random(4)
    shares = [random.random() < 0.5 for _ in range(100)]
    together = ratings(2, {(0, 1): met(*(2.0 if one else 0.0 for one in shares))})
    apart = ratings(2, {(0, 1): met(*(1.0 for _ in shares))})
    assert together[0].error > 3 * apart[0].error


def test_the_95_percent_interval_holds_the_true_rating_about_that_often():
    random, true = Random(5), [120.0, 30.0, -10.0, -140.0]
    inside = tries = 0
    for _ in range(60):
        meetings = {
            (i, j): met(*(drawn_of(random, expected(true[i] - true[j])) for _ in range(40)))
            for i, j in combinations(range(4), 2)
        }
        for one, value in zip(ratings(4, meetings), true, strict=True):
            tries += 1
            inside += abs(one.elo - value) <= one.error
    assert 0.9 < inside / tries <= 0.99
