"""Tournaments on a Dask cluster: workers that are lost, files that travel, a cluster that is not there."""

import json
import os
import re
import shlex
import signal
import socket
import subprocess
import sys
import zipfile
from concurrent.futures import Future
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from threading import Lock
from types import SimpleNamespace

import pytest

from referee import RefereeTrouble
from referee.__main__ import main
from referee.players import files
from referee.players.names import resolve
from referee.tournament import cluster
from tests.long.kill_and_resume import pairs_in, started_in
from tests.referee.players.test_zips import READS
from tests.referee.tournament.test_tournament import GAME, ROOT, a_pair, wait_for, work

FOLLOWER = """
class Player:
    def __init__(self, colour):
        print("from", __file__)
    def action(self):
        return 0
    def update(self, *news):
        pass
"""


def tournament(address, journal, pairs, *players):
    return [
        sys.executable,
        "-m",
        "referee",
        "tournament",
        GAME,
        *map(str, players),
        "--pairs",
        str(pairs),
        "--workers",
        address,
        "--journal",
        str(journal),
        "--json",
    ]


# Begins as many games as there are permits, then waits in the constructor until it may go on.
BY_PERMIT = """

import os
import time


class Player(Legal):
    def __init__(self, colour, variant=""):
        super().__init__(colour, variant)
        while not os.path.exists({go!r}):
            try:
                os.remove(os.path.join({permits!r}, os.listdir({permits!r})[0]))
                break
            except (FileNotFoundError, IndexError):
                time.sleep(0.02)
"""


def local_cluster(**how):
    from distributed import LocalCluster  # which takes long, and one test process of several needs it

    return LocalCluster(dashboard_address=":0", **how)


