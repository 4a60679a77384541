"""Scores and how far to believe them: pure functions of counts.

Results are counted in classes, worst first.  A pair is one opening played twice with seats swapped
and has five: 0, 1/2, 1, 3/2 or 2 of its 2 points.  A single game has three: loss, draw, win.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import copysign, erf, inf, log, log10, sqrt

Z = 1.959963984540054  # 95 % of a normal distribution lie within so many standard deviations
C = 800 / log(10)  # normalised Elo a standard deviation of one game's score
ALMOST_NONE = 0.001  # stands for a count of 0 in a likelihood
ROUNDS = 100  # at most, of which 10 usually do
STILL = 1e-12  # probabilities that change by less stay


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


# Elo


def elo(s: float) -> float:
    """The difference in rating that a share stands for, -400 log10(1/s - 1); infinite for all or nothing."""
    if s <= 0 or s >= 1:
        return inf if s >= 1 else -inf
    return 400 * log10(s / (1 - s))


def expected(difference: float) -> float:
    """The share that a difference in rating stands for."""
    return 1 / (1 + 10 ** (-difference / 400))


def elo_error(counts: Sequence[float]) -> float | None:
    """Half the width of the 95 % interval in Elo; None below two results or where all are won or lost.

    Infinite where the interval of the share reaches 0 or 1.
    """
    s, half = share(counts), error(counts)
    if half is None or s in (0, 1):
        return None
    return (elo(s + half) - elo(s - half)) / 2


def normalised_elo(counts: Sequence[float]) -> float | None:
    """C (s - 1/2)/sigma, with the standard deviation of a single game; None for 0/0, where all are drawn."""
    return _ratio(C * (share(counts) - 0.5), _sigma(counts))


def normalised_elo_error(counts: Sequence[float]) -> float | None:
    """Half the width of its 95 % interval, C z se/sigma; None where every result is the same."""
    sigma = _sigma(counts)
    return C * Z * standard_error(counts) / sigma if sigma else None


def los(counts: Sequence[float]) -> float | None:
    """The likelihood of superiority, Phi((s - 1/2)/se); None for 0/0, where all are drawn."""
    deviations = _ratio(share(counts) - 0.5, standard_error(counts))
    return None if deviations is None else (1 + erf(deviations / sqrt(2))) / 2


def _sigma(counts: Sequence[float]) -> float:
    """The standard deviation of one game's score; a pair's is that of the mean of two."""
    return sqrt(variance(counts) * (2 if len(counts) == 5 else 1))


def _ratio(over: float, under: float) -> float | None:
    if under:
        return over / under
    return copysign(inf, over) if over else None


# SPRT


@dataclass(frozen=True)
class Sprt:
    """A sequential test of two hypotheses on the difference in rating: it may stop after any result."""

    elo0: float
    elo1: float
    alpha: float = 0.05  # the chance to accept elo1 though elo0 is true
    beta: float = 0.05  # the chance to accept elo0 though elo1 is true
    model: str = "normalised"  # or logistic: what elo0 and elo1 are differences in

    @property
    def lower(self) -> float:
        """The log-likelihood ratio at which elo0 is accepted."""
        return log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """The log-likelihood ratio at which elo1 is accepted."""
        return log((1 - self.beta) / self.alpha)

    def llr(self, counts: Sequence[float]) -> float:
        """The log-likelihood ratio of the results; 0 where there are none."""
        if not any(counts):
            return 0.0
        likelihood = {"normalised": normalised_llr, "logistic": logistic_llr}[self.model]
        return likelihood(counts, self.elo0, self.elo1)

    def decision(self, llr: float) -> str | None:
        """`H0` or `H1` if so much is decided, else None."""
        if llr <= self.lower:
            return "H0"
        return "H1" if llr >= self.upper else None


def logistic_llr(counts: Sequence[float], elo0: float, elo1: float) -> float:
    """The log-likelihood ratio of two differences in Elo."""
    counts = without_zeros(counts)
    a = [i / (len(counts) - 1) for i in range(len(counts))]
    q = [n / sum(counts) for n in counts]
    p0, p1 = (_closest(q, [value - expected(elo) for value in a]) for elo in (elo0, elo1))
    return _llr(counts, p0, p1)


def normalised_llr(counts: Sequence[float], elo0: float, elo1: float) -> float:
    """The log-likelihood ratio of two differences in normalised Elo."""
    counts = without_zeros(counts)
    q = [n / sum(counts) for n in counts]
    per_result = sqrt(2) / C if len(counts) == 5 else 1 / C
    p0, p1 = (_closest_normalised(q, elo * per_result) for elo in (elo0, elo1))
    return _llr(counts, p0, p1)


def without_zeros(counts: Sequence[float]) -> list[float]:
    """The counts with 0.001 for 0, so that a class not seen yet is improbable and not impossible."""
    return [n or ALMOST_NONE for n in counts]


def _llr(counts: Sequence[float], p0: Sequence[float], p1: Sequence[float]) -> float:
    return sum(n * log(one / zero) for n, zero, one in zip(counts, p0, p1, strict=True))


def _closest(q: Sequence[float], f: Sequence[float]) -> list[float]:
    """The probabilities that make `q` likeliest among those where the mean of `f` is 0.

    They are q_i/(1 + x f_i), where x is the root of sum q_i f_i/(1 + x f_i).  That sum only falls
    between -1/max f and -1/min f, so the interval is halved until floats end it.
    """
    low, high = -1 / max(f), -1 / min(f)
    while low < (x := (low + high) / 2) < high:
        if sum(share * value / (1 + x * value) for share, value in zip(q, f, strict=True)) > 0:
            low = x
        else:
            high = x
    return [share / (1 + x * value) for share, value in zip(q, f, strict=True)]


def _closest_normalised(q: Sequence[float], t: float) -> list[float]:
    """The probabilities that make `q` likeliest among those whose mean is 1/2 + t standard deviations.

    The condition is not linear in them: it is solved around the last solution until that stays.
    """
    a = [i / (len(q) - 1) for i in range(len(q))]
    p = [1 / len(q)] * len(q)
    for _ in range(ROUNDS):
        m = sum(one * value for one, value in zip(p, a, strict=True))
        sigma = sqrt(sum(one * (value - m) ** 2 for one, value in zip(p, a, strict=True)))
        f = [value - 0.5 - t * sigma / 2 * (1 + ((value - m) / sigma) ** 2) for value in a]
        before, p = p, _closest(q, f)
        if max(abs(new - old) for new, old in zip(p, before, strict=True)) < STILL:
            break
    return p
