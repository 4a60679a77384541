"""Recurses until the stack of its C code is used up."""

import sys

from legal import Legal


class Player(Legal):
    def trouble(self, chosen):
        sys.setrecursionlimit(10**9)
        nested = ()
        for _ in range(3 * 10**5):
            nested = (nested,)
        return hash(nested)
