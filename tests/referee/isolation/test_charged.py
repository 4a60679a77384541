"""What a player is charged besides: memory that is not its own, time while it is stopped; and odd starts."""

import contextlib
import ctypes
import fcntl
import json
import mmap
import os
import re
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from dataclasses import replace

import pytest

from referee.isolation import cgroup, keeper, memory, opened, proc, system_v
from referee.isolation.allowance import Allowance
from referee.isolation.process import Fault, PlayerProcess
from referee.players import names
from tests.support.arena import (  # noqa: F401
    OPPONENT,
    PLAYERS,
    ROOT,
    USUAL,
    Printed,
    check_the_opponent_is_undisturbed,
    nothing_is_left_behind,
    one,
    play,
    ready,
)
from tests.support.samples import few

WAKERS = ["wakes_itself", "wakes_itself_in_a_thread", "is_woken_by_a_child", "is_traced_by_a_child"]


@pytest.fixture(params=["with", "without"])
def groups(request, monkeypatch):
    """With control groups, where this system has any, and without."""
    if request.param == "without":
        monkeypatch.setattr(cgroup, "make", lambda: None)


@pytest.mark.parametrize("level", ["full", "process"])
@pytest.mark.parametrize(
    "name, megabytes", [("fills_sockets", 5), ("fills_page_tables", 20), ("cuts_up_its_memory", 15)]
)
def test_what_the_kernel_keeps_for_a_player_is_the_players_memory(name, megabytes, level):
    result = play(name, replace(USUAL, action=9.0, megabytes=megabytes), level=level)
    assert (result.ending, result.at_fault) == ("out of memory", (0,)), result.reason
    check_the_opponent_is_undisturbed(result, 0)


def test_what_an_unconfined_player_has_open_is_its_memory_as_well():
    limits = replace(USUAL, action=9.0, megabytes=30)
    for result in (
        play("fills_connections", limits, level="process"),
        play("fills_large_pipes", limits, level="process"),
        play("fills_epolls", limits, level="process"),
        play("fills_terminals", limits, level="process"),
        play("watches_files", replace(limits, megabytes=12), level="process"),
    ):
        assert (result.ending, result.at_fault) == ("out of memory", (0,)), result.reason
        check_the_opponent_is_undisturbed(result, 0)


@pytest.mark.parametrize("level", ["full", "process"])
def test_a_process_without_its_first_thread_is_ended_whatever_it_answers(level, groups):
    result = play("ends_its_first_thread:Modest", OPPONENT, level=level)
    # Its answer may be there before its first thread is seen to be gone.
    assert result.ending == "crashed" and result.call in ("action", "update")
    assert "its first thread ended while others went on" in result.reason
    check_the_opponent_is_undisturbed(result, 0)


@pytest.mark.parametrize("level", ["full", "process"])
def test_a_process_that_ends_with_all_its_threads_has_ended_of_itself(level, tmp_path):
    (tmp_path / "leaves.py").write_text(
        "import os, threading, time\n"
        "class Player:\n"
        "    def __init__(self, colour):\n"
        "        for _ in range(50):\n"
        "            threading.Thread(target=time.sleep, args=(60,), daemon=True).start()\n"
        "    def action(self):\n"
        "        os._exit(7)\n"
    )
    spec = names.resolve(str(tmp_path / "leaves.py"))
    with PlayerProcess(spec, "A", "", replace(OPPONENT, isolation=level)) as player:
        ready(player)
        with pytest.raises(Fault, match="ended with exit status 7"):
            player.action()


@pytest.mark.parametrize("name", ["grows_in_a_child_that_hides", "grows_in_a_child_without_its_first_thread"])
def test_memory_of_helpers_that_hide_is_charged_without_groups_as_well(name, groups):
    result = play(name, OPPONENT, level="process")
    assert (result.ending, result.call) == ("out of memory", "action"), result.reason
    check_the_opponent_is_undisturbed(result, 0)


def test_memory_that_a_player_has_in_common_with_its_helpers_counts_once():
    limits = replace(USUAL, action=20.0)
    for result in (
        play("starts_programs", limits, level="process"),
        play("starts_programs:Forked", limits, level="process"),
    ):
        assert result.ending == "finished" and 50 < result.megabytes[0] < 90, (
            result.reason,
            result.megabytes,
        )
    result = play("starts_programs:Written", limits, level="process")
    assert (result.ending, result.at_fault) == ("out of memory", (0,)), result.reason


