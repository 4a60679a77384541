"""Sends a tournament's pairs of games to be played, and writes each finished pair to the journal."""

from collections.abc import Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, wait
from pathlib import Path

from referee import RefereeTrouble
from referee.isolation import levels
from referee.match import record
from referee.tournament.jobs import Played, Runner
from referee.tournament.journal import Journal
from referee.tournament.plan import Pair, Plan
from referee.tournament.played import PlayedPair, game_from
from referee.tournament.schedule import Schedule
from referee.tournament.sequential import SequentialTest

AHEAD = 4  # times the width: how far a pair may run ahead of one that has to be counted before it
POLL = 1.0  # seconds between two looks at whether the runner is there


class Dispatcher:
    """Hands pairs out to a runner and writes down what comes back."""

    def __init__(
        self,
        plan: Plan,
        journal: Journal,
        runner: Runner,
        records: Path | None,
        test: SequentialTest | None,
        stops_on_fault: bool = False,
    ):
        self.plan = plan
        self.journal = journal
        self.runner = runner
        self.records = records
        self.test = test
        self.stops_on_fault = stops_on_fault  # as soon as a player has failed before its first action
        # What is out, with its place in the order in which pairs went out.
        self._out: dict[Future[Played], tuple[int, Pair]] = {}
        self._back: dict[int, tuple[Pair, Played]] = {}  # not written yet
        self._handed = 0
        self._written = 0

    def play(self, schedule: Schedule) -> Iterator[PlayedPair]:
        """Play what is not in the journal; each pair when it is written."""
        has_stopped = False
        for slots in schedule.rounds():
            for slot in slots:
                if schedule.is_played(slot):
                    continue
                while self._is_full() and not self._is_decided():
                    yield from self._collect()
                if self._is_decided():
                    return
                if has_stopped := self.stops_on_fault and bool(schedule.results.broken):
                    break
                if not schedule.is_out(slot):
                    self._hand_out(self.plan.pair(slot))
            while self._out and not self._is_decided():
                yield from self._collect()
            if has_stopped:
                return

    def _is_full(self) -> bool:
        width = self.runner.width
        return len(self._out) >= width or self._handed - self._written >= AHEAD * width

    def _is_decided(self) -> bool:
        """Pairs still out, or back too early, then do not count and are not written."""
        return self.test is not None and self.test.decision is not None

    def _hand_out(self, pair: Pair) -> None:
        how = {
            "isolation": levels.with_warning(self.plan.entrants[0].allowance.isolation)[0],
            "must_import": False,
            "keep_records": self.records is not None,
        }
        self._out[self.runner.submit({**pair.plain(), **how})] = self._handed, pair
        self._handed += 1

    def _collect(self) -> Iterator[PlayedPair]:
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
            played = self._pair(*self._back.pop(place))
            self.journal.append(played)
            self._written += 1
            yield played

    def _pair(self, pair: Pair, played: Played) -> PlayedPair:
        """The pair as it is written down; the games' records are kept now, where that was asked for."""
        for game in played["games"]:
            if self.records is not None:
                game["record"] = str(_kept(self.records, game["record"]))
        return PlayedPair(
            id=pair.id,
            players=pair.indices,
            number=pair.number,
            opening=tuple(pair.plies),
            games=tuple(game_from(game) for game in played["games"]),
            seconds=played["seconds"],
            cost=played["cost"],
        )


def _kept(folder: Path, record_of_game: Mapping[str, str]) -> Path:
    with record.new_file(folder / record_of_game["name"]) as file:
        file.write(record_of_game["text"])
    return Path(file.name)


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
