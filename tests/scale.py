"""What a pair of games costs beyond the players' own time: `python -m tests.scale --journal FILE`.

Plays `--pairs 2000` of `random` against `random` in Kalaha as anybody would, and adds up the CPU time of
every process that took part, as the kernel tells it to whoever waits for them.  Started again on
the same journal it goes on; the costs are those of the pairs that it played itself.
"""

import argparse
import json
import resource
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
STARTS = 20  # of an interpreter, to know what one costs
INTERPRETER = "import ast, importlib, inspect, json, traceback, numpy"  # what a player's process begins with


def cpu():
    """Seconds of CPU of all processes that this one, and those below it, have waited for."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def interpreter():
    """Seconds of CPU to start Python with numpy, as every player is."""
    before = cpu()
    for _ in range(STARTS):
        subprocess.run([sys.executable, "-I", "-X", "utf8", "-c", INTERPRETER], check=True)
    return (cpu() - before) / STARTS


def tournament(options):
    """The summary of a tournament, the CPU seconds of all its processes, and its journal's lines."""
    words = ["tournament", "kalaha", "random", "random", "--pairs", str(options.pairs), "--json"]
    words += ["--jobs", str(options.jobs), "--journal", str(options.journal)]
    before = cpu()
    with subprocess.Popen(
        [sys.executable, "-m", "referee", *words], cwd=ROOT, stdout=subprocess.PIPE, text=True
    ) as process:
        *_, last = process.stdout
    if process.returncode:
        sys.exit(f"the tournament ended with exit code {process.returncode}")
    with options.journal.open() as journal:
        lines = [json.loads(line) for line in journal]
    return json.loads(last), cpu() - before, lines[1:]


def main():
    """Play and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition(":")[0])
    parser.add_argument("--journal", type=Path, required=True, metavar="FILE")
    parser.add_argument("--pairs", type=int, default=2000)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    begun = time.monotonic()
    summary, used, lines = tournament(options)
    wall = time.monotonic() - begun
    start = interpreter()
    pairs = len(lines) - summary["resumed"]
    if not pairs:
        sys.exit("the journal has all the pairs already; name another, or ask for more --pairs")
    mine = lines[summary["resumed"] :]
    players = sum(seconds for line in mine for game in line["games"] for seconds in game["cpu"]) / pairs
    match = sum(line["cost"] for line in mine) / pairs
    a_pair = used / pairs
    print(f"{summary['pairs']} pairs, {summary['games']} games, {summary['resumed']} pairs from the journal")
    print(f"{wall:.0f} s, {wall / pairs:.2f} s a pair, with {options.jobs} jobs")
    print(f"CPU a pair, of all processes: {a_pair:.3f} s, of which")
    print(f"  the players' own time: {players:.3f} s")
    print(f"  four interpreters with numpy, {start:.3f} s each: {4 * start:.3f} s")
    print(f"  all else: {a_pair - players - 4 * start:.3f} s, of which the match process {match:.3f} s")
    size = options.journal.stat().st_size
    print(f"journal: {size / 1e6:.1f} MB, {size / len(lines) / 1000:.1f} KB a pair")


if __name__ == "__main__":
    main()
