"""Plays a tournament's pairs on this machine: `--jobs` threads, each with a match process for a pair.

Whatever else has `submit`, as a `concurrent.futures.Executor` has, can take the place of the threads.
"""

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import suppress
from threading import Lock
from typing import Any, Protocol
from uuid import uuid4

from referee import RefereeTrouble
from referee.isolation.child import apart
from referee.players.names import ROOT
from referee.start import command

WARNING = "referee: warning: "  # what a match process wants the user to know begins so
ATTEMPTS = 3  # at a pair whose match process is killed by something else

Work = Mapping[str, Any]  # a pair as plain data, how it is to be played, and the name of the run it is for
Played = dict[str, Any]  # its two games, what they cost

_lock = Lock()
_playing: dict[subprocess.Popen, str] = {}  # match processes, and which run each is for
_ended: set[str] = set()  # runs that nobody plays for any more


class Runner(Protocol):
    """Who plays pairs."""

    width: int  # pairs that it can use at once

    def submit(self, work: Work) -> Future[Played]: ...

    def check(self) -> None:
        """RefereeTrouble where what was submitted will not be played any more."""

    def close(self) -> None:
        """Nothing is played afterwards."""


class Local:
    """So many jobs on this machine, through any executor; the one of its own is a pool of threads."""

    def __init__(self, jobs: int, executor: Executor | None = None):
        self.width = jobs
        self.executor = executor or ThreadPoolExecutor(jobs)
        self.name = uuid4().hex

    def submit(self, work: Work) -> Future[Played]:
        return self.executor.submit(run, {**work, "run": self.name})

    def check(self) -> None:
        pass

    def close(self) -> None:
        self.executor.shutdown(wait=False, cancel_futures=True)
        end(self.name)
        self.executor.shutdown()


def run(work: Work) -> Played:
    """Play a pair in a match process; RefereeTrouble where that is not possible."""
    begun = time.monotonic()
    for _ in range(ATTEMPTS):
        games, how_it_ended = _attempt(work)
        last = games.pop() if games else {}
        if "trouble" in last:
            raise RefereeTrouble(last["trouble"])
        if "cost" in last:
            return {"games": games, "seconds": round(time.monotonic() - begun, 3), **last}
        if work["run"] in _ended:
            break
    raise RefereeTrouble(f"pair {work['pair']} could not be played: its match process {how_it_ended}")


def end(run: str) -> None:
    """End the match processes of a run, and let it start no more."""
    with _lock:
        _ended.add(run)
        for process, of in _playing.items():
            if of == run:
                with suppress(OSError):
                    process.stdin.close()


def _attempt(work: Work) -> tuple[list[dict[str, Any]], str]:
    """The lines that a match process answers, and how it ended."""
    with tempfile.TemporaryFile() as errors:
        with _lock:
            if work["run"] in _ended:
                return [], "was not started any more"
            process = subprocess.Popen(
                command("tournament.pair"),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                cwd=ROOT,
                **apart(),  # Ctrl-C is for the tournament, which then closes the input
            )
            _playing[process] = work["run"]
        # Its input stays open until it has ended: that it closes means that nobody wants the pair.
        with suppress(OSError, ValueError):  # where it has ended, or is to end: that shows below
            process.stdin.write(json.dumps(work).encode() + b"\n")
            process.stdin.flush()
        answer = process.stdout.read()
        status = process.wait()
        with _lock:
            del _playing[process]
        process.stdout.close()
        with suppress(OSError):
            process.stdin.close()
        errors.seek(0)
        said = errors.read()[-2000:].decode("utf-8", "replace").strip()
        last_words = said.rpartition("\n")[2]
    for line in said.splitlines():
        if line.startswith(WARNING):
            print(line, file=sys.stderr, flush=True)
    complete = answer[: answer.rfind(b"\n") + 1]
    return [json.loads(line) for line in complete.splitlines()], f"ended with {status}: {last_words[:300]}"
