"""Sends itself SIGKILL."""

import os
import signal

from legal import Legal


class Player(Legal):
    def trouble(self, chosen):
        os.kill(os.getpid(), signal.SIGKILL)
