"""Timers of CPU time, which interrupt a player with a signal each time that it has used so much more.

On Linux each thread has one of its own.  A timer of the whole process would be simpler, and is all that other
systems have.  But Linux then sets the clock of the process only every few milliseconds: a player that looks
at `time.process_time()` would think by another clock than in a game.  Threads of C libraries have no Python
code to name: theirs tell the main thread, which may be waiting for them, and what they use their clocks tell.

Systems look at such timers at their ticks, most of them every 4 ms.  A player's own loops may keep step with
that, and always be met at the same places: so it is kept waiting now and then, for a time that is drawn.
"""

import ctypes
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from random import Random
from types import FrameType

EVERY = 0.001  # seconds of CPU time between two signals, for systems that look so often
SHORT = 0.0001  # the same on Linux, where every tick that meets a thread is to count: it looks no more often
FIRST = 0.00005  # seconds of CPU time before the first one
AT_ONCE = 0.000001  # the same for a thread that begins, which may end soon
TICK = 0.004  # seconds between two looks of most systems
STEPS = 2  # ticks after which, on average, it is kept waiting on Linux
SIGNALS = 8  # signals after which, on average, elsewhere
THREAD = 4  # notify a thread (SIGEV_THREAD_ID)
MONOTONIC, COARSE = 1, 6  # Linux's clocks; the second one goes on at each tick
THREADS = "/proc/self/task"
MOMENT, OTHER = (getattr(signal, "SIGRTMIN", 0) + more for more in (7, 8))  # signals nobody else may use
IDLE = 0.1  # of a thread that has used less of the time, one cannot say that it runs


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
    """One timer for the process: the system chooses a thread.  `pause` keeps the player waiting by `wait`."""

    tick: float | None = None  # seconds between two looks of this system, where it tells

    def __init__(self, pause: Callable[[], None], waits: Callable[[FrameType | None], None]) -> None:
        self._pause, self._waits = pause, waits
        self._lots = Random()  # the player's own is not touched

    def wait_anywhere(self) -> None:
        """Wait before the start: a busy system starts a process at a tick, and turns would begin in step."""
        self._lots.seed()  # copies of a process are to differ
        self.wait()

    def start(self, later: float) -> None:
        """Send SIGPROF from now on, or when so many seconds have been used."""
        signal.setitimer(signal.ITIMER_PROF, FIRST + later, EVERY)

    def stop(self) -> None:
        """Send no more."""
        signal.setitimer(signal.ITIMER_PROF, 0)

    def used_by_others(self) -> float:
        """Seconds of CPU time of the threads that are not Python's, those that are known."""
        return 0.0

    def signalled(self) -> None:
        """To be called after each signal."""
        if self._lots.randrange(SIGNALS) == 0:
            self._pause()

    def wait(self) -> None:
        """Use as much CPU time as makes the next tick come at any time from now on, each as likely."""
        until = time.thread_time() + (self.tick or TICK) * self._lots.random()
        while time.thread_time() < until:
            pass