@pytest.mark.parametrize(
    "name, wall",
    [(name, wall) for wall in (False, True) for name in (few(WAKERS[:1], WAKERS) if wall else WAKERS)],
)
def test_who_wakes_itself_on_the_opponents_time_pays_for_it(name, wall, groups):
    printed = Printed()
    limits = Allowance(action=60.0, megabytes=100, wall=wall)
    result = play(name, limits, opponent="naps:Short", watchers=[printed], level="process")
    assert result.ending == "finished", result.reason
    # As it sees it itself, while nobody asked it for anything.
    stolen = float(printed.text[0].split()[-1])
    # On the wall clock what it uses until it is stopped is free, and that takes longer among busy processes.
    assert result.cpu[0] > (0.5 if wall else 0.99) * stolen


def test_a_player_that_grows_while_it_is_to_wait_is_ended_then_and_out_of_memory_next(monkeypatch):
    monkeypatch.setattr(cgroup, "make", lambda: None)
    with ready(one("legal", replace(OPPONENT, isolation="process"))) as player:
        child = player._child
        player.action()
        monkeypatch.setattr(child, "_measure_stolen", lambda: setattr(child, "megabytes", 101.0) or True)
        for _ in range(600):
            if not child.ended:
                child.wait(0.1)
        assert child.ended  # by whoever watches those who wait
        with pytest.raises(Fault, match="out of memory in update: grew by 101.0 MB of 100 MB"):
            player.update("A", 4)


def test_figures_of_a_process_are_read_from_a_thread_where_the_first_has_ended():
    code = (
        "import ctypes, os, threading, time\n"
        "def stay():\n"
        "    memory = bytearray(b'x') * 30_000_000\n"
        "    print(flush=True)\n"
        "    time.sleep(60)\n"
        "threading.Thread(target=stay).start()\n"
        "ctypes.CDLL(None).syscall(93 if os.uname().machine == 'aarch64' else 60, 0)\n"
    )
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE)
    try:
        process.stdout.readline()
        while proc.state(process.pid) != "Z":
            pass
        sizes, headless = memory.status(process.pid)
        assert headless and sizes["VmRSS"] > 30_000 and sizes["VmPTE"] > 0
        assert memory.helper(process.pid) > 30_000
    finally:
        process.kill()
        process.communicate()
    assert memory.status(process.pid) == ({}, False) and memory.helper(process.pid) == 0
    assert opened.kept(process.pid) == memory.mappings(process.pid) == 0


@contextlib.contextmanager
def growing(least, most):
    """What is open here may grow by so many kilobytes meanwhile."""
    before = opened.kept(os.getpid())
    yield
    assert least <= opened.kept(os.getpid()) - before <= most


def test_each_pipe_counts_once_however_often_and_by_whomever_it_is_open():
    near, far = os.pipe()
    again = os.dup(near)
    ends = (near, far, again)
    null = subprocess.DEVNULL
    with contextlib.ExitStack() as stack:
        sleep = ["sleep", "600"]
        two = [subprocess.Popen(sleep, stdin=null, stdout=null, stderr=null, pass_fds=ends) for _ in range(2)]
        for child in two:
            stack.callback(child.wait)
            stack.callback(child.kill)
        size = fcntl.fcntl(near, opened.F_GETPIPE_SZ)
        first, second = (child.pid for child in two)
        assert opened.kept(first, [second]) == opened.kept(first) == size // 1024 + opened.PIPE
        fcntl.fcntl(near, opened.F_GETPIPE_SZ - 1, 2 * size)
        assert opened.kept(first, [second]) == 2 * size // 1024 + opened.PIPE
    for one_of_them in ends:
        os.close(one_of_them)


def test_what_waits_in_a_connection_counts():
    with socket.create_server(("127.0.0.1", 0)) as server, socket.socket() as near:
        near.connect(server.getsockname())
        with server.accept()[0]:
            near.setblocking(False)
            sent = 0
            before = opened.kept(os.getpid())
            with contextlib.suppress(BlockingIOError):
                while True:
                    sent += near.send(bytes(65536))
            assert opened.kept(os.getpid()) - before >= sent // 1024 - 2 * opened.SOCKET


