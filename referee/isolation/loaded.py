"""What a launcher has loaded for the processes that are forked from it, and what each of them renews.

After that a process is as one that has loaded it by itself: it has all its memory, which is neither copied
nor mapped later at the player's cost, and random numbers of its own.  The hashes of strings are the
launcher's.
"""

import gc
import importlib
import os
import sys
from importlib.machinery import PathFinder

from . import confinement, pages, proc

TASKS = "/proc/self/task"
OWN = ("dataclasses", "difflib", "pkgutil", "random")  # of Python's, what the referee's players import
BLAS = "openblas"  # in the name of the library that numpy's wheels bring beside it


class Loaded:
    """Loads numpy; for plain players a little of Python's own in its place.

    The process ends where copies of it would lack a thread that somebody counts on.
    """

    def __init__(self, is_plain: bool = False) -> None:
        if is_plain:
            for name in OWN:
                importlib.import_module(name)
        else:
            _load_blas()
            try:
                import numpy  # noqa: F401
            except ImportError:
                pass
        _end_threads()
        if len(proc.names(TASKS)) > 1:
            os._exit(1)
        confinement.prepare()
        gc.collect()
        gc.freeze()  # so that collecting garbage later does not touch, and copy, all that there is
        self._runs = pages.present()

    def renew(self) -> None:
        """To be called in a copy, before it is confined."""
        pages.have(self._runs)
        for name in ("random", "numpy.random"):
            if name in sys.modules:
                sys.modules[name].seed()


def _load_blas() -> None:
    """Load numpy's BLAS before numpy: then its threads are ended before they have searched 27 ms for work."""
    found = PathFinder.find_spec("numpy")
    for folder in found.submodule_search_locations or () if found else ():
        libraries = os.path.join(os.path.dirname(folder), "numpy.libs")
        for name in os.listdir(libraries) if os.path.isdir(libraries) else ():
            if BLAS in name:
                import ctypes  # which numpy imports, too

                try:
                    ctypes.CDLL(os.path.join(libraries, name))
                except OSError:  # then numpy cannot load it either, or from elsewhere
                    return
    _end_threads()


def _end_threads() -> None:
    """Of a BLAS, which ends them for a fork; who needs them starts them anew."""
    if len(proc.names(TASKS)) > 1:
        _fork_once()


def _fork_once() -> None:
    copy = os.fork()
    if copy == 0:
        os._exit(0)
    os.waitpid(copy, 0)
