"""Plays a tournament's pairs on the workers of a Dask cluster; the players' files travel with the work.

A worker needs the same referee installed; it need not have the players.  A worker that is lost takes
its match processes with it (their input closes), and Dask has its pairs played by another.
"""

import logging
import re
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import replace
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any

from referee import RefereeTrouble, UsageError
from referee.match.loop import both
from referee.players import files
from referee.players.files import Bundle
from referee.tournament.jobs import Board, Played, Watch, Work, look, run
from referee.tournament.plan import Entrant, from_plain

ADDRESS = r"([a-z]+://)?[^\s:/]+:[0-9]{1,5}"
ANSWERING = 30.0  # seconds for the scheduler to answer, and for a first worker: a busy machine is slow
WITHOUT_WORKERS = 60.0  # seconds to wait for another when the last worker is gone
LOOKING = 2.0  # seconds between two questions who the workers are; with a thousand the answer is long
QUEUED = 2  # pairs for each of the workers' threads, so that none waits for its next one

MISSING = "missing"  # in an answer: the hash of files that a worker has not

_unpacking = Lock()
_bundles: dict[str, Bundle] = {}  # on a worker: by their hash, the files that it has been sent


class Cluster:
    """The workers of the scheduler at an address, through the Executor that Dask offers."""

    def __init__(self, address: str, entrants: Sequence[Entrant], watch: Watch | None = None):
        try:
            from distributed import Client
        except ImportError:
            raise UsageError("--workers needs Dask: pip install -e '.[cluster]'") from None
        if not re.fullmatch(ADDRESS, address):
            raise UsageError(
                f"--workers takes a Dask scheduler's address, such as tcp://host:8786: not {address[:100]!r}"
            )
        for name in ("distributed", *logging.Logger.manager.loggerDict):
            if name.partition(".")[0] == "distributed":  # what it has to say is said below
                logging.getLogger(name).setLevel(logging.CRITICAL)
        self.address = address
        self.bundles = {entrant.files: files.bundle(entrant.spec) for entrant in entrants}
        try:
            self._client = Client(address, timeout=ANSWERING, set_as_default=False)
        except (OSError, ValueError, TypeError) as error:
            raise RefereeTrouble(
                f"no Dask scheduler answers at {address!r} ({_short(error)}); "
                "start one with `dask scheduler` and name the address that it prints"
            ) from None
        try:
            self._client.wait_for_workers(1, timeout=ANSWERING)
        except TimeoutError:
            self.close()
            raise RefereeTrouble(
                f"the Dask scheduler at {address!r} has no workers; start some with `dask worker {address}`"
            ) from None
        self._executor = self._client.get_executor(pure=False)
        self._is_watched = watch is not None
        self._out: set[str] = set()  # pairs that are not back
        if watch:
            self._client.subscribe_topic(_topic(self._client.id), lambda event: self._hear(watch, *event[1]))
        self._sending = Lock()
        self._coming: dict[tuple[str, str], Future[Any]] = {}  # by hash and worker: files on their way
        self.sent = 0  # players' files, each time they were
        self._seen = time.monotonic()
        self._threads = 0
        self._looked = -LOOKING

    @property
    def width(self) -> int:
        """Twice as many pairs as the workers have threads."""
        if time.monotonic() - self._looked >= LOOKING:
            self._looked = time.monotonic()
            self._threads = sum(worker["nthreads"] for worker in self._workers().values())
        return QUEUED * max(1, self._threads)

    def submit(self, work: Work) -> Future[Played]:
        """What is trouble here is a fault of the player's where its files are at home."""
        played: Future[Played] = Future()
        self._out.add(work["pair"])
        played.add_done_callback(lambda _: self._out.discard(work["pair"]))
        how = {"must_import": True, "run": self._client.id, "is_watched": self._is_watched}
        self._send({**work, **how}, played)
        return played

    def _hear(self, watch: Watch, pair: str, board: Board) -> None:
        """A board that comes later than its pair is not shown any more."""
        if pair in self._out:
            watch(pair, board)

    def _send(self, work: Work, played: Future[Played], worker: str = "") -> None:
        """Have the pair played; by that worker, where it is still there."""

        def received(done: Future[Played]) -> None:
            try:
                if MISSING in (answer := done.result()):
                    self._bring(answer[MISSING], answer["worker"], work, played)
                else:
                    played.set_result(answer)
            except BaseException as error:  # whatever it was, it is for who waits for the pair
                played.set_exception(error)

        where = {"workers": [worker], "allow_other_workers": True} if worker else {}
        self._call("play_here", work, files.of_referee(), **where).add_done_callback(received)

    def _bring(self, hashed: str, worker: str, work: Work, played: Future[Played]) -> None:
        """Send a player's files to a worker, unless they are on their way; then the pair again."""
        with self._sending:
            coming = self._coming.get((hashed, worker))
            if coming is None or coming.done():
                self.sent += 1
                # By no other worker, which would otherwise take it from one that is busy.
                coming = self._call("keep_here", hashed, self.bundles[hashed], workers=[worker])
                self._coming[hashed, worker] = coming

        def arrived(done: Future[Any]) -> None:
            try:
                if not done.cancelled():
                    done.result()
                self._send(work, played, worker)
            except BaseException as error:
                played.set_exception(error)

        coming.add_done_callback(arrived)

    def _call(self, function: str, *arguments: Any, **where: Any) -> Future[Any]:
        return self._executor.submit(_called_there(), "tournament.cluster", function, *arguments, **where)

    def check(self) -> None:
        if self._client.status != "running":
            raise RefereeTrouble(f"the Dask scheduler at {self.address!r} has gone; start it and this again")
        workers = self._workers()
        with self._sending:
            lost = [one for (_, worker), one in self._coming.items() if worker not in workers]
        for one in lost:
            one.cancel()
        if workers:
            self._seen = time.monotonic()
        elif time.monotonic() - self._seen > WITHOUT_WORKERS:
            raise RefereeTrouble(
                f"the Dask scheduler at {self.address!r} has had no worker for {WITHOUT_WORKERS:.0f} s; "
                f"start some with `dask worker {self.address}` and this again"
            )

    def close(self) -> None:
        self._client.close()

    def _workers(self) -> Mapping[str, Any]:
        return self._client.scheduler_info(n_workers=-1)["workers"]


