"""Decides who plays whom: the formats of a tournament, each a list of rounds made from the results so far.

A schedule looks at nothing but results of pairs that it has asked for itself, so a tournament that is
taken up again asks for the same pairs in the same order.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import combinations
from math import ceil, log2

from referee.tournament.plan import Slot
from referee.tournament.results import Results

STEPS = 10_000  # of the search for a Swiss round in which no two meet again


class Schedule:
    """A format.  `pairs` is how many pairs two players play when they meet."""

    keeps_pairs = False  # whether the pairings depend on that number, so that it cannot be raised later

    def __init__(self, players: int, pairs: int, results: Results):
        self.players = players
        self.pairs = pairs
        self.results = results

    def rounds(self) -> Iterator[Iterable[Slot]]:
        """Each round's pairs; the next round is asked for when all of them are in the results."""
        raise NotImplementedError

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
        field = _bracket(self.players)
        while len(field) > 1:
            meetings = [in_order(*two) for two in zip(field[::2], field[1::2], strict=True)]
            played = [two for two in meetings if not self._is_bye(two)]
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

    def _points(self, two: tuple[int, int], numbers: Iterable[int]) -> tuple[float, float]:
        meeting = self.results.meetings[two]
        return self.results.points(*two, [number for number in numbers if number in meeting.points])

    def _level(self, two: tuple[int, int], numbers: list[int]) -> bool:
        mine, theirs = self._points(two, numbers)
        return mine == theirs

    def _is_bye(self, two: tuple[int, int]) -> bool:
        return two[1] >= self.players  # see _bracket

    def _winner(self, two: tuple[int, int]) -> int:
        if self._is_bye(two):
            return two[0]
        mine, theirs = self._points(two, range(1, 2 * self.pairs + 1))
        return two[1] if theirs > mine else two[0]


class Swiss(Schedule):
    """Each round, players of like score meet who have not met; a player without opponent gets a bye, once.

    A bye is worth what winning every game of a round is.
    """

    keeps_pairs = True

    def __init__(self, players: int, pairs: int, results: Results, rounds: int | None = None):
        super().__init__(players, pairs, results)
        self.length = rounds or ceil(log2(players))
        self._points = [0.0] * players
        self.byes = [0] * players

    def rounds(self) -> Iterator[Iterable[Slot]]:
        met: Counter[tuple[int, int]] = Counter()
        for _ in range(self.length):
            ranked = sorted(range(self.players), key=lambda index: (-self._points[index], index))
            if len(ranked) % 2:
                fewest = min(self.byes)
                resting = [index for index in ranked if self.byes[index] == fewest][-1]
                ranked.remove(resting)
                self.byes[resting] += 1
                self._points[resting] += 2 * self.pairs
            slots = []
            neighbours = _different(ranked, met) or list(zip(ranked[::2], ranked[1::2], strict=True))
            for two in (in_order(*neighbour) for neighbour in neighbours):
                before = met[two] * self.pairs
                slots += [Slot(*two, before + number) for number in range(1, self.pairs + 1)]
                met[two] += 1
            slots.sort(key=lambda slot: (slot.number - 1) % self.pairs)
            yield slots
            for slot in slots:
                for index, got in zip(slot[:2], self.results.points(*slot[:2], [slot.number]), strict=True):
                    self._points[index] += got

    @property
    def expected(self) -> int:
        return self.pairs * self.length * (self.players // 2)

    def order(self) -> list[int]:
        byes = [2 * self.pairs * count for count in self.byes]
        points = [player.points + bye for player, bye in zip(self.results.players, byes, strict=True)]
        return sorted(range(self.players), key=lambda index: (-points[index], -self._share(index), index))


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
