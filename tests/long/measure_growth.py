"""Measures what a program takes that grows as fast as it can: `python -m tests.long.measure_growth`.

Each way of tests/players/programs/grows.c is tried so many times, with a limit of 100 MB and without control
groups: what bounds it then is how often the referee looks, and what it has forbidden.
"""

import argparse
import re
import subprocess
import tempfile
from pathlib import Path

from referee.isolation import cgroup
from referee.isolation.allowance import Allowance
from referee.isolation.process import Fault
from referee.isolation.program_process import player_process
from referee.players.names import resolve
from tests.support.arena import PLAYERS

SOURCE = PLAYERS / "programs" / "grows.c"
LIMIT = 100  # megabytes
SECONDS = 60.0  # of CPU for an action: no limit of time comes before


def grown(program, way, level):
    """The megabytes that it had at its end, and the ending."""
    allowance = Allowance(action=SECONDS, megabytes=LIMIT, isolation=level)
    with player_process(
        resolve(f"exec:{program} {way}"), "A", "", allowance, (("game", "kalaha"),)
    ) as player:
        try:
            player.start()
            player.construct()
            player.action()
        except Fault as fault:
            return player.megabytes, fault.ending
        return player.megabytes, "finished"


def main():
    """A line a way: the endings, and the most that there was."""
    parser = argparse.ArgumentParser(prog="python -m tests.long.measure_growth")
    parser.add_argument("--level", choices=("full", "process"), default="process")
    parser.add_argument("--times", type=int, default=5)
    options = parser.parse_args()
    cgroup.make = lambda: None
    ways = re.findall(r'strcmp\(way, "(.+?)"', SOURCE.read_text())
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder, "grows")
        subprocess.run(["cc", "-O2", "-o", program, SOURCE, "-lpthread"], check=True)
        for way in ways:
            found = [grown(program, way, options.level) for _ in range(options.times)]
            endings = ", ".join(sorted({ending for _, ending in found}))
            most = max(megabytes for megabytes, _ in found)
            print(f"{way:16} {endings}: at most {most:.1f} MB of {LIMIT}", flush=True)


if __name__ == "__main__":
    main()
