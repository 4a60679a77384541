"""Plays one game: asks the players, judges and tells what they chose, and says how the game ended.

A match knows two things: a `rules.State`, and two seats.  A seat is a player somewhere (its own
process, a person at a keyboard, a list in a test) that is asked and told, and raises `Fault` where
the player breaks a rule.  Who looks on is a `Watcher`: the terminal, the record and the log are told
what happens as it happens, and so is a seat that is one, a person's.
"""

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from os.path import commonprefix
from typing import Any, Protocol, TypeVar

from referee.isolation.process import CannotImport, Fault
from referee.match.adjudication import Adjudication
from referee.players.text import shorten
from referee.rules import Action, State

T = TypeVar("T")
Faults = Mapping[int, Fault]  # by player; empty where nobody is at fault
LEGAL_SHOWN = 12  # of the legal actions that a verdict lists
FRAME = re.compile(r"(.+?):(\d+) in ")  # of a traceback, as a fault tells it
LIBRARY = re.compile(r"[/\\](site-packages|lib[/\\]python3\.\d+)[/\\]")
TAKEN = "taken for the plain action, as its course's program does; with --strict it is illegal"


class Seat(Protocol):
    """What the loop needs of a player.

    A player that is charged CPU time tells its `wall`, too; where there is none, `cpu` is wall time.
    """

    @property
    def cpu(self) -> float: ...  # seconds charged so far
    @property
    def cpu_left(self) -> float | None: ...  # None: not limited
    @property
    def megabytes(self) -> float: ...
    @property
    def course_megabytes(self) -> float: ...  # what a course's own machine would have counted

    def spawn(self) -> None: ...  # does not wait, so that both get ready at once
    def start(self) -> None: ...
    def construct(self) -> None: ...
    def action(self) -> Action: ...
    def update(self, *news: Action) -> None: ...
    def take_output(self) -> str: ...  # what the player printed since this was last called
    def close(self) -> None: ...

    # A program's, which is told how the game ended before it is closed:
    # def dismiss(self, verdict: str) -> None: ...

    # Needed only where the game does not begin at its start:
    # def set_up(self, line: str) -> None: ...

    # Needed only where a turn may be taken back, or a recorded game goes on:
    def again(self, cpu: float) -> "Seat": ...  # the same player anew, not limited until it resumes
    def resume(self, cpu: float, actions: int) -> None: ...  # its clock goes on from there


class TakeBack(Exception):
    """A player that is asked wants its last choice back, and with it all that followed; there is one."""

    def __init__(self, player: int):
        super().__init__(player)
        self.player = player


class Resigned(Fault):
    """The player gives the game to the other."""

    def __init__(self) -> None:
        super().__init__("no answer", "action", "resigned")


@dataclass(frozen=True)
class Turn:
    """One round of the loop; two figures each are by seat."""

    number: int  # from 1; an opening's actions have no number, nobody was asked for them
    players: tuple[int, ...]  # who was asked
    chosen: Mapping[int, Action]  # what they answered; a player that did not answer is missing
    played: bool  # carried out; not so where an action was illegal or missing
    cpu: tuple[float, float]  # seconds charged in this turn; in the first also those before it
    megabytes: tuple[float, float]  # the largest so far
    searches: Mapping[int, Mapping[str, float]] = field(default_factory=dict)  # depth, score, nodes: who told


@dataclass(frozen=True)
class MatchResult:
    """How a game ended; two figures each are by seat, seat 0 having the first of the game's colours."""

    scores: tuple[float, float]
    ending: str  # one of process.ENDINGS; the first seat's where both were at fault
    call: str | None  # in which the fault happened, see process.Fault
    at_fault: tuple[int, ...]  # (), (0,), (1,) or (0, 1)
    faults: Faults
    reason: str
    turns: int
    cpu: tuple[float, float]
    megabytes: tuple[float, float]
    course_megabytes: tuple[float, float]
    wall: tuple[float, float]  # seconds that each was waited for, thinking or not
    opening: tuple[Mapping[int, Action], ...]
    history: tuple[Turn, ...]
    warnings: tuple[str, ...]
    notes: tuple[str, ...] = ()  # what is worth knowing and changes nothing

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

    def taken_back(self, match: "Match") -> None:
        """Turns were taken back: `match.history` is what is left, `match.state` is the state after it."""

    def printed(self, match: "Match", player: int, text: str) -> None:
        """What a player printed up to now, or the lines of its code in which it failed."""

    def end(self, match: "Match", result: MatchResult) -> None:
        """The game is over."""


