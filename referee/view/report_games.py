"""The games of a tournament's report: a list of all, a page of its own for each of the first."""

import os
import textwrap
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from functools import cached_property
from importlib.resources import files
from pathlib import Path

from referee import UsageError, rules
from referee.isolation.process import ENDINGS
from referee.match import judging, record
from referee.match.loop import is_legal
from referee.players.text import shorten
from referee.tournament.played import PlayedGame, PlayedPair
from referee.tournament.standings import Standings
from referee.view import page
from referee.view.game import ShownGame
from referee.view.shell import address, inert
from referee.view.shell import write as write_page
from referee.view.tables import label

WIDTH = 100  # characters of a line of actions
PAGES = 400  # games that have a page of their own; `referee replay` makes that of any other
LISTED = 100_000  # games that are listed; of more, a page would be slow to open


class Games:
    """The games of a report, gathered pair by pair: a few figures of each, of the first ones all there is."""

    def __init__(self, standings: Standings, path: Path, in_one_file: bool = False):
        self.standings = standings
        self.path = path
        self.in_one_file = in_one_file
        self._reasons: dict[str, int] = {}
        self._listed: list[list[int]] = []
        self._ids: list[str] = []  # of their pairs, each of which has two games
        self._first: list[tuple[PlayedPair, PlayedGame]] = []

    def add(self, pair: PlayedPair) -> None:
        """Take the games of one more pair."""
        if len(self._listed) < LISTED:
            self._ids.append(pair.id)
        for game in pair.games:
            if len(self._first) < PAGES:
                self._first.append((pair, game))
            if len(self._listed) < LISTED:
                self._listed.append(self._figures(pair, game))

    def _figures(self, pair: PlayedPair, game: PlayedGame) -> list[int]:
        seats = game.seated(pair.players)
        winner = -1 if game.winner is None else game.seated((0, 1)).index(game.winner)
        reason = self._reasons.setdefault(game.reason, len(self._reasons))
        return [pair.number, *seats, winner, ENDINGS.index(game.ending), game.turns, reason]

    def write(self) -> None:
        """Write the pages of those games that have one, unless they are to be in the report's own file."""
        if self.in_one_file:
            return
        home = address(f"../{self.path.name}")
        addresses = ["", *(address(self._page(number).name) for number in range(1, len(self._first) + 1)), ""]
        for number, (pair, game) in enumerate(self._first, 1):
            shown = ShownGame.of(account(self.standings, pair, game))
            text = page.html(shown, home, addresses[number - 1], addresses[number + 1])
            write_page(self._page(number), text)

    def _page(self, number: int) -> Path:
        return folder(self.path) / f"{number:03}.html"

    def html(self) -> str:
        """The list, and what its script is given."""
        return f'{SHELL}<script type="application/json" id="data">{inert(self._data())}</script>'

    def inner(self) -> tuple[str, str]:
        """Style and script of the games' pages, where these are in the same file."""
        return (self._parts[0].style, self._parts[0].script) if self._parts else ("", "")

    @cached_property
    def _parts(self) -> list[page.Parts]:
        shown = self._first if self.in_one_file else []
        return [page.parts(ShownGame.of(account(self.standings, pair, game))) for pair, game in shown]

    def _data(self) -> dict[str, object]:
        results = self.standings.results
        return {
            "players": [label(results, index) for index in range(len(results.players))],
            "colours": rules.start(self.standings.header["game"]).COLOURS,
            "endings": ENDINGS,
            "reasons": list(self._reasons),
            "total": results.games,
            "games": self._listed,
            "ids": self._ids,
            "struck": sorted(results.struck),
            "first": [self._told(*one) for one in self._first],
            "pages": [
                address(f"{folder(self.path).name}/{self._page(number).name}")
                for number in range(1, len(self._first) + 1)
                if not self.in_one_file
            ],
            "inside": [[one.title, one.body] for one in self._parts],
            "frame": [*self.inner(), *(one.kind for one in self._parts[:1])],
        }

    def _told(self, pair: PlayedPair, game: PlayedGame) -> dict[str, str]:
        """The actions with their colours, the opening in brackets; the last board; its record's address."""
        words, board = _moves(self.standings.header["game"], pair, game)
        used = " and ".join(f"{seconds:.2f} s" for seconds in game.cpu)
        told = {"moves": words, "board": board, "cpu": used}
        if game.record:
            told["record"] = address(os.path.relpath(game.record, self.path.parent))
        return told


def folder(path: Path) -> Path:
    """Where the games' pages of the report at `path` are."""
    return path.with_name(f"{path.stem}_games")


def prepare(path: Path) -> None:
    """UsageError now, not after the games, where there is no place for the folder."""
    one = folder(path)
    try:
        was_there = one.exists()
        one.mkdir(parents=True, exist_ok=True)
        if not was_there:
            one.rmdir()
    except OSError as error:
        raise UsageError(f"cannot write {one}: {error.strerror or error}") from None


def would_write(path: Path, other: Path) -> bool:
    """Whether the report at `path`, or the pages of its games, would overwrite that file."""
    return other.resolve() == path.resolve() or other.resolve().parent == folder(path).resolve()


def script() -> str:
    """What makes the list from its data, and filters and sorts it."""
    return files(__package__).joinpath("report_games.js").read_text(encoding="utf-8")


