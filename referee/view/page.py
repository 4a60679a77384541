"""Writes a game as one page: its board turn by turn, what each player used, and what each printed.

What comes from players goes into the page as JSON in which nothing can end a script element, or through
`escape`.  States are computed here, by the rules.
"""

import re
from collections.abc import Iterator
from functools import cache
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

from referee import UsageError
from referee.match.record import Account, Entry
from referee.players.text import shorten
from referee.rules import State
from referee.view import boards, charts, game_charts
from referee.view.game import NAME, ShownGame
from referee.view.shell import address, document, inert, write
from referee.view.terminal import escaped

OUTPUT_TURN = 4_000  # characters of what a player printed in a turn, and in the game
OUTPUT_GAME = 200_000


class Parts(NamedTuple):
    """What a page is made of: see `shell.document`."""

    title: str
    body: str
    style: str
    script: str
    kind: str


def html(game: ShownGame, home: str = "", before: str = "", after: str = "") -> str:
    """The page; `home` is the address of the page that links it, if there is one, and of its neighbours'."""
    return document(*parts(game, home, before, after))


def parts(game: ShownGame, home: str = "", before: str = "", after: str = "") -> Parts:
    """The same in its parts; style and script are those of every page on a game of that name."""
    account = game.account
    title = " against ".join(game.names)
    players = " against ".join(
        f'<span class="player p{player}">{escape(name)}</span>' for player, name in enumerate(game.names)
    )
    links = ((before, "Previous game"), (home, "All games"), (after, "Next game"))
    linked = [f'<a href="{escape(target)}">{words}</a>' for target, words in links if target]
    back = f"<p>{' &middot; '.join(linked)}</p>" if linked else ""
    body = (
        f"{back}<h1>{players}</h1>"
        f'<p class="ending">{escape(game.ending())}</p>'
        f"{_read('page.html')}{game_charts.charts(game)}{_facts(game)}"
        f'<script type="application/json" id="data">{inert(data(game))}</script>'
    )
    script = f"{boards.script(account.game)}\n{_read('page.js')}"
    kind = account.game.partition(":")[0]
    return Parts(title, body, charts.STYLE + boards.style() + _read("page.css"), script, kind)


def numbered(path: Path, number: int) -> Path:
    """Where the page of one of several games is: beside that which lists them."""
    return path.with_name(f"{path.stem}-{number:03}{path.suffix}")


class Pages:
    """One page for one game; for several a page each, and one that lists them, written anew with each."""

    def __init__(self, path: Path, several: bool):
        self.path = path
        self.several = several
        self._rows: list[list[Any]] = []

    def prepared(self) -> "Pages":
        """Return itself; UsageError now, not after the games, where nothing can be written there."""
        was_there = self.path.exists()
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self.path.open("ab").close()
            if not was_there:
                self.path.unlink()
        except OSError as error:
            raise UsageError(f"cannot write {self.path}: {error.strerror or error}") from None
        return self

    def would_write(self, path: Path) -> bool:
        """Whether a file may be one of these pages."""
        same_folder = path.resolve().parent == self.path.resolve().parent
        numbers = rf"{re.escape(self.path.stem)}-[0-9]{{3,}}{re.escape(self.path.suffix)}"
        return path.resolve() == self.path.resolve() or (
            same_folder and self.several and re.fullmatch(numbers, path.name) is not None
        )

    def add(self, account: Account) -> Path:
        """Write one more game; where its page is."""
        game = ShownGame.of(account)
        if not self.several:
            write(self.path, html(game))
            return self.path
        number = len(self._rows) + 1
        path = numbered(self.path, number)
        write(path, html(game, address(self.path.name)))
        link = f'<a href="{escape(address(path.name))}">{number} {escape(account.game)}</a>'
        result = game.ending() if account.verdict else f"{' against '.join(game.names)}: unfinished"
        used = [sum(entry.cpu[seat] for entry in account.turns if entry.cpu) for seat in (0, 1)]
        seconds = "{:.2f} and {:.2f}".format(*used) if any(used) else ""
        self._rows.append([link, escape(result), len(account.turns), seconds])
        title = f"{number} {'game' if number == 1 else 'games'}"
        table = charts.table(
            ["game", "result", "turns", "seconds used"], self._rows, stacks="few", words=["result"]
        )
        body = f"<h1>{title}</h1>{table}"
        write(self.path, document(title, body, charts.STYLE + INDEX_STYLE))
        return path


INDEX_STYLE = """
td { vertical-align: top; } th:nth-child(2), td:nth-child(2) { text-align: left; }
td:nth-child(2) { white-space: normal; min-width: 12rem; overflow-wrap: anywhere; }
"""


# What the script is given


def data(game: ShownGame) -> dict[str, Any]:
    """The game as scripts show it."""
    account = game.account
    return {
        "game": account.game,
        "drawn": boards.is_drawn(account.game),
        "colours": game.colours,
        "names": game.names,
        "opening": len(account.opening),
        "states": [shown(account.game, state) for state in game.states],
        "steps": [step(entry) for entry in game.entries],
        "output": list(_output(account)),
    }


def shown(game: str, state: State) -> str:
    """What a page draws a state from: its line, or where it has no drawing the board in text."""
    if boards.is_drawn(game):
        return boards.line(state)
    return printable_lines(state.draw(unicode=True))


def step(entry: Entry) -> dict[str, Any]:
    """One line of play, in as few letters as can be read."""
    step: dict[str, Any] = {"players": entry.players}
    if entry.played:
        step["chosen"] = entry.chosen
    else:  # it may be anything: shown as Python writes it, and not drawn
        step["refused"] = {
            player: shorten(repr(entry.chosen[player])) if player in entry.chosen else "no action"
            for player in entry.players
        }
    if entry.cpu:
        step["cpu"] = [round(seconds, 4) for seconds in entry.cpu]
        step["megabytes"] = [round(size, 1) for size in entry.megabytes]
    if entry.searches:
        step["searches"] = entry.searches
    return step


def _output(account: Account) -> Iterator[tuple[int, int, str]]:
    """What players printed, with the step it belongs to; of floods the end."""
    room = OUTPUT_GAME
    for turn, player, text in account.output:
        length = min(OUTPUT_TURN, room)
        if len(text) > length:
            text = f"({len(text) - length} characters are left out here)\n{text[len(text) - length :]}"
        room -= min(len(text), length)
        yield (len(account.opening) + turn if turn else 0), player, printable_lines(text)


def printable_lines(text: str) -> str:
    """The text with everything escaped that is neither a character to look at nor an end of line."""
    return "\n".join(escaped(line.replace("\t", "    ")) for line in text.split("\n"))


def _facts(game: ShownGame) -> str:
    """What else the file says of the game."""
    header = game.account.header
    said = [game.account.game]
    for seat, limits in enumerate(game.limits):
        words = {
            "game": "s a game",
            "action": "s an action",
            "first": "s for the first",
            "megabytes": "MB",
            "game_wall": "s of the wall",
        }
        bounds = ", ".join(f"{limits[key]:g} {unit}" for key, unit in words.items() if key in limits)
        said.append(f"{game.names[seat]}: {bounds or 'no limits'}")
    for key in ("seed", "isolation", "python", "date"):
        if type(header.get(key)) in (int, str):
            said.append(f"{key} {shorten(escaped(str(header[key])), NAME)}")
    return f'<p class="facts">{escape("; ".join(said))}</p>'


@cache
def _read(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")
