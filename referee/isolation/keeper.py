"""A small process beside each player that ends all it has started, even if the referee was killed.

launcher.py starts it, as a child of the referee's, and it forks at once: its child becomes the player
(far_end.py), in the control group that it is told, if there is one, and it keeps that child.  Being a
*child subreaper* the keeper inherits every orphan among the player's processes, also those that called
setsid.  It waits for one of two things: the referee's end of the link closing, because the referee is done or
dead (even by SIGKILL), whereupon it ends every process below it, removes what the player was unpacked into
and the group, and ends itself; and the player's own end, which it tells the referee but does not reap, so
that the player's CPU clock stays readable.
Everything else (clocks, limits, stopping, killing) the referee does itself, from outside: a keeper
that a player has stopped or killed costs the referee nothing but the player's exit status.

The referee writes one line of JSON into the link, which says what is to be kept:

    {"folder": where the player runs, "descriptors": how many it may have open, "group": "" or its folder,
     "temporary": "" or a folder that goes with the player, "player": what its process is told}

and reads lines there: `keeper 4711`, `player 4712`, once it has ended `exit 3` or `signal 9`, and at the very
end `left 4713` for each process that the system does not let the keeper kill.
"""

import contextlib
import ctypes
import errno
import functools
import json
import os
import resource
import runpy
import select
import signal
import socket
import time
import traceback
from collections.abc import Callable
from typing import Any, NoReturn

from . import proc, system_v
from .confinement import rights

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
CLONE = {"x86_64": 56, "aarch64": 220}
CLONE_PARENT = 0x8000
REAPING = 1.0  # seconds between two looks for orphans that have ended
CHUNK = 65536  # bytes read at once
REMOVING = 1.0  # seconds for what was killed to be out of its control group

# What a player may hold: sockets and pipes keep what was written into them, and so do signals that wait.
# And it may not run before the referee, which could look at it no more.
BOUNDS = {
    resource.RLIMIT_CORE: 0,
    resource.RLIMIT_SIGPENDING: 64,
    resource.RLIMIT_MSGQUEUE: 0,
    resource.RLIMIT_MEMLOCK: 0,
    resource.RLIMIT_NICE: 0,
    resource.RLIMIT_RTPRIO: 0,
}


@functools.cache
def _library() -> ctypes.CDLL:
    return ctypes.PyDLL(None, use_errno=True)  # whose calls keep the interpreter's lock, also in a copy


def fork_beside() -> int:
    """Fork a process that is no child of this one, but of this one's parent; its number, 0 in the new one.

    To be called where there is one thread.  The C library knows nothing of it, and what it keeps of the
    thread's number is right again in what the new process forks.
    """
    number = CLONE.get(os.uname().machine)
    if number is None:
        raise OSError(errno.ENOSYS, "there is no number of clone for this machine")
    arguments = number, CLONE_PARENT | signal.SIGCHLD, 0, 0, 0, 0
    pid = int(_library().syscall(*map(ctypes.c_long, arguments)))
    if pid < 0:
        raise OSError(ctypes.get_errno(), "clone failed")
    return pid


def prctl(option: int, value: int) -> None:
    """Set a property of this process that Python has no name for."""
    if _library().prctl(*map(ctypes.c_ulong, (option, value, 0, 0, 0))) != 0:
        raise OSError(ctypes.get_errno(), f"prctl({option}) failed")


def die_with_parent() -> None:
    """End this process when the thread ends that started it."""
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def send_signal(pid: int, number: int, family: set[int]) -> bool:
    """Signal the process unless its number has passed to a stranger: its parent must be of the family.

    False where the system forbids it: the process runs a program that has made it another user's.
    """
    try:
        descriptor = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        if proc.parent(pid) in family:
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
        below = proc.descendants(pid)
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
    mine = proc.children(os.getpid())
    for pid in mine:
        if pid != but:
            os.waitpid(pid, os.WNOHANG)
    return bool(mine)


def _watch(link: socket.socket, player: int) -> None:
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
            if status := os.waitid(os.P_PID, player, os.WEXITED | os.WNOWAIT):
                how = b"exit" if status.si_code == os.CLD_EXITED else b"signal"
                link.sendall(b"%s %d\n" % (how, status.si_status))
        _reap(but=player)


def behave_as_usual() -> None:
    """Signals as a program finds them that is started by hand: what this one was to ignore is not ignored."""
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    for number in signal.valid_signals() - {signal.SIGPIPE, signal.SIGXFSZ}:  # which Python ignores
        if signal.getsignal(number) == signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)


def _become_player(keeper: int, job: dict[str, Any]) -> None:
    if job["group"]:
        _write(f"{job['group']}/cgroup.procs", "0")
    os.setsid()
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != keeper:  # it died before this process could ask to die with it
        os._exit(1)
    for limit, most in {**BOUNDS, resource.RLIMIT_NOFILE: job["descriptors"]}.items():
        _, hard = resource.getrlimit(limit)
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(limit, (most, most))
    rights.give_up(_library(), rights.SYS_NICE, rights.SYS_RESOURCE)
    # Where memory runs out for the whole machine, the player goes before the referee.
    with open("/proc/self/oom_score_adj", "w", encoding="ascii") as file:
        file.write("1000")
    os.chdir(job["folder"])


def _write(path: str, text: str) -> None:
    with contextlib.suppress(OSError), open(path, "w", encoding="ascii") as file:
        file.write(text)


def _job(link: socket.socket) -> dict[str, Any]:
    line = b""
    while not line.endswith(b"\n"):
        more = link.recv(CHUNK)
        if not more:
            os._exit(1)
        line += more
    return json.loads(line)


def keep(link: socket.socket, become: Callable[[dict[str, Any]], NoReturn]) -> NoReturn:
    """Become two processes, neither of which returns; the player's goes on in `become`.

    The player's channel is on the descriptors 0 and 1, its output on 2.
    """
    job = _job(link)
    made = system_v.Made()
    prctl(PR_SET_CHILD_SUBREAPER, 1)
    keeper = os.getpid()
    link.sendall(b"keeper %d\n" % keeper)
    player = os.fork()
    if player == 0:
        link.sendall(b"player %d\n" % os.getpid())
        link.close()
        try:
            _become_player(keeper, job)
            become(job["player"])
        except BaseException:
            traceback.print_exc()
        os._exit(1)
    _forget_the_player()
    try:
        _watch(link, player)
    except OSError:  # the referee went in the middle of a message
        pass
    _end(link, job["group"], job["temporary"], made)


def _forget_the_player() -> None:
    """Its channel and output must close with it; and a keeper is not ended by what ends a referee."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nothing, descriptor)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)


def _end(link: socket.socket, group: str, temporary: str, made: system_v.Made) -> NoReturn:
    made.find(proc.descendants(os.getpid()))
    if group:
        _write(f"{group}/cgroup.kill", "1")
    while _reap():
        denied = end_below(os.getpid())
        left = {pid for pid in proc.descendants(os.getpid()) if proc.state(pid) not in ("", "Z")}
        if left and left <= denied:
            with contextlib.suppress(OSError):  # there may be no referee any more
                link.sendall(b"".join(b"left %d\n" % pid for pid in left))
            break
        time.sleep(0.0005)
    made.remove()
    if temporary:
        removing = os.path.join(os.path.dirname(os.path.dirname(__file__)), "players", "removing.py")
        runpy.run_path(removing)["remove"](temporary)
    if group:
        remove_group(group)
    os._exit(0)
