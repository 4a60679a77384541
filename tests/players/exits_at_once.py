"""Ends its process with status 0, past all handlers."""

import os

from legal import Legal


class Player(Legal):
    def trouble(self, chosen):
        os._exit(0)
