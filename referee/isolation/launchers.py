"""Keeps launchers: processes with Python and numpy loaded, from which players are forked (launcher.py).

The referee's own players are forked from launchers without numpy, which is most of what one takes to start.

A launcher serves one player at a time, so that no two players of a match share the hashes of strings or where
things lie in memory; and it is replaced after some, so that those are new now and then.  One without numpy
serves any number at a time: the referee's own players, and a package that `check` lets play with itself.
Where a launcher does not start, or cannot fork without harm, players are started anew instead.
"""

import atexit
import contextlib
import os
import socket
import subprocess
import threading
from collections.abc import Mapping

from referee.isolation import proc
from referee.isolation.child import command

STARTS = 50  # of players, by one launcher
ENDING = 2.0  # seconds for a launcher to end by itself; somebody may have stopped it
IDLE = 4  # launchers that wait for another player


class Launcher:
    """One of these processes.  It ends when this end of its link closes, also by the end of this process."""

    def __init__(self, environment: Mapping[str, str], is_plain: bool = False):
        self.made_of = _made_of(environment, is_plain)
        self.starts = self.serving = 0  # players in all, and those that live
        self._link, far_link = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        try:
            near_output, far_output = os.pipe()
            os.close(near_output)
            try:
                self._process = subprocess.Popen(
                    _command(is_plain),
                    stdin=far_link.fileno(),
                    stdout=far_link.fileno(),
                    stderr=far_output,
                    cwd="/",
                    env=dict(environment),
                    start_new_session=True,
                )
            finally:
                os.close(far_output)
        except BaseException:
            self._link.close()
            raise
        finally:
            far_link.close()
        self.pid = self._process.pid
        _started.add(self.pid)

    def fork(self, channel: int, output: int, link: int) -> None:
        """Start a keeper and its player with these descriptors; OSError where the launcher has ended.

        It may still be starting: the keeper speaks when it is there, or its link closes.
        """
        self.starts += 1
        socket.send_fds(self._link, [b"+"], [channel, output, link])

    def lives(self) -> bool:
        """Whether it can start another player; one that was not confined may have stopped or traced it."""
        return self._process.poll() is None and proc.state(self.pid) not in ("T", "t")

    def end(self, at_once: bool = False) -> None:
        """End it; `at_once` also where it is still starting."""
        self._link.close()
        if self.lives() and not at_once:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(ENDING)
        self._process.kill()
        self._process.wait()
        if not self.serving:  # else keepers are in its session
            _started.discard(self.pid)


_lock = threading.Lock()
_idle: list[Launcher] = []
_shared: list[Launcher] = []  # those that serve some players and could serve more
_started: set[int] = set()  # in whose sessions keepers are, or may be soon
_failed: list[object] = []  # what those were made of that ended before they started a player


def take(environment: Mapping[str, str], is_plain: bool = False) -> Launcher | None:
    """A launcher of that environment for one player; None where there are none to be had."""
    made_of = _made_of(environment, is_plain)
    if made_of in _failed:
        return None
    with _lock:
        gone = [launcher for launcher in _idle if not launcher.lives()]
        _idle[:] = [launcher for launcher in _idle if launcher not in gone]
    for launcher in gone:
        launcher.end()
    with _lock:
        _shared[:] = [launcher for launcher in _shared if launcher.starts < STARTS and launcher.lives()]
        fitting = [launcher for launcher in _shared + _idle if launcher.made_of == made_of]
        taken = fitting[0] if fitting else Launcher(environment, is_plain)
        if taken in _idle:
            _idle.remove(taken)
        if is_plain and taken not in _shared:
            _shared.append(taken)
        taken.serving += 1
        return taken


def give_back(launcher: Launcher) -> None:
    """One of its players is gone."""
    with _lock:
        launcher.serving -= 1
        if launcher.serving:
            return
        if launcher in _shared:
            _shared.remove(launcher)
        ending = [launcher]
        if launcher.starts < STARTS and launcher.lives():
            _idle.append(launcher)
            ending = [_idle.pop(0)] if len(_idle) > IDLE else []
    for one in ending:
        one.end()


def give_up(launcher: Launcher) -> None:
    """It has not started a player that it was to; if that was its first, others like it will not either."""
    with _lock:
        launcher.serving -= 1
    if launcher.starts <= 1:
        _failed.append(launcher.made_of)
    launcher.end()


def end_idle() -> None:
    """End those that wait."""
    with _lock:
        ending = _idle[:]
        _idle.clear()
    for launcher in ending:
        launcher.end()


def sessions() -> set[int]:
    """The sessions that launchers and keepers are in."""
    return set(_started)


def _made_of(environment: Mapping[str, str], is_plain: bool) -> object:
    return _command(is_plain), dict(environment)


def _command(is_plain: bool) -> list[str]:
    return command("launch", *["plain"] * is_plain)


def _forget() -> None:
    """In a copy of this process: the launchers are not its own."""
    for launcher in _idle + _shared:
        with contextlib.suppress(OSError):
            launcher._link.close()
    _idle.clear()
    _shared.clear()


atexit.register(end_idle)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
