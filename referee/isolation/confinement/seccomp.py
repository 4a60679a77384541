"""The filter that every system call of a confined player passes: written as a program for the kernel.

What is not allowed is answered with "operation not permitted", as if the system's own rules forbade it.
"""

import ctypes
import functools
import struct
from collections.abc import Iterable

from .syscalls import ALLOWED, FOR_PROGRAMS, LAST, LOOKED_AT, MISSING

MACHINES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}  # column of the table, AUDIT_ARCH

# Instructions: load a word of the call's data, compare or mask it, answer.
LOAD, AND, RETURN = 0x20, 0x54, 0x06
EQUAL, GREATER, AT_LEAST, ANY_BIT = 0x15, 0x25, 0x35, 0x45
ALLOW = (RETURN, 0, 0, 0x7FFF0000)
REFUSE = (RETURN, 0, 0, 0x00050001)  # EPERM
NO_SUCH_CALL = (RETURN, 0, 0, 0x00050026)  # ENOSYS
NUMBER, ARCHITECTURE, ARGUMENTS = 0, 4, 16  # where they are in the call's data; little-endian

SET_MODE_FILTER, GET_ACTION_AVAILABLE = 1, 2
TSYNC = 1  # for all threads, though there should be one yet
SPEC_ALLOW = 4  # without what some systems do against leaks in one process, which costs Python a tenth
SYSCALL = {"x86_64": 317, "aarch64": 277}

O_ACCMODE, O_TRUNC = 3, 0x200
CLONE_THREAD = 0x00010F00  # memory, descriptors, folder and signal handlers are everybody's
CLONE_NEW = 0x7E020000  # all namespaces that clone can make
SIGCONT = 18
MAP_TYPE, MAP_SHARED, MAP_PRIVATE, PROT_WRITE = 0xF, 1, 2, 2
MAP_ANONYMOUS, MAP_LOCKED, MAP_HUGETLB = 0x20, 0x2000, 0x40000
# What an allocator says of its memory; nothing of files' pages in the machine's, nor of merging equal ones.
MADVICE = (0, 1, 2, 4, 8, 10, 11, 14, 15, 16, 17, 18, 19, 102, 103)
FUTEX_WAIT, FUTEX_WAIT_BITSET, FUTEX_PRIVATE, FUTEX_CLOCK = 0, 9, 128, 256
CLOSE_RANGE_UNSHARE = 2
POLLED = 2  # descriptors in one poll, which keeps them alive even if they are closed meanwhile
POLLED_BY_PROGRAMS = 3  # Rust's begin by asking whether 0, 1 and 2 are open
FCNTL = (0, 1, 2, 3, 4, 1030)  # duplicate, and the flags; not who gets signals, nor how big a pipe is
# Is it a terminal, how large is it, and FIO* of sockets and pipes; not to type into one.
IOCTL = (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)
PRCTL = (15, 16, 0x53564D41)  # the names of threads and of memory
RLIMIT_STACK = 3
AF_UNIX, SOCK_STREAM, SOCK_TYPE, MSG_OOB = 1, 1, 0xF, 1
OF_ANOTHER = 0x80000000  # set in the clock of a process or thread that is named by its number

Instruction = tuple[int, int, int, int]  # code, jump if true, jump if false, constant
Program = list[Instruction]
INSTRUCTION = struct.Struct("<HBBI")
OWN = 0x7FFFFFFF  # stands for the process's own number, which is below 2 ** 22


def program(machine: str, pid: int, is_program: bool = False) -> Program:
    """The filter for a process of that number, which may signal itself, and may become a program."""
    made = _program(machine, is_program)
    return [(code, yes, no, pid if constant == OWN else constant) for code, yes, no, constant in made]


def prepare(machine: str) -> None:
    """Have the filter ready for copies of this process."""
    _packed(machine, False)


