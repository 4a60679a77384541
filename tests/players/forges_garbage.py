"""Writes bytes to the referee that are no reply."""

import os

import channel
from legal import Legal


class Player(Legal):
    def trouble(self, chosen):
        channel.reply(os.urandom(100) + b"\n")
