"""The games of a tournament's report: a few lines for each, and a replay page of its own."""

import os
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from html import escape
from itertools import islice
from pathlib import Path

from referee import UsageError, rules
from referee.isolation.process import ENDINGS
from referee.match import judging, record
from referee.match.loop import is_legal
from referee.players.text import shorten
from referee.tournament.played import PlayedGame, PlayedPair
from referee.tournament.standings import Standings
from referee.view import page
from referee.view.game import Game
from referee.view.page import numbered
from referee.view.shell import address
from referee.view.shell import write as write_page
from referee.view.tables import label

WIDTH = 100  # characters of a line of actions
GAMES = 400  # that are listed with their moves; a page with thousands would be slow to open


def write(standings: Standings, path: Path) -> None:
    """Write the pages of the games that the page at `path` lists."""
    listed = list(_listed(standings))
    addresses = ["", *(address(numbered(path, number).name) for number in range(1, len(listed) + 1)), ""]
    for number, (pair, game) in enumerate(listed, 1):
        shown = Game.of(account(standings, pair, game))
        before, after = addresses[number - 1], addresses[number + 1]
        write_page(numbered(path, number), page.html(shown, address(path.name), before, after))


def games(standings: Standings, path: Path) -> str:
    """Each game with its result, its page, its record if one was kept, its moves; what filters and sorts."""
    rows = [_game(standings, path, number, *one) for number, one in enumerate(_listed(standings), 1)]
    total = standings.results.games
    command = "<code>referee replay JOURNAL --pair N</code> shows any"
    more = f"<p>The first {GAMES} of {total} games; {command}.</p>" if total > len(rows) else ""
    return f'{more}<div class="games">{_choices(standings)}{"".join(rows)}</div>'


def style(standings: Standings) -> str:
    """The rules by which a choice hides or sorts games; the page runs no script."""
    listed = [game for _, game in _listed(standings)]
    rules = [
        ".games { display: flex; flex-direction: column; } .games fieldset { border: 0; padding: .25rem 0; }"
    ]
    rules += [".games label { margin-right: 1rem; overflow-wrap: anywhere; }"]
    kinds = [("player", len(standings.results.players)), ("ending", len(ENDINGS))]
    for kind, count in kinds:
        for one in range(count):
            rules.append(f".games:has(#{kind}-{one}:checked) .game:not(.{kind}-{one}) {{ display: none; }}")
    by_length = sorted(range(len(listed)), key=lambda place: (-listed[place].turns, place))
    for rank, place in enumerate(by_length, 1):
        rules.append(f".games:has(#sort-longest:checked) .game-{place + 1} {{ order: {rank}; }}")
        rules.append(
            f".games:has(#sort-shortest:checked) .game-{place + 1} {{ order: {len(listed) - rank + 1}; }}"
        )
    return "\n".join(rules) + "\n"


def _choices(standings: Standings) -> str:
    """Buttons that choose which games are shown, and in which order."""
    results = standings.results
    names = [(f"player-{index}", label(results, index)) for index in range(len(results.players))]
    endings = [(f"ending-{place}", kind) for place, kind in enumerate(ENDINGS) if results.endings[kind]]
    orders = [("sort-longest", "longest first"), ("sort-shortest", "shortest first")]
    groups = [("player", "all", names), ("ending", "any", endings), ("sort", "as played", orders)]
    return "".join(_group(name, usual, choices) for name, usual, choices in groups)


def _group(name: str, usual: str, choices: Sequence[tuple[str, str]]) -> str:
    buttons = f'<label><input type="radio" name="{name}" checked/> {usual}</label>'
    for identity, words in choices:
        button = f'<input type="radio" name="{name}" id="{identity}"/>'
        buttons += f"<label>{button} {escape(words)}</label>"
    return f"<fieldset>{name}: {buttons}</fieldset>"


def _listed(standings: Standings) -> Iterator[tuple[PlayedPair, PlayedGame]]:
    """The games that are listed, each with its pair."""
    return islice(((pair, game) for pair in standings.pairs() for game in pair.games), GAMES)


def _game(standings: Standings, path: Path, number: int, pair: PlayedPair, game: PlayedGame) -> str:
    first, second = (escape(label(standings.results, index)) for index in game.seated(pair.players))
    links = [(address(numbered(path, number).name), "turn by turn")]
    if game.record:
        links.append((address(os.path.relpath(game.record, path.parent)), "record"))
    linked = ", ".join(f'<a href="{escape(target)}">{words}</a>' for target, words in links)
    kinds = [f"game-{number}", f"ending-{ENDINGS.index(game.ending)}"]
    kinds += [f"player-{index}" for index in pair.players]
    title = f"{number} {first} against {second}, pair {pair.number}"
    return (
        f'<details class="game {" ".join(kinds)}"><summary>{title}: <b>{_winner(standings, pair, game)}</b>, '
        f"{game.turns} turns ({escape(game.reason)})</summary><p>{linked}</p>"
        f"{_moves(standings.header['game'], pair, game)}</details>"
    )


def _winner(standings: Standings, pair: PlayedPair, game: PlayedGame) -> str:
    """`alpha wins as B`, or that nobody does."""
    if game.winner is None:
        return "draw"
    colours = rules.start(standings.header["game"]).COLOURS
    colour = colours[game.seated((0, 1)).index(game.winner)]
    return escape(f"{label(standings.results, pair.players[game.winner])} wins as {colour}")


def _moves(name: str, pair: PlayedPair, game: PlayedGame) -> str:
    """The actions with their colours, the opening first, and the last board."""
    parts = []
    for place, (chosen, state) in enumerate(_plies(name, pair, game)):
        words = " ".join(f"{state.COLOURS[player]} {escape(repr(one))}" for player, one in chosen.items())
        parts.append(f"<i>{words}</i>" if place < len(pair.opening) else words)
    used = " and ".join(f"{seconds:.2f} s" for seconds in game.cpu)
    board = f"<pre>{escape(state.draw())}</pre>" if parts else ""
    return f"<p>{'; '.join(parts)}</p>{board}<p>CPU, in the players' order: {used}</p>"


def in_text(name: str, pair: PlayedPair, game: PlayedGame) -> str:
    """The actions with their colours, the opening in brackets, the last board, and how it ended."""
    words, board = [], rules.start(name).draw()
    for place, (chosen, state) in enumerate(_plies(name, pair, game)):
        said = " ".join(f"{state.COLOURS[player]} {one!r}" for player, one in chosen.items())
        words.append(f"[{said}]" if place < len(pair.opening) else said)
        board = state.draw()
    return "\n".join([textwrap.fill("; ".join(words), WIDTH), board, game.reason])


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
