"""Decides who plays whom: the formats of a tournament, each a list of rounds made from the results so far.

A schedule looks at nothing but results of pairs that it has asked for itself, so a tournament that is
taken up again asks for the same pairs in the same order.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import ceil, log2

from referee.tournament.plan import Slot
from referee.tournament.results import Results

STEPS = 10_000  # of the search for a Swiss round in which no two meet again


Meeting = tuple[int, int | None]  # who meets whom; None: nobody


@dataclass
class Round:
    """A round as it was drawn: who met whom, and by which pairs of theirs."""

    meetings: list[Meeting]
    numbers: list[Sequence[int]]
    given: dict[int, float] = field(default_factory=dict)  # points for which nobody played, by player


class Schedule:
    """A format.  `pairs` is how many pairs two players play when they meet."""

    keeps_pairs = False  # whether the pairings depend on that number, so that it cannot be raised later

    def __init__(self, players: int, pairs: int, results: Results):
        self.players = players
        self.pairs = pairs
        self.results = results
        self.history: list[Round] = []  # of formats that have rounds
        self.excludes = False  # whether a player that cannot play is left out: see `exclude`

    def exclude(self) -> None:
        """Leave out who cannot play, as `Results.unable` says."""
        self.excludes = True

    def rounds(self) -> Iterator[Iterable[Slot]]:
        """Each round's pairs; the next round is asked for when all of them are in the results.

        But for those that `is_out` said are not played any more.
        """
        raise NotImplementedError

    def follow(self) -> None:
        """Go through the rounds that are in the results, so that `order` and `history` know them."""
        for slots in self.rounds():
            if not all(self._is_over(slot) for slot in slots):
                return

    def is_out(self, slot: Slot) -> bool:
        """Whether that pair is not played any more, since one of the two cannot play."""
        return False

    @property
    def left_out(self) -> set[int]:
        """Who is left out by now."""
        return set()

    def is_played(self, slot: Slot) -> bool:
        """Whether that pair is in the results."""
        meeting = self.results.meeting(slot[:2])
        return meeting is not None and slot.number in meeting.points

    def _is_over(self, slot: Slot) -> bool:
        """Also where a pair before it, in the same round, showed that one of the two cannot play."""
        numbers = range(slot.number - (slot.number - 1) % self.pairs, slot.number)
        is_out = self.excludes and any(self.results.shown_unable(slot[:2], number) for number in numbers)
        return is_out or self.is_played(slot)

    def points(self, two: tuple[int, int], numbers: Iterable[int]) -> tuple[float, float]:
        """What two got in pairs of these numbers."""
        meeting = self.results.meeting(two)
        played = [meeting.points[number] for number in numbers if number in meeting.points] if meeting else []
        return sum(played), sum(2 - mine for mine in played)

    @property
    def expected(self) -> int:
        """How many pairs it will come to, as far as is known."""
        raise NotImplementedError

    def order(self) -> list[int]:
        """The players' indices, the best first."""
        return sorted(range(self.players), key=self._place)

    def _place(self, index: int) -> tuple[float, ...]:
        """By which players are ordered; who is left out comes last."""
        return index in self.left_out, -self._share(index), index

    def _share(self, index: int) -> float:
        player = self.results.players[index]
        return player.points / player.games if player.games else 0.0


class RoundRobin(Schedule):
    """All against all, pair by pair.

    The pairs of a player that is left out do not count: else who met it early would have more points.
    """

    def exclude(self) -> None:
        super().exclude()
        if self.players > 2:  # of two, nothing would be left
            self.results.strike_unable()

    def is_out(self, slot: Slot) -> bool:
        return not self.left_out.isdisjoint(slot[:2])

    @property
    def left_out(self) -> set[int]:
        return {*self.results.unable, *self.results.struck} if self.excludes else self.results.struck

    def meetings(self) -> list[tuple[int, int]]:
        return list(combinations(range(self.players), 2))

    def rounds(self) -> Iterator[Iterable[Slot]]:
        meetings = self.meetings()
        yield (Slot(*two, number) for number in range(1, self.pairs + 1) for two in meetings)

    @property
    def expected(self) -> int:
        return self.pairs * len(self.meetings())


class Gauntlet(RoundRobin):
    """The first against all others."""

    def meetings(self) -> list[tuple[int, int]]:
        return [(0, other) for other in range(1, self.players)]


