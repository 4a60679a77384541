"""Takes 150 MB, gives them back, and resets the mark the system keeps of the largest size."""

import os

from legal import Legal


class Player(Legal):
    def trouble(self, chosen):
        for _ in range(10):
            len(b"x" * 150 * 2**20)
            with open("/proc/%d/clear_refs" % os.getpid(), "w") as file:
                file.write("5")
