"""What the whole test run says at its end: which interpreters the agents were tried on."""

from tests.interpreters import WANTED, found


def pytest_terminal_summary(terminalreporter):
    versions = found()
    names = [f"{version} ({'yes' if version in versions else 'not on this machine'})" for version in WANTED]
    terminalreporter.write_line(f"agents tried on CPython: {', '.join(names)}")
