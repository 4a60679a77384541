"""A lock on an open file, so that only one run at a time writes it; it goes with the process that has it."""

from typing import BinaryIO

FAR = 2**40  # a byte that no journal reaches: on Windows a locked byte can be read by nobody else

try:
    from fcntl import LOCK_EX, LOCK_NB, flock

    def lock(file: BinaryIO) -> None:
        """Take the lock; OSError where another run has it."""
        flock(file, LOCK_EX | LOCK_NB)

except ImportError:
    try:
        from msvcrt import LK_NBLCK, locking
    except ImportError:  # neither: then nothing keeps two runs apart
        LK_NBLCK = 0

        def locking(descriptor: int, how: int, size: int) -> None:
            """Nothing is locked here."""

    def lock(file: BinaryIO) -> None:
        """Take the lock; OSError where another run has it."""
        place = file.tell()
        file.seek(FAR)
        locking(file.fileno(), LK_NBLCK, 1)
        file.seek(place)
