"""Ends its process when it is told of the opponent's first action."""

import os

from legal import Legal


class Player(Legal):
    def update(self, colour, action):
        if "AB".index(colour) != self.me:
            os._exit(3)
        super().update(colour, action)
