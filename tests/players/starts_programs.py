"""Keeps 60 MB and starts programs, which are in its own memory until they begin."""

import os
import subprocess
import time

from legal import Legal


class Player(Legal):
    def trouble(self, chosen):
        self.kept = bytearray(b"x") * 60_000_000
        for _ in range(100):
            subprocess.run(["/bin/true"], close_fds=False)


class Forked(Legal):
    """Keeps as much, which four processes have in common with it."""

    def trouble(self, chosen):
        self.kept = bytearray(b"x") * 60_000_000
        children = []
        for _ in range(4):
            children.append(os.fork())
            if not children[-1]:
                time.sleep(0.2)
                os._exit(0)
        for child in children:
            os.waitpid(child, 0)


class Written(Legal):
    """Has a child write to all that they had in common, so that each has its own."""

    def trouble(self, chosen):
        self.kept = bytearray(b"x") * 60_000_000
        if not os.fork():
            self.kept[::4096] = bytes(len(self.kept[::4096]))
            time.sleep(600)
        time.sleep(600)
