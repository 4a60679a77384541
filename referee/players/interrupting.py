"""Interrupts this program as a Ctrl-C does, from one of its threads."""

import _thread
import os
import signal
import sys


def interrupt() -> None:
    """Let the main thread meet KeyboardInterrupt; on Windows a signal to oneself would end the process."""
    if sys.platform == "win32":
        _thread.interrupt_main()
    else:
        os.kill(os.getpid(), signal.SIGINT)
