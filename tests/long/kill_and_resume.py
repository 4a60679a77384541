"""Kills a tournament at random moments, takes it up again, and compares: `-m tests.long.kill_and_resume`.

`--kills 50` times the same tournament is killed with SIGKILL, wherever it is by then, and started again
on its journal until it ends; then another begins, until there were enough kills.  Each must end
with the pairs, the results and the totals of one that nobody disturbed, each pair once, and no kill may
leave a process behind.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random

from tests import ROOT

COMMAND = ["tournament", "kalaha:4x3", "random", "greedy", "--seed", "3", "--jobs", "3", "--json"]
OF_ONE_RUN = ("seconds", "busy", "resumed")  # in a summary
OF_ONE_MACHINE = tuple(
    """
    cpu wall megabytes course_megabytes action_cpu action_megabytes seconds cost
    """.split()
)
ENDING = 300.0  # seconds for what a killed tournament had started to be gone


def start(journal, pairs):
    """The tournament as a process; all below it know its temporary folder by their environment."""
    return subprocess.Popen(
        [sys.executable, "-m", "referee", *COMMAND, "--pairs", str(pairs), "--journal", str(journal)],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "TMPDIR": str(journal.parent)},
    )


def started_in(folder):
    """The processes whose temporary folder this is."""
    mark, found = f"TMPDIR={folder}".encode(), []
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdecimal() and mark in (entry / "environ").read_bytes().split(b"\0"):
                found.append(int(entry.name))
        except OSError:
            continue
    return found


def finish(process):
    """The summary of a tournament that ends by itself."""
    *_, last = process.communicate()[0].splitlines()
    assert process.returncode == 0, f"exit code {process.returncode}"
    return {key: value for key, value in json.loads(last).items() if key not in OF_ONE_RUN}


def pairs_in(journal):
    """A journal's pairs by id, without what differs from run to run; each must be there once and whole.

    A last line without an end is what a killed tournament may leave.
    """
    pairs = {}
    if journal.exists():
        whole = journal.read_bytes().rpartition(b"\n")[0]
        for line in whole.splitlines()[1:]:
            pair = strip(json.loads(line))
            assert pair["pair"] not in pairs, f"{pair['pair']} is there twice"
            pairs[pair["pair"]] = pair
    return pairs


def strip(value):
    """The value without figures that differ from run to run, at any depth."""
    if isinstance(value, dict):
        return {key: strip(one) for key, one in value.items() if key not in OF_ONE_MACHINE}
    return [strip(one) for one in value] if isinstance(value, list) else value


def check(kills, seed, pairs, say=lambda text: None):
    """Kill so often; AssertionError where anything is lost, doubled, changed or left behind."""
    random = Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder).resolve()
        begun = time.monotonic()
        expected = finish(start(folder / "undisturbed.jsonl", pairs))
        usual = time.monotonic() - begun
        undisturbed = pairs_in(folder / "undisturbed.jsonl")
        assert len(undisturbed) == expected["pairs"] == pairs
        killed = tournaments = 0
        while killed < kills:
            tournaments += 1
            journal = folder / f"{tournaments}.jsonl"
            while killed < kills:
                moment = random.uniform(0, usual)
                process = start(journal, pairs)
                try:
                    process.communicate(timeout=moment)
                    break
                except subprocess.TimeoutExpired:
                    process.kill()
                    process.communicate()
                killed += 1
                found = pairs_in(journal)
                say(f"kill {killed} after {moment:.2f} s: {len(found)} of {pairs} pairs are there")
                wrong = [one for one in found.values() if one != undisturbed[one["pair"]]]
                assert not wrong, (seed, killed, wrong)
                until = time.monotonic() + ENDING
                while left := started_in(folder):
                    assert time.monotonic() < until, f"seed {seed}, kill {killed}: processes {left} are left"
                    time.sleep(0.05)
            summary = finish(start(journal, pairs))
            assert summary == expected, (seed, killed, summary, expected)
            assert pairs_in(journal) == undisturbed, (seed, killed)
    return killed, tournaments


def main():
    """Say what happens."""
    parser = argparse.ArgumentParser(description=__doc__.partition(":")[0])
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--pairs", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    kills, tournaments = check(options.kills, options.seed, options.pairs, print)
    print(f"{tournaments} tournaments were killed {kills} times: nothing was lost, doubled or left behind")


if __name__ == "__main__":
    main()
