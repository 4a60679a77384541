"""Reads pipes, each in a thread of its own, since not every system can wait for several, or for a time."""

import os
import queue
import subprocess
import threading
import time
from collections.abc import Iterator
from typing import IO

PIECE = 65536
AHEAD = 16  # pieces read ahead: whoever floods a pipe waits for the reader, not the other way round


def pipes_of(process: "subprocess.Popen[bytes]") -> tuple[IO[bytes], IO[bytes], IO[bytes]]:
    """Input, output and errors of a process that was started with a pipe for each."""
    if not (process.stdin and process.stdout and process.stderr):
        raise ValueError("the process was started without pipes")
    return process.stdin, process.stdout, process.stderr


class Pipes:
    """Hands out what comes from some pipes, piece by piece, each with the pipe's place in the list."""

    def __init__(self, *pipes: IO[bytes], piece: int = PIECE):
        self._pieces: queue.Queue[tuple[int, bytes]] = queue.Queue(AHEAD)
        self._piece = piece  # bytes, at most
        readers = enumerate(pipes)
        self._readers = [threading.Thread(target=self._read, args=one, daemon=True) for one in readers]
        for reader in self._readers:
            reader.start()

    def next(self, seconds: float) -> tuple[int, bytes] | None:
        """The next piece, b"" at the end of a pipe; None where there was none in that time."""
        try:
            return self._pieces.get(timeout=seconds) if seconds > 0 else self._pieces.get_nowait()
        except queue.Empty:
            return None

    def all(self, seconds: float) -> Iterator[tuple[int, bytes]]:
        """What there is; with `seconds`, what comes until all pipes have ended, for at most so long.

        A process that got away may keep a pipe open, and one that floods it never lets it be empty.
        """
        deadline = time.monotonic() + seconds
        while any(reader.is_alive() for reader in self._readers) and time.monotonic() < deadline:
            if piece := self.next(0.01):
                yield piece
        for _ in range(AHEAD):
            if piece := self.next(0):
                yield piece

    def _read(self, place: int, pipe: IO[bytes]) -> None:
        with pipe:
            while data := os.read(pipe.fileno(), self._piece):
                self._pieces.put((place, data))
            self._pieces.put((place, b""))
