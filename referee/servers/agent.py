"""Runs our player in a game on another program's server: on wall time, and always with a legal action."""

import time
from collections.abc import Callable
from functools import partial
from typing import Any, Self

from referee import UsageError, rules
from referee.isolation.allowance import Allowance
from referee.isolation.process import CannotImport, Fault
from referee.match.loop import is_legal
from referee.players.names import Spec
from referee.players.text import shorten
from referee.rules import Action, Limits, State
from referee.servers.reserve import Reserve
from referee.servers.timed_process import SENT_PLAIN, Late, Overtaken, TimedProcess, timed_process

UNHURRIED = 60.0  # seconds for what no server's clock runs for: the constructor, updates
GRACE = 0.05  # seconds that a late player has to end its thoughts; then the reserve takes its place
LEAST = 0.01  # seconds: with less than this the player is not asked
RESTARTS = 5  # in a game; a player that fails more often is not asked again


class Agent:
    """One player of one game.

    `limits` are the server's; `margin` seconds of them are kept back for the way there and back.  The
    player is told what is left less half a margin, and has to answer by its own clock.  Where it is late, or
    makes another mistake, the best action that it has told by then is played, else the first legal one;
    `note` is told, and a new instance is fed what has happened so far: in the same process, if that soon
    has an end, else in one that was kept ready meanwhile, so that the next turn has its whole time.
    Of the `allowance` only how it is isolated counts.
    """

    player: int  # its seat, from `sit` on

    def __init__(
        self,
        game: str,
        spec: Spec,
        limits: Limits,
        margin: float,
        note: Callable[[str], None],
        allowance: Allowance,
    ) -> None:
        self.spec = spec
        self.faults: list[Fault] = []
        self._game = game
        self._limits = limits
        self._margin = margin
        self._note = note
        self._allowance = allowance
        self._process: TimedProcess | None = None
        self.reserve = Reserve(self._prepared)
        self._failures = 0  # faults but for being late
        self._colour = ""
        self._news: list[tuple[tuple[Any, ...], dict[str, Any]]] = []
        self._printed = ""  # by processes that are gone
        self._asked = 0
        self._has_turned = False  # its actions into plain ones: that is said once
        self._is_behind = False  # the process still thinks about an action that nobody waits for
        self._used = 0.0  # seconds of all its actions

    # Calls, in this order

    def start(self) -> None:
        """Import the player, before there is a server whose time runs; UsageError where that fails."""
        self._process = self._prepared()
        try:
            self._process.start()
        except CannotImport as fault:
            raise UsageError(f"{self.spec.name}: {fault.message}") from None
        except Fault as fault:
            self._failed(fault)
            self._drop()
        self.reserve.prepare()

    def sit(self, player: int, colour: str) -> None:
        """Make the player, now that its seat is known."""
        self.player, self._colour = player, colour
        self._carefully(self._feed)
        self._recover()

    def action(
        self, state: State, since: float | None = None, overtaken: Callable[[], bool] | None = None
    ) -> Action:
        """A legal action.  `since`: the moment at which the server's clock was started, if not now.

        When `overtaken`, asked again and again meanwhile, says that nobody waits for the action any more,
        the best so far is returned at once.
        """
        legal = state.actions(self.player)
        began = time.monotonic()
        allowed = self.allowed() - (began - since if since else 0.0)
        self._asked += 1
        process = self._process
        if process is None:
            return legal[0]
        if allowed < LEAST:
            self._note(f"no time is left to ask {self.spec.name}; {legal[0]!r} is played")
            return legal[0]
        told: list[Action] = []
        process.listener, process.overtaken = told.append, overtaken
        try:
            process.allow(allowed, GRACE)
            action = process.action()
            if not is_legal(action, legal):
                raise Fault("illegal action", "action", f"{shorten(repr(action))} is illegal")
            self._note_turned(process.turned)
            return action
        except Overtaken:
            fault = None
            self._is_behind = True
        except Late:
            fault = Fault("out of time", "action", f"no answer within {allowed:.2f} s")
            self._is_behind = True
        except Fault as caught:
            fault = caught
            self._drop()
        finally:
            self._used += time.monotonic() - began
            process.overtaken = None
        best = next((action for action in reversed(told) if is_legal(action, legal)), legal[0])
        if fault:
            self._failed(fault, f"; {best!r} is played in its stead")
        return best

    def update(self, *news: Any, replaced: bool = False, **named: Any) -> None:
        """Tell it what happened; `replaced`: something else than what it chose, so that it starts anew."""
        self._news.append((news, named))
        if self._process and self._is_behind:
            try:
                self._process.catch_up(GRACE)
            except Fault:  # it was said already that it is late
                self._drop()
        if replaced or self._is_behind:
            self._carefully(self._feed)
        else:
            self._carefully(lambda process: process.update(*news, **named))
        self._is_behind = False
        self._recover()

    def hand_over(self) -> TimedProcess:
        """Give away the process, started and not yet a player, to who makes the player otherwise."""
        process, self._process = self._process, None
        return process or self.reserve.take()

    def close(self) -> None:
        self.reserve.close()
        self._drop()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    # Figures

    @property
    def cpu(self) -> float:
        """Seconds of wall time that its actions took."""
        return self._used

    @property
    def megabytes(self) -> float:
        return self._process.megabytes if self._process else 0.0

    @property
    def course_megabytes(self) -> float:
        return self._process.course_megabytes if self._process else 0.0

    def take_output(self) -> str:
        """What it printed since this was last called, in whichever process."""
        text, self._printed = self._printed, ""
        return text + (self._process.take_output() if self._process else "")

    def allowed(self) -> float:
        """Seconds until the next answer has to be on its way."""
        limit = self._limits.action
        if not self._asked and self._limits.first is not None:
            limit = self._limits.first
        if self._limits.game is not None:
            limit = self._limits.game - self._used
        return self._kept(UNHURRIED * 10 if limit is None else limit)

    # After a fault

    def _kept(self, seconds: float) -> float:
        """What is left of a limit when the margin is taken off: at least three quarters."""
        return seconds - min(self._margin, seconds / 4)

    def _prepared(self) -> TimedProcess:
        return timed_process(self.spec, self._game, rules.start(self._game).COLOURS[0], self._allowance)

    def _told(self, late: float) -> dict[str, float]:
        """The limits as a new player has to know them, where that many seconds of its turn have passed."""
        limits = self._limits
        game = None if limits.game is None else limits.game - self._used
        usual = limits.action if game is None else game
        first = usual if self._asked else limits.first
        told = {
            "seconds": usual,
            "game_seconds": game,
            "action_seconds": limits.action,
            "first_seconds": first,
        }
        late += self._margin / 2
        return {name: max(limit / 4, self._kept(limit) - late) for name, limit in told.items() if limit}

    def _feed(self, process: TimedProcess, late: float = 0.0) -> None:
        """Make the player and tell it all that has happened."""
        process.construct(self._colour, **self._told(late))
        for news, named in self._news:
            process.allow(UNHURRIED)
            process.update(*news, **named)

    def _carefully(self, call: Callable[[TimedProcess], None]) -> None:
        """Have the player do something that no server's clock runs for, if there is one."""
        if self._process is None:
            return
        try:
            self._process.allow(UNHURRIED)
            call(self._process)
        except Fault as fault:
            self._failed(fault)
            self._drop()

    def _note_turned(self, types: str) -> None:
        if types and not self._has_turned:
            self._has_turned = True
            self._note(f"{self.spec.name} returned {types}: {SENT_PLAIN}")

    def _failed(self, fault: Fault, then: str = "") -> None:
        self.faults.append(fault)
        self._failures += fault.ending != "out of time"
        self._note(f"{self.spec.name}: {fault}{then}")

    def _drop(self) -> None:
        if self._process:
            self._process.close()
            self._printed += self._process.take_output()
            self._process = None

    def _recover(self) -> None:
        """Where there is no player any more, a new one that knows all the old one was told."""
        began = time.monotonic()
        while self._process is None and self._failures <= RESTARTS:
            self._process = self.reserve.take()
            self._carefully(partial(self._feed, late=time.monotonic() - began))
            self.reserve.prepare()
