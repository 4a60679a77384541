"""Say how a tournament stands, from its journal: at any time, also while it is played, without the players.

Several journals are added up: who has the same files, arguments and limits is one player, and a pair that is
in two of them counts once.
"""

import argparse
import json
from pathlib import Path

from referee import UsageError
from referee.commands.tournament import check_report
from referee.tournament.standings import of_journals
from referee.view import report, tables


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.usage = "referee standings [options] JOURNAL [JOURNAL ...]"
    parser.add_argument(
        "journals", nargs="+", type=Path, metavar="JOURNAL", help="what --journal has written"
    )
    parser.add_argument(
        "--without", action="append", default=[], metavar="PLAYER", help="count none of its games"
    )
    parser.add_argument("--report", type=Path, metavar="FILE", help="write a page on it, to look at")
    parser.add_argument("--report-one-file", action="store_true", help="with the games' pages inside it")
    parser.add_argument("-v", "--verbose", action="store_true", help="each pairing, however many there are")
    parser.add_argument("--csv", action="store_true", help="a line a player, for a spreadsheet")
    parser.add_argument("--json", action="store_true", help="one JSON object: a tournament's summary")


def run(options: argparse.Namespace) -> int:
    if options.csv and options.json:
        raise UsageError("--csv and --json are two forms of one thing; leave one out")
    check_report(options.report, options.report_one_file, options.journals)
    standings = of_journals(options.journals)
    results = standings.results
    for name in options.without:
        standings.leave_out(tables.index_of(results, name))
    summary = {
        **standings.summary(),
        "seconds": round(results.seconds, 3),  # of all pairs, one after the other
        "busy": None,
        "resumed": results.pairs,
        "isolation": standings.header.get("isolation", ""),
    }
    if options.report:
        report.write(options.report, report.Page(summary, standings), options.report_one_file)
    if options.csv:
        print(tables.as_csv(summary, results, standings.order()), end="")
    elif options.json:
        print(json.dumps(summary), flush=True)
    else:
        print(tables.tournament(summary, results, standings.order(), options.verbose, is_added_up=True))
    return 0
