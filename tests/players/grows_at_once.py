"""Takes two gigabytes at once."""

from legal import Legal


class Player(Legal):
    def trouble(self, chosen):
        self.kept = b"x" * 2**31
