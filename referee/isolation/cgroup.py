"""A player's control group on Linux, where one can be made: the kernel's own account of its processes.

What a process has used that came and went between two looks, what the kernel keeps for it outside its
resident size, and processes that nobody can signal: the group knows the first two, and freezes and kills
all that is in it.  Nothing here needs a group; where there is none, linux.py does what it can without.

Each player has a group of its own (cgroup v2) below `home()`, with what the kernel gives there: CPU time,
freezing and killing always, memory and the number of processes where those controllers are switched on for
that place.  Groups that a killed referee has left are removed by the next one.
"""

import contextlib
import functools
import itertools
import os
import re
from pathlib import Path

from referee.isolation import keeper, proc

NAME = "board-game-referee"
LEFT = re.compile(rf"{NAME}-(\d+)-(\d+)-\d+$")  # process, when it started, number
PROCESSES = 4096  # and threads, in one group
SLACK = 64  # megabytes over its limit at which the kernel ends what the referee has not seen in time
CONTROLLERS = ("memory", "pids")
FILES = {  # what a group can do, and the file that is there if it can
    "CPU time": "cpu.stat",
    "freeze": "cgroup.freeze",
    "kill": "cgroup.kill",
    "memory": "memory.max",
    "pids": "pids.max",
}
KEPT = ("anon", "shmem", "sock", "kernel")  # of memory.stat; not files' pages, which are the machine's

_numbers = itertools.count(1)


class Group:
    """A folder of the kernel's.  What a file does not say, since it is not there or gone, is 0 or false."""

    def __init__(self, path: str):
        self.path = path
        self._files = proc.Kept(path)

    @functools.cached_property
    def features(self) -> tuple[str, ...]:
        """What it can do, by the words of FILES."""
        return tuple(name for name, file in FILES.items() if os.path.exists(f"{self.path}/{file}"))

    def seconds(self) -> float:
        """CPU time of all that ever ran in it."""
        return self._figures("cpu.stat").get("usage_usec", 0) / 1e6

    def kilobytes(self) -> int:
        """Memory that is its own; 0 without the controller."""
        if "memory" not in self.features:
            return 0
        figures = self._figures("memory.stat")
        before = ("kernel_stack", "pagetables", "percpu", "slab")  # as Linux 5.18 and older tell it
        parts = KEPT if "kernel" in figures else (*KEPT, *before)
        return (sum(figures.get(part, 0) for part in parts) - figures.get("slab_reclaimable", 0)) // 1024

    def ran_out(self) -> bool:
        """Whether the kernel has ended something in it for its memory."""
        return "memory" in self.features and self._figures("memory.events").get("oom_kill", 0) > 0

    def has(self, pid: int) -> bool:
        """Whether the process is in it."""
        return str(pid).encode() in read(f"{self.path}/cgroup.procs").split()

    def bound(self, megabytes: float | None) -> None:
        """From now on it may grow by so much, and a little more before the kernel ends it."""
        if megabytes is not None and (now := read(f"{self.path}/memory.current").strip()):
            self._write("memory.swap.max", "0")
            self._write("memory.oom.group", "1")
            self._write("memory.max", str(int(now) + int((megabytes + SLACK) * 2**20)))

    def freeze(self) -> None:
        """Stop all that is in it, whatever signals it has sent itself."""
        self._write("cgroup.freeze", "1")

    def thaw(self) -> None:
        self._write("cgroup.freeze", "0")

    def kill(self) -> None:
        """End all that is in it, whoever it runs as."""
        self._write("cgroup.kill", "1")

    def remove(self) -> None:
        self._files.close()
        keeper.remove_group(self.path)

    def _figures(self, file: str) -> dict[str, int]:
        """A file of lines like `usage_usec 1500`."""
        text = b""
        with contextlib.suppress(OSError):
            text = self._files.read(file)
        lines = (line.split() for line in text.decode().splitlines())
        return {words[0]: int(words[1]) for words in lines if len(words) == 2 and words[1].isdecimal()}

    def _write(self, file: str, text: str) -> None:
        """Into a file that the system has: none is made."""
        with contextlib.suppress(OSError):
            opened = os.open(f"{self.path}/{file}", os.O_WRONLY | os.O_TRUNC)
            try:
                os.write(opened, text.encode())
            finally:
                os.close(opened)


