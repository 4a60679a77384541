"""Raises an exception that loops when it is asked what it says."""

from legal import Legal


class Player(Legal):
    def trouble(self, chosen):
        class Endless(Exception):
            def __str__(self):
                while True:
                    pass

        raise Endless
