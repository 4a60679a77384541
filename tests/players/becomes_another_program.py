"""Replaces its program by another one."""

import os
import sys

from legal import Legal


class Player(Legal):
    def trouble(self, chosen):
        os.execv(sys.executable, [sys.executable, "-c", "import time; time.sleep(600)"])
