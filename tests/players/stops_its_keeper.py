"""Stops the process it was started by."""

import os
import signal

from legal import Legal


class Player(Legal):
    def trouble(self, chosen):
        os.kill(os.getppid(), signal.SIGSTOP)
