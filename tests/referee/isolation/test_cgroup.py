"""Control groups: where they are made, what their files say, and that none is left over."""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from referee.isolation import cgroup, levels, linux, proc
from referee.isolation.allowance import Allowance
from tests.support.arena import (  # noqa: F401
    OPPONENT,
    ROOT,
    check_the_opponent_is_undisturbed,
    nothing_is_left_behind,
    one,
    play,
    ready,
)

CPU = "usage_usec 1234567\nuser_usec 1000000\nsystem_usec 234567\n"
MEMORY = (
    "anon 52428800\nfile 900000000\nkernel 3145728\nkernel_stack 65536\npagetables 131072\npercpu 0\n"
    "sock 1048576\nshmem 2097152\nslab_reclaimable 1048576\nslab_unreclaimable 524288\nslab 1572864\n"
)
FILES = {
    "cpu.stat": CPU,
    "memory.stat": MEMORY,
    "memory.current": "104857600\n",
    "memory.max": "max\n",
    "memory.swap.max": "max\n",
    "memory.oom.group": "0\n",
    "memory.events": "low 0\nhigh 0\nmax 12\noom 1\noom_kill 0\noom_group_kill 0\n",
    "pids.max": "max\n",
    "cgroup.procs": "77\n4242\n",
    "cgroup.freeze": "0\n",
    "cgroup.kill": "",
}


@pytest.fixture
def copied(tmp_path):
    """A group as the kernel shows it where it has all controllers."""
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    return cgroup.Group(str(tmp_path))


def test_a_groups_files_are_read_as_the_kernel_writes_them(copied):
    assert copied.features == ("CPU time", "freeze", "kill", "memory", "pids")
    assert copied.seconds() == 1.234567
    assert copied.kilobytes() == 51200 + 2048 + 1024 + 3072 - 1024  # files' pages are not the player's
    assert copied.has(4242) and copied.has(77) and not copied.has(424) and not copied.has(7)
    assert not copied.ran_out()
    Path(copied.path, "memory.events").write_text(FILES["memory.events"].replace("oom_kill 0", "oom_kill 2"))
    assert copied.ran_out()


def test_older_kernels_say_the_kernels_memory_in_parts(copied):
    Path(copied.path, "memory.stat").write_text(MEMORY.replace("kernel 3145728\n", ""))
    assert copied.kilobytes() == 51200 + 2048 + 1024 + 64 + 128 + 1536 - 1024


def test_a_group_is_bounded_a_little_above_what_the_player_may_have(copied):
    copied.bound(None)
    assert Path(copied.path, "memory.max").read_text() == "max\n"
    copied.bound(100.0)
    assert int(Path(copied.path, "memory.max").read_text()) == 104857600 + (100 + cgroup.SLACK) * 2**20
    assert Path(copied.path, "memory.swap.max").read_text() == "0"
    assert Path(copied.path, "memory.oom.group").read_text() == "1"


def test_a_group_is_frozen_thawed_and_killed_by_its_files(copied):
    copied.freeze()
    assert Path(copied.path, "cgroup.freeze").read_text() == "1"
    copied.thaw()
    assert Path(copied.path, "cgroup.freeze").read_text() == "0"
    copied.kill()
    assert Path(copied.path, "cgroup.kill").read_text() == "1"


def test_a_group_without_controllers_or_without_a_folder_says_nothing_and_harms_nobody(tmp_path):
    (tmp_path / "cpu.stat").write_text(CPU)
    for path in (tmp_path, tmp_path / "gone"):
        group = cgroup.Group(str(path))
        assert group.kilobytes() == 0 and not group.ran_out() and not group.has(os.getpid())
        group.bound(100.0)
        group.thaw()
    assert group.seconds() == 0.0 and group.features == ()
    assert os.listdir(tmp_path) == ["cpu.stat"]


MOUNTS = b"""22 27 0:21 / /proc rw - proc proc rw
32 31 0:29 / /sys/fs/cgroup/cpu rw,relatime - cgroup cgroup rw,cpu
41 31 0:38 / /sys/fs/cgroup/unified rw,relatime shared:9 - cgroup2 cgroup2 rw
"""


