"""Writes to the referee for ever, without ever ending a line."""

import channel
from legal import Legal


class Player(Legal):
    def trouble(self, chosen):
        while True:
            channel.reply(b"[" * 1000)
