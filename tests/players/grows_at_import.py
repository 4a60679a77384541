"""Takes 150 MB when it is imported."""

from legal import Legal

KEPT = b"x" * 150 * 2**20


class Player(Legal):
    pass
