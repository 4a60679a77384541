"""Judge recorded games again by the rules, and say where and why a file differs from them.

Exit code 0: the same; 1: a file differs; 2: no record.
"""

import argparse
import sys
from pathlib import Path

from referee import UsageError
from referee.match.judging import Difference, judge, read
from referee.players.text import on_one_line, printable, shorten
from referee.view.page import Pages


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="a record, or a course's log")
    parser.add_argument("--html", type=Path, metavar="OUT",
                        help="write a page to look at; of several games one each and a list")  # fmt: skip


def run(options: argparse.Namespace) -> int:
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
