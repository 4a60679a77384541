"""What the whole test run begins with, and says at its end: which interpreters the agents were tried on."""

import signal

import pytest

from tests.interpreters import WANTED, found

# A shell starts what runs in its background with the interrupt ignored, and all children inherit that: the
# tests that interrupt a program would wait in vain.
signal.signal(signal.SIGINT, signal.default_int_handler)


# Files without a clock in them: rules, facts, counted nodes, texts and numbers.  The others measure time, or
# start players, servers and pages that have limits or are waited for: on a shared machine that slowed to a
# third in the middle of a run, 7 of 3 831 tests failed, all in those.  There, what fails is tried twice more,
# a while later, and the summary names it; here it has failed.
TIMELESS = """
    test_baseline test_expendibots test_expendibots_yardstick test_fanorona test_kalaha test_pack test_pentago
    test_perft test_players test_project test_properties test_record test_replies test_ropasci test_rules
    test_shared_copies test_statistics test_train_commands
""".split()


def pytest_collection_modifyitems(items):
    for item in items:
        if item.path.stem not in TIMELESS:
            item.add_marker(pytest.mark.flaky(reruns=2, reruns_delay=3))


def pytest_terminal_summary(terminalreporter):
    versions = found()
    names = [f"{version} ({'yes' if version in versions else 'not on this machine'})" for version in WANTED]
    terminalreporter.write_line(f"agents tried on CPython: {', '.join(names)}")
