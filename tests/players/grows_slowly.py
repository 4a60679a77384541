"""Takes a megabyte at a time."""

import time

from legal import Legal


class Player(Legal):
    def trouble(self, chosen):
        kept = []
        while True:
            kept.append(b"x" * 2**20)
            time.sleep(0.004)
