"""A player in its own process: started, asked, held to its limits, and ended.

Promised on Linux, whatever the player does in its own process, by mistake or on purpose:

- Its time is what the kernel says all its processes and threads used since the end of its import, up to and
  including what it used while the opponent was to act; it is stopped then.  When the time is up it is
  killed, in the middle of a C call too, and it is killed when the wall backstop passes: that of the call,
  and that of all its calls of a game, since sleeping costs no CPU time.
- Its memory is the growth of its largest resident size since just before its import, as the kernel tells it,
  with what the kernel keeps for it besides (memory.py), looked at every hundredth of a second or oftener;
  helper processes are counted with it.
- Who goes on although it is to wait is charged, stopped again, and ended if it grows (waiting.py).
- What it sends is read by replies.py and nothing else, what it prints is kept apart and bounded (output.py).
- Its faults are its own: a verdict names the player and the call, and the opponent plays on a clock and
  in a process that the fault did not touch.
- When it is closed, or the referee is interrupted or killed, all its processes are gone, but for those that
  a setuid program has made another user's, where there is no control group: they are named in a warning.

At the level `full` it is confined besides (confinement): it reads its own files and Python's, writes
nothing, and reaches no other process.  At the level `process` it runs as the user does and can read and
write her files, use the network, have a service of the system start something for it, and signal
any of her processes: the opponent's, which then counts as crashed, or its keeper's and the referee's.
Where linux.py does not work, less is promised: `levels.with_warning` says it in a sentence for the user.

A `PlayerProcess` may be used from any thread, by one at a time.
"""

import contextlib
import json
import math
import os
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, NoReturn, Self

from referee import RefereeTrouble
from referee.isolation import plain
from referee.isolation.child import REPLY, Child, Start
from referee.isolation.levels import kind, own_files
from referee.isolation.output import Output
from referee.isolation.replies import BadReply, read, search_figures
from referee.isolation.requests import await_start
from referee.players.files import laid_out
from referee.players.names import Spec
from referee.players.removing import remove
from referee.players.text import SHOWN, printable, shorten
from referee.rules import EXACT, Action, Limits

ENDINGS = ("finished", "illegal action", "out of time", "out of memory", "crashed", "no answer")

IMPORTING = 30.0  # wall seconds for the import, which is not charged
BACKSTOP = (3.0, 5.0)  # wall seconds allowed: so much times the CPU time left, and so much
BACKSTOP_ACTION = 30.0  # but at most so much where actions are limited
BACKSTOP_BUSY = 20.0  # times as long on a busy machine: what it waits for a core is not the player's fault
BACKSTOP_UNLIMITED = 600.0  # where no limit says how long a call may take
GAME_WALL = 5.0  # times the CPU time that it may have used by now: wall seconds for all calls of a game
GAME_WALL_LEAST = 300.0  # but at least so many
GAME_WALL_TOLD = 0.9  # of such a limit is told as CPU time to plan with; the rest goes by between calls
BY_CPU = 0.0  # in an allowance: that limit
SAMPLING = 0.01  # seconds between two looks at memory
SAMPLING_FAST = 0.002  # while it grows fast or is nearly used up
CLOSING = 1.0  # seconds for a player that closed the channel to end, so that it can be said how
STALLED = 1.0  # seconds late: then the referee was stopped itself, which is not the player's fault
MESSAGE = 400  # characters of what a player says in a verdict
REFUSAL = 80  # characters of what a confined player was told, so that there is room for why
REFUSALS = r"PermissionError|Permission denied|not permitted|No usable temporary directory"
REFUSED = (
    "(confined, see --isolation: it reads its own package and Python, "
    "writes no files, has no processes and no network)"
)
REFUSED_BRIEFLY = "(confined, see --isolation: it reads its own files only)"
HEADLESS = "its first thread ended while others went on, and a process is ended as a whole"
UNASKED = "it sent a reply that nobody had asked for"


