"""Loops for ever when it is told of the opponent's action."""

from legal import Legal


class Player(Legal):
    def update(self, colour, action):
        if "AB".index(colour) != self.me:
            while True:
                pass
        super().update(colour, action)
