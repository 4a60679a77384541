"""How much memory a process takes, as /proc tells: its own, and what the kernel keeps for it besides.

What is in all that it has open opened.py says.  All sizes are in kilobytes; those of a process that is gone,
or that may not be looked at, are 0.
"""

import contextlib
import ctypes
import functools
import os
import re
from collections.abc import Collection

from referee.isolation import proc

KCMP = {"x86_64": 312, "aarch64": 272}
KCMP_VM = 1

THREAD_COUNT = re.compile(rb"^Threads:\t(\d+)$", re.MULTILINE)
BESIDE = ("VmPTE", "VmSwap", "HugetlbPages")  # what is not in the resident size

THREAD = 32  # what the kernel keeps for each thread, so that many idle ones are not free
THREADS = 64  # that cost no more than that; each of the others may keep what is closed while it waits for it:
CLOSED = 1024  # an epoll with all the watches that there can be, or two sockets
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


def helpers(player: int, pids: Collection[int]) -> int:
    """What helpers add; one in the player's own memory, as before it becomes a program, adds nothing."""
    return sum(helper(pid) for pid in pids if not is_same(player, pid))


def helper(pid: int) -> int:
    """What a helper adds: its share of the memory it has in common with its parent, and its own."""
    sizes, _ = status(pid)
    if not sizes:  # it has ended, and nobody has waited for it yet
        return 0
    shares = _shares(pid)
    if shares is None:  # a helper may forbid the better look
        return sizes.get("RssAnon", 0) + sizes.get("RssShmem", 0) + beside(sizes)
    return shares.get("Pss_Anon", 0) + shares.get("Pss_Shmem", 0) + beside(sizes)


def shared(pid: int) -> int:
    """What of a process's own memory is others' share, as of what those have in common that it has forked."""
    shares = _shares(pid) or {}
    return shares.get("Anonymous", 0) - shares.get("Pss_Anon", 0)


def is_same(one: int, other: int) -> bool:
    """Whether two processes are in the same memory; no where the system does not say."""
    number = KCMP.get(os.uname().machine)
    arguments = number or 0, one, other, KCMP_VM, 0, 0
    return number is not None and _library().syscall(*map(ctypes.c_long, arguments)) == 0


@functools.cache
def _library() -> ctypes.CDLL:
    return ctypes.CDLL(None)


def threads_in(text: bytes) -> int:
    """How many threads a process has whose /proc/PID/status this is."""
    found = THREAD_COUNT.search(text)
    return int(found[1]) if found else 0


def threads(count: int) -> int:
    """What the kernel keeps for so many threads."""
    return THREAD * max(0, count) + (CLOSED - THREAD) * max(0, count - THREADS)


def mappings(pid: int) -> int:
    """What the kernel keeps for the pieces of its address space.  It takes a look at each of them."""
    with contextlib.suppress(PermissionError):
        return int(MAPPING * proc.read(f"/proc/{pid}/maps").count(b"\n"))
    return 0


def _shares(pid: int) -> dict[str, int] | None:
    """The sizes in its /proc/PID/smaps_rollup; None where that may not be read."""
    try:
        return proc.sizes(f"/proc/{pid}/smaps_rollup") or _of_a_thread(pid)
    except PermissionError:
        return None


def _of_a_thread(pid: int) -> dict[str, int]:
    for thread in proc.names(f"/proc/{pid}/task"):
        if sizes := proc.sizes(f"/proc/{pid}/task/{thread}/smaps_rollup"):
            return sizes
    return {}
