"""Puts things in the place of sys.stdout that cannot be flushed."""

import sys

from legal import Legal


class Stubborn:
    def write(self, text):
        raise SystemExit("no")

    def flush(self):
        raise KeyboardInterrupt


class Player(Legal):
    def trouble(self, chosen):
        sys.stdout = Stubborn()
        sys.stderr = None
        sys.excepthook = None
