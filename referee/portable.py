"""A player's process where only the standard library is to be had: its own interpreter, wall time, and kill.

Also a place to see what linux.py adds: here nothing is known of CPU time, memory or what else
the player starts.
"""

import contextlib
import os
import queue
import signal
import subprocess
import threading
import time
from collections import deque
from collections.abc import Sequence
from typing import BinaryIO

from referee import RefereeTrouble
from referee.child import CHUNK, REPLY, WORKER, Child, command, directory, environment

DYING = 5.0  # seconds that a killed process may take to be gone
MOST_HELD = 64  # pieces of replies that wait for those before them to be judged
SAYING_WHY = 1.0  # seconds from the end of its output to the end of the process


class Process(Child):
    """The player's process, and two threads that wait for what it sends and prints."""

    level = "portable"
    not_enforced = (
        "not enforced: CPU time (wall time is charged), memory, thinking on the opponent's time, the end of "
        "processes that a player has started; and players can read and write your files"
    )
    charges_cpu = False

    def __init__(self, folder: str, readable: Sequence[str] = (), temporary: str = ""):
        super().__init__(folder, readable, temporary)
        try:
            self._process = subprocess.Popen(
                command(WORKER),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                cwd=directory(folder),
                env=environment(),
                start_new_session=True,
            )
        except OSError as error:
            raise RefereeTrouble(f"a player's process cannot be started: {error}") from None
        self._held: deque[bytes] = deque()
        # Bounded: a player that floods its output waits for the referee, not the other way round.
        self._news: queue.Queue[tuple[bool, bytes]] = queue.Queue(maxsize=16)
        pipes = (self._process.stdout, self._process.stderr)
        self._readers = [threading.Thread(target=self._read, args=(pipe,), daemon=True) for pipe in pipes]
        for reader in self._readers:
            reader.start()

    def _read(self, pipe: BinaryIO) -> None:
        is_reply = pipe is self._process.stdout
        with pipe:
            while data := os.read(pipe.fileno(), REPLY + 1 if is_reply else CHUNK):
                self._news.put((is_reply, data))
            self._news.put((is_reply, b""))

    def send(self, data: bytes) -> None:
        self._process.stdin.write(data)

    def wait(self, seconds: float) -> None:
        if self._held and len(self.inbox) <= REPLY:
            self._take(self._held.popleft())
        with contextlib.suppress(queue.Empty):
            is_reply, data = self._news.get(timeout=max(seconds, 0.001))
            if not is_reply:
                self.keep_output(data)
            elif len(self.inbox) <= REPLY and not self._held:
                self._take(data)
            elif not data or len(self._held) < MOST_HELD:  # for when the inbox was judged
                self._held.append(data)
        self.ended = self._process.poll() is not None

    def _take(self, data: bytes) -> None:
        self.inbox += data
        self.closed = not data

    def resume(self) -> None:
        pass

    def pause(self) -> None:
        pass

    def tick(self) -> None:
        pass

    def measure(self) -> None:
        pass

    def mark(self) -> None:
        pass

    def kill(self) -> None:
        self._process.kill()
        if hasattr(os, "killpg"):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)
        deadline = time.monotonic() + DYING
        while not self.ended and (left := deadline - time.monotonic()) > 0:
            self.wait(min(left, 0.01))

    def how_it_ended(self) -> str:
        with contextlib.suppress(subprocess.TimeoutExpired):
            code = self._process.wait(SAYING_WHY)
            if code >= 0:
                return f"ended with exit status {code}"
            return f"was ended by signal {-code} ({signal.strsignal(-code)})"
        return "closed its connection to the referee"

    def close(self) -> None:
        self.kill()
        self._process.stdin.close()
        # A helper that got away keeps the pipes open, and their readers with them, until it ends.
        deadline = time.monotonic() + SAYING_WHY
        while any(reader.is_alive() for reader in self._readers) and time.monotonic() < deadline:
            self.wait(0.01)
