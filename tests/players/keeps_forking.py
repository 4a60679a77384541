"""Leaves a family behind in which every process ends as soon as it has started the next."""

import os
import time

from legal import Legal


class Player(Legal):
    def __init__(self, colour, variant=""):
        super().__init__(colour, variant)
        if os.fork() == 0:
            os.setsid()
            while True:
                if os.fork():
                    os._exit(0)
                time.sleep(0.005)