@dataclass(frozen=True)
class Allowance(Limits):
    """What one player may use, and how that is charged; of the limits, `first=None` is: as every other."""

    game_wall: float | None = BY_CPU  # wall seconds that all its calls of a game may take
    wall: bool = False  # charge wall time instead of CPU time
    told: tuple[tuple[str, object], ...] = ()  # of seconds, first_seconds, nodes: those set by the user
    judging: str | None = None  # rules.EXACT for --strict; None: as the game's course does
    isolation: str | None = None  # the level; None: the best that this system has
    readable: tuple[str, ...] = ()  # paths that it may read besides its own package, where it is confined
    cold: bool = False  # start a new interpreter for it, rather than fork one that has numpy loaded

    def keywords(self) -> dict[str, object]:
        """What tells the player of it: the limits in force, whatever set them, and what the user set.

        Who may take so many seconds of the wall for the game has no more CPU time than that either.
        """
        limits = self
        if self.game_wall not in (None, BY_CPU):
            game = GAME_WALL_TOLD * self.game_wall
            limits = replace(self, game=game if self.game is None else min(game, self.game))
        return super(Allowance, limits).keywords() | dict(self.told)


class Fault(Exception):
    """A player's fault.  `where` has the innermost lines of its traceback, if there was one."""

    def __init__(self, ending: str, call: str, message: str, where: str = ""):
        super().__init__(ending, call, message)
        self.ending = ending  # one of ENDINGS, but for the first of them
        self.call = call  # import, constructor, set_up, action, expected or update
        self.message = message  # on one line, bounded and printable
        self.where = where

    def __str__(self) -> str:
        return f"{self.ending} in {self.call}: {self.message}"


class CannotImport(Fault):
    """The import raised something, ended the process, or brought no class of that name."""


@contextlib.contextmanager
def _looking_after() -> Iterator[None]:
    """What goes wrong meanwhile, as where there are no descriptors left, is no player's fault."""
    try:
        yield
    except OSError as error:
        raise RefereeTrouble(f"a player's process cannot be looked after: {error}") from error


