"""A player's processes on Linux: started, watched, charged, stopped and killed together, from outside.

A `Family` is a keeper (keeper.py), the player below it, and whatever the player starts.  All that
is known of them comes from the kernel, by CPU clocks, /proc (proc.py) and, where there is one, their control
group (cgroup.py), and nothing from themselves.  Its processes are forked from a launcher (launchers.py) or,
cold, from a new interpreter.
"""

import contextlib
import json
import os
import select
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from typing import Any

from referee import RefereeTrouble
from referee.isolation import cgroup, keepers, launchers, memory, proc, waiting
from referee.isolation.child import CHUNK, Child, Start, command, directory, environment
from referee.isolation.growth import Growth
from referee.isolation.keeper import PR_SET_CHILD_SUBREAPER, end_below, prctl, send_signal
from referee.isolation.launchers import Launcher
from referee.isolation.system_v import Made

CORES = os.cpu_count() or 1
NONE = -1  # in place of a descriptor
DYING = 5.0  # seconds that a killed process may take to be gone; freeing gigabytes takes part of one
KEEPER_ENDING = 2.0  # seconds for a keeper to end what is below it, and itself
ABORTING = 5.0  # seconds for a player to print where it was
SAYING_WHY = 1.0  # seconds to wait for the keeper's word on how the player ended
LAUNCHING = 0.2  # seconds between two looks whether a launcher that is silent is still there
DENIED = 0.2  # seconds to wait for the end of one that may not be killed
WOKEN = 0.002  # CPU seconds that a process has no use for until it hears that it is to stop
ROUNDS = 20  # of stopping helpers that start helpers
UNSEEN = 0.0002  # CPU seconds in which nothing can have grown much that runs alone


def works() -> bool:
    """Whether this system lets the referee do what is done here."""
    if sys.platform != "linux" or not os.path.exists(f"/proc/self/task/{os.getpid()}/children"):
        return False
    try:
        os.close(os.pidfd_open(os.getpid()))
        proc.clock(os.getpid())
        prctl(PR_SET_CHILD_SUBREAPER, 1)  # if a keeper is killed, what it kept falls to this process
    except OSError:
        return False
    return True


