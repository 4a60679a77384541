"""What is to be played, as plain data: the players, the pairs of games, and what all pairs have in common."""

import json
import math
from ast import literal_eval
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import Any, NamedTuple, Protocol

from referee.isolation.allowance import BY_CPU, Allowance
from referee.match import adjudication
from referee.match.adjudication import Adjudication
from referee.match.openings import Opening, opening_of, ply
from referee.match.planned import PlannedGame
from referee.players import files
from referee.players.names import Spec

ID = 24  # hexadecimal digits of a pair's id
UNLIMITED = "unlimited"  # in JSON, which has no infinity


class Slot(NamedTuple):
    """A pair of games to be played: two players, the smaller index first, and its number among theirs."""

    first: int
    second: int
    number: int


@dataclass(frozen=True)
class Entrant:
    """A player of a tournament."""

    spec: Spec
    allowance: Allowance
    files: str = ""  # a hash of the player's files; none for who plays from this machine's files as they are

    @cached_property
    def identity(self) -> str:
        """All that makes it this player, as JSON: not what it is called."""
        return json.dumps({name: value for name, value in self.described().items() if name != "player"})

    def described(self) -> dict[str, Any]:
        """In terms of JSON, without where its files are on this machine."""
        return {
            "player": self.spec.name,
            "module": self.spec.module,
            "class": self.spec.cls,
            "arguments": [[name, repr(value)] for name, value in self.spec.arguments],
            "files": self.files,
            "limits": _limits(self.allowance),
            **({"program": list(self.spec.program)} if self.spec.program else {}),
        }


def entrant_of(spec: Spec, allowance: Allowance) -> Entrant:
    """A player with the hash of its files; UsageError where these cannot be read."""
    return Entrant(spec, allowance, files.digest(files.bundle(spec)))


@dataclass(frozen=True)
class Pair:
    """One opening played twice, seats swapped; the players' indices are those in the tournament."""

    game: str
    seed: int
    indices: tuple[int, int]
    entrants: tuple[Entrant, Entrant]
    number: int  # of the pairs of these two, from 1
    opening: Opening
    is_repeatable: bool = False  # see PlannedGame
    adjudication: Adjudication | None = None

    @cached_property
    def id(self) -> str:
        """Made from all that the pair is; what the players are called and where they are does not count."""
        plies = json.dumps(self.plies)
        return _id(self.game, self.seed, self.indices, self.entrants, self.number, plies, self.adjudication)

    @property
    def plies(self) -> list[str]:
        """The opening as --json prints it."""
        return [ply(chosen) for chosen in self.opening]

    def games(self) -> Iterator[PlannedGame]:
        """Both games, in the order in which they are played."""
        first, second = self.entrants
        for seat in (0, 1):
            yield PlannedGame(
                game=self.game,
                players=(first.spec, second.spec),
                allowances=(first.allowance, second.allowance),
                number=2 * self.number - 1 + seat,
                pair=self.number,
                first=seat,
                seed=self.seed,
                opening=self.opening,
                is_repeatable=self.is_repeatable,
                adjudication=self.adjudication,
            )

    def plain(self) -> dict[str, Any]:
        """In terms of JSON, for another process."""
        # How they are started is no part of what the pair is: it changes nothing.
        how = [{"folder": one.spec.folder, "cold": one.allowance.cold} for one in self.entrants]
        entrants = [{**one.described(), **more} for one, more in zip(self.entrants, how, strict=True)]
        return {
            "pair": self.id,
            "game": self.game,
            "seed": self.seed,
            "indices": self.indices,
            "entrants": entrants,
            "number": self.number,
            "opening": self.plies,
            "is_repeatable": self.is_repeatable,
            "adjudication": self.adjudication and self.adjudication.plain(),
        }


def _id(
    game: str,
    seed: int,
    indices: tuple[int, int],
    entrants: tuple[Entrant, Entrant],
    number: int,
    plies: str,
    adjudication: Adjudication | None,
) -> str:
    first, second = indices
    whole = [
        json.dumps(game),
        str(seed),
        f"[{first}, {second}]",
        f"[{', '.join(e.identity for e in entrants)}]",
    ]
    whole += [str(number), plies, *([json.dumps(adjudication.plain())] if adjudication else [])]
    return sha256(f"[{', '.join(whole)}]".encode()).hexdigest()[:ID]


class OpeningsOfPairs(Protocol):
    """Where openings come from."""

    def of(self, pair: int) -> Opening:
        """The opening of the pair of that number, from 1; the same whenever it is asked for."""

    def remember(self, pair: int, plies: Sequence[str]) -> None:
        """Take that opening from a journal, whose id says that it is the pair's; ValueError for nonsense."""


@dataclass(frozen=True)
class Plan:
    """What every pair has in common."""

    game: str
    seed: int
    entrants: tuple[Entrant, ...]
    openings: OpeningsOfPairs
    is_repeatable: bool = False  # whether --seed was given: see PlannedGame
    adjudication: Adjudication | None = None

    def pair(self, slot: Slot) -> Pair:
        """The pair that a slot of the schedule stands for."""
        two = self.entrants[slot.first], self.entrants[slot.second]
        drawn = self.openings.of(slot.number)
        how = self.is_repeatable, self.adjudication
        return Pair(self.game, self.seed, slot[:2], two, slot.number, drawn, *how)

    def accept(self, slot: Slot, plies: Sequence[str], pair: str) -> bool:
        """Whether that is the id of the slot's pair with this opening, which then is not drawn again."""
        two = self.entrants[slot.first], self.entrants[slot.second]
        known = json.dumps(plies)
        if pair != _id(self.game, self.seed, slot[:2], two, slot.number, known, self.adjudication):
            return False
        self.openings.remember(slot.number, plies)
        return True


def from_plain(plain: Mapping[str, Any]) -> Pair:
    """The pair that `plain` described."""
    level = plain.get("isolation")
    first, second = (_entrant(described, level) for described in plain["entrants"])
    opening = opening_of(plain["game"], plain["opening"])
    i, j = plain["indices"]
    return Pair(
        plain["game"],
        plain["seed"],
        (i, j),
        (first, second),
        plain["number"],
        opening,
        plain["is_repeatable"],
        adjudication.from_plain(plain.get("adjudication")),
    )


def _entrant(plain: Mapping[str, Any], level: str | None) -> Entrant:
    arguments = tuple((name, literal_eval(text)) for name, text in plain["arguments"])
    program = tuple(plain.get("program", ()))
    spec = Spec(plain["player"], plain["module"], plain["folder"], plain["class"], arguments, program)
    limits: dict[str, Any] = {
        name: math.inf if value == UNLIMITED else value for name, value in plain["limits"].items()
    }
    limits["told"] = tuple((name, value) for name, value in limits["told"])
    limits["readable"] = tuple(limits.get("readable", ()))
    return Entrant(spec, Allowance(**limits, isolation=level, cold=plain.get("cold", False)), plain["files"])


def _limits(allowance: Allowance) -> dict[str, Any]:
    limits = {name: getattr(allowance, name) for name in ("game", "action", "first", "megabytes", "wall")}
    limits = {name: UNLIMITED if value == math.inf else value for name, value in limits.items()}
    more: dict[str, Any] = {"readable": list(allowance.readable)} if allowance.readable else {}
    if allowance.game_wall != BY_CPU:
        more["game_wall"] = UNLIMITED if allowance.game_wall is None else allowance.game_wall
    if allowance.judging:
        more["judging"] = allowance.judging
    return {**limits, "told": [list(one) for one in allowance.told], **more}
