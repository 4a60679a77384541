"""A sequential test of two players: how it stands after each pair, and when it is decided."""

from typing import Any

from referee.match.statistics import Sprt
from referee.tournament.results import Meeting


class SequentialTest:
    """A sequential test as it stands: pairs count in the order of their numbers, whichever ends first.

    So what it says, and after which pair, is the same with any number of jobs.  Whoever adds a pair to
    the results updates it, so that it is never behind them, whether a pair was played or read.
    """

    def __init__(self, sprt: Sprt):
        self.sprt = sprt
        self.counts = [0] * 5
        self.pairs = 0
        self.llr = 0.0
        self.decision: str | None = None
        self._next = 1  # the number of the pair that counts next

    def update(self, meeting: Meeting) -> None:
        """Count the pairs that have come, up to one that is missing or that decides."""
        while self.decision is None and self._next in meeting.points:
            self._count(meeting, self._next)

    def close(self, meeting: Meeting) -> None:
        """Count those behind a missing one too: no more pairs come."""
        for number in sorted(number for number in meeting.points if number >= self._next):
            if self.decision is None:
                self._count(meeting, number)

    def _count(self, meeting: Meeting, number: int) -> None:
        self._next = number + 1
        self.pairs += 1
        self.counts[round(2 * meeting.points[number])] += 1
        self.llr = self.sprt.llr(self.counts)
        self.decision = self.sprt.decision(self.llr)

    def described(self) -> dict[str, Any]:
        """As --json prints it."""
        sprt = self.sprt
        return {
            "model": sprt.model,
            "elo0": sprt.elo0,
            "elo1": sprt.elo1,
            "alpha": sprt.alpha,
            "beta": sprt.beta,
            "llr": self.llr,
            "lower": sprt.lower,
            "upper": sprt.upper,
            "decision": self.decision,
            "pairs": self.pairs,
        }
