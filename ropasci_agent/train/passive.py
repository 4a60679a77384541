"""A sparring partner that only survives: it throws when it has fewer than three tokens on board, gets away
from hunters, captures nothing but what stands beside it, and otherwise goes to and fro.  Who is ahead
of it has to make the progress.
"""

import random

from ..position import FIRST_STEP
from . import cascade


class Player(cascade.Player):
    def __init__(self, colour, variant="", seconds=None, first_seconds=None, nodes=None, seed=0):
        super().__init__(colour)
        self.random = random.Random("{} {}".format(seed, colour))

    def rules(self):
        return [self.captures, self.escapes, self.careful_throws, self.shuffles]

    def shuffles(self):
        """Any step out of the hunters' reach; lots decide."""
        for symbol, g, h in self.steps:
            if not (h in self.danger[symbol] or self.suicidal(symbol, h) or self.kills_own(symbol, h)):
                yield self.random.random(), FIRST_STEP + 61 * g + h
