"""Raises MemoryError without having used any."""

from legal import Legal


class Player(Legal):
    def trouble(self, chosen):
        raise MemoryError("invented")
