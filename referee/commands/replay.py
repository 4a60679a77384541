"""Judge recorded games again by the rules, and say where and why a file differs from them.

Exit code 0: the same; 1: a file differs; 2: no record.
"""

import argparse
import sys
from pathlib import Path

from referee import UsageError
from referee.match.judging import Difference, judge, read
from referee.players.text import on_one_line, printable, shorten
from referee.tournament.played import PlayedGame, PlayedPair
from referee.tournament.standings import Standings, of_journals
from referee.view import report_games
from referee.view.page import Pages
from referee.view.tables import label


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="a record, or a course's log")
    parser.add_argument(
        "--html",
        type=Path,
        metavar="OUT",
        help="write a page to look at; of several games one each and a list",
    )
    journal = parser.add_argument_group("of a tournament's journal")
    journal.add_argument("--pair", metavar="N", help="the pairs of that number, or the pair of that id")
    journal.add_argument("--player", metavar="P", help="the pairs of that player")
    journal.add_argument("--faults", action="store_true", help="the games in which a player was at fault")


def run(options: argparse.Namespace) -> int:
    if options.pair is not None or options.player is not None or options.faults:
        return _replay_journal(options)
    code = 0
    pages = options.html and Pages(options.html, several=len(options.files) > 1)
    if pages and any(path.exists() and pages.would_write(path) for path in options.files):
        raise UsageError(f"--html {options.html} would overwrite a file to be read; give it another name")
    for path in options.files:
        try:
            account = read(path)
            print(f"{on_one_line(path)}: {judge(account)}")
            if pages:
                pages.add(account)
        except Difference as difference:
            print(f"{on_one_line(path)}: differs: {difference}")
            code = max(code, 1)
        except UsageError as error:
            print(f"referee: {shorten(printable(str(error)), 1000)}", file=sys.stderr)
            code = 2
    return code


def _replay_journal(options: argparse.Namespace) -> int:
    """Games in a journal: how they went, and what the rules say of them."""
    if len(options.files) > 1:
        raise UsageError("--pair, --player and --faults take one journal")
    (path,) = options.files
    standings = of_journals([path])
    wanted = _wanted(options, standings)
    pages = options.html and Pages(options.html, several=True)
    if pages and pages.would_write(path):
        raise UsageError(f"--html {options.html} would overwrite the journal; give it another name")
    code = 0
    for pair, game in wanted:
        found = report_games.account(standings, pair, game)
        names = " against ".join(label(standings.results, index) for index in game.seated(pair.players))
        print(report_games.in_text(standings.header["game"], pair, game))
        try:
            verdict = judge(found)
        except Difference as difference:
            verdict, code = f"differs: {difference}", 1
        print(f"{on_one_line(path)}, pair {pair.number} ({pair.id}), {names}: {verdict}\n")
        if pages:
            pages.add(found)
    return code


def _wanted(options: argparse.Namespace, standings: Standings) -> list[tuple[PlayedPair, PlayedGame]]:
    """The games that are asked for; UsageError where there are none."""
    path, results = options.files[0], standings.results
    pairs = list(standings.pairs())
    if options.pair is not None:
        numbers = max((pair.number for pair in pairs), default=0)
        pairs = [pair for pair in pairs if options.pair in (str(pair.number), pair.id)]
        if not pairs:
            said = f"{path} has {results.pairs} pairs, numbered from 1 to {numbers} between each two players"
            raise UsageError(f"{said}, but none {options.pair[:40]!r}")
    if options.player is not None:
        labels = [label(results, index) for index in range(len(results.players))]
        player = _named(options.player, labels)
        pairs = [pair for pair in pairs if player in pair.players]
    wanted = [(pair, game) for pair in pairs for game in pair.games]
    if options.faults:
        wanted = [(pair, game) for pair, game in wanted if game.at_fault]
    if not wanted:
        raise UsageError(f"{path} has no such game")
    return wanted


def _named(name: str, labels: list[str]) -> int:
    """The player of that name, or whose name alone has it in it."""
    found = [index for index, one in enumerate(labels) if one == name]
    found = found or [index for index, one in enumerate(labels) if name and name in one]
    if len(found) == 1:
        return found[0]
    some = ", ".join([labels[index] for index in found] or labels)
    raise UsageError(
        f"{name[:40]!r} is {'none' if not found else 'more than one'} of the players: {shorten(some)}"
    )
