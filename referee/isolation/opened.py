"""How much memory the kernel keeps for processes in what they have open: sockets, pipes, files in memory.

None of it is in anybody's resident size.  What several processes have open counts once.  All sizes are in
kilobytes; what is gone, or may not be looked at, counts nothing.
"""

import contextlib
import fcntl
import functools
import os
import re
import stat
from collections.abc import Iterable, Iterator, Mapping

from referee.isolation import proc

SOCKET = 240  # what can wait in one of a pair until it is read
PIPE = 12  # besides what it has room for
WATCH = 0.27  # for each descriptor that an epoll watches
EVENTS = 8192  # those of files that can wait until they are read
WATCHED = 1.3  # for each file or folder that an inotify watches, and which the kernel has to remember for it
TERMINAL = 150  # what can wait in a pseudo-terminal, both ways
F_GETPIPE_SZ = 1032
IN_MEMORY = ("tmpfs", "ramfs", "hugetlbfs", "devtmpfs")  # file systems
OF_PROGRAM = re.compile(rb"^memlock:\s*(\d+)$", re.MULTILINE)  # of a table or program in the kernel, in bytes
RING = re.compile(rb"^(Sq|Cq)Mask:\s*0x([0-9a-f]+)$", re.MULTILINE)
RING_ENTRY = {b"Sq": 128, b"Cq": 32}  # bytes, at most
MAPPING = re.compile(rb"[0-9a-f]+-[0-9a-f]+ \S+ \S+ ([0-9a-f]+):([0-9a-f]+) (\d+) *(/SYSV)?")
SEGMENT = -1  # in place of the device of a segment of System V's

File = tuple[int, int]  # device and number
NOTHING: dict[int, int] = {}


def count(pid: int) -> int | None:
    """How many descriptors a process has open; None where the kernel does not say (before 6.2)."""
    with contextlib.suppress(OSError):
        return os.stat(f"/proc/{pid}/fd").st_size or None
    return None


def kept(player: int, helpers: Iterable[int] = (), segments: Mapping[int, int] = NOTHING) -> int:
    """What is kept for a player and its helpers, the segments of System V's that they have made included."""
    held: dict[str, float] = {}
    files: dict[File, int] = {(SEGMENT, number): size for number, size in segments.items()}
    for pid in (player, *helpers):
        for folder, name in _descriptors(pid):
            with contextlib.suppress(OSError):
                link = os.readlink(f"{folder}/fd/{name}")
                kind, _, what = link.partition(":")
                if link.startswith("/dev/pt"):
                    held[f"{folder}/fd/{name}"] = TERMINAL
                elif link.startswith("/"):
                    files.update(_in_memory(f"{folder}/fd/{name}", link))
                elif kind == "anon_inode":  # which all have the same name
                    held[f"{folder}/fd/{name}"] = _anonymous(what, f"{folder}/fdinfo/{name}")
                elif link not in held:
                    held[link] = (
                        _pipe(f"{folder}/fd/{name}") if kind == "pipe" else SOCKET * (kind == "socket")
                    )
    if sum(link.startswith("socket:") for link in held) > 1:  # it has one from the beginning
        held.update(_queued(player, held))
    if files:
        mapped = [_mapped(pid, files, b"Pss:" if pid != player else b"Rss:") for pid in (player, *helpers)]
        files = {file: size - sum(sizes.get(file, 0) for sizes in mapped) for file, size in files.items()}
    return int(sum(held.values())) + sum(max(0, size) for size in files.values())


def _descriptors(pid: int) -> Iterator[tuple[str, str]]:
    """The folder of the process in /proc, and the number of each descriptor."""
    folder = f"/proc/{pid}"
    names = proc.names(f"{folder}/fd")
    if not names:  # its first thread has ended
        for thread in proc.names(f"{folder}/task"):
            if names := proc.names(f"{folder}/task/{thread}/fd"):
                folder = f"{folder}/task/{thread}"
                break
    for name in names:
        yield folder, name


def _pipe(path: str) -> int:
    """What a pipe can hold; who may not be confined may enlarge it."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    try:
        return fcntl.fcntl(descriptor, F_GETPIPE_SZ) // 1024 + PIPE
    finally:
        os.close(descriptor)


def _anonymous(what: str, told: str) -> float:
    """What is kept for an epoll and the like, by what /proc tells of the descriptor."""
    if what == "[eventpoll]":
        return WATCH * proc.read(told).count(b"tfd:")
    if what == "[io_uring]":
        rings = RING.findall(proc.read(told))
        return sum(RING_ENTRY[ring] * (int(mask, 16) + 1) for ring, mask in rings) / 1024
    if what.strip("[]") in ("inotify", "fanotify"):
        return EVENTS + WATCHED * proc.read(told).count(b"notify wd:")
    if what.startswith("bpf"):
        return sum(map(int, OF_PROGRAM.findall(proc.read(told)))) / 1024
    return 0


def _queued(pid: int, held: dict[str, float]) -> dict[str, float]:
    """Of TCP's sockets, those in which more waits than fits into one of a pair."""
    found: dict[str, float] = {}
    for name in ("tcp", "tcp6"):
        for line in proc.read(f"/proc/{pid}/net/{name}").splitlines()[1:]:
            fields = line.split()
            link = f"socket:[{fields[9].decode()}]"
            waiting = sum(int(part, 16) for part in fields[4].split(b":")) // 1024
            if waiting > held.get(link, waiting):
                found[link] = waiting
    return found


def _in_memory(path: str, link: str) -> dict[File, int]:
    """A file in memory that it can write to, by its size; of what others keep there it only reads."""
    has_no_name = link.startswith("/memfd:")
    places, devices = _file_systems()
    if not has_no_name and not (link.startswith(places) and os.lstat(path).st_mode & stat.S_IWUSR):
        return {}
    known = os.stat(path)
    if not stat.S_ISREG(known.st_mode) or not (has_no_name or known.st_dev in devices):
        return {}
    return {(known.st_dev, known.st_ino): known.st_blocks // 2}


@functools.cache
def _file_systems() -> tuple[tuple[str, ...], frozenset[int]]:
    """Where those in memory are mounted, and their devices."""
    places, devices = [], set()
    for line in proc.read("/proc/self/mountinfo").decode(errors="surrogateescape").splitlines():
        before, _, after = line.partition(" - ")
        _, _, device, _, place, *_ = before.split()
        if after.split()[0] in IN_MEMORY:
            places.append(f"{place.rstrip('/')}/".replace("\\040", " "))
            devices.add(os.makedev(*map(int, device.split(":"))))
    return tuple(places), frozenset(devices)


def _mapped(pid: int, files: dict[File, int], word: bytes) -> dict[File, int]:
    """What of those files a process has mapped, which counts as its own memory."""
    found: dict[File, int] = {}
    file = None
    try:
        lines = proc.read(f"/proc/{pid}/smaps").splitlines()
    except PermissionError:  # a helper may forbid the better look
        return found
    for line in lines:
        if begin := MAPPING.match(line):
            major, minor, number = (
                int(text, base) for text, base in zip(begin.groups()[:3], (16, 16, 10), strict=True)
            )
            file = (SEGMENT if begin[4] else os.makedev(major, minor), number)
        elif file in files and line.startswith(word):
            found[file] = found.get(file, 0) + int(line.split()[1])
    return found
