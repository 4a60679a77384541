"""A pair of games, the unit of a tournament, as plain data; and the process that plays one.

`main` reads one pair, a line of JSON, plays it, and answers with lines of JSON: one a
game, then one with what playing it cost; or one that says why it could not be played.  It ends when
its input closes, and the players' keepers with it.
"""

import io
import json
import math
import os
import sys
import time
from ast import literal_eval
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from threading import Thread
from typing import Any

from referee import RefereeTrouble, UsageError, rules
from referee.isolation import levels
from referee.isolation.process import BY_CPU, Allowance, CannotImport
from referee.match import record
from referee.match.loop import Result
from referee.match.openings import Opening
from referee.match.planned import PlannedGame, ply, record_header, record_name
from referee.players import files
from referee.players.names import Spec
from referee.tournament.tally import Tally

ID = 24  # hexadecimal digits of a pair's id
UNLIMITED = "unlimited"  # in JSON, which has no infinity


@dataclass(frozen=True)
class Entrant:
    """A player of a tournament."""

    spec: Spec
    allowance: Allowance
    files: str  # a hash of the player's files

    def described(self) -> dict[str, Any]:
        """In terms of JSON, without where its files are on this machine."""
        return {
            "player": self.spec.name,
            "module": self.spec.module,
            "class": self.spec.cls,
            "arguments": [[name, repr(value)] for name, value in self.spec.arguments],
            "files": self.files,
            "limits": _limits(self.allowance),
        }


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

    @cached_property
    def id(self) -> str:
        """Made from all that the pair is; what the players are called and where they are does not count."""
        described = [entrant.described() for entrant in self.entrants]
        for one in described:
            del one["player"]
        whole = [self.game, self.seed, self.indices, described, self.number, self.plies]
        return sha256(json.dumps(whole).encode()).hexdigest()[:ID]

    @property
    def plies(self) -> list[str]:
        """The opening as --json prints it."""
        return [ply(chosen) for chosen in self.opening]

    def plain(self) -> dict[str, Any]:
        """In terms of JSON, for another process."""
        entrants = [{**one.described(), "folder": one.spec.folder} for one in self.entrants]
        return {
            "pair": self.id,
            "game": self.game,
            "seed": self.seed,
            "indices": self.indices,
            "entrants": entrants,
            "number": self.number,
            "opening": self.plies,
            "is_repeatable": self.is_repeatable,
        }


def from_plain(plain: Mapping[str, Any]) -> Pair:
    """The pair that `plain` described."""
    level = plain.get("isolation")
    entrants = tuple(_entrant(described, level) for described in plain["entrants"])
    opening = _opening(plain["game"], plain["opening"])
    indices, is_repeatable = tuple(plain["indices"]), plain["is_repeatable"]
    return Pair(plain["game"], plain["seed"], indices, entrants, plain["number"], opening, is_repeatable)


def _entrant(plain: Mapping[str, Any], level: str | None) -> Entrant:
    arguments = tuple((name, literal_eval(text)) for name, text in plain["arguments"])
    spec = Spec(plain["player"], plain["module"], plain["folder"], plain["class"], arguments)
    limits = {name: math.inf if value == UNLIMITED else value for name, value in plain["limits"].items()}
    limits["told"] = tuple((name, value) for name, value in limits["told"])
    limits["readable"] = tuple(limits.get("readable", ()))
    return Entrant(spec, Allowance(**limits, isolation=level), plain["files"])


def _limits(allowance: Allowance) -> dict[str, Any]:
    limits = {name: getattr(allowance, name) for name in ("game", "action", "first", "megabytes", "wall")}
    limits = {name: UNLIMITED if value == math.inf else value for name, value in limits.items()}
    more = {"readable": list(allowance.readable)} if allowance.readable else {}
    if allowance.game_wall != BY_CPU:
        more["game_wall"] = UNLIMITED if allowance.game_wall is None else allowance.game_wall
    if allowance.judging:
        more["judging"] = allowance.judging
    return {**limits, "told": [list(one) for one in allowance.told], **more}


def _opening(game: str, plies: list[str]) -> Opening:
    state = rules.start(game)
    opening = []
    for text in plies:
        players, action = state.to_act(), literal_eval(text)
        opening.append(dict(zip(players, action if len(players) > 1 else (action,), strict=True)))
        state = state.after(opening[-1])
    return tuple(opening)


