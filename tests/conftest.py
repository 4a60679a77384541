"""What the whole test run begins with, and says at its end: which interpreters the agents were tried on."""

import signal

from tests.interpreters import WANTED, found

# A shell starts what runs in its background with the interrupt ignored, and all children inherit that: the
# tests that interrupt a program would wait in vain.
signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_terminal_summary(terminalreporter):
    versions = found()
    names = [f"{version} ({'yes' if version in versions else 'not on this machine'})" for version in WANTED]
    terminalreporter.write_line(f"agents tried on CPython: {', '.join(names)}")
