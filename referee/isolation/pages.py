"""The pages of this process's memory: which are there, and how to have them all after a fork.

What a fork leaves to be copied or mapped later would cost the player time when it first touches it, and look
as if its memory grew.  Only Linux tells (pagemap) and does (5.14) it; elsewhere nothing happens.
"""

import ctypes
from array import array
from mmap import PAGESIZE

PRESENT = 1 << 63  # of an entry of Linux's pagemap
POPULATE_READ, POPULATE_WRITE = 22, 23  # of madvise

Run = tuple[int, int, int]  # where it begins, bytes, how to have it


def present() -> list[Run]:
    """The runs of pages that are there; none where the system does not tell."""
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
                advice = POPULATE_WRITE if rights[1] == "w" else POPULATE_READ
                for first, last in _runs(entries):
                    found.append((begin + first * PAGESIZE, (last - first) * PAGESIZE, advice))
    except (OSError, ValueError):
        return []
    return found


def have(runs: list[Run]) -> None:
    """Map them, and copy those that can be written to."""
    try:
        madvise = ctypes.CDLL(None).madvise
    except (OSError, AttributeError, TypeError):
        return
    for begin, size, advice in runs:
        madvise(ctypes.c_void_p(begin), ctypes.c_size_t(size), advice)


def _runs(entries):
    """The runs of pages that are there: first, and one after the last."""
    first = None
    for number, entry in enumerate(entries):
        if entry & PRESENT and first is None:
            first = number
        elif not entry & PRESENT and first is not None:
            yield first, number
            first = None
    if first is not None:
        yield first, len(entries)