class OfThreads(OfProcess):
    """One for each thread, those that begin later too.

    The moments to wait come by a timer of the wall clock's and a signal of their own.  Were they chosen at
    the ticks, what is called from C code, where the player cannot be kept, would be met more or less often.
    """

    def __init__(
        self, pause: Callable[[], None], waits: Callable[[FrameType | None], None], library: ctypes.CDLL
    ) -> None:
        super().__init__(pause, waits)
        self.tick = time.clock_getres(COARSE)
        self._library = library
        self._made: dict[int, ctypes.c_void_p] = {}  # by the thread that it times
        self._lock = threading.RLock()  # on that; again by a signal while it is held
        self._moments: ctypes.c_void_p | None = None
        self._others: dict[int, float] = {}  # what threads that are not Python's had used
        self._gone = 0.0  # what those used that are gone
        self._then = 0.0, 0.0  # what the others, and the main thread, had used when one of them last told
        self._last = 0.0, 0.0  # when a moment last came, by the thread's and by the wall clock
        signal.signal(MOMENT, self._moment)
        signal.siginterrupt(MOMENT, False)
        signal.signal(OTHER, self._other)  # which wakes a player that waits; Python goes on waiting then

    def stop(self) -> None:
        """Send no more."""
        threading.setprofile(None)
        moments, self._moments = self._moments, None
        if moments is not None:
            self._library.timer_delete(moments)
        with self._lock:
            for native in list(self._made):
                self._end(native)

    def start(self, later: float) -> None:
        """Send SIGPROF from now on, or when so many seconds have been used."""
        # What Python 3.11 says of the main thread is wrong in a copy of a process.
        self._main = os.getpid()
        for thread in threading.enumerate():
            native = self._main if thread is threading.main_thread() else thread.native_id
            if native:
                self._begin(native, signal.SIGPROF, native, SHORT, FIRST + later)
        threading.setprofile(self._join)
        self._begin_others()

    def signalled(self) -> None:
        """To be called after each signal."""
        self._begin_others()
        if self._moments is None:  # before the first signal there is nothing to be in step with
            self._moments = self._timer(MONOTONIC, MOMENT, self._main)
            self._set_moment()

    def _join(self, frame: FrameType, event: str, argument: object) -> None:
        """Called in a new thread, once."""
        sys.setprofile(None)
        native = threading.get_native_id()
        with self._lock:
            self._end(native)
            self._begin(native, signal.SIGPROF, native, SHORT, AT_ONCE)

    def _begin_others(self) -> None:
        """Time the threads of C libraries that there are now; together they interrupt as often as one."""
        with self._lock:
            threads = set(map(int, os.listdir(THREADS)))
            for native in self._made.keys() - threads:
                self._end(native)
            others = threads - self._made.keys()
            every = (self.tick or TICK) * len(others)
            for native in others:
                if native not in self._made:  # by a signal that came just now
                    self._others[native] = 0.0
                    self._begin(native, OTHER, self._main, every, every * self._lots.random())

    def used_by_others(self) -> float:
        """Seconds of CPU time of the threads that are not Python's, those that are known."""
        with self._lock:
            for native in list(self._others):  # a signal may change it
                with suppress(OSError):  # it is gone
                    self._others[native] = time.clock_gettime(_clock(native))
            return self._gone + sum(self._others.values())

    def _begin(self, timed: int, number: int, told: int, every: float, first: float) -> None:
        timer = self._timer(_clock(timed), number, told)
        if timer is not None:  # the first one's number is 0, which is false
            self._made[timed] = timer
            self._set(timer, every, first)

    def _end(self, timed: int) -> None:
        self._gone += self._others.pop(timed, 0.0)
        timer = self._made.pop(timed, None)
        if timer is not None:
            self._library.timer_delete(timer)

    def _timer(self, clock: int, number: int, told: int) -> ctypes.c_void_p | None:
        event = Event(signal=number, notify=THREAD, thread=told)
        made = ctypes.c_void_p()
        fails = self._library.timer_create(clock, ctypes.byref(event), ctypes.byref(made))
        return None if fails else made

    def _set(self, timer: ctypes.c_void_p, every: float, first: float) -> None:
        parts = (part for seconds in (every, first) for part in divmod(round(seconds * 1e9), 10**9))
        self._library.timer_settime(timer, 0, ctypes.byref(Times(*parts)), None)

    def _moment(self, number: int, frame: FrameType | None) -> None:
        """Keep the player waiting, unless it waits already for something else, or other threads run."""
        used, passed = time.thread_time() - self._last[0], time.monotonic() - self._last[1]
        if used > IDLE * passed and threading.active_count() == 1:
            self._pause()
        self._set_moment()

    def _other(self, number: int, frame: FrameType | None) -> None:
        """Another thread has used some time: the player may be waiting for it; if Python's others are not."""
        then, main_then = self._then
        self._then = others, main = self.used_by_others(), time.thread_time()
        if main - main_then < IDLE * (others - then) and threading.active_count() == 1:
            self._waits(frame)

    def _set_moment(self) -> None:
        self._last = time.thread_time(), time.monotonic()
        if self._moments is not None:
            seconds = self._lots.expovariate(1 / (STEPS * (self.tick or TICK)))
            self._set(self._moments, 0.0, max(seconds, 1e-6))


def _clock(thread: int) -> int:
    """The clock of a thread's CPU time, as Linux numbers it."""
    return ctypes.c_int(~thread << 3 | 6).value


def timers(pause: Callable[[], None], waits: Callable[[FrameType | None], None]) -> OfProcess:
    """The best that this system has.

    `pause` is to keep the player waiting, by `wait`; `waits` is told where it waits itself, while threads
    compute that are not Python's.
    """
    if sys.platform == "linux" and ctypes.sizeof(ctypes.c_long) == 8:
        library = ctypes.CDLL(None)
        if all(hasattr(library, name) for name in ("timer_create", "timer_settime", "timer_delete")):
            return OfThreads(pause, waits, library)
    return OfProcess(pause, waits)
