"""Pairs of games in C between two settings of the search, tens of games a second at few nodes.

    python -m expendibots_agent.train.duels - LATE=4 --pairs 500 --nodes 3000
    python -m expendibots_agent.train.duels - turns=25 --pairs 200 --game 400000

A version is `-`, the agent as it is, or values for some of its numbers, parted by commas: `TUNED=0` for
the weights before tune.py; those of engine.py's NAMES, of evaluate.py's WEIGHTS (`in_reach=150`, or
`in_reach=150/120` with few tokens and with many), and of engine.py's CLOCK, by which nodes of a game are
shared out.  A pair is an opening played twice, colours exchanged.  Openings are random moves, none of them
a boom, after which searches see nobody far ahead.
"""

import argparse
import random
import time
from typing import Any, Dict, Iterator, Sequence, Set, Tuple

from referee.commands.options import natural, positive
from referee.match import statistics

from ..evaluate import WEIGHTS, Weights
from ..position import START, Position, moves, play
from .engine import CLOCK, NAMES, Limits, Tree, game, limits
from .fit import FITTED

BALANCED, CHECKS = 700, (3000, 20000)  # points that searches of so many nodes may see
SHORTEST, LONGEST = 3, 8  # plies of an opening
TERMS = {name.replace(" ", "_"): name for name in WEIGHTS}


def settings(text: str) -> Dict[str, Dict[str, Any]]:
    """A version from the command line."""
    found: Dict[str, Dict[str, Any]] = {"settings": {}, "weights": dict(WEIGHTS), "clock": {}}
    for part in [] if text == "-" else text.split(","):
        name, _, value = part.partition("=")
        try:
            if name in NAMES:
                found["settings"][name] = int(value)
            elif name == "TUNED":
                found["weights"] = dict(WEIGHTS if int(value) else FITTED)
            elif name in TERMS:
                few, _, many = value.partition("/")
                found["weights"][TERMS[name]] = float(few), float(many or few)
            elif name in CLOCK:
                found["clock"][name] = float(value)
            else:
                raise ValueError
        except ValueError:
            raise argparse.ArgumentTypeError(
                "should be -, or NAME=NUMBER, parted by commas; NAME one of "
                + ", ".join(["TUNED", *NAMES, *TERMS, *CLOCK])
            ) from None
    return found


def openings(seed: int, checks: Sequence[int] = CHECKS, weights: Weights = WEIGHTS) -> Iterator[Position]:
    """Balanced positions, no two alike; searches of so many nodes look at them, by these weights."""
    chance, judge = random.Random(seed), Tree({"DRAW": 0}, weights)
    known: Set[int] = set()
    while True:
        position = START
        for _ in range(chance.randint(SHORTEST, LONGEST)):
            position = play(position, chance.choice([move for move in moves(position) if move > 63]))
        if position[4] in known:
            continue
        known.add(position[4])
        judge.forget()
        if all(abs(judge.best(position, nodes).score) <= BALANCED for nodes in checks):
            yield position


def points(
    one: Tree, other: Tree, allowed: Sequence[Limits], opening: Position, **judging: int
) -> Tuple[float, float]:
    """The first one's points as both colours; `allowed`: the nodes of each; `judging`: see `game`."""
    white = game(one, other, allowed, opening, **judging).points
    return white, 1 - game(other, one, allowed[::-1], opening, **judging).points


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("versions", nargs=2, type=settings, metavar="VERSION")
    parser.add_argument("--pairs", type=positive, default=500)
    parser.add_argument("--nodes", type=positive, default=3000, help="a move")
    parser.add_argument("--game", type=natural, default=0, help="nodes for a whole game instead; 0: none")
    parser.add_argument(
        "--judged", type=natural, default=0, help="points at which a game is won if both say so; 0: never"
    )
    parser.add_argument("--seed", type=int, default=1, help="of the openings")
    options = parser.parse_args()
    began, drawn = time.process_time(), openings(options.seed)
    one, other = (Tree(version["settings"], version["weights"]) for version in options.versions)
    allowed = [limits(options.nodes, options.game, version["clock"]) for version in options.versions]
    played = [points(one, other, allowed, next(drawn), judged=options.judged) for _ in range(options.pairs)]
    print("%s; %.0f s" % (statistics.of_pairs(played), time.process_time() - began))


if __name__ == "__main__":
    main()
