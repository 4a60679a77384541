"""Lets a thread write replies all the time, whatever is asked."""

import threading
import time

import channel
from legal import Legal


class Player(Legal):
    def __init__(self, colour, variant=""):
        super().__init__(colour, variant)
        threading.Thread(target=self.forge, daemon=True).start()

    def forge(self):
        while True:
            channel.reply(b'[3, "ok"]\n')
            time.sleep(0.001)