class Match:
    """One game.  `names` are those of the players by seat; `opening` is told, not asked.

    So are the turns of `earlier`, which these players have played before: their clocks go on from there.
    With `position`, the text of the state, players are set up with that first.
    """

    def __init__(
        self,
        state: State,
        seats: tuple[Seat, Seat],
        names: Sequence[str],
        opening: Iterable[Mapping[int, Action]] = (),
        watchers: Sequence[Watcher] = (),
        adjudication: Adjudication | None = None,
        earlier: Sequence[Turn] = (),
        position: str | None = None,
    ):
        self.adjudication = adjudication
        self.earlier = tuple(earlier)
        self.position = position
        self.start = self.state = state
        self.seats = seats
        self.names = names
        self.opening = tuple(opening)
        self.watchers = (*watchers, *(seat for seat in seats if isinstance(seat, Watcher)))
        self.number = 0
        self.history: list[Turn] = []
        self.warnings: list[str] = []
        self.notes: list[str] = []
        self._raises = False
        self._noted: set[int] = set()  # players of whom it was noted that their actions are no plain literals
        self._charged = (0.0, 0.0)
        self._before: list[tuple[tuple[float, float], tuple[float, float]]] = []  # of each turn: see _turn

    def play(self, import_or_raise: bool = False) -> MatchResult:
        """Play to the end and close the seats.

        A player that does not import, or cannot be set up, forfeits; with `import_or_raise`, CannotImport is
        raised instead.
        """
        self._raises = import_or_raise
        try:
            if self.earlier:
                self.seats = both(lambda player: self.seats[player].again(self._used_before(player)))
            for seat in self.seats:
                seat.spawn()
            faults = _each((0, 1), lambda player: self.seats[player].start())
            for fault in faults.values():
                if import_or_raise and isinstance(fault, CannotImport):
                    raise fault
            self._report("begin")
            result = self._result(faults or self._loop())
            for seat in self.seats:
                if dismiss := getattr(seat, "dismiss", None):
                    dismiss(result.reason)
            self._report_output()
            for player, fault in result.faults.items():
                if fault.where:
                    self._report("printed", player, fault.where)
            self._report("end", result)
            return result
        finally:
            for seat in self.seats:
                seat.close()

    @property
    def plies(self) -> tuple[Mapping[int, Action], ...]:
        """All that was played since the start of the game, the opening included."""
        return (*self.opening, *(turn.chosen for turn in self.history if turn.played))

    def title(self, player: int) -> str:
        """A player as verdicts name it, with its colour: `kalaha_agent (A)`."""
        return f"{self.names[player]} ({self.state.COLOURS[player]})"

    @property
    def titles(self) -> tuple[str, str]:
        """Those of both, by seat."""
        return self.title(0), self.title(1)

    # The loop

    def _loop(self) -> Faults:
        """Play until the game is over by the rules, or by the faults that are returned."""
        faults = _each((0, 1), self._make)
        for fault in faults.values():
            if isinstance(fault, CannotImport):
                raise fault
        for chosen in self.opening:
            if faults := faults or self._tell_and_advance(chosen):
                return faults
            self._report("opened", chosen)
        faults = faults or self._go_through_earlier()
        while not faults and (players := self.state.to_act()) and not self._adjudged():
            faults = self._turn(players)
        return faults

    def _make(self, player: int) -> None:
        seat = self.seats[player]
        seat.construct()
        if self.position is None:
            return
        try:
            seat.set_up(self.position)  # type: ignore[attr-defined]  # of those whose game begins elsewhere
        except Fault as fault:
            if fault.call == "set_up" and self._raises:
                said = f"{self.title(player)} cannot begin from a position: {fault.message}"
                raise CannotImport(fault.ending, fault.call, said) from None
            raise

    def _go_through_earlier(self) -> Faults:
        """Tell the players of the turns that they have played, and let their clocks go on."""
        for turn in self.earlier:
            self.number = turn.number
            self._before.append((self._charged, self._charged))
            self._report("ask")
            faults = self._tell_and_advance(turn.chosen)
            self.history.append(turn)
            self._charged = self._used_before(0, turn.number), self._used_before(1, turn.number)
            self._report("turn", turn)
            if faults:
                return faults
        for player, seat in enumerate(self.seats if self.earlier else ()):
            seat.take_output()  # what it says now it has said before
            seat.resume(self._charged[player], sum(player in turn.players for turn in self.earlier))
        return {}

    def _used_before(self, player: int, turns: int | None = None) -> float:
        return sum(turn.cpu[player] for turn in self.earlier[:turns])

    def _adjudged(self) -> tuple[tuple[float, float], str] | None:
        return self.adjudication.verdict(self.history, self.state.COLOURS) if self.adjudication else None

    def _turn(self, players: tuple[int, ...]) -> Faults:
        self.number += 1
        # What was charged when the turn before had ended, and now: the first turn has the constructor's, too.
        self._before[self.number - 1 :] = [(self._charged, self._clocks())]
        self._report("ask")
        chosen: dict[int, Action] = {}
        try:
            faults = _each(players, lambda player: self._ask_and_judge(player, chosen))
        except TakeBack as wish:
            return self._take_back(wish.player)
        played = not faults
        if played:
            faults = self._tell_and_advance(chosen)
        self._end_turn(players, chosen, played)
        return faults

    def _ask_and_judge(self, player: int, chosen: dict[int, Action]) -> None:
        chosen[player] = action = self.seats[player].action()
        legal = self.state.actions(player)
        if not is_legal(action, legal):
            raise Fault("illegal action", "action", _illegal(action, legal))
        turned = getattr(self.seats[player], "turned", "")
        if turned and player not in self._noted:
            self._noted.add(player)
            self.notes.append(f"turn {self.number}: {self.title(player)} returned {turned}: {TAKEN}")

    def _tell_and_advance(self, chosen: Mapping[int, Action]) -> Faults:
        before, self.state = self.state, self.state.after(chosen)
        faults = _each((0, 1), lambda player: self.seats[player].update(*before.news(player, chosen)))
        if not self.state.outcome():
            return faults
        # What is decided on the board stays decided, though a course's referee may void the game.
        for player, fault in faults.items():
            self.warnings.append(f"after the last turn: {self.title(player)}: {_words(fault)}")
        return {}

    def _take_back(self, player: int) -> Faults:
        """To before that player's last choice; processes are made anew and told what is left.

        Their clocks are put back to where they were then: setting up is not charged.
        """
        last = max(turn.number for turn in self.history if player in turn.players)
        del self.history[last - 1 :]
        self.number = last - 1
        self._charged, clocks = self._before[last - 1]
        self.warnings.append(f"turn {last}: {self.title(player)} took it back")
        self.seats = both(lambda player: self.seats[player].again(clocks[player]))
        for seat in self.seats:
            seat.spawn()
        faults = _each((0, 1), lambda player: self._set_up(player, clocks[player]))
        self.state = follow(self.start, self.plies)
        self._report("taken_back")
        return faults

    def _set_up(self, player: int, cpu: float) -> None:
        seat = self.seats[player]
        seat.start()
        self._make(player)
        follow(self.start, self.plies, seat, player)
        seat.take_output()  # what it says now it has said before
        actions = sum(player in turn.players for turn in self.history)
        seat.resume(cpu, actions)

    def _end_turn(self, players: tuple[int, ...], chosen: Mapping[int, Action], played: bool) -> None:
        before, self._charged = self._charged, self._clocks()
        cpu = both(lambda player: self._charged[player] - before[player])
        searched = {player: getattr(self.seats[player], "searched", None) for player in players}
        searches = {player: said for player, said in searched.items() if said}
        megabytes = both(lambda player: self.seats[player].megabytes)
        turn = Turn(self.number, players, chosen, played, cpu, megabytes, searches)
        self.history.append(turn)
        self._report("turn", turn)
        self._report_output()

    def _clocks(self) -> tuple[float, float]:
        return both(lambda player: self.seats[player].cpu)

    # What others are told

    def _report(self, event: str, *details: Any) -> None:
        for watcher in self.watchers:
            getattr(watcher, event)(self, *details)

    def _report_output(self) -> None:
        for player, seat in enumerate(self.seats):
            if text := seat.take_output():
                self._report("printed", player, text)

    def _result(self, faults: Faults) -> MatchResult:
        outcome = self._forfeit(faults) if faults else self.state.outcome() or self._adjudged()
        if outcome is None:
            raise ValueError(f"the rules let nobody act and name no outcome: {self.state.text()}")
        scores, reason = outcome
        at_fault = tuple(sorted(faults))
        return MatchResult(
            scores=scores,
            ending=faults[at_fault[0]].ending if faults else "finished",
            call=faults[at_fault[0]].call if faults else None,
            at_fault=at_fault,
            faults=faults,
            reason=reason,
            turns=self.number,
            cpu=self._clocks(),
            megabytes=both(lambda player: self.seats[player].megabytes),
            course_megabytes=both(lambda player: self.seats[player].course_megabytes),
            wall=both(lambda player: getattr(self.seats[player], "wall", self.seats[player].cpu)),
            opening=self.opening,
            history=tuple(self.history),
            warnings=(*self.warnings, *self._seats_warnings()),
            notes=tuple(self.notes),
        )

    def _seats_warnings(self) -> list[str]:
        """What seats have to say that nobody is at fault for."""
        said = [
            (player, one) for player, seat in enumerate(self.seats) for one in getattr(seat, "warnings", ())
        ]
        return [f"{self.title(player)}: {one}" for player, one in said]

    def _forfeit(self, faults: Faults) -> tuple[tuple[float, float], str]:
        """The scores and the reason: the other player gets the point, and two at fault share it."""
        where = f"turn {self.number}" if self.number else "before turn 1"
        said = [f"{self.title(player)} forfeits: {_words(faults[player])}" for player in sorted(faults)]
        if len(faults) == 2:
            return (0.5, 0.5), f"{where}: draw, since both forfeit: {'; '.join(said)}"
        return both(lambda player: 0 if player in faults else 1), f"{where}: {said[0]}"


