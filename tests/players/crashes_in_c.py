"""Reads address 0."""

import ctypes

from legal import Legal


class Player(Legal):
    def trouble(self, chosen):
        ctypes.string_at(0)
