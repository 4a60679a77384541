"""Starts eight threads that do nothing, which takes much address space and little memory."""

import threading

from legal import Legal


class Player(Legal):
    def __init__(self, colour, variant=""):
        super().__init__(colour, variant)
        for _ in range(8):
            threading.Thread(target=threading.Event().wait, daemon=True).start()
