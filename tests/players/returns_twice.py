"""Forks, and both processes return the action."""

import os

from legal import Legal


class Player(Legal):
    def trouble(self, chosen):
        os.fork()
