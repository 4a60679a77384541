"""Copies a package alone into an empty folder for a check, and starts the processes that play it there.

A `Copy` has three folders of its own: one that holds the package and nothing else, where the processes
run; a home; and one for temporary files.  What they come across is kept with the copy: what was printed,
written, started, and left behind.  However a process ends or fails to, it is gone when its block is left.
"""

import compileall
import contextlib
import os
import signal
import site
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NoReturn, Self

from referee.check.calls import LABELS
from referee.check.handin import HandIn, lay_out
from referee.check.objected_games import ObjectedGames
from referee.isolation import levels
from referee.isolation.child import Start, environment
from referee.isolation.requests import NoReply, Requests, await_start
from referee.players import package, temporary
from referee.players.names import Spec
from referee.players.text import printable

PATIENCE = 60.0  # wall seconds for an import, and at least for any call: machines may be busy
ASIDE = 1.0  # seconds of CPU for collecting garbage before a call: the reply says what the call itself took
ENDING = 5.0
RUNAWAY = 2048  # megabytes: the user's machine has to survive a check
REPLY = 200_000  # bytes of one line; more is not a reply
PRINTED = 300  # characters shown of what was printed


class Trouble(Exception):
    """The package failed in a call: a sentence, and the lines of it where that was."""

    def __init__(
        self,
        message: str,
        where: Sequence[str] = (),
        keep: Callable[[], str] | None = None,
        ending: str = "crashed",
    ):
        super().__init__(message)
        self.message = message
        self.ending = ending  # of a game that ends by it: one of process.ENDINGS
        self.where = list(where)
        self.keep = keep  # writes the record of the game it happened in; says so, and draws the position

    def __str__(self) -> str:
        return f"{self.message} ({', '.join(reversed(self.where))})" if self.where else self.message

    def told(self) -> str:
        """What failed, and how to see its game again; the record is written now."""
        return f"{self}\n{self.keep()}" if self.keep else str(self)


class Copy:
    """A package under some name, alone in a folder; to be used with `with`."""

    def __init__(
        self,
        handin: HandIn,
        spec: Spec,
        on_turn: Callable[[int], None] = lambda number: None,
        keeper: ObjectedGames | None = None,
    ):
        self.handin = handin
        self.on_turn = on_turn  # told the number of each turn that is played with it
        self.keeper = keeper or ObjectedGames()  # of the games in which something was objected to
        self.spec = spec  # as the user named it
        self.events: list[dict[str, str]] = []
        self.printed: list[tuple[str, str]] = []  # the call, and what it printed
        self.threads = 0  # most tasks above those after the import
        self.left = 0  # processes that outlived their player

    def __enter__(self) -> Self:
        with contextlib.ExitStack() as stack:
            root = stack.enter_context(temporary.folder("check"))
            self.place, self.home, self.temporary = (root / name for name in ("place", "home", "tmp"))
            for folder in (self.place, self.home, self.temporary):
                folder.mkdir()
            lay_out(self.handin, self.place)
            compileall.compile_dir(self.place, quiet=2)  # once, for all processes
            self._folders = stack.pop_all()
        return self

    def __exit__(self, *exception: object) -> None:
        self._folders.close()

    def variables(self) -> dict[str, str]:
        """Of the environment of the processes that run here: their places."""
        home = dict.fromkeys(("HOME", "USERPROFILE"), str(self.home))
        return home | dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(self.temporary))

    @property
    def module(self) -> str:
        """What is imported: the package, or the module within it that the user named."""
        top, dot, below = self.spec.module.partition(".")
        return f"{self.handin.name}{dot}{below}"

    @property
    def classes(self) -> list[str]:
        """The class to find, the first of these that is there."""
        return [self.spec.cls] if self.spec.cls else ["Player", "ExamplePlayer"]

    def to_play(self) -> Spec:
        """This copy as a player for the referee's own matches."""
        return Spec(self.handin.name, self.module, str(self.place), self.spec.cls)

    def new_files(self) -> list[str]:
        """What is there now and was not at first, but for what Python keeps for itself."""
        found = []
        for folder in (self.place, self.home, self.temporary):
            for path in package.below(folder):
                name = path.relative_to(folder).as_posix()
                is_old = folder == self.place and (name in self.handin.files or path.is_dir())
                if not is_old and "__pycache__" not in path.parts:
                    found.append(name if folder == self.place else str(Path(folder.name, name)))
        return sorted(found)


