"""Turns the player's process into the player's program: what far_end.py is for Python, for other languages.

It says that it is there, waits for a line, confines itself where there are places that the program may read
and run, and becomes the program: PROTOCOL.md says what is spoken then.  What keeps it from starting is the
reply.
"""

import json
import os
import signal

from . import confinement


def say(*reply):
    """A line of JSON."""
    os.write(1, json.dumps(reply).encode() + b"\n")


def run(options):
    """Say so, wait, and become the program; `options` has its words, and those places or None."""
    words, places = options["program"], options["readable"]
    say(0, "ready")
    while os.read(0, 1) not in (b"\n", b""):
        pass
    try:
        for name in ("SIGPIPE", "SIGXFSZ"):  # which Python ignores
            if hasattr(signal, name):
                signal.signal(getattr(signal, name), signal.SIG_DFL)
        if places is not None:
            confinement.confine_program(places)
        os.execvp(words[0], words)
    except OSError as error:
        say("cannot start", f"{words[0]}: {error.strerror}")
    os._exit(1)
