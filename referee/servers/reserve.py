"""Keeps a second process of a player ready, imports done, for when the first is late or has failed."""

import threading
from collections.abc import Callable
from contextlib import suppress

from referee.isolation.process import Fault
from referee.servers.timed_process import Overtaken, TimedProcess

CLOSING = 2.0  # seconds for an import to notice that it is not wanted any more


class Reserve:
    """Keeps one process ready.  `prepare` and `take` are for threads that live as long as the reserve."""

    def __init__(self, make: Callable[[], TimedProcess]) -> None:
        self._make = make
        self._taking = threading.Lock()
        self._ready: tuple[TimedProcess, threading.Thread] | None = None
        self._over = threading.Event()

    def prepare(self) -> None:
        """Start a process in reserve, unless there is one; does not wait for it."""
        with self._taking:
            if self._ready is None and not self._over.is_set():
                self._ready = self._begun()

    def take(self) -> TimedProcess:
        """Return the process that is ready; if it could not be imported, its calls raise that fault."""
        with self._taking:
            (process, thread), self._ready = self._ready or self._begun(), None
        thread.join()
        process.overtaken = None
        return process

    def _begun(self) -> tuple[TimedProcess, threading.Thread]:
        process = self._make()
        process.overtaken = self._over.is_set
        process.spawn()  # by this thread, since processes end with the thread that has started them
        thread = threading.Thread(target=_start, args=(process,), daemon=True)
        thread.start()
        return process, thread

    def close(self) -> None:
        self._over.set()
        if self._ready:
            process, thread = self._ready
            thread.join(CLOSING)
            process.close()


def _start(process):
    with suppress(Fault, Overtaken):  # a fault is raised again by the next call
        process.start()
