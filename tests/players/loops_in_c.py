"""Loops in C code, where no Python signal handler gets its turn."""

from legal import Legal


class Player(Legal):
    def trouble(self, chosen):
        sum(range(10**12))
