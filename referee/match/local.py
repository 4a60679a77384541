"""Lets an object of this process play, so that breakpoints and print work; nothing isolates it.

Nothing is enforced here: what it uses is counted, and what a limit would have ended is a warning.
"""

import bdb
import inspect
import time
import traceback
from collections.abc import Callable, Mapping
from typing import Any

from referee.isolation import plain
from referee.isolation.allowance import Allowance
from referee.isolation.process import Fault
from referee.players.text import printable, shorten
from referee.rules import EXACT, Action

FRAMES = 4  # the innermost, of a traceback
FIGURES = ("depth", "score", "nodes")  # that a player's search may tell of

Making = Callable[
    ..., Any
]  # a class or function that makes the player: of its colour, and the keywords it names


class LocalSeat:
    """One player of one game, made by calling `make` as its class would be called."""

    def __init__(
        self,
        make: Making,
        colour: str,
        given: Mapping[str, object],
        offered: Mapping[str, object],
        allowance: Allowance,
        on_crash: Callable[[BaseException], None] | None = None,
    ):
        self.cpu = self.wall = 0.0
        self.cpu_left: float | None = None  # it is never out of time
        self.megabytes = self.course_megabytes = 0.0
        self.searched: dict[str, float] = {}
        self.turned = ""
        self.warnings: list[str] = []
        self._make, self._colour, self._given, self._offered = make, colour, given, offered
        self._allowance = allowance
        self._on_crash = on_crash
        self._player: Any = None
        self._acted = 0
        self._last_action = 0.0  # what was counted when it ended

    def spawn(self) -> None:
        """There is no process to start."""

    start = close = spawn

    def construct(self) -> None:
        named = {name: value for name, value in self._offered.items() if name in spelt(self._make)}
        keywords = {**named, **self._given}
        self._player = self._called("constructor", lambda: self._make(self._colour, **keywords))

    def set_up(self, line: str) -> None:
        if not callable(getattr(self._player, "set_up", None)):
            raise Fault("crashed", "set_up", "it has no method set_up(line)")
        self._called("set_up", lambda: self._player.set_up(line))

    def action(self) -> Action:
        chosen = self._called("action", lambda: self._player.action())
        try:
            action, turned = plain.literal(chosen, self._allowance.judging or EXACT)
        except plain.Refused as refused:
            said = plain.unfit(shorten(printable(str(refused))))
            raise Fault("illegal action", "action", said) from None
        self.turned = ", ".join(turned)
        self.searched = _figures(self._player)
        self._acted += 1
        return plain.tuples(action)

    def update(self, *news: Action) -> None:
        self._called("update", lambda: self._player.update(*news))

    def again(self, cpu: float) -> "LocalSeat":
        """The same player anew; `cpu` is counted when it resumes."""
        return LocalSeat(
            self._make, self._colour, self._given, self._offered, self._allowance, self._on_crash
        )

    def resume(self, cpu: float, actions: int) -> None:
        """Its account goes on from there."""
        self.cpu = self._last_action = cpu
        self._acted = actions

    def take_output(self) -> str:
        return ""  # what it prints is seen where it prints

    def _called(self, call: str, function: Callable[[], Any]) -> Any:
        cpu, wall = time.process_time(), time.perf_counter()
        try:
            return function()
        except bdb.BdbQuit:  # its user has left the debugger, and wants no more
            raise KeyboardInterrupt from None
        except (Exception, SystemExit) as error:
            if self._on_crash:
                self._on_crash(error)
            said = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
            raise Fault("crashed", call, printable(said).replace("\n", " "), _where(error)) from error
        finally:
            self.cpu += time.process_time() - cpu
            self.wall += time.perf_counter() - wall
            self._compare(call)

    def _compare(self, call: str) -> None:
        """Say once what a limit would have ended."""
        of_action = self._allowance.action
        if not self._acted and self._allowance.first is not None:
            of_action = self._allowance.first
        kept = (
            (of_action, self.cpu - self._last_action, "an action"),
            (self._allowance.game, self.cpu, "a game"),
        )
        for limit, used, what in kept:
            if limit is not None and used > limit and not self.warnings:
                self.warnings.append(
                    f"used {used:.2f} s of {limit:g} s {what} by its {call} {self._acted + 1}, which is not "
                    "enforced where a player plays in the referee's process"
                )
        if call == "action":
            self._last_action = self.cpu


def spelt(make: Making) -> list[str]:
    """The names that a constructor spells out after the colour's."""
    try:
        parameters = list(inspect.signature(make).parameters.values())
    except (TypeError, ValueError):
        return []
    kinds = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    return [one.name for one in parameters[1:] if one.kind in kinds]


def _figures(player: Any) -> dict[str, float]:
    """What its search says of the last action, where it has one that says anything."""
    search = getattr(player, "search", None)
    found = {name: getattr(search, name, None) for name in FIGURES}
    numbers = {name: value for name, value in found.items() if isinstance(value, int | float)}
    return numbers if "depth" in numbers and "score" in numbers else {}


def _where(error: BaseException) -> str:
    """The innermost lines of a player's code, as its process would tell them."""
    frames = [one for one in traceback.extract_tb(error.__traceback__) if one.filename != __file__]
    return "\n".join(f"{one.filename}:{one.lineno} in {one.name}: {one.line}" for one in frames[-FRAMES:])
