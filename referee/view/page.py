"""A game as one page to look at: its board turn by turn, what each player used, and what it said.

The page needs nothing else and asks for nothing: its policy allows no network and only the one script
that it carries, by that script's hash.  What comes from players goes into it as JSON in which nothing
can end a script element, or through `escape`.  States are computed here, by the rules.
"""

import base64
import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from html import escape
from importlib.resources import files
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any
from urllib.parse import quote

from referee import UsageError, rules
from referee.match import shorten
from referee.record import Account, Entry, Verdict
from referee.view import boards, charts
from referee.view.terminal import printable

OUTPUT_TURN = 4_000  # characters of what a player printed in a turn, and in the game
OUTPUT_GAME = 200_000
NAME = 60  # characters of a player's name
DECIDED = 20  # times the largest score before it: then it stands for a won game, and goes off the scale
CHART_TURNS = 2  # a chart of fewer says nothing


@dataclass(frozen=True)
class Game:
    """What is shown of one game: what a file says, and the states it went through."""

    account: Account
    states: Sequence[rules.State]  # the first, and that after each entry of play

    @classmethod
    def of(cls, account: Account) -> "Game":
        """The game of an account whose actions are known to be legal."""
        states = [account.start()]
        for entry in (*account.opening, *account.turns):
            states.append(states[-1].after(entry.chosen) if entry.played else states[-1])
        return cls(account, states)

    @property
    def colours(self) -> tuple[str, str]:
        return self.states[0].COLOURS

    @property
    def names(self) -> tuple[str, str]:
        """The players' by seat; a course's log knows colours alone."""
        names = self.account.header.get("players")
        if type(names) is not tuple or len(names) != 2:
            return self.colours
        return tuple(
            f"{shorten(printable(str(name)), NAME)} ({colour})"
            for name, colour in zip(names, self.colours, strict=True)
        )

    @property
    def limits(self) -> tuple[Mapping[str, float], Mapping[str, float]]:
        """Seconds and megabytes by seat, of those that are limited; as far as the file says."""
        limits = self.account.header.get("limits")
        if type(limits) is not tuple or len(limits) != 2 or not all(type(one) is dict for one in limits):
            return {}, {}
        return tuple(
            {key: value for key, value in one.items() if type(value) in (int, float)} for one in limits
        )

    @property
    def entries(self) -> list[Entry]:
        return [*self.account.opening, *self.account.turns]

    def ending(self) -> str:
        """How it ended, in a sentence."""
        verdict, outcome = self.account.verdict, self.states[-1].outcome()
        if not verdict:
            return "The game is unfinished."
        scores, reason = verdict.scores, verdict.reason
        if not verdict.at_fault and outcome:
            scores, reason = outcome
        if scores is None:
            scores = _against(verdict)
        reason = reason or f"{verdict.ending} by {' and '.join(self.names[one] for one in verdict.at_fault)}"
        if scores[0] == scores[1]:
            return f"{self.names[0]} and {self.names[1]} draw: {reason}"
        winner = scores.index(max(scores))
        return f"{self.names[winner]} beats {self.names[1 - winner]}: {reason}"


def html(game: Game, home: str = "") -> str:
    """The page; `home` is the address of the page that links it, if there is one."""
    account = game.account
    title = " against ".join(game.names)
    players = " against ".join(
        f'<span class="player p{player}">{escape(name)}</span>' for player, name in enumerate(game.names)
    )
    back = f'<p><a href="{escape(home)}">All games</a></p>' if home else ""
    data = json.dumps(_data(game), separators=(",", ":")).replace("<", "\\u003c")
    body = (
        f"{back}<h1>{players}</h1>"
        f'<p class="ending">{escape(game.ending())}</p>'
        f"{_read('page.html')}{_charts(game)}{_facts(game)}"
        f'<script type="application/json" id="data">{data}</script>'
    )
    script = f"{boards.script(account.game)}\n{_read('page.js')}"
    kind = account.game.partition(":")[0]
    return document(title, body, charts.STYLE + boards.style() + _read("page.css"), script, kind)


def document(title: str, body: str, style: str, script: str = "", kind: str = "") -> str:
    """A page that may run this script, use this style and do nothing else."""
    policy = f"default-src 'none'; style-src {_hash(style)}; base-uri 'none'; form-action 'none'"
    if script:
        policy += f"; script-src {_hash(script)}"
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{style}</style></head>\n"
        f'<body><main class="{kind}">{body}</main>'
        + (f"<script>{script}</script>" if script else "")
        + "</body></html>\n"
    )


