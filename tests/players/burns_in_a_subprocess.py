"""Thinks in a subprocess, two tenths of a second in every turn."""

import subprocess
import sys

from legal import Legal

BURN = "import time\nwhile time.process_time() < 0.2: pass"


class Player(Legal):
    def action(self):
        subprocess.run([sys.executable, "-I", "-S", "-c", BURN])
        return super().action()
