"""Throws in RoPaSci to the right hex, with coordinates that are floats."""


class Player:
    def __init__(self, colour):
        self.row = 4.0 if colour == "upper" else -4.0

    def action(self):
        return ("THROW", "r", (self.row, 0.0))

    def update(self, theirs, mine):
        pass