def write(path: Path, text: str) -> None:
    """Write a page; UsageError where that is not possible."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", errors="backslashreplace")
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror or error}") from None


class Pages:
    """One page for one game; for several a page each, and one that lists them, written anew with each."""

    def __init__(self, path: Path, several: bool):
        self.path = path
        self.several = several
        self._rows: list[list[Any]] = []

    def prepared(self) -> "Pages":
        """Itself; UsageError now rather than after the games where nothing can be written there."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self.path.open("a").close()
        except OSError as error:
            raise UsageError(f"cannot write {self.path}: {error.strerror or error}") from None
        return self

    def add(self, account: Account) -> Path:
        """Write one more game; where its page is."""
        game = Game.of(account)
        if not self.several:
            write(self.path, html(game))
            return self.path
        number = len(self._rows) + 1
        path = self.path.with_name(f"{self.path.stem}-{number:03}{self.path.suffix}")
        write(path, html(game, quote(self.path.name)))
        link = f'<a href="{escape(quote(path.name))}">{number} {escape(" against ".join(game.names))}</a>'
        used = [f"{sum(entry.cpu[seat] for entry in account.turns if entry.cpu):.2f}" for seat in (0, 1)]
        told = any(entry.cpu for entry in account.turns)
        self._rows.append(
            [link, escape(account.game), escape(game.ending()), len(account.turns), *(used if told else "--")]
        )
        heads = ["game", "rules", "result", "turns", "first's s", "second's s"]
        title = f"{number} {'game' if number == 1 else 'games'}"
        table = charts.table(heads, self._rows)
        body = f"<h1>{title}</h1>{table}"
        write(self.path, document(title, body, charts.STYLE + INDEX_STYLE))
        return path


INDEX_STYLE = """
main { max-width: 75rem; } td { vertical-align: top; }
td:nth-child(2), th:nth-child(2), td:nth-child(3), th:nth-child(3) { text-align: left; }
td:nth-child(3) { white-space: normal; min-width: 16rem; overflow-wrap: anywhere; }
"""


# What the script is given


def _data(game: Game) -> dict[str, Any]:
    account = game.account
    is_drawn = boards.is_drawn(account.game)
    return {
        "game": account.game,
        "drawn": is_drawn,
        "colours": game.colours,
        "names": game.names,
        "opening": len(account.opening),
        "states": [boards.line(state) if is_drawn else state.draw(unicode=True) for state in game.states],
        "steps": [_step(entry) for entry in game.entries],
        "output": list(_output(account)),
    }


def _step(entry: Entry) -> dict[str, Any]:
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
    return "\n".join(printable(line.replace("\t", "    ")) for line in text.split("\n"))


# Charts


def _charts(game: Game) -> str:
    """Time, memory, depth and score by turns, each where the file has it."""
    turns = len(game.account.turns)
    if turns < CHART_TURNS:
        return ""
    drawn = ""
    if any(entry.cpu for entry in game.account.turns):
        limits = [one.get("action") for one in game.limits]
        drawn += _chart(game, "Time of each action", "s", [_by_action(game, seat) for seat in (0, 1)], limits)
        if any("game" in one for one in game.limits):
            totals = [list(accumulate(entry.cpu[seat] for entry in game.account.turns)) for seat in (0, 1)]
            lines = [list(enumerate(total, 1)) for total in totals]
            drawn += _chart(game, "Time in all", "s", lines, [one.get("game") for one in game.limits])
        sizes = [
            [(turn, entry.megabytes[seat]) for turn, entry in enumerate(game.account.turns, 1)]
            for seat in (0, 1)
        ]
        drawn += _chart(game, "Memory", "MB", sizes, [one.get("megabytes") for one in game.limits])
    depths = [_said(game, seat, "depth") for seat in (0, 1)]
    drawn += _chart(game, "Depth of the search", "", depths, [None, None])
    drawn += _scores(game, [_said(game, seat, "score") for seat in (0, 1)])
    return f'<section class="charts" id="charts">{drawn}</section>' if drawn else ""


Points = list[tuple[int, float]]  # turns and what was there


