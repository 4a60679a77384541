"""The games of a tournament's report: a few lines for each, and a replay page of its own."""

import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from html import escape
from itertools import islice
from pathlib import Path

from referee import UsageError, rules
from referee.match import judging, record
from referee.match.loop import is_legal
from referee.players.text import shorten
from referee.tournament.journal import Header, Journal
from referee.tournament.played import PlayedGame, PlayedPair
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
    for number, (pair, game) in enumerate(_listed(journal), 1):
        shown = Game.of(account(journal.header, results, pair, game))
        write_page(numbered(path, number), page.html(shown, address(path.name)))


def games(journal: Journal, results: Results, path: Path) -> str:
    """Each game with its result, its page, its record if one was kept, and its moves."""
    rows = [_game(journal, results, path, number, *one) for number, one in enumerate(_listed(journal), 1)]
    total = results.games
    more = f"<p>The first {GAMES} of {total} games; the journal has all.</p>" if total > len(rows) else ""
    return more + "".join(rows)


def _listed(journal: Journal) -> Iterator[tuple[PlayedPair, PlayedGame]]:
    """The games that are listed, each with its pair."""
    return islice(((pair, game) for pair in journal.pairs() for game in pair.games), GAMES)


def _game(
    journal: Journal, results: Results, path: Path, number: int, pair: PlayedPair, game: PlayedGame
) -> str:
    first, second = (escape(label(results, index)) for index in game.seated(pair.players))
    title = f"{first} against {second}, pair {pair.number}"
    links = [(address(numbered(path, number).name), "turn by turn")]
    if game.record:
        links.append((address(os.path.relpath(game.record, path.parent)), "record"))
    linked = ", ".join(f'<a href="{escape(target)}">{words}</a>' for target, words in links)
    return (
        f"<details><summary>{title}: {escape(game.reason)}</summary><p>{linked}</p>"
        f"{_moves(journal.header['game'], pair, game)}</details>"
    )


def _moves(name: str, pair: PlayedPair, game: PlayedGame) -> str:
    """The actions with their colours, the opening first, and the last board."""
    parts = []
    for place, (chosen, state) in enumerate(_plies(name, pair, game)):
        words = " ".join(f"{state.COLOURS[player]} {escape(repr(one))}" for player, one in chosen.items())
        parts.append(f"<i>{words}</i>" if place < len(pair.opening) else words)
    used = " and ".join(f"{seconds:.2f} s" for seconds in game.cpu)
    board = f"<pre>{escape(state.draw())}</pre>" if parts else ""
    return f"<p>{'; '.join(parts)}</p>{board}<p>CPU, in the players' order: {used}</p>"


def _plies(
    name: str, pair: PlayedPair, game: PlayedGame
) -> Iterator[tuple[Mapping[int, rules.Action], rules.State]]:
    """What was played, the opening first, each with the state after it."""
    state = rules.start(name)
    for text in (*pair.opening, *game.moves):
        players = state.to_act()
        try:
            action = record.literal(text)
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


def account(header: Header, results: Results, pair: PlayedPair, game: PlayedGame) -> record.Account:
    """The game's record where there is one; else what the journal knows of the game."""
    if game.record:
        with suppress(UsageError, judging.Difference):  # it was moved away, or changed since
            kept = judging.read(Path(game.record))
            judging.judge(kept)
            return kept
    players = game.seated(pair.players)
    told = record.Account(
        game=header["game"],
        header={
            "players": tuple(label(results, index) for index in players),
            "limits": tuple(header["players"][index]["limits"] for index in players),
            "seed": header["seed"],
            "isolation": header["isolation"],
        },
    )
    used = [iter(times) for times in game.seated(game.action_cpu)]
    sizes = [iter(one) for one in game.seated(game.action_megabytes)]
    size = [0.0, 0.0]
    for place, (chosen, _) in enumerate(_plies(header["game"], pair, game)):
        if place < len(pair.opening):
            told.opening.append(record.Entry(0, tuple(chosen), chosen))
            continue
        cpu = tuple(next(used[seat], 0.0) if seat in chosen else 0.0 for seat in (0, 1))
        size = [next(sizes[seat], size[seat]) if seat in chosen else size[seat] for seat in (0, 1)]
        told.turns.append(record.Entry(0, tuple(chosen), chosen, cpu=cpu, megabytes=tuple(size)))
    told.verdict = record.Verdict(
        line=0,
        ending=game.ending,
        at_fault=tuple(sorted(game.seated((0, 1))[player] for player in game.at_fault)),
        scores=game.seated((game.score, 1 - game.score)),
        reason=game.reason,
        turns=game.turns,
    )
    return told
