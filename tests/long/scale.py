"""What a pair of games costs beyond the players' own time: `python -m tests.long.scale --journal FILE`.

Plays `--pairs 2000` of `random` against `random` in Kalaha as anybody would, and adds up the CPU time of
every process that took part, as the kernel tells it to whoever waits for them.  Started again on
the same journal it goes on; the costs are those of the pairs that it played itself.

`python -m tests.long.scale --here FILE --pairs 20000` plays them within this process, which takes minutes,
not hours.  It is killed (SIGKILL) half way and taken up again; printed is what the tournament's own process
holds in memory, how long it takes to go on, and how large the report is and how soon written.

`python -m tests.long.scale --coordinator FILE` takes the pairs of such a journal through the tournament's own
process alone, as if they came from elsewhere: how many a second one such process could handle, and what it
holds in memory.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from concurrent.futures import Executor, Future
from pathlib import Path

from referee import rules
from referee.__main__ import main as referee
from referee.commands import tournament as tournament_command
from referee.isolation.allowance import Allowance
from referee.isolation.process import PlayerProcess
from referee.match.local import LocalSeat
from referee.match.loop import Match
from referee.match.openings import Openings
from referee.players.baseline import Random
from referee.players.names import resolve
from referee.tournament.dispatcher import Dispatcher
from referee.tournament.jobs import Local
from referee.tournament.journal import Journal
from referee.tournament.plan import Plan, entrant_of, from_plain
from referee.tournament.played import PlayedGame
from referee.tournament.results import Results
from referee.tournament.schedule import RoundRobin
from referee.view.report_games import PAGES
from tests import ROOT

STARTS = 5  # of a player, to know what its import costs, which is not charged
IN_JOURNAL = ("games", "seconds", "cost")  # of what a match process answers


def cpu():
    """Seconds of CPU of all processes that this one, and those below it, have waited for."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def importing():
    """Seconds of CPU to import the player, which are its own though they are not charged."""
    used = []
    for _ in range(STARTS):
        with PlayerProcess(resolve("random"), "A", "", Allowance()) as player:
            player.start()
            used.append(player.import_cpu)
    return sorted(used)[STARTS // 2]


def tournament(options):
    """The summary of a tournament, the CPU seconds of all its processes, and its journal's pairs."""
    words = ["tournament", "kalaha", "random", "random", "--pairs", str(options.pairs), "--json"]
    words += ["--jobs", str(options.jobs), "--journal", str(options.journal)]
    before = cpu()
    with subprocess.Popen(
        [sys.executable, "-m", "referee", *words], cwd=ROOT, stdout=subprocess.PIPE, text=True
    ) as process:
        *_, last = process.stdout
    if process.returncode:
        sys.exit(f"the tournament ended with exit code {process.returncode}")
    return json.loads(last), cpu() - before, pairs_of(options.journal)


def pairs_of(path):
    """The pairs in a journal."""
    with path.open() as journal:
        return [json.loads(line) for line in journal][1:]


def play(options):
    """Play, and print what it took."""
    summary, used, pairs = tournament(options)
    mine = pairs[summary["resumed"] :]
    if not mine:
        sys.exit("the journal has all the pairs already; name another, or ask for more --pairs")
    imports = 4 * importing()
    players = sum(seconds for pair in mine for game in pair["games"] for seconds in game["cpu"]) / len(mine)
    match = sum(pair["cost"] for pair in mine) / len(mine)
    each = used / len(mine)
    wall = summary["seconds"]
    print(f"{summary['pairs']} pairs, {summary['games']} games, {summary['resumed']} pairs from the journal")
    print(f"{wall:.0f} s, {wall / len(mine):.2f} s a pair, with {options.jobs} jobs")
    print(f"this machine's cores were busy {summary['busy']:.0%} of the time")
    print(f"CPU a pair, of all processes: {each:.3f} s, of which")
    print(f"  the players' own time: {players:.3f} s in calls, {imports:.3f} s in four imports")
    print(f"  all else: {each - players - imports:.3f} s, of which the match process {match:.3f} s")
    size = options.journal.stat().st_size
    print(f"journal: {size / 1e6:.1f} MB, {size / len(pairs) / 1000:.1f} KB a pair")


class Here(Executor):
    """Plays pairs of `random` in this process: what a match process would do, without its processes."""

    def submit(self, function, /, work):
        """The pair's games."""
        games = []
        for planned in from_plain(work).games():
            names = [spec.name for spec in planned.seated(planned.players)]
            seats = [self.seat(planned, seat) for seat in (0, 1)]
            result = Match(rules.start(planned.game), seats, names, planned.opening, ()).play()
            games.append(PlayedGame.of(planned, result).plain())
        future = Future()
        future.set_result({"games": games, "seconds": 0.0, "cost": 0.0})
        return future

    def seat(self, planned, seat):
        colour = rules.start(planned.game).COLOURS[seat]
        return LocalSeat(Random, colour, {}, dict(planned.extra(seat)), planned.allowance(seat))


def here(path, pairs):
    """Play so many pairs here, with a kill half way; print what the tournament's process takes."""
    words = ["tournament", "kalaha", "random", "random", "--pairs", str(pairs), "--journal", str(path)]
    command = [sys.executable, "-m", "tests.long.scale", "--tournament", *words]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL) as process:
        while process.poll() is None and (not path.exists() or lines(path) <= pairs // 2):
            time.sleep(0.2)
        process.kill()
    there = lines(path) - 1
    print(f"killed with {there} pairs in the journal")
    begun = time.monotonic()
    said, used = measured(command)
    rate = (pairs - there) / (time.monotonic() - begun)
    print(f"the other {pairs - there}: {said}, {rate:.0f} pairs a second")
    said, used = measured([sys.executable, "-m", "referee", *words])
    one = [*words[:4], "--pairs", "1", "--journal", str(path.with_suffix(".one"))]
    measured([sys.executable, "-m", "referee", *one])
    none, base = measured([sys.executable, "-m", "referee", *one])
    print(f"taken up with all {pairs}: {said}; with one: {none}")
    print(f"  so {10_000 * (used - base) / pairs:.2f} s of CPU for each 10 000 pairs")
    report = path.with_suffix(".html")
    said, _ = measured([sys.executable, "-m", "referee", "standings", str(path), "--report", str(report)])
    print(f"its report: {report.stat().st_size / 1e6:.1f} MB and {PAGES} games' pages, {said}")
    if there < pairs // 2 or lines(path) != pairs + 1:
        sys.exit("not all pairs are in the journal")


def lines(path):
    """How many there are in a file."""
    with path.open("rb") as file:
        return sum(1 for line in file)


def measured(command):
    """What a process took, in words, and its seconds of CPU."""
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL) as process:
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"{command} ended with exit code {process.returncode}")
    used_cpu = used.ru_utime + used.ru_stime
    return f"{used_cpu:.1f} s of CPU, {used.ru_maxrss / 1000:.0f} MB", used_cpu


