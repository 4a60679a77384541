"""Copies a package alone into an empty folder for a check, and starts the processes that play it there.

A `Copy` has three folders of its own: one that holds the package and nothing else, where the processes
run; a home; and one for temporary files.  What they come across is kept with the copy: what was printed,
written, started, and left behind.  However a process ends or fails to, it is gone when its visit is over.
"""

import contextlib
import json
import os
import signal
import site
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self

from referee import RefereeTrouble
from referee.check.handin import HandIn, lay_out
from referee.check.kept import Keeper
from referee.isolation import marked
from referee.isolation.child import INHERITED, bound
from referee.isolation.pipes import Pipes
from referee.players.names import Spec
from referee.players.removing import remove
from referee.players.text import printable

INSIDE = str(Path(__file__).with_name("inside.py"))
STARTING = 60.0  # wall seconds until Python answers at all
PATIENCE = 60.0  # wall seconds for an import, and at least for any call: machines may be busy
LOOK = 0.02  # seconds between two looks at the CPU clock
ASIDE = 1.0  # seconds of CPU for collecting garbage before a call: the reply says what the call itself took
ENDING = 5.0
RUNAWAY = 2048  # megabytes: the user's machine has to survive a check
REPLY = 200_000  # bytes of one line; more is not a reply
PRINTED = 300  # characters shown of what was printed


class Trouble(Exception):
    """The package failed in a call: a sentence, and the lines of it where that was."""

    def __init__(self, message: str, where: list[str] = ()):
        super().__init__(message)
        self.message = message
        self.where = list(where)

    def __str__(self) -> str:
        return f"{self.message} ({', '.join(reversed(self.where))})" if self.where else self.message


class Copy:
    """A package under some name, alone in a folder; to be used with `with`."""

    def __init__(
        self,
        handin: HandIn,
        spec: Spec,
        on_turn: Callable[[int], None] = lambda number: None,
        keeper: Keeper | None = None,
    ):
        self.handin = handin
        self.on_turn = on_turn  # told the number of each turn that is played with it
        self.keeper = keeper or Keeper()  # of the games in which something was objected to
        self.spec = spec  # as the user named it
        self.events: list[dict[str, str]] = []
        self.printed: list[tuple[str, str]] = []  # the call, and what it printed
        self.threads = 0  # most tasks above those after the import
        self.left = 0  # processes that outlived their player

    def __enter__(self) -> Self:
        self.root = Path(os.path.realpath(tempfile.mkdtemp(prefix="referee-check-")))
        self.place, self.home, self.temporary = (self.root / name for name in ("place", "home", "tmp"))
        try:
            for folder in (self.place, self.home, self.temporary):
                folder.mkdir()
            lay_out(self.handin, self.place)
        except BaseException:
            remove(str(self.root))
            raise
        return self

    def __exit__(self, *exception: object) -> None:
        remove(str(self.root))

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
            for path in folder.rglob("*"):
                name = path.relative_to(folder).as_posix()
                is_old = folder == self.place and (name in self.handin.files or path.is_dir())
                if not is_old and "__pycache__" not in path.parts:
                    found.append(name if folder == self.place else str(Path(folder.name, name)))
        return sorted(found)


