"""Sleeps before every action, from a tenth of a second to a whole one: free on a CPU clock, not on a wall clock."""

import time

from legal import Legal


class Player(Legal):
    SECONDS = 0.2

    def action(self):
        time.sleep(self.SECONDS)
        return super().action()


class Short(Player):
    SECONDS = 0.1  # for opponents that burn meanwhile


class Long(Player):
    SECONDS = 1.0  # so that the time between two naps, also on a busy machine, is little beside them
