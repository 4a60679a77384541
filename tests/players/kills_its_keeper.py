"""Kills the process it was started by, having asked not to die with it."""

import ctypes
import os
import signal
import time

from legal import Legal


class Player(Legal):
    def trouble(self, chosen):
        ctypes.CDLL(None).prctl(1, 0, 0, 0, 0)
        os.kill(os.getppid(), signal.SIGKILL)
        time.sleep(1000)
