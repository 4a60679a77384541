"""Prints a quarter of a gigabyte."""

import os

from legal import Legal


class Player(Legal):
    def trouble(self, chosen):
        for _ in range(256):
            os.write(1, b"a megabyte of this" * 58254 + b"....")
