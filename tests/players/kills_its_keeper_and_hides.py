"""Kills its keeper and goes on in a grandchild of another session."""

import os
import signal
import time

from legal import Legal

KEEPER = os.getppid()


class Player(Legal):
    def trouble(self, chosen):
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                os.kill(KEEPER, signal.SIGKILL)
                time.sleep(1000)
            os._exit(0)
        time.sleep(1000)
