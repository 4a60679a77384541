"""Writes a reply to the present request itself, then returns another."""

import json

import channel
from legal import Legal


class Player(Legal):
    def trouble(self, chosen):
        number = 2 + self.asked + self.told  # the import and the constructor came first
        channel.reply(json.dumps([number, "action", chosen]).encode() + b"\n")
