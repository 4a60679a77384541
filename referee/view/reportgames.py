"""The games of a tournament's report: a few lines for each, and a replay page of its own."""

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from html import escape
from itertools import islice
from pathlib import Path
from typing import Any

from referee import UsageError, rules
from referee.match import judging, record
from referee.match.loop import is_legal, shorten
from referee.tournament.journal import Entry, Journal
from referee.tournament.results import Results
from referee.view import page
from referee.view.game import Game
from referee.view.page import numbered
from referee.view.shell import address
from referee.view.shell import write as write_page
from referee.view.tables import label

GAMES = 400  # that are listed with their moves; a page with thousands would be slow to open


def write(journal: Journal, results: Results, path: Path) -> None:
    """Write the pages of the games that the page at `path` lists."""
    for number, (entry, game) in enumerate(_listed(journal), 1):
        shown = Game.of(_account(journal, results, entry, game))
        write_page(numbered(path, number), page.html(shown, address(path.name)))


def games(journal: Journal, results: Results, path: Path) -> str:
    """Each game with its result, its page, its record if one was kept, and its moves."""
    rows = [_game(journal, results, path, number, *one) for number, one in enumerate(_listed(journal), 1)]
    total = results.games
    more = f"<p>The first {GAMES} of {total} games; the journal has all.</p>" if total > len(rows) else ""
    return more + "".join(rows)


def _listed(journal: Journal) -> Iterator[tuple[Entry, Mapping[str, Any]]]:
    """The games that are listed, each with its pair."""
    return islice(((entry, game) for entry in journal.entries() for game in entry["games"]), GAMES)


def _seated(game: Mapping[str, Any], two: Sequence[Any]) -> Sequence[Any]:
    """By seat what is in the players' order."""
    return two if game["first"] == 0 else two[::-1]


def _game(
    journal: Journal, results: Results, path: Path, number: int, entry: Entry, game: Mapping[str, Any]
) -> str:
    first, second = (escape(label(results, index)) for index in _seated(game, entry["players"]))
    title = f"{first} against {second}, pair {entry['number']}"
    links = [(address(numbered(path, number).name), "turn by turn")]
    if "record" in game:
        links.append((address(os.path.relpath(game["record"], path.parent)), "record"))
    linked = ", ".join(f'<a href="{escape(target)}">{words}</a>' for target, words in links)
    return (
        f"<details><summary>{title}: {escape(game['reason'])}</summary><p>{linked}</p>"
        f"{_moves(journal.header['game'], entry, game)}</details>"
    )


def _moves(name: str, entry: Entry, game: Mapping[str, Any]) -> str:
    """The actions with their colours, the opening first, and the last board."""
    parts = []
    for place, (chosen, state) in enumerate(_plies(name, entry, game)):
        words = " ".join(f"{state.COLOURS[player]} {escape(repr(one))}" for player, one in chosen.items())
        parts.append(f"<i>{words}</i>" if place < len(entry["opening"]) else words)
    used = " and ".join(f"{seconds:.2f} s" for seconds in game["cpu"])
    board = f"<pre>{escape(state.draw())}</pre>" if parts else ""
    return f"<p>{'; '.join(parts)}</p>{board}<p>CPU, in the players' order: {used}</p>"


def _plies(
    name: str, entry: Entry, game: Mapping[str, Any]
) -> Iterator[tuple[Mapping[int, rules.Action], rules.State]]:
    """What was played, the opening first, each with the state after it."""
    state = rules.start(name)
    for text in (*entry["opening"], *game["moves"]):
        players = state.to_act()
        try:
            action = record.literal(text)
            chosen = dict(zip(players, action if len(players) > 1 else (action,), strict=True))
        except (ValueError, TypeError):
            chosen = {}
        if not chosen or not all(is_legal(one, state.actions(player)) for player, one in chosen.items()):
            raise UsageError(
                f"the journal's pair {entry['number']} has a move that the rules refuse, {shorten(text)}; "
                "take its line out, and it is played again"
            )
        state = state.after(chosen)
        yield chosen, state


def _account(journal: Journal, results: Results, entry: Entry, game: Mapping[str, Any]) -> record.Account:
    """The game's record where there is one; else what the journal knows of the game."""
    if "record" in game:
        with suppress(UsageError, judging.Difference):  # it was moved away, or changed since
            kept = judging.read(Path(game["record"]))
            judging.judge(kept)
            return kept
    header, players = journal.header, _seated(game, entry["players"])
    account = record.Account(
        game=header["game"],
        header={
            "players": tuple(label(results, index) for index in players),
            "limits": tuple(header["players"][index]["limits"] for index in players),
            "seed": header["seed"],
            "isolation": header["isolation"],
        },
    )
    used = [iter(times) for times in _seated(game, game["action_cpu"])]
    sizes = [iter(one) for one in _seated(game, game["action_megabytes"])]
    size = [0.0, 0.0]
    for place, (chosen, _) in enumerate(_plies(header["game"], entry, game)):
        if place < len(entry["opening"]):
            account.opening.append(record.Entry(0, tuple(chosen), chosen))
            continue
        cpu = tuple(next(used[seat], 0.0) if seat in chosen else 0.0 for seat in (0, 1))
        size = [next(sizes[seat], size[seat]) if seat in chosen else size[seat] for seat in (0, 1)]
        account.turns.append(record.Entry(0, tuple(chosen), chosen, cpu=cpu, megabytes=tuple(size)))
    at_fault = [] if game["at_fault"] is None else game["at_fault"]
    at_fault = at_fault if isinstance(at_fault, list) else [at_fault]
    scores = (0.5, 0.5)
    if game["winner"] is not None:
        scores = tuple(_seated(game, (1, 0) if game["winner"] == 0 else (0, 1)))
    account.verdict = record.Verdict(
        line=0,
        ending=game["ending"],
        at_fault=tuple(sorted(_seated(game, (0, 1))[player] for player in at_fault)),
        scores=scores,
        reason=game["reason"],
        turns=game["turns"],
    )
    return account
