"""A player's process where linux.py does not work, as on macOS and Windows: watched through psutil.

Its CPU time, memory and helpers are read in looks from outside (tree.py), it is stopped while the
opponent is to act, and it ends with all that was seen of what it has started, also if the referee is
killed (guard.py).
"""

import contextlib
import json
import subprocess
import time
from collections import deque
from uuid import uuid4

from referee import RefereeTrouble
from referee.isolation import guard
from referee.isolation.child import Child, Start, apart, command, directory, environment
from referee.isolation.machine import cores
from referee.isolation.pipes import Pipes, pipes_of
from referee.isolation.tree import ProcessTree

MARK = "REFEREE_PLAYER"  # in the environment of all that a player starts, by which they are found at its end
DYING = 5.0  # seconds that a killed process may take to be gone
MOST_HELD = 64  # pieces of replies that wait for those before them to be judged
SAYING_WHY = 1.0  # seconds from the end of its output to the end of the process


class Process(Child):
    """The player's process, and two threads that wait for what it sends and prints."""

    level = "portable"
    not_enforced = (
        "CPU time, memory and stopping are enforced by polling: what passes between two looks is missed, "
        "such as helper processes that are soon gone; and players are not confined: they can read and write "
        "your files, use the network, and signal your other processes"
    )

    def __init__(self, start: Start):
        super().__init__(start)
        self._mark = uuid4().hex
        usual = environment() if start.environment is None else start.environment
        try:
            self._process = subprocess.Popen(
                command("player", json.dumps(self.options())),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                cwd=directory(start.folder),
                env={**usual, MARK: self._mark},
                **apart(),
            )
        except OSError as error:
            raise RefereeTrouble(f"a player's process cannot be started: {error}") from None
        self._held: deque[bytes] = deque()
        guard.tell("+", self._process.pid, self._mark, start.temporary)
        self._tree = ProcessTree(self._process.pid, self._mark)
        requests, replies, printed = pipes_of(self._process)
        self._requests = requests
        self._pipes = Pipes(replies, printed, piece=start.reply + 1)
        self._paused = self._is_closed = False
        self._stopped_at = 0.0  # seconds that its processes had used when they were stopped
        self._base = (0.0, 0.0)  # resident megabytes and address space when the memory began to count

    def send(self, data: bytes) -> None:
        self._requests.write(data)

    def wait(self, seconds: float) -> None:
        if self._held and len(self.inbox) <= self.start.reply:
            self._take(self._held.popleft())
            seconds = 0
        if piece := self._pipes.next(seconds):
            self._sort(*piece)
        self._sort_all(0)
        self.ended = self._process.poll() is not None

    def _sort_all(self, seconds: float) -> None:
        for piece in self._pipes.all(seconds):
            self._sort(*piece)

    def _sort(self, place: int, data: bytes) -> None:
        if place == 1:
            self.keep_output(data)
        elif len(self.inbox) <= self.start.reply and not self._held:
            self._take(data)
        elif not data or len(self._held) < MOST_HELD:  # for when the inbox was judged
            self._held.append(data)

    def _take(self, data: bytes) -> None:
        self.inbox += data
        self.closed = not data

    def resume(self) -> None:
        if self._paused:
            self.tick()
            self.stolen += self.cpu - self._stopped_at
            self._tree.resume()
            self._paused = False

    def pause(self) -> None:
        self._tree.stop()
        self._paused = True
        self.wait(0)
        self.measure()
        self._stopped_at = self.cpu

    def tick(self) -> None:
        self.cpu = max(self.cpu, self._tree.cpu())

    def measure(self) -> None:
        self._tree.find_now_and_then()
        self.tick()
        self.parallel = max(1, min(cores(), self._tree.threads()))
        grown = [now - base for now, base in zip(self._tree.megabytes(), self._base, strict=True)]
        self.megabytes = max(self.megabytes, grown[0])
        self.course_megabytes = max(self.course_megabytes, grown[1])

    def mark(self) -> None:
        self._tree.find()
        self._base = self._tree.megabytes()
        self.megabytes = self.course_megabytes = 0.0

    def kill(self) -> None:
        self.tick()
        self._tree.kill()
        with contextlib.suppress(OSError):
            self._process.kill()
        deadline = time.monotonic() + DYING
        while not self.ended and (left := deadline - time.monotonic()) > 0:
            self.wait(min(left, 0.01))
        self._sort_all(SAYING_WHY)

    def status(self) -> int | None:
        with contextlib.suppress(subprocess.TimeoutExpired):
            return self._process.wait(SAYING_WHY)
        return None

    def unknown_end(self) -> str:
        return "closed its connection to the referee"

    def finish(self) -> None:
        with contextlib.suppress(OSError):
            self._requests.close()

    def helpers(self) -> int:
        self._tree.find_marked()
        return len(self._tree.helpers)

    def close(self) -> None:
        if self._is_closed:
            return
        self._is_closed = True
        self.kill()
        guard.tell("-", self._process.pid, self._mark, self.start.temporary)
        with contextlib.suppress(OSError):
            self._requests.close()
