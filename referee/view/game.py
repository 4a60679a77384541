"""What a page needs of one recorded game: who played, the limits, its states, how it ended."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from referee import rules
from referee.match.loop import both
from referee.match.record import Account, Entry, Verdict
from referee.players.text import shorten
from referee.view.terminal import escaped

NAME = 60  # characters of a player's name
MOST = 10**9  # seconds or megabytes that a limit may be


@dataclass(frozen=True)
class ShownGame:
    """What is shown of one game: what a file says, and the states it went through."""

    account: Account
    states: Sequence[rules.State]  # the first, and that after each entry of play

    @classmethod
    def of(cls, account: Account) -> "ShownGame":
        """The game of an account whose actions are known to be legal."""
        states = [account.start()]
        for entry in (*account.opening, *account.turns):
            states.append(states[-1].after(entry.chosen) if entry.played else states[-1])
        return cls(account, states)

    @property
    def colours(self) -> tuple[str, str]:
        return self.states[0].COLOURS

    @property
    def names(self) -> tuple[str, str]:
        """The players' by seat; a course's log knows colours alone."""
        names = self.account.header.get("players")
        if type(names) is not tuple or len(names) != 2:
            return self.colours
        return both(lambda seat: f"{shorten(escaped(str(names[seat])), NAME)} ({self.colours[seat]})")

    @property
    def limits(self) -> tuple[Mapping[str, float], Mapping[str, float]]:
        """Seconds and megabytes by seat, of those that are limited; as far as the file says."""
        limits = self.account.header.get("limits")
        if type(limits) is not tuple or len(limits) != 2 or not all(type(one) is dict for one in limits):
            return {}, {}
        return both(lambda seat: _sensible(limits[seat]))

    @property
    def entries(self) -> list[Entry]:
        return [*self.account.opening, *self.account.turns]

    def ending(self) -> str:
        """How it ended, in a sentence."""
        verdict, outcome = self.account.verdict, self.states[-1].outcome()
        if not verdict:
            return "The game is unfinished."
        scores, reason = verdict.scores, verdict.reason
        if not verdict.at_fault and outcome:
            scores, reason = outcome
        if scores is None:
            scores = _against(verdict)
        reason = reason or f"{verdict.ending} by {' and '.join(self.names[one] for one in verdict.at_fault)}"
        if scores[0] == scores[1]:
            return f"{self.names[0]} and {self.names[1]} draw: {reason.removeprefix('draw: ')}"
        winner = scores.index(max(scores))
        return f"{self.names[winner]} beats {self.names[1 - winner]}: {reason}"


def _sensible(limits: dict[str, Any]) -> dict[str, float]:
    return {key: value for key, value in limits.items() if type(value) in (int, float) and 0 < value < MOST}


def _against(verdict: Verdict) -> tuple[float, float]:
    if verdict.at_fault == (0,):
        return 0, 1
    return (1, 0) if verdict.at_fault == (1,) else (0.5, 0.5)
