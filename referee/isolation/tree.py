"""Reads, stops and ends a process and all that it has started, through psutil, the same on every system.

Nothing tells when something happens, so everything here is a look: what comes and goes between two
looks is missed, and so is a process whose parents all ended before it was seen.
"""

import contextlib
import os
import time

import psutil

FAMILY = 0.1  # seconds between two looks for new processes, which take a walk through the whole system's
ROUNDS = 20  # of stopping processes that start processes
DYING = 1.0  # seconds that killed processes may take to be gone


class ProcessTree:
    """A process, the root, and those below it that have been seen.  A process that is gone is no error.

    `mark` is in the environment of all, so that those are ended too that were never seen.
    """

    def __init__(self, pid: int, mark: str):
        self._mark = mark
        self._living: list[psutil.Process] = []
        self._ended = 0.0  # seconds of those that are gone
        self._seconds: dict[psutil.Process, float] = {}  # of each that lives, by its own account
        self._waited_for: dict[psutil.Process, float] = {}  # of the children that it has waited for
        self._look = 0.0  # when to look for new ones
        with contextlib.suppress(psutil.Error):
            self._living = [psutil.Process(pid)]
        self._root = self._living[0] if self._living else None

    @property
    def helpers(self) -> list[psutil.Process]:
        """Those that live, the root excepted."""
        return [one for one in self._living if one != self._root]

    def find(self) -> None:
        """Look for processes that are new, and for those that are gone."""
        known = set(self._living)
        for one in list(self._living):
            if not _lives(one):
                self._living.remove(one)
                self._ended += self._seconds.pop(one, 0.0)
                self._waited_for.pop(one, None)
            elif one == self._root or self._root not in self._living:  # else it was seen from the root
                with contextlib.suppress(psutil.Error):
                    self._living += [new for new in one.children(recursive=True) if new not in known]
                    known.update(self._living)
        self._look = time.monotonic() + FAMILY

    def find_now_and_then(self) -> None:
        """The same, where the last look is long ago."""
        if time.monotonic() >= self._look:
            self.find()

    def cpu(self) -> float:
        """Seconds used by all: of two sums that each miss something, the larger.

        One misses processes that came and went between two looks; the other those that nobody waited for.
        """
        for one in self._living:
            with contextlib.suppress(psutil.Error):
                times = one.cpu_times()
                self._seconds[one] = times.user + times.system
                # Windows tells nothing of children.
                of_children = (getattr(times, f"children_{kind}", 0.0) for kind in ("user", "system"))
                self._waited_for[one] = sum(of_children)
        living = sum(self._seconds.values())
        return living + max(self._ended, sum(self._waited_for.values()))

    def megabytes(self) -> tuple[float, float]:
        """Resident memory and address space of all, the root's at its highest where the system tells it."""
        resident = space = 0
        for one in self._living:
            with contextlib.suppress(psutil.Error):
                info = one.memory_info()
                space += info.vms
                resident += max(info.rss, getattr(info, "peak_wset", 0)) if one == self._root else _own(one)
        return resident / 2**20, space / 2**20

    def threads(self) -> int:
        """How many there are in all."""
        count = 0
        for one in self._living:
            with contextlib.suppress(psutil.Error):
                count += one.num_threads()
        return count

    def stop(self) -> None:
        """Stop all where they are, those too that one of them starts meanwhile."""
        stopped: set[psutil.Process] = set()
        for _ in range(ROUNDS):
            new = [one for one in self._living if one not in stopped]
            if not new:
                break
            for one in new:
                with contextlib.suppress(psutil.Error):
                    one.suspend()
            stopped.update(new)
            self.find()

    def resume(self) -> None:
        """Let all go on."""
        for one in self._living:
            with contextlib.suppress(psutil.Error):
                one.resume()

    def find_marked(self) -> None:
        """Look for all, those too that were never seen."""
        self.find()
        self._living += [one for one in _marked(self._mark) if one not in self._living]

    def kill(self) -> int:
        """End all and wait until they are gone, except for the root, which its parent waits for; how many."""
        self.find_marked()
        self.stop()
        for one in self._living:
            with contextlib.suppress(psutil.Error):
                one.kill()
        killed = self.helpers
        psutil.wait_procs(killed, timeout=DYING)
        return len(killed)


def _marked(mark: str) -> list[psutil.Process]:
    """All of this user's processes that have the mark in their environment."""
    found = []
    for one in psutil.process_iter():
        with contextlib.suppress(psutil.Error, OSError):
            if one.pid != os.getpid() and mark in one.environ().values():
                found.append(one)
    return found


def _lives(process: psutil.Process) -> bool:
    """Whether it runs or is stopped, or cannot be asked."""
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False
    except psutil.Error:
        return True


def _own(process: psutil.Process) -> int:
    """Bytes that a helper adds: without what it has in common with others, where the system tells that."""
    try:
        return process.memory_full_info().uss
    except psutil.AccessDenied:
        return process.memory_info().rss
