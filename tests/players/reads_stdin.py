"""Asks the person at the keyboard."""

from legal import Legal


class Player(Legal):
    def trouble(self, chosen):
        return int(input("which pond? "))
