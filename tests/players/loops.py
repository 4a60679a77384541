"""Loops for ever."""

from legal import Legal


class Player(Legal):
    def trouble(self, chosen):
        while True:
            pass
