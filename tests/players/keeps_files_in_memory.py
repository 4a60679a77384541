"""Keeps 150 MB in a file in memory that it has not mapped, in the place of a descriptor that it had."""

import mmap
import os

from legal import Legal


class Player(Legal):
    def trouble(self, chosen):
        file = os.memfd_create("kept")
        os.dup2(file, 0)
        os.close(file)
        for _ in range(150):
            os.write(0, bytes(1_000_000))


class Mapped(Legal):
    """Half of it in a file that it has open, and as much in another that it has mapped and closed."""

    def trouble(self, chosen):
        one, other = (os.memfd_create("kept") for _ in range(2))
        for file in (one, other):
            for _ in range(75):
                os.write(file, bytes(1_000_000))
        self.mapped = mmap.mmap(other, 75_000_000)
        for place in range(0, 75_000_000, 4096):
            self.mapped[place]
        os.close(other)