class Canned(Executor):
    """Answers with the pairs of a journal, over and over."""

    def __init__(self, pairs):
        self.pairs = pairs
        self.asked = 0

    def submit(self, function, /, *arguments):
        """The next pair's games; nothing is called."""
        pair = self.pairs[self.asked % len(self.pairs)]
        self.asked += 1
        future = Future()
        future.set_result({key: pair[key] for key in IN_JOURNAL})
        return future


def coordinator(path, pairs):
    """Print what the tournament's own process takes for so many pairs that come from elsewhere."""
    canned = Canned(pairs_of(path))
    specs = [resolve("random"), resolve("random")]
    entrants = tuple(entrant_of(spec, Allowance(action=1.0)) for spec in specs)
    with tempfile.TemporaryDirectory() as folder:
        journal_path = Path(folder) / "journal"
        for what in ("playing", "reading the journal again"):
            results = Results(["random", "random"])
            plan = Plan("kalaha", 0, entrants, Openings("kalaha", 4, 0))
            before, wall = time.process_time(), time.monotonic()
            with Journal(journal_path, {"players": []}, results.add) as journal:
                schedule = RoundRobin(2, pairs, results)
                for _ in Dispatcher(plan, journal, Local(1, canned), None, None).play(schedule):
                    pass
            used, wall = time.process_time() - before, time.monotonic() - wall
            print(f"{what}: {1000 * used / pairs:.2f} ms of CPU a pair, {1000 * wall / pairs:.2f} ms in all")
        print(f"journal: {journal_path.stat().st_size / pairs / 1000:.1f} KB a pair")
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
    print(f"memory of this process at most: {grown:.0f} MB with {pairs} pairs")


def main():
    """Play, or the coordinator alone."""
    parser = argparse.ArgumentParser(description=__doc__.partition(":")[0])
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--journal", type=Path, metavar="FILE", help="play, and write it")
    what.add_argument("--here", type=Path, metavar="FILE", help="play within this process, and write it")
    what.add_argument("--tournament", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)
    what.add_argument("--coordinator", type=Path, metavar="FILE", help="play nothing, take the pairs from it")
    parser.add_argument("--pairs", type=int, default=2000)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    if options.tournament:
        tournament_command.Local = lambda jobs, watch=None: Local(1, Here())
        sys.exit(referee(options.tournament))
    if options.here:
        here(options.here, options.pairs)
    elif options.coordinator:
        coordinator(options.coordinator, options.pairs)
    else:
        play(options)


if __name__ == "__main__":
    main()
