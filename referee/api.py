"""What a program imports: `referee.play`, one game, and `referee.match`, a series, between two players.

A player is what the command line takes (`"kalaha_agent"`, `"team.zip"`, `"random"`), a path, a class with the
courses' interface, or a function `def player(state, legal): return ...` that is given the State before its
action and the list of legal ones.  Names and paths play in processes of their own, within their limits, as
they do on the command line.  A class or function plays in this process, where breakpoints and print work and
no limit is enforced, unless it is to be `isolated`.
"""

import argparse
import io
import math
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any

from referee import UsageError, rules
from referee.commands import limits
from referee.isolation import levels
from referee.isolation.allowance import Allowance
from referee.isolation.machine import cores
from referee.isolation.process import CannotImport
from referee.match import loop, record
from referee.match.local import LocalSeat
from referee.match.openings import Openings
from referee.match.planned import PlannedGame, record_header
from referee.players import objects
from referee.players.names import Spec, resolve
from referee.rules import Action, State
from referee.tournament.dispatcher import Dispatcher
from referee.tournament.imports import check_imports
from referee.tournament.jobs import Local
from referee.tournament.journal import Journal
from referee.tournament.plan import Entrant, Plan, Slot, entrant_of
from referee.tournament.played import PlayedGame, PlayedPair
from referee.tournament.results import Results
from referee.tournament.schedule import FORMATS
from referee.view.notebook import Result, Series

Player = str | os.PathLike[str] | type | Callable[[State, list[Action]], Action]
Readable = str | os.PathLike[str] | Sequence[str | os.PathLike[str]]  # one path, or several
# A limit: None is the course's, 0 is none, and two values are for the two players.
PerPlayer = float | tuple[float, float] | None


def play(
    game: str,
    first: Player,
    second: Player,
    *,
    game_seconds: PerPlayer = None,
    action_seconds: PerPlayer = None,
    first_seconds: PerPlayer = None,
    megabytes: PerPlayer = None,
    nodes: int | tuple[int, int] | None = None,
    seed: int | None = None,
    opening: int = 0,
    wall: bool = False,
    strict: bool = False,
    isolated: bool = False,
    isolation: str | None = None,
    readable: Readable = (),
    cold: bool = False,
) -> Result:
    """One game; the first player has the game's first colour.

    The limits are the course's where they are None, there is none where they are 0, and two values are for
    the two players.  `nodes` are told to players that name them, `seed` makes the game repeatable, and
    `opening` is a number of random plies to begin with.  `wall`, `strict`, `isolation`, `readable` and
    `cold` are the options of `referee play`.  With `isolated` classes and functions play in processes of
    their own, too.

    UsageError where there is no such game or player, RefereeTrouble where players cannot be isolated.
    """
    limits_of = (game_seconds, action_seconds, first_seconds, megabytes, nodes)
    how = _How(*limits_of, wall, strict, isolated, isolation, readable, cold)
    players, plan = _planned(game, (first, second), how, opening, seed)
    return _played(next(plan.pair(Slot(0, 1, 1)).games()), players)


def match(
    game: str,
    first: Player,
    second: Player,
    *,
    pairs: int = 10,
    jobs: int | None = None,
    game_seconds: PerPlayer = None,
    action_seconds: PerPlayer = None,
    first_seconds: PerPlayer = None,
    megabytes: PerPlayer = None,
    nodes: int | tuple[int, int] | None = None,
    seed: int | None = None,
    opening: int = 2,
    wall: bool = False,
    strict: bool = False,
    isolated: bool = False,
    isolation: str | None = None,
    readable: Readable = (),
    cold: bool = False,
) -> Series:
    """A series of pairs: each opening is played twice, seats swapped, as in `referee tournament`.

    `jobs` pairs are played at once, as many as there are cores if it is None; with a class or function that
    plays in this process one after the other.  All else is as in `play`.
    """
    if not all(isinstance(one, int) and one >= 1 for one in (pairs, 1 if jobs is None else jobs)):
        raise UsageError("a series has one pair or more, and one job or more")
    limits_of = (game_seconds, action_seconds, first_seconds, megabytes, nodes)
    how = _How(*limits_of, wall, strict, isolated, isolation, readable, cold)
    players, plan = _planned(game, (first, second), how, opening, seed)
    play = _pairs_here if any(player.make for player in players) else _pairs_apart
    results, games = Results([player.spec.name for player in players]), list[PlayedGame]()
    for played in play(plan, players, pairs, jobs or cores()):
        results.add(played)
        games += played.games
    return Series(game, results, sorted(games, key=lambda game: game.number))


@dataclass(frozen=True)
class _How:
    """The keywords that all games have in common."""

    game_seconds: PerPlayer
    action_seconds: PerPlayer
    first_seconds: PerPlayer
    megabytes: PerPlayer
    nodes: int | tuple[int, int] | None
    wall: bool
    strict: bool
    isolated: bool
    isolation: str | None
    readable: Readable
    cold: bool

    def options(self) -> argparse.Namespace:
        """What the command line would have of them."""
        if self.isolation not in (None, *levels.LEVELS):
            raise UsageError(f"isolation should be {' or '.join(levels.LEVELS)}, not {self.isolation!r:.100}")
        readable = [self.readable] if isinstance(self.readable, str | os.PathLike) else self.readable
        return argparse.Namespace(
            time=_each("game_seconds", self.game_seconds),
            action_time=_each("action_seconds", self.action_seconds),
            first_time=_each("first_seconds", self.first_seconds),
            space=_each("megabytes", self.megabytes),
            nodes=_each("nodes", self.nodes),
            wall=self.wall,
            strict=self.strict,
            isolation=self.isolation,
            require_isolation=None,
            readable=[_there(path) for path in readable],
            cold=self.cold,
        )