class InRounds(Schedule):
    """A format whose rounds depend on the ones before.

    A round that was drawn stays as it was drawn, whatever is known later: who cannot play is left out from
    what showed it, and not from what was played before, so that the rounds are a matter of the results alone.
    """

    keeps_pairs = True

    def __init__(self, players: int, pairs: int, results: Results):
        super().__init__(players, pairs, results)
        self.is_lenient = False  # whether only a player that fails before its first action is left out
        self._out: set[int] = set()  # who cannot play, by what was played up to here

    @property
    def left_out(self) -> set[int]:
        return self._out

    def points(self, two: tuple[int, int], numbers: Iterable[int]) -> tuple[float, float]:
        """What two got in pairs of these numbers; one that was not played is lost by who is out."""
        numbers = list(numbers)
        mine, theirs = super().points(two, numbers)
        missing = sum(not self.is_played(Slot(*two, number)) for number in numbers)
        first, second = (index in self._out for index in two)
        if first != second:
            mine += 2 * missing * second
            theirs += 2 * missing * first
        return mine, theirs

    def _played(
        self, meetings: Sequence[tuple[int, int]], numbers: Sequence[Sequence[int]]
    ) -> Iterator[list[Slot]]:
        """The pairs of these meetings, which have as many numbers each.

        Where somebody may be left out, the first of each come by themselves, and others only of those who can
        play: so what is played does not depend on how many pairs are played at once.
        """
        rows = [zip(meetings, row, strict=True) for row in zip(*numbers, strict=True)]
        slots = [Slot(*two, number) for row in rows for two, number in row]
        first = len(meetings) if self.excludes else len(slots)
        for part in (slots[:first], slots[first:]):
            if left := [slot for slot in part if self._out.isdisjoint(slot[:2])]:
                yield left
                self._note(left)

    def _note(self, slots: Iterable[Slot]) -> None:
        for two, number in ((slot[:2], slot.number) for slot in slots if self.excludes):
            failed = self.results.shown_unable(two, number)
            self._out |= failed & self.results.broken.keys() if self.is_lenient else failed


class Knockout(InRounds):
    """Who loses is out.  Players are seeded in the order of the command line; the first ones may get byes.

    Two who are level play up to as many pairs again, one at a time; then the better seed goes on.
    """

    def __init__(self, players: int, pairs: int, results: Results):
        super().__init__(players, pairs, results)
        self._won = [0] * players  # rounds

    def rounds(self) -> Iterator[Iterable[Slot]]:
        self._won, self.history, self._out = [0] * self.players, [], set()
        field = _bracket(self.players)
        while len(field) > 1:
            meetings = [in_order(*two) for two in zip(field[::2], field[1::2], strict=True)]
            played = [two for two in meetings if not self._is_bye(two) and self._out.isdisjoint(two)]
            drawn: list[Meeting] = [(two[0], None) if self._is_bye(two) else two for two in meetings]
            # As many numbers as there may be: what was not played does not count.
            self.history.append(Round(drawn, [range(1, 2 * self.pairs + 1)] * len(drawn)))
            numbers = list(range(1, self.pairs + 1))
            yield from self._played(played, [numbers] * len(played))
            while len(numbers) < 2 * self.pairs:
                level = [two for two in played if self._level(two, numbers)]
                if not level:
                    break
                numbers.append(len(numbers) + 1)
                yield from self._played(level, [numbers[-1:]] * len(level))
            field = [self._winner(two) for two in meetings]
            for index in field:
                self._won[index] += 1

    @property
    def expected(self) -> int:
        return self.pairs * (self.players - 1)

    def _place(self, index: int) -> tuple[float, ...]:
        return index in self.left_out, -self._won[index], -self._share(index), index

    def _level(self, two: tuple[int, int], numbers: list[int]) -> bool:
        mine, theirs = self.points(two, numbers)
        return mine == theirs and self._out.isdisjoint(two)

    def _is_bye(self, two: tuple[int, int]) -> bool:
        return two[1] >= self.players  # see _bracket

    def _winner(self, two: tuple[int, int]) -> int:
        if self._is_bye(two) or two[1] in self._out:
            return two[0]
        mine, theirs = self.points(two, range(1, 2 * self.pairs + 1))
        return two[1] if theirs > mine or two[0] in self._out else two[0]


