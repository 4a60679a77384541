"""Samples where a player's CPU time goes: its call stack, every few milliseconds of the time that it uses.

Where the system has timers of CPU time (timers.py; not on Windows), a signal interrupts the thread that is
running, C code too, and Python's faulthandler writes down in that very moment at which line of which function
it is.  A handler written in Python would have to wait for the next bytecode that looks for signals, and name
a line that comes after the slow one.  Elsewhere a thread looks, with the delay that this has.
"""

import faulthandler
import linecache
import os
import re
import signal
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from types import CodeType, FrameType

from . import timers
from .shares import Frame, Stack, function
from .weights import (
    BEGAN,
    CUT,
    RESUMED,
    UNKNOWN,
    USED,
    WAITS,
    Group,
    Place,
    Sample,
    has_just_begun,
    outer_frames,
    parsed,
    places_of,
    weighed,
    written,
)

EVERY = 0.001  # seconds between two looks, where a thread takes the samples
BUDGET = 11.0  # seconds of CPU time for all turns but the last: 2 000 samples, one every 4 ms, and the waits
MOST_TURNS = 1000
TRIALS = 10  # to measure what it takes to write a stack down
COLD = 2.0  # times as long it takes in a turn: measured, 220 us a sample, of which 105 are seen in trials
IN_VAIN = 60  # turns without a sample, after which no more are taken: each is too short for one
FOLDED = ("<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>")  # part of the function they are written in
REFEREE = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "isolation", "")
HEAD = b"(most recent call first)"  # once in each stack
NOTE = re.compile(rb"(?:began|resumed|used|waits) [0-9]+\.[0-9]{6} -?[0-9.]+")


class Sampler:
    """Takes samples between `enable` and `disable`; `samples` has them when all is over.

    A second handler, Python's, notes what the process has used as soon as it gets its turn, which in a long
    call of C code comes after several samples.

    faulthandler may meet a stack that is just being changed, as when C code calls a Python function (the key
    of a sort), and then ends the process: so turns are taken in copies of it, by `rehearse`.
    """

    can_be_copied = True  # what copies of this process find is not gone with them
    waited = 0.0  # seconds of CPU time that the player was kept waiting, or its samples were noted
    _pausing = False

    def __init__(self) -> None:
        self._file = tempfile.TemporaryFile()
        self._read = 0  # bytes of it
        self._byte = self._cost_of_a_byte()
        self.later = 0.0  # seconds of CPU time of the turn that go by before the first sample
        self._timers = timers.timers(self._pause, self._waits)
        signal.signal(signal.SIGPROF, self._note)
        faulthandler.register(signal.SIGPROF, self._file, all_threads=False, chain=True)

    def enable(self) -> None:
        self._timers.wait_anywhere()
        self._timers.start(self.later)
        if self.later:
            self._write(BEGAN, self._used() + self.later, UNKNOWN)
        else:
            self._write(BEGAN, self._used())

    def disable(self) -> None:
        self._timers.stop()
        self._note()

    def news(self) -> tuple[int, float]:
        """How many samples there are since this was last asked, and how long, in CPU time, they go on.

        Those of copies of this process count: they write to the same file.  The time is that of Python's
        threads, as `later` is.
        """
        file = self._file.fileno()
        new = os.pread(file, os.fstat(file).st_size - self._read, self._read)
        self._read += len(new)
        notes = [line.split() for line in new.split(b"\n") if NOTE.fullmatch(line)]
        times = [float(used) - max(0.0, float(others)) for _, used, others in notes]
        went_on = times[-1] - times[0] - len(new) * self._byte if times else 0.0
        return new.count(HEAD), max(0.0, went_on)

    def _cost_of_a_byte(self) -> float:
        """Seconds of CPU time that faulthandler takes within a turn for each byte that it writes."""
        began = time.thread_time()
        for _ in range(TRIALS):
            faulthandler.dump_traceback(self._file, all_threads=False)
        took = time.thread_time() - began
        written = os.fstat(self._file.fileno()).st_size
        self._file.seek(0)
        self._file.truncate()
        return COLD * took / written

    def _used(self) -> float:
        """The player's own CPU time."""
        return time.process_time() - self.waited

    def _note(self, signalled: object = None, frame: FrameType | None = None) -> None:
        if self._pausing:
            return
        before, began = self.waited, time.thread_time()
        self._write_outer(frame)
        self._write(USED, self._used())
        if signalled:
            self._timers.signalled()
        self.waited = before + time.thread_time() - began  # with what other handlers did meanwhile

    def _write_outer(self, frame: FrameType | None) -> None:
        """Write down what the last sample lacks if it is of a stack that was too deep."""
        file, end = self._file.fileno(), f"{CUT}\n".encode()
        last = os.pread(file, len(end), max(0, os.fstat(file).st_size - len(end)))
        is_own = threading.active_count() == 1  # else it may be of another thread
        if outer := outer_frames(frame, last == end and is_own):
            os.write(file, outer.encode())

    def _pause(self) -> None:
        """Keep the player waiting: what that takes is not its own."""
        self._note()
        self._pausing, before, began = True, self.waited, time.thread_time()
        self._timers.wait()
        self.waited = before + time.thread_time() - began
        self._pausing = False
        self._write(RESUMED, self._used())

    def _waits(self, frame: FrameType | None) -> None:
        """Write down where the player waits while threads of C code compute."""
        before, began = self.waited, time.thread_time()
        os.write(self._file.fileno(), f"\nIt waits\n{written(dict.fromkeys(places_of(frame)))}".encode())
        self._write(WAITS, self._used())
        self.waited = before + time.thread_time() - began

    def _write(self, word: str, seconds: float, others: float | None = None) -> None:
        others = self._timers.used_by_others() if others is None else others
        os.write(self._file.fileno(), f"\n{word} {seconds:.6f} {others:.6f}\n".encode())

    def samples(self) -> Iterator[Sample]:
        """Of each sample its weight, its places, innermost first, and whether outer ones are missing."""
        self._file.seek(0)
        with open(self._file.fileno(), encoding="ascii", errors="replace", closefd=False) as lines:
            yield from weighed(parsed(lines), self._timers.tick)


