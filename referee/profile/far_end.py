"""Runs in the process of a profiled player: brings it to a turn and measures its `action()` there.

The command starts this module in an interpreter of its own, with the request on standard input as a
Python literal and the name of a file for the answer, in JSON.  With line_profiler every function of the
player's package is watched: those of all modules loaded, and those that functions make while they run.
"""

import ast
import cProfile
import gc
import importlib
import inspect
import json
import linecache
import os
import sys
import time
import traceback
from collections.abc import Callable
from types import CellType, CodeType, FunctionType, ModuleType
from typing import Any

from referee.isolation import plain
from referee.profile import sampling

FIGURES = ("depth", "nodes", "table_hits", "cut_offs", "first_move_cuts", "score")  # of a search
RUNAWAY = 4096  # megabytes from the import on: the user's machine has to survive a profile
CALLERS = (os.path.abspath(__file__), os.path.abspath(sampling.__file__))  # of the player
NODES = 20_000  # unless the player's class says with `bench_nodes` what is usual for it


class Unfit(Exception):
    """What is asked for cannot be done with this player: the user's mistake, not the player's."""


def measured(request: dict[str, Any]) -> dict[str, Any]:
    """What came of one turn; `fault` names the call in which the player failed, or there is `unfit`."""
    call = "import"
    try:
        module, cls = _load(request)
        _bound_memory()
        call = "constructor"
        player, nodes = _make(cls, request)
        call = "update"
        _bring(player, request)
        watch = WATCHES[request["watch"]](module)
        call = "action"
        judging = request["judging"]
        watch.rehearse(lambda: _act(player, watch, judging), request["samples"])
        figures = _act(player, watch, judging)
    except Unfit as error:
        return {"unfit": str(error)}
    except BaseException as error:  # SystemExit too is something that a player may raise
        said = f"{type(error).__name__}: {error}".split("\n")[0][:300]
        return {"fault": call, "error": said + _place(error, request["folder"])}
    figures["found"] = watch.found()
    figures["nodes_allowed"] = nodes
    figures["search"] = _account(player, module)
    return figures


def _load(request):
    sys.path.insert(0, request["folder"])
    module = importlib.import_module(request["module"])
    for name in [request["cls"]] if request["cls"] else ["Player", "ExamplePlayer"]:
        if callable(getattr(module, name, None)):
            return module, getattr(module, name)
    classes = [name for name, one in vars(module).items() if isinstance(one, type)]
    has = f"it has {', '.join(classes[:8])}: " if classes else ""
    raise Unfit(
        f"it has no class {request['cls'] or 'Player or ExamplePlayer'}; {has}name one as package:Class"
    )


def _place(error, folder):
    """The innermost line of the player's own files in which it failed; "" for none."""
    frames = [one for one in traceback.extract_tb(error.__traceback__) if one.filename.startswith(folder)]
    return f" ({os.path.relpath(frames[-1].filename, folder)}:{frames[-1].lineno})" if frames else ""


def _bound_memory():
    """A player that grows without end shall run out of memory alone; only Linux tells what it has so far."""
    so_far = _megabytes("VmSize")
    if so_far is not None:
        import resource

        most = int(so_far + RUNAWAY) * 2**20
        soft, hard = resource.getrlimit(resource.RLIMIT_AS)
        if soft == resource.RLIM_INFINITY or most < soft:
            resource.setrlimit(resource.RLIMIT_AS, (most, hard))


def _make(cls, request):
    """The player, with the keywords given and those offered that its constructor names; its nodes."""
    offered = dict(request["offered"])
    named = _names(cls)
    if "nodes" in named and "seconds" not in offered:
        offered.setdefault("nodes", getattr(cls, "bench_nodes", NODES))
    elif "nodes" in offered and "nodes" not in named:
        raise Unfit("its constructor names no `nodes`, so its turn cannot be bounded by them; use --time")
    if "seconds" in offered and not {"seconds", "action_seconds"} & set(named):
        raise Unfit("its constructor names no `seconds`, so it takes the time it takes; leave out --time")
    keywords = {name: value for name, value in offered.items() if name in named}
    keywords.update(request["arguments"])
    return cls(request["colour"], **keywords), keywords.get("nodes")


def _bring(player, request):
    """Bring the player to the turn: by a position, or by what it would have been told so far."""
    if request["position"] is not None:
        if not callable(getattr(player, "set_up", None)):
            lacks = "it has no `set_up` to read a position with"
            raise Unfit(f"{lacks}; use the start, or the record of a game from there")
        player.set_up(request["position"])
    for news in request["news"]:
        player.update(*news)


