"""Raises KeyboardInterrupt, which is no Exception."""

from legal import Legal


class Player(Legal):
    def trouble(self, chosen):
        raise KeyboardInterrupt
