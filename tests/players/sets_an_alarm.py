"""Lets an alarm go off that nobody handles."""

import signal
import time

from legal import Legal


class Player(Legal):
    def trouble(self, chosen):
        signal.setitimer(signal.ITIMER_REAL, 0.01)
        time.sleep(1000)
