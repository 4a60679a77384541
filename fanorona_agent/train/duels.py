"""Pairs of games in C between two settings of the search, hundreds of games a second at few nodes.

    python -m fanorona_agent.train.duels - FORCED=0 --pairs 500 --nodes 2000

A version is `-`, the agent as it is, or values for some of tree.py's numbers, parted by commas: those of
engine.py's NAMES; `TUNED=0` leaves the evaluation's numbers as they were fitted.  A pair is an opening
played twice, colours exchanged; every other pair is by the 1100 rules.  Openings are random turns after
which searches see nobody ahead.
"""

import argparse
import random
import time
from typing import Dict, Iterator, Set, Tuple

from referee.commands.options import positive
from referee.match import statistics

from ..evaluate import LOUD, QUIET, by_men
from ..position import START, Position, moves, play, popcount
from .engine import NAMES, Tree, game

BALANCED, CHECKS = 60, (2000, 20000)  # points that searches of so many nodes may see
MEN, QUIET_RUN = 28, 4  # an opening has so many men at least, and no more boards in its history


def settings(text: str) -> Dict[str, int]:
    """A version from the command line."""
    found = {}
    for part in [] if text == "-" else text.split(","):
        name, _, value = part.partition("=")
        if name not in (*NAMES, "TUNED") or not value.lstrip("-").isdigit():
            raise argparse.ArgumentTypeError(
                "should be -, or NAME=NUMBER, parted by commas; NAME one of TUNED, " + ", ".join(NAMES)
            )
        found[name] = int(value)
    return found


def tree(has_pass: bool, version: Dict[str, int]) -> Tree:
    """The search of a version."""
    known = {name: value for name, value in version.items() if name != "TUNED"}
    if version.get("TUNED", 1):
        return Tree(has_pass, known)
    return Tree(has_pass, known, quiet=by_men(QUIET), loud=by_men(LOUD))


def openings(seed: int, has_pass: bool) -> Iterator[Position]:
    """Balanced positions, no two alike."""
    chance, judge = random.Random("%d %s" % (seed, has_pass)), Tree(has_pass)
    known: Set[Tuple] = set()
    while True:
        position = START
        for _ in range(chance.randint(2, 6)):
            choices = moves(position, has_pass)
            if not choices:
                break
            position = play(position, chance.choice(choices))
        few = popcount(position[1] | position[2]) < MEN
        if few or position[3] > QUIET_RUN or position[:3] in known or len(moves(position, has_pass)) < 2:
            continue
        known.add(position[:3])
        judge.forget()
        if all(abs(judge.best(position, nodes).score) <= BALANCED for nodes in CHECKS):
            yield position[:4] + (None, ())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("versions", nargs=2, type=settings, metavar="VERSION")
    parser.add_argument("--pairs", type=positive, default=500)
    parser.add_argument("--nodes", type=positive, default=2000, help="a turn")
    parser.add_argument("--seed", type=int, default=1, help="of the openings")
    options = parser.parse_args()
    drawn = {has_pass: openings(options.seed, has_pass) for has_pass in (True, False)}
    trees = {rules: [tree(rules, version) for version in options.versions] for rules in drawn}
    played = []
    began = time.process_time()
    for pair in range(options.pairs):
        has_pass = pair % 2 == 0
        opening, (one, other) = next(drawn[has_pass]), trees[has_pass]
        played.append(
            (game(one, other, options.nodes, opening), 1 - game(other, one, options.nodes, opening))
        )
    print("%s; %.0f s" % (statistics.of_pairs(played), time.process_time() - began))


if __name__ == "__main__":
    main()
