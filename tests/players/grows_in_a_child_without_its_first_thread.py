"""Takes its memory in a child process whose first thread has ended, so that /proc has no sizes of it."""

import ctypes
import os
import threading
import time

from ends_its_first_thread import EXIT
from legal import Legal


class Player(Legal):
    def trouble(self, chosen):
        if os.fork() == 0:
            threading.Thread(target=self.grow).start()
            ctypes.CDLL(None).syscall(EXIT, 0)
        time.sleep(60)

    def grow(self):
        memory = bytearray(b"x") * 150_000_000
        while memory:
            time.sleep(1)
