"""Becomes a player's program, in the player's process: the far end of the pipe for all that is not Python.

The referee starts this file, never imports it: `program.py ... PLACES WORDS`, in JSON.  It says that it
is there, waits for a line, confines itself where PLACES are given, which the program may read and run, and
becomes the program: PROTOCOL.md says what is spoken then.  What keeps it from starting is the reply.
"""

import importlib.util
import json
import os
import signal
import sys


def confine(places):
    """Confine this process, for good."""
    folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "confinement")
    spec = importlib.util.spec_from_file_location(
        "confinement", os.path.join(folder, "__init__.py"), submodule_search_locations=[folder]
    )
    confinement = sys.modules["confinement"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(confinement)
    confinement.confine_program(places)


def say(*reply):
    """A line of JSON."""
    os.write(1, json.dumps(reply).encode() + b"\n")


def main():
    """Say so, wait, and become the program."""
    places, words = map(json.loads, sys.argv[-2:])
    say(0, "ready")
    while os.read(0, 1) not in (b"\n", b""):
        pass
    try:
        for number in (signal.SIGPIPE, signal.SIGXFSZ):  # which Python ignores
            signal.signal(number, signal.SIG_DFL)
        if places is not None:
            confine(places)
        os.execvp(words[0], words)
    except OSError as error:
        say("cannot start", f"{words[0]}: {error.strerror}")
    os._exit(1)


main()
