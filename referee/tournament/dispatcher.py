"""Hands a tournament's pairs to whatever plays them, and writes each finished pair to the journal."""

from collections.abc import Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from referee import RefereeTrouble, UsageError
from referee.isolation import levels
from referee.match.openings import Openings
from referee.tournament import statistics
from referee.tournament.jobs import Played, Runner
from referee.tournament.journal import Entry, Journal
from referee.tournament.pair import Entrant, Pair
from referee.tournament.results import Meeting
from referee.tournament.schedule import Schedule, Slot

AHEAD = 4  # times the width: how far a pair may run ahead of one that has to be counted before it
POLL = 1.0  # seconds between two looks at whether the runner is there


@dataclass(frozen=True)
class Plan:
    """What every pair of the tournament has in common."""

    game: str
    seed: int
    entrants: tuple[Entrant, ...]
    openings: Openings
    is_repeatable: bool = False  # whether --seed was given: see PlannedGame

    def pair(self, slot: Slot) -> Pair:
        """The pair that a slot of the schedule stands for."""
        two = self.entrants[slot.first], self.entrants[slot.second]
        drawn = self.openings.of(slot.number)
        return Pair(self.game, self.seed, slot[:2], two, slot.number, drawn, self.is_repeatable)


class Test:
    """A sequential test as it stands: pairs count in the order of their numbers, whichever ends first.

    So what it says, and after which pair, is the same with any number of jobs.  Whoever adds a pair to
    the results updates it, so that it is never behind them, whether a pair was played or read.
    """

    def __init__(self, sprt: statistics.Sprt):
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


class Desk:
    """Hands pairs out to a runner and writes down what comes back."""

    def __init__(
        self,
        plan: Plan,
        journal: Journal,
        runner: Runner,
        records: Path | None,
        test: Test | None,
    ):
        self.plan = plan
        self.journal = journal
        self.runner = runner
        self.records = records
        self.test = test
        self._out: dict[Future, tuple[int, Pair]] = {}  # with their places in the order they went out in
        self._back: dict[int, tuple[Pair, Played]] = {}  # not written yet
        self._handed = 0
        self._written = 0

    def play(self, schedule: Schedule) -> Iterator[Entry]:
        """Play what is not in the journal; each pair when it is written."""
        for slots in schedule.rounds():
            for slot in slots:
                pair = self.plan.pair(slot)
                if pair.id in self.journal.ids:
                    continue
                while self._is_full() and not self._is_decided():
                    yield from self._collect()
                if self._is_decided():
                    return
                self._hand_out(pair)
            while self._out and not self._is_decided():
                yield from self._collect()

    def _is_full(self) -> bool:
        width = self.runner.width
        return len(self._out) >= width or self._handed - self._written >= AHEAD * width

    def _is_decided(self) -> bool:
        """Pairs still out, or back too early, then do not count and are not written."""
        return self.test is not None and self.test.decision is not None

    def _hand_out(self, pair: Pair) -> None:
        how = {
            "isolation": levels.described(self.plan.entrants[0].allowance.isolation)[0],
            "must_import": False,
            "keep_records": self.records is not None,
        }
        self._out[self.runner.submit({**pair.plain(), **how})] = self._handed, pair
        self._handed += 1

    def _collect(self) -> Iterator[Entry]:
        """Wait for a pair, and write what can be written: in order where there is a test."""
        ended, _ = wait(self._out, timeout=POLL, return_when=FIRST_COMPLETED)
        if not ended:
            self.runner.check()
        for future in ended:
            place, pair = self._out.pop(future)
            self._back[place] = pair, _played(future)
        for place in sorted(self._back):
            if self.test and (place != self._written or self._is_decided()):
                break
            entry = self._entry(*self._back.pop(place))
            self.journal.append(entry)
            self._written += 1
            yield entry

    def _entry(self, pair: Pair, played: Played) -> Entry:
        """A line for the journal; the games' records are kept now, where that was asked for."""
        for game in played["games"]:
            if "record" in game:
                game["record"] = str(self._keep(game["record"]))
        slot = {"pair": pair.id, "players": pair.indices, "number": pair.number, "opening": pair.plies}
        return {**slot, **played}

    def _keep(self, kept: Mapping[str, str]) -> Path:
        path = self.records / kept["name"]
        try:
            self.records.mkdir(parents=True, exist_ok=True)
            path.write_text(kept["text"], encoding="utf-8", newline="\n")
        except OSError as error:
            raise UsageError(f"cannot write {path}: {error.strerror or error}") from None
        return path


def _played(future: Future[Played]) -> Played:
    try:
        return future.result()
    except RefereeTrouble:
        raise
    except Exception as error:  # whatever the executor raises when it has lost what it was to do
        raise RefereeTrouble(
            f"a pair could not be played: {type(error).__name__}: {' '.join(str(error).split())[:300]}; "
            "what is in the journal is not lost, start it again"
        ) from None
