"""What a check runs inside the player's process: it imports and calls the package, and notes what that does.

While a call runs, `[number, "told", event]` says at once what the package does that a course forbids.  The
reply is `[number, "found", what was asked for, what was raised, where, figures]`, and the figures are

    cpu        seconds of the process's CPU that the call took, as the course referees measure
    space      kilobytes by which the address space's peak has grown since the import (VmPeak)
    resident   the same of the resident size (VmHWM)
    threads    tasks of the process above those after the import

Numpy is not loaded beforehand: a package that first imports it in the middle of a game should be seen.
"""

import _thread
import collections
import gc
import inspect
import os
import sys
import threading
import time
import traceback
from types import FrameType
from typing import Any

MESSAGE = 300  # characters of what an exception says
FRAMES = 4  # the innermost, of a traceback
MOST_EVENTS = 200
LABELS = {"inspect": "import", "new": "constructor", "choose": "action", "tell": "update"}
LONGEST_FILE = 64 * 2**20  # bytes, so that no package fills the disk, by printing without end say
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
CHANGES = ("mkdir", "rename", "remove", "rmdir", "symlink", "link", "truncate", "chmod", "utime")
AUDITED = {
    **{f"os.{name}": "write" for name in CHANGES},
    "sqlite3.connect": "write",
    "subprocess.Popen": "process",
    **{f"os.{name}": "process" for name in ("system", "fork", "forkpty", "posix_spawn", "spawn", "exec")},
    "_thread.start_joinable_thread": "thread",
    "socket.__new__": "socket",
    "socket.getaddrinfo": "socket",
}


class Inspector:
    """Sees through Python's audit events what the package does, and names its line."""

    def __init__(self, tell, folder):
        self.tell = tell
        self.folder = os.path.join(folder, "")
        self.call = "import"
        self.told = set()
        # What Python and the libraries read for themselves is nobody's fault.
        places = {sys.prefix, sys.base_prefix, os.path.dirname(os.__file__), *sys.path}
        self.known = tuple(os.path.join(place, "") for place in places if len(place) > 1)
        self.known += ("/proc/", "/sys/", "/dev/", "/etc/", "/usr/share/zoneinfo/")
        # importlib.metadata opens each of these as a zip; one that `pip install -e` puts there is relative.
        self.searched = frozenset([*sys.path, folder.rstrip(os.sep)])

    def __call__(self, event, arguments):
        if event == "open":
            self.opened(*arguments)
        elif event in AUDITED:
            self.note(AUDITED[event], " ".join(str(one)[:80] for one in arguments[:1]) or event, event)

    def opened(self, path, mode, flags):
        """A file is opened: to write, or to read one that is not the package's."""
        if not isinstance(path, (str, bytes)):
            return
        path = os.fsdecode(path)
        full = os.path.abspath(path)
        if full.startswith("/dev/") or path in self.searched:
            return
        if (set(mode) & set("wax+")) if isinstance(mode, str) else flags & WRITING:
            self.note("write", path, "open")
        elif not os.path.isabs(path):
            self.note("relative", path, "open")
        elif full.startswith(self.folder):
            if not full.endswith((".py", ".pyc", ".so")):
                self.note("read", path, "open")
        elif not full.startswith(self.known):
            self.note("outside", path, "open")

    def note(self, kind, what, event):
        """Tell the event, once, if a line of the package is behind it."""
        line = self.line()
        # A write or a process may also come from a library's own thread, without a line of the package.
        if line is None and kind in ("read", "relative", "outside"):
            return
        key = (kind, what, line)
        if key not in self.told and len(self.told) < MOST_EVENTS:
            self.told.add(key)
            self.tell({"event": kind, "what": what[:200], "where": line or event, "call": self.call})

    def watch_threads(self):
        """Older versions of Python start threads without an audit event."""
        start = _thread.start_new_thread

        def watched(*arguments, **keywords):
            self.note("thread", "", "_thread.start_new_thread")
            return start(*arguments, **keywords)

        for module in (_thread, threading):
            for name in ("start_new_thread", "_start_new_thread"):
                if hasattr(module, name):
                    setattr(module, name, watched)

    def line(self):
        """The innermost line of the package that is running: `team/board.py:7`."""
        frame: FrameType | None = sys._getframe(2)
        while frame:
            path = frame.f_code.co_filename
            if path.startswith(self.folder):
                return f"{path[len(self.folder) :]}:{frame.f_lineno}"
            frame = frame.f_back
        return None