class CarefulSampler(Sampler):
    """The same with Python's handler alone, which has to wait for its turn: less exact, but it cannot crash.

    A function that has only been entered did nothing yet: what was used until then is its caller's.
    """

    can_be_copied = False

    def __init__(self) -> None:
        self._found: list[Group] = []
        self._last = self.later = 0.0
        self._timers = timers.timers(self._pause, self._waits)
        signal.signal(signal.SIGPROF, self._note)

    def samples(self) -> Iterator[Sample]:
        """Of each sample its weight, its places, innermost first, and whether outer ones are missing."""
        yield from weighed(self._found, self._timers.tick)

    def _write(self, word: str, seconds: float, others: float | None = None) -> None:
        self._last = seconds

    def _note(self, signalled: object = None, frame: FrameType | None = None) -> None:
        before = self._last
        if frame:
            places = list(places_of(frame.f_back if has_just_begun(frame) else frame))
            self._found.append(Group([(places, None)], self._used() - before))
        super()._note(signalled)

    def _write_outer(self, frame: FrameType | None) -> None:
        """Nothing: no stack is cut."""

    def _waits(self, frame: FrameType | None) -> None:
        """Nothing: what threads of C code use falls to the next sample."""


class ThreadSampler:
    """The same without signals: a thread that looks every few milliseconds, where CPU time was used."""

    def __init__(self) -> None:
        self._found: list[Sample] = []
        self._player = threading.get_ident()
        self._over = threading.Event()

    def enable(self) -> None:
        self._over.clear()
        self._thread = threading.Thread(target=self._look, daemon=True)
        self._thread.start()

    def disable(self) -> None:
        self._over.set()
        self._thread.join()

    def samples(self) -> Iterator[Sample]:
        """Of each sample its weight, its places, innermost first, and whether outer ones are missing."""
        yield from self._found

    def _look(self) -> None:
        used = {self._player: _cpu(self._player)}
        while not self._over.wait(EVERY):
            for thread, frame in sys._current_frames().items():
                if thread == threading.get_ident():
                    continue
                now = _cpu(thread)
                more, used[thread] = now - used.get(thread, 0.0), now
                if more > 0:
                    self._found.append((more, list(places_of(frame)), None))


