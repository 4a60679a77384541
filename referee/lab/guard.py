"""Runs a command for the lab, and interrupts it when the lab is gone: so no tournament outlives it unseen."""

import os
import sys
import threading

from referee.__main__ import main as command
from referee.players.interrupting import interrupt


def main() -> None:
    """Be the command whose words follow; the end of the input is a Ctrl-C."""
    threading.Thread(target=_wait, args=(os.dup(0),), daemon=True).start()
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    sys.exit(command(sys.argv[1:]))


def _wait(lab: int) -> None:
    while os.read(lab, 4096):
        pass
    interrupt()


if __name__ == "__main__":
    main()
