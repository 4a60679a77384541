"""A headless browser for the tests of pages, found or else installed, and a game's page that it visits.

    python -m tests.support.browser    says which browser is used, having installed one where there was none

A browser counts as found if it starts, and playwright, which moves it, does too: Ubuntu's
/usr/bin/chromium-browser may be there and do nothing, playwright's own may lack libraries, and on a fresh
Debian playwright's program itself lacks one (LIBRARY).
"""

import asyncio
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path

import pytest

from tests import ROOT

# The first of them has no windows, and needs half of the CPU time that others take for a new page.
NAMES = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
)
PLAYWRIGHT = (sys.executable, "-m", "playwright")
FOUND = "BROWSER_OF_THE_TESTS"  # tells the other test processes which it is: to look takes half a second
LIBRARY = "libatomic1"  # without it: "Connection closed while reading from the driver"
WHERE = "from playwright.sync_api import *\nwith sync_playwright() as p: print(p.chromium.executable_path)"
PATIENCE = 300_000  # milliseconds for anything to happen in a page
WINDOW = {"width": 1280, "height": 720}
SLICE = 5_000  # milliseconds of them after which the page tells again what it shows
ENOUGH = 900  # seconds for one command of an installation


class NoBrowser(Exception):
    """A sentence: what to type to have a browser."""


@cache
def found() -> str:
    """Path of a browser that starts: one of the machine's, else playwright's own, else nothing."""
    if not _starts(*PLAYWRIGHT):
        return ""
    machines = filter(None, map(shutil.which, NAMES))
    return next(filter(_starts, machines), "") or next(filter(_starts, _playwrights()), "")


def installed() -> str:
    """Path of a browser that starts; installs one if need be, or raises NoBrowser."""
    if not found():
        _say("the tests of pages need a browser; none is here that starts, so one is being installed")
        for command in _ways():
            _say(" ".join(command))
            if not _run(command):
                continue
            found.cache_clear()
            if found():
                break
        else:
            raise NoBrowser(_what_to_type())
    return found()


def needed(paths: list[str]) -> bool:
    """Whether pages are tested in any of these files and folders, as they are given to pytest."""
    files = [ROOT / path.partition("::")[0] for path in paths]
    return any(
        file.is_dir() or re.search(r"\b(browser|kept_page)\b", file.read_text())
        for file in files
        if file.exists()
    )


def _starts(*command: str) -> bool:
    return bool(_run([*command, "--version"], seconds=300))


def _playwrights() -> list[str]:
    """The path where playwright keeps its own browser, if that is there."""
    path = _run([sys.executable, "-c", WHERE], seconds=300).strip()
    return [path] if path and Path(path).exists() else []


def _ways() -> Iterator[tuple[str, ...]]:
    """What may install a browser, one command after another: as this user first."""
    yield (*PLAYWRIGHT, "install", "chromium")
    root = _as_root()
    if root is not None and shutil.which("apt-get"):
        root = (*root, "env", "DEBIAN_FRONTEND=noninteractive")
        yield (*root, "apt-get", "update", "-q")
        if _is_ubuntu():  # it has no package but a snap, which containers cannot have
            yield (*root, "apt-get", "install", "-y", "-q", LIBRARY)
            yield (*root, *PLAYWRIGHT, "install-deps", "chromium")
            yield (*PLAYWRIGHT, "install", "chromium")
        else:
            yield (*root, "apt-get", "install", "-y", "-q", "chromium", LIBRARY)


def _as_root() -> tuple[str, ...] | None:
    """What to put before a command that only root may run; None: this user cannot."""
    if os.geteuid() == 0:
        return ()
    if not shutil.which("sudo"):
        return None
    if subprocess.run(["sudo", "-n", "true"], capture_output=True).returncode == 0:
        return ("sudo", "-n")
    return ("sudo",) if sys.stdin.isatty() and sys.stderr.isatty() else None


