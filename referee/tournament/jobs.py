"""Plays a tournament's pairs on this machine: `--jobs` threads, each with a match process for its pairs.

Whatever else has `submit`, as a `concurrent.futures.Executor` has, can take the place of the threads.  A few
match processes that a run has left wait for the next one of this program, which need not start its own: a
series of few games in a notebook takes less time than these take to start.
"""

import atexit
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import suppress
from threading import Lock, Thread
from typing import Any, Protocol
from uuid import uuid4

from referee import RefereeTrouble
from referee.isolation.child import apart
from referee.isolation.pipes import pipes_of
from referee.players.names import ROOT
from referee.start import command

WARNING = "referee: warning: "  # what a match process wants the user to know begins so
ATTEMPTS = 3  # at a pair whose match process is killed by something else
RENEWED = 200  # pairs after which a match process is ended and another started, whatever has piled up in it
SPARE = 2  # match processes that wait for another run, until they end by themselves
LONGEST = 2000  # bytes of a line of what a match process says
LISTENING = 1.0  # seconds for the last words of one that has ended: what it had started may hold the pipe

Work = Mapping[str, Any]  # a pair as plain data, how it is to be played, and the name of the run it is for
Played = dict[str, Any]  # its two games, what they cost

Board = Mapping[str, str]  # of a game under way: its title, its position as the rules write it, its text
Watch = Callable[[str, Board], None]  # is told of a pair, by its id, and a board


def _look_away(pair: str, board: Board) -> None:
    """Nobody watches."""


_lock = Lock()
_watching: dict[str, Watch] = {}  # by run
_processes: set["MatchProcess"] = set()
_ended: set[str] = set()  # runs that nobody plays for any more


class Runner(Protocol):
    """What plays pairs: the match processes of this machine, or a cluster's workers."""

    @property
    def width(self) -> int:
        """Pairs that it can use at once."""

    def submit(self, work: Work) -> Future[Played]: ...

    def check(self) -> None:
        """RefereeTrouble where what was submitted will not be played any more."""

    def close(self) -> None:
        """Nothing is played afterwards."""


class Local:
    """Plays so many pairs at once on this machine, through any executor; it has a pool of threads."""

    def __init__(self, jobs: int, executor: Executor | None = None, watch: Watch | None = None):
        self.width = jobs
        self.watch = watch
        self.executor = executor or ThreadPoolExecutor(jobs)
        self.name = uuid4().hex
        if watch:
            look(self.name, watch)

    def submit(self, work: Work) -> Future[Played]:
        how = {"run": self.name, "is_watched": self.watch is not None}
        return self.executor.submit(run, {**work, **how})

    def check(self) -> None:
        pass

    def close(self) -> None:
        self.executor.shutdown(wait=False, cancel_futures=True)
        end(self.name)
        self.executor.shutdown()
        _watching.pop(self.name, None)


class MatchProcess:
    """A process that plays pairs, one at a time, for one run at a time."""

    def __init__(self, run: str):
        self.run = run  # or "", where it waits for one
        self.made_of = _made_of()
        self.is_free = False
        self.pairs = 0  # that it was sent
        self._process = subprocess.Popen(
            command("tournament.match_process"),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=ROOT,
            **apart(),  # Ctrl-C is for the tournament, which then closes the input
        )
        self._input, self._output, self._errors = pipes_of(self._process)
        self._last_words = ""
        self._listener = Thread(target=self._listen, daemon=True)
        self._listener.start()

    def play(self, work: Work, watch: Watch) -> tuple[list[dict[str, Any]], str]:
        """The lines that it answers; and, where it has ended instead of answering to the end, how."""
        self.pairs += 1
        with suppress(OSError, ValueError):  # where it has ended, or is to end: that shows below
            self._input.write(json.dumps(work).encode() + b"\n")
            self._input.flush()
        answer = []
        for line in self._output:
            if not line.endswith(b"\n"):
                break
            said = json.loads(line)
            if "board" in said:
                watch(work["pair"], said["board"])
                continue
            answer.append(said)
            if "cost" in answer[-1] or "trouble" in answer[-1]:
                return answer, ""
        status = self._process.wait()
        self._listener.join(LISTENING)
        return [], f"ended with {status}: {self._last_words[:300]}"

    def end(self) -> None:
        """It ends when its input closes, and all that it has started with it."""
        with suppress(OSError):
            self._input.close()

    def close(self) -> None:
        """It is gone afterwards."""
        self.end()
        self._process.wait()
        self._output.close()
        self._listener.join(LISTENING)

    @property
    def is_there(self) -> bool:
        return self._process.poll() is None

    def _listen(self) -> None:
        """Pass its warnings on; keep its last words, for when it has ended."""
        with self._errors as errors:
            for line in errors:
                text = line[:LONGEST].decode("utf-8", "replace").strip()
                if text.startswith(WARNING):
                    print(text, file=sys.stderr, flush=True)
                self._last_words = text or self._last_words


