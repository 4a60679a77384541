"""Prints more in each of its calls than is kept, and raises at last."""

from floods_in_every_call import Player as Floods


class Player(Floods):
    def trouble(self, chosen):
        print("the last words")
        raise ValueError("enough")