@pytest.mark.parametrize(
    "mounts, own, places",
    [
        (MOUNTS, b"4:memory:/a\n0::/\n", ["/sys/fs/cgroup/unified"]),
        (
            MOUNTS.replace(b"/unified", b""),
            b"0::/user.slice/session-1.scope\n",
            ["/sys/fs/cgroup/user.slice/session-1.scope", "/sys/fs/cgroup/user.slice", "/sys/fs/cgroup"],
        ),
        (
            MOUNTS.replace(b"0:38 /", b"0:38 /docker/7"),
            b"0::/docker/7/x\n",
            ["/sys/fs/cgroup/unified/x", "/sys/fs/cgroup/unified"],
        ),
        (MOUNTS.replace(b"0:38 /", b"0:38 /docker/7"), b"0::/docker/77\n", []),
        (MOUNTS, b"0::/../above\n", []),
        (MOUNTS, b"4:memory:/a\n", []),
        (b"22 27 0:21 / /proc rw - proc proc rw\n", b"0::/\n", []),
    ],
)
def test_the_place_for_groups_is_found_from_what_the_kernel_says_of_this_process(mounts, own, places):
    assert cgroup._places(mounts, own) == places


def tree(tmp_path, monkeypatch, controllers):
    """A tree of copied files, with this process in `slice/scope`; which controllers each folder hands on."""
    places = []
    for name in ("slice/scope", "slice", "."):
        place = tmp_path / name
        place.mkdir(parents=True, exist_ok=True)
        (place / "cgroup.procs").write_text("")
        (place / "cgroup.controllers").write_text("cpu memory pids\n")
        (place / "cgroup.subtree_control").write_text(controllers.get(name, ""))
        places.append(str(place))
    monkeypatch.setattr(cgroup, "_places", lambda mounts, own: places)
    return places


def test_groups_are_made_where_the_controllers_are_else_where_they_may_be(tmp_path, monkeypatch):
    places = tree(tmp_path, monkeypatch, {"slice": "cpu memory pids\n"})
    monkeypatch.setattr(cgroup.Group, "_write", lambda *arguments: None)  # as where a group has processes
    assert cgroup.home.__wrapped__() == places[1]
    tree(tmp_path, monkeypatch, {})
    assert cgroup.home.__wrapped__() == places[0]
    monkeypatch.setattr(cgroup, "_is_ours", lambda place: False)
    assert cgroup.home.__wrapped__() == ""


def test_controllers_are_switched_on_where_that_is_allowed(tmp_path, monkeypatch):
    places = tree(tmp_path, monkeypatch, {})
    cgroup.home.__wrapped__()
    assert Path(places[0], "cgroup.subtree_control").read_text() == "+memory +pids"


def test_what_a_killed_referee_has_left_is_removed_and_what_a_living_one_has_is_not(tmp_path, monkeypatch):
    (place, *_) = tree(tmp_path, monkeypatch, {})
    own = f"{cgroup.NAME}-{os.getpid()}-{cgroup._born(os.getpid())}-1"
    ended = subprocess.Popen(["true"])
    ended.wait()
    left = [f"{cgroup.NAME}-{ended.pid}-17-1/inner", f"{cgroup.NAME}-{os.getpid()}-1-1"]  # its number went on
    others = [own, "board-game", f"{cgroup.NAME}-x", "user.slice"]
    for name in (*left, *others):
        (Path(place) / name).mkdir(parents=True)
    monkeypatch.setattr(cgroup.Group, "_write", lambda *arguments: None)
    cgroup.home.__wrapped__()
    assert sorted(path.name for path in Path(place).iterdir() if path.is_dir()) == sorted(others)


def test_the_level_is_shown_with_what_its_groups_do(copied, monkeypatch):
    monkeypatch.setattr(cgroup, "make", lambda: copied)
    monkeypatch.setattr(copied, "remove", lambda: None)
    assert cgroup.in_words.__wrapped__() == "cgroup: CPU time, freeze, kill, memory, pids"
    for file in ("memory.max", "pids.max"):
        os.unlink(f"{copied.path}/{file}")
    del copied.features
    assert cgroup.in_words.__wrapped__() == "cgroup: CPU time, freeze, kill; no memory, no pids"
    monkeypatch.setattr(cgroup, "make", lambda: None)
    assert cgroup.in_words.__wrapped__() == "no cgroup"
    assert levels.line("portable") == "isolation level portable"
    assert levels.line("full") == f"isolation level full ({cgroup.in_words()})"


# Memory by the controller, with a group that says what the test wants


class Told(cgroup.Group):
    """A group of copied files."""

    def __init__(self, path):
        super().__init__(str(path))

    def has(self, pid):
        return True

    def remove(self):
        pass


def test_what_the_group_says_of_memory_is_charged(copied, monkeypatch):
    monkeypatch.setattr(cgroup, "make", lambda: Told(copied.path))
    monkeypatch.setattr(linux, "UNSEEN", 0.0)  # what is written here takes none of the player's time
    with ready(one("legal", Allowance(action=20, megabytes=100))) as player:
        player.action()
        assert player.megabytes < 20  # there was as much before the player came
        Path(copied.path, "memory.stat").write_text(MEMORY.replace("anon 52428800", "anon 152428800"))
        with pytest.raises(Exception, match="grew by 9.* MB of 50|grew by 95"):
            player._account.allowance = Allowance(action=20, megabytes=50)
            player.update("A", 4)


