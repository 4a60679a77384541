"""Replaces what the code uses that calls it."""

import json
import os
import builtins

from legal import Legal


class Player(Legal):
    def trouble(self, chosen):
        json.dumps = os.write = builtins.map = builtins.getattr = None
