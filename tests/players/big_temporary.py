"""Takes 150 MB and gives them back before it answers."""

from legal import Legal


class Player(Legal):
    def trouble(self, chosen):
        len(b"x" * 150 * 2**20)
