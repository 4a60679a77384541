"""Trouble from outside: kills, full disks, missing folders, odd clocks, few descriptors, stops."""

import ast
import os
import random
import resource
import signal
import time
from pathlib import Path

import pytest

from referee.commands import replay
from tests.long.faults import (
    GAME,
    PLAY,
    check_descriptors,
    check_kills,
    check_matches,
    is_sentence,
    nothing_is_left,
    referee,
    said,
)
from tests.long.fuzz.commands import NOTES
from tests.long.kill_and_resume import ROOT, pairs_in
from tests.support.arena import Allowance, nothing_is_left_behind, play  # noqa: F401
from tests.support.samples import few

TOURNAMENT = ["tournament", GAME, "random", "greedy", "--pairs", "4", "--seed", "3", "--jobs", "1"]
UNSHARE = ["unshare", "--mount"]
AGENTS = [path.name for path in ROOT.glob("*_agent")]


def complaint(lines):
    """The one sentence about what is wrong."""
    lines = [line for line in lines if not line.startswith(NOTES)]
    assert is_sentence(lines), lines
    return lines[0]


@pytest.fixture
def folder(tmp_path):
    """Where everything happens; afterwards nothing runs that was started there."""
    yield tmp_path.resolve()
    nothing_is_left(tmp_path.resolve(), "after the test")


# Killed


def test_a_referee_killed_at_random_moments_leaves_no_process_and_records_that_can_be_read():
    check_kills(5, seed=int(os.environ.get("KILL_SEED", "1")))


# The disk


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    """The pairs of the tournament as it goes without trouble."""
    journal = tmp_path_factory.mktemp("undisturbed") / "games.jsonl"
    assert said([*TOURNAMENT, "--journal", journal], journal.parent)[0] == 0
    return pairs_in(journal)


def at_most(size):
    """No file may grow beyond that many bytes: then writing fails as on a full disk."""
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


@pytest.mark.parametrize("size", few([0, 1_500], [0, 750, 1_500, 3_000]))
def test_a_tournament_whose_disk_is_full_says_so_and_goes_on_when_there_is_room(folder, undisturbed, size):
    journal = folder / "games.jsonl"
    code, _, lines = said([*TOURNAMENT, "--journal", journal], folder, preexec_fn=at_most(size))
    assert code == 3 and "File too large" in complaint(lines)
    kept = pairs_in(journal)
    assert kept.items() <= undisturbed.items() and len(kept) < len(undisturbed)
    assert said([*TOURNAMENT, "--journal", journal], folder)[0] == 0
    assert pairs_in(journal) == undisturbed


@pytest.mark.parametrize("size", [0, 100, 1000])
def test_a_game_whose_record_finds_no_room_ends_in_a_sentence(folder, size):
    words = ["play", "kalaha", "random", "greedy", "--record", folder / "records"]
    code, _, lines = said(words, folder, preexec_fn=at_most(size))
    assert code == 3 and "File too large" in complaint(lines)
    (path,) = (folder / "records").glob("*.txt")
    if size == 1000:
        assert "unfinished" in replay.judge(replay.read(path))


def test_a_log_on_a_full_device_ends_in_a_sentence(folder):
    code, _, lines = said(["play", "ropasci", "random", "greedy", "-l", "/dev/full"], folder)
    assert code == 3 and "No space left on device" in complaint(lines)


def test_results_that_cannot_be_printed_end_in_a_sentence(folder):
    with open("/dev/full", "w") as full:
        code, _, lines = said(["play", GAME, "random", "greedy", "--json"], folder, stdout=full)
    assert code == 3 and "No space left on device" in complaint(lines)


def mounted(options, target):
    """What runs the referee with a file system in memory at the target, which nobody else sees."""
    script = """
import os, subprocess, sys
subprocess.run(["mount", "-t", "tmpfs", "-o", sys.argv[1], "none", sys.argv[2]], check=True)
code = subprocess.run([sys.executable, "-m", "referee", *sys.argv[3:]]).returncode
subprocess.run(["cp", "-r", f"{sys.argv[2]}/.", f"{sys.argv[2]}-kept"], check=True)
sys.exit(code)
"""
    return ["-c", script, options, str(target)]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root mounts a small disk; a limit on files stands for it")
def test_a_small_disk_that_is_full_is_the_same(folder, undisturbed):
    disk = folder / "disk"
    disk.mkdir()
    words = [*TOURNAMENT, "--journal", disk / "games.jsonl"]
    code, _, lines = said(words, folder, run=mounted("size=4k", disk), wrap=UNSHARE)
    assert code == 3 and "No space left on device" in complaint(lines)
    kept = folder / "disk-kept" / "games.jsonl"
    assert pairs_in(kept).items() <= undisturbed.items()
    assert said([*TOURNAMENT, "--journal", kept], folder)[0] == 0
    assert pairs_in(kept) == undisturbed


@pytest.mark.parametrize("option", ["--record", "--journal", "--report", "-l"])
def test_what_cannot_be_written_in_a_read_only_folder_is_said_before_any_game(folder, option):
    command = TOURNAMENT if option in ("--journal", "--report") else PLAY
    locked = folder / "locked"
    locked.mkdir(mode=0o555)
    how = {"run": mounted("ro", locked), "wrap": UNSHARE} if os.geteuid() == 0 else {}
    for path in (locked / "file", locked / "new" / "file"):
        code, out, lines = said([*command, option, path], folder, **how)
        assert code == 2 and complaint(lines).startswith("referee: cannot write "), lines
        assert out == ""


