"""Gives up rights of root's, in the process that becomes a player; who is not root has none of them.

It imports nothing of the referee's.
"""

import ctypes

VERSION = 0x20080522  # of what capset is told
PR_CAPBSET_DROP = 24
ALL = 0xFFFFFFFF

READ_EVERYTHING = 1 << 1 | 1 << 2  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH: a package may be another user's
SYS_NICE, SYS_RESOURCE = 23, 24  # to run before all others, and beyond its limits


def keep_only(library: ctypes.CDLL, mask: int) -> None:
    """Of the first 32 rights those in the mask, of the others none; and programs are given none."""
    _change(library, (mask, mask, 0, 0, 0, 0))


def give_up(library: ctypes.CDLL, *rights: int) -> None:
    """These, of the first 32, for good: the programs that it becomes do not get them back either."""
    for right in rights:  # who may not do that has no rights to give up
        library.prctl(*map(ctypes.c_ulong, (PR_CAPBSET_DROP, right, 0, 0, 0)))
    mask = ALL - sum(1 << right for right in rights)
    _change(library, (mask, mask, mask, ALL, ALL, ALL))


def _change(library: ctypes.CDLL, masks: tuple[int, ...]) -> None:
    """`masks` are for those in force, had, and passed on to programs, first the lower 32 of each."""
    held = (ctypes.c_uint32 * 6)()
    header = (ctypes.c_uint32 * 2)(VERSION, 0)
    library.capget(header, held)
    kept = (ctypes.c_uint32 * 6)(*(one & mask for one, mask in zip(held, masks, strict=True)))
    if library.capset(header, kept) != 0:
        raise OSError(ctypes.get_errno(), "rights could not be given up")
