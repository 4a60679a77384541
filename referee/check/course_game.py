"""Plays one game as a course's program would: the package in one seat or both, else random moves."""

import math
import random
from collections.abc import Sequence
from typing import Any

from referee import rules
from referee.check.calls import LABELS
from referee.check.objected_games import recorded, shown
from referee.check.sandbox import PackageProcess, Trouble
from referee.isolation import plain
from referee.match.loop import MatchResult, Turn, both, is_legal
from referee.players.text import shorten
from referee.rules import Action, Limits

NO_ACTION = "which the course's program takes for none"
FORGOTTEN = "is there a `return` on every way?"
NODES = 20  # told where a step needs quick and repeatable actions, if the player can be told


class CourseGame:
    """One game in a process; both seats of one game may be the package's."""

    def __init__(
        self,
        process: PackageProcess,
        name: str,
        seats: tuple[int, ...],  # that the package plays
        seed: str,
        keywords: dict[str, Any],
        limits: Limits = Limits(),  # noqa: B008
        names: tuple[str, ...] = (),  # by which news are told; by position where there are none
        odd: str = "",  # the form in which the opponent's actions are told
    ):
        self.process, self.seats, self.keywords, self.limits = process, seats, keywords, limits
        self.name = name
        self.state = rules.start(name)
        self.names, self.odd = names, odd
        self.lots = random.Random(seed)
        self.seed = seed
        self.turns = 0
        self.played: list[tuple[int, Action]] = []  # by the package
        self.history: list[Turn] = []  # all that was played, and what was broken off
        self._fault: tuple[int, str, Trouble] | None = None  # whose, in which call, and what
        self.spent: dict[str, list[float]] = {"constructor": [], "action": [], "update": []}
        self.types: set[str] = set()  # that its actions had and should not have
        self._since = dict.fromkeys(seats, 0.0)  # seconds since each seat's last action
        self._noted = (0.0, 0.0)  # seconds of each seat when the turn before had ended
        self._acted: set[int] = set()

    def key(self, seat: int) -> str:
        """The name of a seat's player in the process."""
        return f"{self.seed} {seat}"

    def begin(self) -> "CourseGame":
        """Make the players."""
        for seat in self.seats:
            self._ask(seat, "new", self.state.COLOURS[seat], self.keywords, self.state.COURSE.judging)
        return self

    def turn(self) -> bool:
        """Play a turn; whether there was one to play."""
        to_act = self.state.to_act()
        if not to_act:
            return False
        self.turns += 1
        self.process.copy.on_turn(self.turns)
        chosen: dict[int, Action] = {}
        is_played = False
        try:
            for seat in to_act:
                legal = self.state.actions(seat)
                if seat in self.seats:
                    self._choose(seat, legal, chosen)
                else:
                    chosen[seat] = self.lots.choice(legal)
            before, self.state, is_played = self.state, self.state.after(chosen), True
            for seat in self.seats:
                news = before.news(seat, chosen)
                theirs = [chosen[other] for other in to_act if other != seat]
                odd = [number for number, one in enumerate(news) if self.odd and one in theirs][:1]
                self._ask(seat, "tell", news, self.names, self.odd, odd)
        finally:
            self._end_turn(to_act, chosen, is_played)
        return True

    def play(self, turns: int | None = None, actions: float = math.inf) -> "CourseGame":
        """Play to the end, or at most so many turns, or actions of the package's."""
        while (turns is None or self.turns < turns) and len(self.played) < actions and self.turn():
            pass
        return self

    def kept(self) -> str:
        """The position and the name of the record, which is written now."""
        copy = self.process.copy
        names = both(lambda seat: copy.handin.name if seat in self.seats else "random")
        limits = both(lambda seat: self._limits() if seat in self.seats else {})
        header = {"game": self.name, "players": names, "limits": limits}
        text = recorded(header, self.state.COLOURS, self.history, self._result(names))
        name = f"{self.name}-{names[0]}-{names[1]}-{self.seed}.txt"
        return shown(self.state, copy.keeper.keep(name, text))

    def _choose(self, seat: int, legal: list[Action], chosen: dict[int, Action]) -> None:
        answer = self._ask(seat, "choose")
        self._since[seat] = 0.0
        self._acted.add(seat)
        self.types.update(answer["odd"])
        if isinstance(answer["action"], dict):
            unfit = answer["action"]["unfit"]
            hint = f": {FORGOTTEN}" if unfit == "NoneType" else ""
            said = f"an action has {unfit} in it, {NO_ACTION}{hint}"
            raise self._trouble(seat, "action", said, ending="illegal action")
        chosen[seat] = action = plain.tuples(answer["action"])
        if not is_legal(action, legal):
            listed = ", ".join(map(repr, legal[:6])) + (
                f" and {len(legal) - 6} more" if len(legal) > 6 else ""
            )
            said = f"action {shorten(repr(action))} is illegal; legal are {listed}"
            raise self._trouble(seat, "action", said, ending="illegal action")
        self.played.append((seat, action))

    def _end_turn(self, players: tuple[int, ...], chosen: dict[int, Action], is_played: bool) -> None:
        before = self._noted
        self._noted = both(lambda seat: self.process.cpu.get(self.key(seat), 0.0))
        cpu = both(lambda seat: self._noted[seat] - before[seat])
        megabytes = both(lambda seat: self.process.resident / 1024 if seat in self.seats else 0.0)
        self.history.append(Turn(self.turns, players, chosen, is_played, cpu, megabytes))

    def _result(self, names: Sequence[str]) -> MatchResult | None:
        """How the game ended by what was objected to; None where it was not that which ended it."""
        if not self._fault:
            return None
        seat, call, trouble = self._fault
        outcome = self.state.outcome()
        said = f"{names[seat]} ({self.state.COLOURS[seat]})"
        how = "" if trouble.ending == "illegal action" else f"{trouble.ending} in {call}: "
        scores, reason = outcome or (
            both(lambda one: 0 if one == seat else 1),
            f"turn {self.turns}: {said} forfeits: {how}{trouble}",
        )
        megabytes = self.process.resident / 1024
        return MatchResult(
            scores=scores,
            ending="finished" if outcome else trouble.ending,
            call=None if outcome else call,
            at_fault=() if outcome else (seat,),
            faults={},
            reason=reason,
            turns=self.turns,
            cpu=self._noted,
            megabytes=both(lambda seat: megabytes if seat in self.seats else 0.0),
            course_megabytes=both(lambda seat: self.process.space / 1024 if seat in self.seats else 0.0),
            wall=(0.0, 0.0),  # which is not looked at here
            opening=(),
            history=tuple(self.history),
            warnings=(f"after the last turn: {said}: {trouble}",) if outcome else (),
        )

    def _limits(self) -> dict[str, float]:
        named = {name: getattr(self.limits, name) for name in ("game", "action", "first", "megabytes")}
        return {name: limit for name, limit in named.items() if limit is not None}

    def _ask(self, seat: int, call: str, *arguments: Any) -> Any:
        left = self._left(seat)
        try:
            answer = self.process.ask(self.key(seat), call, self.key(seat), *arguments, limit=left)
        except Trouble as trouble:
            raise self._trouble(seat, LABELS[call], trouble.message, trouble.where, trouble.ending) from None
        self.spent[LABELS[call]].append(self.process.last)
        self._since[seat] += self.process.last
        if left is not None and self.process.last > left:
            whole = self.limits.game or self._of_action(seat) or 0.0
            used = whole - left + self.process.last
            said = f"out of time in {LABELS[call]}, {used:.2f} s of CPU of {whole:g} s"
            raise self._trouble(seat, LABELS[call], said, ending="out of time")
        return answer

    def _trouble(
        self, seat: int, call: str, message: str, where: Sequence[str] = (), ending: str = "crashed"
    ) -> Trouble:
        """What went wrong in this game, in which turn; the game can be kept once it has begun."""
        trouble = Trouble(message, where, ending=ending)
        if not self.turns:
            return trouble
        self._fault = seat, call, trouble
        return Trouble(f"turn {self.turns}: {message}", where, self.kept, ending)

    def _of_action(self, seat: int) -> float | None:
        first = self.limits.first
        return first if first is not None and seat not in self._acted else self.limits.action

    def _left(self, seat: int) -> float | None:
        """Seconds of CPU that a seat has for what comes next; None: not limited."""
        if self.limits.game is not None:
            return self.limits.game - self.process.cpu.get(self.key(seat), 0.0)
        limit = self._of_action(seat)
        return None if limit is None else limit - self._since[seat]


