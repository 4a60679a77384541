"""The lab's page: each window has a connection on which it asks, and is told what happens."""

import asyncio
import json
import shlex
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache
from importlib.resources import files
from itertools import count
from pathlib import Path
from typing import Any

from referee import RefereeTrouble, UsageError, rules
from referee.human.server import Content, Files, PageServer, RefusedRequest, View, Window, in_thread
from referee.lab import shown, words
from referee.lab.found import Seen, inside
from referee.lab.programs import Event, Program, Programs
from referee.players.text import printable, shorten
from referee.profile import flame
from referee.profile import page as profile_page
from referee.view import boards, report
from referee.view.shell import served

MAX_WINDOWS = 40
LARGEST_ZIP = 100_000_000  # bytes, of one to save
NEWS = 0.5  # seconds between two times that windows are told that files have changed
STEERING = ("pause", "go", "step", "back", "undo", "take", "give", "play", "resign")

Given = Mapping[str, Any]


class Lab(View):
    """One folder, for all windows that are open on it."""

    def __init__(
        self, folder: Path, token: str = "", read: Callable[[words.Words], object] = lambda words: None
    ):
        """`read` raises UsageError where a command would not take its words."""
        super().__init__(token)
        self._read = read
        self.folder = folder
        self.programs = Programs(folder, self._tell)
        self._windows: dict[Window, set[int]] = {}  # and the programs that each looks at
        self._tasks: set[asyncio.Task[None]] = set()
        self._is_news_due = False
        self._seen: Seen = {}

    def files(self) -> Files:
        return _files()

    def file(self, name: str) -> Content | None:
        if name.startswith("zip/"):
            try:
                path = inside(self.folder, name.removeprefix("zip/"))
                is_zip = path.suffix == ".zip" and path.stat().st_size <= LARGEST_ZIP
                return ("application/zip", path.read_bytes()) if is_zip else None
            except (UsageError, OSError):
                return None
        return super().file(name)

    # Windows

    def opened(self, window: Window) -> None:
        if len(self._windows) >= MAX_WINDOWS:
            raise RefusedRequest(503, f"{MAX_WINDOWS} windows are open already; close one")
        self._windows[window] = set()

    def left(self, window: Window) -> None:
        self._windows.pop(window, None)

    def heard(self, window: Window, message: Any) -> None:
        if type(message) is not dict or type(message.get("id")) is not int:
            raise RefusedRequest(400, "a request is an object with a number as its id")
        task = asyncio.get_running_loop().create_task(self._answer(window, message))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _answer(self, window: Window, message: Mapping[str, Any]) -> None:
        given = message.get("given")
        try:
            value = await self._asked(window, str(message.get("ask")), given if type(given) is dict else {})
            answer = {"id": message["id"], "value": value}
        except (UsageError, RefereeTrouble) as error:
            answer = {"id": message["id"], "sentence": shorten(printable(str(error)), 1000)}
        except Exception as error:  # whatever a file led to: who asks is answered
            said = f"this cannot be shown: {type(error).__name__}: {error}"
            answer = {"id": message["id"], "sentence": shorten(printable(said), 1000)}
        window.send(json.dumps(answer))

    async def _asked(self, window: Window, ask: str, given: Given) -> Any:
        match ask:
            case "there":
                return {
                    **await in_thread(lambda: shown.there(self.folder, self._seen)),
                    "programs": self.programs.rows(),
                }
            case "again":
                return shlex.join(["referee", "lab", str(self.folder), "--again"])
            case "watch":
                program = self.programs.of(given.get("program"))
                self._windows.get(window, set()).add(program.number)
                return program.whole()
            case "leave":
                self._windows.get(window, set()).discard(given.get("program", 0))
                return None
            case "command":
                return words.line(self._words(*self._form(given)))
            case "start":
                action, form = self._form(given)
                return (await self.programs.start(action, self._words(action, form), form)).number
            case "steer":
                program = self.programs.of(given.get("program"))
                request = given.get("request")
                if type(request) is not dict or request.get("do") not in STEERING:
                    raise UsageError("there is nothing like that to do")
                await self.programs.steer(program, request)
                return None
            case "stop":
                await self.programs.stop(self.programs.of(given.get("program")))
                return None
        if ask not in SHOWN:
            raise UsageError(f"there is nothing called {ask[:40]!r} to ask for")
        return await in_thread(lambda: SHOWN[ask](self.folder, given))

    def _form(self, given: Given) -> tuple[str, dict[str, Any]]:
        """An action, and what its form says; a tournament's journal has a name."""
        action, form = str(given.get("action")), given.get("form")
        form = dict(form) if type(form) is dict else {}
        if action == "tournament" and not form.get("journal"):
            form["journal"] = self._free(words.TOURNAMENTS, str(form.get("game")))
        return action, form

    def _words(self, action: str, form: Given) -> words.Words:
        """The words of an action, of a form or of what was stopped."""
        if action == "go on":
            return shown.going_on(self.folder, str(form.get("journal")))
        made = words.words(action, form)
        self._read(made)
        return made

    def _free(self, folder: str, game: str) -> str:
        """The name of a journal that is not there yet."""
        name = "".join(letter if letter.isalnum() else "-" for letter in game)[:40]
        begun = {program.about.get("journal") for program in self.programs.running()}
        journals = (f"{folder}/{name}-{number}.jsonl" for number in count(1))
        return next(one for one in journals if one not in begun and not (self.folder / one).exists())

    # News

    def _tell(self, program: Program | None, event: Event) -> None:
        if program:
            if (
                event.get("event") in ("waiting", "ask", "turn", "steered", "taken back", "end")
                and program.match
            ):
                event = {**event, "now": program.match.now}
            message = json.dumps({"program": program.number, "event": event})
            for window, watched in list(self._windows.items()):
                if program.number in watched:
                    window.send(message)
        if program is None or event.get("event") in ("end", "ended") or "pair" in event:
            self._say_that_there_is_news()

    def _say_that_there_is_news(self) -> None:
        if self._is_news_due:
            return
        self._is_news_due = True

        def say() -> None:
            self._is_news_due = False
            for window in list(self._windows):
                window.send('{"news": true}')

        with suppress(RuntimeError):  # the loop has ended
            asyncio.get_running_loop().call_later(NEWS, say)


