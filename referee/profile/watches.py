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
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib._bootstrap_external import _LoaderBasics  # type: ignore[attr-defined]
from pathlib import Path
from types import BuiltinFunctionType, CellType, CodeType, FunctionType, ModuleType
from typing import Any

from . import sampling
from .marked import is_unseen, mark

GENERATOR = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR
TRIALS = 200  # to measure what it takes to watch a call
SEEN = FunctionType, BuiltinFunctionType  # of what Python tells a profiler
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

    def functions(self) -> list[FunctionType]:
        """The functions of the package that there are by now."""
        gc.unfreeze()  # what a player froze is not among the objects
        functions = [one for one in gc.get_objects() if type(one) is FunctionType]
        return [one for one in functions if self.within(one.__code__.co_filename)]

    @contextmanager
    def importing(self, made: Callable[[list[FunctionType]], None]) -> Iterator[None]:
        """Tells of the functions of each module of the package that is imported meanwhile, or again."""
        loaders: Any = _LoaderBasics
        load = loaders.exec_module

        def loaded(loader: Any, module: ModuleType) -> None:
            load(loader, module)
            if self.within(getattr(module, "__file__", None) or ""):
                linecache.getlines(module.__file__ or "", vars(module))
                made(self.functions())

        loaders.exec_module = loaded
        try:
            yield
        finally:
            loaders.exec_module = load

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
    """Which C functions the lines of the package and of libraries called, how often and how long.

    Of those of which Python does not tell only what the package's own lines call.
    """

    def __init__(self, module: ModuleType):
        super().__init__(module)
        self.profiler = self
        self._calls: dict[tuple[str, int, str], list[float]] = {}  # by file, line and name: calls, seconds
        self._player = threading.get_ident()
        self._entered = 0  # how often a Python function began or went on
        self._is_alone = True  # the player's thread
        self._begun: dict[tuple[str, int, str], int] = {}  # of generators and coroutines: how often one began
        self._open = threading.local()  # when the calls began that are under way
        self._watching = {False: 0.0, True: 0.0}
        self._watching = self._cost()
        self._mark(self.functions())

    def _mark(self, functions: list[FunctionType]) -> None:
        mark(functions, self._standing_for)

    def _cost(self) -> dict[bool, float]:
        """Seconds that it takes to watch a call: of what Python tells of, and of what it does not."""
        sys.setprofile(self._note)
        for _ in range(TRIALS):
            len(())
            self._standing_for(range)(1)
        sys.setprofile(None)
        took = {name: seconds / calls for (_, _, name), (calls, seconds) in self._calls.items()}
        self._calls.clear()
        return {False: took["len"], True: took["range"]}

    def enable(self) -> None:
        """Watch all threads from here on."""
        self._importing = self.importing(self._mark)
        self._importing.__enter__()
        threading.setprofile(self._note)
        sys.setprofile(self._note)

    def disable(self) -> None:
        """Watch no more."""
        sys.setprofile(None)
        threading.setprofile(None)
        self._importing.__exit__(None, None, None)

    def _standing_for(self, function: Any) -> Any:
        """What is called in place of this: itself, if Python tells of it; else what adds up its time."""
        if type(function) in SEEN or not is_unseen(function):
            return function
        return lambda *given, **named: self._timed(function, given, named)

    def _timed(self, function: Any, given: tuple[Any, ...], named: dict[str, Any]) -> Any:
        frame = sys._getframe(2)
        began = time.thread_time()
        try:
            return function(*given, **named)
        finally:
            self._add(frame, function, time.thread_time() - began, is_marked=True)

    def _note(self, frame: Any, event: str, function: Any) -> None:
        if event == "call":
            code = frame.f_code
            self._entered += code.co_filename not in CALLERS
            self._is_alone &= threading.get_ident() == self._player
            if (
                code.co_flags & GENERATOR and code.co_code[frame.f_lasti + 1] == 0
            ):  # RESUME 0: for the first time
                key = code.co_filename, code.co_firstlineno, code.co_qualname
                self._begun[key] = self._begun.get(key, 0) + 1
            return
        began = self._open.__dict__.setdefault("began", [])
        if event == "c_call":
            began.append(time.thread_time())
        elif event in ("c_return", "c_exception") and began:
            self._add(frame, function, time.thread_time() - began.pop())

    def _add(self, frame: Any, function: Any, seconds: float, is_marked: bool = False) -> None:
        row = self._calls.setdefault((frame.f_code.co_filename, frame.f_lineno, called(function)), [0, 0.0])
        row[0] += 1
        row[1] += seconds - self._watching[is_marked]

    def found(self) -> dict[str, Any]:
        """A row for each line and C function that it called, and how many calls of Python's there were.

        With threads no number of calls: cProfile, with which it is compared, counts those of one, or of all.
        """
        rows = [
            {
                "file": self.named(path),
                "line": line,
                "name": name,
                "calls": int(calls),
                "seconds": max(0.0, seconds),
            }
            for (path, line, name), (calls, seconds) in self._calls.items()
            if path not in CALLERS
        ]
        begun = [[self.named(path), line, name, count] for (path, line, name), count in self._begun.items()]
        return {"rows": rows, "entered": self._entered if self._is_alone else None, "begun": begun}


