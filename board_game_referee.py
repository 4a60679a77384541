"""What the installed command `referee` runs: it starts the package `referee` that lies beside this file.

Its name is its own, since another package `referee` may come first on the path: a course's, by PYTHONPATH.
"""

import importlib.util
import os

_PATH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "referee", "start.py")


def main():
    """The exit code of the command line."""
    spec = importlib.util.spec_from_file_location("board_game_referee_start", _PATH)
    start = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(start)
    return start.main()
