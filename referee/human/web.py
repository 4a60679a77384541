"""A human at a page in the browser: states go from the game to the page, and actions come back.

The match runs in the main thread and alone touches seats and players.  It publishes what each page
shows as plain data; the server's threads hand that out, and leave what a page wants for the seat to
find when the match asks it.
"""

import threading
import time
import webbrowser
from collections.abc import Mapping
from typing import Any, Self

from referee.human import page_files, typed_actions
from referee.human.clicks import steps
from referee.human.person import Person, PersonLeft, clocks
from referee.human.server import Files, PageServer, View
from referee.isolation import plain
from referee.match.loop import Match, MatchResult, Resigned, TakeBack, Turn, is_legal
from referee.match.planned import PlannedGame
from referee.rules import Action, State
from referee.view.boards import is_drawn, line
from referee.view.terminal import escaped, sentence

POLL = 20.0  # seconds that a page's question waits for news
FAREWELL = 10.0  # seconds at most for the pages to hear how it ended; 0.1 is usual
FORGOTTEN = 5.0  # seconds without a question after which a page counts as closed
MAX_TABS = 50
ENDED = "this game's program has ended: the page shows how it stood"
WANTS = ("play", "undo", "hint", "resign", "quit", "next")
CLOSED_TAB = "closed"  # what a page says last


class WebPages:
    """The pages of one `play`: an address for each human, for all its games."""

    def __init__(self, game: str, humans: int, port: int = 0):
        self.news = threading.Condition()
        self.views = [PageView(self, game) for _ in range(humans)]
        self.server = PageServer(self.views, port)
        self.has_left = False  # somebody has, at one of the pages

    def __enter__(self) -> Self:
        self.server.start()
        return self

    def __exit__(self, *exception: object) -> None:
        with self.news:
            for view in self.views:
                view.publish(closed=ENDED)
            self.news.wait_for(lambda: all(view.is_told() for view in self.views), FAREWELL)
        self.server.close()

    def invitation(self) -> list[str]:
        """Sentences that say where to go."""
        addresses = [self.server.address(view) for view in self.views]
        if len(addresses) == 1:
            return [f"play in a browser on this machine: {addresses[0]}"]
        return [f"player {number} plays at {address}" for number, address in enumerate(addresses, 1)]

    def open_browser(self) -> None:
        webbrowser.open(self.server.address(self.views[0]))

    def seat(self, planned: PlannedGame, player: int) -> "WebSeat":
        # Of two humans each keeps an address, whichever seat the game gives them.
        index = planned.seated((0, 1))[player] if len(self.views) == 2 else 0
        return WebSeat(planned, player, self.views[index])


class PageView(View):
    """One human's address: what its pages show now, and what they want."""

    def __init__(self, site: WebPages, game: str):
        super().__init__()
        self.site, self.news = site, site.news
        self._files = page_files.of_game(game)
        self._shown: dict[str, Any] = {"version": 0, "game": game, "begun": False}
        self._published = time.monotonic()
        self._tabs: dict[str, tuple[int, float]] = {}  # by name: the version it has, and when it asked
        self._was_visited = False
        self.wish: tuple[str, Any] | None = None  # what the pages want, until the seat takes it

    # The match's side

    def publish(self, **changes: Any) -> None:
        """Show this from now on."""
        with self.news:
            self._shown = {**self._shown, **changes, "version": self._shown["version"] + 1}
            self._published = time.monotonic()
            self.news.notify_all()

    def await_visitor(self) -> None:
        """Wait until somebody has opened the page: no clock should run before."""
        with self.news:
            self.news.wait_for(lambda: self._was_visited or self.site.has_left)

    def await_wish(self, seconds: float | None = None) -> tuple[str, Any] | None:
        """Wait for what a page asks for, an action or a hint, say; None when the time is over."""
        with self.news:
            self.news.wait_for(lambda: self.wish or self.site.has_left, seconds)
            if self.site.has_left:
                raise PersonLeft
            wish, self.wish = self.wish, None
            return wish

    def is_told(self) -> bool:
        """Whether every page that is open shows the present."""
        now = time.monotonic()
        return all(
            version == self._shown["version"] or now - asked > POLL + FORGOTTEN
            for version, asked in self._tabs.values()
        )

    # The pages' side

    def files(self) -> Files:
        return self._files

    def state(self, since: int, tab: str) -> Mapping[str, Any]:
        with self.news:
            self._was_visited = True
            if tab:
                self._tabs[tab] = since, time.monotonic()
                while len(self._tabs) > MAX_TABS:
                    del self._tabs[min(self._tabs, key=lambda one: self._tabs[one][1])]
            self.news.notify_all()
            self.news.wait_for(lambda: self._shown["version"] != since or self._shown.get("closed"), POLL)
            return {**self._shown, "age": time.monotonic() - self._published}

    def do(self, request: Mapping[str, Any]) -> str:
        what = request.get("do")
        with self.news:
            if what == CLOSED_TAB:
                self._tabs.pop(str(request.get("tab")), None)
                self.news.notify_all()
                return ""
            shown = self._shown
            if what not in WANTS:
                return f"a page may want {', '.join(WANTS)}, not {str(what)[:40]!r}"
            if shown.get("closed"):
                return shown["closed"]
            if refusal := self._untimely(what, request):
                return refusal
            action = plain.tuples(request.get("action"))
            if what == "play":
                legal = [plain.tuples(one) for one, _ in shown["legal"]]
                if not is_legal(action, legal):
                    spelled = typed_actions.spell(action)[:60]
                    return typed_actions.mistake(spelled, typed_actions.words(spelled), legal)
                shown = {**shown, "chosen": typed_actions.spell(action)}
                self._shown = shown
            self.site.has_left |= what == "quit"
            self.wish = what, action
            self.publish()
        return ""

    def _untimely(self, what: str, request: Mapping[str, Any]) -> str:
        """Why this cannot be done now; empty if it can."""
        shown = self._shown
        if what == "quit":
            return ""
        if what == "next":
            return "" if shown.get("over") else "this game is not over yet"
        if shown.get("over"):
            return f"the game is over: {shown['over']}"
        if (request.get("number"), request.get("turn")) != (shown.get("number"), shown.get("turn")):
            return "that was meant for another turn; the page shows the present one now"
        if what == "resign":
            return ""
        if shown.get("chosen"):
            return f"you have chosen {shown['chosen']} already"
        if not shown.get("legal"):
            return "it is not your turn"
        if self.wish:
            return "one thing after the other: the last one is being done"
        return shown["no_undo"] if what == "undo" else ""


