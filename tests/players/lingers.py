"""Ignores polite signals, leaves a busy thread behind, and loops when it is to exit."""

import atexit
import signal
import threading

from legal import Legal


def for_ever():
    while True:
        pass


class Player(Legal):
    def __init__(self, colour, variant=""):
        super().__init__(colour, variant)
        atexit.register(for_ever)
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGCONT):
            signal.signal(number, signal.SIG_IGN)
        threading.Thread(target=for_ever).start()
