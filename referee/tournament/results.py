"""Adds up pairs of games, for each player and for each two players that met."""

from collections import Counter
from collections.abc import Iterator, MutableMapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from referee.match import statistics
from referee.match.adjudication import ADJUDICATED
from referee.match.texts import Texts
from referee.tournament.played import PlayedPair


class Points(MutableMapping[int, float]):
    """By a pair's number, from 1, what the first player got of its 2 points; a byte a pair."""

    def __init__(self) -> None:
        self._halves = bytearray()  # twice the points, and 1; 0 where there is no such pair
        self._count = 0

    def __setitem__(self, number: int, points: float) -> None:
        self._halves.extend(bytes(max(0, number - len(self._halves))))
        self._count += not self._halves[number - 1]
        self._halves[number - 1] = round(2 * points) + 1

    def __getitem__(self, number: int) -> float:
        if number not in self:
            raise KeyError(number)
        return (self._halves[number - 1] - 1) / 2

    def __contains__(self, number: object) -> bool:
        return isinstance(number, int) and 0 < number <= len(self._halves) and self._halves[number - 1] > 0

    def __delitem__(self, number: int) -> None:
        self._count -= number in self
        self._halves[number - 1] = 0

    def __iter__(self) -> Iterator[int]:
        return (number for number, halves in enumerate(self._halves, 1) if halves)

    def __len__(self) -> int:
        return self._count


@dataclass
class PlayerTotals:
    """What one player's games add up to."""

    name: str
    games: int = 0
    points: float = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    pairs: list[int] = field(default_factory=lambda: [0] * 5)  # that scored 0, 1/2, 1, 3/2, 2
    faults: Counter[str] = field(default_factory=Counter)  # by kind
    cpu: float = 0.0

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

    points: Points = field(default_factory=Points)
    pairs: list[int] = field(default_factory=lambda: [0] * 5)  # that scored 0, 1/2, 1, 3/2, 2
    games: list[int] = field(default_factory=lambda: [0] * 3)  # lost, drawn, won
    openings: Texts = field(default_factory=Texts)
    played: Texts = field(default_factory=Texts)  # different games, whoever had which seat
    unable: tuple[set[int], set[int]] = field(default_factory=lambda: (set(), set()))  # numbers of pairs that
    # showed that the first cannot play, and the second

    def got(self, place: int) -> float:
        """The points of the first of the two in all pairs, or of the second."""
        points = sum(score * pairs for score, pairs in enumerate(self.pairs)) / 2
        return 2 * sum(self.pairs) - points if place else points

    def described(self) -> dict[str, Any]:
        """As --json prints it; None for what has no value yet, as an error bar below two pairs."""
        return {
            "games": sum(self.games),
            "pairs": sum(self.pairs),
            "pentanomial": self.pairs,
            "trinomial": self.games,
            **statistics.figures_of(self.pairs),
            "different_openings": len(self.openings),
            "different_games": len(self.played),
        }


