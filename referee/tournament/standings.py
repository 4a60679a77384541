"""What one journal, or several of the same players, come to: results, order and ranking."""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from referee import UsageError, rules
from referee.match.statistics import Sprt
from referee.match.texts import Texts
from referee.tournament import journal
from referee.tournament.journal import ABOUT, WANTED, Header, Journal
from referee.tournament.played import PlayedPair
from referee.tournament.rating import ratings
from referee.tournament.results import Results
from referee.tournament.schedule import FORMATS, InRounds, RoundRobin, Schedule, Swiss
from referee.tournament.sequential import SequentialTest

EXCLUDES = "excludes"  # in the header of formats with rounds: whether a player that cannot play is left out
ON_FAULT = "on_fault"  # in what is told about a tournament: the word of --on-fault
EXCLUDE = "exclude"
ASKED = "as was asked for"  # why a player is left out that can play
MERGED = "merged"  # the format of several journals together
POINTS = 400  # of a line, which a page draws at most


class Standings:
    """The results of a tournament with all that is said of them."""

    def __init__(
        self,
        header: Header,
        results: Results,
        schedule: Schedule,
        test: SequentialTest | None,
        pairs: Callable[[], Iterator[PlayedPair]],
    ):
        self.header = header
        self.results = results
        self.schedule = schedule
        self.test = test
        self.pairs = pairs  # all of them once more

    def order(self) -> list[int]:
        """The players' indices, the best first."""
        return self.schedule.order()

    @property
    def expected(self) -> int | None:
        """How many pairs its command asked for, as far as is known; None where the journal does not say."""
        if self.schedule.keeps_pairs:
            return self.schedule.expected
        pairs = self.header.get(ABOUT, {}).get(WANTED) if self.header["format"] != MERGED else None
        return pairs * self.schedule.expected // self.schedule.pairs if pairs else None

    @property
    def is_over(self) -> bool:
        """Whether all is played that its command asked for, as far as is known."""
        if self.test and self.test.decision:
            return True
        return self.expected is not None and self.results.pairs >= self.expected

    def leave_out(self, index: int) -> None:
        """Count no game of that player; UsageError where the others' rounds depended on them."""
        if self.schedule.keeps_pairs:
            raise UsageError(
                f"of a {self.header['format']} nobody can be left out: rounds depend on each other"
            )
        self.results.strike(index)

    def ranking(self) -> list[dict[str, Any]]:
        """The players by Elo, the best first; those that have not played are left out."""
        found = ratings(len(self.results.players), dict(sorted(self.results.meetings.items())))
        known = [(one.elo, index, one.error) for index, one in enumerate(found) if one.elo is not None]
        return [
            {"player": self.results.players[index].name, "index": index, "elo": elo, "error": error}
            for elo, index, error in sorted(known, key=lambda one: -one[0])
        ]

    def llr_course(self) -> list[tuple[int, float]]:
        """The log-likelihood ratio of the sequential test after so many pairs, at POINTS of them or all."""
        if not self.test or not self.results.pairs:
            return []
        meeting = self.results.meetings[0, 1]
        counts, course = [0] * 5, []
        step = max(1, self.test.pairs // POINTS)
        for place, number in enumerate(islice(meeting.points, self.test.pairs), 1):
            counts[round(2 * meeting.points[number])] += 1
            if place % step == 0 or place == self.test.pairs:
                course.append((place, self.test.sprt.llr(counts)))
        return course

    def summary(self) -> dict[str, Any]:
        """The last line of --json, but for what is of one run alone."""
        results = self.results
        summary: dict[str, Any] = {
            "summary": True,
            "games": results.games,
            "pairs": results.pairs,
            "standings": [results.players[index].standing() for index in self.order()],
            "pairings": [
                {
                    "players": [results.players[index].name for index in two],
                    "indices": two,
                    **meeting.described(),
                    **({} if two in results.meetings else {"counts": False}),
                }
                for two, meeting in sorted({**results.meetings, **results.struck_meetings}.items())
                if meeting.points
            ],
            "faults": results.faults(),
            "ranking": self.ranking(),
        }
        if isinstance(self.schedule, Swiss):
            byes = zip(results.players, self.schedule.byes, strict=True)
            if resting := [player.name for player, rests in byes for _ in range(rests)]:
                summary["byes"] = resting
            totals = self.schedule.totals()
            summary["totals"] = [totals[index] for index in self.order()]
        if results.broken:
            summary["failed_early"] = [
                {"player": results.players[index].name, "reason": reason}
                for index, reason in sorted(results.broken.items())
            ]
        if self.schedule.left_out:
            summary["excluded"] = [
                {
                    "player": results.players[index].name,
                    "index": index,
                    "reason": results.unable.get(index, ASKED),
                }
                for index in sorted(self.schedule.left_out)
            ]
        if results.adjudicated:
            summary["adjudicated"] = results.adjudicated
        if left_out := self.header.get(ABOUT, {}).get("left_out"):
            summary["left_out"] = left_out
        if self.test:
            summary["sprt"] = self.test.described()
        return summary


def of_journals(paths: Sequence[Path]) -> Standings:
    """What is in these journals by now; UsageError in one sentence where they do not go together."""
    return _of_one(paths[0]) if len(paths) == 1 else _of_several(paths)


def _of_one(path: Path) -> Standings:
    header = journal.header_of(path)
    rules.start(header["game"])
    try:
        results = Results([str(player["player"]) for player in header["players"]])
        about = header[ABOUT]
        schedule = schedule_of(header, results)
        test = SequentialTest(Sprt(*about["sprt"])) if about.get("sprt") else None
        for pair in journal.pairs_of(path, is_light=True):
            results.add(pair)
        settle(schedule, header)
        if schedule.keeps_pairs:
            schedule.follow()
        if test and results.pairs:
            test.update(results.meetings[0, 1])
    except journal.DAMAGED as error:
        raise UsageError(f"{path} is no journal of a tournament that can be read: {error}") from None
    return Standings(header, results, schedule, test, lambda: journal.pairs_of(path))


def schedule_of(header: Header, results: Results) -> Schedule:
    """The schedule that a journal's header describes."""
    players = len(header["players"])
    pairs = header.get("pairs") or 1  # where the pairings do not depend on it
    if header["format"] == "swiss":
        schedule: Schedule = Swiss(players, pairs, results, header["rounds"])
    else:
        schedule = FORMATS.get(header["format"], RoundRobin)(players, pairs, results)
    return schedule


def take_up(written: Journal, schedule: Schedule, on_fault: str) -> None:
    """Treat players that cannot play as is wanted now; the journal says so from now on."""
    if excludes(written.header) != (on_fault == EXCLUDE):
        written.tell({ON_FAULT: on_fault})
    settle(schedule, written.header)


def settle(schedule: Schedule, header: Header) -> None:
    """Leave out who cannot play, where the header of the journal says that this is done."""
    if excludes(header):
        schedule.exclude()
    if isinstance(schedule, InRounds):
        # Rounds that an earlier version has drawn stay as they are.
        schedule.is_lenient = ON_FAULT not in header[ABOUT]


def excludes(header: Header) -> bool:
    """Whether who cannot play is left out; in formats with rounds that stays as it was begun."""
    if FORMATS.get(header["format"], RoundRobin).keeps_pairs:
        return bool(header.get(EXCLUDES, True))
    return header[ABOUT].get(ON_FAULT) == EXCLUDE


def _of_several(paths: Sequence[Path]) -> Standings:
    """The pairs of all journals, each once; who has the same files, arguments and limits is one player."""
    players: dict[str, dict[str, Any]] = {}
    headers = [journal.header_of(path) for path in paths]
    indices: list[list[int]] = []
    for path, header in zip(paths, headers, strict=True):
        if header.get("game") != headers[0].get("game"):
            raise UsageError(f"{path} is of {header.get('game')}, {paths[0]} of {headers[0].get('game')}")
        mine = _identities(header)
        if players and not set(players) & set(mine):
            raise UsageError(f"{path} has no player of the journals before: same files, arguments and limits")
        for key, player in mine.items():
            players.setdefault(key, player)
        indices.append([list(players).index(key) for key in mine])

    def pairs(is_light: bool = False) -> Iterator[PlayedPair]:
        had = Texts()
        numbers: Counter[tuple[int, int]] = Counter()
        for path, places in zip(paths, indices, strict=True):
            for pair in journal.pairs_of(path, is_light):
                first, second = (places[index] for index in pair.players)
                if had.add(f"{pair.id} {first} {second}"):
                    two = (min(first, second), max(first, second))
                    numbers[two] += 1
                    yield pair.with_players(first, second, numbers[two])

    results = Results([player["player"] for player in players.values()])
    for pair in pairs(is_light=True):
        results.add(pair)
    header = {**headers[0], "format": MERGED, "players": list(players.values())}
    schedule = RoundRobin(len(players), 1, results)
    if any(map(excludes, headers)):
        schedule.exclude()
    return Standings(header, results, schedule, None, pairs)


def _identities(header: Header) -> dict[str, dict[str, Any]]:
    """The players of a journal by what makes two the same: how they are called does not count.

    Of those that differ in nothing, the first are one, the second are one, and so on.
    """
    found: dict[str, dict[str, Any]] = {}
    try:
        for player in header["players"]:
            whole = [player[key] for key in ("module", "class", "arguments", "files", "limits")]
            same = sum(key.startswith(json.dumps(whole)) for key in found)
            found[f"{json.dumps(whole)} {same}"] = player
    except journal.DAMAGED:
        raise UsageError("one of the journals does not say who played; name others") from None
    return found
