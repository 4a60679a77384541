"""A player's process on wall time, for servers that decide its seat, time and position from call to call."""

import math
import time
from collections.abc import Callable
from dataclasses import replace

from referee.isolation.allowance import Allowance
from referee.isolation.process import PlayerProcess
from referee.isolation.program_process import ProgramProcess
from referee.isolation.replies import BadReply, read
from referee.match.record import read_literal
from referee.players.names import Spec
from referee.rules import Action

SENT_PLAIN = "sent as plain numbers, strings and tuples"

Listener = Callable[[Action], None]


class Late(Exception):
    """The answer is not there when it is due; it may come yet: see `catch_up`."""


class Overtaken(Exception):
    """Nobody wants the answer any more; it may come yet, as a late one."""


class TimedProcess(PlayerProcess):
    """A package in Python, on wall time.

    Where it names `tell` in its constructor, `listener` hears its best action so far.
    While it is waited for, `overtaken` is asked every hundredth of a second whether it still has to be.
    """

    def __init__(
        self,
        spec: Spec,
        variant: str,
        allowance: Allowance,
        extra: tuple[tuple[str, object], ...] = (),
        colour: str = "",
    ) -> None:
        super().__init__(spec, colour, variant, replace(allowance, wall=True), extra)
        self.listener: Listener | None = None
        self.overtaken: Callable[[], bool] | None = None
        self._due = math.inf

    def construct(self, colour: str = "", **offered: object) -> None:
        """Make the player, or make it anew, with these keywords if it names them."""
        self._colour = colour or self._colour
        self._offered.update(offered, tell=True)
        super().construct()

    def allow(self, seconds: float, grace: float = 0.0) -> None:
        """It may use so much from now on, whatever it has used before.

        With a grace, the next call raises Late when that is over, and the player lives on for as long.
        May be called from another thread: with nothing left, the call under way ends, and the player.
        """
        self._due = time.monotonic() + seconds if grace else math.inf
        self._account.allowance = replace(self._allowance, game=self.cpu + seconds + grace)

    def catch_up(self, seconds: float) -> None:
        """Wait for an answer that nobody wants any more, so that the player can be asked again."""
        self.allow(seconds)
        self._answered("action")

    def _has_reply(self) -> bool:
        """What it says on the way to its reply goes to the listener."""
        while (said := self._said_meanwhile()) is not None:
            if self.listener:
                self.listener(said)
        if super()._has_reply():
            return True
        if time.monotonic() > self._due:
            self._due = math.inf
            raise Late
        if self.overtaken and self.overtaken():
            raise Overtaken
        return False

    def _said_meanwhile(self) -> Action | None:
        """The action in the first line of the inbox, if that line is no reply yet."""
        line, end, rest = bytes(self._child.inbox).partition(b"\n")
        if not end:
            return None
        try:
            kind, contents = read(line, self._number)
            said = read_literal(contents[0]) if kind == "meanwhile" else None
        except (BadReply, ValueError):
            return None
        if said is not None:
            self._child.inbox[:] = rest
        return said


class TimedProgram(TimedProcess, ProgramProcess):
    """A program of any language, on wall time.  It says nothing while it thinks, and begins at the start."""


def timed_process(
    spec: Spec,
    game: str,
    colour: str,
    allowance: Allowance,
) -> TimedProcess:
    """The process of a player, a package in Python or a program; the colour may be another one in the end."""
    extra = (("game", game),) if spec.is_told_the_game else ()
    kind = TimedProgram if spec.program else TimedProcess
    return kind(spec, game.partition(":")[2], allowance, extra, colour)
