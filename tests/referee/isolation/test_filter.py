"""The filter of system calls and Landlock themselves: call by call, on each machine, in each version."""

import os
import subprocess
import sys

import pytest

from referee.isolation.confinement import seccomp, syscalls
from tests.support.arena import ROOT

ANSWERS = {0x7FFF0000: "allowed", 0x00050001: "refused", 0x00050026: "no call"}


def judged(machine, architecture, number, arguments=()):
    """What the kernel would answer to a call by the filter for process 4242, worked out as it does."""
    words = [number, architecture, 0, 0]
    for argument in [*arguments, *[0] * (6 - len(arguments))]:
        words += [argument & 0xFFFFFFFF, argument >> 32 & 0xFFFFFFFF]
    program, at, held = seccomp.program(machine, 4242), 0, 0
    for _ in range(len(program)):
        code, if_true, if_false, value = program[at]
        at += 1
        if code == seccomp.RETURN:
            return ANSWERS[value]
        if code == seccomp.LOAD:
            held = words[value // 4]
        elif code == seccomp.AND:
            held &= value
        else:
            tests = {
                seccomp.EQUAL: held == value,
                seccomp.GREATER: held > value,
                seccomp.AT_LEAST: held >= value,
                seccomp.ANY_BIT: bool(held & value),
            }
            at += if_true if tests[code] else if_false
    raise AssertionError("the program has no end")


X86_64, AARCH64, I386, ARM = 0xC000003E, 0xC00000B7, 0x40000003, 0x40000028
MACHINES = [("x86_64", X86_64), ("aarch64", AARCH64)]
DANGEROUS = {  # x86-64, aarch64
    "fork": (57, None), "vfork": (58, None), "execve": (59, 221), "execveat": (322, 281),
    "ptrace": (101, 117), "socket": (41, 198), "connect": (42, 203), "bind": (49, 200),
    "sendmsg": (46, 211), "tkill": (200, 130), "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271), "pidfd_getfd": (438, 438), "pidfd_open": (434, 434),
    "pidfd_send_signal": (424, 424), "io_uring_setup": (425, 425), "bpf": (321, 280),
    "userfaultfd": (323, 282), "perf_event_open": (298, 241), "keyctl": (250, 219), "mount": (165, 40),
    "unshare": (272, 97), "setns": (308, 268), "openat2": (437, 437), "memfd_create": (319, 279),
    "inotify_add_watch": (254, 27), "unlinkat": (263, 35), "renameat2": (316, 276), "fchmodat": (268, 53),
    "fchownat": (260, 54), "utimensat": (280, 88), "truncate": (76, 45), "ftruncate": (77, 46),
    "shmget": (29, 194), "mq_open": (240, 180), "setpriority": (141, 140),
    "sched_setaffinity": (203, 122), "setuid": (105, 146), "seccomp": (317, 277),
    "landlock_restrict_self": (446, 446), "personality": (135, 92), "kcmp": (312, 272),
    "timer_create": (222, 107), "timer_settime": (223, 110), "fadvise64": (221, 223),
    "readahead": (187, 213), "mincore": (27, 232), "cachestat": (451, 451), "msync": (26, 227),
    "set_tid_address": (218, 96), "futex_waitv": (449, 449), "futex_wake": (454, 454), "mlock": (149, 228),
    "mlockall": (151, 230), "io_setup": (206, 0), "rt_sigqueueinfo": (129, 138),
    "rt_tgsigqueueinfo": (297, 240), "mq_notify": (244, 184), "vmsplice": (278, 75), "splice": (275, 76),
    "tee": (276, 77), "process_madvise": (440, 440), "setsockopt": (54, 208), "sendmmsg": (307, 269),
    "recvmsg": (47, 212), "flock": (73, 32), "inotify_init1": (294, 26), "add_key": (248, 217),
    "semget": (64, 190), "msgget": (68, 186), "init_module": (175, 105), "reboot": (169, 142),
    "chroot": (161, 51), "clock_settime": (227, 112),
}  # fmt: skip


@pytest.mark.parametrize("machine, architecture", MACHINES)
def test_the_filter_allows_what_its_table_says_and_no_other_call(machine, architecture):
    column = seccomp.MACHINES[machine][0]
    allowed = {numbers[column] for numbers in syscalls.ALLOWED.values()}
    looked_at = {numbers[column] for numbers in syscalls.LOOKED_AT.values()}
    for number in range(syscalls.LAST + 50):
        said = judged(machine, architecture, number)
        if number in allowed:
            assert said == "allowed", number
        elif number > syscalls.LAST or number == 435:
            assert said == "no call", number
        elif number not in looked_at:
            assert said == "refused", number
    for name, numbers in DANGEROUS.items():
        if numbers[column] is not None:
            assert judged(machine, architecture, numbers[column]) == "refused", name


@pytest.mark.parametrize("machine, architecture", MACHINES)
def test_the_filter_refuses_every_call_by_another_architectures_numbers(machine, architecture):
    for other in {X86_64, AARCH64, I386, ARM, 0} - {architecture}:
        assert {judged(machine, other, number) for number in range(600)} == {"refused"}
    assert {judged(machine, architecture, 0x40000000 + number) for number in range(600)} == {"no call"}


CLONE_THREAD, CLONE_VM_AND_MORE, CLONE_NEWNS, CLONE_NEWUSER = 0x10000, 0x3D0F00, 0x20000, 0x10000000
CLONE_FILES = 0x400
SIGCONT = 18
ARGUMENTS = [
    ("clone", (CLONE_VM_AND_MORE | CLONE_THREAD,), True),
    ("clone", (CLONE_VM_AND_MORE | CLONE_THREAD | CLONE_NEWNS,), False),
    ("clone", (CLONE_VM_AND_MORE | CLONE_THREAD | CLONE_NEWUSER,), False),
    ("clone", (17,), False),
    ("clone", (CLONE_THREAD,), False),
    ("clone", ((CLONE_VM_AND_MORE | CLONE_THREAD) & ~CLONE_FILES,), False),
    ("kill", (4242, 9), True),
    ("kill", (-1, 9), False),
    ("kill", (0, 9), False),
    ("kill", (4241, 9), False),
    ("tgkill", (4242, 4243, 9), True),
    ("tgkill", (1, 1, 9), False),
    ("kill", (4242, SIGCONT), False),
    ("kill", (4241, SIGCONT), False),
    ("tgkill", (4242, 4243, SIGCONT), False),
    ("prctl", (15, 0), True),
    ("prctl", (1, 0), False),
    ("prctl", (4, 0), False),
    ("prctl", (22, 2), False),
    ("prlimit64", (0, 7, 0, 1 << 40), True),
    ("prlimit64", (0, 3, 1 << 40, 0), True),
    ("prlimit64", (0, 4, 1 << 40, 0), False),
    ("prlimit64", (0, 4, 1 << 20, 0), False),
    ("prlimit64", (7, 7, 0, 1 << 40), False),
    ("socketpair", (1, 1), True),
    ("socketpair", (1, 1 | 0o2000000 | 0o4000), True),
    ("socketpair", (1, 2), False),
    ("socketpair", (2, 1), False),
    ("sendto", (5, 1 << 40, 3, 0, 0, 0), True),
    ("sendto", (5, 1 << 40, 3, 0, 1 << 40, 16), False),
    ("sendto", (5, 1 << 40, 3, 0, 1 << 20, 16), False),
    ("sendto", (5, 1 << 40, 3, 0x4040, 0, 0), True),
    ("sendto", (5, 1 << 40, 3, 0x4001, 0, 0), False),
    ("recvfrom", (5, 1 << 40, 3, 0x142, 0, 0), True),
    ("recvfrom", (5, 1 << 40, 3, 1, 0, 0), False),
    ("clock_gettime", (1,), True),
    ("clock_gettime", (~4241 << 3 | 2,), False),
    ("clock_nanosleep", (1,), True),
    ("mmap", (0, 4096, 3, 0x22), True),
    ("mmap", (0, 4096, 5, 0x812, 7), True),  # as libraries are loaded
    ("mmap", (0, 4096, 1, 0x1, 7), True),  # a table to read
    ("mmap", (0, 4096, 3, 0x1, 7), False),
    ("mmap", (0, 4096, 1, 0x21), False),
    ("mmap", (0, 4096, 3, 0x21), False),
    ("mmap", (0, 4096, 3, 0x3, 7), False),  # shared, the stricter way
    ("mmap", (0, 4096, 3, 0x28), False),  # what may be dropped
    ("mmap", (0, 4096, 3, 0x22 | 0x40000), False),
    ("mmap", (0, 4096, 3, 0x22 | 0x2000), False),
    ("madvise", (1 << 40, 4096, 4), True),
    ("madvise", (1 << 40, 4096, 14), True),
    ("madvise", (1 << 40, 4096, 3), False),
    ("madvise", (1 << 40, 4096, 12), False),
    ("madvise", (1 << 40, 4096, 21), False),
    ("futex", (1 << 40, 128, 1), True),
    ("futex", (1 << 40, 129, 1), True),
    ("futex", (1 << 40, 0, 1), True),
    ("futex", (1 << 40, 265, 1), True),
    ("futex", (1 << 40, 1, 1), False),
    ("futex", (1 << 40, 10, 1), False),
    ("futex", (1 << 40, 4, 1), False),
    ("futex", (1 << 40, 256 + 1, 1), False),
    ("preadv2", (5, 1 << 40, 1, 0, 0, 0), True),
    ("preadv2", (5, 1 << 40, 1, 0, 0, 8), False),
    ("preadv2", (5, 1 << 40, 1, 0, 0, 0x80), False),
    ("pwritev2", (5, 1 << 40, 1, 0, 0, 0), True),
    ("pwritev2", (5, 1 << 40, 1, 0, 0, 8), False),
    ("close_range", (3, 9, 0), True),
    ("close_range", (3, 9, 4), True),
    ("close_range", (3, 9, 2), False),
    ("close_range", (3, 9, 6), False),
    ("poll", (1 << 40, 1, 5), True),
    ("poll", (1 << 40, 3, 5), False),
    ("ppoll", (1 << 40, 2), True),
    ("ppoll", (1 << 40, 3), False),
    ("select", (0,), True),
    ("select", (4,), False),
    ("pselect6", (0,), True),
    ("pselect6", (4,), False),
    ("fcntl", (5, 1030), True),
    ("fcntl", (5, 8), False),
    ("fcntl", (5, 1031), False),
    ("ioctl", (1, 0x5401), True),
    ("ioctl", (1, 0x5412), False),
    ("ioctl", (1, 0x541C), False),
    ("ioctl", (1, 0x8901), False),
    ("openat", (-100, 1 << 40, os.O_RDONLY), True),
    ("openat", (-100, 1 << 40, os.O_WRONLY | os.O_TRUNC | os.O_CREAT), True),  # which Landlock looks at
    ("openat", (-100, 1 << 40, os.O_RDONLY | os.O_TRUNC), False),
    ("openat", (-100, 1 << 40, os.O_ACCMODE), False),
    ("openat", (-100, 1 << 40, os.O_ACCMODE | os.O_TRUNC), False),
]


@pytest.mark.parametrize("machine, architecture", MACHINES)
def test_the_filter_looks_at_arguments(machine, architecture):
    column = seccomp.MACHINES[machine][0]
    for name, arguments, good in ARGUMENTS:
        number = syscalls.LOOKED_AT[name][column]
        if number is None:  # this machine does without
            continue
        said = judged(machine, architecture, number, arguments)
        assert said == ("allowed" if good else "refused"), f"{name}{arguments}"
    assert {name for name, *_ in ARGUMENTS} | {"open", "clock_getres"} == set(syscalls.LOOKED_AT)


OLDER = """
import ctypes, os, sys
from referee.isolation.confinement import landlock, seccomp
for known in range(1, landlock.version(ctypes.CDLL(None)) + 1):
    child = os.fork()
    if child == 0:
        library = ctypes.CDLL(None, use_errno=True)
        assert library.prctl(38, 1, 0, 0, 0) == 0
        landlock.restrict(library, known, [sys.argv[1]], ["/dev/null"])
        seccomp.install(library, os.uname().machine, os.getpid())
        mine, other = sys.argv[1] + "/mine", sys.argv[2]
        tries = [
            lambda: open(mine, "a"), lambda: open(mine, "w"), lambda: open(sys.argv[1] + "/new", "w"),
            lambda: os.open(mine, os.O_RDONLY | os.O_TRUNC), lambda: os.open(mine, os.O_ACCMODE | os.O_TRUNC),
            lambda: os.truncate(mine, 0), lambda: os.rename(mine, mine + "2"), lambda: open(other),
            lambda: os.listdir("/"), lambda: os.kill(os.getppid(), 0), lambda: __import__("socket").socket(),
        ]
        for place, one in enumerate(tries):
            try:
                one()
            except PermissionError:
                continue
            os._exit(100 + place)
        assert open(mine).read() == "kept" and os.listdir(sys.argv[1]) == ["mine"]
        open("/dev/null", "w").write("x")
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0, known
print(known)
"""


def test_every_older_version_of_landlock_confines_as_well(tmp_path):
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "mine").write_text("kept")
    (tmp_path / "other").write_text("a secret")
    command = [sys.executable, "-c", OLDER, str(tmp_path / "own"), str(tmp_path / "other")]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert int(run.stdout) >= 1
    assert (tmp_path / "own" / "mine").read_text() == "kept"


# Its keeper and its worker have imported these by then, confined or not.
COST = """
import ctypes, inspect, os, site, sys
from importlib.util import module_from_spec, spec_from_file_location
folder, calls = sys.argv[1], []
sys.setprofile(lambda frame, event, what: calls.append(event))
spec = spec_from_file_location("confinement", folder + "/__init__.py", submodule_search_locations=[folder])
confinement = sys.modules["confinement"] = module_from_spec(spec)
spec.loader.exec_module(confinement)
confinement.confine([folder])
sys.setprofile(None)
print(len(calls) / 2)
"""


def test_confinement_takes_no_more_than_some_thousand_calls_at_start():
    """A few milliseconds, of the hundred or more that a player takes to start."""
    command = [sys.executable, "-E", "-P", "-c", COST, str(ROOT / "referee" / "isolation" / "confinement")]
    calls = float(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)
    assert 100 < calls < 8_000
