"""Plays a tournament's pairs on the workers of a Dask cluster; the players' files travel with the work.

A worker needs the same referee installed; it need not have the players.  A worker that is lost takes
its match processes with it (their input closes), and Dask has its pairs played by another.
"""

import logging
import re
import tempfile
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from dataclasses import replace
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any

from referee import RefereeTrouble, UsageError, start
from referee.match.loop import both
from referee.players import files
from referee.players.files import Bundle
from referee.tournament.jobs import Played, Work, run
from referee.tournament.plan import Entrant, from_plain

ADDRESS = r"([a-z]+://)?[^\s:/]+:[0-9]{1,5}"
ANSWERING = 10.0  # seconds for the scheduler to answer, and for a first worker to be there
WITHOUT_WORKERS = 60.0  # seconds to wait for another when the last worker is gone
LOOKING = 2.0  # seconds between two questions who the workers are; with a thousand the answer is long
QUEUED = 2  # pairs for each of the workers' threads, so that none waits for its next one

MISSING: Played = {"missing": "files"}

_unpacking = Lock()
_bundles: dict[str, Bundle] = {}  # on a worker: by their hash, the files that it has been sent


class Cluster:
    """The workers of the scheduler at an address, through the Executor that Dask offers."""

    def __init__(self, address: str, entrants: Sequence[Entrant]):
        try:
            from distributed import Client
        except ImportError:
            raise UsageError("--workers needs Dask: pip install -e '.[cluster]'") from None
        if not re.fullmatch(ADDRESS, address):
            raise UsageError(
                f"--workers takes a Dask scheduler's address, such as tcp://host:8786: not {address[:100]!r}"
            )
        logging.getLogger("distributed").setLevel(logging.CRITICAL)  # what it has to say is said below
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
        self._send({**work, "must_import": True, "run": self._client.id}, [], played)
        return played

    def _send(self, work: Work, bundles: Sequence[Bundle], played: Future[Played]) -> None:
        """Have the pair played; a worker that has not the players' files yet asks for them."""
        here = ("tournament.cluster", "play_here", work, bundles, files.of_referee())
        sent = self._executor.submit(start.called, *here)

        def received(done: Future[Played]) -> None:
            try:
                if (answer := done.result()) == MISSING and not bundles:
                    self._send(work, [self.bundles[one["files"]] for one in work["entrants"]], played)
                else:
                    played.set_result(answer)
            except BaseException as error:  # whatever it was, it is for who waits for the pair
                played.set_exception(error)

        sent.add_done_callback(received)

    def check(self) -> None:
        if self._client.status != "running":
            raise RefereeTrouble(f"the Dask scheduler at {self.address!r} has gone; start it and this again")
        if self._workers():
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


def play_here(work: Work, bundles: Sequence[Bundle], referee: str) -> Played:
    """On a worker: unpack the players' files, unless that is done, and play; a match process checks them.

    MISSING where a player's files were not sent and are not there.
    """
    if referee != files.of_referee():
        raise RefereeTrouble("a worker has another version of the referee; install the same on all machines")
    pair = from_plain(work)
    with _unpacking:
        if not bundles and any(entrant.files not in _bundles for entrant in pair.entrants):
            return MISSING
        for entrant, bundle in zip(pair.entrants, bundles, strict=False):
            if files.digest(bundle) == entrant.files:
                _bundles[entrant.files] = bundle
        known = bundles or [_bundles[entrant.files] for entrant in pair.entrants]
        entrants = both(lambda player: _unpacked(pair.entrants[player], known[player]))
    return run({**work, **replace(pair, entrants=entrants).plain()})


def _unpacked(entrant: Entrant, bundle: Bundle) -> Entrant:
    return replace(entrant, spec=files.unpack(bundle, entrant.spec, _folder() / entrant.files))


@cache
def _folder() -> Path:
    """Where this worker keeps players' files: below its own folder, which Dask clears away."""
    from distributed import get_worker

    return Path(tempfile.mkdtemp(prefix="players-", dir=get_worker().local_directory))


def _short(error: Exception) -> str:
    return " ".join(str(error).split())[:200] or type(error).__name__
