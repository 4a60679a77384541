"""Thinks while the opponent is to act; a child in a session of its own sends SIGCONT to it and to itself."""

import os
import signal

from thinks_on_the_opponents_time import Player as Thinker


class Player(Thinker):
    def __init__(self, colour, variant=""):
        player = os.getpid()
        if os.fork() == 0:
            os.setsid()
            while os.getppid() == player:
                os.kill(player, signal.SIGCONT)
        super().__init__(colour, variant)
