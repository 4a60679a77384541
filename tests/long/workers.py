"""Four Dask workers on this machine beside `--jobs 4`: `python -m tests.long.workers --pairs 40`.

The same pairs are played both ways.  Their results must be the same; printed is what a pair took beyond the
players' own time, and how much was sent: a player's package holds some megabytes, which should travel
once to each worker.  Half way a worker is added and another is told to go, which must change nothing.
The workers' PYTHONPATH leads to a package of another's that is called `referee`, too.
"""

import argparse
import json
import os
import resource
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psutil
from distributed import Client

from tests import ROOT
from tests.long.kill_and_resume import strip

WORKERS = 4
SIZE = 4_000_000  # bytes of the file in a player's package
PATIENCE = 120.0  # seconds for something to start


def cpu():
    """Seconds of CPU of all processes that were waited for."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def of_tree(process):
    """Seconds of CPU of a process and of all below it, so far, those that have ended included."""
    root = psutil.Process(process.pid)
    return sum(sum(one.cpu_times()[:4]) for one in (root, *root.children(recursive=True)))


def sent():
    """Bytes that went over this machine's loopback so far, of whatever program."""
    for line in Path("/proc/net/dev").read_text().splitlines():
        name, _, figures = line.partition(":")
        if name.strip() == "lo":
            return int(figures.split()[0])
    sys.exit("there is no loopback")


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def dask(folder, *words):
    """A scheduler or a worker, whose own `referee` is another one."""
    command = [sys.executable, "-m", "dask", *words, "--no-dashboard"]
    log = (folder / "dask.log").open("ab")
    environment = {**os.environ, "PYTHONPATH": str(folder / "elsewhere")}
    return subprocess.Popen(command, cwd=folder, env=environment, stdout=log, stderr=log)


def worker(folder, address):
    return dask(folder, "worker", address, "--nthreads", "1", "--local-directory", str(folder))


def play(folder, name, pairs, *how, half_way=lambda: None):
    """The tournament's summary and pairs; `half_way` is called when half the pairs are there."""
    journal = folder / f"{name}.jsonl"
    words = ["tournament", "kalaha:4x3", "team", "greedy", "--pairs", str(pairs), "--seed", "1", "--json"]
    with subprocess.Popen(
        [sys.executable, "-m", "referee", *words, "--journal", str(journal), *how],
        cwd=folder, env={**os.environ, "PYTHONPATH": str(ROOT)}, stdout=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        lines = []
        for line in process.stdout:
            lines.append(line)
            if len(lines) == pairs // 2:
                half_way()
    if process.returncode:
        sys.exit(f"the tournament ended with exit code {process.returncode}")
    return json.loads(lines[-1]), [json.loads(one) for one in journal.read_text().splitlines()[1:]]


def main():
    """Play both ways and compare."""
    parser = argparse.ArgumentParser(description=__doc__.partition(":")[0])
    parser.add_argument("--pairs", type=int, default=40)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        compare(Path(folder), options.pairs)


def compare(folder, pairs):
    """Both ways; AssertionError where what they come to differs."""
    (folder / "elsewhere" / "referee").mkdir(parents=True)
    (folder / "elsewhere" / "referee" / "__init__.py").write_text(
        "raise ImportError('this is another one')\n"
    )
    subprocess.run([sys.executable, "-m", "referee", "new", "kalaha:4x3", str(folder / "team")],
                   cwd=ROOT, check=True, stdout=subprocess.DEVNULL)  # fmt: skip
    (folder / "team" / "data.bin").write_bytes(os.urandom(SIZE))
    figures = {}
    before, begun = cpu(), time.monotonic()
    summary, here = play(folder, "here", pairs, "--jobs", str(WORKERS))
    figures["--jobs 4"] = cpu() - before, time.monotonic() - begun, 0
    address = f"tcp://127.0.0.1:{free_port()}"
    before, bytes_before, gone = cpu(), sent(), []
    scheduler = dask(folder, "scheduler", "--host", "127.0.0.1", "--port", address.rpartition(":")[2])
    workers = [worker(folder, address) for _ in range(WORKERS)]

    def exchange():
        workers.append(worker(folder, address))
        gone.append(of_tree(workers[0]))
        workers[0].terminate()

    try:
        with Client(address, timeout=PATIENCE) as client:
            client.wait_for_workers(WORKERS, PATIENCE)
        starting = sum(map(of_tree, (scheduler, *workers)))
        begun = time.monotonic()
        there_summary, there = play(folder, "there", pairs, "--workers", address, half_way=exchange)
        took = time.monotonic() - begun
        used = cpu() - before + sum(map(of_tree, (scheduler, *workers[1:]))) + sum(gone) - starting
    finally:
        for one in (*workers, scheduler):
            one.terminate()
        for one in (*workers, scheduler):
            one.wait(PATIENCE)
    figures["4 workers"] = used, took, sent() - bytes_before
    by_id = [sorted((strip(pair) for pair in one), key=lambda pair: pair["pair"]) for one in (here, there)]
    assert by_id[0] == by_id[1], "the pairs differ"
    assert summary["standings"] == there_summary["standings"]
    for name, played in (("--jobs 4", here), ("4 workers", there)):
        used, took, size = figures[name]
        players = sum(sum(game["cpu"]) for pair in played for game in pair["games"])
        beyond = (used - players) / pairs
        print(f"{name}: {pairs} pairs in {took:.1f} s; {beyond:.3f} s of CPU a pair without the players' own")
        print(f"  {size / 1e6:.0f} MB went over the loopback")
    print(
        f"not counted: {starting:.1f} s of CPU to start the scheduler and {WORKERS} workers; the fifth's is"
    )
    print("the same pairs, moves and standings both ways, with a worker added and one gone half way")


if __name__ == "__main__":
    main()
