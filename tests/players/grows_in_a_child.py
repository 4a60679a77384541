"""Takes its memory in a child process."""

import os
import time

from legal import Legal


class Player(Legal):
    def trouble(self, chosen):
        if os.fork() == 0:
            kept = b"x" * 150 * 2**20
            time.sleep(1000)
        time.sleep(1000)
