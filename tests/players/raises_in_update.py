"""Raises an exception when it is told of the opponent's first action."""

from legal import Legal


class Player(Legal):
    def update(self, colour, action):
        if "AB".index(colour) != self.me:
            raise LookupError("unexpected")
        super().update(colour, action)