def test_what_the_kernel_ends_for_its_memory_is_out_of_memory(copied, monkeypatch):
    monkeypatch.setattr(cgroup, "make", lambda: Told(copied.path))
    with ready(one("legal", Allowance(action=20, megabytes=100))) as player:
        player.action()
        Path(copied.path, "memory.events").write_text("oom_kill 1\n")
        player._child._signal(signal.SIGKILL)
        with pytest.raises(Exception, match="out of memory in update: grew by 164.0 MB of 100 MB"):
            player.update("A", 4)


# The kernel's own, where it lets this user make some


def groups():
    """The names of those that this process has made and not removed."""
    own = f"{cgroup.NAME}-{os.getpid()}-"
    return [name for name in os.listdir(cgroup.home()) if name.startswith(own)] if cgroup.home() else []


def test_a_player_is_in_a_group_of_its_own_where_there_can_be_one_and_nothing_is_left_of_it():
    with ready(one("legal", OPPONENT)) as player:
        group = player._child._group
        assert (group is not None) == bool(cgroup.home())
        if group:
            assert group.has(player._child._player) and not group.has(player._child._keeper.pid)
            assert len(groups()) == 1
    assert groups() == []


WAKING = """
import os, signal, sys
print(flush=True)
while True:
    os.kill(os.getpid(), signal.SIGCONT)
"""


def test_what_is_frozen_does_not_wake_itself():
    group = cgroup.make()
    if not group:  # this user may make none, and is told so
        assert cgroup.in_words() == "no cgroup"
        return
    awake = subprocess.Popen([sys.executable, "-c", WAKING], stdout=subprocess.PIPE)
    try:
        awake.stdout.readline()
        group._write("cgroup.procs", str(awake.pid))
        group.freeze()
        while b"frozen 1" not in proc.read(f"{group.path}/cgroup.events"):
            time.sleep(0.001)
        used = proc.clock(awake.pid)
        time.sleep(0.1)
        assert proc.clock(awake.pid) == used
    finally:
        group.kill()
        awake.wait()
        awake.stdout.close()
        group.remove()
    assert not os.path.exists(group.path)


PLAYING = """
import sys
from tests.support.arena import OPPONENT, one, ready
player = ready(one("legal", OPPONENT))
print(player._child._group.path if player._child._group else "", player._child._keeper.pid, flush=True)
sys.stdin.read()
"""


def test_groups_of_a_referee_that_is_killed_with_its_keepers_are_removed_by_the_next(monkeypatch):
    referee = subprocess.Popen(
        [sys.executable, "-c", PLAYING], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    path, _, pid = referee.stdout.readline().strip().rpartition(" ")
    os.kill(referee.pid, signal.SIGSTOP)
    os.kill(int(pid), signal.SIGKILL)
    referee.kill()
    referee.communicate()
    assert bool(path) == bool(cgroup.home())
    if path:
        assert cgroup.home.__wrapped__() == os.path.dirname(path)
        assert not os.path.exists(path)  # another referee may have been the next


def test_groups_of_a_referee_that_is_killed_are_removed_by_the_keepers():
    referee = subprocess.Popen(
        [sys.executable, "-c", PLAYING], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    path, _, pid = referee.stdout.readline().strip().rpartition(" ")
    referee.kill()
    referee.communicate()
    while proc.state(int(pid)) not in ("", "Z"):
        time.sleep(0.01)
    assert not (path and os.path.exists(path))


def test_children_too_short_to_be_seen_are_charged_by_the_group_and_end_at_fault_without():
    result = play("burns_in_short_children", level="process")
    assert result.at_fault == (0,) and result.ending in (
        ("out of time",) if cgroup.home() else ("out of time", "no answer")
    )
    check_the_opponent_is_undisturbed(result, 0)


def test_setting_a_group_up_is_not_needed(monkeypatch, tmp_path):
    monkeypatch.setattr(cgroup, "home", lambda: str(tmp_path / "not there"))
    assert cgroup.make() is None
    monkeypatch.setattr(cgroup, "home", lambda: str(tmp_path))  # a folder that is no group: nobody gets in
    result = play("legal", level="process")
    assert result.ending == "finished"
    for folder in tmp_path.glob(f"{cgroup.NAME}-*"):
        shutil.rmtree(folder)
