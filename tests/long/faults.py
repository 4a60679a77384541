"""Trouble from outside, over and over: `python -m tests.long.faults kills`, `descriptors` or `matches`.

kills        the referee is killed at 100 random moments: no process is left, and its records can be read
descriptors  it is given ever fewer file descriptors: it plays, or says in a sentence why it cannot
matches      100 matches are open in one process at once: each ends by the rules, and nothing is left
"""

import argparse
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from random import Random

from referee import rules
from referee.commands import replay
from referee.isolation import launchers
from referee.isolation.allowance import Allowance
from referee.match.loop import Match
from referee.match.planned import PlannedGame
from referee.players.names import resolve
from tests.long.fuzz.commands import NOTES
from tests.long.kill_and_resume import ROOT, started_in

ENDING = 300.0  # seconds for what a killed referee had started to be gone
GAME = "kalaha:4x3"
PLAY = ["play", GAME, "random", "greedy", "--games", "3", "--seed", "5", "--json"]
MATCH = Allowance(action=10.0, megabytes=100)
# Python itself does not start with fewer than a dozen.
FEW_DESCRIPTORS = """
import resource, sys
from referee.__main__ import main
resource.setrlimit(resource.RLIMIT_NOFILE, (int(sys.argv[1]),) * 2)
sys.exit(main(sys.argv[2:]))
"""


def referee(words, folder, run=("-m", "referee"), wrap=(), **more):
    """The command line as a process; all below it know its temporary folder by their environment."""
    return subprocess.Popen(
        [*wrap, sys.executable, *run, *map(str, words)],
        env={**os.environ, "TMPDIR": str(folder), "PYTHONPATH": str(ROOT)},
        **{"cwd": ROOT, "stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, **more},
        stderr=subprocess.PIPE,
        text=True,
    )


def said(words, folder, **more):
    """The exit code of a command line, what it printed, and its complaints line by line."""
    process = referee(words, folder, **more)
    out, err = process.communicate(timeout=600)
    return process.returncode, out, err.splitlines()


def nothing_is_left(folder, where):
    """AssertionError if a process that was started in that folder does not end."""
    until = time.monotonic() + ENDING
    while left := started_in(folder):
        assert time.monotonic() < until, f"{where}: processes {left} are left"
        time.sleep(0.05)


def check_kills(kills, seed, say=lambda text: None):
    """Kill the referee so often, each time at another moment of its games."""
    random = Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder).resolve()
        begun = time.monotonic()
        assert said([*PLAY, "--record", folder / "whole"], folder)[0] == 0
        usual = time.monotonic() - begun
        for kill in range(1, kills + 1):
            moment, records = random.uniform(0, usual), folder / str(kill)
            process = referee([*PLAY, "--record", records], folder)
            try:
                process.communicate(timeout=moment)
            except subprocess.TimeoutExpired:
                os.kill(process.pid, signal.SIGKILL)
                process.communicate()
            where = f"seed {seed}, kill {kill} after {moment:.3f} s"
            nothing_is_left(folder, where)
            written = [path for path in records.glob("*.txt") if path.stat().st_size]
            judged = [replay.judge(replay.read(path)) for path in written]
            unfinished = [one for one in judged if "unfinished" in one]
            assert len(unfinished) <= 1, where
            assert all(one in unfinished or ": same, " in one for one in judged), where
            say(f"{where}: {len(judged)} records can be read, {len(unfinished)} of them unfinished")


def check_descriptors(limits, say=lambda text: None):
    """Play with so few file descriptors: to the end, or up to a sentence."""
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder).resolve()
        for limit in limits:
            for words in (PLAY, ["tournament", GAME, "random", "greedy", "--pairs", "1"]):
                code, _, complaints = said(words, folder, run=["-c", FEW_DESCRIPTORS, str(limit)])
                where = f"{words[0]} with {limit} descriptors: exit code {code}, {complaints}"
                complaints = [line for line in complaints if not line.startswith(NOTES)]
                if code == 0:
                    assert not complaints, where
                else:
                    assert code == 3 and is_sentence(complaints), where
                nothing_is_left(folder, where)
                say(where)


def is_sentence(complaints):
    return len(complaints) == 1 and complaints[0].startswith("referee: ") and "defect" not in complaints[0]


def check_matches(count):
    """Open so many matches at once, then play each to its end; the file descriptors that are left open."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, max(soft, 20 * count + 200)), hard))
    launchers.end_idle()
    before = len(os.listdir("/proc/self/fd"))
    two = resolve("random"), resolve("greedy")
    with ExitStack() as stack:
        matches: list[Match] = []
        for number in range(1, count + 1):
            planned = PlannedGame(GAME, two, (MATCH, MATCH), number, number, 0, seed=5)
            matches.append(Match(rules.start(GAME), planned.seats(), ("random", "greedy")))
            for seat in matches[-1].seats:
                stack.callback(seat.close)
                seat.spawn()
        results = [match.play() for match in matches]
    assert [result.ending for result in results] == ["finished"] * count, results
    launchers.end_idle()
    return len(os.listdir("/proc/self/fd")) - before


def main():
    """Say what happens; an AssertionError says what should not have."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.long.faults", description=__doc__.partition(":")[0]
    )
    parser.add_argument("what", choices=("kills", "descriptors", "matches"))
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if options.what == "kills":
        check_kills(options.count, options.seed, print)
    elif options.what == "descriptors":
        check_descriptors(range(5, 40), print)  # with 4 it cannot even look up its own games
    else:
        left = check_matches(options.count)
        print(f"{options.count} matches were open at once; {left} descriptors more are open now")
        assert not left
    print("all as promised")


if __name__ == "__main__":
    main()
