"""The ways in which a player's action is watched: alone, sampled, line by line, call by call, for its memory.

Each is a class: made for the player's module, it may take the turn beforehand, in copies of the process, as
often as that helps (`rehearse`); its `profiler` is switched on for the turn itself; and `found` says what it
saw, in terms of JSON.
"""

import cProfile
import gc
import inspect
import linecache
import os
import signal
import sys
import threading
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from types import CellType, CodeType, FunctionType, ModuleType
from typing import Any

from . import sampling

GENERATOR = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR
CALLERS = tuple(map(str, Path(__file__).absolute().parent.glob("*.py")))  # of the player: this folder's files


class Collecting:
    """Adds up the CPU time in which Python collects garbage, from when it is made until it is stopped."""

    def __init__(self, is_on: bool) -> None:
        self.seconds, self.times, self._began, self._is_on = 0.0, 0, 0.0, is_on
        if is_on:
            gc.callbacks.append(self._note)

    def _note(self, phase: str, _: object) -> None:
        if phase == "start":
            self._began = time.process_time()
        else:
            self.seconds += time.process_time() - self._began
            self.times += 1

    def stop(self) -> None:
        """Add no more."""
        if self._is_on:
            gc.callbacks.remove(self._note)


class NoProfiler:
    """Does nothing: what the turn costs by itself."""

    def enable(self) -> None:
        """Nothing."""

    disable = enable


class Package:
    """The files of the player's package, and a profiler that is switched on for its action."""

    def __init__(self, module: ModuleType):
        top = sys.modules[module.__name__.partition(".")[0]]
        origin = os.path.abspath(top.__file__ or "")
        self._home = os.path.dirname(origin) + os.sep if hasattr(top, "__path__") else origin
        self._above = os.path.dirname(self._home.rstrip(os.sep)) + os.sep
        self.profiler: Any = NoProfiler()
        for loaded in list(sys.modules.values()):  # so that lines of a zip can be had by file name
            path = getattr(loaded, "__file__", None)
            if isinstance(path, str) and self.within(path):
                linecache.getlines(path, vars(loaded))

    def within(self, path: str) -> bool:
        """Whether a file is the package's."""
        path = os.path.abspath(path)
        return path.startswith(self._home) and path not in CALLERS

    def named(self, path: str) -> str:
        """A file's name from the package on; a library's, from the folder on where Python finds it."""
        if not self.within(path):
            above = [one for one in sys.path if one and path.startswith(os.path.join(one, ""))]
            return path[len(max(above, key=len)) :].lstrip(os.sep) if above else path
        return os.path.abspath(path).removeprefix(self._above)

    def rehearse(
        self, turn: Callable[[], Any], samples: int, copied: Callable[[], None], once: bool = False
    ) -> None:
        """Take the turn beforehand, as often as that helps to come to so many samples; or once.

        `copied` is called in each copy of the process in which that is done.
        """

    def found(self) -> Any:
        """What was found, for JSON."""
        return None


class Alone(Package):
    """Nothing but what the turn takes, in a few copies of the process as well: so its error is known."""

    COPIES = 2

    def __init__(self, module: ModuleType):
        super().__init__(module)
        self._seconds: list[float] = []

    def rehearse(
        self, turn: Callable[[], Any], samples: int, copied: Callable[[], None], once: bool = False
    ) -> None:
        """The turn in copies; none where one turn is to do, and where the player cannot be copied."""
        if samples > 1 and sampling.can_copy():
            for _ in range(self.COPIES):
                self._seconds += told_by_a_copy(lambda: turn()["cpu"], copied)

    def found(self) -> list[float]:
        """The CPU seconds of each copy."""
        return self._seconds


def told_by_a_copy(work: Callable[[], float], copied: Callable[[], None]) -> list[float]:
    """The number that the work comes to in a copy of this process; nothing if the copy fails."""
    reads, writes = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            copied()
            os.write(writes, repr(float(work())).encode())
        finally:
            os._exit(0)
    os.close(writes)
    with sampling.silent():
        with open(reads, "rb") as pipe:
            told = pipe.read()
        _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGABRT:
        os.abort()  # as it would have done itself, or was told to
    return [float(told)] if told else []