class WebSeat(Person):
    """Asks at the pages of a view."""

    def __init__(self, planned: PlannedGame, player: int, view: PageView):
        super().__init__(planned, player)
        self.view = view
        self.number = planned.number
        self._state: State | None = None  # that the pages show

    def action(self) -> Action:
        self.view.await_visitor()
        return super().action()

    def choose(self, match: Match) -> Action:
        while True:
            what, action = self.view.await_wish(self.cpu_left) or ("", None)
            match what:
                case "play":
                    return action
                case "":
                    raise self.out_of_time()
                case "undo":
                    raise TakeBack(self.player)
                case "resign":
                    raise Resigned
                case "hint":
                    self.view.publish(notice=self.hint(match))

    # What the pages show

    def begin(self, match: Match) -> None:
        if self.number > 1:  # the last game's end stands until somebody has looked at it
            while (self.view.await_wish() or ("", None))[0] != "next":
                pass
        self.view.wish = None
        self._state = state = match.state
        self.view.publish(
            begun=True,
            game=self.game,
            number=self.number,
            you=self.player,
            colours=state.COLOURS,
            titles=[match.title(player) for player in (0, 1)],
            drawn=is_drawn(self.game),
            over="",
            turn=0,
            asked=[],
            legal=[],
            chosen="",
            notice="",
            list=[],
            clocks=[],
            no_undo="",
            **self._board(match.state),
        )

    def opened(self, match: Match, chosen: Mapping[int, Action]) -> None:
        self._follow(match)

    def ask(self, match: Match) -> None:
        super().ask(match)
        asked = match.state.to_act()
        legal = steps(self.game, match.state, self.player) if self.player in asked else []
        self.view.publish(
            turn=match.number,
            asked=asked,
            legal=legal,
            chosen="",
            clocks=clocks(match),
            no_undo=self.refusal_to_take_back(match),
        )

    def turn(self, match: Match, turn: Turn) -> None:
        self._follow(match)

    def taken_back(self, match: Match) -> None:
        self._state = None
        self._follow(match)
        self.view.publish(notice="taken back")

    def end(self, match: Match, result: MatchResult) -> None:
        self.view.publish(
            over=sentence(match.titles, result), asked=[], legal=[], chosen="", clocks=clocks(match)
        )

    def _follow(self, match: Match) -> None:
        before, self._state = self._state, match.state
        change = None
        if before and match.plies:
            change = {"before": line(before), "chosen": match.plies[-1]}
        self.view.publish(
            asked=[],
            legal=[],
            notice="",
            list=played(match),
            clocks=clocks(match),
            **self._board(match.state, change),
        )

    def _board(self, state: State, change: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """The state, drawn by the page or else by the rules, and what led to it."""
        drawn = "" if is_drawn(self.game) else state.draw(unicode=True)
        picture = "\n".join(escaped(row) for row in drawn.split("\n"))
        return {"text": line(state), "picture": picture, "change": change}


def played(match: Match) -> list[tuple[int, int, str]]:
    """Turn, player and action of all that was played; an opening's has turn 0."""
    opening = [(0, chosen) for chosen in match.opening]
    turns = [(turn.number, turn.chosen) for turn in match.history if turn.played]
    return [
        (number, player, typed_actions.spell(action))
        for number, chosen in opening + turns
        for player, action in sorted(chosen.items())
    ]
