"""Attacks by what is neither file nor signal: sockets, shared memory, queues, terminals, other ways into the kernel."""

import ctypes
import fcntl
import mmap
import os
import platform
import socket
import struct

from attack import Attack, call


class ConnectsToLoopback(Attack):
    """Connects to a port of this machine."""

    def attack(self):
        with socket.socket() as one:
            try:
                return one.connect(("127.0.0.1", 9))
            except ConnectionRefusedError:
                return "nobody there"


class ListensOnLoopback(Attack):
    """Listens on a port of this machine."""

    def attack(self):
        with socket.socket() as one:
            one.bind(("127.0.0.1", 0))
            return one.listen()


class SendsDatagrams(Attack):
    """Sends a datagram to this machine."""

    def attack(self):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
            return one.sendto(b"x", ("127.0.0.1", 9))


class SendsOverVersionSix(Attack):
    """Makes a socket of IP version 6."""

    def attack(self):
        return socket.socket(socket.AF_INET6, socket.SOCK_DGRAM).close()


class TalksToServices(Attack):
    """Connects to a socket in the file system, the system log's; there may be nobody."""

    def attack(self):
        with socket.socket(socket.AF_UNIX) as one:
            try:
                return one.connect("/dev/log")
            except FileNotFoundError:
                return "nobody there"


class TalksInTheAbstract(Attack):
    """Binds a socket to a name that is in no file system, for an accomplice."""

    def attack(self):
        with socket.socket(socket.AF_UNIX) as one:
            return one.bind("\0of-a-player-%d" % os.getpid())


class MisusesAPair(Attack):
    """Sends to the system log from a pair of sockets that is meant for itself."""

    def attack(self):
        near, far = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
        with near, far:
            try:
                return near.sendto(b"x", "/dev/log")
            except (FileNotFoundError, ConnectionRefusedError, IsADirectoryError):
                return "nobody there"


class AsksTheKernel(Attack):
    """Makes a netlink socket."""

    def attack(self):
        return socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0).close()


class SharesMemory(Attack):
    """Makes shared memory of System V's, which has no path and outlives it."""

    def attack(self):
        number = call((29, 194), 0, 4096, 0o1600)
        return call((31, 195), number, 0, None)


class SharesSemaphores(Attack):
    """Makes a semaphore of System V's."""

    def attack(self):
        number = call((64, 190), 0, 1, 0o1600)
        return call((66, 191), number, 0, 0)


class SharesQueues(Attack):
    """Makes a message queue of System V's."""

    def attack(self):
        number = call((68, 186), 0, 0o1600)
        return call((71, 187), number, 0, None)


class SharesPosixQueues(Attack):
    """Makes a message queue of POSIX's."""

    def attack(self):
        name = b"of-a-player-%d" % os.getpid()
        call((240, 180), name, os.O_CREAT | os.O_RDWR, 0o600, None)
        return call((241, 181), name)


class TypesIntoTerminals(Attack):
    """Types into the user's terminal with TIOCSTI; what it has is none, which an unconfined one is told."""

    def attack(self):
        try:
            return fcntl.ioctl(2, 0x5412, b"x")
        except OSError as error:
            if error.errno == 25:
                return "it would, to a terminal"
            raise


class OpensATerminal(Attack):
    """Makes a terminal."""

    def attack(self):
        return os.open("/dev/ptmx", os.O_RDWR | os.O_NOCTTY)


class UsesTheRing(Attack):
    """Uses io_uring, which does what it is asked past any filter of system calls."""

    def attack(self):
        return call((425, 425), 1, ctypes.create_string_buffer(120))


class EnlargesPipes(Attack):
    """Enlarges a pipe, to keep memory in it that is nobody's."""

    def attack(self):
        return fcntl.fcntl(os.pipe()[1], 1031, 2**20)


class CallsAsA32BitProgram(Attack):
    """Makes a folder by int 0x80 on x86-64, where numbers mean the calls of another table."""

    def attack(self):
        if platform.machine() != "x86_64":
            raise PermissionError("only x86-64 has this door")
        low = mmap.mmap(-1, 4096, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x40, 7)  # below 4 GB, for the path
        address = ctypes.addressof(ctypes.c_char.from_buffer(low))
        path = self.bait.encode() + b"/by32\0"
        code = bytes.fromhex("53 89 fb 89 f1 b8 27 00 00 00 cd 80 5b c3")  # mkdir(edi, esi)
        low.write(path.ljust(2048, b"\0") + code)
        answer = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_uint, ctypes.c_uint)(address + 2048)(address, 0o700)
        if answer < 0:
            raise OSError(-answer, os.strerror(-answer))
        return answer


class CallsWithLongNumbers(Attack):
    """Makes a folder by the x32 table on x86-64: the same numbers with a bit set."""

    def attack(self):
        if platform.machine() != "x86_64":
            raise PermissionError("only x86-64 has this table")
        return call((0x40000000 + 83, 0), (self.bait + "/byx32").encode(), 0o700)


class OpensTheNewWay(Attack):
    """Opens a file with openat2, whose flags no filter can see."""

    def attack(self):
        how = struct.pack("QQQ", os.O_WRONLY | os.O_CREAT, 0o600, 0)
        return call((437, 437), -100, (self.bait + "/new").encode(), how, 24)


class UsesPorts(Attack):
    """Has the machine's ports on x86-64; root may."""

    def attack(self):
        if platform.machine() != "x86_64":
            raise PermissionError("only x86-64 has ports")
        return call((172, 0), 3)