def keywords(
    constructor: list[list[Any]] | None, variant: str, limits: Limits | None = None, quick: bool = False
) -> dict[str, Any]:
    """Of what a constructor may be told, what this one names: the variant, limits, or few nodes."""
    named = spelt(constructor)
    offered: dict[str, Any] = {"variant": variant} if variant else {}
    if quick and "nodes" in named:
        offered["nodes"] = NODES
    elif limits:
        offered |= {"seconds": limits.game or limits.action, **limits.keywords()}
    return {name: value for name, value in offered.items() if name in named}


def names_a_limit(constructor: list[list[Any]] | None, limits: Limits) -> bool:
    """Whether a constructor names a limit of time that counts for every action of such a game."""
    counting = {"seconds", "game_seconds" if limits.game else "action_seconds"}
    return not counting.isdisjoint(spelt(constructor))


def spelt(constructor: list[list[Any]] | None) -> list[str]:
    """The names that a constructor spells out after the colour's."""
    kinds = ("POSITIONAL_OR_KEYWORD", "KEYWORD_ONLY")
    return [name for name, kind, _ in (constructor or [])[1:] if kind in kinds]


def scaled(limits: Limits, share: float) -> Limits:
    """A part of the limits of time; memory is what it is."""
    game, action, first = (one and one * share for one in (limits.game, limits.action, limits.first))
    return Limits(game, action, first, limits.megabytes)
