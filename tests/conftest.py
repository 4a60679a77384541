"""What the whole test run begins with, and says at its end: which interpreters the agents were tried on."""

import gc
import importlib
import os
import re
import signal
import sys
import tempfile
from contextlib import suppress
from functools import partial
from types import SimpleNamespace

# Hundreds of interpreters are started here, and compile all they import where nothing compiled is kept.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
# Where numpy is loaded its BLAS starts threads, which look for work for 27 ms of CPU time before they rest.
os.environ["OPENBLAS_THREAD_TIMEOUT"] = "4"  # as a power of two, in ticks: the least

import pytest  # noqa: E402

from referee.check import objected_games  # noqa: E402
from referee.isolation import child  # noqa: E402
from referee.match import compiled  # noqa: E402
from tests import ROOT  # noqa: E402
from tests.support.browser import FOUND, KeptPage, NoBrowser, chromium, installed, needed  # noqa: E402
from tests.support.interpreters import WANTED, found  # noqa: E402

child.INHERITED.append("OPENBLAS_THREAD_TIMEOUT")  # by the players of these processes

# Searches in C are compiled here to play a few games: that takes a third of the time.
compiled.OPTIMIZED = "-O1"

# A shell starts what runs in its background with the interrupt ignored, and all children inherit that: the
# tests that interrupt a program would wait in vain.
signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_configure(config):
    """Before any test, in the one process that starts the others: is there a browser, or can there be one?"""
    if hasattr(config, "workerinput") or config.option.collectonly or not needed(config.args):
        return
    try:
        os.environ[FOUND] = installed()
    except NoBrowser as sentence:
        raise pytest.UsageError(str(sentence)) from None


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config):
    """`-n auto`: two more than there are cores, since for a third of its time a test waits."""
    return len(os.sched_getaffinity(0)) + 2


def pytest_collection(session):
    """Each test process compiles its share of all files first: in a new clone, the others find it done."""
    worker = getattr(session.config, "workerinput", None)
    if worker and ROOT / "tests" in [(ROOT / path).resolve() for path in session.config.args]:
        number, processes = int(worker["workerid"].lstrip("gw")), worker["workercount"]
        for path in sorted((ROOT / "tests").rglob("test_*.py"))[number::processes]:
            with suppress(Exception):  # which it raises again where it is told
                importlib.import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))


def pytest_collection_modifyitems(items):
    """The lengthy ones first: at the end all others would wait for the test process that has such a one.

    Then those of pages, so that one test process begins with them all, and the others start no browser.
    """
    items.sort(
        key=lambda item: (
            item.get_closest_marker("lengthy") is None,
            "started_browser" not in getattr(item, "fixturenames", ()),
        )
    )


@pytest.fixture(scope="session", autouse=True)
def kept_games(tmp_path_factory):
    """A check that is told no folder keeps the games of its objections with what the tests write."""
    folder = tmp_path_factory.mktemp("objections")
    there = SimpleNamespace(mkdtemp=partial(tempfile.mkdtemp, dir=folder))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(objected_games, "tempfile", there)
        yield


GROWTH = 50 << 20  # bytes
VERSION = re.compile(r"version\d+\b")


@pytest.fixture(scope="session")
def started_browser():
    """One for all tests of pages: it takes longer to start than most pages to try."""
    with chromium() as started:
        yield started


@pytest.fixture(scope="module")
def page_of_the_file(started_browser):
    kept = KeptPage(started_browser)
    yield kept
    kept.close()


@pytest.fixture
def kept_page(page_of_the_file):
    """Lends the page that the tests of a file share, and more where a test needs more."""
    yield page_of_the_file
    page_of_the_file.give_back()


@pytest.fixture
def browser(started_browser, page_of_the_file):
    """That browser; what a test leaves open, a page that asks for its game again and again say, is closed."""
    yield started_browser
    for context in started_browser.contexts:
        if context != page_of_the_file.context:
            context.close()


def pytest_exception_interact():
    """A test has failed: what page it leaves, nobody knows."""
    KeptPage.spoilt = True


class Kept:
    """How large this process was when garbage was last collected."""

    bytes = 0


@pytest.hookimpl(tryfirst=True)
def pytest_fixture_setup():
    """No process is told which test it is of: a match process or launcher of one is left for the next."""
    os.environ.pop("PYTEST_CURRENT_TEST", None)


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call():
    """The same for the test itself."""
    os.environ.pop("PYTEST_CURRENT_TEST", None)


def pytest_collection_finish():
    collect()


def collect():
    """What is left after it stays, and collecting garbage need not look at it again.

    Each agent's first clock freezes too, and with it the garbage that is there by then.
    """
    gc.unfreeze()
    gc.collect()
    gc.freeze()
    Kept.bytes = resident()


@pytest.fixture(autouse=True)
def modules_are_given_back(tmp_path_factory):
    """A player that a test has written and imported is gone before the next writes one by that name."""
    before = set(sys.modules)
    yield
    base = os.path.join(tmp_path_factory.getbasetemp(), "")
    for name in sys.modules.keys() - before:
        if str(getattr(sys.modules[name], "__file__", "")).startswith(base):
            del sys.modules[name]


@pytest.fixture(autouse=True)
def memory_is_given_back():
    """Players hold large tables in cycles of few objects, for which Python alone does not collect garbage."""
    yield
    for name in [name for name in sys.modules if name.startswith("version") and VERSION.match(name)]:
        del sys.modules[name]  # a copy of Fanorona's agent, with its tables, that a match was to play
    if resident() > Kept.bytes + GROWTH:
        collect()


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def pytest_terminal_summary(terminalreporter):
    versions = found()
    names = [f"{version} ({'yes' if version in versions else 'not on this machine'})" for version in WANTED]
    terminalreporter.write_line(f"agents tried on CPython: {', '.join(names)}")
