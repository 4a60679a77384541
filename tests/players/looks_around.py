"""Attacks that only look: at the opponent, the referee, their files, and what the system knows of both."""

import ctypes
import glob
import os
import struct
import time

from attack import LIBRARY, NEIGHBOURS, Attack, call, first_that_works

VECTOR = struct.Struct("QQ")


def start_of(path):
    with open(path, "rb") as file:
        return file.read(16)


class ReadsTheRecord(Attack):
    """Reads the record, which has the seed of `random` in it."""

    def attack(self):
        return start_of(self.bait + "/record.txt")


class ReadsTheOpponentsCode(Attack):
    """Reads the opponent's code, to know what it will choose."""

    def attack(self):
        return start_of(self.bait + "/opponent.py")


class ReadsThroughItsRoot(Attack):
    """Reads the opponent's code by way of /proc/self/root."""

    def attack(self):
        return start_of("/proc/self/root" + self.bait + "/opponent.py")


class ImportsTheOpponent(Attack):
    """Imports the opponent's code."""

    def attack(self):
        import sys

        sys.path.append(self.bait)
        try:
            import opponent
        except ImportError as error:
            raise PermissionError(error)
        return opponent.__name__


class ListsFolders(Attack):
    """Lists the folder of records."""

    def attack(self):
        return os.listdir(self.bait)


class ListsProcesses(Attack):
    """Lists all processes."""

    def attack(self):
        return os.listdir("/proc")


class ReadsCommandLines(Attack):
    """Reads the referee's command line, which may have --seed in it."""

    def attack(self):
        return start_of("/proc/%d/cmdline" % self.referee)


class ReadsEnvironments(Attack):
    """Reads the referee's environment."""

    def attack(self):
        return start_of("/proc/%d/environ" % self.referee)


class ReadsTheRefereesMemory(Attack):
    """Reads the referee's memory through /proc, where the opponent's hidden choice is."""

    def attack(self):
        with open("/proc/%d/maps" % self.referee) as maps:
            begin = int(maps.readline().partition("-")[0], 16)
        memory = os.open("/proc/%d/mem" % self.referee, os.O_RDONLY)
        return os.pread(memory, 16, begin)


class ReadsTheOpponentsMemory(Attack):
    """Reads the opponent's memory through /proc."""

    def attack(self):
        return first_that_works(lambda pid: os.open("/proc/%d/mem" % pid, os.O_RDONLY), NEIGHBOURS)


class ReadsMemoryByCall(Attack):
    """Reads memory with process_vm_readv."""

    def attack(self):
        held = ctypes.create_string_buffer(16)
        address = ctypes.addressof(held)  # of the referee's it may not be mapped: that is another error
        vector = VECTOR.pack(address, 16)
        return first_that_works(lambda pid: call((310, 270), pid, vector, 1, vector, 1, 0), [os.getpid(), self.referee])


class WritesMemoryByCall(Attack):
    """Writes memory with process_vm_writev: its own, but what is refused there is refused everywhere."""

    def attack(self):
        held = ctypes.create_string_buffer(16)
        vector = VECTOR.pack(ctypes.addressof(held), 16)
        return call((311, 271), os.getpid(), vector, 1, vector, 1, 0)


class Traces(Attack):
    """Uses ptrace, with which it could change what the opponent replies: asks to be traced itself."""

    WILD = True

    def attack(self):
        return call((101, 117), 0, 0, 0, 0)


class TakesDescriptors(Attack):
    """Takes the referee's output with pidfd_getfd, to write there."""

    def attack(self):
        return call((438, 438), os.pidfd_open(self.referee), 1, 0)


class ListsDescriptors(Attack):
    """Lists what the referee has open."""

    def attack(self):
        return os.listdir("/proc/%d/fd" % self.referee)


class OpensDescriptors(Attack):
    """Opens what its keeper has open, through /proc."""

    def attack(self):
        return first_that_works(
            lambda number: os.open("/proc/%d/fd/%d" % (os.getppid(), number), os.O_RDONLY), range(3)
        )


class ComparesProcesses(Attack):
    """Compares memory of the referee's with its own, by kcmp."""

    def attack(self):
        return call((312, 272), os.getpid(), self.referee, 0, 0, 0)


class WatchesFolders(Attack):
    """Has itself told by inotify what is read when: which of the opponent's tables."""

    def attack(self):
        return call((254, 27), call((294, 26), 0), self.bait.encode(), 0xFFF)


class WatchesEverything(Attack):
    """Has itself told by fanotify; root may."""

    def attack(self):
        return call((300, 262), 0, 0)


class ReadsOthersClocks(Attack):
    """Reads another process's CPU clock, to know how long the opponent has thought."""

    def attack(self):
        return time.clock_gettime((~self.referee << 3) | 2)


class ReadsTheRefereesState(Attack):
    """Reads what /proc tells everybody of the referee."""

    def attack(self):
        return start_of("/proc/%d/stat" % self.referee)


class ReadsTheWholeMachinesTimes(Attack):
    """Reads how busy the machine was while it was stopped."""

    def attack(self):
        return start_of("/proc/stat")


class CountsEvents(Attack):
    """Counts events of the processor with perf_event_open."""

    def attack(self):
        kind = struct.pack("IIQ", 1, 112, 1) + bytes(96)
        return call((298, 241), kind, -1, 0, -1, 0)


class ReadsTheKernelsLog(Attack):
    """Reads the kernel's log."""

    def attack(self):
        return call((103, 116), 10, None, 0)


class LoadsAKernelProgram(Attack):
    """Uses bpf, to run programs in the kernel."""

    def attack(self):
        return call((321, 280), 0, struct.pack("IIII", 2, 4, 4, 1) + bytes(56), 72)


class TakesFaults(Attack):
    """Uses userfaultfd, to hold system calls up half-way."""

    def attack(self):
        return call((323, 282), 1)


class UsesKeys(Attack):
    """Leaves a key in the kernel's keyring, for the next player to find."""

    def attack(self):
        return call((248, 217), b"user", b"of-a-player", b"memory", 6, -1)


class ReadsDisks(Attack):
    """Reads the disk itself, or the machine's memory; root may."""

    def attack(self):
        return first_that_works(start_of, [*glob.glob("/dev/[vs]d?"), *glob.glob("/dev/nvme*"), "/dev/mem", "/dev/vda"])


class OpensByHandle(Attack):
    """Opens files by handle instead of by path; root may."""

    def attack(self):
        return call((304, 265), -100, struct.pack("II", 8, 1) + bytes(8), 0)


class ReadsPasswords(Attack):
    """Reads /etc/passwd."""

    def attack(self):
        return start_of("/etc/passwd")


class ReadsInAThreadOfNumpys(Attack):
    """Reads in a thread that numpy had started before, since Landlock holds thread by thread."""

    def attack(self):
        path = (self.bait + "/opponent.py").encode()
        threads = [int(thread) for thread in os.listdir("/proc/self/task")]
        others = [thread for thread in threads if thread != os.getpid()] or threads
        got = []
        handler = ctypes.CFUNCTYPE(None, ctypes.c_int)(lambda number: got.append(LIBRARY.open(path, 0)))
        LIBRARY.signal(12, handler)
        LIBRARY.syscall((234, 131)[os.uname().machine == "aarch64"], os.getpid(), others[-1], 12)
        until = time.monotonic() + 1
        while not got and time.monotonic() < until:
            time.sleep(0.001)
        LIBRARY.signal(12, 1)
        if not got or got[0] < 0:
            raise PermissionError(13, "no descriptor")
        return os.read(got[0], 16)
