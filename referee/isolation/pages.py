"""The pages of files in this process's memory: which are there, and how to have them all after a fork.

What a fork leaves to be mapped later would look, when it is first touched, as if the player's memory grew.
Only Linux tells (pagemap) and does (5.14) it; elsewhere nothing happens.
"""

import ctypes
from array import array
from mmap import PAGESIZE

PRESENT = 1 << 63  # of an entry of Linux's pagemap
OF_A_FILE = 1 << 61
POPULATE_READ = 22  # of madvise

Run = tuple[int, int]  # where it begins, bytes


def present() -> list[Run]:
    """The runs of files' pages that are there; none where the system does not tell."""
    found = []
    try:
        with (
            open("/proc/self/maps", encoding="utf-8", errors="replace") as maps,
            open("/proc/self/pagemap", "rb", buffering=0) as pagemap,
        ):
            for line in maps:
                place, rights, *_ = line.split()
                begin, end = (int(number, 16) for number in place.split("-"))
                if rights[0] != "r" or rights[3] != "p" or end > 2**63:
                    continue
                pagemap.seek(begin // PAGESIZE * 8)
                entries = array("Q", pagemap.read((end - begin) // PAGESIZE * 8))
                for first, last in _runs(entries):
                    found.append((begin + first * PAGESIZE, (last - first) * PAGESIZE))
    except (OSError, ValueError):
        return []
    return found


def have(runs: list[Run]) -> None:
    """Map them."""
    try:
        madvise = ctypes.CDLL(None).madvise
    except (OSError, AttributeError, TypeError):
        return
    for begin, size in runs:
        madvise(ctypes.c_void_p(begin), ctypes.c_size_t(size), POPULATE_READ)


def _runs(entries):
    """The runs among these pages: first, and one after the last."""
    first = None
    for number, entry in enumerate(entries):
        is_there = entry & PRESENT and entry & OF_A_FILE
        if is_there and first is None:
            first = number
        elif not is_there and first is not None:
            yield first, number
            first = None
    if first is not None:
        yield first, len(entries)
