"""Scores, with intervals and tests that say how sure they are: pure functions of counts.

Results are counted in classes, worst first.  A pair is one opening played twice with seats swapped
and has five: 0, 1/2, 1, 3/2 or 2 of its 2 points.  A single game has three: loss, draw, win.

The error bars of everything that is shown are 95 % intervals over pairs, made from the counts by Bayes'
rule.  How often each class comes in the long run is unknown; before the first pair it is thought of as if one
pair had been seen, shared evenly among the classes (a Dirichlet distribution, 1/k for each of k classes).
After the counts, the share of the points in the long run has a known mean and variance, and is taken to be
distributed as the Beta distribution with these, which lies between 0 and 1.  Its quantiles at 2.5 and 97.5 %
are the ends of the interval.  So no interval is empty, also where all pairs came out alike; it is lopsided
near 0 and 1; its ends in Elo are finite; and with many pairs it is the usual one of 1.96 standard errors.
In simulated matches of 10 to 200 pairs it holds the true share 90 to 99 % of the time, between even players
and where 98 % of the pairs are won.  The likelihood of superiority (LOS) is the part of the same distribution
above one half.

Ratings are those of the observed share.  Where all or no points were won these would be infinite: then the
share is taken that lies half way to the next one which so many results can have.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import copysign, erf, exp, inf, lgamma, log, log1p, log10, sqrt
from typing import Any

Z = 1.959963984540054  # 95 % of a normal distribution lie within so many standard deviations
C = 800 / log(10)  # normalised Elo a standard deviation of one game's score
ALMOST_NONE = 0.001  # stands for a count of 0 in a likelihood
ROUNDS = 100  # at most, of which 10 usually do
STILL = 1e-12  # probabilities that change by less stay
EXACT = 1e-15  # less than that makes no difference to a probability
DEEPEST = 10**6  # terms of a continued fraction, of which some times the root of the counts are needed


def pair_counts(scores: Iterable[float]) -> list[int]:
    """How many pairs scored 0, 1/2, 1, 3/2, 2: from the scores of single games, in the order played.

    Games 1 and 2 are a pair, 3 and 4, and so on; a last game without a partner is left out.
    """
    scores = list(scores)
    return counted((first + second) / 2 for first, second in zip(scores[::2], scores[1::2], strict=False))


def counted(shares: Iterable[float], classes: int = 5) -> list[int]:
    """How many results are of each class, from the share of the points in each; games have 3 classes."""
    counts = [0] * classes
    for one in shares:
        counts[round((classes - 1) * one)] += 1
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


# The intervals that are shown; each is None below two results


def interval(counts: Sequence[float]) -> tuple[float, float] | None:
    """Between what the share of the points lies in the long run, with 95 %; it includes the observed one."""
    if sum(counts) < 2:
        return None
    low, high = _posterior(tuple(counts)).interval
    return min(low, share(counts)), max(high, share(counts))


def elo_interval(counts: Sequence[float]) -> tuple[float, float] | None:
    """The same in Elo; its ends are finite."""
    if sum(counts) < 2:
        return None
    low, high = map(elo, _posterior(tuple(counts)).interval)
    return min(low, rating(counts)), max(high, rating(counts))


def normalised_elo_interval(counts: Sequence[float]) -> tuple[float, float] | None:
    """The same in normalised Elo: that of the likeliest distribution of results at each end."""
    if sum(counts) < 2:
        return None
    low, high = (_normalised_at(counts, end) for end in _posterior(tuple(counts)).interval)
    return min(low, normalised_rating(counts)), max(high, normalised_rating(counts))


def rating(counts: Sequence[float]) -> float:
    """The difference in Elo that is shown: that of the share, finite."""
    return elo(_short_of_all(counts))


def normalised_rating(counts: Sequence[float]) -> float:
    """The difference in normalised Elo that is shown; where all results are alike, that of the likeliest."""
    value = normalised_elo(counts)
    if value is None or abs(value) == inf:
        return _normalised_at(counts, _short_of_all(counts))
    return value


def superiority(counts: Sequence[float]) -> float | None:
    """How likely it is that the first player scores more than half in the long run; None without results."""
    return 1 - _posterior(tuple(counts)).below(0.5) if any(counts) else None


def figures_of(counts: Sequence[float]) -> dict[str, Any]:
    """All that is said of the results, as --json prints it; each `..._error` is half the interval's width."""
    if not any(counts):
        return dict.fromkeys(FIGURES)
    figures: dict[str, Any] = {}
    for name, value, ends in (
        ("score", share(counts), interval(counts)),
        ("elo", rating(counts), elo_interval(counts)),
        ("normalised_elo", normalised_rating(counts), normalised_elo_interval(counts)),
    ):
        bar = "error" if name == "score" else f"{name}_error"
        figures |= {name: value, bar: ends and (ends[1] - ends[0]) / 2}
        figures[bar.replace("error", "interval")] = ends
    return {**figures, "los": superiority(counts)}


