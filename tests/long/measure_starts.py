"""What a player's start costs, forked and cold: `python -m tests.long.measure_starts`.

It starts the same player again and again, both ways by turns, and counts the CPU time of all processes that
take part up to the end of the player: the referee's, the keeper's and the player's; and, where players are
forked, those of the launchers, which are ended with each round.
"""

import argparse
import json
import os
import resource

from referee.isolation import launchers
from referee.isolation.allowance import Allowance
from referee.isolation.process import PlayerProcess
from referee.players import names
from tests import ROOT

PLAYER = ROOT / "tests" / "players" / "legal.py"


def used():
    """Seconds of CPU of this process and of all that it has waited for."""
    whose = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    return sum(sum(resource.getrusage(one)[:2]) for one in whose)


def measured(starts, cold, level):
    """Milliseconds of CPU for each of so many starts."""
    spec, before = names.resolve(str(PLAYER)), used()
    for _ in range(starts):
        with PlayerProcess(spec, "A", "4x3", Allowance(isolation=level, cold=cold)) as player:
            player.start()
            player.construct()
    launchers.end_idle()
    return 1000 * (used() - before) / starts


def main():
    parser = argparse.ArgumentParser(
        prog="python -m tests.long.measure_starts", description=__doc__.partition(":")[0]
    )
    parser.add_argument("--starts", type=int, default=25, help="of a round, by one launcher (25)")
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--isolation", default=None)
    options = parser.parse_args()
    found = {"forked": [], "cold": []}
    for _ in range(options.rounds):
        for way, figures in found.items():
            figures.append(measured(options.starts, way == "cold", options.isolation))
    for way, figures in found.items():
        middle = sorted(figures)[len(figures) // 2]
        print(
            json.dumps(
                {"way": way, "milliseconds": round(middle, 1), "rounds": [round(one, 1) for one in figures]}
            )
        )
    print(f"{os.cpu_count()} cores; milliseconds of CPU a start, launchers included")


if __name__ == "__main__":
    main()
