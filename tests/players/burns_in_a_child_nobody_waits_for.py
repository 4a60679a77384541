"""Thinks in children that the system reaps by itself, so that no parent is charged for them."""

import os
import signal
import time

from legal import Legal


class Player(Legal):
    def trouble(self, chosen):
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)
        while True:
            if os.fork() == 0:
                while time.process_time() < 0.05:
                    pass
                os._exit(0)
            try:
                os.wait()
            except ChildProcessError:
                pass
