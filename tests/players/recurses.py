"""Recurses until Python gives up."""

from legal import Legal


class Player(Legal):
    def trouble(self, chosen):
        return self.trouble(chosen)