def _is_ubuntu() -> bool:
    release = Path("/etc/os-release")
    return release.exists() and "ID=ubuntu" in release.read_text().splitlines()


def _what_to_type() -> str:
    command = f"{sys.executable} -m playwright install --with-deps chromium"
    if shutil.which("apt-get"):
        packages = LIBRARY if _is_ubuntu() else f"chromium {LIBRARY}"
        by_root = f"apt-get update && apt-get install -y {packages}"
        by_root = by_root if os.geteuid() == 0 else f"sudo sh -c '{by_root}'"
        command = f"{by_root} && {command}" if _is_ubuntu() else by_root
    return f"the tests of pages need a browser and none could be installed; type this, then again: {command}"


def _run(command: list[str] | tuple[str, ...], seconds: float = ENOUGH) -> str:
    """What the command printed; empty if it failed, whose last words are then shown."""
    try:
        run = subprocess.run(command, capture_output=True, text=True, timeout=seconds)
    except (OSError, subprocess.TimeoutExpired) as error:
        _say(str(error))
        return ""
    if run.returncode:
        _say(f"{command[0]} failed: {' '.join((run.stderr or run.stdout).split())[-300:]}")
        return ""
    return run.stdout or "done"


def _say(sentence: str) -> None:
    print(sentence, file=sys.stderr, flush=True)


@contextmanager
def chromium() -> Iterator:
    """A browser without a window; the test fails where there is none."""
    from playwright.sync_api import sync_playwright

    path = os.environ.get(FOUND) or found()
    if not path:
        pytest.fail(_what_to_type())
    with sync_playwright() as playwright:
        # Neither a sandbox (root has none) nor shared memory, of which containers have little.
        # No process is begun for a page that may come, which is gone with the profile of its test.
        spare = "--disable-features=SpareRendererForSitePerProcess"
        arguments = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", spare]
        browser = playwright.chromium.launch(executable_path=path, args=arguments)
        try:
            yield browser
        finally:
            browser.close()


class KeptPage:
    """A page that the tests of a file visit, one after another, each with a look of its own.

    For a new page a browser makes a profile, a window and two processes, more work than most tests do in it.
    A test that has one already is given a new one, which is closed at the end of it, and so is one that wants
    its page alone: to set a clock, or since the page goes on asking a server that has ended.
    """

    spoilt = False  # by a test that failed

    def __init__(self, browser):
        self._browser = browser
        self._kept = None
        self._lent = []

    @property
    def context(self):
        return self._kept and self._kept.context

    def lend(
        self, on=None, alone=False, viewport=WINDOW, color_scheme="light", reduced_motion="no-preference"
    ):
        """A page, until `give_back`; `on` has by the names of a page's events what is called with them."""
        look = {"color_scheme": color_scheme, "reduced_motion": reduced_motion}
        if self.spoilt:
            self.close()
        is_free = self._kept and not any(page is self._kept for page, _ in self._lent)
        if is_free and not alone:
            page = self._kept
            page.set_viewport_size(viewport)
            page.emulate_media(**look)
            page.mouse.move(0, 0)
        else:
            page = self._browser.new_context(viewport=viewport, **look).new_page()
            page.set_default_timeout(PATIENCE)
            if not self._kept and not alone:
                self._kept = page
        for event, hear in (on or {}).items():
            page.on(event, hear)
        self._lent.append((page, on or {}))
        return page

    def give_back(self):
        """The test is done with what was lent to it."""
        from playwright.sync_api import Error

        lent, self._lent = self._lent, []
        for page, on in lent:
            if page is not self._kept or self.spoilt:
                page.context.close()
                continue
            with suppress(Error):  # it shows nothing that could be loaded
                page.evaluate("sessionStorage.clear()")  # the port may be another server's soon
            for event, hear in on.items():
                page.remove_listener(event, hear)

    def close(self):
        """Close the page: the next test has a new one."""
        if self._kept:
            self._kept.context.close()
        self._kept, KeptPage.spoilt = None, False


