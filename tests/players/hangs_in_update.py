"""Loops for ever, or sleeps, when it is told of the opponent's action."""

import time

from legal import Legal


class Player(Legal):
    def update(self, colour, action):
        if "AB".index(colour) != self.me:
            while True:
                self.hang()
        super().update(colour, action)

    def hang(self):
        pass


class Asleep(Player):
    def hang(self):
        time.sleep(60)
