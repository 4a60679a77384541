"""Ends its first thread, after which /proc has no sizes of the process, and lets another speak on and take 150 MB."""

import ctypes
import os
import threading
import time

import channel
from legal import Legal

EXIT = 93 if os.uname().machine == "aarch64" else 60


class Player(Legal):
    def trouble(self, chosen):
        self.channel = channel.descriptors()[-1]  # which nobody finds once the first thread has ended
        threading.Thread(target=self.go_on, args=(chosen,)).start()
        ctypes.CDLL(None).syscall(EXIT, 0)

    def go_on(self, chosen):
        memory = bytearray(os.urandom(1)) * 150_000_000
        while memory:
            pass


class Modest(Player):
    """Only answers, and sleeps."""

    def go_on(self, chosen):
        os.write(self.channel, b'[%d, "action", %d]\n' % (self.asked + self.told + 2, chosen))
        time.sleep(60)