def called(function: Any) -> str:
    """The name of a C function as one would write it: `numpy.dot`, `list.append`, `heapq.heappush`."""
    owner = getattr(function, "__self__", None)
    name = str(
        getattr(function, "__qualname__", None) or getattr(function, "__name__", type(function).__name__)
    )
    module = getattr(function, "__module__", None) or type(function).__module__
    if owner is not None and not isinstance(owner, ModuleType) and "." not in name:
        name = f"{type(owner).__name__}.{name}"
    public = sys.modules.get(module.lstrip("_"))
    if public and getattr(public, name, None) is function:
        module = public.__name__
    return name if module == "builtins" else f"{module}.{name}"


class Memory(Package):
    """Which lines of the package took memory, by tracemalloc, though it may have been given back since.

    Of each line the most of: what was in use when the action was over, what was when most was in use, and
    what it took while it ran by itself once.  When most is in use, a copy of the process finds out.
    """

    def __init__(self, module: ModuleType):
        super().__init__(module)
        self.profiler = self
        self._is_own: dict[str, bool] = {}  # by path
        self._line: tuple[str, int] | None = None  # that runs, in the player's thread
        self._before = self._peak = 0  # bytes when it began, and the most so far
        self._most: Counter[tuple[str, int]] = Counter()  # bytes
        self._lines = 0  # that have begun so far
        self._highest = self._at = 0  # the most that was in use when one began, and how many had by then
        self._wanted: int | None = None

    def rehearse(
        self, turn: Callable[[], Any], samples: int, copied: Callable[[], None], once: bool = False
    ) -> None:
        """The turn once in a copy, which finds out when most is in use."""

        def found_out() -> float:
            turn()
            return self._at

        if sampling.can_copy():
            self._wanted = next(map(int, told_by_a_copy(found_out, copied)), None)

    def enable(self) -> None:
        """Trace all that is taken from here on."""
        tracemalloc.start()
        sys.settrace(self._called)

    def disable(self) -> None:
        """Trace no more."""
        sys.settrace(None)
        self._comes_to(None)
        self._end = self._in_use()
        tracemalloc.stop()

    def _called(self, frame: Any, event: str, argument: object) -> Any:
        path = frame.f_code.co_filename
        if path not in self._is_own:
            self._is_own[path] = self.within(path)
        if not self._is_own[path]:
            return None  # what a library takes is the line's that called it
        return self._ran(frame, event, argument)

    def _ran(self, frame: Any, event: str, argument: object) -> Any:
        if event == "return":  # the line that called it goes on
            frame = frame.f_back
        path = frame.f_code.co_filename if frame else ""
        self._comes_to((path, frame.f_lineno or 0) if self._is_own.get(path) else None)
        return self._ran

    def _comes_to(self, line: tuple[str, int] | None) -> None:
        """Another line begins, or goes on."""
        now, peak = tracemalloc.get_traced_memory()
        self._peak = max(self._peak, peak)
        if self._line:
            self._most[self._line] = max(self._most[self._line], peak - self._before)
        self._lines += 1
        if now > self._highest:
            self._highest, self._at = now, self._lines
        if self._lines == self._wanted:
            for place, (size, _) in self._in_use().items():
                self._most[place] = max(self._most[place], size)
        self._line, self._before = line, tracemalloc.get_traced_memory()[0]
        tracemalloc.reset_peak()

    def _in_use(self) -> dict[tuple[str, int], tuple[int, int]]:
        """The bytes and blocks of each line."""
        found = {}
        for one in tracemalloc.take_snapshot().statistics("lineno"):
            path, line = one.traceback[0].filename, one.traceback[0].lineno
            if path not in (*CALLERS, tracemalloc.__file__):
                found[path, line] = one.size, one.count
        return found

    def found(self) -> dict[str, Any]:
        """The most that was taken at once, and a row for each line, largest first."""
        rows: list[dict[str, Any]] = []
        for path, line in {**self._end, **self._most}:
            size, blocks = self._end.get((path, line), (0, 0))
            most = max(size, self._most[path, line])
            about = {"file": self.named(path), "line": line, "library": not self.within(path)}
            figures = {"megabytes": size / 2**20, "most_megabytes": most / 2**20, "blocks": blocks}
            rows.append({**about, **figures, "source": linecache.getline(path, line).strip()})
        rows.sort(key=lambda row: -row["most_megabytes"])
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
        self._add(self.functions())

    def _add(self, functions: list[FunctionType]) -> None:
        for function in functions:
            function.__code__ = self._added(function.__code__)

    def enable(self) -> None:
        """Count in all threads from here on: line_profiler itself counts in one."""
        self._importing = self.importing(self._add)
        self._importing.__enter__()
        threading.setprofile(self._join)
        self._lines.enable()

    def disable(self) -> None:
        """Count no more."""
        self._lines.disable()
        threading.setprofile(None)
        self._importing.__exit__(None, None, None)

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