def named(value):
    """The value with named tuples for tuples."""
    if type(value) is not tuple:
        return value
    fields = [f"field{number}" for number in range(len(value))]
    make: Any = collections.namedtuple  # whose fields are known only here
    return make("Named", fields)(*map(named, value))


def numpys(value):
    """The value with numpy's numbers and strings."""
    import numpy

    if type(value) is tuple:
        return tuple(map(numpys, value))
    return numpy.int64(value) if type(value) is int else numpy.str_(value)


def floats(value):
    """The value with whole floats for ints."""
    if type(value) is tuple:
        return tuple(map(floats, value))
    return float(value) if type(value) is int else value


ODD = {"": lambda value: value, "named tuples": named, "numpy numbers": numpys, "whole floats": floats}


def settle():
    """What is there stays, so that garbage that is collected before each call is looked for elsewhere."""
    gc.collect()
    gc.freeze()


def is_standard(path):
    """Whether a file is the standard library's: some of its modules have no name that Python lists."""
    library = os.path.join(os.path.dirname(os.__file__), "")
    below = path[len(library) :]
    return path.startswith(library) and not below.startswith(("site-packages", "dist-packages"))


def generators():
    """All generators of random numbers that are there: how each is read and written, and its state."""
    random, numpy = sys.modules.get("random"), sys.modules.get("numpy.random")
    ways, others = [], set()  # most objects are of kinds that were seen to be something else
    gc.unfreeze()  # what is frozen is not among the objects
    for one in gc.get_objects():
        kind = type(one)
        if id(kind) in others:
            continue
        if random and issubclass(kind, random.Random) and not issubclass(kind, random.SystemRandom):
            ways.append((one.getstate, one.setstate))
        elif numpy and issubclass(kind, numpy.RandomState):
            ways.append((one.get_state, one.set_state))
        elif numpy and issubclass(kind, numpy.BitGenerator):
            ways.append((lambda one=one: one.state, lambda state, one=one: setattr(one, "state", state)))
        else:
            others.add(id(kind))
    settle()
    return [(way, way[0]()) for way in ways]


def signature(function):
    """The parameters as rows [name, kind, has a default]; None where Python cannot tell."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return None
    return [[one.name, one.kind.name, one.default is not one.empty] for one in parameters]


def error_and_place(error, folder, syntax):
    """What was raised, in a line, and where in the package; `syntax` as far_end.in_syntax has it."""
    try:
        said = f"{type(error).__name__}: {str(syntax[0] if syntax else error)[:MESSAGE]}".strip(": ")
    except BaseException:
        said = type(error).__name__
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if frame.filename.startswith(folder)][-FRAMES:]
    where = [f"{one.filename[len(folder) :]}:{one.lineno} in {one.name}" for one in own]
    if syntax and syntax[1].startswith(folder):
        where.append(f"{syntax[1][len(folder) :]}:{syntax[2]} in <module>")
    return said.replace("\n", " "), where[-FRAMES:]


def prepare():
    """No package fills the disk, or leaves what Python keeps for itself."""
    sys.dont_write_bytecode = True
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_FSIZE, (LONGEST_FILE, LONGEST_FILE))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    except (ImportError, ValueError):
        pass


def calls(caller, ours):
    """Each further call by its name; `ours` has what of the far end's is used."""
    prepare()
    added = CheckCalls(caller, ours)
    named = added.inspect, added.loaded, added.lots, added.new, added.choose, added.tell
    return {call.__name__: added.measured(call) for call in named}


