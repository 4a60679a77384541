"""Pairs of games in C between two settings of the search, ten games a second at 10 000 nodes.

    python -m kalaha_agent.train.duels - LATE=6 --pairs 500 --nodes 10000

A version is `-`, the agent as it is, or values for some of its search's numbers, parted by commas: those
of engine.py's NAMES, `MARGINS=24/34/44`, and `HALVES=FILE` for another data/halves.npy.  A pair is an opening
played twice, seats exchanged.  Openings are random moves after which searches see nobody ahead.
"""

import argparse
import time
from typing import Any, Dict, Iterator, Sequence, Set

import numpy as np

from referee.commands.options import positive
from referee.match import statistics

from ..position import STANDARD, UNIT, Position
from .engine import NAMES, Tree, game
from .matches import opening

BALANCED, CHECKS = 3 * UNIT, (2000, 20000)  # what searches of so many nodes may see


def settings(text: str) -> Dict[str, Any]:
    """A version from the command line: arguments of Tree."""
    found: Dict[str, Any] = {"settings": {}}
    for part in [] if text == "-" else text.split(","):
        name, _, value = part.partition("=")
        try:
            if name == "MARGINS":
                found["margins"] = (0, *[int(margin) for margin in value.split("/") if margin])
            elif name == "HALVES":
                found["promises"] = np.load(value)
            elif name in NAMES:
                found["settings"][name] = int(value)
            else:
                raise ValueError
        except (ValueError, OSError):
            raise argparse.ArgumentTypeError(
                "should be -, or NAME=NUMBER, parted by commas; NAME one of MARGINS, HALVES, "
                + ", ".join(NAMES)
            ) from None
    return found


def openings(seed: int, checks: Sequence[int] = CHECKS) -> Iterator[Position]:
    """Balanced positions, no two alike; searches of so many nodes look at them."""
    judge, number = Tree(), 0
    known: Set[Position] = set()
    while True:
        position, _ = opening(seed, number)
        number += 1
        if position in known or len(STANDARD.moves(position)) < 2:
            continue
        known.add(position)
        judge.forget()
        if all(abs(judge.best(position, nodes).score) <= BALANCED for nodes in checks):
            yield position


def points(lead: int) -> float:
    """What a final lead is worth."""
    return (lead > 0) + (lead == 0) / 2


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("versions", nargs=2, type=settings, metavar="VERSION")
    parser.add_argument("--pairs", type=positive, default=500)
    parser.add_argument("--nodes", type=positive, default=10_000, help="a move")
    parser.add_argument("--seed", type=int, default=1, help="of the openings")
    options = parser.parse_args()
    began, drawn = time.process_time(), openings(options.seed)
    played = []
    for _ in range(options.pairs):
        position, trees = next(drawn), [Tree(**version) for version in options.versions]
        first = points(game(*trees, options.nodes, position))
        for tree in trees:
            tree.forget()
        played.append((first, 1 - points(game(*trees[::-1], options.nodes, position))))
    print("%s; %.0f s" % (statistics.of_pairs(played), time.process_time() - began))


if __name__ == "__main__":
    main()
