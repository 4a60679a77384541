"""Keeps bytes in pseudo-terminals, which are read by nobody."""

import os
import tty

from legal import Legal


class Player(Legal):
    def trouble(self, chosen):
        while True:
            near, far = os.openpty()
            tty.setraw(far)
            os.set_blocking(near, False)
            os.write(near, bytes(4096))
