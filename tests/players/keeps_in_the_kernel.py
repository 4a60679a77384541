"""Attacks by what the kernel keeps: memory that is nobody's, the memory of earlier games, signals that wake."""

import ctypes
import fcntl
import mmap
import os
import resource
import signal
import socket
import struct

from attack import LIBRARY, Attack, call

PAGE = mmap.PAGESIZE
PRIVATE, ANONYMOUS = 2, 0x20
LIBRARY.mmap.restype = ctypes.c_void_p
LIBRARY.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long]


def mapped(flags, file=-1, protection=3):
    """The address of a new page."""
    found = LIBRARY.mmap(None, PAGE, protection, flags, file, 0)
    if found in (None, ctypes.c_void_p(-1).value):
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return found


class SharesAnonymousMemory(Attack):
    """Takes shared memory without a name, which can be given back without being gone."""

    def attack(self):
        return mmap.mmap(-1, PAGE).close()


class SharesZeroes(Attack):
    """Takes the same by way of /dev/zero."""

    def attack(self):
        with open("/dev/zero", "rb") as file:
            return mmap.mmap(file.fileno(), PAGE, mmap.MAP_SHARED, mmap.PROT_READ).close()


class TakesHugePages(Attack):
    """Takes huge pages, which are in no resident size; where the machine keeps some."""

    def attack(self):
        return mapped(PRIVATE | ANONYMOUS | 0x40000)


class LocksMemory(Attack):
    """Locks a page into the machine's memory; root may."""

    def attack(self):
        return call((149, 228), mapped(PRIVATE | ANONYMOUS), PAGE)


class LocksWhatItMaps(Attack):
    """Takes a page that is locked from the beginning; root may."""

    def attack(self):
        return mapped(PRIVATE | ANONYMOUS | 0x2000)


class MergesMemory(Attack):
    """Has its pages merged with equal ones of others, by which it could tell what those have."""

    def attack(self):
        return call((28, 233), mapped(PRIVATE | ANONYMOUS), PAGE, 12)


class PagesOut(Attack):
    """Has a file's page put out of the machine's memory, for the next game to notice."""

    def attack(self):
        with open(os.__file__, "rb") as file:
            return call((28, 233), mapped(PRIVATE, file.fileno(), 1), PAGE, 21)


class ForgetsPages(Attack):
    """Does so with posix_fadvise."""

    def attack(self):
        with open(os.__file__, "rb") as file:
            return os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


class ReadsAhead(Attack):
    """Has a file read into the machine's memory."""

    def attack(self):
        with open(os.__file__, "rb") as file:
            return call((187, 213), file.fileno(), 0, PAGE)


class LooksForPages(Attack):
    """Asks with mincore which pages of a file are in the machine's memory."""

    def attack(self):
        with open(os.__file__, "rb") as file:
            return call((27, 232), mapped(PRIVATE, file.fileno(), 1), PAGE, ctypes.create_string_buffer(1))


class ReadsOnlyWhatIsThere(Attack):
    """Reads with preadv2, and only if that does not take a look at the disk."""

    def attack(self):
        with open(os.__file__, "rb") as file:
            file.read(1)
            return os.preadv(file.fileno(), [bytearray(1)], 0, os.RWF_NOWAIT)


class CountsPages(Attack):
    """Asks with cachestat how much of a file is in the machine's memory."""

    def attack(self):
        with open(os.__file__, "rb") as file:
            return call((451, 451), file.fileno(), bytes(16), ctypes.create_string_buffer(40), 0)


class WakesOtherGames(Attack):
    """Wakes whoever waits at the same place of the same file, in whatever process."""

    def attack(self):
        with open(os.__file__, "rb") as file:
            return call((202, 98), mapped(1, file.fileno(), 1), 1, 1, None, None, 0)


class WakesOtherGamesByPrivatePages(Attack):
    """Wakes them by a page of the file that is mapped privately, which the kernel takes for the same place."""

    def attack(self):
        with open(os.__file__, "rb") as file:
            return call((202, 98), mapped(PRIVATE, file.fileno(), 1), 10, 1, None, None, 1)


class WakesAtItsEnd(Attack):
    """Has the kernel wake somebody when its thread ends."""

    def attack(self):
        return call((218, 96), 0)


class ArmsATimer(Attack):
    """Makes a timer that sends SIGCONT, for the opponent's time."""

    def attack(self):
        event = struct.pack("<QiiQ", 0, signal.SIGCONT, 0, 0) + bytes(40)
        return call((222, 107), 1, event, ctypes.create_string_buffer(8))


class ContinuesItself(Attack):
    """Sends itself SIGCONT."""

    def attack(self):
        return os.kill(os.getpid(), signal.SIGCONT)


class ContinuesItsThread(Attack):
    """Sends its first thread SIGCONT."""

    def attack(self):
        return call((234, 131), os.getpid(), os.getpid(), signal.SIGCONT)


