"""Loops for ever before it has been made."""

class Player:
    def __init__(self, colour):
        while True:
            pass