FIGURES = tuple(
    """
    score error interval elo elo_error elo_interval normalised_elo normalised_elo_error
    normalised_elo_interval los
    """.split()
)


def words(counts: Sequence[float]) -> str:
    """A score with its interval in words: `61.2 % (57.8 to 64.5)`."""
    return f"{100 * share(counts):.1f} %{bar(interval(counts), 100)}"


def of_pairs(pairs: Sequence[Sequence[float]]) -> str:
    """What pairs of games came to, in words: score, won, drawn, lost; of each game one player's points."""
    points = [point for pair in pairs for point in pair]
    won, lost = points.count(1.0), points.count(0.0)
    score = words(counted(sum(pair) / 2 for pair in pairs))
    return f"{score}; won {won}, drawn {len(points) - won - lost}, lost {lost}"


def likely(los: float | None) -> str:
    """A likelihood in words, which is never all: `99.8 %`, `> 99.9 %`."""
    if los is None:
        return "undefined"
    if not 0.0005 <= los < 0.9995:
        return "> 99.9 %" if los > 0.5 else "< 0.1 %"
    return f"{los:.1%}".replace("%", " %")


def bar(ends: Sequence[float] | None, times: float = 1, form: str = ".1f") -> str:
    """An interval in words, to stand behind a figure: ` (57.8 to 64.5)`; nothing where there is none."""
    return "" if ends is None else f" ({times * ends[0]:{form}} to {times * ends[1]:{form}})"


class _Posterior:
    """What is known of the share of the points in the long run, as a Beta distribution."""

    def __init__(self, counts: Sequence[float]):
        smoothed = _with_one_more(counts)
        mean, total = share(smoothed), sum(smoothed)
        weight = mean * (1 - mean) / (variance(smoothed) / (total + 1)) - 1
        self.a, self.b = mean * weight, (1 - mean) * weight
        self.interval = self._quantile(0.025), self._quantile(0.975)

    def below(self, x: float) -> float:
        """The probability of less than x."""
        a, b = self.a, self.b
        if x <= 0 or x >= 1:
            return float(x >= 1)
        density = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x))
        if x < (a + 1) / (a + b + 2):
            return density * _fraction(a, b, x) / a
        return 1 - density * _fraction(b, a, 1 - x) / b

    def _quantile(self, p: float) -> float:
        """Where so much lies below; found by halving, as far as floats go, but never 0 or 1."""
        low, high = 0.0, 1.0
        while low < (x := (low + high) / 2) < high and high - low > 1e-12 * high:
            if self.below(x) < p:
                low = x
            else:
                high = x
        return min(max(x, 1e-9), 1 - 1e-9)


_posterior = lru_cache(maxsize=64)(_Posterior)


def _fraction(a: float, b: float, x: float) -> float:
    """The continued fraction of the incomplete Beta function (Lentz's method); x < (a + 1)/(a + b + 2)."""
    c, d = 1.0, 1 / (1 - (a + b) * x / (a + 1))
    product, m = d, 0
    while m < DEEPEST:
        m += 1
        for factor in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            c, d = 1 + factor / c, 1 / (1 + factor * d)
            product *= c * d
        if abs(c * d - 1) < STILL:
            break
    return product


def _with_one_more(counts: Sequence[float]) -> list[float]:
    """The counts and one result more, shared evenly among the classes."""
    return [n + 1 / len(counts) for n in counts]


def _short_of_all(counts: Sequence[float]) -> float:
    """The share; where it is 0 or 1, half way between that and the next share of so many results."""
    step = 1 / ((len(counts) - 1) * sum(counts))
    return min(max(share(counts), step / 2), 1 - step / 2)


def _normalised_at(counts: Sequence[float], s: float) -> float:
    """The normalised Elo of the distribution of that share which is likeliest after these results."""
    smoothed = _with_one_more(counts)
    q = [n / sum(smoothed) for n in smoothed]
    p = _closest(q, [i / (len(q) - 1) - s for i in range(len(q))])
    return C * (s - 0.5) / _sigma(p)


# Large samples: the usual figures, as other programs print them


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
    between -1/max f and -1/min f: Newton's steps find it, and where one would leave what is left of the
    interval, this is halved.
    """
    low, high = -1 / max(f), -1 / min(f)
    terms = [(share, value, share * value) for share, value in zip(q, f, strict=True)]
    x = 0.0 if low < 0 < high else (low + high) / 2
    while True:
        total = slope = 0.0
        for _, value, both in terms:
            weight = both / (1 + x * value)
            total += weight
            slope += weight * value / (1 + x * value)
        if total > 0:
            low = x
        else:
            high = x
        after = x + total / slope if slope else low
        if not low < after < high:
            after = (low + high) / 2
        if not low < after < high or abs(after - x) <= EXACT * max(1.0, abs(after)):
            return [share / (1 + after * value) for share, value, _ in terms]
        x = after


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
