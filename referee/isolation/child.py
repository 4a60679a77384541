"""What both ways of running a player's process share: linux.py for Linux, portable.py for other systems."""

import os
import re
import signal
import subprocess
import sys
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

REPLY = 4096  # bytes of a reply that are read before it is parsed
OUTPUT = 65536  # bytes kept of what a player prints, the last ones
CHUNK = 65536  # bytes read at once

# What Python needs to start and programs to behave; the rest of the user's environment is nobody's business.
# BLAS may start its threads as on a course's machine: they are charged like all others.
INHERITED = "PATH HOME LANG LC_ALL LC_CTYPE TMPDIR TZ LD_LIBRARY_PATH".split()
INHERITED += "SYSTEMROOT USERPROFILE APPDATA TEMP TMP".split()  # Windows: also where a user's packages are

FRAME = re.compile(r'^  File "(.+)", line (\d+) in (.+)$', re.MULTILINE)  # as Python prints it when aborted

LAUNCHER = str(Path(__file__).with_name("launcher.py"))


@dataclass(frozen=True)
class Start:
    """How a player's process is started."""

    folder: str  # from where the player is imported, and where it runs
    readable: tuple[str, ...] = ()  # what it may read, where it is confined
    temporary: str = ""  # a folder that goes when the player does, even if the referee is killed
    is_cold: bool = False  # in a new interpreter, though there are launchers; programs always are
    program: tuple[str, ...] = ()  # words that start the player's program, where it is no Python package
    is_plain: bool = False  # it has no use for numpy, which is not loaded then
    calls: str = ""  # the folder of further calls (see far_end.py), which brings its own libraries
    environment: Mapping[str, str] | None = None  # that Python starts in; None: the usual
    variables: Mapping[str, str] = field(default_factory=dict)  # of it, told before the import
    reply: int = REPLY  # bytes of a reply that are read before it is looked at


def command(role: str, *arguments: str) -> list[str]:
    """A new interpreter for launcher.py; should C code crash, the output says where.

    It sees neither this folder nor the current one, but it does see what the user has installed for
    herself, as a course's referee would.
    """
    return [sys.executable, "-P", "-X", "utf8", "-X", "faulthandler", LAUNCHER, role, *arguments]


def environment() -> dict[str, str]:
    """The usual environment of a player: without Python's variables."""
    return {name: os.environ[name] for name in INHERITED if name in os.environ}


def apart() -> dict[str, Any]:
    """What `Popen` is told for a process that Ctrl-C in the terminal shall not reach."""
    if sys.platform == "win32":
        return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
    return {"start_new_session": True}


def bound() -> dict[str, Any]:
    """The same, for one that shall end with this process, where the system can do that: Linux."""
    try:
        from referee.isolation.keeper import die_with_parent
    except ImportError:  # Windows
        return apart()
    return {**apart(), "preexec_fn": die_with_parent} if sys.platform == "linux" else apart()


def directory(folder: str) -> str:
    """Where the player runs: the folder its package is in, as when a course's referee is started there."""
    return folder if os.path.isdir(folder) else os.path.dirname(folder)


class Child(ABC):
    """A player's process, seen from outside.  It knows no limits and gives no verdicts."""

    level: str  # of isolation: "full", "process" or "portable"
    not_enforced = ""  # what the user should know about that, as a sentence

    def __init__(self, start: Start) -> None:
        self.start = start
        self.inbox = bytearray()  # of a reply, at most a little over start.reply bytes
        self.closed = False  # nothing more can come from the player
        self.ended = False  # its process is gone
        self.lost = False  # what keeps it is gone
        self.cpu = 0.0  # seconds used by all its processes, as last measured; it never falls
        self.starved = 0.0  # seconds that it would have run, had a core been free; 0 where nobody tells
        self.stolen = 0.0  # seconds of it that were used while all its processes were to be stopped
        self.allowed: float | None = None  # megabytes; who waits is ended when it takes more
        self.headless = False  # its first thread has ended while others go on
        self.megabytes = 0.0  # the largest growth of its memory seen since `mark`
        self.course_megabytes = 0.0  # the same of its address space
        self.parallel = 1  # how many of its threads could run at once
        self.output = bytearray()  # the end of what it printed
        self.printed = 0  # bytes in all

    def options(self) -> dict[str, Any]:
        """What the player's process is told when it starts (launcher.py)."""
        readable = list(self.start.readable) if self.level == "full" else None
        start = self.start
        return {
            "readable": readable,
            "program": list(start.program),
            "is_plain": start.is_plain,
            "calls": start.calls,
            "variables": dict(start.variables),
        }

    @abstractmethod
    def send(self, data: bytes) -> None:
        """Hand it a request; OSError where nobody takes it."""

    @abstractmethod
    def wait(self, seconds: float) -> None:
        """Until something comes, ends, or the time is over."""

    @abstractmethod
    def resume(self) -> None:
        """Let it run, if it was paused."""

    @abstractmethod
    def pause(self) -> None:
        """Stop all its processes where they are, and measure."""

    @abstractmethod
    def tick(self) -> None:
        """Read what changes fastest: the CPU clock."""

    @abstractmethod
    def measure(self) -> None:
        """Read everything."""

    @abstractmethod
    def mark(self) -> None:
        """From here on memory counts as the player's own."""

    @abstractmethod
    def kill(self) -> None:
        """End all its processes, wait until the player is gone, and measure for the last time."""

    def abort(self) -> None:  # noqa: B027  # there is nothing to do where nobody can
        """End the player's process so that Python prints where it was, if the system lets it do that."""

    def stopped_at(self, folder: str) -> str:
        """End it; where it was, of files below the folder: `team/b.py:3 in action`, or ""."""
        printed = self.printed
        self.abort()
        said = bytes(self.output[printed - self.printed :]) if self.printed > printed else b""
        top = os.path.join(os.path.realpath(folder), "")
        for path, line, name in FRAME.findall(said.decode(errors="replace")):
            if os.path.realpath(path).startswith(top):
                return f"{os.path.relpath(os.path.realpath(path), top)}:{line} in {name}"
        return ""

    @abstractmethod
    def status(self) -> int | None:
        """Its exit status, or less than 0: the signal that ended it; None where nobody says."""

    def how_it_ended(self) -> str:
        """`ended with exit status 3`, or what else is known."""
        status = self.status()
        if status is None:
            return self.unknown_end()
        if status >= 0:
            return f"ended with exit status {status}"
        return f"was ended by signal {-status} ({signal.strsignal(-status)})"

    @abstractmethod
    def unknown_end(self) -> str:
        """What can be said where nobody says how it ended."""

    @abstractmethod
    def finish(self) -> None:
        """It gets no more requests, which is its end."""

    @abstractmethod
    def helpers(self) -> int:
        """How many other processes it has started and left."""

    @abstractmethod
    def close(self) -> None:
        """Nothing it ever started is left afterwards, and no descriptor here; may be called again."""

    def keep_output(self, data: bytes) -> None:
        """Add to the output, of which only the end is kept."""
        self.output += data
        self.printed += len(data)
        if len(self.output) > 2 * OUTPUT:
            del self.output[:-OUTPUT]