class Results:
    """Everybody's totals; `add` counts one pair of the journal.

    After `strike_unable`, games of a player that cannot play are in nobody's points.
    """

    def __init__(self, names: Sequence[str]):
        self.players = [PlayerTotals(name) for name in names]
        self.meetings: dict[tuple[int, int], Meeting] = {}  # those that count
        self.struck_meetings: dict[tuple[int, int], Meeting] = {}  # those that do not
        self.struck: set[int] = set()  # players whose games do not count
        self._strikes = False
        self.games = 0
        self.pairs = 0
        self.endings: Counter[str] = Counter()
        self.seats: Counter[str] = Counter()  # which seat won the finished games
        self.broken: dict[int, str] = {}  # players that failed before their first action, and how at first
        self.unable: dict[int, str] = {}  # those, and who completed no action in a pair, and how at first
        # Of each player's faults of each kind the first, and the id of its pair.
        self.reasons: dict[tuple[int, str], tuple[str, str]] = {}
        self.adjudicated = 0  # games that were ended by what both searches said
        self.repeated = 0  # games that were the same, move by move, as one that the two had played before
        self.seconds = 0.0  # wall time of all match processes
        self.cost = 0.0  # their CPU time, players not counted

    def add(self, pair: PlayedPair) -> None:
        """Count a pair; ValueError where there is no place for it.  Half a pair counts in games alone."""
        first, second = pair.players
        if second >= len(self.players):
            raise ValueError("not a pair of this tournament")
        counts = not self.struck & {first, second}
        meetings = self.meetings if counts else self.struck_meetings
        meeting = meetings.setdefault((first, second), Meeting())
        if pair.number in meeting.points:
            raise ValueError("a pair of that number is there already")
        scores = [game.score for game in pair.games]
        is_whole = len(scores) == 2
        opening = " ".join(pair.opening)
        meeting.openings.add(opening)
        if is_whole:
            meeting.points[pair.number] = sum(scores)
            meeting.pairs[round(2 * sum(scores))] += 1
        for place, index in enumerate((first, second)):
            for game in pair.games:
                if kind := game.faults[place]:
                    self.reasons.setdefault((index, kind), (game.why(place), pair.id))
                    self.players[index].faults[kind] += 1
                if game.failed_early(place):
                    self.broken.setdefault(index, game.why(place))
                self.players[index].cpu += game.cpu[place]
            if shown := pair.shown_unable(place):
                meeting.unable[place].add(pair.number)
                self.unable.setdefault(index, shown.why(place))
        if counts:
            games = [scores.count(score) for score in (0, 0.5, 1)]
            pairs = [int(is_whole and round(2 * sum(scores)) == score) for score in range(5)]
            self._count((first, second), games, pairs, 1)
        for game, score in zip(pair.games, scores, strict=True):
            meeting.games[round(2 * score)] += 1
            is_new = meeting.played.add(f"{opening}\n{' '.join(game.moves)}")
            self.repeated += bool(game.moves) and not is_new  # no moves: somebody failed at once
            self.endings[game.ending] += 1
            self.adjudicated += game.reason.startswith(ADJUDICATED)
            if game.ending == "finished":
                self.seats["draw" if game.winner is None else str(game.winner ^ game.first)] += 1
        self.games += len(scores)
        self.pairs += is_whole
        self.seconds += pair.seconds
        self.cost += pair.cost
        if self._strikes:
            self.strike_unable()

    def strike_unable(self) -> None:
        """From now on games of players that cannot play do not count, nor do those that did."""
        self._strikes = True
        for index in self.unable.keys() - self.struck:
            self.strike(index)

    def strike(self, index: int) -> None:
        """Games of that player do not count from now on, nor do those that did."""
        self.struck.add(index)
        for two in [two for two in self.meetings if index in two]:
            meeting = self.struck_meetings[two] = self.meetings.pop(two)
            self._count(two, meeting.games, meeting.pairs, -1)

    def _count(self, two: tuple[int, int], games: Sequence[int], pairs: Sequence[int], times: int) -> None:
        """Add to both players' totals: games that the first lost, drew and won, pairs by what it scored."""
        seen = ((two[0], games, pairs), (two[1], games[::-1], pairs[::-1]))
        for index, (losses, draws, wins), scored in seen:
            player = self.players[index]
            player.games += times * (losses + draws + wins)
            player.points += times * (wins + draws / 2)
            player.wins += times * wins
            player.draws += times * draws
            player.losses += times * losses
            player.pairs = [had + times * more for had, more in zip(player.pairs, scored, strict=True)]

    def meeting(self, two: tuple[int, int]) -> Meeting | None:
        """What those two have played, whether it counts or not."""
        return self.meetings.get(two) or self.struck_meetings.get(two)

    def shown_unable(self, two: tuple[int, int], number: int) -> set[int]:
        """Which of the two showed in their pair of that number that they cannot play."""
        meeting = self.meeting(two)
        return {index for place, index in enumerate(two) if meeting and number in meeting.unable[place]}

    def faults(self) -> list[dict[str, Any]]:
        """Faults by player and kind, as --json prints them."""
        return [
            {"player": player.name, "kind": kind, "games": games}
            for player in self.players
            for kind, games in sorted(player.faults.items())
        ]
