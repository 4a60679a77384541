"""Watches players while they wait for their opponent: one that goes on is charged for it and stopped again.

A stopped process can be woken by whatever sends it SIGCONT: a timer of its own, a thread just before it was
stopped, a child, a tracer.  What can be forbidden is (confinement), what can be frozen is (cgroup.py); this
is for the rest, and for what nobody has thought of.
"""

import contextlib
import threading
import time
from typing import Protocol

LOOK = 0.01  # seconds between two looks


class Waiter(Protocol):
    """A player's process that is to stand still."""

    def look_while_paused(self) -> None:
        """Measure, and stop again what runs."""


_waiting: list[Waiter] = []
_lock = threading.Lock()
_somebody = threading.Event()
_watch: threading.Thread | None = None


def begin(waiter: Waiter) -> None:
    """Look at it from now on."""
    global _watch
    with _lock:
        _waiting.append(waiter)
        _somebody.set()
        if _watch is None or not _watch.is_alive():  # the first, or the first after a fork
            _watch = threading.Thread(target=_look_on, name="waiting", daemon=True)
            _watch.start()


def end(waiter: Waiter) -> None:
    """Look at it no more."""
    with _lock:
        if waiter in _waiting:
            _waiting.remove(waiter)
        if not _waiting:
            _somebody.clear()


def _look_on() -> None:
    while True:
        _somebody.wait()
        with _lock:
            now = tuple(_waiting)
        for waiter in now:
            with contextlib.suppress(OSError):  # out of descriptors: the next look does it
                waiter.look_while_paused()
        time.sleep(LOOK)
