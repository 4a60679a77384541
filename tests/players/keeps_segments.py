"""Keeps 150 MB in shared memory of System V's, which it has let go of: it is mapped by nobody, and outlives all."""

import ctypes
import time

from attack import LIBRARY, checked
from legal import Legal

PRIVATE = 0
SIZE = 50_000_000


def made():
    """The number of a new segment that is full."""
    number = checked(LIBRARY.shmget(PRIVATE, ctypes.c_size_t(SIZE), 0o600))
    LIBRARY.shmat.restype = ctypes.c_void_p
    place = LIBRARY.shmat(number, None, 0)
    ctypes.memset(place, 1, SIZE)
    checked(LIBRARY.shmdt(ctypes.c_void_p(place)))
    print(number, flush=True)
    return number


class Player(Legal):
    def trouble(self, chosen):
        for _ in range(3):
            made()


class Queued(Legal):
    """Keeps many short messages in queues of System V's."""

    def trouble(self, chosen):
        message = ctypes.create_string_buffer(ctypes.sizeof(ctypes.c_long) + 1)
        message[0] = 1
        while True:
            queue = checked(LIBRARY.msgget(PRIVATE, 0o600))
            while LIBRARY.msgsnd(queue, message, ctypes.c_size_t(1), 0o4000) == 0:
                pass


class Modest(Legal):
    """Leaves one behind and sleeps, for its referee to be killed."""

    def trouble(self, chosen):
        made()
        time.sleep(600)
