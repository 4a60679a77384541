"""`python -m referee lab` in a process of its own, on a folder that a test fills."""

import asyncio
import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

from tests import ROOT
from tests.support.browser import until

SIMPLE = '''"""A player of Kalaha, that plays the last of its ponds that is not empty."""


class Player:
    def __init__(self, colour):
        self.colour = colour
        self.ponds = {"A": [6] * 6, "B": [6] * 6}

    def action(self):
        print("looking")
        for _ in range(LOOPS):  # the slow line
            pass
        return max(pond for pond in range(1, 7) if self.ponds[self.colour][pond - 1])

    def update(self, colour, action):
        other = "B" if colour == "A" else "A"
        ring = self.ponds[colour] + [0] + self.ponds[other]
        pebbles, ring[action - 1] = ring[action - 1], 0
        for place in range(action, action + pebbles):
            ring[place % 13] += 1
        last = (action - 1 + pebbles) % 13
        if last < 6 and ring[last] == 1 and ring[12 - last]:
            ring[last] = ring[12 - last] = 0
        self.ponds[colour], self.ponds[other] = ring[:6], ring[7:]
'''


class RunningLab:
    """A lab, from `with` on until the end of it."""

    def __init__(self, folder: Path, python: str = sys.executable, again: str = "", port: int = 0):
        """With the address of one that has ended, at that address."""
        where = ["--again"] if again else [f"--port={port}"] if port else []
        command = [python, "-m", "referee", "lab", str(folder), *where]
        pipe = subprocess.PIPE
        self.folder = folder
        temporary = folder.with_name(f"{folder.name}-temporary")  # where a check keeps games, say
        temporary.mkdir(exist_ok=True)
        environment = {**os.environ, "TMPDIR": str(temporary)}
        self.process = subprocess.Popen(
            command, cwd=ROOT, env=environment, stdin=pipe, stdout=pipe, stderr=pipe, text=True
        )
        self.process.stdin.write(again)
        self.process.stdin.close()
        line = self.process.stdout.readline()
        found = re.search(r"http://\S+", line)
        assert found, f"it said no address: {line}{self.process.stderr.read() if not line else ''}"
        self.address = found[0]

    def end(self) -> int:
        """Its exit code, as after a Ctrl-C."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        code = self.process.wait(300)
        self.process.stdout.close()
        self.process.stderr.close()
        return code

    def __enter__(self) -> "RunningLab":
        return self

    def __exit__(self, *exception: object) -> None:
        self.end()


def own_port() -> int:
    """A free port that no program gets by asking for any, so that a lab can have it again after its end."""
    for port in range(10_000 + os.getpid() % 20_000, 32_768):  # where Linux begins to give them
        with socket.socket() as found, suppress(OSError):
            found.bind(("127.0.0.1", port))
            return port
    raise AssertionError("no port is free")


def write_player(folder: Path, name: str = "my_team", loops: str = "200_000") -> None:
    """A player of Kalaha in the folder, with a line that takes nearly all of its time."""
    (folder / name).mkdir()
    (folder / name / "__init__.py").write_text(SIMPLE.replace("LOOPS", loops))


def open_page(kept_page, address: str, **settings):
    """A page of the lab, loaded anew, and the errors of its scripts, which should stay none."""
    errors: list[str] = []
    on = {
        "pageerror": lambda error: errors.append(str(error)),
        "console": lambda message: errors.append(message.text) if message.type == "error" else None,
    }
    page = kept_page.lend(on, reduced_motion="reduce", **settings)
    page.goto(address)
    page.wait_for_selector("main h1")
    return page, errors


def go(page, where: str) -> None:
    """To a page of the lab, by its address behind the #, without loading all anew."""
    page.evaluate("where => { location.hash = where; }", f"#/{where}")
    asked = f"decodeURI({json.dumps(f'#/{where}')})"
    until(page, f"decodeURI(document.querySelector('#main > .page')?.dataset.address ?? '') === {asked}")


def awaited(work: Coroutine[Any, Any, Any]) -> Any:
    """What comes of it, in a thread of its own: beside playwright, a loop runs already in this one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result()
