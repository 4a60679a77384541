"""Judge recorded games again by the rules, and say where and why a file differs from them.

Exit code 0: the same; 1: a file differs; 2: no record.
"""

import argparse
import sys
from pathlib import Path

from referee import UsageError
from referee.match.judging import Difference, judge, read
from referee.players.text import on_one_line, printable, shorten
from referee.tournament.standings import of_journals
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
    parser.add_argument(
        "--pair", metavar="N", help="of a tournament's journal: its pairs of that number, or id"
    )


def run(options: argparse.Namespace) -> int:
    if options.pair is not None:
        return _replay_pair(options)
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


def _replay_pair(options: argparse.Namespace) -> int:
    """Both games of a pair in a journal: how they went, and what the rules say of them."""
    if len(options.files) > 1:
        raise UsageError("--pair takes one journal")
    (path,) = options.files
    standings = of_journals([path])
    wanted = [pair for pair in standings.pairs() if options.pair in (str(pair.number), pair.id)]
    if not wanted:
        raise UsageError(f"{path} has {standings.results.pairs} pairs, but none {options.pair[:40]!r}")
    pages = options.html and Pages(options.html, several=True)
    if pages and pages.would_write(path):
        raise UsageError(f"--html {options.html} would overwrite the journal; give it another name")
    code = 0
    for pair, game in [(one, game) for one in wanted for game in one.games]:
        found = report_games.account(standings, pair, game)
        names = " against ".join(label(standings.results, index) for index in game.seated(pair.players))
        print(report_games.in_text(standings.header["game"], pair, game))
        try:
            verdict = judge(found)
        except Difference as difference:
            verdict, code = f"differs: {difference}", 1
        print(f"{on_one_line(path)}, pair {pair.number}, {names}: {verdict}\n")
        if pages:
            pages.add(found)
    return code
