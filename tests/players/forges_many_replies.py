"""Writes replies to the next hundred requests in advance."""

import json

import channel
from legal import Legal


class Player(Legal):
    def trouble(self, chosen):
        for number in range(100):
            channel.reply(json.dumps([number, "action", chosen]).encode() + b"\n")