# Folders


@pytest.mark.parametrize("words", [PLAY, TOURNAMENT, ["replay", "a.txt"], [*PLAY, "--record", "games"]])
def test_in_a_folder_that_was_removed_it_plays_or_says_so(folder, words):
    gone = folder / "gone"
    gone.mkdir()
    code, _, lines = said(words, folder, cwd=gone, preexec_fn=gone.rmdir)
    assert code in (0, 2)
    assert code == 0 or complaint(lines)


def test_a_player_whose_folder_is_removed_during_the_game_plays_on(folder):
    team = folder / "team"
    team.mkdir()
    (team / "__init__.py").write_text(LEGAL)
    process = referee(["play", GAME, f"{team}/", "random", "-d", "0.05"], folder)
    with process:
        while "* turn" not in (line := process.stdout.readline()) and line:
            pass
        for path in (team / "__init__.py", team):
            path.unlink() if path.is_file() else path.rmdir()
        out, err = process.communicate(timeout=300)
    assert process.returncode == 0, (out, err)


LEGAL = '''
class Player:
    """The first pond that is legal, by a board of its own."""

    def __init__(self, colour):
        self.colour, self.ponds, self.banks = colour, {"A": [3] * 4, "B": [3] * 4}, {"A": 0, "B": 0}

    def action(self):
        return next(pond for pond, pebbles in enumerate(self.ponds[self.colour], 1) if pebbles)

    def update(self, colour, pond):
        other = "AB"[colour == "A"]
        ring = [*self.ponds[colour], self.banks[colour], *self.ponds[other]]
        place, pebbles = pond - 1, ring[pond - 1]
        ring[place] = 0
        for _ in range(pebbles):
            place = (place + 1) % 9
            ring[place] += 1
        if place < 4 and ring[place] == 1 and ring[8 - place]:
            ring[4] += 1 + ring[8 - place]
            ring[place] = ring[8 - place] = 0
        self.ponds[colour], self.banks[colour], self.ponds[other] = ring[:4], ring[4], ring[5:]
'''


# Clocks


def test_a_wall_clock_that_jumps_changes_nothing(monkeypatch):
    chance = random.Random(5)
    for name in ("time", "time_ns"):
        monkeypatch.setattr(time, name, lambda: chance.choice((0, 1, 10**9, 4 * 10**9)))
    for wall in (False, True):
        result = play("legal", Allowance(action=600.0, wall=wall))
        assert result.ending == "finished", result.reason
        assert all(0 <= turn.cpu[player] < 600 for turn in result.history for player in (0, 1))


@pytest.mark.parametrize("folder_name", ["referee", "shared", *AGENTS])
def test_nothing_is_timed_by_a_clock_that_can_be_set(folder_name):
    for path in sorted((ROOT / folder_name).rglob("*.py")):
        if "train" in path.parts:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Attribute) and getattr(node.value, "id", "") == "time":
                assert node.attr not in ("time", "time_ns", "clock"), f"{path.name}, line {node.lineno}"


# Many and few


def test_many_matches_can_be_open_at_once_and_each_ends_by_the_rules():
    assert check_matches(few(6, 12)) == 0


def test_with_few_file_descriptors_it_plays_or_says_so():
    check_descriptors(few((5, 8, 16), (5, 8, 12, 16, 24)))


# Stopped


@pytest.mark.lengthy
def test_a_player_that_somebody_stops_gives_no_answer_and_nothing_else_is_harmed(folder):
    team = folder / "slow.py"
    team.write_text("class Player:\n    def __init__(self, colour):\n        while True: pass\n")
    process = referee(["play", GAME, "random", team, "--action-time", "2"], folder)
    with process:
        stopped = None
        until = time.monotonic() + 300
        while not stopped and time.monotonic() < until:
            stopped = next(burning(folder), None)
        os.kill(stopped, signal.SIGSTOP)
        out, err = process.communicate(timeout=300)
    assert process.returncode == 1
    assert "no answer in constructor: none within 11.0 s" in out, (out, err)


def burning(folder):
    """The player's process that has used a tenth of a second beyond its import."""
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
            mark = f"TMPDIR={folder}".encode() in (stat.parent / "environ").read_bytes().split(b"\0")
            loads = b"launcher.py" in Path("/proc", fields[1], "cmdline").read_bytes()  # its keeper
        except OSError:
            continue
        if mark and loads and fields[0] == "R" and int(fields[11]) > 25:
            yield int(stat.parent.name)


def test_a_tournament_that_is_stopped_for_a_while_goes_on_as_if_nothing_had_been(folder, undisturbed):
    journal = folder / "games.jsonl"
    process = referee([*TOURNAMENT[:-1], "2", "--journal", journal], folder)
    with process:
        for moment in (0.7, 0.9):
            time.sleep(moment)
            os.kill(
                process.pid, signal.SIGSTOP
            )  # first: then no child is waited for, and its number is its own
            children = children_of(process.pid)
            for number, pause in ((signal.SIGSTOP, 1.5), (signal.SIGCONT, 0)):
                for pid in (*children, process.pid):
                    os.kill(pid, number)
                time.sleep(pause)
        out, err = process.communicate(timeout=300)
    assert process.returncode == 0, (out, err)
    assert pairs_in(journal) == undisturbed


def children_of(pid):
    tasks = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(child) for task in tasks for child in task.read_text().split()]
