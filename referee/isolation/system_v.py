"""Finds what a player has made of System V's: shared memory and queues, which outlive all processes.

The kernel says of a segment which process has made it, and of a queue which has written to it last.  If that
was one of the player's that lived when somebody looked, it is charged, and removed with the player.  What was
there before is nobody's here.  Of semaphores nobody says whose they are.

It imports nothing of the referee's but proc.py.
"""

import ctypes
from collections.abc import Collection, Iterator

from . import proc

IPC_RMID = 0
MESSAGE = 64  # bytes that the kernel keeps with each message
FILES = {"shm": ("shmid", "cpid"), "msg": ("msqid", "lspid")}  # in /proc/sysvipc: number, and whose it is


class Made:
    """What a player's processes have made since this was."""

    def __init__(self) -> None:
        self._before = {kind: {row[FILES[kind][0]] for row in _rows(kind)} for kind in FILES}
        self._known: dict[str, set[int]] = {kind: set() for kind in FILES}

    def segments(self, family: Collection[int]) -> dict[int, int]:
        """Kilobytes by number, of those that any of the family's processes has made."""
        rows = self._of("shm", family)
        return {row["shmid"]: (row["rss"] + row["swap"]) // 1024 for row in rows}

    def queued(self, family: Collection[int]) -> int:
        """Kilobytes in the queues that any of them was the last to write to."""
        return sum(row["cbytes"] + MESSAGE * row["qnum"] for row in self._of("msg", family)) // 1024

    def find(self, family: Collection[int]) -> None:
        """Look for what any of them has made, to be removed."""
        for kind in FILES:
            self._of(kind, family)

    def remove(self) -> None:
        """All that was found; what is gone, or may not be removed, is left."""
        if not any(self._known.values()):
            return
        library = ctypes.CDLL(None)
        for number in self._known["shm"]:
            library.shmctl(number, IPC_RMID, None)
        for number in self._known["msg"]:
            library.msgctl(number, IPC_RMID, None)
        for known in self._known.values():
            known.clear()

    def _of(self, kind: str, family: Collection[int]) -> list[dict[str, int]]:
        number, whose = FILES[kind]
        rows = [row for row in _rows(kind) if row[number] not in self._before[kind]]
        self._known[kind] |= {row[number] for row in rows if row[whose] in family}
        return [row for row in rows if row[number] in self._known[kind]]


def _rows(kind: str) -> Iterator[dict[str, int]]:
    """What /proc/sysvipc has, by its own words; keys and rights, which are no decimals, are 0."""
    names, *lines = proc.read(f"/proc/sysvipc/{kind}").decode().splitlines() or [""]
    for line in lines:
        values = (int(word) if word.isdecimal() else 0 for word in line.split())
        yield dict(zip(names.split(), values, strict=True))
