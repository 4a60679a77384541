"""A player's keeper: a small process that outlives the referee, so that nothing of the player's does.

The referee starts this file in an interpreter of its own.  It forks at once: the child becomes the
player (worker.py), the parent keeps it.  Being a *child subreaper* the keeper inherits every
orphan among the player's processes, also those that called setsid.  It waits for one of two
things: the referee's end of the link closing, because the referee is done or dead (even by
SIGKILL), whereupon it ends every process below it, removes
what the player was unpacked into, and ends itself; and the player's own end,
which it tells the referee but does not reap, so that the player's CPU clock stays readable.
Everything else (clocks, limits, stopping, killing) the referee does itself, from outside: a keeper
that a player has stopped or killed costs the referee nothing but the player's exit status.
"""

import ctypes
import os
import resource
import runpy
import select
import signal
import socket
import sys
import time

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
REAPING = 1.0  # seconds between two looks for orphans that have ended


def prctl(option: int, value: int) -> None:
    """Set a property of this process that Python has no name for."""
    library = ctypes.CDLL(None, use_errno=True)
    if library.prctl(*map(ctypes.c_ulong, (option, value, 0, 0, 0))) != 0:
        raise OSError(ctypes.get_errno(), f"prctl({option}) failed")


def die_with_parent() -> None:
    """End this process when the thread ends that started it."""
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def read(path: str) -> bytes:
    """A file of /proc; nothing if its process is gone."""
    try:
        with open(path, "rb") as file:
            return file.read()
    except (FileNotFoundError, ProcessLookupError):
        return b""


def children(pid: int) -> list[int]:
    """The process's children, those that ended unreaped included; none if it is gone itself."""
    try:
        threads = os.listdir(f"/proc/{pid}/task")
    except (FileNotFoundError, ProcessLookupError):
        return []
    return [int(child) for thread in threads for child in read(f"/proc/{pid}/task/{thread}/children").split()]


def descendants(pid: int) -> list[int]:
    """All processes below this one, parents before their children."""
    found = children(pid)
    for one in found:  # grows while it is walked
        found += children(one)
    return found


def parent(pid: int) -> int:
    """The process's parent; 0 if the process is gone."""
    fields = read(f"/proc/{pid}/stat").rpartition(b")")[2].split()
    return int(fields[1]) if fields else 0


def send_signal(pid: int, number: int, family: set[int]) -> None:
    """Signal the process unless its number has passed to a stranger: its parent must be of the family."""
    try:
        descriptor = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    try:
        if parent(pid) in family:
            signal.pidfd_send_signal(descriptor, number)
    except (ProcessLookupError, PermissionError):
        pass
    finally:
        os.close(descriptor)


def end_below(pid: int) -> None:
    """Kill everything below the process: stopped first, so that a family that keeps forking is caught."""
    for number in (signal.SIGSTOP, signal.SIGKILL):
        below = descendants(pid)
        family = {pid, *below}
        for one in below:
            send_signal(one, number, family)


def _reap(but: int | None = None) -> bool:
    """Reap the children that have ended; whether there were any children at all."""
    mine = children(os.getpid())
    for pid in mine:
        if pid != but:
            os.waitpid(pid, os.WNOHANG)
    return bool(mine)


def _keep(link: socket.socket, player: int) -> None:
    ended = os.pidfd_open(player)
    poll = select.poll()
    poll.register(link, select.POLLIN)
    poll.register(ended, select.POLLIN)
    while True:
        events = [descriptor for descriptor, _ in poll.poll(REAPING * 1000)]
        if link.fileno() in events:
            return
        if ended in events:
            poll.unregister(ended)
            status = os.waitid(os.P_PID, player, os.WEXITED | os.WNOWAIT)
            how = b"exit" if status.si_code == os.CLD_EXITED else b"signal"
            link.sendall(b"%s %d\n" % (how, status.si_status))
        _reap(but=player)


def _become_player(keeper: int, worker: str) -> None:
    os.setsid()
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != keeper:  # it died before this process could ask to die with it
        os._exit(1)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    # Where memory runs out for the whole machine, the player goes before the referee.
    with open("/proc/self/oom_score_adj", "w") as file:
        file.write("1000")
    runpy.run_path(worker, run_name="__main__")


def main() -> None:
    """Become two processes; neither returns."""
    link, worker, temporary = socket.socket(fileno=int(sys.argv[1])), sys.argv[2], sys.argv[3]
    prctl(PR_SET_CHILD_SUBREAPER, 1)
    keeper = os.getpid()
    player = os.fork()
    if player == 0:
        link.sendall(b"%d\n" % os.getpid())
        link.close()
        _become_player(keeper, worker)
        os._exit(0)
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):  # the player's channel and output must close with the player
        os.dup2(nothing, descriptor)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    try:
        _keep(link, player)
    except OSError:  # the referee went in the middle of a message
        pass
    while _reap():
        end_below(os.getpid())
        time.sleep(0.0005)
    if temporary:
        runpy.run_path(os.path.join(os.path.dirname(__file__), "removing.py"))["remove"](temporary)
    os._exit(0)


if __name__ == "__main__":
    main()