class QueuesForItself(Attack):
    """Queues SIGCONT for itself with rt_sigqueueinfo."""

    def attack(self):
        return call((129, 138), os.getpid(), signal.SIGCONT, struct.pack("<iii", signal.SIGCONT, 0, -1) + bytes(116))


class ContinuesByDescriptor(Attack):
    """Sends itself SIGCONT with pidfd_send_signal."""

    def attack(self):
        return signal.pidfd_send_signal(os.pidfd_open(os.getpid()), signal.SIGCONT)


class IsToldWithAnotherSignal(Attack):
    """Has SIGCONT sent when something comes through a pipe, by F_SETSIG."""

    def attack(self):
        return fcntl.fcntl(os.pipe()[0], 10, signal.SIGCONT)


class SubmitsInput(Attack):
    """Makes a ring for asynchronous input and output, which is memory that outlives descriptors."""

    def attack(self):
        return call((206, 0), 64, ctypes.create_string_buffer(8))


class HasDescriptorsOfItsOwn(Attack):
    """Gives a thread a table of descriptors of its own, so that each has as many as all may have together."""

    def attack(self):
        return call((436, 436), 4000, 4001, 2)


class HoldsManyByPolling(Attack):
    """Polls sockets, which stay there with what is in them though they are closed meanwhile."""

    def attack(self):
        pairs = [socket.socketpair() for _ in range(2)]
        asked = b"".join(struct.pack("<ihh", one.fileno(), 1, 0) for pair in pairs for one in pair)
        return call((7, 73), asked, 4, *([0] if os.uname().machine == "x86_64" else [bytes(16), None, 8]))


class HoldsManyBySelecting(Attack):
    """Does so with select."""

    def attack(self):
        near, far = socket.socketpair()
        return call((270, 72), far.fileno() + 1, (1 << far.fileno()).to_bytes(128, "little"), None, None, bytes(16), None)


class MayOpenMore(Attack):
    """Sets how many descriptors it may have."""

    def attack(self):
        limits = struct.pack("<QQ", *resource.getrlimit(resource.RLIMIT_NOFILE))
        return call((302, 261), 0, resource.RLIMIT_NOFILE, limits, None)


class ReadsTheNetwork(Attack):
    """Reads which connections the machine has."""

    def attack(self):
        return start_of("/proc/self/net/tcp")


class ReadsTheNetworkOfAThread(Attack):
    """Reads the same by way of its thread."""

    def attack(self):
        return start_of("/proc/self/task/%d/net/tcp" % os.getpid())


class ReadsMounts(Attack):
    """Reads which file systems the machine has."""

    def attack(self):
        return start_of("/proc/self/mounts")


class ReadsMountsInDetail(Attack):
    """Reads that in detail."""

    def attack(self):
        return start_of("/proc/self/mountinfo")


class ReadsItsControlGroup(Attack):
    """Reads which control group it is in."""

    def attack(self):
        return start_of("/proc/self/cgroup")


class LeavesItsControlGroup(Attack):
    """Leaves its control group, for the one above; root may."""

    WILD = True

    def attack(self):
        with open("/sys/fs/cgroup/cgroup.procs", "w") as file:
            return file.write("0")


def start_of(path):
    """The first bytes of a file."""
    with open(path, "rb") as file:
        return file.read(16)


class SplicesItsPages(Attack):
    """Puts pages of its own into a pipe, where they stay though it gives them back."""

    def attack(self):
        _, far = os.pipe()
        piece = ctypes.create_string_buffer(PAGE)
        return call((278, 75), far, struct.pack("QQ", ctypes.addressof(piece), PAGE), 1, 0)


class CopiesPipes(Attack):
    """Has what is in a pipe in another one as well, and in the next."""

    def attack(self):
        near, far = os.pipe()
        os.write(far, b"x")
        _, other = os.pipe()
        return call((276, 77), near, other, 1, 0)


class KeepsSecretMemory(Attack):
    """Makes memory that nobody else can read, the kernel included; where the system has it switched on."""

    def attack(self):
        return os.close(call((447, 447), 0))


class ChoosesWhereMemoryIs(Attack):
    """Sets from which part of the machine its memory comes, to what it is."""

    def attack(self):
        return call((238, 237), 0, None, 0)


class LocksBytes(Attack):
    """Locks bytes of a file that everybody may read, for the next game to notice."""

    def attack(self):
        with open(os.__file__, "rb") as file:
            return fcntl.lockf(file, fcntl.LOCK_SH, 1)


class AnswersItsOwnCalls(Attack):
    """Sets a filter of its own whose questions come to a descriptor, by which calls could wait for ever."""

    def attack(self):
        allow = ctypes.create_string_buffer(struct.pack("HBBI", 6, 0, 0, 0x7FFF0000), 8)
        program = struct.pack("HxxxxxxQ", 1, ctypes.addressof(allow))
        return os.close(call((317, 277), 1, 8, program))
