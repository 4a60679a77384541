"""A lock on an open file, so that only one run at a time writes it; it goes with the process that has it."""

import importlib
from types import ModuleType
from typing import BinaryIO

FAR = 2**40  # a byte that no journal reaches: on Windows a locked byte can be read by nobody else

try:
    from fcntl import LOCK_EX, LOCK_NB, flock

    def lock(file: BinaryIO) -> None:
        """Take the lock; OSError where another run has it."""
        flock(file, LOCK_EX | LOCK_NB)

except ImportError:
    try:
        msvcrt: ModuleType | None = importlib.import_module(
            "msvcrt"
        )  # by name: checks of types elsewhere than on Windows lack it
    except ImportError:  # then nothing keeps two runs apart
        msvcrt = None

    def lock(file: BinaryIO) -> None:
        """Take the lock; OSError where another run has it."""
        if msvcrt is None:
            return
        place = file.tell()
        file.seek(FAR)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        file.seek(place)