def _cpu(thread):
    """Seconds of CPU time of a thread; of the whole process where the system does not tell threads apart."""
    if hasattr(time, "pthread_getcpuclockid"):
        try:
            return time.clock_gettime(time.pthread_getcpuclockid(thread))
        except OSError:
            return 0.0
    return time.process_time() if thread == threading.main_thread().ident else 0.0


def sampler(careful: bool = False) -> "Sampler | ThreadSampler":
    """The best that this system has; a careful one cannot crash."""
    can = hasattr(faulthandler, "register") and hasattr(signal, "setitimer") and hasattr(signal, "SIGPROF")
    if not can:
        return ThreadSampler()
    return CarefulSampler() if careful else Sampler()


def import_numpy() -> None:
    """Import numpy, if it is there, so that its helper threads are not the ones that are interrupted.

    They have no Python code to name: timers.py says what becomes of their time.
    """
    masks = hasattr(signal, "pthread_sigmask") and hasattr(signal, "SIGPROF")
    if masks:
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGPROF})
    try:
        import numpy  # noqa: F401
    except ImportError:
        pass
    if masks:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGPROF})


def rehearse(
    sampler: Sampler,
    turn: Callable[[], object],
    wanted: int,
    copied: Callable[[], None] = lambda: None,
    once: bool = False,
) -> int:
    """Take the turn in copies of this process, for so many samples or once; how often that was.

    Each copy begins where this process is, so they all do the same.  Where one crashes, the next one samples
    from there on.  Where the system cannot copy a process, or the player has threads, which a copy would not
    have, there are none.  Each copy begins with a call of `copied`.
    """
    if not (sampler.can_be_copied and can_copy()):
        return 0
    turns, samples, began = 0, 0, _children()
    most = 1 if once else MOST_TURNS
    while turns < most and _children() - began < BUDGET and samples < wanted or sampler.later:
        if turns == 2 * MOST_TURNS or turns == IN_VAIN and not samples:
            break
        child = os.fork()
        if child == 0:
            try:
                copied()
                turn()
            finally:
                os._exit(0)
        with silent():
            _, status = os.waitpid(child, 0)
        more, reached = sampler.news()
        samples, turns = samples + more, turns + 1
        sampler.later = sampler.later + reached if os.WIFSIGNALED(status) else 0.0
    sampler.later = 0.0
    return turns


@contextmanager
def silent() -> Iterator[None]:
    """While a copy runs: where both are stopped, the copy alone says where it was, and has the time to."""
    tells = faulthandler.is_enabled()
    faulthandler.disable()
    before = signal.signal(signal.SIGABRT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGABRT, before or signal.SIG_DFL)  # None: set before Python looked
        if tells:
            faulthandler.enable(2)


def can_copy() -> bool:
    """Whether a copy of this process can go on as this one would."""
    return hasattr(os, "fork") and threading.active_count() == 1


def _children():
    times = os.times()
    return times.children_user + times.children_system