def test_each_watch_of_an_epoll_counts_and_so_do_the_rings_of_the_kernel(monkeypatch):
    near, far = os.pipe()
    with select.epoll() as epoll:
        with growing(int(99 * opened.WATCH), int(101 * opened.WATCH)):
            numbers = [os.dup(near) for _ in range(100)]
            for number in numbers:
                epoll.register(number, 0)
    for number in (near, far, *numbers):
        os.close(number)
    monkeypatch.setattr(proc, "read", lambda path: b"SqMask:\t0x7fff\nCqHead:\t0\nCqMask:\t0xffff\n")
    assert opened._anonymous("[io_uring]", "") == 4096 + 2048
    assert opened._anonymous("[eventfd]", "") == 0
    monkeypatch.setattr(proc, "read", lambda path: b"map_type:\t2\nmemlock:\t1048576\nmap_id:\t5\n")
    assert opened._anonymous("bpf-map", "") == 1024


def test_a_file_in_memory_counts_once_without_what_is_mapped_of_it():
    with open(os.memfd_create("kept"), "r+b") as file:
        with growing(8000, 8000):
            file.truncate(0)
            file.write(bytes(8_192_000))
            file.flush()
            again = os.dup(file.fileno())
        with growing(-8000, -8000):
            whole = mmap.mmap(file.fileno(), 8_192_000)
            assert sum(whole[::4096]) == 0
        whole.close()
        os.close(again)


def segments():
    """The numbers of all that there are."""
    with open("/proc/sysvipc/shm") as file:
        return {int(line.split()[1]) for line in file.readlines()[1:]}


def test_shared_memory_and_queues_that_outlive_processes_are_charged_and_removed():
    printed = Printed()
    result = play("keeps_segments", replace(USUAL, action=20.0), level="process", watchers=[printed])
    assert (result.ending, result.at_fault) == ("out of memory", (0,)), result.reason
    assert set(map(int, printed.text[0].split())).isdisjoint(segments())
    limits = replace(USUAL, action=20.0, megabytes=5)
    result = play("keeps_segments:Queued", limits, level="process")
    assert (result.ending, result.at_fault) == ("out of memory", (0,)), result.reason


LEAVES_A_SEGMENT = """
from dataclasses import replace
from tests.support.arena import OPPONENT, one, ready
with ready(one("keeps_segments:Modest", replace(OPPONENT, isolation="process"))) as player:
    print(player._child._player, flush=True)
    while True:
        player.action()
"""


