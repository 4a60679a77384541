"""Decides who plays whom: the formats of a tournament, each a list of rounds made from the results so far.

A schedule looks at nothing but results of pairs that it has asked for itself, so a tournament that is
taken up again asks for the same pairs in the same order.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
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


class Schedule:
    """A format.  `pairs` is how many pairs two players play when they meet."""

    excludes = False  # whether a player that fails before its first action plays no more
    keeps_pairs = False  # whether the pairings depend on that number, so that it cannot be raised later

    def __init__(self, players: int, pairs: int, results: Results):
        self.players = players
        self.pairs = pairs
        self.results = results
        self.history: list[Round] = []  # of formats that have rounds

    def rounds(self) -> Iterator[Iterable[Slot]]:
        """Each round's pairs; the next round is asked for when all of them are in the results.

        But for those of players that were left out meanwhile.
        """
        raise NotImplementedError

    def follow(self) -> None:
        """Go through the rounds that are in the results, so that `order` and `history` know them."""
        for slots in self.rounds():
            if not all(self._is_over(slot) for slot in slots):
                return

    def is_out(self, index: int) -> bool:
        """Whether a player plays no more, since it failed before its first action."""
        return self.excludes and index in self.results.broken

    def is_played(self, slot: Slot) -> bool:
        """Whether that pair is in the results."""
        meeting = self.results.meetings.get((slot.first, slot.second))
        return meeting is not None and slot.number in meeting.points

    def _is_over(self, slot: Slot) -> bool:
        return self.is_played(slot) or any(map(self.is_out, slot[:2]))

    def points(self, two: tuple[int, int], numbers: Iterable[int]) -> tuple[float, float]:
        """What two got in pairs of these numbers; one that was not played is lost by who is out."""
        mine = theirs = 0.0
        meeting = self.results.meetings.get(two)
        for number in numbers:
            if meeting is not None and number in meeting.points:
                mine += meeting.points[number]
                theirs += 2 - meeting.points[number]
            elif any(out := [self.is_out(index) for index in two]) and not all(out):
                mine += 2 * out[1]
                theirs += 2 * out[0]
        return mine, theirs

    @property
    def expected(self) -> int:
        """How many pairs it will come to, as far as is known."""
        raise NotImplementedError

    def order(self) -> list[int]:
        """The players' indices, the best first."""
        return sorted(range(self.players), key=lambda index: (-self._share(index), index))

    def _share(self, index: int) -> float:
        player = self.results.players[index]
        return player.points / player.games if player.games else 0.0


class RoundRobin(Schedule):
    """All against all, pair by pair."""

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


class Knockout(Schedule):
    """Who loses is out.  Players are seeded in the order of the command line; the first ones may get byes.

    Two who are level play up to as many pairs again, one at a time; then the better seed goes on.
    """

    keeps_pairs = True

    def __init__(self, players: int, pairs: int, results: Results):
        super().__init__(players, pairs, results)
        self._won = [0] * players  # rounds

    def rounds(self) -> Iterator[Iterable[Slot]]:
        self._won, self.history = [0] * self.players, []
        field = _bracket(self.players)
        while len(field) > 1:
            meetings = [in_order(*two) for two in zip(field[::2], field[1::2], strict=True)]
            played = [two for two in meetings if not self._is_bye(two)]
            drawn: list[Meeting] = [(two[0], None) if self._is_bye(two) else two for two in meetings]
            # As many numbers as there may be: what was not played does not count.
            self.history.append(Round(drawn, [range(1, 2 * self.pairs + 1)] * len(drawn)))
            yield [Slot(*two, number) for number in range(1, self.pairs + 1) for two in played]
            numbers = list(range(1, self.pairs + 1))
            while len(numbers) < 2 * self.pairs:
                level = [two for two in played if self._level(two, numbers)]
                if not level:
                    break
                numbers.append(len(numbers) + 1)
                yield [Slot(*two, numbers[-1]) for two in level]
            field = [self._winner(two) for two in meetings]
            for index in field:
                self._won[index] += 1

    @property
    def expected(self) -> int:
        return self.pairs * (self.players - 1)

    def order(self) -> list[int]:
        return sorted(range(self.players), key=lambda index: (-self._won[index], -self._share(index), index))

    def _level(self, two: tuple[int, int], numbers: list[int]) -> bool:
        mine, theirs = self.points(two, numbers)
        return mine == theirs and not any(map(self.is_out, two))

    def _is_bye(self, two: tuple[int, int]) -> bool:
        return two[1] >= self.players  # see _bracket

    def _winner(self, two: tuple[int, int]) -> int:
        if self._is_bye(two) or self.is_out(two[1]):
            return two[0]
        mine, theirs = self.points(two, range(1, 2 * self.pairs + 1))
        return two[1] if theirs > mine or self.is_out(two[0]) else two[0]