class Stacks:
    """Stacks of samples as frames: without what calls the player, comprehensions folded into their function.

    `names` says what a file is called and whether it is a library's.
    """

    def __init__(self, callers: tuple[str, ...], names: Callable[[str], tuple[str, bool]]):
        self._callers = callers  # the files of what calls the player
        self._names = names
        self._codes: dict[str, list[tuple[CodeType, CodeType]]] = {}
        self._frames: dict[Place, Frame] = {}

    def stacks(self, samples: Iterator[Sample]) -> list[Stack]:
        """Each stack that was met, outermost frame first, in how many samples, and their weight.

        What lies above a stack that was cut is what lies above its outermost function in others: in those
        that fit to what is known of it, as often as it does there.
        """
        met: dict[tuple[Frame, ...], list[float]] = {}
        above: dict[Hashable, Counter[tuple[Frame, ...]]] = {}  # by function
        unfinished = []
        for weight, places, cut in samples:
            ends = [number for number, place in enumerate(places) if place[0] in self._callers]
            if ends and ends[-1] - ends[0] >= len(ends):
                continue  # the player was interrupted already, by a handler of the sampler's
            frames = self._frames_of(places)
            if not ends and any(place[0].startswith(REFEREE) for place in places):
                continue  # the player's thread, its calls torn apart
            if cut is not None and not ends:
                unfinished.append((frames, weight, cut))
            elif frames:
                met.setdefault(frames, []).append(weight)
        for frames, weights in met.items():
            first = {function(frame): at for at, frame in reversed(list(enumerate(frames)))}
            for key, at in first.items():
                above.setdefault(key, Counter())[frames[:at]] += len(weights)
        actions = Counter({frames[0]: len(weights) for frames, weights in met.items()}).most_common(1)
        # What it was called by was the player's action at any rate, on whatever line.
        unknown = tuple(frame._replace(line=frame.first, source="") for frame, _ in actions)
        taken: Counter[tuple[Hashable, tuple[Frame, ...]]] = Counter()  # how often, by function and way
        for frames, weight, cut in unfinished:
            key = function(frames[0])
            left = self._frames_of(cut.left)
            ways = above.get(key, Counter())
            fit = _fitting(ways, left, cut.went_on)
            way = max(fit, key=lambda way: ways[way] / (taken[key, way] + 1)) if fit else left or unknown
            taken[key, way] += 1
            met.setdefault((*way, *frames), []).append(weight)
        return [(len(weights), sum(weights), frames) for frames, weights in met.items()]

    def _frames_of(self, places: Sequence[Place]) -> tuple[Frame, ...]:
        """The frames from the player's action on, outermost first."""
        ends = [number for number, place in enumerate(places) if place[0] in self._callers]
        return tuple(self.frame(place) for place in reversed(places[: ends[0]] if ends else places))

    def frame(self, place: Place) -> Frame:
        """The frame of a place."""
        if place not in self._frames:
            path, name, line = place
            code = self._function(path, name, line)
            first = code.co_firstlineno if code else 0
            named = code.co_qualname if code else name
            file, is_library = self._names(path)
            line = line or first
            source = linecache.getline(path, line).strip()
            self._frames[place] = Frame(file, first, named, line, source, is_library)
        return self._frames[place]

    def _function(self, path, name, line):
        """The code of that name that has that line: the innermost one, or what a comprehension belongs to.

        A line may be that of no code, as between two instructions; then the name has to do.
        """
        if path not in self._codes:
            self._codes[path] = list(_codes(path))
        named = [(code, owner) for code, owner in self._codes[path] if code.co_name == name]
        exact = [pair for pair in named if any(at == line for _, _, at in pair[0].co_lines())]
        return max(exact or named, key=lambda pair: pair[0].co_firstlineno, default=(None, None))[1]


def _fitting(
    ways: Iterable[tuple[Frame, ...]], left: tuple[Frame, ...], went_on: bool
) -> list[tuple[Frame, ...]]:
    """The ways from the action to a function on which a stack was that soon after came back to these frames.

    The innermost of them may be at a later line by then: all others where it called the function.
    """
    if not left:
        return list(ways)
    *outer, back = left
    at = len(outer)
    near: dict[tuple[int, ...], list[tuple[Frame, ...]]] = {}
    for way in ways:
        if len(way) > at and list(way[:at]) == outer and function(way[at]) == function(back):
            line = way[at].line
            # A later call lies behind it, but for one on the same line; a loop's round ends at its last line.
            rank = (line < back.line, line == back.line, line) if went_on else (line == back.line, line)
            near.setdefault(rank, []).append(way)
    return near[max(near)] if near else []


def _codes(path: str) -> Iterator[tuple[CodeType, CodeType]]:
    """All codes in a file, each with the function that it belongs to; none where there is no source."""
    try:
        module = compile("".join(linecache.getlines(path)), path, "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        return
    waiting = [(module, module)]
    while waiting:
        code, owner = waiting.pop()
        yield code, owner
        for part in code.co_consts:
            if isinstance(part, CodeType):
                waiting.append((part, owner if part.co_name in FOLDED else part))
