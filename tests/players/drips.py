"""Sends a byte of a reply every hundredth of a second and never comes to its end."""

import time

import channel
from legal import Legal


class Player(Legal):
    def trouble(self, chosen):
        while True:
            channel.reply(b" ")
            time.sleep(0.01)
