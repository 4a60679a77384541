"""Stops the process that its keeper was forked from, and later players would be."""

import os
import signal

from legal import Legal


class Player(Legal):
    def trouble(self, chosen):
        os.kill(os.getsid(os.getppid()), signal.SIGSTOP)
