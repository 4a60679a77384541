"""Keepers as their referee sees them: which live, when one has ended, and what a lost one leaves behind."""

import contextlib
import os
import re
import select
import signal
from collections.abc import Iterator

from referee.isolation import launchers, proc
from referee.isolation.keeper import end_below

LIVING: set[int] = set()  # those of this process, to tell them from orphans
LINE = re.compile(rb"(keeper|player|exit|signal|left) ([0-9]{1,9})")


def read(said: bytes) -> Iterator[tuple[str, int]]:
    """What came from a keeper, line by line; other lines, which somebody else has written, are left out."""
    for line in said.split(b"\n"):
        if found := LINE.fullmatch(line):
            yield found[1].decode(), int(found[2])


class Adopted:
    """A keeper that a launcher has started: it is this process's child since who started it has ended."""

    def __init__(self, pid: int):
        self.pid = pid

    def kill(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)

    def wait(self) -> None:
        with contextlib.suppress(ChildProcessError):
            os.waitpid(self.pid, 0)


def ends(pid: int, seconds: float) -> bool:
    """Wait for a child of this process to end; whether it does in time."""
    descriptor = os.pidfd_open(pid)
    try:
        poll = select.poll()
        poll.register(descriptor, select.POLLIN)
        return bool(poll.poll(seconds * 1000))
    finally:
        os.close(descriptor)


def end_orphans(born: int) -> set[int]:
    """Kill what a lost keeper has left to this process; those that may not be killed are returned.

    Such an orphan is a child that is no keeper, is of another session than this process and the launchers (a
    player can found one but not come back to theirs) and has started since the keeper did: at `born`.
    """
    ours = {os.getsid(0), *launchers.sessions()}
    denied: set[int] = set()
    while True:
        strangers = set(proc.children(os.getpid())) - LIVING
        orphans = {pid for pid in strangers if os.getsid(pid) not in ours}
        orphans = {pid for pid in orphans - denied if proc.started(pid) >= born}
        if not orphans:
            return denied
        for pid in orphans:
            denied |= end_below(pid)
            try:
                os.kill(pid, signal.SIGKILL)
            except PermissionError:
                denied.add(pid)
                continue
            os.waitpid(pid, 0)
