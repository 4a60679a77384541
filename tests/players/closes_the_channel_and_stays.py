"""Closes all descriptors and sleeps."""

import os
import time

from legal import Legal


class Player(Legal):
    def trouble(self, chosen):
        os.closerange(0, 1024)
        time.sleep(1000)
