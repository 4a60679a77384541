"""A game and a pair of games that were played, and how they are written as JSON in a journal."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import isfinite
from typing import Any

from referee.isolation.process import ENDINGS
from referee.match.loop import MatchResult, both
from referee.match.openings import ply
from referee.match.planned import PlannedGame
from referee.players import files

SCORES = {0: 1.0, 1: 0.0, None: 0.5}  # the first player's, by `winner`


@dataclass(frozen=True)
class PlayedGame:
    """How one game went.  Figures of two are in the players' order, not by seat."""

    number: int
    first: int  # which of the players had the first seat
    winner: int | None
    ending: str
    at_fault: tuple[int, ...]
    reason: str
    turns: int
    cpu: tuple[float, float]
    wall: tuple[float, float]
    megabytes: tuple[float, float]
    course_megabytes: tuple[float, float]
    faults: tuple[str | None, str | None]  # in which way each was at fault
    moves: tuple[str, ...]  # behind the opening
    action_cpu: tuple[tuple[float, ...], tuple[float, ...]]  # what each action of each player's took
    action_megabytes: tuple[tuple[float, ...], tuple[float, ...]]  # and the memory by then
    record: str | None = None  # the file with its record
    where: tuple[str, str] | None = None  # the line of its code in which each failed, "" where none is known
    refused: tuple[str, str] | None = (
        None  # the actions of a turn that was broken off, "" where there was none
    )

    @classmethod
    def of(cls, planned: PlannedGame, result: MatchResult, record: str | None = None) -> "PlayedGame":
        """The game that was planned and came to this result."""
        player_in = planned.seated((0, 1))
        faults = both(lambda seat: result.faults[seat].ending if seat in result.faults else None)
        used = planned.seated(both(lambda seat: by_action(result, seat)))
        return cls(
            number=planned.number,
            first=planned.first,
            winner=None if result.winner is None else player_in[result.winner],
            ending=result.ending,
            at_fault=tuple(sorted(player_in[seat] for seat in result.at_fault)),
            reason=result.reason,
            turns=result.turns,
            cpu=planned.seated(result.cpu),
            wall=planned.seated(result.wall),
            megabytes=planned.seated(result.megabytes),
            course_megabytes=planned.seated(result.course_megabytes),
            faults=planned.seated(faults),
            moves=tuple(ply(turn.chosen) for turn in result.history if turn.played),
            action_cpu=(used[0][0], used[1][0]),
            action_megabytes=(used[0][1], used[1][1]),
            record=record,
            where=planned.seated(_where(result)) if any(_where(result)) else None,
            refused=planned.seated(_refused(result)) if any(_refused(result)) else None,
        )

    def why(self, player: int) -> str:
        """How it ended, and where in that player's code."""
        return f"{self.reason} ({self.where[player]})" if self.where and self.where[player] else self.reason

    @property
    def score(self) -> float:
        """The first player's."""
        return SCORES[self.winner]

    @property
    def blamed(self) -> int | list[int] | None:
        """Who was at fault, as JSON has it: nobody, one, or both."""
        return list(self.at_fault) if len(self.at_fault) == 2 else (*self.at_fault, None)[0]

    def failed_early(self, player: int) -> bool:
        """Whether that player failed before its first action."""
        return self.faults[player] is not None and not self.action_cpu[player]

    def failed_idle(self, player: int) -> bool:
        """Whether that player failed before it had completed an action: before its first one, or in it."""
        if self.faults[player] is None or len(self.action_cpu[player]) > 1:
            return False
        # The turn in which somebody fails to act is not played.
        return not self.action_cpu[player] or len(self.moves) < self.turns

    def seated(self, two: Any) -> tuple[Any, Any]:
        """By seat what is in the players' order."""
        return (two[0], two[1]) if self.first == 0 else (two[1], two[0])

    def result(self) -> dict[str, Any]:
        """What `play --json` prints of it as well: how it ended and what it took."""
        return {
            "first": self.first,
            "winner": self.winner,
            "ending": self.ending,
            "at_fault": self.blamed,
            "reason": self.reason,
            "turns": self.turns,
            "cpu": self.cpu,
            "wall": [round(seconds, 3) for seconds in self.wall],
            "megabytes": self.megabytes,
            "course_megabytes": self.course_megabytes,
        }

    def plain(self) -> dict[str, Any]:
        """As a journal has it."""
        return {
            "number": self.number,
            **self.result(),
            "cpu": [round(seconds, 6) for seconds in self.cpu],
            "megabytes": [round(size, 3) for size in self.megabytes],
            "course_megabytes": [round(size, 3) for size in self.course_megabytes],
            "faults": self.faults,
            "moves": self.moves,
            "action_cpu": self.action_cpu,
            "action_megabytes": self.action_megabytes,
            **({"record": self.record} if self.record else {}),
            **({"where": self.where} if self.where else {}),
            **({"refused": self.refused} if self.refused else {}),
        }


@dataclass(frozen=True)
class PlayedPair:
    """An opening that was played twice, seats swapped; where an odd number was asked for, once."""

    id: str
    players: tuple[int, int]  # their indices in the tournament
    number: int
    opening: tuple[str, ...]
    games: tuple[PlayedGame, ...]
    seconds: float  # wall time
    cost: float  # CPU seconds of the match process, players not counted

    def plain(self) -> dict[str, Any]:
        """As a journal has it."""
        return {
            "pair": self.id,
            "players": self.players,
            "number": self.number,
            "opening": self.opening,
            "games": [game.plain() for game in self.games],
            "seconds": self.seconds,
            "cost": self.cost,
        }

    def shown_unable(self, place: int) -> PlayedGame | None:
        """The game that shows that the first of the two, or the second, cannot play; None where it can.

        Such a player failed before its first action, or completed none in either game.
        """
        early = [game for game in self.games if game.failed_early(place)]
        is_idle = len(self.games) == 2 and all(game.failed_idle(place) for game in self.games)
        return (*early, *(self.games if is_idle else ()), None)[0]

    def with_players(self, first: int, second: int, number: int) -> "PlayedPair":
        """The same games in other results, where the players have these indices and the pair this number."""
        if first < second:
            return replace(self, players=(first, second), number=number)
        games = tuple(_exchanged(game) for game in reversed(self.games))
        return replace(self, players=(second, first), number=number, games=games)


