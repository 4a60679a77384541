"""Scores and how far to believe them: pure functions of counts.

Results are counted in classes, worst first.  A pair is one opening played twice with seats swapped
and has five: 0, 1/2, 1, 3/2 or 2 of its 2 points.  A single game has three: loss, draw, win.
"""

from collections.abc import Iterable, Sequence
from math import sqrt

Z = 1.959963984540054  # 95 % of a normal distribution lie within so many standard deviations


def pair_counts(scores: Iterable[float]) -> list[int]:
    """How many pairs scored 0, 1/2, 1, 3/2, 2: from the scores of single games, in the order played.

    Games 1 and 2 are a pair, 3 and 4, and so on; a last game without a partner is left out.
    """
    counts = [0] * 5
    scores = list(scores)
    for first, second in zip(scores[::2], scores[1::2], strict=False):
        counts[round(2 * (first + second))] += 1
    return counts


def share(counts: Sequence[float]) -> float:
    """The share of the points won, s = sum a_i n_i / N, where class i of k scores a_i = i/(k - 1)."""
    return sum(i * n for i, n in enumerate(counts)) / (len(counts) - 1) / sum(counts)


def variance(counts: Sequence[float]) -> float:
    """The variance of one result around the share, v = sum n_i (a_i - s)^2 / N."""
    s = share(counts)
    return sum(n * (i / (len(counts) - 1) - s) ** 2 for i, n in enumerate(counts)) / sum(counts)


def standard_error(counts: Sequence[float]) -> float:
    """The standard error of the share, se = sqrt(v / N)."""
    return sqrt(variance(counts) / sum(counts))


def error(counts: Sequence[float]) -> float | None:
    """Half the width of the 95 % interval around the share; None where fewer than two results say nothing."""
    return Z * standard_error(counts) if sum(counts) >= 2 else None
