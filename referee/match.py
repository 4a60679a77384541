"""The game loop: ask, judge, tell, advance, and the verdict in words when a player is at fault.

A match knows two things: a `rules.State`, and two seats.  A seat is a player somewhere (its own
process, a person at a keyboard, a list in a test) with `start()`, `construct()`, `action()`,
`update(...)` and `close()`, which raise `Fault` where the player breaks a rule, and with the figures
`cpu`, `cpu_left`, `megabytes`, `course_megabytes` and `output`.  Who looks on is a `Watcher`:
the terminal, the record and the log are told what happens as it happens.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from referee.process import Fault
from referee.rules import Action, State

LEGAL_SHOWN = 12  # of the legal actions that a verdict lists
TEXT_SHOWN = 200  # characters of anything of a player's that goes into a verdict


class Seat(Protocol):
    """What the loop needs of a player."""

    cpu: float  # seconds charged so far
    cpu_left: float | None  # None: not limited
    megabytes: float
    course_megabytes: float  # what a course's own machine would have counted
    output: str  # what the player printed so far

    def start(self) -> None: ...
    def construct(self) -> None: ...
    def action(self) -> Action: ...
    def update(self, *news: Action) -> None: ...
    def close(self) -> None: ...


@dataclass(frozen=True)
class Turn:
    """One round of the loop; two figures each are by seat."""

    number: int  # from 1; an opening's actions have no number, nobody was asked for them
    players: tuple[int, ...]  # who was asked
    chosen: Mapping[int, Action]  # what they answered; a player that did not answer is missing
    played: bool  # carried out; not so where an action was illegal or missing
    cpu: tuple[float, float]  # seconds charged in this turn; in the first also those before it
    megabytes: tuple[float, float]  # the largest so far


@dataclass(frozen=True)
class Result:
    """How a game ended; two figures each are by seat, seat 0 having the first of the game's colours."""

    scores: tuple[float, float]
    ending: str  # one of process.ENDINGS; the first seat's where both were at fault
    call: str | None  # in which the fault happened: import, constructor, action or update
    at_fault: tuple[int, ...]  # (), (0,), (1,) or (0, 1)
    faults: Mapping[int, Fault]
    reason: str
    turns: int
    cpu: tuple[float, float]
    megabytes: tuple[float, float]
    course_megabytes: tuple[float, float]
    opening: tuple[Mapping[int, Action], ...]
    history: tuple[Turn, ...]
    warnings: tuple[str, ...]

    @property
    def winner(self) -> int | None:
        """The seat that won, or None for a draw."""
        return None if self.scores[0] == self.scores[1] else self.scores.index(max(self.scores))


class Watcher:
    """Is told of everything that happens in a match; the ones here look away."""

    def begin(self, match: "Match") -> None:
        """The game begins; next the players are started and made."""

    def opened(self, match: "Match", chosen: Mapping[int, Action]) -> None:
        """Both players were told of one set action of the opening; `match.state` is the state after it."""

    def ask(self, match: "Match") -> None:
        """Turn `match.number` begins: the players of `match.state.to_act()` are asked."""

    def turn(self, match: "Match", turn: Turn) -> None:
        """The turn is over, or broken off by a fault; `match.state` is where the game stands now."""

    def end(self, match: "Match", result: Result) -> None:
        """The game is over."""


class Forfeit(Exception):
    """The game ends here by somebody's fault, or by the faults of both."""

    def __init__(self, faults: Mapping[int, Fault]):
        super().__init__(faults)
        self.faults = faults


