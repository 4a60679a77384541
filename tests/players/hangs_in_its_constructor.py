"""Loops for ever, or sleeps, before it has been made."""

import time


class Player:
    def __init__(self, colour):
        while True:
            pass


class Asleep:
    def __init__(self, colour):
        while True:
            time.sleep(60)
