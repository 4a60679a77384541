"""Starts a thread that thinks on while the opponent is to act, and prints what that brought."""

import threading
import time

from legal import Legal


class Player(Legal):
    def __init__(self, colour, variant=""):
        super().__init__(colour, variant)
        self.stolen = 0.0
        self.since = None
        threading.Thread(target=self.think, daemon=True).start()

    def think(self):
        while True:
            sum(range(1000))

    def action(self):
        chosen = super().action()
        self.since = time.process_time()
        return chosen

    def update(self, colour, action):
        if self.since is not None:
            self.stolen += time.process_time() - self.since
            print("stolen", self.stolen)
        super().update(colour, action)
        self.since = time.process_time()