@functools.cache
def _packed(machine: str, is_program: bool) -> tuple[bytes, tuple[int, ...]]:
    """The filter as the kernel takes it, and where the process's number goes."""
    made = _program(machine, is_program)
    places = [(number + 1) * INSTRUCTION.size - 4 for number, one in enumerate(made) if one[3] == OWN]
    return b"".join(INSTRUCTION.pack(*one) for one in made), tuple(places)


def _program(machine: str, is_program: bool) -> Program:
    column, architecture = MACHINES[machine]
    made = [
        (LOAD, 0, 0, ARCHITECTURE),
        (EQUAL, 1, 0, architecture),  # not that of a 32-bit program, whose numbers mean something else
        REFUSE,
        (LOAD, 0, 0, NUMBER),
        (GREATER, 0, 1, LAST),
        NO_SUCH_CALL,
    ]
    polled = POLLED_BY_PROGRAMS if is_program else POLLED
    for name, checks in _looked_at(polled).items():
        number = LOOKED_AT[name][column]
        if number is not None:
            made += [(EQUAL, 0, len(checks), number), *checks]
    made += [(EQUAL, 0, 1, MISSING["clone3"][column]), NO_SUCH_CALL]
    allowed = {**ALLOWED, **FOR_PROGRAMS} if is_program else ALLOWED
    for first, last in _ranges(numbers[column] for numbers in allowed.values()):
        made += [(AT_LEAST, 0, 2, first), (GREATER, 1, 0, last), ALLOW]
    return [*made, REFUSE]


def _looked_at(polled: int) -> dict[str, Program]:
    """What is asked of the arguments; each list ends with an answer."""
    opens = {0: O_TRUNC, 1: O_ACCMODE, 2: O_ACCMODE | O_TRUNC}.values()
    named_clock = [_argument(0), (ANY_BIT, 0, 1, OF_ANOTHER), REFUSE, ALLOW]
    return {
        # Emptying a file that is opened for reading, or for neither: the first Landlocks did not see that.
        "open": [_argument(1), (AND, 0, 0, O_ACCMODE | O_TRUNC), *_none_of(opens)],
        "openat": [_argument(2), (AND, 0, 0, O_ACCMODE | O_TRUNC), *_none_of(opens)],
        "fcntl": [_argument(1), *_one_of(FCNTL)],
        "ioctl": [_argument(1), *_one_of(IOCTL)],
        "clone": [
            *(_argument(0), (ANY_BIT, 0, 1, CLONE_NEW), REFUSE),
            *((AND, 0, 0, CLONE_THREAD), *_one_of([CLONE_THREAD])),
        ],
        # Not to wake itself while the opponent is to act.
        "kill": [_argument(1), (EQUAL, 0, 1, SIGCONT), REFUSE, _argument(0), *_one_of([OWN])],
        "tgkill": [_argument(2), (EQUAL, 0, 1, SIGCONT), REFUSE, _argument(0), *_one_of([OWN])],
        "prctl": [_argument(0), *_one_of(PRCTL)],
        # Its own limits may be read, and its stack's be set.
        "prlimit64": [
            *(_argument(0), (EQUAL, 1, 0, 0), REFUSE),
            *(_argument(1), (EQUAL, 0, 1, RLIMIT_STACK), ALLOW),
            *_is_null(2),
        ],
        # A pair that is connected to nothing else: event loops have one.
        "socketpair": [
            *(_argument(0), (EQUAL, 1, 0, AF_UNIX), REFUSE),
            *(_argument(1), (AND, 0, 0, SOCK_TYPE), *_one_of([SOCK_STREAM])),
        ],
        # To the other end, not to an address; and nothing urgent, which is a queue of its own.
        "sendto": [_argument(3), (ANY_BIT, 0, 1, MSG_OOB), REFUSE, *_is_null(4)],
        "recvfrom": [_argument(3), (ANY_BIT, 0, 1, MSG_OOB), REFUSE, ALLOW],
        "clock_gettime": named_clock,
        "clock_getres": named_clock,
        "clock_nanosleep": named_clock,
        # Memory of its own, or a file's pages to read: what is shared can be kept without being resident.
        "mmap": [
            *(_argument(3), (ANY_BIT, 0, 1, MAP_LOCKED | MAP_HUGETLB), REFUSE),
            *((AND, 0, 0, MAP_TYPE | MAP_ANONYMOUS), (EQUAL, 0, 4, MAP_SHARED)),
            *(_argument(2), (ANY_BIT, 0, 1, PROT_WRITE), REFUSE, ALLOW),
            *((AND, 0, 0, MAP_TYPE), *_one_of([MAP_PRIVATE])),
        ],
        "madvise": [_argument(2), *_one_of(MADVICE)],
        # Nobody outside is woken; pthread_join waits for what the kernel wakes.
        "futex": [
            *(_argument(1), (ANY_BIT, 0, 1, FUTEX_PRIVATE), ALLOW),
            *_one_of([FUTEX_WAIT, FUTEX_WAIT_BITSET, FUTEX_WAIT_BITSET | FUTEX_CLOCK]),
        ],
        # Without flags, of which some ask whether a page is in the machine's memory, or drop it from there.
        "preadv2": [_argument(5), *_one_of([0])],
        "pwritev2": [_argument(5), *_one_of([0])],
        "close_range": [_argument(2), (ANY_BIT, 0, 1, CLOSE_RANGE_UNSHARE), REFUSE, ALLOW],
        "poll": [_argument(1), (GREATER, 0, 1, polled), REFUSE, ALLOW],
        "ppoll": [_argument(1), (GREATER, 0, 1, polled), REFUSE, ALLOW],
        "select": [_argument(0), *_one_of([0])],  # to sleep
        "pselect6": [_argument(0), *_one_of([0])],
    }


