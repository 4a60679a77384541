"""What both ways of running a player's process share: linux.py for Linux, portable.py for other systems."""

import json
import os
import subprocess
import sys
from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import Any

REPLY = 4096  # bytes of a reply that are read before it is parsed
OUTPUT = 65536  # bytes kept of what a player prints, the last ones
CHUNK = 65536  # bytes read at once

# What Python needs to start and programs to behave; the rest of the user's environment is nobody's business.
# BLAS may start its threads as on a course's machine: they are charged like all others.
INHERITED = (
    "PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "TMPDIR", "TZ", "LD_LIBRARY_PATH",
    "SYSTEMROOT", "USERPROFILE", "APPDATA", "TEMP", "TMP",  # Windows: also where a user's packages are
)  # fmt: skip

HERE = Path(__file__).parent
KEEPER = str(HERE / "keeper.py")
FAR_END = str(HERE / "far_end.py")
PROGRAM = str(HERE / "program.py")


def command(script: str, *arguments: str) -> list[str]:
    """A fresh interpreter for the script; should C code crash, the output says where.

    It sees neither Python's environment variables nor this folder or the current one, but it does
    see what the user has installed for herself, as a course's referee would.
    """
    return [sys.executable, "-E", "-P", "-X", "utf8", "-X", "faulthandler", script, *arguments]


def environment() -> dict[str, str]:
    """The player's environment."""
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

    def __init__(
        self,
        folder: str,
        readable: Sequence[str] = (),
        temporary: str = "",
        words: Sequence[str] = (),
    ) -> None:
        self.folder = folder  # from where the player is imported, or where its program runs
        self.words = words  # that start its program, where it is no Python package
        self.readable = readable  # what it may read, where it is confined
        self.temporary = temporary  # a folder that goes when the player does, even if the referee is killed
        self.inbox = bytearray()  # of a reply, at most a little over REPLY bytes
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

    def _started(self) -> list[str]:
        """The script that becomes the player, and what it is told."""
        places = list(self.readable) if self.level == "full" else None
        if self.words:
            return [PROGRAM, self.temporary, json.dumps(places), json.dumps(list(self.words))]
        return [FAR_END, self.temporary, *([] if places is None else [json.dumps(places)])]

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

    @abstractmethod
    def how_it_ended(self) -> str:
        """`ended with exit status 3`, or what else is known."""

    @abstractmethod
    def close(self) -> None:
        """Nothing it ever started is left afterwards, and no descriptor here; may be called again."""

    def keep_output(self, data: bytes) -> None:
        """Add to the output, of which only the end is kept."""
        self.output += data
        self.printed += len(data)
        if len(self.output) > 2 * OUTPUT:
            del self.output[:-OUTPUT]