def _text(given: Given, name: str) -> str:
    value = given.get(name)
    if not isinstance(value, str) or not value:
        raise UsageError(f"{name} is missing")
    return value


def _step(given: Given) -> Given:
    step = given.get("step")
    return step if type(step) is dict else {}


SHOWN: Mapping[str, Callable[[Path, Given], Any]] = {
    "record": lambda folder, given: shown.recorded(folder, _text(given, "path")),
    "journal": lambda folder, given: shown.standings(folder, _text(given, "path")),
    "profile": lambda folder, given: shown.profiled(folder, _text(given, "path")),
    "check": lambda folder, given: shown.checked(folder, _text(given, "game"), _text(given, "agent")),
    "sources": lambda folder, given: shown.with_sources(
        folder, _text(given, "agent"), given.get("step") or {}
    ),
    "position": lambda folder, given: shown.position(_text(given, "game"), _text(given, "text")),
}

BOARDS = "board-scripts.js"


@cache
def _files() -> Files:
    """The page and what it loads."""
    folder = files("referee.lab").joinpath("page")
    read = {one.name: one.read_text(encoding="utf-8") for one in folder.iterdir() if one.is_file()}
    modules = {name: ("text/javascript", text) for name, text in read.items() if name.endswith(".js")}
    drawn = [game for game in rules.games() if boards.is_drawn(game)]
    first, *others = [boards.script(game) for game in drawn] or [boards.script("")]
    common = boards.script("no such game")
    scripts = "\n".join([first, *(one.removeprefix(common) for one in others)])
    styles = {
        "board.css": boards.style(),
        "report.css": _nested(".report", report.STYLE),
        "profile.css": _nested(".profiled", profile_page.STYLE + flame.STYLE),
    }
    page = served(
        "lab", read["lab.html"], ["board.css", "report.css", "profile.css", "lab.css"], [BOARDS, "flame.js"]
    )
    page = page.replace("</head>", '<script type="module" src="app.js"></script>\n</head>')
    return {
        "": ("text/html", page),
        BOARDS: ("text/javascript", scripts),
        "flame.js": ("text/javascript", flame.SCRIPT),
        "lab.css": ("text/css", read["lab.css"]),
        **{name: ("text/css", style) for name, style in styles.items()},
        **modules,
    }


def _nested(kind: str, style: str) -> str:
    """A page's style for a part of this page alone."""
    whole = style.replace(":root", "&").replace("body {", "& {").replace("main {", "& {")
    return f"{kind} {{\n{whole}}}\n"


async def serve(lab: Lab, port: int, ready: Callable[[str], None]) -> None:
    """Serve the lab until the task is cancelled; then end what it has started."""
    server = PageServer([lab], port)
    listening = server.serve()
    try:
        ready(server.address(lab))
        await asyncio.Event().wait()
    finally:
        await lab.programs.close()
        listening.close()