def _names(function):
    try:
        return list(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        return []


def _act(player, watch, judging):
    """The action, with its CPU and memory."""
    gc.collect()
    _forget_peak()
    before = _megabytes("VmRSS")
    cpu, wall = time.process_time(), time.perf_counter()
    watch.profiler.enable()
    try:
        action = player.action()
    finally:
        watch.profiler.disable()
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    return {
        "action": _written(action, judging),
        "cpu": cpu,
        "wall": wall,
        "megabytes": before and max(0.0, _megabytes("VmHWM") - before),
        "peak_megabytes": before and _megabytes("VmHWM"),
    }


def _written(action, judging):
    """The action as its course takes it; what no action is made of, as it writes itself."""
    try:
        return repr(_tuples(plain.literal(action, judging)[0]))
    except plain.Refused:
        return repr(action)


def _tuples(value):
    return tuple(map(_tuples, value)) if type(value) is list else value


def _forget_peak():
    """Let Linux count the peak of memory from now on: an import may have had a higher one."""
    try:
        with open("/proc/self/clear_refs", "w", encoding="ascii") as file:
            file.write("5")
    except OSError:  # then the peak is that of the whole process
        pass


def _megabytes(key):
    """A figure of this process from Linux; None elsewhere."""
    try:
        with open("/proc/self/status", encoding="ascii", errors="replace") as status:
            for line in status:
                if line.startswith(key + ":"):
                    return int(line.split()[1]) / 1024
    except OSError:
        pass
    return None


class NoProfiler:
    """Does nothing: what the turn costs by itself."""

    def enable(self) -> None:
        """Nothing."""

    disable = enable


class Package:
    """The files of the player's package, and a profiler that is switched on for its action."""

    def __init__(self, module: ModuleType):
        top = sys.modules[module.__name__.partition(".")[0]]
        origin = os.path.abspath(top.__file__)
        self._home = os.path.dirname(origin) + os.sep if hasattr(top, "__path__") else origin
        self._above = os.path.dirname(self._home.rstrip(os.sep)) + os.sep
        self.profiler: Any = NoProfiler()
        for module in list(sys.modules.values()):  # so that lines of a zip can be had by file name
            path = getattr(module, "__file__", None)
            if isinstance(path, str) and self.within(path):
                linecache.getlines(path, vars(module))

    def within(self, path: str) -> bool:
        """Whether a file is the package's."""
        path = os.path.abspath(path)
        return path.startswith(self._home) and path != os.path.abspath(__file__)

    def named(self, path: str) -> str:
        """A file's name from the package on; a library's, from the folder on where Python finds it."""
        if not self.within(path):
            above = [one for one in sys.path if one and path.startswith(os.path.join(one, ""))]
            return path[len(max(above, key=len)) :].lstrip(os.sep) if above else path
        return os.path.abspath(path).removeprefix(self._above)

    def rehearse(self, turn: Callable[[], object], samples: int) -> None:
        """Take the turn beforehand, as often as that helps to come to so many samples."""

    def found(self) -> Any:
        """What was found, for JSON."""
        return None


class Calls(Package):
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


class Stacks(Package):
    """Where the CPU time goes, by samples of the call stack."""

    def __init__(self, module: ModuleType, careful: bool = False):
        super().__init__(module)
        self.profiler = sampling.sampler(careful)
        self._sampler = self.profiler
        self._turns = 1

    def rehearse(self, turn: Callable[[], object], samples: int) -> None:
        """A turn of a second has some 250 samples, which are few: it is repeated."""
        if turns := sampling.rehearse(self._sampler, turn, samples):
            self._turns = turns
            self.profiler = NoProfiler()  # for the turn to come: it was sampled

    def found(self) -> dict[str, Any]:
        """Each frame once, and the stacks, in how many samples, their weight and the frames' numbers."""
        names = sampling.Stacks(CALLERS, lambda path: (self.named(path), not self.within(path)))
        numbers: dict[Any, int] = {}
        stacks = [
            [samples, weight, [numbers.setdefault(frame, len(numbers)) for frame in frames]]
            for samples, weight, frames in names.stacks(self._sampler.samples())
        ]
        return {"frames": list(numbers), "stacks": stacks, "turns": self._turns}


class Lines(Package):
    """A line_profiler that watches every function of a package.

    line_profiler knows a code by its bytes, which it pads to tell apart codes that are alike.  So the
    codes within a code (closures, comprehensions) are added first, by functions made for that alone;
    then each code is made again around the padded ones and put into all functions that have it.
    """

    def __init__(self, module: ModuleType):
        from line_profiler import LineProfiler

        super().__init__(module)
        self.profiler = LineProfiler()
        self._new: dict[int, tuple[CodeType, CodeType]] = {}  # by id: codes of two files may be equal
        gc.unfreeze()  # what a player froze is not among the objects
        functions = [one for one in gc.get_objects() if type(one) is FunctionType]
        for function in functions:
            if self.within(function.__code__.co_filename):
                function.__code__ = self._added(function.__code__)

    def _added(self, code):
        """The code to run instead of this one, so that it and those within it are watched."""
        if id(code) not in self._new:
            parts = tuple(self._added(part) if type(part) is CodeType else part for part in code.co_consts)
            cells = tuple(CellType() for _ in code.co_freevars)
            bearer = FunctionType(code.replace(co_consts=parts), {}, code.co_name, None, cells)
            self.profiler.add_function(bearer)
            new = bearer.__code__
            self._new[id(code)] = self._new[id(new)] = code, new
        return self._new[id(code)][1]

    def found(self) -> list[dict[str, Any]]:
        """Each function of the package that ran, with how often each of its lines was come to."""
        stats = self.profiler.get_stats()
        found = []
        for (path, first, name), timings in stats.timings.items():
            lines = [
                {"line": line, "hits": hits, "source": linecache.getline(path, line).strip()}
                for line, hits, _ in timings
            ]
            if lines:
                found.append({"file": self.named(path), "line": first, "name": name, "lines": lines})
        return found


WATCHES = {"plain": Package, "calls": Calls, "lines": Lines, "stacks": Stacks,
           "careful stacks": lambda module: Stacks(module, careful=True)}  # fmt: skip


def _account(player, module):
    """What the search tells of itself, None for a player without one."""
    search = getattr(player, "search", None)
    if search is None or not isinstance(getattr(search, "nodes", None), int):
        return None
    account = {name: _number(getattr(search, name, None)) for name in FIGURES}
    scores = getattr(search, "scores", None)
    if isinstance(scores, dict):
        account["scores"] = [[depth, _number(score)] for depth, score in sorted(scores.items())]
    pv = getattr(search, "pv", None)
    if isinstance(pv, (list, tuple)):
        account["moves"] = [repr(move) for move in pv]
        account["variation"] = _variation(player, search, module, pv)
    return account


def _number(value):
    if value is None or isinstance(value, (bool, str)):
        return None
    try:
        return int(value) if value == int(value) else float(value)
    except (TypeError, ValueError, OverflowError):
        return None


def _variation(player, search, module, pv):
    """The moves expected as actions, in the text of Python literals; None where the agent cannot tell.

    `to_action` of its notation gets by name what it asks for: the move, the position it is made in, or
    what the player or a part of it has.  Where a move is several actions, `hops.hops_of` takes it apart.
    """
    package = module.__name__.partition(".")[0]
    notation, hops = (sys.modules.get(f"{package}.{name}") for name in ("notation", "hops"))
    try:
        position, actions = getattr(player, "position", None), []
        for move in pv:
            has = {"move": move, "hop": move, "position": position}
            parts = _called(hops.hops_of, has, player) if hasattr(hops, "hops_of") else [move]
            for part in parts:
                has["move"] = has["hop"] = part
                actions.append(repr(_called(notation.to_action, has, player)))
            if position is not None and hasattr(search, "play"):
                position = search.play(position, move)
        return actions
    except Exception:  # a notation of another kind: the agent's own codes are shown instead
        return None


def _called(function, has, player):
    holders = [player, *vars(player).values()]
    given = []
    for parameter in inspect.signature(function).parameters.values():
        name = parameter.name
        if name in has:
            given.append(has[name])
        elif parameter.default is parameter.empty:
            given.append(next(getattr(holder, name) for holder in holders if hasattr(holder, name)))
    return function(*given)


def main() -> None:
    request = ast.literal_eval(sys.stdin.read())
    sampling.import_numpy()
    answer = measured(request)
    with open(request["answer"], "w", encoding="utf-8", errors="backslashreplace") as file:
        json.dump(answer, file)
    os._exit(0)  # no waiting for threads that the player has left behind


if __name__ == "__main__":
    main()
