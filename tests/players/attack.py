"""What the attacking players have in common: each plays legally, and attacks once and says what came of it.

An attack returns if it got through and raises OSError if it was refused; anything else is a mistake in it.
"""

import ctypes
import os
import platform

from legal import Legal

LIBRARY = ctypes.CDLL(None, use_errno=True)
HERE = platform.machine() == "aarch64"  # which of two numbers of a system call is meant
NEAR = range(max(2, os.getpid() - 40), os.getpid() + 40)
NEIGHBOURS = [os.getppid(), *(pid for pid in NEAR if pid != os.getpid())]  # of the opponent's the numbers are near


def call(numbers, *arguments):
    """A system call by its numbers on x86-64 and aarch64, past Python and the C library."""
    ready = [one if isinstance(one, (bytes, ctypes.Array)) or one is None else ctypes.c_long(one) for one in arguments]
    return checked(LIBRARY.syscall(ctypes.c_long(numbers[HERE]), *ready))


def checked(found):
    """What a function of the C library has returned; OSError where that is an error."""
    if found < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return found


def first_that_works(attempt, targets):
    """Try one after the other; where all are refused, that this is not permitted counts most."""
    refused = [FileNotFoundError("nothing to try it on")]
    for target in targets:
        try:
            return attempt(target)
        except OSError as error:
            refused.append(error)
    raise max(refused, key=lambda error: isinstance(error, PermissionError))


class Attack(Legal):
    """`bait` is a folder with record.txt, games.jsonl and opponent.py, `referee` the process to attack."""

    WILD = False  # whether it would harm whoever tries it out, if it got through

    def __init__(self, colour, variant="", bait="", referee=0):
        super().__init__(colour, variant)
        self.bait, self.referee = bait, referee

    def trouble(self, chosen):
        print(self.outcome(), flush=True)

    def outcome(self):
        """A line that begins with `did` or with `refused`."""
        name = type(self).__name__
        try:
            return "%s did: %.80r" % (name, self.attack())
        except OSError as error:
            return "%s refused: %s" % (name, type(error).__name__)

    def attack(self):
        raise NotImplementedError
