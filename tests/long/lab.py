"""Hours of matches in one lab, whose memory should stay flat: `python -m tests.long.lab --matches 2000`.

Plays short matches one after another, as a window would start and watch them, and looks at the memory of
the lab's own process after each tenth part.  Exit code 1: it has grown by more than MOST since the first
tenth, in which it has begun to forget what has ended.
"""

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tornado.httpclient import HTTPRequest
from tornado.websocket import WebSocketClientConnection, websocket_connect

from tests.support.lab import RunningLab, awaited

MOST = 4.0  # megabytes
FORM = {"game": "kalaha:2x2", "first": "random", "second": "random"}


class Window:
    """A page's connection: its questions, and the events of what it watches."""

    def __init__(self, socket: WebSocketClientConnection):
        self.socket = socket
        self.number = 0
        self.events: list[dict[str, Any]] = []

    @classmethod
    async def on(cls, address: str) -> "Window":
        """Connected, as the page at that address would be."""
        origin = address.rsplit("/", 2)[0]
        place = f"{address}socket".replace("http:", "ws:")
        return cls(await websocket_connect(HTTPRequest(place, headers={"Origin": origin})))

    async def ask(self, what: str, **given: Any) -> Any:
        """The answer; ValueError with the sentence where there is none."""
        self.number += 1
        await self.socket.write_message(json.dumps({"id": self.number, "ask": what, "given": given}))
        while True:
            message = await self.read()
            if message.get("id") == self.number:
                if "sentence" in message:
                    raise ValueError(message["sentence"])
                return message["value"]
            self.events.append(message)

    async def read(self) -> dict[str, Any]:
        """The next message."""
        text = await self.socket.read_message()
        assert text is not None, "the lab has closed the connection"
        return json.loads(text)

    async def play(self, form: dict[str, Any]) -> dict[str, Any]:
        """Start a match and wait for its end; what the lab says of it then."""
        program = await self.ask("start", action="play", form=form)
        state = await self.ask("watch", program=program)
        while state["code"] is None:
            message = await self.read()
            if message.get("program") == program and message["event"].get("event") == "ended":
                break
        state = await self.ask("watch", program=program)
        await self.ask("leave", program=program)
        return state


def megabytes(process: int) -> float:
    """What the process has in memory by now, its own pages alone."""
    rows = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    return (
        sum(int(row.split()[1]) for row in rows if row.startswith(("Private_Clean", "Private_Dirty"))) / 1024
    )


async def sizes(running: RunningLab, matches: int) -> list[float]:
    """The lab's memory after each tenth of the matches."""
    window = await Window.on(running.address)
    found = []
    for part in parts(matches):
        for _ in range(part):
            state = await window.play(FORM)
            assert state["code"] == 0 and state["match"]["now"]["over"], state
        await window.ask("there")
        window.events.clear()
        found.append(megabytes(running.process.pid))
        print(f"{len(found)}/10: {found[-1]:.1f} MB", flush=True)
    return found


def parts(matches: int) -> Iterator[int]:
    """How many to play in each tenth."""
    for tenth in range(10):
        yield matches * (tenth + 1) // 10 - matches * tenth // 10


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--matches", type=int, default=2000)
    options = parser.parse_args(words)
    with tempfile.TemporaryDirectory() as folder, RunningLab(Path(folder)) as running:
        found = awaited(sizes(running, options.matches))
    grown = max(found) - found[0]
    print(f"{options.matches} matches: grown by {grown:.1f} MB since the first tenth")
    return 1 if grown > MOST else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
