"""Keeps 150 MB in a file in memory that it has not mapped, in the place of a descriptor that it had."""

import os

from legal import Legal


class Player(Legal):
    def trouble(self, chosen):
        file = os.memfd_create("kept")
        os.dup2(file, 0)
        os.close(file)
        for _ in range(150):
            os.write(0, bytes(1_000_000))
