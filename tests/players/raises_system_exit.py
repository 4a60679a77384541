"""Raises SystemExit(7)."""

from legal import Legal


class Player(Legal):
    def trouble(self, chosen):
        raise SystemExit(7)