class CheckCalls:
    """Several players at once, each by a key; and what is seen of the process."""

    def __init__(self, caller, ours):
        self.caller, self.plain, self.proc, self.in_syntax = caller, ours.plain, ours.proc, ours.in_syntax
        self.players = {}
        self.base, self.tasks = self.memory(), self.count_tasks()
        self.generators = None  # of random numbers: how each is read and written, and as what it was seen
        self.folder = os.path.join(os.getcwd(), "")
        self.inspector = None

    def measured(self, call):
        """The call with what it takes, whatever it raises."""

        def ask(*arguments):
            if self.inspector:
                self.inspector.call = LABELS.get(call.__name__, call.__name__)
            gc.collect()
            found, raised, where = None, "", []
            start = time.process_time()
            try:
                found = call(*arguments)
            except BaseException as error:  # SystemExit too is something that a player may raise
                raised, where = error_and_place(error, self.folder, self.in_syntax(error))
                if call == self.inspect:  # what it had imported by then may have started threads
                    self.base, self.tasks = self.memory(), self.count_tasks()
            figures = {"cpu": time.process_time() - start}
            _, peak, highest = self.memory()
            figures.update(space=peak - self.base[0], resident=highest - self.base[2])
            return "found", found, raised, where, {**figures, "threads": self.count_tasks() - self.tasks}

        return ask

    def memory(self):
        """VmSize, VmPeak and VmHWM in kilobytes; zeros where the system does not tell."""
        sizes = self.proc.sizes("/proc/self/status")
        return tuple(sizes.get(name, 0) for name in ("VmSize", "VmPeak", "VmHWM"))

    def count_tasks(self):
        """Threads, also those that Python knows nothing of; 0 where the system does not tell."""
        return len(self.proc.names("/proc/self/task"))

    def inspect(self, module, names, also):
        """Import the module, find the first of the classes, and say what is seen of it."""
        sys.path += [place for place in also if place not in sys.path]
        before = set(sys.modules)
        self.inspector = Inspector(self.caller.tell, self.folder)
        sys.addaudithook(self.inspector)
        self.inspector.watch_threads()
        start = time.perf_counter()
        loaded = self.caller.imported(self.folder[:-1], module)
        passed = time.perf_counter() - start
        settle()
        self.base, self.tasks = self.memory(), self.count_tasks()
        self.known = before
        name = self.caller.found(loaded, names)
        found = {
            "wall": passed,
            "origin": str(getattr(loaded, "__file__", None) or ""),
            "class": name,
            "has": sorted(one for one in vars(loaded) if not one.startswith("_"))[:40],
        }
        if name:
            cls = self.caller.player_class
            found["is_class"] = inspect.isclass(cls)
            found["constructor"] = signature(cls)
            for method in ("action", "update"):
                function = getattr(cls, method, None)
                found[method] = signature(function) if callable(function) else "missing"
                if isinstance(inspect.getattr_static(cls, method, None), (staticmethod, classmethod)):
                    found[method] = [["self", "POSITIONAL_ONLY", False], *(found[method] or [])]
        return found

    def loaded(self, libraries):
        """The top-level names of all modules with a file that came with the package.

        What lies in the folder of one of the libraries is that library's.
        """
        found = {name for name in libraries if name in set(sys.modules) - self.known}
        files = [getattr(sys.modules.get(name), "__file__", None) for name in libraries]
        places = tuple(os.path.join(os.path.dirname(file), "") for file in files if isinstance(file, str))
        # multiprocessing gives the program's module, which is nobody's fault, a second name.
        own = {name for name, module in sys.modules.items() if module is sys.modules["__main__"]}
        for name in set(sys.modules) - self.known - own:
            path = getattr(sys.modules[name], "__file__", None)
            if isinstance(path, str) and not path.startswith(places) and not is_standard(path):
                found.add(name.partition(".")[0])
        return sorted(found)

    def lots(self):
        """Put all generators that outlive a player where they were first seen; whether any was used since."""
        seen = self.generators or {}
        self.generators = seen or dict(generators())
        used = False
        for read, write in seen:
            used |= repr(read()) != repr(seen[read, write])
            write(seen[read, write])
        return used

    def new(self, key, colour, keywords, judging):
        """Make a player."""
        self.caller.make(colour, repr(keywords), "{}", judging)
        self.players[key] = self.caller.player

    def choose(self, key):
        """A player's action, and the types that had to be turned; `{"unfit": type}` is no action at all."""
        self.caller.player = self.players[key]
        try:
            action, odd = self.caller.chosen()
        except self.plain.Refused as refused:
            return {"action": {"unfit": refused.kind}, "odd": []}
        return {"action": action, "odd": odd}

    def tell(self, key, news, names, odd, which):
        """Tell a player, by position or by name; some of it in another form that is equal to it."""
        if odd == "numpy numbers" and "numpy" not in sys.modules:
            before = self.count_tasks()
            import numpy  # noqa: F401

            settle()
            self.tasks += self.count_tasks() - before  # its threads are this file's doing
        self.caller.player = self.players[key]
        news = [ODD[odd](one) if number in which else one for number, one in enumerate(news)]
        self.caller.update([] if names else news, dict(zip(names, news, strict=True)) if names else {})
