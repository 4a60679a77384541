"""A process, and all that carry its mark, read and ended through Linux's files: twin of tree.py's Tree."""

import contextlib
import os
import signal
import time
from pathlib import Path

ROUNDS = 20  # of ending processes that start processes


def works() -> bool:
    """Whether this system has what is read here."""
    try:
        signal.SIGKILL  # noqa: B018
        Path("/proc/self/environ").read_bytes()
        time.clock_gettime(_clock(os.getpid()))
    except (OSError, AttributeError):
        return False
    return True


class Marked:
    """A process, and those that have the mark in their environment; one that is gone is no error."""

    def __init__(self, pid: int, mark: str):
        self._pid = pid
        self._mark = mark.encode()

    def cpu(self) -> float:
        """Seconds that the process used."""
        with contextlib.suppress(OSError):
            return time.clock_gettime(_clock(self._pid))
        return 0.0

    def megabytes(self) -> tuple[float, float]:
        """Its resident memory and address space."""
        with contextlib.suppress(OSError, IndexError):
            space, resident = Path(f"/proc/{self._pid}/statm").read_text(encoding="ascii").split()[:2]
            page = os.sysconf("SC_PAGE_SIZE")
            return int(resident) * page / 2**20, int(space) * page / 2**20
        return 0.0, 0.0

    def kill(self) -> int:
        """End the process and all others; the most that there were of them at once."""
        most = 0
        with contextlib.suppress(OSError):
            os.kill(self._pid, signal.SIGKILL)
        for _ in range(ROUNDS):
            others = [pid for pid in self._all() if pid != self._pid]
            if not others:
                break
            most = max(most, len(others))
            for pid in others:
                with contextlib.suppress(OSError):
                    os.kill(pid, signal.SIGKILL)
            time.sleep(0.02)
        return most

    def _all(self) -> list[int]:
        """Those with the mark, wherever they have gone."""
        found = []
        with contextlib.suppress(OSError):
            for entry in os.scandir("/proc"):
                with contextlib.suppress(OSError):
                    if entry.name.isdecimal() and self._mark in Path(entry, "environ").read_bytes():
                        found.append(int(entry.name))
        return found


def _clock(pid: int) -> int:
    """The number of a process's CPU clock."""
    return (~pid << 3) | 2
