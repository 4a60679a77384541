"""Kills its keeper, but takes its link before, so that nothing is heard of that, and leaves a child without a parent."""

import ctypes
import os
import signal
import time

from legal import Legal

KEEPER = os.getppid()
PIDFD_GETFD = 438


class Player(Legal):
    def trouble(self, chosen):
        library = ctypes.CDLL(None)
        library.prctl(1, 0, 0, 0, 0)  # not to die with it
        keeper = os.pidfd_open(KEEPER)
        self.taken = [library.syscall(PIDFD_GETFD, keeper, number, 0) for number in range(20)]
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                os.kill(KEEPER, signal.SIGKILL)
                time.sleep(1000)
            os._exit(0)
        os.wait()
        while os.getppid() == KEEPER:
            pass
