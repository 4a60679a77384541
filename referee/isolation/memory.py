"""How much memory a process takes, as /proc tells: its own, and what the kernel keeps for it.

All sizes are in kilobytes; those of a process that is gone, or that may not be looked at, are 0.
"""

import contextlib
import os
import re

from referee.isolation import proc

THREAD_COUNT = re.compile(rb"^Threads:\t(\d+)$", re.MULTILINE)
BESIDE = ("VmPTE", "VmSwap", "HugetlbPages")  # what is not in the resident size

THREAD = 32  # what the kernel keeps for each thread, so that many idle ones are not free
THREADS = 64  # that cost no more than that; each of the others may hold a socket that is closed already
SOCKET = 240  # what can wait in a socket until it is read
PIPE = 76  # and in a pipe
HELD = {"socket": SOCKET, "pipe": PIPE}
IN_MEMORY = ("/memfd:", "/dev/shm/")  # files
MAPPING = 0.5  # for each piece that its address space is cut into


def status(pid: int, text: bytes | None = None) -> tuple[dict[str, int], bool]:
    """The sizes in /proc/PID/status, and whether its first thread has ended while others go on.

    Such a process has no sizes of its own any more, but each of its threads has.  `text` is what that file
    says, where it was read already.
    """
    sizes = proc.sizes(f"/proc/{pid}/status") if text is None else proc.sizes_in(text)
    if "VmRSS" in sizes:
        return sizes, False
    for thread in proc.names(f"/proc/{pid}/task"):
        sizes = proc.sizes(f"/proc/{pid}/task/{thread}/status")
        if "VmRSS" in sizes:
            return sizes, True
    return {}, False


def beside(sizes: dict[str, int]) -> int:
    """Its page tables, what was swapped out, and its huge pages."""
    return sum(sizes.get(name, 0) for name in BESIDE)


def helper(pid: int) -> int:
    """What a helper adds: its share of the memory it has in common with its parent, and its own."""
    sizes, _ = status(pid)
    try:
        shares = proc.sizes(f"/proc/{pid}/smaps_rollup") or _of_a_thread(pid)
    except PermissionError:  # a helper may forbid the better look
        return sizes.get("RssAnon", 0) + sizes.get("RssShmem", 0) + beside(sizes)
    return shares.get("Pss_Anon", 0) + shares.get("Pss_Shmem", 0) + beside(sizes)


def threads_in(text: bytes) -> int:
    """How many threads a process has whose /proc/PID/status this is."""
    found = THREAD_COUNT.search(text)
    return int(found[1]) if found else 0


def threads(count: int) -> int:
    """What the kernel keeps for so many threads."""
    return THREAD * max(0, count) + (SOCKET - THREAD) * max(0, count - THREADS)


def buffers(pid: int) -> int:
    """What may wait in its sockets and pipes, and what is in files in memory that it has open, not mapped."""
    held = _opened(f"/proc/{pid}/fd")
    if not held:  # its first thread has ended
        threads = (_opened(f"/proc/{pid}/task/{thread}/fd") for thread in proc.names(f"/proc/{pid}/task"))
        held = next(filter(None, threads), {})
    files = sum(size for name, size in held.items() if type(name) is int)
    if files:
        files = max(0, files - proc.sizes(f"/proc/{pid}/status").get("RssShmem", 0))
    return files + sum(size for name, size in held.items() if type(name) is str)


def descriptors(pid: int) -> int | None:
    """How many it has open; None where the kernel does not say (before 6.2)."""
    with contextlib.suppress(OSError):
        return os.stat(f"/proc/{pid}/fd").st_size or None
    return None


def mappings(pid: int) -> int:
    """What the kernel keeps for the pieces of its address space.  It takes a look at each of them."""
    with contextlib.suppress(PermissionError):
        return int(MAPPING * proc.read(f"/proc/{pid}/maps").count(b"\n"))
    return 0


def _opened(folder: str) -> dict[str | int, int]:
    """What the descriptors listed there lead to, and what each holds; a file in memory by its number."""
    found: dict[str | int, int] = {}
    for name in proc.names(folder):
        with contextlib.suppress(OSError):
            link = os.readlink(f"{folder}/{name}")
            if link.startswith(IN_MEMORY):  # where many may have one name
                known = os.stat(f"{folder}/{name}")
                found[known.st_ino] = known.st_blocks // 2
            else:
                found[link] = HELD.get(link.partition(":")[0], 0)
    return found


def _of_a_thread(pid: int) -> dict[str, int]:
    for thread in proc.names(f"/proc/{pid}/task"):
        if sizes := proc.sizes(f"/proc/{pid}/task/{thread}/smaps_rollup"):
            return sizes
    return {}
