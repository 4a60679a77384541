"""Reads what Linux tells of processes: the one reader of /proc, for the referee and in players' processes.

It imports nothing of the referee's.  Elsewhere than on Linux, and of a process that is gone, there is nothing
to read: then files are empty, lists too, and sizes are missing.
"""

import errno
import os
import re
import time

KILOBYTES = re.compile(rb"^(\w+):\s+(\d+) kB$", re.MULTILINE)
LONGEST = 16384  # bytes of a file that is kept open
GONE = (errno.ENOENT, errno.ESRCH, errno.ENODEV)
TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100  # a second, in /proc/PID/stat


def read(path: str) -> bytes:
    """A file; nothing if it is not there, or its process is gone."""
    try:
        with open(path, "rb") as file:
            return file.read()
    except (FileNotFoundError, ProcessLookupError):
        return b""


def names(folder: str) -> list[str]:
    """What is in a folder; nothing where it may not be read."""
    try:
        return os.listdir(folder)
    except OSError:
        return []


class Kept:
    """Files of a folder that the kernel writes, each kept open, since they are read again and again.

    What was opened stays its process's, whoever gets the number later.
    """

    def __init__(self, folder: str):
        self._folder = folder
        self._open: dict[str, int] = {}

    def read(self, name: str) -> bytes:
        """The file; nothing if it is not there, or what it speaks of is gone."""
        try:
            if name not in self._open:
                self._open[name] = os.open(f"{self._folder}/{name}", os.O_RDONLY)
            return os.pread(self._open[name], LONGEST, 0)
        except OSError as error:
            if error.errno in GONE:
                return b""
            raise

    def close(self) -> None:
        """It may be called again."""
        while self._open:
            os.close(self._open.popitem()[1])


def sizes(path: str) -> dict[str, int]:
    """The sizes in a file such as `VmHWM:  8500 kB`, in kilobytes by name."""
    return sizes_in(read(path))


def sizes_in(text: bytes) -> dict[str, int]:
    """The same of what was read."""
    return {name.decode(): int(size) for name, size in KILOBYTES.findall(text)}


def children(pid: int) -> list[int]:
    """The process's children, those that ended unreaped included; none if it is gone itself."""
    try:
        threads = os.listdir(f"/proc/{pid}/task")
    except (FileNotFoundError, ProcessLookupError):
        return []
    return [int(child) for thread in threads for child in read(f"/proc/{pid}/task/{thread}/children").split()]


def descendants(pid: int) -> list[int]:
    """All processes below this one, parents before their children."""
    found = children(pid)
    for one in found:  # grows while it is walked
        found += children(one)
    return found


def parent(pid: int) -> int:
    """The process's parent; 0 if the process is gone."""
    fields = _stat(pid)
    return int(fields[1]) if fields else 0


def state(pid: int) -> str:
    """One letter: `R` runs, `S` and `D` wait, `T` and `t` are stopped, `Z` has ended; "" if it is gone."""
    return (_stat(pid) or [b""])[0].decode()


def started(pid: int) -> int:
    """When the process started, in ticks; 0 if it is gone."""
    fields = _stat(pid)
    return int(fields[19]) if fields else 0


class Stat:
    """What a process's /proc/PID/stat says besides; ProcessLookupError when it is gone and says nothing."""

    def __init__(self, text: bytes):
        fields = _fields(text)
        if not fields:
            raise ProcessLookupError
        self.waited_for = (int(fields[13]) + int(fields[14])) / TICKS  # seconds of reaped children
        self.threads = int(fields[17])
        self.started = int(fields[19])


def clock(pid: int) -> float:
    """Seconds of CPU that the process's threads have used; ProcessLookupError when it is gone."""
    try:
        return time.clock_gettime((~pid << 3) | 2)
    except OSError:  # the system's word for it is that there is no such clock
        raise ProcessLookupError from None


def starved(text: bytes) -> float:
    """Seconds that a thread has waited for a core, by its schedstat; 0 where the kernel does not say."""
    fields = text.split()
    return int(fields[1]) / 1e9 if len(fields) > 1 else 0.0


def stat(pid: int) -> bytes:
    """What /proc/PID/stat says of a process; nothing if it is gone."""
    return read(f"/proc/{pid}/stat")


def _stat(pid: int) -> list[bytes]:
    return _fields(stat(pid))


def _fields(text: bytes) -> list[bytes]:
    """The fields of /proc/PID/stat from proc(5)'s third on."""
    return text.rpartition(b")")[2].split()
