"""Leaves children behind: one plain, one in a session of its own, one a grandchild that ignores signals."""

import os
import signal
import time

from legal import Legal


def child(*preparations):
    if os.fork() == 0:
        for prepare in preparations:
            prepare()
        time.sleep(1000)
        os._exit(0)


def orphaned():
    if os.fork():
        os._exit(0)


def deaf():
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)


class Player(Legal):
    def __init__(self, colour, variant=""):
        super().__init__(colour, variant)
        child()
        child(os.setsid)
        child(os.setsid, orphaned, deaf)
