"""Prints 64 KB of what cannot be shown in each of its calls: five times as much in a record."""

import os

from legal import Legal


class Player(Legal):
    def flood(self):
        os.write(1, b"\0" * 65536)

    def __init__(self, colour, variant=""):
        super().__init__(colour, variant)
        self.flood()

    def action(self):
        self.flood()
        return super().action()

    def update(self, colour, action):
        self.flood()
        super().update(colour, action)