@dataclass(frozen=True)
class _Seated:
    """A player as it was given, and how it is found or made."""

    spec: Spec
    make: Callable[..., Any] | None = None  # None: it plays in a process of its own
    readable: tuple[str, ...] = ()  # by that process, besides its own files

    @classmethod
    def of(cls, player: Player, game: str, isolated: bool) -> "_Seated":
        if isinstance(player, str | os.PathLike):
            return cls(resolve(os.fspath(player)))
        if isolated:
            spec, readable = objects.importable(player)
            return cls(spec, readable=readable)
        return cls(objects.named(player), objects.made(player, game))

    def allowed(self, allowance: Allowance) -> Allowance:
        """What it may use, from what the game and the caller allow."""
        return replace(allowance, readable=(*allowance.readable, *self.readable))

    def seat(self, planned: PlannedGame, seat: int) -> LocalSeat:
        """Its seat in this process; for one that was given as an object."""
        if self.make is None:
            raise ValueError(f"{self.spec.name} has a process of its own")
        allowance = planned.allowance(seat)
        offered: dict[str, object] = {
            "variant": planned.game.partition(":")[2],
            **allowance.keywords(),
            **dict(planned.extra(seat)),
        }
        return LocalSeat(self.make, rules.start(planned.game).COLOURS[seat], {}, offered, allowance)


def _planned(
    game: str, given: tuple[Player, Player], how: _How, opening: int, seed: int | None
) -> tuple[tuple[_Seated, _Seated], Plan]:
    """The players, and the plan of their games."""
    if not isinstance(seed, int | None):
        raise UsageError(f"seed should be a whole number, not {seed!r:.100}")
    if not isinstance(opening, int) or opening < 0:
        raise UsageError(f"opening should be a number of plies, 0 or more, not {opening!r:.100}")
    start = rules.start(game)
    players = loop.both(lambda player: _Seated.of(given[player], game, how.isolated))
    entrants = tuple(
        Entrant(player.spec, player.allowed(allowance))
        for player, allowance in zip(players, limits.allowances(how.options(), start.LIMITS), strict=True)
    )
    return players, Plan(game, seed or 0, entrants, Openings(game, opening, seed or 0), seed is not None)


def _pairs_here(plan: Plan, players: tuple[_Seated, _Seated], pairs: int, jobs: int) -> Iterator[PlayedPair]:
    """Played in this process, one after the other."""
    for number in range(1, pairs + 1):
        pair = plan.pair(Slot(0, 1, number))
        games = tuple(PlayedGame.of(planned, _played(planned, players)) for planned in pair.games())
        yield PlayedPair(pair.id, (0, 1), number, tuple(pair.plies), games, 0.0, 0.0)


def _pairs_apart(plan: Plan, players: tuple[_Seated, _Seated], pairs: int, jobs: int) -> Iterator[PlayedPair]:
    """Played by match processes, as a tournament's."""
    plan = replace(plan, entrants=tuple(entrant_of(one.spec, one.allowance) for one in plan.entrants))
    check_imports(plan.game, plan.entrants)
    schedule = FORMATS["round-robin"](2, pairs, Results([player.spec.name for player in players]))
    with Journal(None, {}, lambda pair: None) as journal, closing(Local(jobs)) as runner:
        yield from Dispatcher(plan, journal, runner, None, None).play(schedule)


class _Last(loop.Watcher):
    """Keeps where the game stands at its end."""

    def end(self, match: loop.Match, result: loop.MatchResult) -> None:
        self.state = match.state


def _played(planned: PlannedGame, players: tuple[_Seated, _Seated]) -> Result:
    kept, last = io.StringIO(), _Last()
    watchers = [record.Writer(lambda: kept, record_header(planned)), last]

    def in_this_process(planned: PlannedGame, seat: int) -> LocalSeat:
        return planned.seated(players)[seat].seat(planned, seat)

    try:
        result = planned.play(watchers, import_or_raise=True, person=in_this_process)
    except CannotImport as fault:
        raise UsageError(f"{fault.message}{loop.place_of(fault)}") from None
    names = planned.seated(loop.both(lambda player: players[player].spec.name))
    return Result(**vars(result), game=planned.game, players=names, state=last.state, record=kept.getvalue())


def _there(path: str | os.PathLike[str]) -> str:
    if not os.path.exists(path):
        raise UsageError(f"there is no file or folder {os.fspath(path)!r:.100}")
    return os.path.realpath(path)


def _each(name: str, value: float | tuple[float, float] | None) -> limits.Each | None:
    """A limit as the command line has it: one number, or two."""
    if value is None:
        return None
    numbers = value if isinstance(value, tuple | list) else (value,)
    if len(numbers) not in (1, 2) or not all(
        isinstance(one, int | float) and 0 <= one < math.inf for one in numbers
    ):
        raise UsageError(f"{name} should be a number, 0 or more, or two in the players' order, not {value!r}")
    return tuple(numbers)
