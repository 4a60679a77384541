"""Takes a megabyte in each action, which it is not told of afterwards."""

from legal import Legal


class Player(Legal):
    def __init__(self, colour, variant=""):
        super().__init__(colour, variant)
        self.kept = []

    def action(self):
        self.kept.append(b"x" * 2**20)
        return super().action()