class Family(Child):
    """A keeper, its player, and the player's helpers: whatever else the player has started."""

    level = "process"
    not_enforced = (
        "players are not confined: they can read and write your files, use the network, "
        "and signal your other processes"
    )
    is_alone = False  # whether it can start no other process
    descriptors = 256  # that each of its processes may have open

    def __init__(self, start: Start):
        super().__init__(start)
        self._launcher: Launcher | None = None  # that its keeper is forked from
        self._keeper: subprocess.Popen[bytes] | keepers.Adopted | None = None  # once it is there
        self._keeper_pid = 0  # likewise
        self._keepers_end = NONE  # a descriptor that is ready when it has ended
        self._born = sys.maxsize  # when it started, in ticks
        self._is_closed = False
        self._player = 0  # its process id, once the keeper has told it
        self._told = self._told_of_keeper = proc.Kept("")  # the folders of both in /proc
        self._is_full = False  # the inbox, so that no more is taken
        self._status: int | None = None  # how it ended, once the keeper has told it
        self._helpers: set[int] = set()
        self._paused = False
        self._seen_at = 0.0  # what it had used when its memory was looked at last
        self._wakes = False  # whether it has been seen to go on though it was stopped: signals do not hold it
        self._stopped_at = 0.0  # what it had used when it was stopped last
        self._lock = threading.RLock()  # who stops it, who lets it go on, and who looks whether it is stopped
        self._denied: set[int] = set()  # processes that may not be signalled, since they run as another user
        self._growth: Growth | None = None  # of its memory, from `mark` on
        self._threads = 0  # of all its processes
        self._seconds: dict[tuple[int, int], float] = {}  # of each process, by number and start time
        self._gone = 0.0  # seconds that were not the player's own
        self._made = None if self.is_alone else Made()  # which stays when all its processes are gone
        self._group = cgroup.make()
        try:
            if not (start.is_cold or start.program):
                self._launcher = self._take_launcher()
            self._spawn()
        except RefereeTrouble:
            if self._launcher:
                launchers.give_back(self._launcher)
            if self._group:
                self._group.remove()
            raise

    # Talking

    def send(self, data: bytes) -> None:
        self._channel.sendall(data)

    def wait(self, seconds: float) -> None:
        if self._is_full and len(self.inbox) <= self.start.reply:  # it was judged, and may go on
            self._is_full = False
            self._poll.register(self._channel, select.POLLIN)
        launcher = self._launcher if not (self._keeper or self._is_closed) else None
        seconds = min(seconds, LAUNCHING) if launcher else seconds
        ready = [descriptor for descriptor, _ in self._poll.poll(seconds * 1000)]
        if self._link.fileno() in ready:  # first: it tells its number before it says anything
            self._listen()
        if launcher and not self._keeper:
            if self.lost or self._channel.fileno() in ready or not (ready or launcher.lives()):
                self._start_anew(launcher)
                return
        for descriptor in ready:
            if descriptor == self._keepers_end:
                self._lose(descriptor)
            elif descriptor == self._channel.fileno():
                self._receive()
            elif descriptor == self._printed:
                self._drain()
            elif self._player and descriptor == self._pidfd:
                self.ended = True
                self._poll.unregister(descriptor)

    def _receive(self) -> None:
        try:
            data = self._channel.recv(self.start.reply + 1)
        except BlockingIOError:
            return
        except ConnectionError:
            data = b""
        self.inbox += data
        self.closed = not data
        self._is_full = len(self.inbox) > self.start.reply  # enough to judge it
        if self.closed or self._is_full:
            self._poll.unregister(self._channel)

    def _drain(self) -> bool:
        """Read what was printed; whether there was something."""
        try:
            data = os.read(self._printed, CHUNK)
        except BlockingIOError:
            return False
        self.keep_output(data)
        if not data:
            with contextlib.suppress(KeyError):
                self._poll.unregister(self._printed)
        return bool(data)

    def _listen(self) -> None:
        """Keeper and player tell their numbers, later the keeper how it ended; the link closes with it.

        At `process` a player may take the link and write what it likes: the first number is the right one.
        """
        try:
            said = self._link.recv(CHUNK)
        except BlockingIOError:
            return
        except ConnectionError:
            said = b""
        if not said:
            self._lose(self._link.fileno())
        for who, number in keepers.read(said):
            match who:
                case "keeper" if not self._keeper:
                    self._keep_track_of(keepers.Adopted(number))
                case "player" if not self._player:
                    try:
                        self._pidfd = os.pidfd_open(number)
                    except ProcessLookupError:  # it is gone already, with its keeper
                        self.ended = True
                        continue
                    self._player = number
                    self._told = proc.Kept(f"/proc/{number}")
                    self._poll.register(self._pidfd, select.POLLIN)
                case "left":
                    self._denied.add(number)
                case "exit" | "signal" if self._status is None:
                    self._status = number if who == "exit" else -number

    def _lose(self, descriptor: int) -> None:
        """Its keeper is gone: the link has closed or, where a player holds that, its process has ended."""
        self.lost = self.closed = True
        with contextlib.suppress(KeyError):
            self._poll.unregister(descriptor)

    def _keep_track_of(self, keeper: "subprocess.Popen[bytes] | keepers.Adopted") -> None:
        self._keeper, self._keeper_pid = keeper, keeper.pid
        self._told_of_keeper = proc.Kept(f"/proc/{keeper.pid}")
        keepers.LIVING.add(keeper.pid)
        self._born = proc.started(keeper.pid)
        self._keepers_end = os.pidfd_open(keeper.pid)
        self._poll.register(self._keepers_end, select.POLLIN)

    # Stopping and going on

    def pause(self) -> None:
        with self._lock:
            self._paused = True
            self._stop()
            self._stopped_at = self.cpu
            self._drain()
        waiting.begin(self)

    def resume(self) -> None:
        waiting.end(self)
        with self._lock:
            if self._paused:
                self._measure_stolen()
                self._paused = False
                self._signal_helpers(signal.SIGCONT)
                self._signal(signal.SIGCONT)
                if self._group and self._wakes:
                    self._group.thaw()

    def look_while_paused(self) -> None:
        with self._lock:
            if self._paused and self._measure_stolen():
                self._wakes |= self.cpu - self._stopped_at > WOKEN
                self._stop()
                if self.allowed is not None and self.megabytes > self.allowed:
                    self._signal(signal.SIGKILL)

    def _measure_stolen(self) -> bool:
        """Whether it has gone on although it was stopped."""
        before = self.cpu
        if self._group or self.is_alone:
            self.tick()
        else:
            self.measure()  # it may have helpers that nobody has seen yet
        self.stolen += self.cpu - before
        return self.cpu > before

    def _stop(self) -> None:
        """Helpers before the player: one that traces it could keep the signal from it."""
        if self._group and self._wakes:
            self._group.freeze()
        self._signal(signal.SIGSTOP)
        self.measure()
        stopped: set[int] = set()
        for _ in range(ROUNDS):
            if self._helpers <= stopped:
                break
            self._signal_helpers(signal.SIGSTOP)
            stopped |= self._helpers
            self.measure()
        if stopped:
            self._signal(signal.SIGSTOP)

    def _signal(self, number: int) -> None:
        if self._player:
            try:
                signal.pidfd_send_signal(self._pidfd, number)
            except ProcessLookupError:
                pass
            except PermissionError:
                self._denied.add(self._player)

    def _signal_helpers(self, number: int) -> None:
        family = {self._keeper_pid, self._player, *self._helpers}
        for helper in self._helpers:
            send_signal(helper, number, family)

    # Measuring

    def mark(self) -> None:
        if self._group:
            if self._group.has(self._player):
                self._group.bound(self.allowed)
            else:  # the system did not let it in
                self._group.remove()
                self._group = None
        self.measure()
        self._growth = Growth(self._player, self._threads, self.cpu, self._group, self._made)
        self.megabytes = self.course_megabytes = 0.0

    def tick(self) -> None:
        if self._helpers:
            self.measure()
            return
        with contextlib.suppress(ProcessLookupError):
            self.cpu = max(self.cpu, proc.clock(self._player) + self._gone, self._group_seconds())

    def measure(self) -> None:
        if not self._keeper:
            return
        everyone = {self._player, *self._find_helpers()}
        self._helpers = everyone - {self._player}
        self._measure_cpu(everyone)
        self._measure_memory(self._told.read("status"))
        self._measure_starving()

    def _measure_starving(self) -> None:
        self.starved = max(self.starved, proc.starved(self._told.read("schedstat")))

    def _find_helpers(self) -> list[int]:
        """Parents before their children."""
        found = self._children(self._keeper_pid, self._told_of_keeper)
        for one in found:  # grows while it is walked
            found += self._children(one, self._told) if one == self._player else proc.children(one)
        return found

    def _children(self, pid: int, told: proc.Kept) -> list[int]:
        """As proc.children; each thread may have some, but one is all that most processes have."""
        with contextlib.suppress(ProcessLookupError):
            if proc.Stat(told.read("stat")).threads == 1:
                return [int(child) for child in told.read(f"task/{pid}/children").split()]
        return proc.children(pid)

    def _measure_cpu(self, everyone: set[int]) -> None:
        """Sums that each miss something, so the largest one counts.

        The clocks of all processes ever seen miss those that came and went between two looks.
        What is alive, with what it has waited for, misses those that nobody waited for, and
        what was waited for is told in whole ticks.  The group misses who has left it.
        """
        alive = proc.Stat(self._told_of_keeper.read("stat")).waited_for
        threads = 0
        for pid in everyone:
            try:
                stat = proc.Stat(self._told.read("stat") if pid == self._player else proc.stat(pid))
                seconds = proc.clock(pid)
            except ProcessLookupError:
                continue
            self._seconds[pid, stat.started] = seconds
            alive += seconds + stat.waited_for
            threads += stat.threads
        self._threads = threads
        self.parallel = max(1, min(CORES, threads))
        self.cpu = max(self.cpu, alive, sum(self._seconds.values()), self._group_seconds())
        own = (seconds for (pid, _), seconds in self._seconds.items() if pid == self._player)
        self._gone = self.cpu - sum(own)

    def _group_seconds(self) -> float:
        return self._group.seconds() if self._group else 0.0

    def _measure_memory(self, told: bytes) -> None:
        if self._group and self._group.ran_out() and self.allowed is not None:
            self.megabytes = max(self.megabytes, self.allowed + cgroup.SLACK)
        if self._growth:
            self._growth.look(told, self._helpers, self._threads, self.cpu)
            self.headless = self._growth.headless
            self.megabytes = max(self.megabytes, self._growth.megabytes)
            self.course_megabytes = self._growth.space

    # Ending

    def abort(self) -> None:
        self.resume()
        self.measure()
        self._signal_helpers(signal.SIGABRT)  # it may wait for one
        self._signal(signal.SIGABRT)
        deadline = time.monotonic() + ABORTING
        while not (self.ended or self.lost) and (left := deadline - time.monotonic()) > 0:
            self.wait(left)
        while self._drain():
            pass

    def kill(self) -> None:
        waiting.end(self)
        with self._lock:
            self._paused = False
        if self._made:
            self._made.find({self._player, *self._helpers})
        if self._group:
            self._group.kill()
        self._signal(signal.SIGKILL)
        if self._keeper:
            self._denied |= end_below(self._keeper.pid)
        deadline = time.monotonic() + (DENIED if self._player in self._denied else DYING)
        while self._player and not self.ended and (left := deadline - time.monotonic()) > 0:
            self.wait(left)
        while self._drain():
            pass
        self.measure()

    def status(self) -> int | None:
        deadline = time.monotonic() + SAYING_WHY
        while self._status is None and not self.lost and (left := deadline - time.monotonic()) > 0:
            self.wait(left)
        return self._status

    def unknown_end(self) -> str:
        return "its keeper was killed" if self.lost else "ended, and its keeper does not say how"

    def finish(self) -> None:
        with contextlib.suppress(OSError):
            self._channel.shutdown(socket.SHUT_WR)

    def helpers(self) -> int:
        helpers = set(self._find_helpers()) - {self._player}
        return sum(proc.state(pid) not in ("", "Z") for pid in helpers)

    def close(self) -> None:
        if self._is_closed:
            return
        self._is_closed = True
        with contextlib.suppress(OSError):  # out of descriptors: the keeper does it just as well
            self._await_keeper()
            self.kill()
        self._channel.close()  # so that there is a descriptor to wait for the keeper with
        self._link.shutdown(socket.SHUT_WR)  # the keeper takes this for the end of everything below it
        if self._keeper:
            is_lost = self.lost
            if not keepers.ends(self._keeper.pid, KEEPER_ENDING):  # somebody has stopped it
                is_lost = True
                self._keeper.kill()
            self._keeper.wait()
            keepers.LIVING.discard(self._keeper.pid)
            # What it could not kill: this process may have looked for it just while it passed to the keeper.
            self._listen()
            if is_lost or self._denied:
                self._denied |= keepers.end_orphans(self._born)
        if self._launcher:
            launchers.give_back(self._launcher)
        if self._group:
            self._group.remove()
        if self._made:
            self._made.remove()
        self._close_channels()
        if self._player:
            os.close(self._pidfd)
        for pid in self._denied:
            if proc.state(pid) not in ("", "Z") and proc.started(pid) >= self._born:
                _warn(f"process {pid}, which a player has started, cannot be killed: it runs as another user")

    # Starting

    def _take_launcher(self) -> Launcher | None:
        try:
            return launchers.take(self._environment(), self.start.is_plain)
        except OSError as error:
            raise RefereeTrouble(f"a player's process cannot be started: {error}") from None

    def _environment(self) -> Mapping[str, str]:
        return environment() if self.start.environment is None else self.start.environment

    def _spawn(self) -> None:
        self._poll = select.poll()
        with contextlib.ExitStack() as ours, contextlib.ExitStack() as theirs:
            try:
                self._channel, far_channel = socket.socketpair()
                ours.callback(self._channel.close)
                # What a player marks as urgent comes as all else; it could not be read, yet would be waiting.
                self._channel.setsockopt(socket.SOL_SOCKET, socket.SO_OOBINLINE, 1)
                theirs.callback(far_channel.close)
                self._link, far_link = socket.socketpair()
                ours.callback(self._link.close)
                self._link.setsockopt(socket.SOL_SOCKET, socket.SO_OOBINLINE, 1)
                theirs.callback(far_link.close)
                self._printed, far_output = os.pipe()
                ours.callback(os.close, self._printed)
                theirs.callback(os.close, far_output)
                self._link.sendall(json.dumps(self._job()).encode() + b"\n")
                self._start_keeper(far_channel, far_output, far_link)
            except OSError as error:
                raise RefereeTrouble(f"a player's process cannot be started: {error}") from None
            ours.pop_all()
        self._channel.setblocking(False)
        self._link.setblocking(False)
        os.set_blocking(self._printed, False)
        for readable in (self._channel, self._printed, self._link):
            self._poll.register(readable, select.POLLIN)

    def _job(self) -> dict[str, Any]:
        return {
            "folder": directory(self.start.folder),
            "descriptors": self.descriptors,
            "group": self._group.path if self._group else "",
            "temporary": self.start.temporary,
            "player": self.options(),
        }

    def _start_keeper(self, channel: socket.socket, output: int, link: socket.socket) -> None:
        if self._launcher:
            self._launcher.fork(channel.fileno(), output, link.fileno())
            return
        keeper = subprocess.Popen(
            command("keeper", str(link.fileno())),
            stdin=channel.fileno(),
            stdout=channel.fileno(),
            stderr=output,
            pass_fds=[link.fileno()],
            cwd="/",
            env=dict(self._environment()),
            start_new_session=True,
        )
        self._keep_track_of(keeper)

    def _start_anew(self, launcher: Launcher) -> None:
        """The launcher has ended, or was stopped, before there was a keeper."""
        launchers.give_up(launcher)
        self._launcher = self._take_launcher()
        self.lost = self.closed = False
        self._close_channels()
        self._spawn()

    def _await_keeper(self) -> None:
        """Where it is still to start, it must not start later, when nobody would know of it."""
        if self._launcher and not self._keeper:
            self._launcher.end(at_once=True)
            while not (self._keeper or self.lost):
                self.wait(KEEPER_ENDING)

    def _close_channels(self) -> None:
        self._channel.close()
        self._link.close()
        os.close(self._printed)
        if self._keepers_end != NONE:
            os.close(self._keepers_end)
        self._told.close()
        self._told_of_keeper.close()


class Confined(Family):
    """A family of one: its player may start nothing, and see and write nothing of its surroundings."""

    level = "full"
    not_enforced = ""
    is_alone = True
    descriptors = 64

    def _stop(self) -> None:
        if self._group and self._wakes:
            self._group.freeze()
        self._signal(signal.SIGSTOP)
        self.tick()
        if self.cpu - self._seen_at >= UNSEEN:
            self.measure()

    def tick(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            self.cpu = max(self.cpu, proc.clock(self._player))  # which says all

    def measure(self) -> None:
        if self._player:
            self.tick()
            self._seen_at = self.cpu
            told = self._told.read("status")
            self._threads = memory.threads_in(told)
            self.parallel = max(1, min(CORES, self._threads))
            self._measure_memory(told)
            self._measure_starving()

    def _find_helpers(self) -> list[int]:
        return []


def _warn(sentence: str) -> None:
    """Tell the user; the game goes on."""
    with contextlib.suppress(OSError, AttributeError):
        print(f"referee: warning: {sentence}", file=sys.stderr, flush=True)
