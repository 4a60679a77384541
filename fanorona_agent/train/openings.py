"""Makes the opening book: long searches in C of the positions that come first, printed as lines of book.py.

    python -m fanorona_agent.train.openings --variant 1130

These are light's first turn, dark's answer to each of light's five, and light's to each of dark's
answers to the turn that light's book begins with.
"""

import argparse
import time
from typing import List

from referee.commands.options import positive

from .. import hops
from ..notation import from_action, to_action
from ..position import START, Position, moves
from .engine import Tree
from .matches import VARIANTS

PLACES = 1 << 22  # of the table of positions seen: there is time and room for more than in a game


def reached(line: str, has_pass: bool) -> Position:
    """The position after hops from the start."""
    position, seen = START, frozenset()
    for text in line.split():
        position, seen = hops.after(position, seen, from_action(text), has_pass)
    return position


def text_of(way: List) -> str:
    """Hops as text."""
    return " ".join(to_action(hop) for hop in way)


def answer(line: str, variant: str, nodes: int) -> str:
    """The turn that a long search finds after some hops, printed with what the search says of it."""
    began = time.process_time()
    has_pass = variant != "1100"
    position = reached(line, has_pass)
    found = Tree(has_pass, places=PLACES).best(position, nodes)
    turn = text_of(hops.hops_of(position, found.move, has_pass))
    print(
        '        "%s": "%s",  # %+d, %d turns deep, %.0f s'
        % (line, turn, found.score, found.depth, time.process_time() - began),
        flush=True,
    )
    return turn


def replies(line: str, has_pass: bool) -> List[str]:
    """The line with each turn that may follow."""
    position = reached(line, has_pass)
    return [
        (line + " " + text_of(hops.hops_of(position, move, has_pass))).strip()
        for move in moves(position, has_pass)
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--variant", choices=VARIANTS, default="1130")
    parser.add_argument("--nodes", type=positive, default=40000000)
    parser.add_argument("--first", help="light's first turn, if it is not to be searched")
    options = parser.parse_args()
    has_pass = options.variant != "1100"
    if options.first and options.first not in replies("", has_pass):
        parser.error("--first is one of " + ", ".join(replies("", has_pass)))
    first = options.first or answer("", options.variant, options.nodes)
    for line in replies(first, has_pass) + replies("", has_pass):
        answer(line, options.variant, options.nodes)


if __name__ == "__main__":
    main()