class Visit:
    """One process in which the package of a copy is imported and played; to be used with `with`."""

    def __init__(self, copy: Copy, hashes: int = 0):
        self.copy = copy
        self.hashes = hashes  # decides what hash each string has, and so the order of sets
        self.cpu: dict[str, float] = {}  # seconds by player, and of none under ""
        self.space = self.resident = 0  # kilobytes
        self._inbox = b""
        self._dead: Trouble | None = None

    def __enter__(self) -> Self:
        copy = self.copy
        changed = {name: str(copy.home) for name in ("HOME", "USERPROFILE")}
        changed.update((name, str(copy.temporary)) for name in ("TMPDIR", "TEMP", "TMP"))
        changed["PYTHONHASHSEED"] = str(self.hashes)
        kept = {name: os.environ[name] for name in INHERITED if name in os.environ}
        # By its name, since who shares an open file on Windows shares the place in it too.
        output, name = tempfile.mkstemp(dir=copy.root)
        self._output = open(name, "rb")
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-B", "-X", "utf8", "-X", "faulthandler", INSIDE],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=output,
                cwd=copy.place, env={**kept, **changed}, **bound(),
            )  # fmt: skip
        except OSError as error:
            self._output.close()
            raise RefereeTrouble(f"a process for the check cannot be started: {error}") from None
        finally:
            os.close(output)
        self._watch = watch(self._process.pid, str(copy.temporary))
        self._pipes = Pipes(self._process.stdout)
        self._before: tuple[float, float] | None = None  # megabytes after its import
        return self

    def __exit__(self, *exception: object) -> None:
        with contextlib.suppress(OSError):
            self._process.stdin.close()
        if not self._dead and exception[0] is None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(ENDING)
        self._note_output("its end")
        self.copy.left = max(self.copy.left, self._watch.kill())
        self._process.kill()
        self._process.wait()
        for _ in self._pipes.all(ENDING):
            pass
        self._output.close()

    def load(self) -> dict[str, Any]:
        """Import the package: what is seen of its class."""
        also = [site.getusersitepackages()] if site.ENABLE_USER_SITE else []  # HOME is another one there
        return self.ask("", "load", self.copy.module, self.copy.classes, also)

    def ask(
        self, key: str, call: str, *arguments: Any, limit: float | None = None, patience: float = 0
    ) -> Any:
        """The answer to a request; `limit` is in seconds of CPU.  Trouble when there is none."""
        if self._dead:
            raise self._dead
        label = {"load": "import", "new": "constructor"}.get(call, call)
        patience = max(PATIENCE, 3 * limit + 5 if limit else 0)
        with contextlib.suppress(OSError):  # it has ended, which will be seen
            self._process.stdin.write(json.dumps([call, *arguments]).encode() + b"\n")
            self._process.stdin.flush()
        reply = self._reply(label, limit, patience)
        self._note_output(label)
        self.cpu[key] = self.cpu.get(key, 0.0) + reply["cpu"]
        # Elsewhere than on Linux the process does not know its highest: then it is what it has now.
        now = self._watch.megabytes()
        self._before = self._before or now
        resident, space = (int(1024 * (b - a)) for a, b in zip(self._before, now, strict=True))
        self.space = max(self.space, reply["space"] or space)
        self.resident = max(self.resident, reply["resident"] or resident)
        self.copy.threads = max(self.copy.threads, reply["threads"])
        if "raised" in reply:
            raise Trouble(f"{label} raised {printable(reply['raised'])}", reply["where"])
        self.last = reply["cpu"]
        return reply["found"]

    def _reply(self, label: str, limit: float | None, patience: float) -> dict[str, Any]:
        asked, used = time.monotonic(), self._watch.cpu()
        while True:
            while b"\n" in self._inbox:
                line, _, self._inbox = self._inbox.partition(b"\n")
                if (reply := self._read(line)) is not None:
                    return reply
            ended = self._process.poll() is not None
            if not self._more(LOOK) and ended:
                self._fail(label, self._how_it_ended())
            if len(self._inbox) > REPLY:
                self._fail(label, "wrote to descriptors that it did not open")
            if limit is not None and self._watch.cpu() - used > limit + ASIDE:
                self._fail(label, f"used more than {limit:.3g} s of CPU and was stopped")
            if self._watch.megabytes()[0] > RUNAWAY:
                self._fail(label, f"grew beyond {RUNAWAY} MB and was stopped")
            if time.monotonic() - asked > patience:
                self._fail(label, f"did not come back within {patience:.0f} s and was stopped")

    def _read(self, line: bytes) -> dict[str, Any] | None:
        """A reply; None for an event, which is kept."""
        try:
            reply = json.loads(line)
            if "event" not in reply:
                return reply if {"cpu", "space", "threads"} <= reply.keys() else None
            event = {name: printable(str(said))[:300] for name, said in reply.items()}
            if event not in self.copy.events:
                self.copy.events.append(event)
        except (ValueError, TypeError, AttributeError, RecursionError):
            pass  # not a line of ours: the package found the descriptor
        return None

    def _more(self, seconds: float) -> bool:
        """Wait for something from the process; whether it came."""
        piece = self._pipes.next(seconds)
        data = piece[1] if piece else b""
        self._inbox += data
        if piece and not data:
            time.sleep(seconds)
        return bool(data)

    def _how_it_ended(self) -> str:
        code = self._process.returncode
        if code >= 0:
            return f"ended the process with exit status {code}"
        return f"crashed in C: the process was ended by signal {-code} ({signal.strsignal(-code)})"

    def _fail(self, label: str, what: str) -> None:
        self._note_output(label)
        self._dead = Trouble(f"{label} {what}")
        raise self._dead

    def _note_output(self, label: str) -> None:
        """Keep what was printed in this call; all that C code writes when it crashes is not the package's."""
        start = self._output.read(4 * PRINTED)
        self._output.seek(0, os.SEEK_END)
        if start:
            text = start.decode(errors="replace")
            if not text.startswith("Fatal Python error"):
                self.copy.printed.append((label, printable(text)[:PRINTED].strip()))


def watch(pid: int, mark: str) -> Any:
    """What tells a process's time and memory, and ends it with all that has the mark in its environment."""
    if marked.works():
        return marked.Marked(pid, mark)
    from referee.isolation.tree import Tree

    return Tree(pid, mark)
