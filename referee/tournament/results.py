"""Adds up the pairs in a journal, for each player and for each two players that met."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import zip_longest
from math import isfinite
from typing import Any

from referee.isolation.process import ENDINGS
from referee.tournament import statistics

SCORES = {0: 1.0, 1: 0.0, None: 0.5}  # the first player's, by `winner`


@dataclass
class Usage:
    """Sums over games of what a player's first, second, third, ... action took."""

    games: list[int] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)
    most_cpu: list[float] = field(default_factory=list)
    megabytes: list[float] = field(default_factory=list)
    most_megabytes: list[float] = field(default_factory=list)

    def add(self, cpu: Sequence[float], megabytes: Sequence[float]) -> None:
        """Add a game."""
        for place, (seconds, size) in enumerate(zip(cpu, megabytes, strict=True)):
            if place == len(self.games):
                for sums in (self.games, self.cpu, self.most_cpu, self.megabytes, self.most_megabytes):
                    sums.append(0)
            self.games[place] += 1
            self.cpu[place] += seconds
            self.most_cpu[place] = max(self.most_cpu[place], seconds)
            self.megabytes[place] += size
            self.most_megabytes[place] = max(self.most_megabytes[place], size)


@dataclass
class Player:
    """One player's games."""

    name: str
    games: int = 0
    points: float = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    pairs: list[int] = field(default_factory=lambda: [0] * 5)  # that scored 0, 1/2, 1, 3/2, 2
    faults: Counter[str] = field(default_factory=Counter)  # by kind
    cpu: float = 0.0
    usage: Usage = field(default_factory=Usage)

    def standing(self) -> dict[str, Any]:
        """As --json prints it."""
        return {
            "player": self.name,
            "games": self.games,
            "points": self.points,
            "wins": self.wins,
            "draws": self.draws,
            "losses": self.losses,
            "faults": sum(self.faults.values()),
        }


@dataclass
class Meeting:
    """The pairs of two players; scores are the first one's."""

    points: dict[int, float] = field(default_factory=dict)  # of the 2 of each pair, by its number
    pairs: list[int] = field(default_factory=lambda: [0] * 5)  # that scored 0, 1/2, 1, 3/2, 2
    games: list[int] = field(default_factory=lambda: [0] * 3)  # lost, drawn, won
    openings: set[bytes] = field(default_factory=set)
    played: set[bytes] = field(default_factory=set)  # different games, whoever had which seat

    def described(self) -> dict[str, Any]:
        """As --json prints it; None for what has no value yet, as an error bar below two pairs."""
        return {
            "games": sum(self.games),
            "pairs": sum(self.pairs),
            "pentanomial": self.pairs,
            "trinomial": self.games,
            **statistics.described(self.pairs),
            "different_openings": len(self.openings),
            "different_games": len(self.played),
        }


class Results:
    """All totals; `add` takes one line of the journal."""

    def __init__(self, names: Sequence[str]):
        self.players = [Player(name) for name in names]
        self.meetings: dict[tuple[int, int], Meeting] = {}
        self.games = 0
        self.pairs = 0
        self.endings: Counter[str] = Counter()
        self.seats: Counter[str] = Counter()  # which seat won the finished games
        self.seconds = 0.0  # wall time of all match processes
        self.cost = 0.0  # their CPU time, players not counted

    def add(self, entry: Mapping[str, Any]) -> None:
        """Count a pair; ValueError, or another of journal.DAMAGED, where it is none."""
        first, second = entry["players"]
        games = [_checked(game, seat) for seat, game in enumerate(entry["games"])]
        number, opening = entry["number"], repr(entry["opening"])
        right = [
            type(number) is int and number > 0,
            type(first) is type(second) is int and 0 <= first < second < len(self.players),
            len(games) == 2,
            all(type(figure) in (int, float) for figure in (entry["seconds"], entry["cost"])),
        ]
        if not all(right):
            raise ValueError("not a pair of this tournament")
        meeting = self.meetings.setdefault((first, second), Meeting())
        if number in meeting.points:
            raise ValueError("a pair of that number is there already")
        scores = [SCORES[game["winner"]] for game in games]
        meeting.points[number] = sum(scores)
        meeting.pairs[round(2 * sum(scores))] += 1
        meeting.openings.add(_hash(opening))
        for place, index in enumerate((first, second)):
            mine = [score if place == 0 else 1 - score for score in scores]
            self._add_player(self.players[index], place, mine, games)
        for game, score in zip(games, scores, strict=True):
            meeting.games[round(2 * score)] += 1
            meeting.played.add(_hash(f"{opening} {game['moves']}"))
            self.endings[game["ending"]] += 1
            if game["ending"] == "finished":
                winner = game["winner"]
                self.seats["draw" if winner is None else str(winner ^ game["first"])] += 1
        self.games += 2
        self.pairs += 1
        self.seconds += entry["seconds"]
        self.cost += entry["cost"]

    def _add_player(self, player: Player, place: int, scores: list[float], games: list[Mapping]) -> None:
        player.games += 2
        player.points += sum(scores)
        player.wins += scores.count(1)
        player.draws += scores.count(0.5)
        player.losses += scores.count(0)
        player.pairs[round(2 * sum(scores))] += 1
        for game in games:
            if kind := game["faults"][place]:
                player.faults[kind] += 1
            player.cpu += game["cpu"][place]
            player.usage.add(game["action_cpu"][place], game["action_megabytes"][place])

    def points(self, first: int, second: int, numbers: Sequence[int]) -> tuple[float, float]:
        """What each of two players got in the pairs of these numbers."""
        meeting = self.meetings.get((first, second))
        got = sum(meeting.points[number] for number in numbers) if meeting else 0
        return got, 2 * len(numbers) - got

    def faults(self) -> list[dict[str, Any]]:
        """Faults by player and kind, as --json prints them."""
        return [
            {"player": player.name, "kind": kind, "games": games}
            for player in self.players
            for kind, games in sorted(player.faults.items())
        ]

    def repeated(self) -> int:
        """How many games were the same, move by move, as one that the two had played before."""
        return self.games - sum(len(meeting.played) for meeting in self.meetings.values())


def _checked(game: Mapping[str, Any], first: int) -> Mapping[str, Any]:
    """The game, whose every figure has the type that it should have."""
    lists = [game["cpu"], *game["action_cpu"], *game["action_megabytes"]]
    kinds = game["faults"]
    right = [
        game["winner"] in SCORES and type(game["winner"]) in (int, type(None)),
        game["first"] == first,
        game["ending"] in ENDINGS,
        len(kinds) == 2 and all(kind is None or kind in ENDINGS[1:] for kind in kinds),
        len(game["cpu"]) == 2,
        all(type(figure) in (int, float) and isfinite(figure) for figures in lists for figure in figures),
        all(type(move) is str for move in game["moves"]),
        type(game["reason"]) is str,
        game["at_fault"] in (None, 0, 1, [0], [1], [0, 1]),
        type(game["turns"]) is int,
        "record" not in game or _is_path(game["record"]),
        all(len(cpu) == len(megabytes)
            for cpu, megabytes in zip_longest(game["action_cpu"], game["action_megabytes"])),
    ]  # fmt: skip
    if not all(right):
        raise ValueError("not a game of this tournament")
    return game


def _is_path(value: Any) -> bool:
    return type(value) is str and value != "" and "\0" not in value


def _hash(text: str) -> bytes:
    return blake2b(text.encode(), digest_size=8).digest()
