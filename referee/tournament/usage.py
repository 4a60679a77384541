"""What players took action by action, added up over games: for the charts of a report.

Apart from the results, which are had without it several times faster from a long journal.
"""

from collections.abc import Iterable, Sequence
from operator import add

from referee.tournament.played import PlayedPair


class Usage:
    """Sums over games of what a player's first, second, third, ... action took."""

    def __init__(self) -> None:
        self._lengths: list[int] = []  # by place, how many games had their last action there
        self.cpu: list[float] = []
        self.most_cpu: list[float] = []
        self.megabytes: list[float] = []
        self.most_megabytes: list[float] = []

    def add(self, cpu: Sequence[float], megabytes: Sequence[float]) -> None:
        """Add a game."""
        length = len(cpu)
        for sums in (self._lengths, self.cpu, self.most_cpu, self.megabytes, self.most_megabytes):
            sums.extend([0] * (length - len(sums)))
        if length:
            self._lengths[length - 1] += 1
        self.cpu[:length] = map(add, self.cpu, cpu)
        self.megabytes[:length] = map(add, self.megabytes, megabytes)
        self.most_cpu[:length] = map(max, self.most_cpu, cpu)
        self.most_megabytes[:length] = map(max, self.most_megabytes, megabytes)

    @property
    def games(self) -> list[int]:
        """In how many games there was such an action."""
        games, there = [], 0
        for ended in reversed(self._lengths):
            there += ended
            games.append(there)
        return games[::-1]


def used(players: int, pairs: Iterable[PlayedPair]) -> list[Usage]:
    """By player's index, what these pairs took."""
    usages = [Usage() for _ in range(players)]
    for pair in pairs:
        count(usages, pair)
    return usages


def count(usages: Sequence[Usage], pair: PlayedPair) -> None:
    """Add a pair."""
    for place, index in enumerate(pair.players):
        for game in pair.games:
            usages[index].add(game.action_cpu[place], game.action_megabytes[place])