class CallCounts(Package):
    """How often each function was called, library code included, counted by cProfile."""

    def __init__(self, module: ModuleType):
        super().__init__(module)
        self.profiler = cProfile.Profile(builtins=False)

    def found(self) -> list[dict[str, Any]]:
        """The calls of each function."""
        return [
            {
                "file": self.named(entry.code.co_filename),
                "line": entry.code.co_firstlineno,
                "name": entry.code.co_qualname,
                "calls": entry.callcount,
                "recursive": entry.reccallcount > 0,
                "library": not self.within(entry.code.co_filename),
            }
            for entry in self.profiler.getstats()
            if isinstance(entry.code, CodeType) and entry.code.co_filename not in CALLERS
        ]


class Natives(Package):
    """Which C functions the lines of the package and of libraries called, how often and how long."""

    def __init__(self, module: ModuleType):
        super().__init__(module)
        self.profiler = self
        self._calls: dict[tuple[str, int, str], list[float]] = {}  # by file, line and name: calls, seconds
        self._player = threading.get_ident()
        self._entered = 0  # how often a Python function began or went on
        self._is_alone = True  # the player's thread
        self._begun: dict[CodeType, int] = {}  # of generators and coroutines: how often one began
        self._open = threading.local()  # when the calls began that are under way

    def enable(self) -> None:
        """Watch all threads from here on."""
        threading.setprofile(self._note)
        sys.setprofile(self._note)

    def disable(self) -> None:
        """Watch no more."""
        sys.setprofile(None)
        threading.setprofile(None)

    def _note(self, frame: Any, event: str, function: Any) -> None:
        if event == "call":
            code = frame.f_code
            self._entered += code.co_filename not in CALLERS
            self._is_alone &= threading.get_ident() == self._player
            if (
                code.co_flags & GENERATOR and code.co_code[frame.f_lasti + 1] == 0
            ):  # RESUME 0: for the first time
                self._begun[code] = self._begun.get(code, 0) + 1
            return
        began = self._open.__dict__.setdefault("began", [])
        if event == "c_call":
            began.append(time.thread_time())
        elif event in ("c_return", "c_exception") and began:
            seconds = time.thread_time() - began.pop()
            row = self._calls.setdefault(
                (frame.f_code.co_filename, frame.f_lineno, called(function)), [0, 0.0]
            )
            row[0] += 1
            row[1] += seconds

    def found(self) -> dict[str, Any]:
        """A row for each line and C function that it called, and how many calls of Python's there were.

        With threads no number of calls: cProfile, with which it is compared, counts those of one, or of all.
        """
        rows = [
            {"file": self.named(path), "line": line, "name": name, "calls": int(calls), "seconds": seconds}
            for (path, line, name), (calls, seconds) in self._calls.items()
            if path not in CALLERS
        ]
        begun = [
            [self.named(code.co_filename), code.co_firstlineno, code.co_qualname, count]
            for code, count in self._begun.items()
        ]
        return {"rows": rows, "entered": self._entered if self._is_alone else None, "begun": begun}


def called(function: Any) -> str:
    """The name of a C function as one would write it: `numpy.dot`, `list.append`."""
    owner = getattr(function, "__self__", None)
    name = getattr(function, "__qualname__", None) or type(function).__name__
    module = getattr(function, "__module__", None)
    if owner is not None and not isinstance(owner, ModuleType) and "." not in name:
        name = f"{type(owner).__name__}.{name}"
    return f"{module}.{name}" if module and module != "builtins" else name


class Memory(Package):
    """Which lines of the package took memory that was in use when the action was over, by tracemalloc."""

    def __init__(self, module: ModuleType):
        super().__init__(module)
        self.profiler = self
        self._taken: Any = None

    def enable(self) -> None:
        """Trace all that is taken from here on."""
        tracemalloc.start()

    def disable(self) -> None:
        """Trace no more."""
        self._peak = tracemalloc.get_traced_memory()[1]
        self._taken = tracemalloc.take_snapshot()
        tracemalloc.stop()

    def found(self) -> dict[str, Any]:
        """The most that was taken at once, and a row for each line, largest first."""
        rows = []
        for one in self._taken.statistics("lineno"):
            path, line = one.traceback[0].filename, one.traceback[0].lineno
            if path not in CALLERS:
                source = linecache.getline(path, line).strip()
                about = {"file": self.named(path), "line": line, "library": not self.within(path)}
                rows.append({**about, "megabytes": one.size / 2**20, "blocks": one.count, "source": source})
        return {"peak": self._peak / 2**20, "lines": rows[:100]}


