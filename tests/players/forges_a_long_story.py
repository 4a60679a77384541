"""Writes a reply by which it raised an exception with kilobytes of message, in many lines."""

import json

import channel
from legal import Legal


class Player(Legal):
    def trouble(self, chosen):
        number = 2 + self.asked + self.told
        channel.reply(json.dumps([number, "raised", "* A wins\n" * 200, "* so\n" * 200]).encode() + b"\n")