def run(work: Work) -> Played:
    """Play a pair in a match process; RefereeTrouble where that is not possible."""
    begun = time.monotonic()
    how_it_ended = "was not started any more"
    for _ in range(ATTEMPTS):
        answer, ended = _attempt(work)
        *games, last = answer or [{}]
        if "trouble" in last:
            raise RefereeTrouble(last["trouble"])
        if "cost" in last:
            return {"games": games, "seconds": round(time.monotonic() - begun, 3), **last}
        how_it_ended = ended or how_it_ended
        if work["run"] in _ended:
            break
    raise RefereeTrouble(f"pair {work['pair']} could not be played: its match process {how_it_ended}")


def look(run: str, watch: Watch) -> None:
    """From now on this is told of the boards of a run, as far as its pairs are to be watched."""
    _watching[run] = watch


def end(run: str) -> None:
    """End the match processes of a run, and let it start no more; a few that are free may wait for others."""
    with _lock:
        _ended.add(run)
        mine = [process for process in _processes if process.run == run]
        playing = [process for process in mine if not process.is_free]
        for process in mine:
            if process.is_free:
                process.run = ""
    for process in playing:
        process.end()
    end_spare(SPARE)


def end_spare(most: int = 0) -> None:
    """End those that wait for another run, all but so many; the first to go would not suit one begun now."""
    with _lock:
        spare = [process for process in _processes if not process.run]
        ending = sorted(spare, key=lambda process: process.made_of != _made_of())[most:]
        _processes.difference_update(ending)
    for process in ending:
        process.close()


def _made_of() -> object:
    """What a process takes from this one when it starts."""
    return sys.executable, dict(os.environ)


def _attempt(work: Work) -> tuple[list[dict[str, Any]], str]:
    """The lines that a match process answers; and how it ended, where it did."""
    process = _taken(work["run"])
    if process is None:
        return [], ""
    try:
        answer, how_it_ended = process.play(work, _watching.get(work["run"], _look_away))
    except BaseException:
        _give_back(process, is_well=False)
        raise
    _give_back(process, is_well=not how_it_ended)
    return answer, how_it_ended


def _taken(run: str) -> MatchProcess | None:
    """A match process for a pair of that run, started if none is free; None where the run has ended."""
    with _lock:
        if run in _ended:
            return None
        gone = [process for process in _processes if process.is_free and not process.is_there]
        _processes.difference_update(gone)
        free = [process for process in _processes if process.is_free and process.run == run]
        free += [process for process in _processes if not process.run and process.made_of == _made_of()]
        taken = free[0] if free else MatchProcess(run)
        taken.run, taken.is_free = run, False
        _processes.add(taken)
    for process in gone:
        process.close()
    return taken


def _give_back(process: MatchProcess, is_well: bool) -> None:
    """Keep it for the next pair, or end it where it has played enough, or its run is over."""
    with _lock:
        process.is_free = is_well and process.pairs < RENEWED and process.run not in _ended
        if process.is_free:
            return
        _processes.discard(process)
    process.close()


atexit.register(end_spare)
