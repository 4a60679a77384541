"""Writes four kilobytes of brackets to the referee."""

import channel
from legal import Legal


class Player(Legal):
    def trouble(self, chosen):
        channel.reply(b"[" * 4000 + b"\n")
