"""Our agents on a slow machine: `python -m tests.long.slow_machine` plays them among busy processes.

With four processes a core that do nothing but compute, each of the five agents plays itself, charged
CPU time and then wall time: 20 games at a tenth of the course's limits and 2 at the whole.  None may
lose on time, or in any other way than by the rules.  `--cores 1` leaves the other cores alone.
"""

import argparse
import contextlib
import os
import subprocess
import sys
import time

from tests.support import our_games

BUSY = "import os\nparent = os.getppid()\nwhile os.getppid() == parent: sum(range(100_000))"


@contextlib.contextmanager
def slowed(cores, processes):
    """This process and its children on so many cores, each with so many busy processes; end them after."""
    usual = os.sched_getaffinity(0)
    os.sched_setaffinity(0, sorted(usual)[:cores])
    # Each in a session of its own, since Linux may share out a core by sessions.
    command = [sys.executable, "-S", "-c", BUSY]
    busy = [subprocess.Popen(command, start_new_session=True) for _ in range(cores * processes)]
    try:
        yield busy
    finally:
        for process in busy:
            process.kill()
            process.wait()
        os.sched_setaffinity(0, usual)


def check(game, clock, share, games, say):
    """Play so many games; those that did not end by the rules, and the largest part of a limit used."""
    lost, most, begun = [], 0.0, time.monotonic()
    for number in range(1, games + 1):
        played = our_games.play(our_games.planned(game, number, share, wall=clock == "wall"))
        most = max(most, *played["used"])
        if played["ending"] != "finished" or played["warnings"]:
            lost.append(played)
            say(f"  game {number}: {played['reason']} {' '.join(played['warnings'])}")
    seconds = time.monotonic() - begun
    say(
        f"{game}, {share:g} of the limits, {clock} time: {games} games in {seconds:.0f} s, {len(lost)} lost; "
        f"at most {100 * most:.1f} % of a limit was used"
    )
    return lost


def main():
    """Exit status 1 if a game was lost."""
    parser = argparse.ArgumentParser(description=__doc__.partition(":")[0])
    parser.add_argument("--cores", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--busy", type=int, default=4, help="processes a core (4)")
    parser.add_argument("--tenth", type=int, default=20, help="games at a tenth of the limits (20)")
    parser.add_argument("--whole", type=int, default=2, help="games at the whole (2)")
    parser.add_argument("--clocks", nargs="*", default=["CPU", "wall"], choices=["CPU", "wall"])
    parser.add_argument("--games", nargs="*", default=our_games.GAMES, choices=our_games.GAMES)
    options = parser.parse_args()
    lost = []
    with slowed(options.cores, options.busy):
        for share, games in ((0.1, options.tenth), (1.0, options.whole)):
            for clock in options.clocks:
                for game in options.games if games else ():
                    lost += check(game, clock, share, games, lambda text: print(text, flush=True))
    print(f"{len(lost)} games were lost")
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())
