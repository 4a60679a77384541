"""The commands that the lab has started: what they write is shown as it comes, and what they are told."""

import asyncio
import json
import os
import secrets
import sys
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from referee import UsageError
from referee.human.live import shown_board
from referee.lab import words as lines
from referee.lab.words import Words
from referee.players.text import printable, shorten
from referee.start import command

LINE = 16_000_000  # bytes of one that a command writes
KEPT = 200  # of the lines that a command has written, but for a match's
BOARDS = 40  # of a tournament that are shown at once
SAID = 4000  # characters of what it complains of
OUTPUT = 200_000  # characters that players of a match have printed
MOST = 8  # that run at once
REMEMBERED = 12  # that have ended
STOPPING = 5.0  # seconds for one that was interrupted, before it is ended

Event = dict[str, Any]
NOBODY: Event = {"asked": [], "legal": [], "by_hand": None}  # is waited for


class Program:
    """One command line under way, or ended."""

    def __init__(self, number: int, action: str, words: Words, about: Mapping[str, Any]):
        self.number = number
        self.action = action
        self.words = words
        self.about = dict(about)
        self.code: int | None = None
        self.said = ""  # what it complains of
        self.events: deque[Event] = deque(maxlen=KEPT)
        self.match: Shown | None = Shown() if "--control" in words else None
        self.boards: dict[str, Event] = {}  # of a tournament, by pair: its games under way
        self.record = ""
        self.process: asyncio.subprocess.Process | None = None

    def row(self) -> dict[str, Any]:
        """What the list of programs says."""
        return {
            "program": self.number,
            "action": self.action,
            "command": lines.line(self.words),
            "about": self.about,
            "code": self.code,
            "said": self.said,
            "record": self.record,
        }

    def whole(self) -> dict[str, Any]:
        """All that a page is to show of it."""
        return {
            **self.row(),
            "match": self.match.whole() if self.match else None,
            "boards": list(self.boards.values()),
            "events": list(self.events),
        }

    def hear(self, event: Event) -> Event:
        """It has written a line; what is to be told of it."""
        if self.match:
            self.match.hear(event)
            if event.get("event") == "begin":
                self.record = str(event.get("record") or "")
        elif "board" in event:
            pair = str(event["board"])
            event = {"pair_under_way": pair, **shown_board(str(event.get("game")), event)}
            if pair in self.boards or len(self.boards) < BOARDS:
                self.boards[pair] = event
        else:
            self.boards.pop(str(event.get("pair")), None)
            self.events.append(event)
        return event


class Shown:
    """A match as the page shows it: page.py's data of the game, and how it stands."""

    def __init__(self) -> None:
        self.data: dict[str, Any] | None = None
        self.now: dict[str, Any] = {
            "asked": [],
            "clocks": [],
            "hands": [],
            "paused": False,
            "legal": [],
            "by_hand": None,
        }
        self._printed = 0

    def whole(self) -> dict[str, Any]:
        return {"data": self.data, "now": self.now}

    def hear(self, event: Event) -> None:
        """What happened in the match."""
        now = self.now
        for name in ("clocks", "hands", "paused"):
            if name in event:
                now[name] = event[name]
        match event.get("event"):
            case "begin":
                game, names, colours = event["game"], event["names"], event["colours"]
                titles = [f"{name} ({colour})" for name, colour in zip(names, colours, strict=True)]
                self.data = {
                    "game": game,
                    "drawn": event["drawn"],
                    "colours": colours,
                    "humans": event.get("humans", []),
                    "names": titles,
                    "opening": 0,
                    "states": [event["state"]],
                    "steps": [],
                    "output": [],
                }
            case "opened" if self.data:
                self.data["opening"] += 1
                self._add(event)
            case "turn" if self.data:
                self._add(event)
                now.update(NOBODY)
            case "ask":
                now.update({**NOBODY, "asked": event["players"], "turn": event["turn"]})
            case "waiting":
                now.update(legal=event["legal"], by_hand=event["by_hand"])
            case "printed" if self.data:
                self._printed += len(event["text"])
                if self._printed < OUTPUT:
                    turn = self.data["opening"] + event["turn"] if event["turn"] else 0
                    self.data["output"].append([turn, event["player"], event["text"]])
            case "taken back" if self.data:
                left = self.data["opening"] + event["turns"]
                del self.data["steps"][left:], self.data["states"][left + 1 :]
                self.data["output"] = [one for one in self.data["output"] if one[0] <= left]
                now.update(NOBODY)
            case "end":
                now.update(
                    over=event["sentence"], asked=[], legal=[], by_hand=None, warnings=event["warnings"]
                )

    def _add(self, event: Event) -> None:
        assert self.data
        self.data["steps"].append(event["step"])
        self.data["states"].append(event["state"])


