"""What a program imports: `referee.play`, one game between players that are named, or given as objects.

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
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from html import escape

from referee import UsageError, rules
from referee.commands import limits
from referee.isolation.process import Allowance, CannotImport
from referee.match import loop, record
from referee.match.local import LocalSeat
from referee.match.openings import Openings
from referee.match.planned import PlannedGame, record_header
from referee.players import objects
from referee.players.names import Spec, resolve
from referee.rules import Action, State
from referee.tournament.plan import Entrant, Plan, Slot
from referee.view.game import Game
from referee.view.page import html
from referee.view.terminal import sentence

Player = str | os.PathLike[str] | type | Callable[[State, list[Action]], Action]
# A limit: None is the course's, 0 is none, and two values are for the two players.
PerPlayer = float | tuple[float, float] | None

FRAME = "width: 100%; height: 640px; border: 0"  # of a page in a notebook


@dataclass(frozen=True, repr=False)
class Result(loop.Result):
    """How a game ended; it shows itself in a notebook, and in a terminal.  What there are two of is by seat.

    `players` are the names, `state` is where the game stands, and `record` the whole game as text, for
    `referee replay`.
    """

    game: str = ""
    players: tuple[str, str] = ("", "")
    state: State | None = None
    record: str = ""

    def html(self) -> str:
        """The page on which the game can be looked at turn by turn."""
        return html(Game.of(record.parse(self.record)))

    def _repr_html_(self) -> str:
        return f'<iframe srcdoc="{escape(self.html())}" style="{FRAME}"></iframe>'

    def __repr__(self) -> str:
        said = [self.state.draw(), "", self.summary()]
        for fault in self.faults.values():
            said += [f"  {line}" for line in fault.where.splitlines()]
        return "\n".join([*said, *(f"warning: {one}" for one in self.warnings)])

    def summary(self) -> str:
        """The result on one line."""
        return sentence(self.titles, self)

    @property
    def titles(self) -> tuple[str, str]:
        """What the players are called, with their colours."""
        return tuple(
            f"{name} ({colour})" for name, colour in zip(self.players, self.state.COLOURS, strict=True)
        )


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
    readable: Sequence[str] = (),
) -> Result:
    """One game; the first player has the game's first colour.

    The limits are the course's where they are None, there is none where they are 0, and two values are for
    the two players.  `nodes` are told to players that name them, `seed` makes the game repeatable, and
    `opening` is a number of random plies to begin with.  `wall`, `strict`, `isolation` and `readable` are the
    options of `referee play`.  With `isolated` classes and functions play in processes of their own, too.

    UsageError where there is no such game or player, RefereeTrouble where players cannot be isolated.
    """
    start = rules.start(game)
    options = argparse.Namespace(
        time=_given("game_seconds", game_seconds),
        action_time=_given("action_seconds", action_seconds),
        first_time=_given("first_seconds", first_seconds),
        space=_given("megabytes", megabytes),
        nodes=_given("nodes", nodes),
        wall=wall,
        strict=strict,
        isolation=isolation,
        require_isolation=None,
        readable=[limits.levels.readable(str(path)) for path in readable],
    )
    players = [_Seated.of(player, game, isolated) for player in (first, second)]
    allowances = limits.allowances(options, start.LIMITS)
    openings = Openings(game, opening, seed or 0)
    plan = Plan(game, seed or 0, _entrants(players, allowances), openings, seed is not None)
    return _played(next(plan.pair(Slot(0, 1, 1)).games()), players)


@dataclass(frozen=True)
class _Seated:
    """A player as it was given, and how it is found or made."""

    spec: Spec
    make: Callable | None = None  # None: it plays in a process of its own
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
        """Its seat in this process."""
        allowance = planned.allowance(seat)
        offered = {
            "variant": planned.game.partition(":")[2],
            **allowance.keywords(),
            **dict(planned.extra(seat)),
        }
        return LocalSeat(self.make, rules.start(planned.game).COLOURS[seat], {}, offered, allowance)


def _entrants(players: Sequence[_Seated], allowances: Sequence[Allowance]) -> tuple[Entrant, ...]:
    return tuple(
        Entrant(player.spec, player.allowed(allowance))
        for player, allowance in zip(players, allowances, strict=True)
    )


class _Last(loop.Watcher):
    """Keeps where the game stands at its end, and what was said of its limits."""

    def end(self, match: loop.Match, result: loop.Result) -> None:
        self.state = match.state
        self.warnings = [
            f"{match.title(player)}: {said}"
            for player, seat in enumerate(match.seats)
            if isinstance(seat, LocalSeat)
            for said in seat.warnings
        ]


def _played(planned: PlannedGame, players: Sequence[_Seated]) -> Result:
    kept, last = io.StringIO(), _Last()
    watchers = [record.Writer(lambda: kept, record_header(planned)), last]

    def in_this_process(planned: PlannedGame, seat: int) -> LocalSeat:
        return planned.seated(players)[seat].seat(planned, seat)

    try:
        result = planned.play(watchers, import_or_raise=True, person=in_this_process)
    except CannotImport as fault:
        raise UsageError("\n".join(filter(None, [fault.message, fault.where]))) from None
    names = planned.seated([player.spec.name for player in players])
    of_loop = {**vars(result), "warnings": (*result.warnings, *last.warnings)}
    return Result(**of_loop, game=planned.game, players=names, state=last.state, record=kept.getvalue())


def _given(name: str, value: float | tuple[float, float] | None) -> limits.Given | None:
    """A limit as the command line has it: one number, or two."""
    if value is None:
        return None
    numbers = value if isinstance(value, tuple | list) else (value,)
    if len(numbers) not in (1, 2) or not all(
        isinstance(one, int | float) and 0 <= one < math.inf for one in numbers
    ):
        raise UsageError(f"{name} should be a number, 0 or more, or two in the players' order, not {value!r}")
    return tuple(numbers)
