"""Adds up pairs of games, for each player and for each two players that met."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any

from referee.match import statistics
from referee.match.adjudication import ADJUDICATED
from referee.tournament.played import PlayedGame, PlayedPair


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
        for sums in (self.games, self.cpu, self.most_cpu, self.megabytes, self.most_megabytes):
            sums.extend([0] * (len(cpu) - len(sums)))
        most_cpu, most_megabytes = self.most_cpu, self.most_megabytes
        for place, (seconds, size) in enumerate(zip(cpu, megabytes, strict=True)):
            self.games[place] += 1
            self.cpu[place] += seconds
            self.megabytes[place] += size
            if seconds > most_cpu[place]:
                most_cpu[place] = seconds
            if size > most_megabytes[place]:
                most_megabytes[place] = size


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
        self.broken: dict[int, str] = {}  # players that failed before their first action, and how at first
        self.reasons: dict[tuple[int, str], str] = {}  # of each player's faults of each kind, the first
        self.adjudicated = 0  # games that were ended by what both searches said
        self.seconds = 0.0  # wall time of all match processes
        self.cost = 0.0  # their CPU time, players not counted

    def add(self, pair: PlayedPair) -> None:
        """Count a pair; ValueError where there is no place for it.  Half a pair counts in games alone."""
        first, second = pair.players
        if second >= len(self.players):
            raise ValueError("not a pair of this tournament")
        meeting = self.meetings.setdefault((first, second), Meeting())
        if pair.number in meeting.points:
            raise ValueError("a pair of that number is there already")
        scores = [game.score for game in pair.games]
        is_whole = len(scores) == 2
        opening = repr(list(pair.opening))
        meeting.openings.add(_hash(opening))
        if is_whole:
            meeting.points[pair.number] = sum(scores)
            meeting.pairs[round(2 * sum(scores))] += 1
        for place, index in enumerate((first, second)):
            for game in pair.games:
                if kind := game.faults[place]:
                    self.reasons.setdefault((index, kind), game.why(place))
                if game.failed_early(place):
                    self.broken.setdefault(index, game.why(place))
            mine = [score if place == 0 else 1 - score for score in scores]
            self._add_player(self.players[index], place, mine, pair.games)
        for game, score in zip(pair.games, scores, strict=True):
            meeting.games[round(2 * score)] += 1
            meeting.played.add(_hash(f"{opening} {list(game.moves)}"))
            self.endings[game.ending] += 1
            self.adjudicated += game.reason.startswith(ADJUDICATED)
            if game.ending == "finished":
                self.seats["draw" if game.winner is None else str(game.winner ^ game.first)] += 1
        self.games += len(scores)
        self.pairs += is_whole
        self.seconds += pair.seconds
        self.cost += pair.cost

    def _add_player(
        self, player: Player, place: int, scores: list[float], games: Sequence[PlayedGame]
    ) -> None:
        player.games += len(scores)
        player.points += sum(scores)
        player.wins += scores.count(1)
        player.draws += scores.count(0.5)
        player.losses += scores.count(0)
        if len(scores) == 2:
            player.pairs[round(2 * sum(scores))] += 1
        for game in games:
            if kind := game.faults[place]:
                player.faults[kind] += 1
            player.cpu += game.cpu[place]
            player.usage.add(game.action_cpu[place], game.action_megabytes[place])

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


def _hash(text: str) -> bytes:
    return blake2b(text.encode(), digest_size=8).digest()
