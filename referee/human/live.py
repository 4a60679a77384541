"""Serves a page that shows a tournament while it runs: standings, faults, the games under way.

What is shown is drawn by the tournament's own process when a pair has ended, at most once a second; boards
come from the match processes between two turns, while the players are stopped.
"""

import time
from collections.abc import Mapping
from threading import Condition
from typing import Any

from referee.human.server import Files, PageServer, View
from referee.tournament.jobs import Board
from referee.view import boards, report
from referee.view.page import printable_lines
from referee.view.shell import served
from referee.view.terminal import escaped

WAITING = 10.0  # seconds that a request waits for news
DRAWING = 1.0  # seconds between two pages, so that many short games cost little
SHARE = 20  # times as long as drawing it took: a page with many players takes longer
FAREWELL = 3.0  # seconds for open pages to hear that it is over


class LivePage(View):
    """What the page shows; told by the tournament, asked by the server's threads."""

    def __init__(self, title: str, game: str) -> None:
        super().__init__()
        self.title = title
        self.game = game
        self._news = Condition()
        self._version = 0
        self._drawn = 0  # the version in which the body was drawn last
        self._body = ""
        self._boards: dict[str, Board] = {}  # of the pairs under way
        self._over = False
        self._told = 0  # the latest version that a page was given
        self._asked = False

    def files(self) -> Files:
        page = served(self.title, BODY, ["live.css"], ["boards.js", "live.js"])
        return {
            "": ("text/html", page),
            "live.css": ("text/css", report.STYLE + boards.style() + STYLE),
            "boards.js": ("text/javascript", boards.script(self.game)),
            "live.js": ("text/javascript", SCRIPT),
        }

    def state(self, since: int, tab: str) -> Any:
        with self._news:
            self._asked = True
            self._news.wait_for(lambda: self._version != since, WAITING)
            self._told = self._version
            self._news.notify_all()
            shown = [shown_board(self.game, board) for board in self._boards.values()]
            said = {"version": self._version, "boards": shown, "over": self._over}
            return said | ({"body": self._body} if since < self._drawn or since > self._version else {})

    def do(self, request: Mapping[str, Any]) -> str:
        return "there is nothing to be done on this page"

    def draw(self, body: str) -> None:
        """Show this from now on."""
        with self._news:
            self._version += 1
            self._drawn = self._version
            self._body = body
            self._news.notify_all()

    def moved(self, pair: str, board: Board | None) -> None:
        """Show this board of a pair; None takes it away."""
        with self._news:
            self._version += 1
            if board:
                self._boards[pair] = board
            else:
                self._boards.pop(pair, None)
            self._news.notify_all()

    def end(self) -> None:
        """Say that it is over; open pages keep what they show. They are waited for, for a moment."""
        with self._news:
            self._version += 1
            self._over, self._boards = True, {}
            self._news.notify_all()
            if self._asked:
                self._news.wait_for(lambda: self._told == self._version, FAREWELL)


def shown_board(game: str, board: Board) -> dict[str, Any]:
    """A board of a tournament's game as pages show it: drawn from its line, else as text."""
    drawn = boards.is_drawn(game)
    shown = board["position"] if drawn else printable_lines(board["text"])
    return {"game": game, "title": escaped(board["title"]), "drawn": drawn, "shown": shown}


class Live:
    """The server of a tournament's page, from `__enter__` until `__exit__`."""

    def __init__(self, title: str, game: str, port: int):
        self.page = LivePage(title, game)
        self._server = PageServer([self.page], port)
        self._due = 0.0

    @property
    def address(self) -> str:
        return self._server.address(self.page)

    def is_due(self) -> bool:
        """Whether the page is old enough to be drawn anew."""
        return time.monotonic() >= self._due

    def draw(self, page: report.Page) -> None:
        """Show how it stands."""
        begun = time.monotonic()
        self.page.draw(report.body(page))
        self._due = begun + max(DRAWING, SHARE * (time.monotonic() - begun))

    def __enter__(self) -> "Live":
        self._server.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self.page.end()
        self._server.close()


BODY = """<main><p id="state">The tournament begins.</p><div id="boards"></div><div id="body"></div></main>"""

STYLE = """
#boards { display: flex; flex-wrap: wrap; gap: 1rem; }
#boards figure { border: 1px solid var(--rule); padding: .5rem; margin: 0; width: 20rem; max-width: 100%;
  box-sizing: border-box; overflow-x: auto; }
#boards figcaption { overflow-wrap: anywhere; }
#boards pre { margin: 0; white-space: pre; font-size: clamp(.5rem, 2.8vw, .875rem); }
#state { color: var(--soft); }
"""

SCRIPT = """"use strict";
let since = -1;
const element = (name) => document.getElementById(name);
async function next() {
  const answer = await fetch(`state?since=${since}`);
  if (!answer.ok) throw new Error(answer.status);
  const news = await answer.json();
  since = news.version;
  if (news.body) element("body").innerHTML = news.body;
  element("boards").replaceChildren(...news.boards.map((board) => {
    const words = document.createElement("figcaption");
    words.textContent = board.title;
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    const shown = board.drawn ? svg : document.createElement("pre");
    if (board.drawn) {
      drawBoard(shown, board.game, board.shown, null);
      shown.setAttribute("role", "img");
      shown.setAttribute("aria-label", `the board of ${board.title}`);
    } else {
      shown.textContent = board.shown;
    }
    const figure = document.createElement("figure");
    figure.tabIndex = 0;
    figure.append(shown, words);
    return figure;
  }));
  element("state").textContent = news.over ? "The tournament is over." : "The tournament is running.";
  return news.over;
}
async function follow() {
  let over = false, failed = 0;
  while (!over && failed < 5) {
    try {
      over = await next();
      failed = 0;
    } catch {
      failed += 1;
      await new Promise((resolve) => setTimeout(resolve, 500 * failed));
    }
  }
  if (!over) element("state").textContent = "The tournament's program has gone: this is how it stood.";
}
follow();
"""