def test_shared_memory_goes_with_a_player_whose_referee_is_killed_too():
    def made_by(pid):
        with open("/proc/sysvipc/shm") as file:
            return [line for line in file.readlines()[1:] if line.split()[4] == str(pid)]

    def wait_until(condition):
        until = time.monotonic() + 300
        while not condition():
            assert time.monotonic() < until
            time.sleep(0.02)

    referee = subprocess.Popen(
        [sys.executable, "-c", LEAVES_A_SEGMENT], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    try:
        player = int(referee.stdout.readline())
        wait_until(lambda: made_by(player))
    finally:
        referee.kill()
        referee.communicate()
    wait_until(lambda: not made_by(player))


def test_what_is_mapped_of_shared_memory_counts_once_and_what_others_made_does_not():
    others = system_v.Made()
    library = ctypes.CDLL(None)
    library.shmat.restype = ctypes.c_void_p
    made = system_v.Made()
    number = library.shmget(0, ctypes.c_size_t(8_192_000), 0o600)
    try:
        before = opened.kept(os.getpid())
        place = library.shmat(number, None, 0)
        ctypes.memset(place, 1, 8_192_000)
        assert made.segments({os.getpid()})[number] == 8000
        assert number not in others.segments({1}) and number not in system_v.Made().segments({os.getpid()})
        assert opened.kept(os.getpid(), (), {number: 8000}) == before
        library.shmdt(ctypes.c_void_p(place))
        assert opened.kept(os.getpid(), (), {number: 8000}) == before + 8000
        made.remove()
        assert number not in segments()
    finally:
        library.shmctl(number, 0, None)


def test_threads_beyond_some_cost_as_much_as_what_each_may_hold():
    assert memory.threads(-3) == 0 and memory.threads(10) == 10 * memory.THREAD
    assert memory.threads(memory.THREADS + 1) == memory.threads(memory.THREADS) + memory.CLOSED


AS_ANOTHER = """
import json, os, sys
from dataclasses import replace
from tests.support import attacks
from tests.support.arena import USUAL, play
if os.getuid() == 0:
    attacks.become_ordinary()
for name in sys.argv[2:]:
    result = play(name, replace(USUAL, action=9.0), level=sys.argv[1])
    print(json.dumps([name, result.ending, result.at_fault, result.reason]))
"""
ENDINGS = {
    "ends_its_first_thread": "out of memory",
    "ends_its_first_thread:Modest": "crashed",
    "fills_page_tables": "out of memory",
    "fills_sockets": "crashed",
    "fills_closed_sockets": "out of memory",
    "grows_in_a_child_that_hides": "out of memory",
    "grows_in_a_child_without_its_first_thread": "out of memory",
}


@pytest.mark.parametrize("level", ["full", "process"])
def test_an_ordinary_users_referee_comes_to_the_same_verdicts(level):
    command = [sys.executable, "-c", AS_ANOTHER, level, *ENDINGS]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    for name, ending, at_fault, reason in map(json.loads, run.stdout.splitlines()):
        refused = level == "full" and "_a_child_" in name
        assert (ending, at_fault) == ("crashed" if refused else ENDINGS[name], [0]), reason
        assert ("not permitted" in reason) == refused, reason
    assert run.stdout.count("\n") == len(ENDINGS)


# What may not be killed


BECOMES_ROOT = """
import os, subprocess, sys
class Player:
    def __init__(self, colour):
        self.other = subprocess.Popen([{program!r}, "--reuid", "0", "--clear-groups", "sleep", "600"])
        while "Uid:\\t0\\t0" not in open("/proc/%d/status" % self.other.pid).read():
            pass
        print("started", self.other.pid, flush=True)
    def action(self):
        if {replace}:
            os.execv({program!r}, [{program!r}, "--reuid", "0", "--clear-groups", "sleep", "600"])
        return 1
    def update(self, *news):
        pass
"""
REFEREE = """
import sys
from tests.support import attacks
from referee.isolation import cgroup, keepers, linux
from referee.__main__ import main
cgroup.make = lambda: None
if {missed}:  # as where it passes from the player, who ends, to the keeper just while the referee looks
    linux.end_below = keepers.end_below = lambda pid: set()
attacks.become_ordinary()
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.parametrize(
    "replaced, missed",
    [(False, False), (False, True), (True, False)],
    ids=["a helper", "a helper that the referee misses", "the player itself"],
)
def test_a_process_that_may_not_be_killed_is_a_warning_and_the_verdict_stands(replaced, missed):
    if os.getuid() != 0:  # whoever is not root cannot lay out a program that makes others root
        assert keeper.send_signal(1, signal.SIGCONT, {0}) is False
        return
    folder = tempfile.mkdtemp(dir="/tmp", prefix="setuid-")
    try:
        os.chmod(folder, 0o755)
        program = shutil.copy(shutil.which("setpriv"), f"{folder}/becomes_root")
        os.chmod(program, 0o4755)
        (player,) = [f"{folder}/player.py"]
        with open(player, "w") as file:
            file.write(BECOMES_ROOT.format(program=program, replace=replaced))
        words = ["play", "kalaha:4x3", player, "random", "--isolation", "process", "--action-time", "5"]
        run = subprocess.run(
            [sys.executable, "-c", REFEREE.format(missed=missed), *words],
            cwd=ROOT, capture_output=True, text=True, timeout=600,
        )  # fmt: skip
        ended = re.findall(r"process (\d+), which a player has started, cannot be killed", run.stderr)
        assert run.returncode in (0, 1), run.stderr
        assert len(ended) == 1 + replaced, run.stderr
        assert "Traceback" not in run.stderr
        assert ("forfeits" in run.stdout) == (run.returncode == 1)
        for pid in ended:
            os.kill(int(pid), signal.SIGKILL)
    finally:
        shutil.rmtree(folder)


# How the referee itself was started


@pytest.mark.parametrize("command", ["play", "tournament"])
@pytest.mark.parametrize("level", ["full", "process"])
def test_whether_ends_of_children_were_to_be_ignored_changes_nothing(command, level):
    words = [command, "kalaha:4x3", "random", str(PLAYERS / "exits_at_once.py"), "--isolation", level]
    words += ["--readable", str(PLAYERS)]
    words += ["--json", *(["--pairs", "1", "--jobs", "1"] if command == "tournament" else [])]
    code = (
        "import os, signal, sys\n"
        "signal.signal(signal.SIGCHLD, signal.SIG_IGN)\n"
        "signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGCHLD, signal.SIGTERM, signal.SIGUSR1])\n"
        "os.execv(sys.executable, [sys.executable, '-m', 'referee', *sys.argv[1:]])"
    )
    run = subprocess.run([sys.executable, "-c", code, *words], cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == 1, run.stderr
    assert '"crashed"' in run.stdout
    if command == "play":
        assert "ended with exit status 0" in run.stdout