def _exchanged(game: PlayedGame) -> PlayedGame:
    """The same game with the players in the other order."""
    pairs = ("cpu", "wall", "megabytes", "course_megabytes", "faults", "action_cpu", "action_megabytes")
    return replace(
        game,
        where=game.where and (game.where[1], game.where[0]),
        refused=game.refused and (game.refused[1], game.refused[0]),
        first=1 - game.first,
        winner=None if game.winner is None else 1 - game.winner,
        at_fault=tuple(sorted(1 - player for player in game.at_fault)),
        **{name: getattr(game, name)[::-1] for name in pairs},
    )


def pair_from(plain: Mapping[str, Any]) -> PlayedPair:
    """The pair that a line of a journal is; ValueError, or another of journal.DAMAGED, where it is none."""
    first, second = plain["players"]
    games = tuple(game_from(game) for game in plain["games"])
    number, opening = plain["number"], plain["opening"]
    right = [
        type(plain["pair"]) is str,
        type(number) is int and number > 0,
        type(first) is type(second) is int and 0 <= first < second,
        type(opening) is list and all(type(text) is str for text in opening),
        [game.first for game in games] == [0, 1],
        all(type(figure) in (int, float) for figure in (plain["seconds"], plain["cost"])),
    ]
    if not all(right):
        raise ValueError("not a pair of this tournament")
    return PlayedPair(
        plain["pair"], (first, second), number, tuple(opening), games, plain["seconds"], plain["cost"]
    )


def game_from(plain: Mapping[str, Any]) -> PlayedGame:
    """The game that `plain` described, every figure of the type that it should have."""
    blamed, (first_cpu, second_cpu) = plain["at_fault"], plain["action_cpu"]
    first_megabytes, second_megabytes = plain["action_megabytes"]
    game = PlayedGame(
        number=plain["number"],
        first=plain["first"],
        winner=plain["winner"],
        ending=plain["ending"],
        at_fault=tuple(blamed) if type(blamed) is list else () if blamed is None else (blamed,),
        reason=plain["reason"],
        turns=plain["turns"],
        cpu=_two(plain["cpu"]),
        wall=_two(plain["wall"]),
        megabytes=_two(plain["megabytes"]),
        course_megabytes=_two(plain["course_megabytes"]),
        faults=_two(plain["faults"]),
        moves=tuple(plain["moves"]),
        action_cpu=(tuple(first_cpu), tuple(second_cpu)),
        action_megabytes=(tuple(first_megabytes), tuple(second_megabytes)),
        record=plain.get("record"),
        where=_two(plain["where"]) if "where" in plain else None,
        refused=_two(plain["refused"]) if "refused" in plain else None,
    )
    figures = [*game.cpu, *game.wall, *game.megabytes, *game.course_megabytes]
    figures += [*first_cpu, *second_cpu, *first_megabytes, *second_megabytes]
    right = (
        type(game.number) is type(game.turns) is int,
        game.first in (0, 1) and type(game.first) is int,
        game.winner in SCORES and type(game.winner) in (int, type(None)),
        game.ending in ENDINGS,
        not game.at_fault
        or (game.at_fault in ((0,), (1,), (0, 1)) and all(type(one) is int for one in game.at_fault)),
        type(game.reason) is str,
        set(map(type, game.moves)) <= {str},
        game.faults == (None, None) or all(kind is None or kind in ENDINGS[1:] for kind in game.faults),
        set(map(type, figures)) <= {int, float} and all(map(isfinite, figures)),
        len(first_cpu) == len(first_megabytes) and len(second_cpu) == len(second_megabytes),
        "record" not in plain or _is_path(game.record),
        all(type(text) is str for text in (*(game.where or ()), *(game.refused or ()))),
    )
    if not all(right):
        raise ValueError("not a game of this tournament")
    return game


def kept_at(game: PlayedGame, path: str) -> PlayedGame:
    """The same game, whose record is there."""
    return replace(game, record=path)


def by_action(result: MatchResult, seat: int) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Seconds from each of its actions to the next, and its memory by then."""
    cpu, megabytes, since = [], [], 0.0
    for turn in result.history:
        since += turn.cpu[seat]
        if seat in turn.players:
            cpu.append(round(since, 4))
            megabytes.append(round(turn.megabytes[seat], 1))
            since = 0.0
    return tuple(cpu), tuple(megabytes)


def _where(result: MatchResult) -> tuple[str, str]:
    """By seat the innermost line of a player's traceback: `file.py:3 in action: ...`."""

    def line(seat: int) -> str:
        lines = result.faults[seat].where.splitlines() if seat in result.faults else []
        return files.without_folder(lines[-1]) if lines else ""

    return line(0), line(1)


def _refused(result: MatchResult) -> tuple[str, str]:
    """By seat the action in the last turn, if that was broken off."""
    broken = [turn.chosen for turn in result.history if not turn.played]
    return both(lambda seat: repr(broken[0][seat]) if broken and seat in broken[0] else "")


def _two(values: Any) -> tuple[Any, Any]:
    first, second = values
    return first, second


def _is_path(value: Any) -> bool:
    return type(value) is str and value != "" and "\0" not in value