class Programs:
    """All of them; `tell` hears of each line of a program, and with None that something began or ended."""

    def __init__(self, folder: Path, tell: Callable[[Program | None, Event], None]):
        self.folder = folder
        self._tell = tell
        self._all: dict[int, Program] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._number = secrets.randbelow(1 << 40)  # no page of an earlier lab means another's program

    def rows(self) -> list[dict[str, Any]]:
        """The newest first."""
        return [program.row() for program in reversed(self._all.values())]

    def of(self, number: Any) -> Program:
        """The program of that number; UsageError where there is none."""
        if type(number) is not int or number not in self._all:
            raise UsageError("this was ended when the lab was; what it wrote is in the folder")
        return self._all[number]

    def running(self) -> list[Program]:
        return [one for one in self._all.values() if one.code is None]

    async def start(self, action: str, words: Words, about: Mapping[str, Any]) -> Program:
        """Start a command; UsageError where too many run."""
        if len(self.running()) >= MOST:
            raise UsageError(f"{MOST} commands run already; stop one, or wait")
        self._number += 1
        program = self._all[self._number] = Program(self._number, action, words, about)
        module = [] if program.match else ["lab.guard"]
        start = [*command(*module, *words)] if module else [*command(*words)]
        try:
            program.process = await asyncio.create_subprocess_exec(
                *start,
                cwd=self.folder,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                limit=LINE,
                env={**os.environ, "COLUMNS": "100"},
                start_new_session=sys.platform != "win32",  # so that Ctrl-C ends the lab first, which ends it
            )
        except OSError as error:
            del self._all[program.number]
            raise UsageError(
                f"no command can be started in {self.folder}: {error.strerror or error}"
            ) from None
        self._forget()
        task = asyncio.create_task(self._follow(program))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        self._tell(None, {})
        return program

    async def steer(self, program: Program, request: Mapping[str, Any]) -> None:
        """Tell a match what to do."""
        if program.code is not None or not program.match or not program.process:
            raise UsageError("this match is not under way any more")
        stream = program.process.stdin
        if stream and not stream.is_closing():  # it is being stopped then
            with suppress(ConnectionError):
                stream.write(json.dumps(request).encode() + b"\n")
                await stream.drain()

    async def stop(self, program: Program) -> None:
        """Interrupt it: a tournament writes how it stands, a match is left unfinished.

        The end of its input does that (guard.py, human/control.py): Windows has no signal for one process.
        """
        if program.process and program.process.stdin:
            program.process.stdin.close()

    async def close(self) -> None:
        """End all of them, as a Ctrl-C does; who does not end is ended."""
        for program in self.running():
            await self.stop(program)
        if self._tasks:
            _, late = await asyncio.wait(self._tasks, timeout=STOPPING)
            for program in self.running() if late else ():
                if program.process:
                    with suppress(ProcessLookupError):
                        program.process.kill()

    async def _follow(self, program: Program) -> None:
        process = program.process
        assert process and process.stdout and process.stderr
        complaints = asyncio.create_task(self._complaints(program, process.stderr))
        while line := await _line(process.stdout):
            self._tell(program, program.hear(_event(line)))
            await asyncio.sleep(0)  # who writes faster than this reads does not keep the lab from all else
        await complaints
        program.boards.clear()
        program.code = await process.wait()
        if process.stdin:
            process.stdin.close()
        program.process = None
        self._tell(program, {"event": "ended", "code": program.code, "said": program.said})
        self._tell(None, {})

    async def _complaints(self, program: Program, stream: asyncio.StreamReader) -> None:
        while line := await _line(stream):
            text = printable(line.decode("utf-8", "replace").strip())
            program.said = f"{program.said}\n{shorten(text, 1000)}".strip()[-SAID:]

    def _forget(self) -> None:
        """Of those that have ended the oldest go: what they wrote is in the folder."""
        ended = [one.number for one in self._all.values() if one.code is not None]
        for number in ended[: max(0, len(ended) - REMEMBERED)]:
            del self._all[number]


async def _line(stream: asyncio.StreamReader) -> bytes:
    """The next line; one that is too long is left out."""
    while True:
        try:
            return await stream.readline()
        except ValueError:
            continue


def _event(line: bytes) -> Event:
    """A line of JSON, or of text."""
    try:
        event = json.loads(line)
    except (ValueError, RecursionError):
        event = None
    return (
        event
        if isinstance(event, dict)
        else {"text": printable(line.decode("utf-8", "replace").rstrip("\n"))}
    )
