"""Pairs of games between two players that are objects of this process: for the agents' own train/.

    for game in pairs("kalaha", (make_one, make_other), openings, range(100), seed=1):
        print(game.points, game.reason)

The loop is that of every match and the rules are the referee's, but nobody is isolated, and no limit is
kept but those that players keep themselves.  A player at fault ends all: it is our own.
"""

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from referee import rules
from referee.isolation.allowance import Allowance
from referee.match import statistics
from referee.match.local import LocalSeat
from referee.match.loop import Match, Turn, Watcher
from referee.match.openings import Opening
from referee.rules import EQUAL, State

Make = Callable[[str, int], Any]  # a player, from its colour and the seed of its lots
# Plies from the game's start that both are told of; or a state that both are set up in, perhaps another for
# each of the first player's seats.
Opened = Opening | State | tuple[State, State]


class AtFault(Exception):
    """A player's action was illegal, or it crashed: the sentence says whose and where."""


@dataclass(frozen=True)
class GameOfPair:
    """One game.  Figures and points are of the first player, or in the players' order, not by seat."""

    pair: int
    seat: int  # the first player's
    points: float
    reason: str
    plies: Opening  # all, those of the opening included
    start: State
    end: State
    turns: tuple[Turn, ...]  # whose figures are by seat
    cpu: tuple[float, float]  # seconds, of players that are asked and told

    @property
    def slowest(self) -> tuple[float, float]:
        """The CPU seconds of the longest turn of each."""
        longest = [max((turn.cpu[seat] for turn in self.turns), default=0.0) for seat in (0, 1)]
        return longest[self.seat], longest[1 - self.seat]


def pairs(
    name: str,
    makers: Sequence[Make],
    opening: Callable[[int], Opened],
    numbers: Iterable[int],
    seed: int = 0,
    seats: Sequence[int] = (0, 1),
    watch: Callable[[int, int, str | None], Sequence[Watcher]] = lambda pair, seat, line: (),
) -> Iterator[GameOfPair]:
    """The games of these pairs: each opening from both seats, or from one for half a pair.

    The same arguments make players of the same seeds, and so the same games, where nothing in them depends on
    the time.  `watch(pair, seat, line)` gives those who look on; `line` is the state that was set up, if any.
    """
    for pair in numbers:
        opened = opening(pair)
        lots = random.Random(f"{seed} {pair}").getrandbits(32)
        for seat in seats:
            start, plies, line = _begin(name, opened, seat)
            seated = makers if seat == 0 else makers[::-1]
            one, other = (
                _seat(make, colour, lots, line) for make, colour in zip(seated, start.COLOURS, strict=True)
            )
            names = [getattr(make, "text", "player") for make in seated]
            yield _played(Match(start, (one, other), names, plies, watch(pair, seat, line)), pair, seat)


def _seat(make: Make, colour: str, lots: int, line: str | None) -> LocalSeat:
    """The seat of a player, set up in a state if there is one."""

    def made(colour: str) -> Any:
        player = make(colour, lots)
        if line is not None:
            player.set_up(line)
        return player

    return LocalSeat(made, colour, {}, {}, Allowance(judging=EQUAL))


def _begin(name: str, opened: Opened, seat: int) -> tuple[State, Opening, str | None]:
    """The first state, the plies that are told, and what both are set up in."""
    if isinstance(opened, tuple) and opened and isinstance(opened[0], State):
        opened = opened[seat]
    if isinstance(opened, State):
        return opened, (), opened.text()
    return rules.start(name), opened, None


def _played(match: Match, pair: int, seat: int) -> GameOfPair:
    result = match.play()
    if result.faults:
        raise AtFault(f"pair {pair}, {result.reason}; in {match.state.text()}")
    return GameOfPair(
        pair=pair,
        seat=seat,
        points=result.scores[seat],
        reason=result.reason,
        plies=match.plies,
        start=match.start,
        end=match.state,
        turns=result.history,
        cpu=(result.cpu[seat], result.cpu[1 - seat]),
    )


class Score:
    """What the games come to, as they come: each of the first player's."""

    def __init__(self, seats: int = 2, sprt: statistics.Sprt | None = None):
        """`seats`: how many games a pair has."""
        self.seats = seats
        self.sprt = sprt
        self.games: list[GameOfPair] = []
        self.shares: list[float] = []  # of the points, in each pair that is whole

    def add(self, game: GameOfPair) -> None:
        """Count a game; those of a pair come one after the other."""
        self.games.append(game)
        if len(self.games) % self.seats == 0:
            self.shares.append(sum(one.points for one in self.games[-self.seats :]) / self.seats)

    @property
    def counts(self) -> list[int]:
        """How many pairs are of each class."""
        return statistics.counted(self.shares, 2 * self.seats + 1)

    @property
    def points(self) -> float:
        return sum(game.points for game in self.games)

    def decision(self) -> str | None:
        """What the sequential test has come to, if there is one."""
        return self.sprt.decision(self.sprt.llr(self.counts)) if self.sprt and self.shares else None

    def __str__(self) -> str:
        """The score with its 95 % interval, and what else there is to know, on a few lines."""
        games = self.games
        won, lost = (sum(game.points == points for game in games) for points in (1.0, 0.0))
        total = f"{self.points:g} of {len(games)} = {statistics.words(self.counts)}"
        lines = [f"{total}; +{won} ={len(games) - won - lost} -{lost}, {self._by_seat()}"]
        different = len({repr(game.plies) for game in games})
        plies = [len(game.plies) for game in games]
        lines.append(
            f"{different} different games of {min(plies)} to {max(plies)} plies, "
            f"{sum(plies) / len(plies):.0f} on average; drawn: {self._draws()}"
        )
        cpu, slowest = (
            [max(two) for two in zip(*figures, strict=True)]
            for figures in (
                [game.cpu for game in games],
                [game.slowest for game in games],
            )
        )
        lines.append(
            f"most CPU seconds a game {cpu[0]:.2f} and {cpu[1]:.2f}, "
            f"a turn {slowest[0]:.2f} and {slowest[1]:.2f}"
        )
        if self.sprt:
            llr = self.sprt.llr(self.counts)
            lines.append(
                f"log-likelihood ratio {llr:.2f} of {self.sprt.lower:.2f} to {self.sprt.upper:.2f}: "
                f"{self.decision() or 'not decided'}"
            )
        return "\n".join(lines)

    def _by_seat(self) -> str:
        colours = self.games[0].start.COLOURS
        points = [[game.points for game in self.games if game.seat == seat] for seat in (0, 1)]
        return ", ".join(
            f"as {colours[seat]} {sum(of_seat):g} of {len(of_seat)}"
            for seat, of_seat in enumerate(points)
            if of_seat
        )

    def _draws(self) -> str:
        reasons = Counter(game.reason for game in self.games if game.points == 0.5)
        return ", ".join(f"{many} {reason}" for reason, many in reasons.most_common()) or "none"