def _by_action(game: Game, seat: int) -> Points:
    """Seconds from each of its actions to the next: what a limit for an action is compared with."""
    points, since = [], 0.0
    for turn, entry in enumerate(game.account.turns, 1):
        since += entry.cpu[seat] if entry.cpu else 0.0
        if seat in entry.players:
            points.append((turn, since))
            since = 0.0
    return points


def _said(game: Game, seat: int, figure: str) -> Points:
    """What a player's search said, turn by turn; depth 0 is that of a search that did not come far."""
    entries = enumerate(game.account.turns, 1)
    said = [(turn, entry.searches.get(seat, {}).get(figure)) for turn, entry in entries]
    return [(turn, value) for turn, value in said if value is not None and (value or figure != "depth")]


def _chart(
    game: Game, title: str, unit: str, lines: Sequence[Points], limits: Sequence[float | None]
) -> str:
    """A line for each player from 0 up, and its limit, dashed."""
    if not any(lines):
        return ""
    turns = len(game.account.turns)
    known = [limit for limit in limits if limit]
    top = max([*known, *(value for points in lines for _, value in points)]) or 1
    drawn = charts.line([(0, 100), (100, 100)], "axis")
    legend = []
    for player, (points, limit) in enumerate(zip(lines, limits, strict=True)):
        if limit:
            height = 100 - 96 * limit / top
            drawn += charts.line([(0, height), (100, height)], f"limit p{player}")
        if points:
            drawn += _line(points, turns, lambda value: 100 - 96 * value / top, player)
            most = max(value for _, value in points)
            bound = f", limit {_amount(limit)} {unit}" if limit else ""
            legend.append((player, f"at most {_amount(most)} {unit}".rstrip() + bound))
    return _figure(game, title, f"{_amount(top)} {unit}", drawn, legend)


def _scores(game: Game, lines: Sequence[Points]) -> str:
    """Each player's own scores, each to its own largest: their units differ.  Up is good for it."""
    if not any(lines):
        return ""
    turns = len(game.account.turns)
    drawn = charts.line([(0, 50), (100, 50)], "axis")
    legend = []
    for player, points in enumerate(lines):
        if points:
            sizes = sorted(abs(value) for _, value in points)
            usual = (one for one, more in pairwise(sizes[1:]) if 0 < DECIDED * one < more)
            top = next(usual, sizes[-1]) or 1

            def height(value, top=top):
                return 50 - 48 * max(-1.0, min(1.0, value / top))

            drawn += _line(points, turns, height, player)
            legend.append((player, f"{_amount(points[0][1])} at first, {_amount(points[-1][1])} at last"))
    return _figure(game, "Score, as each player sees itself", "ahead", drawn, legend)


def _line(points: Points, turns: int, height: Any, player: int) -> str:
    places = [(100 * (turn - 0.5) / turns, height(value)) for turn, value in points]
    return charts.line(places, f"bold p{player}")


def _figure(game: Game, title: str, top: str, drawn: str, legend: Iterable[tuple[int, str]]) -> str:
    words = "".join(
        f'<li><i class="p{player}"></i>{escape(game.names[player])}: {escape(said)}</li>'
        for player, said in legend
    )
    return (
        f"<figure><figcaption>{title}<span>{escape(top)}</span></figcaption>"
        f'<div class="plot">{charts.svg(drawn)}</div>'
        f'<p class="ends"><span>turn 1</span><span>{len(game.account.turns)}</span></p>'
        f'<ul class="legend">{words}</ul></figure>'
    )


def _amount(value: float) -> str:
    return f"{value:.0f}" if abs(value) >= 1000 else f"{value:.3g}"


# Words


def _facts(game: Game) -> str:
    """What else the file says of the game."""
    header = game.account.header
    said = [game.account.game]
    for seat, limits in enumerate(game.limits):
        words = {"game": "s a game", "action": "s an action", "first": "s for the first", "megabytes": "MB"}
        bounds = ", ".join(f"{limits[key]:g} {unit}" for key, unit in words.items() if key in limits)
        said.append(f"{game.names[seat]}: {bounds or 'no limits'}")
    for key in ("seed", "isolation", "python", "date"):
        if type(header.get(key)) in (int, str):
            said.append(f"{key} {shorten(printable(str(header[key])), NAME)}")
    return f'<p class="facts">{escape("; ".join(said))}</p>'


def _against(verdict: Verdict) -> tuple[float, float]:
    return {(0,): (0, 1), (1,): (1, 0)}.get(verdict.at_fault, (0.5, 0.5))


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


@cache
def _read(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")