class Swiss(InRounds):
    """Each round, players of like score meet who have not met; a player without opponent gets a bye, once.

    A bye, and an opponent that plays no more, are worth what winning every game of a round is.  Players with
    equal points are ordered by Buchholz, the points of all that they have met, then by what they got
    against each other.
    """

    def __init__(self, players: int, pairs: int, results: Results, rounds: int | None = None):
        super().__init__(players, pairs, results)
        self.length = rounds or ceil(log2(players))

    def rounds(self) -> Iterator[Iterable[Slot]]:
        self.history, self._out = [], set()
        met: Counter[tuple[int, int]] = Counter()
        score = [0.0] * self.players
        for _ in range(self.length):
            there = [index for index in range(self.players) if index not in self._out]
            ranked = sorted(there, key=lambda index: (-score[index], index))
            drawn = Round([], [])
            if len(ranked) % 2:
                score[self._rest(ranked, drawn)] += 2 * self.pairs
            neighbours = _different(ranked, met) or list(zip(ranked[::2], ranked[1::2], strict=True))
            played = [in_order(*neighbour) for neighbour in neighbours]
            numbers = [range(met[two] * self.pairs + 1, (met[two] + 1) * self.pairs + 1) for two in played]
            met.update(played)
            drawn.meetings += played
            drawn.numbers += numbers
            self.history.append(drawn)
            yield from self._played(played, numbers)
            for two, asked in zip(played, numbers, strict=True):
                won = zip(two, self.points(two, asked), Schedule.points(self, two, asked), strict=True)
                for index, points, of_games in won:
                    score[index] += points
                    drawn.given[index] = points - of_games

    def _rest(self, ranked: list[int], drawn: Round) -> int:
        """Who has a bye: the last of those who had the fewest."""
        byes = self.byes
        fewest = min(byes[index] for index in ranked)
        resting = [index for index in ranked if byes[index] == fewest][-1]
        ranked.remove(resting)
        drawn.given[resting] = 2 * self.pairs
        drawn.meetings.append((resting, None))
        drawn.numbers.append(())
        return resting

    @property
    def begun(self) -> list[Round]:
        """The rounds of which a pair was played, or in which there is none to play."""

        def has_begun(drawn: Round) -> bool:
            return not any(drawn.numbers) or any(
                self.is_played(Slot(first, second, number))
                for (first, second), numbers in zip(drawn.meetings, drawn.numbers, strict=True)
                for number in numbers
                if second is not None
            )

        return [drawn for drawn in self.history if has_begun(drawn)]

    @property
    def byes(self) -> list[int]:
        """How often each player had none to meet."""
        resting = Counter(first for drawn in self.begun for first, second in drawn.meetings if second is None)
        return [resting[index] for index in range(self.players)]

    @property
    def expected(self) -> int:
        return self.pairs * self.length * (self.players // 2)

    def order(self) -> list[int]:
        totals = self.totals()
        keys = [(totals[index], self._buchholz(index, totals)) for index in range(self.players)]

        def against_equals(index: int) -> float:
            equals = [other for other in range(self.players) if other != index and keys[other] == keys[index]]
            return sum(self._got(index, other) for other in equals)

        return sorted(
            range(self.players),
            key=lambda index: (
                index in self.left_out,
                *(-one for one in keys[index]),
                -against_equals(index),
                index,
            ),
        )

    def given(self) -> list[float]:
        """By player the points of byes, and of pairs that opponents who are left out did not play."""
        begun = self.begun
        return [sum(drawn.given.get(index, 0) for drawn in begun) for index in range(self.players)]

    def totals(self) -> list[float]:
        """Everybody's points, with those that were given for nothing."""
        return [player.points + more for player, more in zip(self.results.players, self.given(), strict=True)]

    def buchholz(self, index: int) -> float:
        """The points of all that a player has met, each as often as they met."""
        return self._buchholz(index, self.totals())

    def _buchholz(self, index: int, totals: Sequence[float]) -> float:
        met: list[int] = []
        for first, second in (two for drawn in self.begun for two in drawn.meetings):
            if second is not None and index in (first, second):
                met.append(first if second == index else second)
        return sum(totals[other] for other in met)

    def _got(self, index: int, other: int) -> float:
        meeting = self.results.meetings.get((min(index, other), max(index, other)))
        return meeting.got(int(index > other)) if meeting else 0.0


def in_order(one: int, other: int) -> tuple[int, int]:
    """Two players as a slot has them: the smaller index first."""
    return (one, other) if one < other else (other, one)


FORMATS = {"round-robin": RoundRobin, "gauntlet": Gauntlet, "knockout": Knockout, "swiss": Swiss}


def _bracket(players: int) -> list[int]:
    """Seeds in the order of a bracket, where the best two can meet only at its end.

    Its length is a power of 2: seeds that are no players stand for byes.
    """
    seeds = [0]
    while len(seeds) < players:
        seeds = [seed for better in seeds for seed in (better, 2 * len(seeds) - 1 - better)]
    return seeds


def _different(ranked: list[int], met: Counter[tuple[int, int]]) -> list[tuple[int, int]] | None:
    """Neighbours in the ranking, as near as may be, of whom no two have met; None where none were found."""
    steps = 0

    def rest(left: list[int]) -> list[tuple[int, int]] | None:
        nonlocal steps
        if not left:
            return []
        for other in left[1:]:
            steps += 1
            if steps > STEPS:
                return None
            if not met[in_order(left[0], other)]:
                more = rest([index for index in left[1:] if index != other])
                if more is not None:
                    return [(left[0], other), *more]
        return None

    return rest(ranked)