def both(call: Callable[[int], T]) -> tuple[T, T]:
    """What a call gives for player 0, and for player 1."""
    return call(0), call(1)


class Told(Protocol):
    """Who can be told of actions."""

    def update(self, *news: Action) -> None: ...


def follow(
    state: State, plies: Iterable[Mapping[int, Action]], seat: Told | None = None, player: int = 0
) -> State:
    """The state after the plies; the player in the seat, if there is one, is told of each."""
    for chosen in plies:
        if seat:
            seat.update(*state.news(player, chosen))
        state = state.after(chosen)
    return state


def is_legal(action: Action, legal: Iterable[Action]) -> bool:
    """Whether the action is one of the legal ones, type for type: True is not 1, nor 4.0 four.

    Equal literals are written alike exactly when their types are the same all the way down.
    """
    return any(action == one and repr(action) == repr(one) for one in legal)


def _each(players: Iterable[int], call: Callable[[int], None]) -> Faults:
    """Call for each of the players, whatever the ones before did: one's fault must not hide the other's."""
    faults = {}
    for player in players:
        try:
            call(player)
        except Fault as fault:
            faults[player] = fault
    return faults


def _illegal(action: Action, legal: Sequence[Action]) -> str:
    """What is said of an illegal action: the legal ones that begin as it does come first."""
    written = repr(action)
    alike = sorted(map(repr, legal), key=lambda one: -len(commonprefix([written, one])))
    listed = ", ".join(alike[:LEGAL_SHOWN])
    if len(legal) > LEGAL_SHOWN:
        listed += f" and {len(legal) - LEGAL_SHOWN} more"
    return f"action {shorten(written)} is illegal; legal are {listed}"


def _words(fault: Fault) -> str:
    if isinstance(fault, Resigned):
        return fault.message
    if fault.ending == "illegal action":
        return shorten(fault.message, 1000)
    return f"{fault.ending} in {fault.call}: {shorten(fault.message)}{place_of(fault)}"


def place_of(fault: Fault) -> str:
    """` (player.py:12)`, the innermost line of the player's own code in which it failed; "" for none."""
    lines = [FRAME.match(line) for line in fault.where.splitlines()]
    own = [found for found in lines if found and not LIBRARY.search(found[1])]
    if not own:
        return ""
    path, line = own[-1].groups()
    near = os.path.relpath(path)
    short = near if not near.startswith("..") else os.path.join(*path.split(os.sep)[-2:])
    return f" ({short}:{line})"
