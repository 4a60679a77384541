"""Loops and catches whatever is raised to stop it."""

from legal import Legal


class Player(Legal):
    def trouble(self, chosen):
        while True:
            try:
                while True:
                    pass
            except BaseException:
                pass
