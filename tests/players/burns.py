"""Uses as much CPU time in each call as it was told to by its constructor's arguments."""

import time

from legal import Legal


def burn(seconds):
    until = time.process_time() + seconds
    while time.process_time() < until:
        pass


class Player(Legal):
    def __init__(self, colour, variant="", make=0.0, act=0.0, update=0.0):
        super().__init__(colour, variant)
        self.act, self.per_update = act, update
        burn(make)

    def action(self):
        burn(self.act)
        return super().action()

    def update(self, colour, action):
        burn(self.per_update)
        super().update(colour, action)
