"""What starts the referee of this project, and no other package that is called so.

A folder in which one works may have a package `referee` of its own, as the courses' projects do.  This
module's name is nobody else's, and it imports the `referee` that lies beside it by its path:

    referee ...                                    the command of that name: `main`
    python -P board_game_referee.py MODULE ...     a process of the referee's: `main` of referee.MODULE
    called("cluster", "play_here", ...)            on a Dask worker

It runs on any Python, so that one that is too old is met with a sentence (in referee/__init__.py).
"""

import importlib
import importlib.util
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


def ours():
    """Import the package `referee` beside this module, in the place of any other."""
    folder = os.path.join(HERE, "referee")
    found = sys.modules.get("referee")
    if found is None or os.path.realpath(getattr(found, "__path__", [""])[0]) != os.path.realpath(folder):
        for name in [name for name in sys.modules if name.partition(".")[0] == "referee"]:
            del sys.modules[name]
        place = os.path.join(folder, "__init__.py")
        spec = importlib.util.spec_from_file_location("referee", place, submodule_search_locations=[folder])
        sys.modules["referee"] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules["referee"])


def called(module, function, *arguments):
    """What a function of one of the referee's modules returns."""
    ours()
    return getattr(importlib.import_module("referee." + module), function)(*arguments)


def main():
    """The exit code of the command line."""
    return called("__main__", "main", sys.argv[1:])


if __name__ == "__main__":
    called(sys.argv.pop(1), "main")
