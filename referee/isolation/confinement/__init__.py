"""Confines the process it runs in, a player's: Landlock for files, a seccomp filter for all other calls.

Both need no rights, cannot be undone, and hold for all that the process starts.  They are set before its
first thread, since Landlock holds for the thread that asks and those it starts: numpy brings threads.

This folder is imported twice: by the referee, which asks for `obstacle`, and by far_end.py in the
player's process, where nothing else of the referee's can be imported.
"""

import ctypes
import functools
import os
import site
import sys
from collections.abc import Iterable
from importlib.machinery import PathFinder

from . import landlock, rights, seccomp
from .module_finder import Beside

__all__ = ["Beside", "confine", "obstacle"]

PR_SET_NO_NEW_PRIVS = 38

# What the C library and Python read besides: libraries, times of day, how many processors there are.
SYSTEM = tuple(
    """
    /lib /lib64 /usr/lib /usr/lib64 /usr/local/lib /etc/ld.so.cache /etc/localtime /usr/share/zoneinfo
    /sys/devices/system/cpu /dev/random /dev/urandom
    """.split()
)
WRITABLE = ("/dev/null",)

# Of its own entry in /proc: figures and its own memory's layout; not the machine's network and mounts.
OWN_FILES = ("cmdline", "comm", "limits", "maps", "stat", "statm", "status")
OWN_FOLDERS = ("fd", "task")


def obstacle() -> str:
    """Why a player cannot be confined on this system; nothing if it can."""
    if sys.platform != "linux":
        return "the system is not Linux"
    machine = os.uname().machine
    if machine not in seccomp.MACHINES or sys.maxsize < 2**32:
        return f"there is no table of the system calls of {machine}"
    library = ctypes.CDLL(None, use_errno=True)
    if not landlock.version(library):
        return "the kernel has no Landlock: it is older than Linux 5.13, or it is switched off or forbidden"
    if not seccomp.works(library, machine):
        return "the kernel takes no seccomp filters"
    return ""


def prepare() -> None:
    """Find out beforehand what is the same for all copies of this process that are to be confined."""
    _installation()
    seccomp.prepare(os.uname().machine)


def confine(readable: Iterable[str]) -> None:
    """From here on this process reads what is named, Python and itself, and writes nothing.

    OSError where the kernel does not do what it said it would.
    """
    _restrict([*readable, *_installation(), *SYSTEM], is_program=False)


def confine_program(readable: Iterable[str]) -> None:
    """The same for a process that is about to become another program: what is named it may read and run.

    It may become one more program after that, as scripts do, and start threads, but no processes.
    """
    _restrict([*readable, *SYSTEM], is_program=True)


def _restrict(places: Iterable[str], is_program: bool) -> None:
    library = ctypes.CDLL(None, use_errno=True)
    machine = os.uname().machine
    own = f"/proc/{os.getpid()}/"
    files, folders = ([own + name for name in names] for names in (OWN_FILES, OWN_FOLDERS))
    for path in (*files, *folders):
        # Kept open: the rule is for this very entry, which the kernel may make anew once nobody holds it.
        os.set_inheritable(os.open(path, os.O_PATH), is_program)
    if library.prctl(*map(ctypes.c_ulong, (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))) != 0:
        raise OSError(ctypes.get_errno(), "no_new_privs was not taken")
    landlock.restrict(library, landlock.version(library), [*places, *files], WRITABLE, folders, is_program)
    rights.keep_only(library, rights.READ_EVERYTHING)  # of root's
    seccomp.install(library, machine, os.getpid(), is_program)
    _check()


@functools.cache
def _installation() -> tuple[str, ...]:
    """Python, what is installed for it, and numpy wherever that is; not what lies elsewhere on its path."""
    homes = sys.prefix, sys.base_prefix, os.path.dirname(site.getusersitepackages())
    own = tuple(os.path.join(os.path.realpath(home), "") for home in homes)
    numpy = PathFinder.find_spec("numpy")
    folders = list(numpy and numpy.submodule_search_locations or ())
    return (
        os.path.dirname(os.path.dirname(os.__file__)),  # libraries of this Python's lie beside its own
        *(place for place in sys.path if os.path.realpath(place).startswith(own)),
        *filter(None, os.environ.get("LD_LIBRARY_PATH", "").split(":")),
        *(place for folder in folders for place in (folder, f"{folder}.libs")),
    )


def _check() -> None:
    """Believe the kernel only what can be seen: here something that Landlock forbids, and the filter."""
    own = os.PRIO_PROCESS, 0
    for forbidden in (
        lambda: os.open("/proc/self/comm", os.O_WRONLY),
        lambda: os.setpriority(*own, os.getpriority(*own)),
    ):
        try:
            forbidden()
        except PermissionError:
            continue
        raise OSError("confinement was taken but has no effect")