class Match:
    """One game.  `names` are those of the players by seat; `opening` is told, not asked."""

    def __init__(
        self,
        state: State,
        seats: Sequence[Seat],
        names: Sequence[str],
        opening: Iterable[Mapping[int, Action]] = (),
        watchers: Sequence[Watcher] = (),
    ):
        self.state = state
        self.seats = seats
        self.names = names
        self.opening = tuple(opening)
        self.watchers = watchers
        self.number = 0
        self.history: list[Turn] = []
        self.warnings: list[str] = []
        self._charged = (0.0, 0.0)

    def play(self, started: bool = False) -> Result:
        """Play to the end and close the seats; `started` says that somebody started them before."""
        try:
            result = self._loop(started)
            for watcher in self.watchers:
                watcher.end(self, result)
            return result
        finally:
            for seat in self.seats:
                seat.close()

    def title(self, player: int) -> str:
        """How the verdict speaks of a player: `kalaha_agent (A)`."""
        return f"{self.names[player]} ({self.state.COLOURS[player]})"

    # The loop

    def _loop(self, started: bool) -> Result:
        try:
            for watcher in self.watchers:
                watcher.begin(self)
            if not started:
                _each((0, 1), lambda player: self.seats[player].start())
            _each((0, 1), lambda player: self.seats[player].construct())
            for chosen in self.opening:
                self._tell_and_advance(chosen)
                for watcher in self.watchers:
                    watcher.opened(self, chosen)
            while players := self.state.to_act():
                self._turn(players)
        except Forfeit as forfeit:
            return self._forfeited(forfeit.faults)
        scores, reason = self.state.outcome()
        return self._result(scores, reason)

    def _turn(self, players: tuple[int, ...]) -> None:
        self.number += 1
        for watcher in self.watchers:
            watcher.ask(self)
        chosen = {}
        try:
            _each(players, lambda player: self._ask_and_judge(player, chosen))
            self._tell_and_advance(chosen)
        except Forfeit as forfeit:
            self._end_turn(players, chosen, played=all(f.call == "update" for f in forfeit.faults.values()))
            raise
        self._end_turn(players, chosen, played=True)

    def _ask_and_judge(self, player: int, chosen: dict[int, Action]) -> None:
        chosen[player] = action = self.seats[player].action()
        legal = self.state.actions(player)
        if not is_legal(action, legal):
            raise Fault("illegal action", "action", _illegal(action, legal))

    def _tell_and_advance(self, chosen: Mapping[int, Action]) -> None:
        before, self.state = self.state, self.state.after(chosen)
        try:
            _each((0, 1), lambda player: self.seats[player].update(*before.news(player, chosen)))
        except Forfeit as forfeit:
            # What is decided on the board stays decided, though a course's referee may void the game.
            if not self.state.outcome():
                raise
            for player, fault in sorted(forfeit.faults.items()):
                self.warnings.append(f"after the last turn: {self.title(player)}: {_words(fault)}")

    def _end_turn(self, players: tuple[int, ...], chosen: Mapping[int, Action], played: bool) -> None:
        before, self._charged = self._charged, tuple(seat.cpu for seat in self.seats)
        cpu = tuple(now - then for now, then in zip(self._charged, before, strict=True))
        turn = Turn(self.number, players, chosen, played, cpu, tuple(seat.megabytes for seat in self.seats))
        self.history.append(turn)
        for watcher in self.watchers:
            watcher.turn(self, turn)

    # The verdict

    def _forfeited(self, faults: Mapping[int, Fault]) -> Result:
        where = f"turn {self.number}" if self.number else "before turn 1"
        said = [f"{self.title(player)} forfeits: {_words(faults[player])}" for player in sorted(faults)]
        if len(faults) == 2:
            return self._result((0.5, 0.5), f"{where}: draw, both forfeit: {'; '.join(said)}", faults)
        scores = tuple(0 if player in faults else 1 for player in (0, 1))
        return self._result(scores, f"{where}: {said[0]}", faults)

    def _result(
        self, scores: tuple[float, float], reason: str, faults: Mapping[int, Fault] | None = None
    ) -> Result:
        at_fault = tuple(sorted(faults or ()))
        first = faults[at_fault[0]] if faults else None
        return Result(
            scores=scores,
            ending=first.ending if first else "finished",
            call=first.call if first else None,
            at_fault=at_fault,
            faults=faults or {},
            reason=reason,
            turns=self.number,
            cpu=tuple(seat.cpu for seat in self.seats),
            megabytes=tuple(seat.megabytes for seat in self.seats),
            course_megabytes=tuple(seat.course_megabytes for seat in self.seats),
            opening=self.opening,
            history=tuple(self.history),
            warnings=tuple(self.warnings),
        )


def is_legal(action: Action, legal: Iterable[Action]) -> bool:
    """Whether the action is one of the legal ones, type for type: True is not 1, nor 4.0 four.

    Equal literals are written alike exactly when their types are the same all the way down.
    """
    return any(action == one and repr(action) == repr(one) for one in legal)


def _each(players: Iterable[int], call: Callable[[int], None]) -> None:
    """Call for every player before anyone is judged: one's fault must not hide the other's."""
    faults = {}
    for player in players:
        try:
            call(player)
        except Fault as fault:
            faults[player] = fault
    if faults:
        raise Forfeit(faults)


def _illegal(action: Action, legal: Sequence[Action]) -> str:
    listed = ", ".join(repr(one) for one in legal[:LEGAL_SHOWN])
    if len(legal) > LEGAL_SHOWN:
        listed += f" and {len(legal) - LEGAL_SHOWN} more"
    return f"action {shorten(repr(action))} is illegal; legal are {listed}"


def _words(fault: Fault) -> str:
    if fault.ending == "illegal action":
        return shorten(fault.message, 1000)
    return f"{fault.ending} in {fault.call}: {shorten(fault.message)}"


def shorten(text: str, length: int = TEXT_SHOWN) -> str:
    """The text on one line, what is too long cut off and marked."""
    text = text.replace("\n", " ")
    return text if len(text) <= length else text[: length - 3] + "..."
