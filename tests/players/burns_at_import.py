"""Thinks hard at import, which is free."""

import time

from legal import Legal

while time.process_time() < 0.4:
    pass


class Player(Legal):
    pass
