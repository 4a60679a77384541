"""Thinks in a grandchild of a session of its own and sleeps meanwhile."""

import os
import time

from legal import Legal


class Player(Legal):
    def trouble(self, chosen):
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                while True:
                    pass
            os._exit(0)
        os.wait()
        time.sleep(1000)