def make() -> Group | None:
    """A new group with nothing in it; None where there can be none."""
    if not (place := home()):
        return None
    path = f"{place}/{_own_name(os.getpid())}-{next(_numbers)}"
    try:
        os.mkdir(path)
    except OSError:
        return None
    group = Group(path)
    group._write("pids.max", str(PROCESSES))
    return group


@functools.cache
def home() -> str:
    """The folder that groups are made in; "" where there is none.  What is left over there is removed.

    It is the nearest at or above this process's own group that may be written and has the controllers,
    else the nearest that may be written.
    """
    places = list(filter(_is_ours, _places(read("/proc/self/mountinfo"), read("/proc/self/cgroup"))))
    _own_name(os.getpid())  # while there are descriptors to read it
    for place in places:
        _remove_leftovers(place)
    for place in places:
        there = [name for name in CONTROLLERS if name in _words(place, "cgroup.controllers")]
        Group(place)._write("cgroup.subtree_control", " ".join(f"+{name}" for name in there))
        if set(CONTROLLERS) <= _words(place, "cgroup.subtree_control"):
            return place
    return places[0] if places else ""


@functools.cache
def in_words() -> str:
    """What groups there are here, in a few words for the level's line."""
    group = make()
    if not group:
        return "no cgroup"
    try:
        missing = [f"no {name}" for name in FILES if name not in group.features]
        return f"cgroup: {', '.join(group.features)}{'; ' if missing else ''}{', '.join(missing)}"
    finally:
        group.remove()


def _places(mounts: bytes, own: bytes) -> list[str]:
    """This process's own group of version 2, and those above it, as folders."""
    path = next((line[3:] for line in own.decode().splitlines() if line.startswith("0::")), "")
    for line in mounts.decode().splitlines():
        before, _, after = line.partition(" - ")
        if after.split()[:1] != ["cgroup2"] or not path.startswith("/") or path.startswith("/.."):
            continue
        root, mount = before.split()[3:5]
        root = root.rstrip("/")
        if not f"{path}/".startswith(f"{root}/"):
            continue  # the mount shows another part of the tree
        place = Path(mount.replace("\\040", " "), path.removeprefix(root).strip("/"))
        return [str(one) for one in (place, *place.parents) if one.is_relative_to(mount)]
    return []


def _is_ours(place: str) -> bool:
    """Whether groups can be made there, and processes be moved from there into them."""
    return all(os.access(path, os.W_OK) for path in (place, f"{place}/cgroup.procs"))


def _words(place: str, file: str) -> set[str]:
    return set(read(f"{place}/{file}").decode().split())


def read(path: str) -> bytes:
    """A file; nothing if it is not there, or its group is gone."""
    with contextlib.suppress(OSError):
        return proc.read(path)
    return b""


def _remove_leftovers(place: str) -> None:
    with contextlib.suppress(OSError):
        for name in os.listdir(place):
            found = LEFT.match(name)
            if found and (int(found[2]) == 0 or _born(int(found[1])) != int(found[2])):
                group = Group(f"{place}/{name}")
                group.kill()
                group.remove()


@functools.cache
def _own_name(pid: int) -> str:
    """What the names of this process's groups begin with; its start tells it from others of its number."""
    return f"{NAME}-{pid}-{_born(pid)}"


def _born(pid: int) -> int:
    """When the process started, in ticks; 0 if it is gone, or nobody can say."""
    with contextlib.suppress(OSError):
        return proc.started(pid)
    return 0