class Stacks(Package):
    """Where the CPU time goes, by samples of the call stack."""

    def __init__(self, module: ModuleType, careful: bool = False):
        super().__init__(module)
        self.profiler = sampling.sampler(careful)
        self._sampler = self.profiler
        self._turns = 0  # in copies of the process

    def rehearse(
        self, turn: Callable[[], Any], samples: int, copied: Callable[[], None], once: bool = False
    ) -> None:
        """A turn of a second has some 250 samples, which are few: it is repeated."""
        if not isinstance(self._sampler, sampling.Sampler):
            return
        self.profiler = self._sampler
        if turns := sampling.rehearse(self._sampler, turn, samples, copied, once):
            self._turns += turns
            self.profiler = NoProfiler()  # for the turn to come: it was sampled

    def found(self) -> dict[str, Any]:
        """Each frame once, and the stacks, in how many samples, their weight and the frames' numbers."""
        names = sampling.Stacks(CALLERS, lambda path: (self.named(path), not self.within(path)))
        numbers: dict[Any, int] = {}
        stacks = [
            [samples, weight, [numbers.setdefault(frame, len(numbers)) for frame in frames]]
            for samples, weight, frames in names.stacks(self._sampler.samples())
        ]
        return {"frames": list(numbers), "stacks": stacks, "turns": self._turns or 1}


class Lines(Package):
    """A line_profiler that watches every function of a package.

    line_profiler knows a code by its bytes, which it pads to tell apart codes that are alike.  So the
    codes within a code (closures, comprehensions) are added first, by functions made for that alone;
    then each code is made again around the padded ones and put into all functions that have it.
    """

    def __init__(self, module: ModuleType):
        from line_profiler import LineProfiler

        super().__init__(module)
        self.profiler = self
        self._lines = LineProfiler()
        self._new: dict[int, tuple[CodeType, CodeType]] = {}  # by id: codes of two files may be equal
        gc.unfreeze()  # what a player froze is not among the objects
        functions = [one for one in gc.get_objects() if type(one) is FunctionType]
        for function in functions:
            if self.within(function.__code__.co_filename):
                function.__code__ = self._added(function.__code__)

    def enable(self) -> None:
        """Count in all threads from here on: line_profiler itself counts in one."""
        threading.setprofile(self._join)
        self._lines.enable()

    def disable(self) -> None:
        """Count no more."""
        self._lines.disable()
        threading.setprofile(None)

    def _join(self, *event: object) -> None:
        """Called in a new thread, once."""
        sys.setprofile(None)
        self._lines.enable()

    def _added(self, code):
        """The code to run instead of this one, so that it and those within it are watched."""
        if id(code) not in self._new:
            parts = tuple(self._added(part) if type(part) is CodeType else part for part in code.co_consts)
            cells = tuple(CellType() for _ in code.co_freevars)
            bearer = FunctionType(code.replace(co_consts=parts), {}, code.co_name, None, cells)
            self._lines.add_function(bearer)
            new = bearer.__code__
            self._new[id(code)] = self._new[id(new)] = code, new
        return self._new[id(code)][1]

    def found(self) -> list[dict[str, Any]]:
        """Each function of the package that ran, with how often each of its lines was come to."""
        stats = self._lines.get_stats()
        found = []
        for (path, first, name), timings in stats.timings.items():
            lines = [
                {"line": line, "hits": hits, "source": linecache.getline(path, line).strip()}
                for line, hits, _ in timings
            ]
            if lines:
                found.append({"file": self.named(path), "line": first, "name": name, "lines": lines})
        return found


WATCHES = {
    "plain": Alone,
    "calls": CallCounts,
    "lines": Lines,
    "stacks": Stacks,
    "natives": Natives,
    "memory": Memory,
    "careful stacks": lambda module: Stacks(module, careful=True),
}
