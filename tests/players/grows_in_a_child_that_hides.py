"""Takes its memory in a child process, shared and without a name, having forbidden to look at it closely."""

import ctypes
import mmap
import os
import time

from legal import Legal

DUMPABLE = 4


class Player(Legal):
    def trouble(self, chosen):
        if os.fork() == 0:
            ctypes.CDLL(None).prctl(DUMPABLE, 0, 0, 0, 0)
            memory = mmap.mmap(-1, 150_000_000)
            memory.write(b"x" * len(memory))
        time.sleep(60)