def _called_there() -> Callable[..., Any]:
    """What calls a function of the referee's on a worker.

    It is nested, so that it is sent as it is: by its name a worker would look for it in the first package
    `referee` that it finds, which may be another one.
    """

    def called(module: str, function: str, *arguments: Any) -> Any:
        from importlib import import_module

        try:
            ours = import_module("board_game_referee")
        except ImportError:  # it is not installed there: then what is found has to do
            ours = import_module("referee.start")
        return ours.called(module, function, *arguments)

    return called


def keep_here(hashed: str, bundle: Bundle) -> None:
    """On a worker: keep a player's files for its pairs; RefereeTrouble if they are others."""
    if files.digest(bundle) != hashed:
        raise RefereeTrouble("a player's files have changed on the way to a worker; start it again")
    _bundles[hashed] = bundle


def play_here(work: Work, referee: str) -> Played:
    """On a worker: unpack the players' files, unless that is done, and play; a match process checks them.

    Where a player's files are not there, the answer is which, and who asks.
    """
    if referee != files.of_referee():
        raise RefereeTrouble("a worker has another version of the referee; install the same on all machines")
    pair = from_plain(work)
    for entrant in pair.entrants:
        if entrant.files not in _bundles:
            return {MISSING: entrant.files, "worker": _address()}
    with _unpacking:
        entrants = both(
            lambda player: _unpacked(pair.entrants[player], _bundles[pair.entrants[player].files])
        )
    if work.get("is_watched"):
        look(work["run"], lambda pair, board: _show(work["run"], pair, board))
    return run({**work, **replace(pair, entrants=entrants).plain()})


def _topic(run: str) -> str:
    """Under which Dask hands on the boards of a run."""
    return f"boards of {run}"


def _show(run: str, pair: str, board: Board) -> None:
    """On a worker: tell who watches; the call is Dask's own."""
    from distributed import get_worker

    get_worker().log_event(_topic(run), (pair, dict(board)))


def _address() -> str:
    """This worker's."""
    from distributed import get_worker

    return str(get_worker().address)


def _unpacked(entrant: Entrant, bundle: Bundle) -> Entrant:
    return replace(entrant, spec=files.unpack(bundle, entrant.spec, _folder() / entrant.files))


@cache
def _folder() -> Path:
    """Where this worker keeps players' files: below its own folder, which Dask clears away."""
    from distributed import get_worker

    return Path(tempfile.mkdtemp(prefix="players-", dir=get_worker().local_directory))


def _short(error: Exception) -> str:
    return " ".join(str(error).split())[:200] or type(error).__name__
