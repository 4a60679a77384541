"""A game that is to be played, as plain data: its players, opening, limits, seed; and its record's header."""

import platform
import re
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cached_property
from hashlib import sha256
from typing import Any, TypeVar

from referee import UsageError, rules
from referee.isolation import levels
from referee.isolation.allowance import BY_CPU, Allowance
from referee.isolation.program_process import player_process
from referee.match.adjudication import Adjudication
from referee.match.loop import Match, MatchResult, Seat, Turn, Watcher, both
from referee.match.openings import Opening
from referee.players.names import BASELINE, HERE, HUMAN, Spec

T = TypeVar("T")
SEED_BITS = 32  # as many as numpy's generators take


@dataclass(frozen=True)
class PlannedGame:
    """A game between two players.  Pairs of figures are in the players' order, not by seat."""

    game: str
    players: tuple[Spec, Spec]
    allowances: tuple[Allowance, Allowance]
    number: int  # of the game, from 1
    pair: int  # of the pair of games it belongs to, from 1
    first: int  # which of the players has the first seat
    seed: int
    opening: Opening = ()
    is_repeatable: bool = False  # whether the seeds that players are told are made from `seed`
    adjudication: Adjudication | None = None
    position: str | None = None  # the text of the state that it begins in; None: the game's first
    earlier: tuple[Turn, ...] = ()  # turns that these players have played already
    begun: str | None = None  # in words, the turn of another record that it begins at
    given_seeds: tuple[int, int] | None = None  # that they were told then

    @cached_property
    def seeds(self) -> tuple[int, int]:
        """By seat, what a player that names `seed` is told: drawn by the system, or made from our seed.

        Each game and seat has its own.  From one's own seed the other's cannot be worked out, unless ours
        is so small that it can be guessed: who plays for points leaves --seed out.
        """
        if self.given_seeds:
            return self.given_seeds
        if not self.is_repeatable:
            return secrets.randbits(SEED_BITS), secrets.randbits(SEED_BITS)
        texts = [f"{self.seed} {self.game} {self.number} {seat}" for seat in (0, 1)]
        of_game = [int(sha256(text.encode()).hexdigest(), 16) % 2**SEED_BITS for text in texts]
        return of_game[0], of_game[1]

    def seated(self, two: tuple[T, T]) -> tuple[T, T]:
        """By seat what is given in the players' order, or the other way round."""
        return (two[0], two[1]) if self.first == 0 else (two[1], two[0])

    def play(
        self,
        watchers: Sequence[Watcher] = (),
        import_or_raise: bool = False,
        person: "MakesPerson | None" = None,
        around: "Callable[[Seat, int], Seat] | None" = None,
    ) -> MatchResult:
        """Play it.  A player that does not import forfeits; CannotImport is raised with `import_or_raise`.

        `person` makes the seat of a human, or of a player in this process, of the planned game and the
        number of the seat; `around` puts something around each seat.
        """
        seats = self.seats(person)
        if around:
            seats = around(seats[0], 0), around(seats[1], 1)
        names = [spec.name for spec in self.seated(self.players)]
        match = Match(
            self.start,
            seats,
            names,
            self.opening,
            watchers,
            self.adjudication,
            self.earlier,
            self.position,
        )
        return match.play(import_or_raise)

    @property
    def start(self) -> rules.State:
        """The state that it begins in."""
        return rules.start(self.game) if self.position is None else rules.parse(self.game, self.position)

    def seats(self, person: "MakesPerson | None" = None) -> tuple[Seat, Seat]:
        """The two players, not yet started, by seat."""
        return both(lambda seat: self._seat(seat, person))

    def _seat(self, seat: int, person: "MakesPerson | None") -> Seat:
        spec = self.seated(self.players)[seat]
        if spec.module in (HUMAN, HERE):
            if person is None:
                raise UsageError(f"{spec.name} can play in the referee's own process alone")
            return person(self, seat)
        colour, variant = rules.start(self.game).COLOURS[seat], self.game.partition(":")[2]
        return player_process(spec, colour, variant, self.allowance(seat), self.extra(seat))

    def allowance(self, seat: int) -> Allowance:
        """What the player in that seat may use, and how its actions are judged in this game."""
        allowance = self.seated(self.allowances)[seat]
        return replace(allowance, judging=allowance.judging or rules.start(self.game).COURSE.judging)

    def extra(self, seat: int, spec: Spec | None = None) -> tuple[tuple[str, object], ...]:
        """The keywords that a player in that seat is told besides its limits, if it names them.

        `spec` is what it was named, where it plays in this process.
        """
        spec = spec or self.seated(self.players)[seat]
        told = (("game", self.game),) if spec.is_told_the_game else ()
        return (*told, ("seed", self._seed_told(spec, seat)))

    def _seed_told(self, spec: Spec, seat: int) -> int | str:
        """The referee's own players draw the same lots in both games of a pair."""
        return f"{self.seed} {self.pair} {seat}" if spec.module == BASELINE else self.seeds[seat]


MakesPerson = Callable[[PlannedGame, int], Seat]  # the seat of a human in a planned game


def _written(allowance: Allowance) -> dict[str, object]:
    names = ("game", "action", "first", "megabytes", "game_wall")
    limits = {name: getattr(allowance, name) for name in names}
    limits = {name: value for name, value in limits.items() if value not in (None, float("inf"), BY_CPU)}
    return {**limits, **dict(allowance.told), "clock": "wall" if allowance.wall else "CPU"}


def record_header(planned: PlannedGame) -> dict[str, Any]:
    """What a record begins with."""
    return {
        "game": planned.game,
        **({} if planned.position is None else {"position": planned.position}),
        **({} if planned.begun is None else {"begun": planned.begun}),
        "players": tuple(spec.name for spec in planned.seated(planned.players)),
        "number": planned.number,
        "pair": planned.pair,
        "first": planned.first,
        "seed": planned.seed,
        "seeds": planned.seeds,
        "limits": tuple(_written(allowance) for allowance in planned.seated(planned.allowances)),
        "isolation": levels.with_warning(planned.allowances[0].isolation)[0],
        "python": platform.python_version(),
        "system": platform.platform(),
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
    }


def record_name(planned: PlannedGame) -> str:
    """A file name that sorts by number and says who played: `kalaha-seed7-003-kalaha_agent-random.txt`."""
    parts = [planned.game, f"seed{planned.seed}", f"{planned.number:03}"]
    parts += [re.split(r"[/\\]", spec.name.rstrip("/\\"))[-1] for spec in planned.seated(planned.players)]
    return "-".join(re.sub(r"[^A-Za-z0-9_.]+", "_", part)[:40] for part in parts) + ".txt"
