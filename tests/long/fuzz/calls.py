"""System calls of a confined player, made up: whatever it calls, it answers or gets a verdict."""

import contextlib
import os
import tempfile
from pathlib import Path
from unittest import mock

from referee.isolation import allowance
from referee.isolation.allowance import Allowance
from referee.isolation.confinement import seccomp, syscalls
from referee.isolation.process import ENDINGS, Fault, PlayerProcess
from referee.players.names import Spec

# What would end or halt most players before they come to anything else.
LEFT_OUT = """
    exit exit_group pause rt_sigsuspend rt_sigreturn rt_sigtimedwait rt_sigprocmask alarm setitimer kill
    tgkill nanosleep clock_nanosleep futex select pselect6 poll ppoll epoll_wait epoll_pwait epoll_pwait2 read
    restart_syscall arch_prctl rseq set_robust_list clone munmap mprotect mremap brk mmap madvise sigaltstack
    rt_sigaction getrandom close close_range dup2 dup3 shutdown fcntl write writev pwritev2
""".split()
UPROBES = (335, 336)  # of x86-64, which no filter sees
PLAYER = """
import ctypes, os, random, signal

LIBRARY = ctypes.CDLL(None)

class Player:
    def __init__(self, colour, seed, numbers):
        self.random, self.numbers = random.Random(seed), numbers
        self.memory = ctypes.create_string_buffer(65536)
        for place, path in enumerate((b"/etc/passwd", b"/proc/self/fd", b"/dev/null", b"/proc/1/mem", b".")):
            self.memory[4096 * place : 4096 * place + len(path)] = path
        signal.signal(signal.SIGALRM, lambda *_: None)

    def argument(self):
        choose = self.random.randrange
        near = ctypes.addressof(self.memory) + choose(32768)
        return (0, 0, choose(16), choose(16), 1 << choose(14), near, near, os.getpid(), -1)[choose(9)]

    def action(self):
        signal.setitimer(signal.ITIMER_REAL, 0.002, 0.002)  # so that none waits for long
        for _ in range(20_000):
            number = self.random.choice(self.numbers)
            LIBRARY.syscall(*map(ctypes.c_long, (number, *(self.argument() for _ in range(6)))))
        signal.setitimer(signal.ITIMER_REAL, 0)
        return 1
"""


@contextlib.contextmanager
def prepared():
    """Lay out the player, and try one with a seed of its own."""
    column = seccomp.MACHINES[os.uname().machine][0]
    known = {**syscalls.ALLOWED, **syscalls.LOOKED_AT}
    but = {known[name][column] for name in LEFT_OUT} | ({*UPROBES} if column == 0 else set())
    often = [numbers[column] for numbers in known.values() if numbers[column] not in {None, *but}]
    numbers = (*8 * often, *sorted({*range(syscalls.LAST + 1)} - but))
    limits = Allowance(action=5.0, megabytes=200, isolation="full")
    with tempfile.TemporaryDirectory() as folder, mock.patch.object(allowance, "BACKSTOP", (0.1, 0.5)):
        Path(folder, "calls.py").write_text(PLAYER)

        def try_one(random):
            arguments = (("seed", random.randrange(2**32)), ("numbers", numbers))
            with PlayerProcess(
                Spec("calls", "calls", folder, "Player", arguments), "A", "", limits
            ) as player:
                try:
                    player.start()
                    player.construct()
                    assert player.action() == 1
                except Fault as fault:
                    assert fault.ending in ENDINGS and fault.call == "action", str(fault)
            assert player._child.helpers() == 0

        yield try_one