class Swiss(Schedule):
    """Each round, players of like score meet who have not met; a player without opponent gets a bye, once.

    A bye, and an opponent that plays no more, are worth what winning every game of a round is.  Players with
    equal points are ordered by Buchholz, the points of all that they have met, then by what they got
    against each other.
    """

    keeps_pairs = True

    def __init__(self, players: int, pairs: int, results: Results, rounds: int | None = None):
        super().__init__(players, pairs, results)
        self.length = rounds or ceil(log2(players))
        self._begin()

    def _begin(self) -> None:
        self.history: list[Round] = []
        self._points = [0.0] * self.players
        self._given = [0.0] * self.players  # those of byes, and of opponents that play no more
        self.byes = [0] * self.players

    def rounds(self) -> Iterator[Iterable[Slot]]:
        self._begin()
        met: Counter[tuple[int, int]] = Counter()
        for _ in range(self.length):
            there = [index for index in range(self.players) if not self.is_out(index)]
            ranked = sorted(there, key=lambda index: (-self._points[index], index))
            drawn = Round([], [])
            if len(ranked) % 2:
                self._rest(ranked, drawn)
            slots = []
            neighbours = _different(ranked, met) or list(zip(ranked[::2], ranked[1::2], strict=True))
            for two in (in_order(*neighbour) for neighbour in neighbours):
                before = met[two] * self.pairs
                numbers = range(before + 1, before + self.pairs + 1)
                slots += [Slot(*two, number) for number in numbers]
                drawn.meetings.append(two)
                drawn.numbers.append(numbers)
                met[two] += 1
            self.history.append(drawn)
            slots.sort(key=lambda slot: (slot.number - 1) % self.pairs)
            yield slots
            for slot in slots:
                self._count(slot)

    def _rest(self, ranked: list[int], drawn: Round) -> None:
        fewest = min(self.byes[index] for index in ranked)
        resting = [index for index in ranked if self.byes[index] == fewest][-1]
        ranked.remove(resting)
        self.byes[resting] += 1
        self._points[resting] += 2 * self.pairs
        self._given[resting] += 2 * self.pairs
        drawn.meetings.append((resting, None))
        drawn.numbers.append(())

    def _count(self, slot: Slot) -> None:
        two = slot[:2]
        meeting = self.results.meetings.get(two)
        was_played = meeting is not None and slot.number in meeting.points
        for index, got in zip(two, self.points(two, [slot.number]), strict=True):
            self._points[index] += got
            self._given[index] += 0 if was_played else got

    @property
    def expected(self) -> int:
        return self.pairs * self.length * (self.players // 2)

    def order(self) -> list[int]:
        totals = [self.total(index) for index in range(self.players)]
        keys = [(totals[index], self.buchholz(index)) for index in range(self.players)]

        def against_equals(index: int) -> float:
            equals = [other for other in range(self.players) if other != index and keys[other] == keys[index]]
            return sum(self._got(index, other) for other in equals)

        return sorted(
            range(self.players),
            key=lambda index: (*(-one for one in keys[index]), -against_equals(index), index),
        )

    def total(self, index: int) -> float:
        """A player's points, with those that were given for nothing."""
        return self.results.players[index].points + self._given[index]

    def buchholz(self, index: int) -> float:
        """The points of all that a player has met, each as often as they met."""
        met: list[int] = []
        for first, second in (two for drawn in self.history for two in drawn.meetings):
            if second is not None and index in (first, second):
                met.append(first if second == index else second)
        return sum(self.total(other) for other in met)

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
