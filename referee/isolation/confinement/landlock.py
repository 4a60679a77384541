"""Limits which files a confined player may open, by the Linux kernel's Landlock.

A version knows more kinds of access than the one before.  All that are known here are handled, hence
refused where no rule gives them; what a version does not know yet, seccomp.py refuses.
"""

import ctypes
import os
import stat
import struct
from collections.abc import Iterable

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446  # on all machines
VERSION = 1
BENEATH = 1

EXECUTE, WRITE_FILE, READ_FILE, READ_FOLDER = 1, 1 << 1, 1 << 2, 1 << 3
# How many bits of file access a version handles: 2 knows moving between folders, 3 truncating, 5 devices.
FILE_ACCESS = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16}
NET, NET_ACCESS = 4, 0b11  # from version 4: to bind and to connect TCP
SCOPE, SCOPED = 6, 0b11  # from version 6: no abstract sockets and no signals across


def version(library: ctypes.CDLL) -> int:
    """Of this system's Landlock; 0 where there is none, or it is switched off."""
    found = library.syscall(ctypes.c_long(CREATE_RULESET), None, ctypes.c_long(0), ctypes.c_long(VERSION))
    return max(0, found)


def restrict(
    library: ctypes.CDLL,
    known: int,
    readable: Iterable[str],
    writable: Iterable[str],
    listed: Iterable[str] = (),
    runnable: bool = False,
) -> None:
    """Take from this thread, and from those it starts, all access to files but that, for good.

    Readable are folders with all that is below, and files; `runnable`: as programs, too.  Writable are
    files.  Of the folders listed the names are told, of what is below, and no more.  What is not there is
    left out.  no_new_privs is set already.
    """
    files = (1 << FILE_ACCESS.get(known, FILE_ACCESS[5])) - 1
    handled = struct.pack("<QQQ", files, NET_ACCESS if known >= NET else 0, SCOPED if known >= SCOPE else 0)
    rules = _call(library, CREATE_RULESET, handled, len(handled), 0)
    try:
        for path in readable:
            _allow(library, rules, path, READ_FILE | EXECUTE if runnable else READ_FILE)
        for path in listed:
            _allow(library, rules, path, 0)
        for path in writable:
            _allow(library, rules, path, READ_FILE | WRITE_FILE)
        _call(library, RESTRICT_SELF, rules, 0)
    finally:
        os.close(rules)


def _allow(library: ctypes.CDLL, rules: int, path: str, access: int) -> None:
    try:
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    try:
        if stat.S_ISDIR(os.fstat(place).st_mode):
            access |= READ_FOLDER
        _call(library, ADD_RULE, rules, BENEATH, struct.pack("<Qi", access, place), 0)
    finally:
        os.close(place)


def _call(library: ctypes.CDLL, number: int, *arguments: int | bytes) -> int:
    ready = [one if isinstance(one, bytes) else ctypes.c_long(one) for one in arguments]
    found = library.syscall(ctypes.c_long(number), *ready)
    if found < 0:
        raise OSError(ctypes.get_errno(), "Landlock was not taken")
    return found
