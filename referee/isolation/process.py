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
import time
from collections.abc import Iterator
from typing import Any, NoReturn, Self

from referee import RefereeTrouble
from referee.isolation import plain
from referee.isolation.allowance import Account, Allowance, is_over
from referee.isolation.child import REPLY, Child, Start
from referee.isolation.levels import kind, own_files
from referee.isolation.output import Output
from referee.isolation.refused import explained
from referee.isolation.replies import UNASKED, BadReply, read, search_figures
from referee.isolation.requests import await_start
from referee.players.files import laid_out
from referee.players.names import Spec
from referee.players.removing import remove
from referee.players.text import printable
from referee.rules import EXACT, Action

ENDINGS = ("finished", "illegal action", "out of time", "out of memory", "crashed", "no answer")

IMPORTING = 30.0  # wall seconds for the import, which is not charged
SAMPLING = 0.01  # seconds between two looks at memory
SAMPLING_FAST = 0.002  # while it grows fast or is nearly used up
CLOSING = 1.0  # seconds for a player that closed the channel to end, so that it can be said how
STALLED = 1.0  # seconds late: then the referee was stopped itself, which is not the player's fault
MESSAGE = 400  # characters of what a player says in a verdict
HEADLESS = "its first thread ended while others went on, and a process is ended as a whole"


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
        self._folder = spec.folder  # that it is imported from
        self._temporary = ""  # the same, where it was made for that
        self._fault: Fault | None = None
        self._output = Output()
        self._number = 0  # of the last request
        self._free = 0.0  # CPU seconds used up to the end of the import
        self.import_cpu = 0.0  # of them, those of the import itself
        self._account = Account(allowance)
        self.searched: dict[str, float] = {}  # what its search said of the last action: depth, score, nodes
        self.turned = ""  # types in its last action that are none of an action's, but that its course takes

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
        start = Start(
            self._folder, readable, self._temporary, self._allowance.cold, is_plain=self.spec.is_the_referees
        )
        return run(start)

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
        self._account.act(self.cpu)
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
        anew._account.is_limited = False
        return anew

    def resume(self, cpu: float, actions: int) -> None:
        """Limited from here on, as if so much had been charged up to the last of so many actions."""
        self._free += self.cpu - cpu
        self._account.go_on(cpu, actions)

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
        if self._allowance.wall:
            return self._account.wall + self._child.stolen
        return self._child.cpu - self._free

    @property
    def _allowance(self) -> Allowance:
        """What is in force: its account has it, and who changes it changes it there."""
        return self._account.allowance

    @property
    def wall(self) -> float:
        """Wall seconds that its calls took so far, but for its import."""
        return self._account.wall

    @property
    def cpu_left(self) -> float | None:
        """Seconds until it is out of time, in this game or before its next action; None: not limited."""
        left = min(self._account.left(self.cpu))
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

    def _check_limits(self, call: str) -> None:
        for limit, left in zip(self._account.limits(), self._account.left(self.cpu), strict=True):
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
        self._check_game_wall(call, self._account.starved)  # short calls end before it was looked at
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
        child, account = self._child, self._account
        patience = IMPORTING if call == "import" else account.patience(self.cpu)
        starved_before = child.starved
        wall_before = account.wall
        asked = seen = time.monotonic()
        look = asked + self._until_look(child.megabytes)  # it was looked at when it was stopped
        while not (self._has_reply() or child.closed or child.ended):
            now = time.monotonic()
            of_time = min(account.left(self.cpu)) / child.parallel if call != "import" else math.inf
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
                account.wall = wall_before + now - asked
            if self._has_reply():
                break
            self._check_limits(call)
            self._check_game_wall(call, account.starved + child.starved - starved_before)
            if is_over(now - asked, patience, child.starved - starved_before):
                self._fail("no answer", call, f"none within {patience:.1f} s; used {self.cpu:.4f} s")
        if call != "import":
            account.starved += child.starved - starved_before

    def _check_game_wall(self, call: str, starved: float) -> None:
        limit, took = self._account.game_wall(), self._account.wall
        if call != "import" and is_over(took, limit, starved):
            said = f"its calls took {took:.1f} s of the wall's {limit:g} s for the game"
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
        return explained(said, self._folder) if self._child.level == "full" else said

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
