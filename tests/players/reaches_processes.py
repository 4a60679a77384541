"""Attacks on other processes: signals, priorities and limits of theirs, and processes and programs of its own."""

import ctypes
import fcntl
import os
import resource
import signal
import socket
import struct
import subprocess
import sys

from attack import LIBRARY, NEIGHBOURS, Attack, call, first_that_works


def end(child):
    """Let a child that could be started be gone."""
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)
    return "a child"


class SignalsEverybody(Attack):
    """Signals every process that it may, with the signal that only asks whether it may."""

    def attack(self):
        return os.kill(-1, 0)


class SignalsTheReferee(Attack):
    """Signals the referee."""

    def attack(self):
        return os.kill(self.referee, signal.SIGCONT)


class SignalsTheOpponent(Attack):
    """Signals the processes that started when it did, the opponent's among them."""

    def attack(self):
        return first_that_works(lambda pid: os.kill(pid, signal.SIGCONT), NEIGHBOURS)


class SignalsAGroup(Attack):
    """Signals the referee's process group."""

    def attack(self):
        return os.killpg(os.getpgid(self.referee), 0)


class SignalsThreads(Attack):
    """Signals the referee with tkill."""

    def attack(self):
        return call((200, 130), self.referee, signal.SIGCONT)


class SignalsThreadsOfGroups(Attack):
    """Signals the referee with tgkill."""

    def attack(self):
        return call((234, 131), self.referee, self.referee, signal.SIGCONT)


class QueuesSignals(Attack):
    """Signals the referee with rt_sigqueueinfo."""

    def attack(self):
        return call((129, 138), self.referee, signal.SIGCONT, struct.pack("iii", signal.SIGCONT, 0, -1) + bytes(116))


class SignalsByDescriptor(Attack):
    """Signals the referee with pidfd_send_signal."""

    def attack(self):
        return signal.pidfd_send_signal(os.pidfd_open(self.referee), signal.SIGCONT)


class LetsTheKernelSignal(Attack):
    """Makes the referee the owner of a pipe, whom the kernel signals when something comes."""

    def attack(self):
        return fcntl.fcntl(os.pipe()[0], fcntl.F_SETOWN, self.referee)


class RunsBeforeEverybody(Attack):
    """Has itself scheduled before all that is not urgent, the referee included, for nobody to see how it grows."""

    def attack(self):
        return os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))


class Renices(Attack):
    """Sets the priority of the referee, to what it is."""

    def attack(self):
        return os.setpriority(os.PRIO_PROCESS, self.referee, os.getpriority(os.PRIO_PROCESS, self.referee))


class PinsToAProcessor(Attack):
    """Sets on which processors the referee may run, to those on which it may."""

    def attack(self):
        return os.sched_setaffinity(self.referee, os.sched_getaffinity(self.referee))


class AsksForRealTime(Attack):
    """Has itself scheduled in another way: as a batch job, which everybody may."""

    def attack(self):
        return os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))


class LimitsTheReferee(Attack):
    """Sets the referee's limits, to what its own are."""

    def attack(self):
        return resource.prlimit(self.referee, resource.RLIMIT_NOFILE, resource.getrlimit(resource.RLIMIT_NOFILE))


class Forks(Attack):
    """Forks."""

    def attack(self):
        return end(os.fork())


class ForksByNumber(Attack):
    """Forks by calling clone past the C library."""

    def attack(self):
        return end(call((56, 220), 17, 0, 0, 0, 0))


class ForksTheNewWay(Attack):
    """Forks by calling clone3."""

    def attack(self):
        return end(call((435, 435), struct.pack("QQQQQ", 0, 0, 0, 0, 17) + bytes(24), 64))


class KeepsForking(Attack):
    """Forks as often as it can."""

    WILD = True

    def attack(self):
        while os.fork():
            pass
        os._exit(0)


class StartsPrograms(Attack):
    """Runs a program."""

    def attack(self):
        return subprocess.run([sys.executable, "-c", ""]).returncode


class BecomesAProgram(Attack):
    """Becomes another program: one that is not there, so that it can still tell."""

    def attack(self):
        try:
            os.execv("/no/such/program", ["program"])
        except FileNotFoundError:
            return "it would"


class RunsWhatIsInMemory(Attack):
    """Runs a program from a descriptor, with execveat."""

    def attack(self):
        try:
            return call((322, 281), -1, b"", None, None, 0x1000)
        except OSError as error:
            if error.errno == 9:
                return "it would"
            raise


class UnsharesNamespaces(Attack):
    """Makes a namespace of users, in which it would be root."""

    WILD = True

    def attack(self):
        return call((272, 97), 0x10000000)


class MakesAThreadWithNamespaces(Attack):
    """Makes a thread with a namespace of mounts of its own."""

    WILD = True

    def attack(self):
        return call((56, 220), 0x00010F00 | 0x00020000, 0, 0, 0, 0)


class EntersNamespaces(Attack):
    """Enters another process's namespace: by a descriptor that is none."""

    def attack(self):
        try:
            return call((308, 268), -1, 0)
        except OSError as error:
            if error.errno == 9:
                return "it would"
            raise


class Mounts(Attack):
    """Mounts an empty file system over the folder of records."""

    WILD = True

    def attack(self):
        return call((165, 40), b"none", self.bait.encode(), b"tmpfs", 0, None)


class ChangesItsRoot(Attack):
    """Changes its root."""

    WILD = True

    def attack(self):
        return os.chroot(self.bait)


class BecomesAnotherUser(Attack):
    """Becomes another user."""

    WILD = True

    def attack(self):
        return os.setuid(65534)


class OutlivesItsKeeper(Attack):
    """Takes back that it is killed with its keeper."""

    WILD = True

    def attack(self):
        if LIBRARY.prctl(1, 0, 0, 0, 0):
            raise PermissionError(ctypes.get_errno(), "prctl")


class HidesFromTheReferee(Attack):
    """Makes itself one whose memory the referee may not see, by PR_SET_DUMPABLE."""

    WILD = True

    def attack(self):
        if LIBRARY.prctl(4, 0, 0, 0, 0):
            raise PermissionError(ctypes.get_errno(), "prctl")


class ChangesItsPersonality(Attack):
    """Changes its personality, by which addresses are the same every time."""

    def attack(self):
        return call((135, 92), 0x0040000)


class FoundsASession(Attack):
    """Founds a session of its own; it leads one already, so the system refuses too."""

    def attack(self):
        return call((109, 154), 0, 0)


class SetsTheClock(Attack):
    """Sets the machine's clock; root may."""

    WILD = True

    def attack(self):
        return call((227, 112), 0, struct.pack("qq", 0, 0))


class LoadsAModule(Attack):
    """Loads a module into the kernel: from a descriptor that is none; root may."""

    def attack(self):
        try:
            return call((313, 273), -1, b"", 0)
        except OSError as error:
            if error.errno == 9:
                return "it would"
            raise


class PassesDescriptors(Attack):
    """Passes a descriptor through a socket, as it could to the referee."""

    def attack(self):
        near, far = socket.socketpair()
        with near, far:
            return near.sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, struct.pack("i", 0))])