SHELL = """<div id="games"><form id="choices" hidden>
<label>player <select id="player"><option value="">all</option></select></label>
<label>ending <select id="ending"><option value="">any</option></select></label>
<label>order <select id="order"><option value="">as played</option><option value="long">longest first</option>
<option value="short">shortest first</option><option value="player">by player</option>
<option value="ending">by ending</option></select></label>
<label>turns from <input id="least" type="number" min="0"/></label>
<label>to <input id="most" type="number" min="0"/></label></form>
<p id="count" aria-live="polite"></p><div id="list"></div><button id="more" hidden>more</button></div>
<noscript><p>The games are listed by a script, which is switched off here.</p></noscript>"""

STYLE = """
#choices { display: flex; flex-wrap: wrap; gap: .5rem 1.5rem; }
#choices label { display: flex; gap: .5rem; align-items: center; color: var(--soft); min-width: 0; }
#choices :is(select, input) { font: inherit; min-width: 0; max-width: 100%; } #choices input { width: 5rem; }
#count { color: var(--soft); }
#more, #shown button { font: inherit; min-height: 2.5rem; padding: 0 1rem; margin: .5rem 0;
  border-radius: .5rem; border: 1px solid var(--rule); background: none; color: inherit; cursor: pointer; }
#shown button:disabled { opacity: .35; cursor: default; }
#shown { position: fixed; inset: 0; background: var(--ground); display: flex; flex-direction: column; }
#shown nav { display: flex; flex-wrap: wrap; gap: .5rem; padding: .25rem 1rem; }
#shown iframe { flex: 1; border: 0; width: 100%; }
[hidden] { display: none !important; }
"""


def in_text(name: str, pair: PlayedPair, game: PlayedGame) -> str:
    """The actions with their colours, the opening in brackets, the last board, and how it ended."""
    words, board = _moves(name, pair, game)
    return "\n".join([textwrap.fill(words, WIDTH), board, game.reason])


def _moves(name: str, pair: PlayedPair, game: PlayedGame) -> tuple[str, str]:
    words, board = [], rules.start(name).draw()
    for place, (chosen, state) in enumerate(_plies(name, pair, game)):
        said = " ".join(f"{state.COLOURS[player]} {one!r}" for player, one in chosen.items())
        words.append(f"[{said}]" if place < len(pair.opening) else said)
        board = state.draw()
    return "; ".join(words), board


def _plies(
    name: str, pair: PlayedPair, game: PlayedGame
) -> Iterator[tuple[Mapping[int, rules.Action], rules.State]]:
    """What was played, the opening first, each with the state after it."""
    state = rules.start(name)
    for text in (*pair.opening, *game.moves):
        players = state.to_act()
        try:
            action = record.read_literal(text)
            chosen = dict(zip(players, action if len(players) > 1 else (action,), strict=True))
        except (ValueError, TypeError):
            chosen = {}
        if not chosen or not all(is_legal(one, state.actions(player)) for player, one in chosen.items()):
            raise UsageError(
                f"the journal's pair {pair.number} has a move that the rules refuse, {shorten(text)}; "
                "take its line out, and it is played again"
            )
        state = state.after(chosen)
        yield chosen, state


def _refused(game: PlayedGame) -> dict[int, rules.Action]:
    """What was chosen in the turn that was broken off, by seat."""
    texts = dict(enumerate(game.seated(game.refused or ("", ""))))
    with suppress(ValueError):  # which nothing but another hand has written
        return {seat: record.read_literal(text) for seat, text in texts.items() if text}
    return {}


def account(standings: Standings, pair: PlayedPair, game: PlayedGame) -> record.Account:
    """The game's record where there is one; else what the journal knows of the game."""
    header = standings.header
    if game.record:
        with suppress(UsageError, judging.Difference):  # it was moved away, or changed since
            kept = judging.read(Path(game.record))
            judging.judge(kept)
            return kept
    players = game.seated(pair.players)
    told = record.Account(
        game=header["game"],
        header={
            "players": tuple(label(standings.results, index) for index in players),
            "limits": tuple(header["players"][index]["limits"] for index in players),
            "seed": header["seed"],
            "isolation": header["isolation"],
        },
    )
    used = [iter(times) for times in game.seated(game.action_cpu)]
    sizes = [iter(one) for one in game.seated(game.action_megabytes)]
    size = [0.0, 0.0]

    def entry(players: Collection[int], chosen: Mapping[int, rules.Action], is_played: bool) -> record.Entry:
        cpu = tuple(next(used[seat], 0.0) if seat in players else 0.0 for seat in (0, 1))
        size[:] = [next(sizes[seat], size[seat]) if seat in players else size[seat] for seat in (0, 1)]
        return record.Entry(0, tuple(players), chosen, is_played, cpu=cpu, megabytes=tuple(size))

    state = rules.start(header["game"])
    for place, (chosen, after) in enumerate(_plies(header["game"], pair, game)):
        state = after
        if place < len(pair.opening):
            told.opening.append(record.Entry(0, tuple(chosen), chosen))
        else:
            told.turns.append(entry(tuple(chosen), chosen, is_played=True))
    is_broken = bool(game.at_fault) and game.turns > len(game.moves)
    if is_broken:
        told.turns.append(entry(state.to_act(), _refused(game), is_played=False))
    told.verdict = record.Verdict(
        line=0,
        ending=game.ending,
        call="action" if is_broken else None,
        at_fault=tuple(sorted(game.seated((0, 1))[player] for player in game.at_fault)),
        scores=game.seated((game.score, 1 - game.score)),
        reason=game.reason,
        turns=game.turns,
    )
    return told
