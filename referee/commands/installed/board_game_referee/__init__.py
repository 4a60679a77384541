"""What the installed command `referee` runs: a package of a name that no other has, which starts the referee.

Another package `referee` may come first on the path: a course's, by PYTHONPATH.  So this one goes by places:
it lies beside the folder `referee` where it was installed, and within it where the project is edited.
It runs on any Python, so that one that is too old is met with a sentence.
"""

import importlib.util
import os

_HERE = os.path.dirname(os.path.abspath(__file__))
_PLACES = os.path.join(_HERE, "..", "referee"), os.path.join(_HERE, "..", "..", "..")


def main():
    """The exit code of the command line."""
    return _start().main()


def called(module, function, *arguments):
    """What a function of one of the referee's modules returns; for a Dask worker."""
    return _start().called(module, function, *arguments)


def _start():
    starts = [os.path.abspath(os.path.join(place, "start.py")) for place in _PLACES]
    start = next(path for path in starts if os.path.isfile(path))
    spec = importlib.util.spec_from_file_location("board_game_referee_start", start)
    if spec is None or spec.loader is None:
        raise ImportError("there is no program in " + start)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