def test_a_worker_killed_half_way_is_nobodys_forfeit_and_all_pairs_are_played(tmp_path):
    journal, go, permits = tmp_path / "journal", tmp_path / "go", tmp_path / "permits"
    permits.mkdir()
    for number in range(6):  # three pairs' games, of which two workers finish two pairs at least
        (permits / str(number)).touch()
    legal = tmp_path / "legal.py"
    by_permit = BY_PERMIT.format(go=str(go), permits=str(permits))
    legal.write_text((ROOT / "tests" / "players" / "legal.py").read_text() + by_permit)
    how = ["--isolation", "process", "--action-time", "60"]
    with local_cluster(n_workers=2, threads_per_worker=1, local_directory=str(tmp_path)) as two:
        process = subprocess.Popen(
            [*tournament(two.scheduler_address, journal, 5, legal, "greedy"), *how],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            text=True,
        )
        wait_for(lambda: len(pairs_in(journal)) >= 2 and not any(permits.iterdir()), seconds=300)
        os.kill(two.workers[0].pid, signal.SIGKILL)
        go.touch()
        out, _ = process.communicate(timeout=600)
    assert process.returncode == 0
    *pairs, summary = map(json.loads, out.splitlines())
    assert summary["pairs"] == len(pairs) == len(pairs_in(journal)) == 5
    assert summary["faults"] == [] and all(one["faults"] == 0 for one in summary["standings"])
    # The same pairs played here have the same results.
    again = tmp_path / "again"
    here = subprocess.run(
        [*tournament("", again, 5, legal, "greedy")[:-5], "--journal", str(again), "--json", *how],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        check=True,
        text=True,
    )
    assert pairs_in(again) == pairs_in(journal) and here.stdout


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def test_it_works_as_the_readme_shows(tmp_path):
    """A scheduler, two workers and a tournament, each typed by hand."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"^```\n(dask scheduler.*?)^```", readme, re.M | re.S)
    lines = [line.split("  ")[0] for line in block.replace("8786", str(free_port())).splitlines()]
    assert [line.split()[:2] for line in lines[:3]] == [["dask", "scheduler"], *[["dask", "worker"]] * 2]
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    with ExitStack() as stack:
        for number, line in enumerate(lines[:3]):
            log = stack.enter_context((tmp_path / f"{number}.log").open("w"))
            words = [sys.executable, "-m", *shlex.split(line)]
            process = subprocess.Popen(words, cwd=ROOT, stdout=log, stderr=log, env=environment)
            stack.callback(process.wait, 60)
            stack.callback(process.terminate)
        words = shlex.split(lines[3])
        assert words[:2] == ["referee", "tournament"]
        played = subprocess.run(
            [sys.executable, "-m", *words, "--json", "--boards", "--pairs", "2", "--nodes", "50"],
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=600,
        )
        assert played.returncode == 0, played.stderr
        first, *_, summary = map(json.loads, played.stdout.splitlines())
        assert summary["pairs"] == 2 and not summary["faults"]
        assert first["board"] and re.match("[AB]( [0-9]+){14}$", first["position"]), "a board from a worker"
    wait_for(lambda: not started_in(tmp_path))


def far(monkeypatch, tmp_path, pair, bundles=None, referee=None, **how):
    """What a worker would do."""
    monkeypatch.setattr(cluster, "_folder", lambda: tmp_path / "far")
    monkeypatch.setattr(cluster, "_bundles", {})
    bundles = bundles or [files.bundle(entrant.spec) for entrant in pair.entrants]
    for entrant, bundle in zip(pair.entrants, bundles, strict=True):
        cluster.keep_here(entrant.files, bundle)
    return cluster.play_here(work(pair, must_import=True, **how), referee or files.of_referee())


def test_a_players_files_travel_with_the_work(monkeypatch, tmp_path):
    (tmp_path / "here").mkdir()
    path = tmp_path / "here" / "traveller.py"
    path.write_text(FOLLOWER)
    pair = a_pair("random", path)
    bundles = [files.bundle(entrant.spec) for entrant in pair.entrants]
    path.unlink()
    played = far(monkeypatch, tmp_path, pair, bundles, keep_records=True)
    records = [game["record"]["text"] for game in played["games"]]
    assert all(f"from {tmp_path}/far/" in text for text in records)
    assert [game["faults"] for game in played["games"]] == [[None, "illegal action"]] * 2


def test_a_zip_that_reads_its_own_files_plays_on_a_worker_and_nothing_is_left(monkeypatch, tmp_path):
    path = tmp_path / "team.zip"
    with zipfile.ZipFile(path, "w") as zipped:
        zipped.writestr("team/__init__.py", READS + FOLLOWER)
        zipped.writestr("team/data/book.txt", "a book")
    pair = a_pair("random", path)
    bundles = [files.bundle(entrant.spec) for entrant in pair.entrants]
    path.unlink()
    (tmp_path / "temporary").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "temporary"))
    played = far(monkeypatch, tmp_path, pair, bundles)
    assert [game["faults"] for game in played["games"]] == [[None, "illegal action"]] * 2
    assert list((tmp_path / "temporary").iterdir()) == []


class Workers:
    """Two workers, each with what it keeps; a pair goes to the one whose turn it is, or to the one named."""

    def __init__(self, monkeypatch):
        self.kept = {"here": {}, "there": {}}
        self.calls = []
        self.waiting = []
        self.monkeypatch = monkeypatch

    def submit(self, called, module, function, *arguments, workers=(), allow_other_workers=False):
        name = workers[0] if workers else ("here", "there")[len(self.calls) % 2]
        self.calls.append((function, name))
        assert function == "play_here" or (workers and not allow_other_workers)
        future = Future()
        self.waiting.append((future, function, name, arguments))
        return future

    def work_off(self, most=100):
        while self.waiting and (most := most - 1) >= 0:
            future, function, name, arguments = self.waiting.pop(0)
            self.monkeypatch.setattr(cluster, "_bundles", self.kept[name])
            self.monkeypatch.setattr(cluster, "_address", lambda name=name: name)
            future.set_result(getattr(cluster, function)(*arguments))


def test_a_players_files_are_sent_to_each_worker_once_however_many_pairs_wait_for_them(monkeypatch, tmp_path):
    path = tmp_path / "traveller.py"
    path.write_text(FOLLOWER)
    pair = a_pair("random", path)
    monkeypatch.setattr(cluster, "_folder", lambda: tmp_path / "far")
    monkeypatch.setattr(cluster, "run", lambda work: {"games": work["entrants"][1]["folder"]})
    workers = Workers(monkeypatch)
    one = a_cluster(workers, {entrant.files: files.bundle(entrant.spec) for entrant in pair.entrants})
    out = [one.submit(work(a_pair("random", path, number=number))) for number in range(1, 9)]
    workers.work_off()
    out.append(one.submit(work(a_pair("random", path, number=9))))
    workers.work_off()
    assert all(played.result(timeout=0)["games"].startswith(str(tmp_path / "far")) for played in out)
    sent = [name for function, name in workers.calls if function == "keep_here"]
    assert sorted(sent) == ["here", "here", "there", "there"] and one.sent == 4  # two players' files


def test_where_a_worker_is_lost_before_the_files_have_come_its_pairs_go_to_another(monkeypatch, tmp_path):
    path = tmp_path / "traveller.py"
    path.write_text(FOLLOWER)
    pair = a_pair("random", path)
    monkeypatch.setattr(cluster, "_folder", lambda: tmp_path / "far")
    monkeypatch.setattr(cluster, "run", lambda work: {"games": "played"})
    workers = Workers(monkeypatch)
    one = a_cluster(workers, {entrant.files: files.bundle(entrant.spec) for entrant in pair.entrants})
    one._client.status, one._seen = "running", 0.0
    one._client.scheduler_info = lambda n_workers: {"workers": {"there": {}}}
    played = one.submit(work(pair))
    workers.work_off(1)
    ((future, function, name, _),) = workers.waiting
    assert (function, name) == ("keep_here", "here")
    workers.waiting.clear()
    one.check()
    assert future.cancelled() and [name for _, _, name, _ in workers.waiting] == ["here"]
    workers.kept["here"] = workers.kept["there"]  # which another worker is, since that one has gone
    workers.work_off()
    assert played.result(timeout=0) == {"games": "played"}


def a_cluster(executor, bundles):
    one = cluster.Cluster.__new__(cluster.Cluster)
    one._executor, one._client, one.bundles = executor, SimpleNamespace(id="x"), bundles
    one._sending, one._coming, one.sent = Lock(), {}, 0
    one._is_watched, one._out = False, set()
    return one


def test_what_goes_wrong_on_a_worker_reaches_who_waits_for_the_pair(monkeypatch):
    class Executor:
        def submit(self, *arguments, **where):
            future = Future()
            future.set_exception(RefereeTrouble("a worker has another version"))
            return future

    one = a_cluster(Executor(), {})
    with pytest.raises(RefereeTrouble, match="another version"):
        one.submit(work(a_pair())).result(timeout=0)


def test_files_that_changed_on_the_way_are_not_played_with(monkeypatch, tmp_path):
    path = tmp_path / "traveller.py"
    path.write_text(FOLLOWER)
    pair = a_pair("random", path)
    bundles = [files.bundle(pair.entrants[0].spec), {"traveller.py": FOLLOWER.encode() + b"#"}]
    with pytest.raises(RefereeTrouble, match="files have changed"):
        far(monkeypatch, tmp_path, pair, bundles)


def test_a_player_that_does_not_import_there_is_the_clusters_trouble(monkeypatch, tmp_path):
    path = tmp_path / "traveller.py"
    path.write_text("import only_at_home\n")
    with pytest.raises(RefereeTrouble, match="only_at_home.*; install there what it needs"):
        far(monkeypatch, tmp_path, a_pair("random", path))


def test_another_version_of_the_referee_is_not_played_with(monkeypatch, tmp_path):
    with pytest.raises(RefereeTrouble, match="another version of the referee"):
        far(monkeypatch, tmp_path, a_pair(), referee="0" * 64)


def test_where_a_player_is_unpacked_does_not_change_its_pair(tmp_path):
    spec = resolve("random")
    assert files.unpack(files.bundle(spec), replace(spec, folder="/elsewhere"), tmp_path / "far") == spec


@pytest.mark.parametrize("with_scheduler", [False, True])
def test_a_cluster_that_does_not_answer_is_exit_3(with_scheduler, monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(cluster, "ANSWERING", 1.0)
    with ExitStack() as stack:
        address = f"tcp://127.0.0.1:{free_port()}"
        if with_scheduler:
            empty = local_cluster(n_workers=0, protocol="tcp")
            address = stack.enter_context(empty).scheduler_address
        journal = Path(tmp_path, "journal")
        words = ["tournament", GAME, "random", "random", "--workers", address, "--journal", str(journal)]
        assert main(words) == 3
    errors = capsys.readouterr().err
    assert errors.startswith("referee: ") and errors.count("\n") == 1
    assert ("has no workers" if with_scheduler else "no Dask scheduler answers") in errors
    assert pairs_in(journal) == {}
