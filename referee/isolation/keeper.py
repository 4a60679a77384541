"""A small process beside each player that ends all it has started, even if the referee was killed.

The referee starts this file in an interpreter of its own.  It forks at once: the child becomes the
player (far_end.py), in the control group that it is told, if there is one; the parent keeps it.  Being a
*child subreaper* the keeper inherits every orphan among the player's processes, also those that called
setsid.  It waits for one of two things: the referee's end of the link closing, because the referee is done or
dead (even by SIGKILL), whereupon it ends every process below it, removes what the player was unpacked into
and the group, and ends itself; and the player's own end, which it tells the referee but does not reap, so
that the player's CPU clock stays readable.
Everything else (clocks, limits, stopping, killing) the referee does itself, from outside: a keeper
that a player has stopped or killed costs the referee nothing but the player's exit status.
"""

import contextlib
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
REMOVING = 1.0  # seconds for what was killed to be out of its control group

# What a player may hold: sockets and pipes keep what was written into them, and so do signals that wait.
BOUNDS = {
    resource.RLIMIT_CORE: 0,
    resource.RLIMIT_SIGPENDING: 64,
    resource.RLIMIT_MSGQUEUE: 0,
    resource.RLIMIT_MEMLOCK: 0,
}


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


def state(pid: int) -> str:
    """One letter: `R` runs, `S` and `D` wait, `T` and `t` are stopped, `Z` has ended; "" if it is gone."""
    return read(f"/proc/{pid}/stat").rpartition(b")")[2][1:2].decode()


def send_signal(pid: int, number: int, family: set[int]) -> bool:
    """Signal the process unless its number has passed to a stranger: its parent must be of the family.

    False where the system forbids it: the process runs a program that has made it another user's.
    """
    try:
        descriptor = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        if parent(pid) in family:
            signal.pidfd_send_signal(descriptor, number)
    except ProcessLookupError:
        pass
    except PermissionError:
        return False
    finally:
        os.close(descriptor)
    return True


def end_below(pid: int) -> set[int]:
    """Kill everything below the process: stopped first, so that a family that keeps forking is caught.

    Those that the system does not let us kill are returned.
    """
    for number in (signal.SIGSTOP, signal.SIGKILL):
        below = descendants(pid)
        family = {pid, *below}
        denied = {one for one in below if not send_signal(one, number, family)}
    return denied


def remove_group(path: str) -> None:
    """Remove a control group and those in it, once what was killed there is gone."""
    deadline = time.monotonic() + REMOVING
    while os.path.isdir(path):
        with contextlib.suppress(OSError):
            os.rmdir(path)  # which takes no descriptor, where those are used up
        for folder, _, _ in os.walk(path, topdown=False):
            with contextlib.suppress(OSError):
                os.rmdir(folder)
        if time.monotonic() > deadline:
            return
        if os.path.isdir(path):
            time.sleep(0.001)


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


def _behave_as_usual() -> None:
    """Signals as a program finds them that is started by hand: what this one was to ignore is not ignored."""
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    for number in signal.valid_signals() - {signal.SIGPIPE, signal.SIGXFSZ}:  # which Python ignores
        if signal.getsignal(number) == signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)


def _become_player(keeper: int, worker: str, group: str, descriptors: int) -> None:
    if group:
        with contextlib.suppress(OSError), open(f"{group}/cgroup.procs", "w", encoding="ascii") as file:
            file.write("0")
    os.setsid()
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != keeper:  # it died before this process could ask to die with it
        os._exit(1)
    for limit, most in {**BOUNDS, resource.RLIMIT_NOFILE: descriptors}.items():
        _, hard = resource.getrlimit(limit)
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(limit, (most, most))
    # Where memory runs out for the whole machine, the player goes before the referee.
    with open("/proc/self/oom_score_adj", "w", encoding="ascii") as file:
        file.write("1000")
    runpy.run_path(worker, run_name="__main__")


def main() -> None:
    """Become two processes; neither returns."""
    group, descriptors = sys.argv.pop(2), int(sys.argv.pop(2))
    link, worker, temporary = socket.socket(fileno=int(sys.argv[1])), sys.argv[2], sys.argv[3]
    _behave_as_usual()
    prctl(PR_SET_CHILD_SUBREAPER, 1)
    keeper = os.getpid()
    player = os.fork()
    if player == 0:
        link.sendall(b"%d\n" % os.getpid())
        link.close()
        _become_player(keeper, worker, group, descriptors)
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
    if group:
        with contextlib.suppress(OSError), open(f"{group}/cgroup.kill", "w", encoding="ascii") as file:
            file.write("1")
    while _reap():
        denied = end_below(os.getpid())
        left = {pid for pid in descendants(os.getpid()) if state(pid) not in ("", "Z")}
        if left and left <= denied:  # the referee says so
            break
        time.sleep(0.0005)
    if temporary:
        removing = os.path.join(os.path.dirname(os.path.dirname(__file__)), "players", "removing.py")
        runpy.run_path(removing)["remove"](temporary)
    if group:
        remove_group(group)
    os._exit(0)


if __name__ == "__main__":
    main()
