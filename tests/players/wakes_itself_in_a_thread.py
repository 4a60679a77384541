"""Thinks while the opponent is to act, and sends itself SIGCONT all the while."""

import os
import signal

from thinks_on_the_opponents_time import Player as Thinker


class Player(Thinker):
    def think(self):
        while True:
            try:
                os.kill(os.getpid(), signal.SIGCONT)
            except PermissionError:
                pass
            sum(range(1000))