# Playing it


def play(pair: Pair, must_import: bool, keep_records: bool) -> Iterator[dict[str, Any]]:
    """Play the two games; each as --json of play has it, and what a tournament wants to know besides.

    RefereeTrouble where the players' files are not those that the pair was made for and, with
    `must_import`, where one does not import.
    """
    for entrant in pair.entrants:
        if files.digest(files.bundle(entrant.spec)) != entrant.files:
            raise RefereeTrouble(
                f"the files of {entrant.spec.name} have changed since the tournament began; "
                "start it again with another journal"
            )
    names = tuple(entrant.spec.name for entrant in pair.entrants)
    for first in (0, 1):
        planned = PlannedGame(
            game=pair.game,
            players=tuple(entrant.spec for entrant in pair.entrants),
            allowances=tuple(entrant.allowance for entrant in pair.entrants),
            number=2 * pair.number - 1 + first,
            pair=pair.number,
            first=first,
            seed=pair.seed,
            opening=pair.opening,
            is_repeatable=pair.is_repeatable,
        )
        kept = io.StringIO()
        watchers = [record.Writer(lambda kept=kept: kept, record_header(planned))] if keep_records else []
        result = planned.play(watchers, import_or_raise=must_import)
        game = {**Tally(names).game(planned, result, None), **_details(planned, result)}
        for known in ("game", "players", "opening", "record"):  # the pair has them
            del game[known]
        if keep_records:
            i, j = (index + 1 for index in pair.indices)
            game["record"] = {"name": f"{i}-{j}-{record_name(planned)}", "text": kept.getvalue()}
        yield game


def _details(planned: PlannedGame, result: Result) -> dict[str, Any]:
    """The game's moves, who was at fault in which way, and what each action of a player's took."""
    faults = [result.faults[seat].ending if seat in result.faults else None for seat in (0, 1)]
    used = [by_action(result, seat) for seat in (0, 1)]
    return {
        "faults": planned.seated(faults),
        "cpu": [round(seconds, 6) for seconds in planned.seated(result.cpu)],
        "megabytes": [round(size, 3) for size in planned.seated(result.megabytes)],
        "course_megabytes": [round(size, 3) for size in planned.seated(result.course_megabytes)],
        "moves": [ply(turn.chosen) for turn in result.history if turn.played],
        "action_cpu": [cpu for cpu, _ in planned.seated(used)],
        "action_megabytes": [megabytes for _, megabytes in planned.seated(used)],
    }


def by_action(result: Result, seat: int) -> tuple[list[float], list[float]]:
    """Seconds from each of its actions to the next, and its memory by then."""
    cpu, megabytes, since = [], [], 0.0
    for turn in result.history:
        since += turn.cpu[seat]
        if seat in turn.players:
            cpu.append(round(since, 4))
            megabytes.append(round(turn.megabytes[seat], 1))
            since = 0.0
    return cpu, megabytes


# The process that plays it


def main() -> None:
    """Read a pair, play it, answer."""
    plain = json.loads(_line())
    Thread(target=_end_with_the_input, daemon=True).start()
    try:
        if plain["isolation"] not in (one.level for one in levels.kinds()):
            raise RefereeTrouble(
                f"players cannot be isolated at the level {plain['isolation']!r} here, as the journal's "
                "games are; leave this machine out, or ask for less with --isolation"
            )
        for game in play(from_plain(plain), plain["must_import"], plain["keep_records"]):
            print(json.dumps(game), flush=True)
    except CannotImport as fault:
        print(json.dumps({"trouble": f"{fault.message}; install there what it needs"}), flush=True)
    except (RefereeTrouble, UsageError) as error:
        print(json.dumps({"trouble": str(error)}), flush=True)
    else:
        print(json.dumps({"cost": round(time.process_time(), 3)}), flush=True)


def _line() -> bytes:
    line = b""
    while not line.endswith(b"\n"):
        more = os.read(0, 65536)
        if not more:
            sys.exit("this is given a pair by `referee tournament`")
        line += more
    return line


def _end_with_the_input() -> None:
    """Whoever wanted the pair is gone when the input closes: nobody shall play on.

    In a thread, so that the main one can wait for players; nothing is spawned from here.
    """
    while os.read(0, 65536):
        pass
    os._exit(1)


if __name__ == "__main__":
    main()
