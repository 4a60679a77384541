"""Leaves a child process thinking while the opponent is to act."""

import os

from legal import Legal


class Player(Legal):
    def __init__(self, colour, variant=""):
        super().__init__(colour, variant)
        if os.fork() == 0:
            while True:
                pass