class WebGame:
    """`python -m referee play ... --web` in a process of its own."""

    def __init__(self, game: str, *words: str, cwd: Path = ROOT):
        command = [sys.executable, "-m", "referee", "play", game, *map(str, words), "--web", "-v0"]
        self.process = subprocess.Popen(
            command, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        self.said: list[str] = []
        self.addresses: list[str] = []
        wanted = words.count("human")
        while len(self.addresses) < wanted:
            line = self.process.stdout.readline()
            assert line, f"it ended before it had said where to go: {''.join(self.said)}"
            self.said.append(line)
            self.addresses += re.findall(r"http://\S+", line)

    @property
    def address(self) -> str:
        return self.addresses[0]

    def wait(self) -> tuple[int, str]:
        """The exit code and all that was said, once the game's program has ended."""
        rest, _ = self.process.communicate(timeout=300)
        return self.process.returncode, "".join(self.said) + rest

    def __enter__(self) -> "WebGame":
        return self

    def __exit__(self, *exception: object) -> None:
        if self.process.poll() is None:
            self.process.terminate()
            self.process.wait(300)
        self.process.stdout.close()


# The middle of what is to be clicked next, or that the game is over; nothing as long as there is neither.
NEXT = """() => {
  const status = document.getElementById("status").textContent;
  if (status.startsWith("The game is over")) return {over: true};
  const places = [...document.querySelectorAll("#board .able .spot")];
  const choices = [...places, ...document.querySelectorAll("#choices button:not(.back, .picked)")];
  if (!status.startsWith("Your turn") || !choices.length) return null;
  const chosen = choices[Math.floor(RANDOM * choices.length)];
  chosen.scrollIntoView({block: "center", inline: "center"});
  const {x, y, width, height} = chosen.getBoundingClientRect();
  return {x: x + width / 2, y: y + height / 2};
}"""


def click_next(page, random) -> bool:
    """Click something that may be clicked, once it is the page's turn; False when the game is over."""
    where = _awaited(page, f"({NEXT.replace('RANDOM', str(random.random()))})()", "its turn to be clicked")
    if "over" in where:
        return False
    page.mouse.click(where["x"], where["y"])
    return True


def until(page, condition: str) -> None:
    """Wait for a condition in JavaScript; playwright's own way needs `eval`, which our pages forbid."""
    _awaited(page, f"Boolean(({condition}))", condition)


SHOWN = "(document.querySelector('#status') ?? document.body).innerText.slice(0, 1000)"
AWAITED = """(patience) => new Promise((resolve) => {
  const began = performance.now();
  const look = () => {
    let found = null;
    try { found = (LOOK); } catch { }  // what it asks for is not there yet
    const passed = performance.now() - began;
    if (found || passed > patience) resolve([found, SHOWN]); else setTimeout(look, 5 + passed / 10);
  };
  look();
})"""


def _awaited(page, look: str, what: str):
    """What the JavaScript comes to that is neither false nor null; where that takes too long, the test fails.

    The page looks for some seconds, and tells what it shows.  One that is frozen answers nothing, for which
    playwright would wait without end.
    """
    script, shown = AWAITED.replace("LOOK", look).replace("SHOWN", SHOWN), "nothing"
    until = time.monotonic() + PATIENCE / 1000
    while (left := until - time.monotonic()) > 0:
        asked = page._impl_obj.evaluate(script, min(SLICE, 1000 * left))
        try:
            found, shown = page._sync(asyncio.wait_for(asked, left + SLICE / 1000))
        except TimeoutError:
            pytest.fail(f"the page is frozen, and so this is in vain: {what}; before, it said {shown!r}")
        if found:
            return found
    pytest.fail(f"in vain: {what}; the page says {shown!r}")


def status(page) -> str:
    return page.evaluate(SHOWN)


def main() -> int:
    """Exit code 1 if there is no browser and none can be installed."""
    try:
        print(installed())
    except NoBrowser as sentence:
        _say(str(sentence))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
