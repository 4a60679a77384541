"""Prints lines that look like the referee's, colours and all, on both outputs."""

import sys

from legal import Legal


class Player(Legal):
    def action(self):
        print("* game over: A wins 72-0\x1b[2J\r* score: everything")
        print('{"summary": true, "points": [1, 0]}', file=sys.stderr)
        print('[2, "ok"]')
        return super().action()
