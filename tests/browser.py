"""Headless Chromium for tests of pages, and a game with a human's page that it visits."""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
MISSING = "no Chromium on this machine; install it: apt-get update && apt-get install -y chromium"
NO_PLAYWRIGHT = "playwright is missing; install it: pip install -e '.[test]'"
PATIENCE = 30_000  # milliseconds for anything to happen in a page


@contextmanager
def chromium() -> Iterator:
    """A browser without a window; the test fails where there is none."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        pytest.fail(NO_PLAYWRIGHT)
    path = next(filter(None, map(shutil.which, NAMES)), None)
    if not path:
        pytest.fail(MISSING)
    with sync_playwright() as playwright:
        # Neither a sandbox (root has none) nor shared memory, of which containers have little.
        arguments = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"]
        browser = playwright.chromium.launch(executable_path=path, args=arguments)
        try:
            yield browser
        finally:
            browser.close()


class WebGame:
    """`python -m referee play ... --web` in a process of its own."""

    def __init__(self, game: str, *words: str):
        command = [sys.executable, "-m", "referee", "play", game, *map(str, words), "--web", "-v0"]
        self.process = subprocess.Popen(
            command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
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
        rest, _ = self.process.communicate(timeout=60)
        return self.process.returncode, "".join(self.said) + rest

    def __enter__(self) -> "WebGame":
        return self

    def __exit__(self, *exception: object) -> None:
        if self.process.poll() is None:
            self.process.terminate()
            self.process.wait(10)
        self.process.stdout.close()


# Waits until something can be clicked or the game is over; gives the middle of what is to be clicked next.
NEXT = """(random) => new Promise((resolve) => {
  const look = () => {
    const status = document.getElementById("status").textContent;
    if (status.startsWith("The game is over")) return resolve(null);
    const places = [...document.querySelectorAll("#board .able .spot")];
    const choices = [...places, ...document.querySelectorAll("#choices button:not(.back, .picked)")];
    if (!status.startsWith("Your turn") || !choices.length) return setTimeout(look, 5);
    const chosen = choices[Math.floor(random * choices.length)];
    chosen.scrollIntoView({block: "center", inline: "center"});
    const {x, y, width, height} = chosen.getBoundingClientRect();
    resolve([x + width / 2, y + height / 2]);
  };
  look();
})"""


def click_next(page, random) -> bool:
    """Click something that may be clicked, once it is the page's turn; False when the game is over."""
    where = page.evaluate(NEXT, random.random())
    if where:
        page.mouse.click(*where)
    return bool(where)


UNTIL = """([patience]) => new Promise((resolve) => {
  const began = performance.now();
  const look = () => {
    const is = (CONDITION);
    if (is || performance.now() - began > patience) resolve(Boolean(is)); else setTimeout(look, 5);
  };
  look();
})"""


def until(page, condition: str) -> None:
    """Wait for a condition in JavaScript; playwright's own way needs `eval`, which our pages forbid."""
    assert page.evaluate(UNTIL.replace("CONDITION", condition), [PATIENCE]), (
        f"in vain: {condition}; the page says {status(page)!r}"
    )


def status(page) -> str:
    return page.inner_text("#status")
