"""Raises an ordinary exception."""

from legal import Legal


class Player(Legal):
    def trouble(self, chosen):
        raise ValueError("no idea\nwhat to do")
