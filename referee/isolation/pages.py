"""The pages of this process's memory: which are there, and how to have them all after a fork.

What a fork leaves to be mapped later would look, when it is first touched, as if the player's memory grew;
and what it leaves to be copied takes time when it is first written to, which a profile would charge there.
Only Linux tells (pagemap) and does (5.14) it; elsewhere nothing happens.
"""

import ctypes
from array import array
from collections.abc import Iterator
from mmap import PAGESIZE

PRESENT = 1 << 63  # of an entry of Linux's pagemap
OF_A_FILE = 1 << 61
POPULATE_READ, POPULATE_WRITE = 22, 23  # of madvise

Run = tuple[int, int, int]  # where it begins, bytes, how to have it


def present(copied: bool = False) -> list[Run]:
    """The runs of files' pages that are there, or of all, to be copied where they can be written to.

    None where the system does not tell.
    """
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
                advice = POPULATE_WRITE if copied and rights[1] == "w" else POPULATE_READ
                for first, last in _runs(entries, PRESENT if copied else PRESENT | OF_A_FILE):
                    found.append((begin + first * PAGESIZE, (last - first) * PAGESIZE, advice))
    except (OSError, ValueError):
        return []
    return found


def have(runs: list[Run]) -> None:
    """Map them, or copy them."""
    try:
        madvise = ctypes.CDLL(None).madvise
    except (OSError, AttributeError, TypeError):
        return
    for begin, size, advice in runs:
        madvise(ctypes.c_void_p(begin), ctypes.c_size_t(size), advice)


def _runs(entries: "array[int]", wanted: int) -> Iterator[tuple[int, int]]:
    """The runs of pages with all bits that are wanted: first, and one after the last."""
    first = None
    for number, entry in enumerate(entries):
        is_there = entry & wanted == wanted
        if is_there and first is None:
            first = number
        elif not is_there and first is not None:
            yield first, number
            first = None
    if first is not None:
        yield first, len(entries)
