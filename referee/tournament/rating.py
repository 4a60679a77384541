"""One rating for each player of a tournament, from all its pairings at once.

The model is Bradley and Terry's, as Elo is usually reckoned: in a game, player i expects the share
p = 1 / (1 + 10^((r_j - r_i) / 400)), and a draw is half a win.  The ratings are those that make the results
likeliest, with mean 0; so everybody's expected points are the points that it has.  Where no finite ratings do
that, since some have won or lost all against all others, one draw more with an average player is counted for
everybody.

The error is half the width of the 95 % interval.  Games of a pair are not independent, so it comes from the
scatter of the pairs around what was expected of them (the sandwich estimator), each meeting with
one pair more that is shared evenly among the five scores, as in statistics.py.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log, sqrt

from referee.match.statistics import Z, expected
from referee.tournament.results import Meeting

K = log(10) / 400  # the slope of the expected share is K p (1 - p)
STEPS = 200  # of Newton's method, of which some ten are needed
STILL = 1e-9  # Elo
STRIDE = 200.0  # Elo that a rating may change in a step

Matrix = list[list[float]]


@dataclass(frozen=True)
class Rating:
    """A player's Elo; None where it has not played, and no error where that was a single pair."""

    elo: float | None
    error: float | None


def ratings(players: int, meetings: Mapping[tuple[int, int], Meeting]) -> list[Rating]:
    """Each player's rating, by index."""
    games = {two: sum(meeting.games) for two, meeting in meetings.items()}
    points = {two: (m.games[1] + 2 * m.games[2]) / 2 for two, m in meetings.items()}
    there = sorted({index for two, count in games.items() if count for index in two})
    if not there:
        return [Rating(None, None)] * players
    prior = 0.0 if _is_connected(there, games, points) else 1.0
    elo = _likeliest(there, games, points, prior)
    errors = _errors(there, meetings, games, elo, prior)
    pairs = {index: sum(sum(m.pairs) for two, m in meetings.items() if index in two) for index in there}
    found = {index: Rating(elo[index], errors[index] if pairs[index] > 1 else None) for index in there}
    return [found.get(index, Rating(None, None)) for index in range(players)]


def _is_connected(
    there: Sequence[int], games: Mapping[tuple[int, int], int], points: Mapping[tuple[int, int], float]
) -> bool:
    """Whether from everybody a chain of points that were won leads to everybody else, and so back."""
    won: dict[int, set[int]] = {index: set() for index in there}
    for (i, j), count in games.items():
        if points[i, j] > 0:
            won[i].add(j)
        if points[i, j] < count:
            won[j].add(i)
    lost = {index: {other for other in there if index in won[other]} for index in there}
    return all(_reached(there[0], ways) == set(there) for ways in (won, lost))


def _reached(start: int, ways: Mapping[int, set[int]]) -> set[int]:
    found, waiting = {start}, [start]
    while waiting:
        for other in ways[waiting.pop()] - found:
            found.add(other)
            waiting.append(other)
    return found


def _likeliest(
    there: Sequence[int],
    games: Mapping[tuple[int, int], int],
    points: Mapping[tuple[int, int], float],
    prior: float,
) -> dict[int, float]:
    """By Newton's method; the mean is taken off at the end."""
    elo = dict.fromkeys(there, 0.0)
    for _ in range(STEPS):
        slope = {index: prior * (0.5 - expected(elo[index])) for index in there}
        for (i, j), count in games.items():
            missing = points[i, j] - count * expected(elo[i] - elo[j])
            slope[i] += missing
            slope[j] -= missing
        inverse = _inverse(_information(there, games, elo, prior))
        steps = [sum(a * slope[index] / K for a, index in zip(row, there, strict=True)) for row in inverse]
        longest = max(map(abs, steps))
        scale = min(1.0, STRIDE / longest) if longest else 1.0
        for index, step in zip(there, steps, strict=True):
            elo[index] += scale * step
        if longest < STILL:
            break
    mean = sum(elo.values()) / len(elo)
    return {index: value - mean for index, value in elo.items()}


def _information(
    there: Sequence[int], games: Mapping[tuple[int, int], int], elo: Mapping[int, float], prior: float
) -> Matrix:
    """The Hessian over K squared, with 1/n added everywhere, which holds the mean of the ratings."""
    place = {index: number for number, index in enumerate(there)}
    matrix = [[1 / len(there)] * len(there) for _ in there]
    for index, number in place.items():
        share = expected(elo[index])
        matrix[number][number] += prior * share * (1 - share)
    for (i, j), count in games.items():
        if count:
            share = expected(elo[i] - elo[j])
            weight = count * share * (1 - share)
            a, b = place[i], place[j]
            matrix[a][a] += weight
            matrix[b][b] += weight
            matrix[a][b] -= weight
            matrix[b][a] -= weight
    return matrix


def _errors(
    there: Sequence[int],
    meetings: Mapping[tuple[int, int], Meeting],
    games: Mapping[tuple[int, int], int],
    elo: Mapping[int, float],
    prior: float,
) -> dict[int, float]:
    """Z standard errors: inverse information, times the scatter of the pairs, times the inverse again."""
    place = {index: number for number, index in enumerate(there)}
    inverse = _inverse(_information(there, games, elo, prior))
    variances = [0.0] * len(there)
    for (i, j), meeting in meetings.items():
        total = sum(meeting.pairs)
        if not total:
            continue
        wanted = 2 * expected(elo[i] - elo[j])
        smoothed = [(count + 1 / 5) * total / (total + 1) for count in meeting.pairs]
        scatter = sum(count * (score / 2 - wanted) ** 2 for score, count in enumerate(smoothed))
        for number in range(len(there)):
            variances[number] += scatter * (inverse[number][place[i]] - inverse[number][place[j]]) ** 2
    return {index: Z * sqrt(variances[number]) / K for index, number in place.items()}


def _inverse(matrix: Matrix) -> Matrix:
    """By Gauss and Jordan; the matrix is positive definite, so nothing need be exchanged."""
    size = len(matrix)
    rows = [[*row, *(float(i == j) for j in range(size))] for i, row in enumerate(matrix)]
    for i in range(size):
        pivot = rows[i][i] or 1e-12
        rows[i] = [value / pivot for value in rows[i]]
        for j in range(size):
            if j != i and (factor := rows[j][i]):
                rows[j] = [value - factor * one for value, one in zip(rows[j], rows[i], strict=True)]
    return [row[size:] for row in rows]
