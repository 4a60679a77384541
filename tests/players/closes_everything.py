"""Closes all descriptors it can find."""

import os

from legal import Legal


class Player(Legal):
    def trouble(self, chosen):
        os.closerange(0, 1024)