class PlayerProcess:
    """One player of one game.  Every call raises `Fault` when the player is at fault; then it is dead."""

    starts = "import"  # what it does when it starts, as a verdict says it
    silent = ""  # what to look for where it does not answer
    _child: Child  # its process, from `spawn` on

    def __init__(
        self,
        spec: Spec,
        colour: str,
        variant: str,
        allowance: Allowance,
        extra: tuple[tuple[str, object], ...] = (),
    ):
        self.spec = spec
        self._made_of = spec, colour, variant, allowance, extra
        self._colour = colour
        self._offered = {"variant": variant, **allowance.keywords(), **dict(extra)}
        self._allowance = allowance
        self._folder = spec.folder  # that it is imported from
        self._temporary = ""  # the same, where it was made for that
        self._fault: Fault | None = None
        self._output = Output()
        self._number = 0  # of the last request
        self._free = 0.0  # CPU seconds used up to the end of the import
        self.import_cpu = 0.0  # of them, those of the import itself
        self._wall = 0.0  # wall seconds of all charged calls
        self._starved = 0.0  # of them, seconds in which no core was free for it
        self._actions = 0
        self._last_action = 0.0  # what was charged when it ended
        self.searched: dict[str, float] = {}  # what its search said of the last action: depth, score, nodes
        self.turned = ""  # types in its last action that are none of an action's, but that its course takes
        self._is_limited = True

    # Calls, in this order

    def spawn(self) -> None:
        """Start the process without waiting for it, so that two players' can start at once."""
        if not self._is_spawned:
            self._child = self._run(kind(self._allowance.isolation))
            self._child.allowed = self._allowance.megabytes

    def _run(self, run: type[Child]) -> Child:
        self._folder, self._temporary = laid_out(self.spec)
        own = self._temporary or own_files(self.spec)
        readable = own, *self._allowance.readable
        return run(Start(self._folder, readable, self._temporary, self._allowance.cold))

    def start(self) -> None:
        """Wait for the process and let it import the player; CannotImport where it does not."""
        self.spawn()
        with _looking_after():
            await_start(self._child)
            self._child.mark()
            self._child.measure()
        before = self._child.cpu
        self._load()
        self._free = self._child.cpu
        self.import_cpu = self._free - before

    def _load(self) -> None:
        names = [self.spec.cls] if self.spec.cls else ["Player", "ExamplePlayer"]
        self._ask("import", "load", self._folder, self.spec.module, names)

    def construct(self) -> None:
        """Make the player.  It gets the keywords of its specification, and of all others those it names."""
        given = dict(self.spec.arguments)
        offered = {**self._offered, "wall": True} if self._allowance.wall else self._offered
        judging = self._allowance.judging or EXACT
        self._ask("constructor", "make", self._colour, repr(given), repr(offered), judging)

    def set_up(self, line: str) -> None:
        """Let it go on from a position; a Fault in `set_up` where it has no such method."""
        self._ask("set_up", "set_up", line)

    def action(self) -> Action:
        """Its action: a literal of ints, strings and tuples; whether it is legal is not known here."""
        action, self.turned, said = self._ask("action", "action")
        self.searched = self._figures(said) if said else {}
        self._actions += 1
        self._last_action = self.cpu
        return action

    def expected(self) -> list[str]:
        """The line of play that its search expected when it last acted, as far as it can tell."""
        (said,) = self._ask("expected", "expected")
        return [printable(line) for line in str(said).split("\n") if line]

    def update(self, *news: Action, **named: Action) -> None:
        """Tell it what happened, by position or by name."""
        self._ask("update", "update", news, named)

    def again(self, cpu: float) -> "PlayerProcess":
        """The same player anew, in the place of this one; its time is not limited until it resumes.

        Of a limit for the game that was partly used it is told what is left, as `game_seconds` and, unless
        that is the word for an action's, as `seconds`.
        """
        self.close()
        spec, colour, variant, allowance, extra = self._made_of
        if allowance.game is not None and cpu > 0:
            left = max(0.0, allowance.game - cpu)
            extra = (*extra, ("game_seconds", left))
            if allowance.action is None or dict(allowance.told).get("seconds") == allowance.game:
                extra = (*extra, ("seconds", left))
        anew = type(self)(spec, colour, variant, allowance, extra)
        anew._made_of = self._made_of
        anew._is_limited = False
        return anew

    def resume(self, cpu: float, actions: int) -> None:
        """Limited from here on, as if so much had been charged up to the last of so many actions."""
        self._free += self.cpu - cpu
        self._wall = cpu
        self._last_action = cpu if actions else 0.0
        self._actions = actions
        self._is_limited = True

    def close(self) -> None:
        """End everything that it ever started; may be called again."""
        if self._is_spawned:
            self._child.close()
        remove(self._temporary)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    # Figures

    @property
    def _is_spawned(self) -> bool:
        """Whether there has been a process yet."""
        return hasattr(self, "_child")

    @property
    def cpu(self) -> float:
        """Seconds charged so far."""
        if not self._is_spawned:
            return 0.0
        return self._wall + self._child.stolen if self._allowance.wall else self._child.cpu - self._free

    @property
    def wall(self) -> float:
        """Wall seconds that its calls took so far, but for its import."""
        return self._wall

    @property
    def cpu_left(self) -> float | None:
        """Seconds until it is out of time, in this game or before its next action; None: not limited."""
        left = min(self._left())
        return None if left == math.inf else max(0.0, left)

    @property
    def megabytes(self) -> float:
        """The growth of its largest resident size since just before its import."""
        return self._child.megabytes if self._is_spawned else 0.0

    @property
    def course_megabytes(self) -> float:
        """The growth of its address space, which a course's machine would look at."""
        return self._child.course_megabytes if self._is_spawned else 0.0

    def take_output(self) -> str:
        """What it printed since this was last called, safe to show and bounded: see Output."""
        if not self._is_spawned:
            return ""
        return self._output.take(
            bytes(self._child.output), self._child.printed, is_last=self._fault is not None
        )

    # Limits

    def _limits(self) -> tuple[float, float]:
        """Seconds for the game and for the action that is next or under way; infinite: no limit."""
        if not self._is_limited:
            return math.inf, math.inf
        game, action = self._allowance.game, self._allowance.action
        if self._actions == 0 and self._allowance.first is not None:
            action = self._allowance.first
        return math.inf if game is None else game, math.inf if action is None else action

    def _left(self) -> tuple[float, float]:
        """What is left of them."""
        game, action = self._limits()
        return game - self.cpu, action - (self.cpu - self._last_action)

    def _patience(self, call: str) -> float:
        """Wall seconds that the call may take."""
        if call == "import":
            return IMPORTING
        of_game, of_action = self._left()
        left = min(of_game, of_action)
        if left == math.inf:
            return BACKSTOP_UNLIMITED
        if self._allowance.wall:
            return math.inf  # the limit itself ends the call
        factor, more = BACKSTOP
        patience = factor * left + more
        # Pentago's first action has 30 s of CPU, which never fit into 30 s of wall time quite.
        return patience if of_action == math.inf else min(patience, max(BACKSTOP_ACTION, left + more))

    def _game_wall(self) -> float:
        """Wall seconds that its calls of this game may take, up to the one under way."""
        given = self._allowance.game_wall
        if given is None or not self._is_limited:
            return math.inf
        if given != BY_CPU:
            return given
        game, action = self._limits()
        if self._actions and self._allowance.action is not None:
            before = self._allowance.action if self._allowance.first is None else self._allowance.first
            action = before + self._allowance.action * self._actions
        return max(GAME_WALL_LEAST, GAME_WALL * min(game, action))

    def _check_limits(self, call: str) -> None:
        for limit, left in zip(self._limits(), self._left(), strict=True):
            if left < 0 and call != "import":
                self._fail("out of time", call, f"used {limit - left:.4f} s of {limit:g} s")
        most = self._allowance.megabytes
        if most is not None and self.megabytes > most:
            self._fail("out of memory", call, f"grew by {self.megabytes:.1f} MB of {most:g} MB")
        if self._child.headless:
            self._say_headless(call)

    # One request and its reply

    def _ask(self, call: str, request: str, *arguments: Any) -> tuple[Action, ...]:
        """The contents of the reply; only that of `action` has any."""
        if self._fault:
            raise self._fault
        with _looking_after():
            return self._asked(call, request, arguments)

    def _asked(self, call: str, request: str, arguments: tuple[Any, ...]) -> tuple[Action, ...]:
        self._refuse_unasked(call)
        self._number += 1
        self._send(call, request, arguments)
        return self._answered(call)

    def _refuse_unasked(self, call: str) -> None:
        self._child.wait(0)
        if self._child.inbox:
            self._fail("illegal action", call, UNASKED)

    def _answered(self, call: str) -> tuple[Action, ...]:
        """The reply to what it was asked last."""
        self._await_reply(call)
        if not self._has_reply():
            self._say_how_it_ended(call)
        self._child.pause()
        self._check_limits(call)  # with all that was used until it was stopped
        line, _, more = bytes(self._child.inbox).partition(b"\n")
        self._child.inbox.clear()
        contents = self._judge(call, line)
        if more:
            self._fail("illegal action", call, UNASKED)
        return contents

    def _send(self, call: str, request: str, arguments: tuple[Any, ...]) -> None:
        try:
            self._child.send(self._encoded(request, arguments) + b"\n")
        except BlockingIOError:
            self._fail("illegal action", call, "it does not read what it is asked, though it replies")
        except OSError:
            pass  # it has closed the channel, or has ended: both will be seen
        self._child.resume()

    def _encoded(self, request: str, arguments: tuple[Any, ...]) -> bytes:
        return json.dumps([self._number, request, *arguments]).encode()

    def _await_reply(self, call: str) -> None:
        """Until there is a reply, or can be none; watch the limits meanwhile."""
        child = self._child
        patience = self._patience(call)
        starved_before = child.starved
        charged_before = self._wall
        asked = seen = time.monotonic()
        look = asked + self._until_look(child.megabytes)  # it was looked at when it was stopped
        while not (self._has_reply() or child.closed or child.ended):
            now = time.monotonic()
            of_time = min(self._left()) / child.parallel if call != "import" else math.inf
            pause = max(0.0, min(look - now, of_time))
            child.wait(pause)
            before, now = seen, time.monotonic()
            seen = now
            if now - before - pause > STALLED:  # wherever it was stopped in this round
                asked += now - before - pause
            if now >= look:
                look = now + self._look()
            else:
                child.tick()
            if call != "import":
                self._wall = charged_before + now - asked
            if self._has_reply():
                break
            self._check_limits(call)
            self._check_game_wall(call, self._starved + child.starved - starved_before)
            over = now - asked - patience
            if over >= 0 and over >= min(child.starved - starved_before, (BACKSTOP_BUSY - 1) * patience):
                self._fail("no answer", call, f"none within {patience:.1f} s; used {self.cpu:.4f} s")
        if call != "import":
            self._starved += child.starved - starved_before

    def _check_game_wall(self, call: str, starved: float) -> None:
        """What it waited for a core on a busy machine is not held against it, up to many times the limit."""
        limit = self._game_wall()
        over = self._wall - limit
        if call != "import" and over >= 0 and over >= min(starved, (BACKSTOP_BUSY - 1) * limit):
            said = f"its calls took {self._wall:.1f} s of the wall's {limit:g} s for the game"
            self._fail("no answer", call, f"{said}; used {self.cpu:.4f} s")

    def _has_reply(self) -> bool:
        return b"\n" in self._child.inbox or len(self._child.inbox) > REPLY

    def _look(self) -> float:
        """Measure, and say when to measure again: sooner if memory grows fast or is nearly used up."""
        before = self.megabytes
        self._child.measure()
        return self._until_look(before)

    def _until_look(self, before: float) -> float:
        limit = self._allowance.megabytes
        if limit is None or self.megabytes < limit / 2 and self.megabytes - before < limit / 20:
            return SAMPLING
        return SAMPLING_FAST

    def _judge(self, call: str, line: bytes) -> tuple[Action, ...]:
        try:
            kind, contents = read(line, self._number)
        except BadReply as bad:
            self._fail("illegal action", call, str(bad))
        said = [printable(one)[:MESSAGE].replace("\n", " ") for one in contents if type(one) is str]
        match kind:
            case "action" if call == "action":
                return *contents, "", ""
            case "searched" if call == "action":
                return contents[0], "", contents[1]
            case "turned" if call == "action":
                return contents[0], said[-2], contents[2]
            case "expected" if call == "expected":
                return contents
            case "ok" if call not in ("action", "expected"):
                return contents
            case "refused" if call == "action":
                self._fail("illegal action", call, plain.unfit(said[0]))
            case "raised":
                self._fail("crashed", call, self._explained(said[0]), where=printable(contents[1]))
            case "missing" if call in ("import", "set_up"):
                self._fail("crashed", call, said[0])
        self._fail("illegal action", call, f"the reply does not fit the request: {kind}")

    def _figures(self, said: str) -> dict[str, float]:
        try:
            return search_figures(said)
        except BadReply as bad:
            self._fail("illegal action", "action", str(bad))

    def _explained(self, said: str) -> str:
        """What it raised and, where it ran into its confinement, what to do about that."""
        if self._child.level != "full":
            return said
        if missing := re.search(r"No module named '(\w+)", said):
            beside = os.path.join(self._folder, missing[1])
            if os.path.isdir(beside) or os.path.isfile(f"{beside}.py"):
                why = "is not in the player's own package: move it there, or use --readable"
                return f"{shorten(said, REFUSAL)} ({missing[1]} {why})"
        if not re.search(REFUSALS, said):
            return said
        long, brief = (f"{shorten(said, SHOWN - len(why) - 1)} {why}" for why in (REFUSED, REFUSED_BRIEFLY))
        # The file's name is what matters.
        return brief if "... (" in long and "... (" not in brief else long

    def _say_how_it_ended(self, call: str) -> NoReturn:
        self._child.measure()
        self._check_limits(call)
        deadline = time.monotonic() + CLOSING
        while not (self._child.ended or self._child.lost) and (left := deadline - time.monotonic()) > 0:
            self._child.wait(left)
        if self._child.ended or self._child.lost:
            how = self._child.how_it_ended()
        else:
            how = "closed its connection to the referee"
        self._fail("crashed", call, how)

    def _say_headless(self, call: str) -> NoReturn:
        """Its first thread has ended, others have not: they may be about to, which its keeper will know."""
        self._child.headless = False
        deadline = time.monotonic() + CLOSING
        while not self._child.ended and (left := deadline - time.monotonic()) > 0:
            self._child.wait(min(left, SAMPLING))
            self._child.measure()
            self._child.headless = False
            self._check_limits(call)
        killed = not self._child.ended
        self._child.kill()
        how = self._child.how_it_ended()
        self._fail("crashed", call, HEADLESS if killed and "signal 9 " in how else how)

    def _fail(self, ending: str, call: str, message: str, where: str = "") -> NoReturn:
        """The player is at fault: it is killed, and this is raised."""
        if ending == "no answer":
            message += self.silent
        if call == "import" and ending == "crashed":
            message = f"player {self.spec.name!r} does not {self.starts}: {message}"
            self._fault = CannotImport(ending, call, message, where)
        else:
            self._fault = Fault(ending, call, message, where)
        self._child.kill()
        raise self._fault
