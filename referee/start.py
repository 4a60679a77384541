"""Starts this project's referee, even in a folder that has another package called `referee`.

A folder in which one works may have a package `referee` of its own, as the courses' projects do.  This
file imports the `referee` in which it lies by its path:

    python -P .../referee/start.py ROOM.MODULE ...    a process of the referee's: `main` of that module
    called("tournament.cluster", "play_here", ...) on a Dask worker
    python .../referee/start.py ...           the command `referee`, which starts this by its path as well

It runs on any Python 3, so that one that is too old is met with a sentence (in __init__.py).
"""

import importlib
import importlib.util
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


def command(module, *arguments):
    """The words that run `main` of referee.MODULE, of this package and of no other that is called so."""
    return [sys.executable, "-P", os.path.join(HERE, "start.py"), module] + list(arguments)


def called(module, function, *arguments):
    """What a function of one of the referee's modules returns."""
    _import_ours()
    return getattr(importlib.import_module("referee." + module), function)(*arguments)


def main():
    """The exit code of the command line."""
    return called("__main__", "main", sys.argv[1:])


def _import_ours():
    """Import the package `referee` in which this file lies, in the place of any other."""
    found = sys.modules.get("referee")
    if found is None or os.path.realpath(getattr(found, "__path__", [""])[0]) != os.path.realpath(HERE):
        for name in [name for name in sys.modules if name.partition(".")[0] == "referee"]:
            del sys.modules[name]
        place = os.path.join(HERE, "__init__.py")
        spec = importlib.util.spec_from_file_location("referee", place, submodule_search_locations=[HERE])
        if spec is None or spec.loader is None:
            raise ImportError("there is no package in " + HERE)
        sys.modules["referee"] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules["referee"])


if __name__ == "__main__":
    if "." in "".join(sys.argv[1:2]):
        called(sys.argv.pop(1), "main")
    else:  # no module of the referee's: the words of a command line, or none
        sys.path[:] = [
            entry for entry in sys.path if os.path.abspath(entry) != HERE
        ]  # its files are no modules
        sys.exit(main())