def _argument(index: int, high: bool = False) -> Instruction:
    """Loads half of an argument: the lower, which is all of an int."""
    return LOAD, 0, 0, ARGUMENTS + 8 * index + 4 * high


def _one_of(values: Iterable[int]) -> Program:
    checks = [instruction for value in values for instruction in ((EQUAL, 0, 1, value), ALLOW)]
    return [*checks, REFUSE]


def _none_of(values: Iterable[int]) -> Program:
    checks = [instruction for value in values for instruction in ((EQUAL, 0, 1, value), REFUSE)]
    return [*checks, ALLOW]


def _is_null(index: int) -> Program:
    is_zero = (EQUAL, 1, 0, 0), REFUSE
    return [_argument(index), *is_zero, _argument(index, high=True), *is_zero, ALLOW]


def _ranges(numbers: Iterable[int | None]) -> list[tuple[int, int]]:
    """The numbers as first and last of those that follow each other."""
    found: list[list[int]] = []
    for number in sorted(number for number in numbers if number is not None):
        if found and number == found[-1][1] + 1:
            found[-1][1] = number
        else:
            found.append([number, number])
    return [(first, last) for first, last in found]


def works(library: ctypes.CDLL, machine: str) -> bool:
    """Whether this system takes filters."""
    action = ctypes.c_uint32(REFUSE[3] & 0xFFFF0000)
    call, question = ctypes.c_long(SYSCALL[machine]), ctypes.c_long(GET_ACTION_AVAILABLE)
    return library.syscall(call, question, ctypes.c_long(0), ctypes.byref(action)) == 0


def install(library: ctypes.CDLL, machine: str, pid: int, is_program: bool = False) -> None:
    """Set the filter for this process, for good; no_new_privs is set already."""
    packed, places = _packed(machine, is_program)
    held = ctypes.create_string_buffer(packed, len(packed))
    for place in places:
        struct.pack_into("<I", held, place, pid)
    whole = struct.pack("<HxxxxxxQ", len(packed) // INSTRUCTION.size, ctypes.addressof(held))
    call = ctypes.c_long(SYSCALL[machine])
    if library.syscall(call, ctypes.c_long(SET_MODE_FILTER), ctypes.c_long(TSYNC | SPEC_ALLOW), whole) != 0:
        raise OSError(ctypes.get_errno(), "the filter of system calls was not taken")
