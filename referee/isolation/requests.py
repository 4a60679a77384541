"""Asks a player's process and reads its replies, for `check` and `profile`: without limits and verdicts."""

import contextlib
import json
import time
from collections.abc import Callable
from typing import Any

from referee import RefereeTrouble
from referee.isolation.child import Child
from referee.players.text import printable

STARTING = 60.0  # wall seconds for Python and numpy to start on a busy machine; the referee's trouble
LOOK = 0.02  # seconds between two looks at it while it is asked
WORDS = 20  # the last ones of what it said when it did not start


class NoReply(Exception):
    """The process has ended, or closed its channel, instead of replying."""


def await_start(child: Child) -> None:
    """Wait until the process is there and can be asked; RefereeTrouble where it is not in time."""
    deadline = time.monotonic() + STARTING
    while b"\n" not in child.inbox:
        left = deadline - time.monotonic()
        if child.closed or child.ended or left < 0:
            child.kill()
            words = printable(child.output.decode(errors="replace")).split()
            said = " ".join(words[-WORDS:]) or f"it had {STARTING:.0f} s"
            hint = "; try --isolation process" if child.level == "full" else ""
            raise RefereeTrouble(f"a player's process did not start: {said}{hint}")
        child.wait(left)
    child.inbox.clear()


class Requests:
    """What a process is asked, one request after the other; `told` gets what it says before a reply."""

    def __init__(self, child: Child, told: Callable[..., None] = lambda *contents: None):
        self._child = child
        self._told = told
        self._number = 0

    def ask(self, call: str, *arguments: Any, look: Callable[[], None] = lambda: None) -> list[Any]:
        """The reply's kind and contents; `look` is called until then, and may raise something."""
        self._number += 1
        self._send(json.dumps([self._number, call, *arguments]).encode() + b"\n", look)
        child, is_over = self._child, False
        while True:
            while b"\n" in child.inbox:
                line, _, rest = bytes(child.inbox).partition(b"\n")
                child.inbox[:] = rest
                if reply := self._read(line):
                    return reply
            if is_over:
                raise NoReply
            child.wait(LOOK)
            is_over = child.closed or child.ended
            if b"\n" not in child.inbox:
                look()

    def _send(self, data: bytes, look: Callable[[], None]) -> None:
        while True:
            try:
                return self._child.send(data)
            except BlockingIOError:  # it does not read what it is asked
                self._child.wait(LOOK)
                look()
            except OSError:  # it has ended, which will be seen
                return

    def _read(self, line: bytes) -> list[Any] | None:
        """A reply; None for what comes before it, and for what somebody else wrote there."""
        with contextlib.suppress(ValueError, TypeError, RecursionError):
            number, kind, *contents = json.loads(line)
            if number == self._number and kind != "told":
                return [kind, *contents]
            if kind == "told":
                self._told(*contents)
        return None
