"""Timers of CPU time, which interrupt a player with a signal each time that it has used so much more.

On Linux each thread of Python's has one of its own.  A timer of the whole process would be simpler, and is
all that other systems have.  But Linux then sets the clock of the process only every few milliseconds: a
player that looks at `time.process_time()` would think by another clock than in a game.

Systems look at such timers at their ticks, most of them every 4 ms.  A player's own loops may keep step with
that, and always be met at the same places: so now and then it is kept waiting for a moment that is drawn.
"""

import ctypes
import os
import signal
import sys
import threading
import time
from random import Random
from types import FrameType

EVERY = 0.001  # seconds of CPU time between two signals, for systems that look so often
FIRST = 0.00005  # seconds of CPU time before the first one
TICK = 0.004  # seconds between two looks of most systems
STEPS = 8  # signals after which, on average, it is kept waiting
THREAD = 4  # notify a thread (SIGEV_THREAD_ID)


class Event(ctypes.Structure):
    """struct sigevent, in Linux's layout."""

    _fields_ = [
        ("value", ctypes.c_void_p),
        ("signal", ctypes.c_int),
        ("notify", ctypes.c_int),
        ("thread", ctypes.c_int),
        ("rest", ctypes.c_char * 44),
    ]


class Times(ctypes.Structure):
    """struct itimerspec: how often, and when first, in seconds and nanoseconds."""

    _fields_ = [(name, ctypes.c_long) for name in ("every_s", "every_ns", "first_s", "first_ns")]


class OfProcess:
    """One timer for the process: the system chooses a thread."""

    def __init__(self) -> None:
        self._lots = Random()  # the player's own is not touched

    def wait_anywhere(self) -> None:
        """Wait before the start: a busy system starts a process at a tick, and turns would begin in step."""
        self._lots.seed()  # copies of a process are to differ
        self._wait(2 * TICK)

    def start(self, later: float) -> None:
        """Send SIGPROF from now on, or when so many seconds have been used."""
        signal.setitimer(signal.ITIMER_PROF, FIRST + later, EVERY)

    def stop(self) -> None:
        """Send no more."""
        signal.setitimer(signal.ITIMER_PROF, 0)

    def break_step(self) -> bool:
        """After a signal: wait, now and then, so that the next one finds the player elsewhere; whether so."""
        if self._lots.randrange(STEPS):
            return False
        self._wait(TICK)
        return True

    def _wait(self, most: float) -> None:
        """Use some CPU time."""
        until = time.thread_time() + most * self._lots.random()
        while time.thread_time() < until:
            pass


class OfThreads(OfProcess):
    """One for each thread of Python's, those that begin later too."""

    def __init__(self, library: ctypes.CDLL) -> None:
        super().__init__()
        self._library = library
        self._made: list[ctypes.c_void_p] = []

    def stop(self) -> None:
        """Send no more."""
        threading.setprofile(None)
        for made in self._made:
            self._library.timer_delete(made)
        self._made.clear()

    def start(self, later: float) -> None:
        """Send SIGPROF from now on, or when so many seconds have been used."""
        for thread in threading.enumerate():
            # What Python 3.11 says of the main thread is wrong in a copy of a process.
            native = os.getpid() if thread is threading.main_thread() else thread.native_id
            if thread.ident and native:
                self._begin(thread.ident, native, FIRST + later)
        threading.setprofile(self._join)

    def _join(self, frame: FrameType, event: str, argument: object) -> None:
        """Called in a new thread, once."""
        sys.setprofile(None)
        self._begin(threading.get_ident(), threading.get_native_id(), EVERY)

    def _begin(self, ident: int, native: int, first: float) -> None:
        clock = time.pthread_getcpuclockid(ident)
        event = Event(signal=signal.SIGPROF, notify=THREAD, thread=native)
        made = ctypes.c_void_p()
        if self._library.timer_create(clock, ctypes.byref(event), ctypes.byref(made)) == 0:
            self._made.append(made)
            parts = (part for seconds in (EVERY, first) for part in divmod(round(seconds * 1e9), 10**9))
            self._library.timer_settime(made, 0, ctypes.byref(Times(*parts)), None)


def timers() -> OfProcess:
    """The best that this system has."""
    if sys.platform == "linux" and ctypes.sizeof(ctypes.c_long) == 8:
        library = ctypes.CDLL(None)
        if all(hasattr(library, name) for name in ("timer_create", "timer_settime", "timer_delete")):
            return OfThreads(library)
    return OfProcess()
