"""What a launcher has loaded for the processes that are forked from it, and what each of them renews.

After that a process is as one that has loaded it by itself: it has all its memory, which is neither copied
nor mapped later at the player's cost; numpy's threads, which no fork copies; and random numbers of its own.
The hashes of strings are the launcher's.
"""

import ctypes
import os
import sys
from collections.abc import Callable

from . import pages, proc

# What numpy's BLAS may be called in a process: to say how many threads it has is what starts them.
THREADS = [
    (f"{prefix}openblas_get_num_threads{suffix}", f"{prefix}openblas_set_num_threads{suffix}")
    for prefix in ("scipy_", "")
    for suffix in ("64_", "")
]
TASKS = "/proc/self/task"


class Loaded:
    """Loads numpy.  The process ends where copies of it would lack a thread that somebody counts on."""

    def __init__(self) -> None:
        try:
            import numpy  # noqa: F401
        except ImportError:
            pass
        self._start_threads: list[Callable[[], None]] = []
        if len(proc.names(TASKS)) > 1:
            self._start_threads = _starters()
            _fork_once()  # for which a BLAS ends its threads; it starts them anew when it needs them
            if len(proc.names(TASKS)) > 1:
                os._exit(1)
        self._runs = pages.present()

    def renew(self) -> None:
        """To be called in a copy, before it is confined."""
        pages.have(self._runs)
        for name in ("random", "numpy.random"):
            if name in sys.modules:
                sys.modules[name].seed()

    def start_threads(self) -> None:
        """To be called once it is confined, as all its threads are to be."""
        for start in self._start_threads:
            start()


def _fork_once() -> None:
    copy = os.fork()
    if copy == 0:
        os._exit(0)
    os.waitpid(copy, 0)


def _starters() -> list[Callable[[], None]]:
    """What starts the threads that the BLAS libraries of this process have."""
    with open("/proc/self/maps", encoding="utf-8", errors="replace") as maps:
        paths = {line.split(maxsplit=5)[5].strip() for line in maps if "openblas" in line}
    found = []
    for path in sorted(paths):
        library = ctypes.CDLL(path)
        for get, set_ in THREADS:
            if hasattr(library, get) and hasattr(library, set_):
                found.append(_starter(getattr(library, set_), getattr(library, get)()))
    return found


def _starter(set_threads: Callable[[int], None], count: int) -> Callable[[], None]:
    return lambda: set_threads(count)
