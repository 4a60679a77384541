"""Keeps bytes in pipes that it has made as large as it may."""

import fcntl
import os

from legal import Legal

F_SETPIPE_SZ = 1031
LARGE = 1_048_576


class Player(Legal):
    def trouble(self, chosen):
        while True:
            _, end = os.pipe()
            fcntl.fcntl(end, F_SETPIPE_SZ, LARGE)
            os.set_blocking(end, False)
            os.write(end, bytes(LARGE))
