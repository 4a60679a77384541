"""Raises an exception that says ten megabytes, with control characters."""

from legal import Legal


class Player(Legal):
    def trouble(self, chosen):
        raise ValueError("\x1b[2J\n* winner: A " * 700000)