class PackageProcess:
    """One process in which the package of a copy is imported and played; to be used with `with`."""

    def __init__(self, copy: Copy, hashes: int = 0):
        self.copy = copy
        self.hashes = hashes  # decides what hash each string has, and so the order of sets
        self.cpu: dict[str, float] = {}  # seconds by player, and of none under ""
        self.space = self.resident = 0  # kilobytes
        self._dead: Trouble | None = None

    def __enter__(self) -> Self:
        copy = self.copy
        self._child = levels.unconfined()(
            Start(
                str(copy.place),
                is_plain=True,
                calls=os.path.dirname(__file__),
                environment={
                    **environment(),
                    "PYTHONHASHSEED": str(self.hashes),
                    "PYTHONNOUSERSITE": "1",  # whose .pth files may run code that finds other packages
                },
                variables=copy.variables(),
                reply=REPLY,
            )
        )
        self._requests = Requests(self._child, self._note_event)
        self._printed = 0  # bytes that were looked at
        self._said = b""  # the beginning of what was printed in this call
        try:
            await_start(self._child)
        except BaseException:
            self._child.close()
            raise
        self._child.mark()
        return self

    def __exit__(self, *exception: object) -> None:
        self._child.finish()
        if not self._dead and exception[0] is None:
            deadline = time.monotonic() + ENDING
            while not self._child.ended and (left := deadline - time.monotonic()) > 0:
                self._child.wait(left)
        self.copy.left = max(self.copy.left, self._child.helpers())
        self._child.kill()
        self._note_output("its end")
        self._child.close()

    def load(self) -> dict[str, Any]:
        """Import the package: what is seen of its class."""
        also = [site.getusersitepackages()] if site.ENABLE_USER_SITE else []  # which is left out there
        found = self.ask("", "inspect", self.copy.module, self.copy.classes, also)
        self._child.mark()
        return found

    def ask(
        self, key: str, call: str, *arguments: Any, limit: float | None = None, patience: float = 0
    ) -> Any:
        """The answer to a request; `limit` is in seconds of CPU.  Trouble when there is none."""
        if self._dead:
            raise self._dead
        label = LABELS.get(call, call)
        before = self._child.cpu
        try:
            found, raised, where, figures = self._reply(label, limit, call, *arguments)
        except Trouble:
            self.cpu[key] = self.cpu.get(key, 0.0) + self._child.cpu - before
            raise
        self._note_output(label)
        self.cpu[key] = self.cpu.get(key, 0.0) + figures["cpu"]
        # Elsewhere than on Linux the process does not know its highest: then it is what was seen of it.
        self.space = max(self.space, figures["space"] or int(1024 * self._child.course_megabytes))
        self.resident = max(self.resident, figures["resident"] or int(1024 * self._child.megabytes))
        self.copy.threads = max(self.copy.threads, figures["threads"])
        if raised:
            raise Trouble(f"{label} raised {printable(raised)}", where)
        self.last = figures["cpu"]
        return found

    def _reply(self, label: str, limit: float | None, call: str, *arguments: Any) -> list[Any]:
        child, asked = self._child, time.monotonic()
        patience = max(PATIENCE, 3 * limit + 5 if limit else 0)
        used = child.cpu

        def look() -> None:
            self._look_at_output()
            child.measure()
            if len(child.inbox) > REPLY:
                self._fail(label, "wrote to descriptors that it did not open")
            if limit is not None and child.cpu - used > limit + ASIDE:
                self._fail(label, f"used more than {limit:.3g} s of CPU and was stopped", "out of time")
            if child.megabytes > RUNAWAY:
                self._fail(label, f"grew beyond {RUNAWAY} MB and was stopped", "out of memory")
            if time.monotonic() - asked > patience:
                said = f"did not come back within {patience:.0f} s and was stopped"
                self._fail(label, said, "no answer")

        try:
            kind, *contents = self._requests.ask(call, *arguments, look=look)
        except NoReply:
            self._fail(label, self._how_it_ended())
        if kind != "found":  # the far end could not even say what was raised
            raise Trouble(f"{label} raised {printable(str(contents[0]))}")
        look()  # nobody may have looked since it used, or wrote, too much
        return contents

    def _note_event(self, event: dict[str, str]) -> None:
        event = {name: printable(str(said))[:300] for name, said in event.items()}
        if event not in self.copy.events:
            self.copy.events.append(event)

    def _how_it_ended(self) -> str:
        status = self._child.status()
        if status is None:
            return self._child.unknown_end()
        if status >= 0:
            return f"ended the process with exit status {status}"
        return f"crashed in C: the process was ended by signal {-status} ({signal.strsignal(-status)})"

    def _fail(self, label: str, what: str, ending: str = "crashed") -> NoReturn:
        self._note_output(label)
        where = "" if ending == "crashed" else self._child.stopped_at(str(self.copy.place))
        self._dead = Trouble(f"{label} {what}", [where] if where else [], ending=ending)
        raise self._dead

    def _look_at_output(self) -> None:
        """Keep the beginning of what was printed in this call, before more of it pushes that out."""
        new = self._child.printed - self._printed
        self._printed = self._child.printed
        if new:
            self._said += bytes(self._child.output[-new:])[: 4 * PRINTED - len(self._said)]

    def _note_output(self, label: str) -> None:
        """Keep what was printed in this call; all that C code writes when it crashes is not the package's."""
        self._child.wait(0)
        self._look_at_output()
        said, self._said = self._said.decode(errors="replace"), b""
        if said and not said.startswith("Fatal Python error"):
            self.copy.printed.append((label, printable(said)[:PRINTED].strip()))
