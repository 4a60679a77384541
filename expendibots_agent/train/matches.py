"""Pairs of games between two players in this process: a score with its error bar.

    python -m expendibots_agent.train.matches player yardstick --pairs 20 --seed 1
    python -m expendibots_agent.train.matches player,nodes=8000 sparring --pairs 40 --opening 4

A player is `player`, `copy` (its search in C), `yardstick`, `sparring`, `without`, `module:Class` or a
folder with this package (referee/players/versions.py), and may be followed by arguments of its
constructor.  Each pair is one opening of random moves, none of them a boom, played from both seats; with
`--check NODES` one in which a search of so many nodes sees nobody far ahead.
"""

import argparse
import random
from typing import List, Tuple

from referee import UsageError
from referee.commands import train_matches
from referee.commands.options import natural

from .. import notation
from ..evaluate import evaluator
from ..player import Player
from ..position import LAST_PLY, START, Position, moves, play

GAME = "expendibots"
# An opening counts as balanced if the search says no more than this of it: one logit, 73 % of the points.  Of
# 40 of four random plies 100 000 nodes let 30 pass; of the set-up they say 500 to 2040, by depth.
BALANCED = 2000
TRIES = 1000  # openings that are drawn for one

NAMES = {
    "player": "..player",
    "yardstick": "..yardstick",
    "sparring": ".sparring",
    "without": ".worth:Without",
    "copy": ".engine:Copy",
}


class Openings:
    """The openings of pairs 1, 2, 3, ..., drawn one after the other."""

    def __init__(self, plies: int, seed: int, check: int = 0) -> None:
        """`check`: the nodes that are to find them balanced; 0: any will do."""
        self.plies, self.check = plies, check
        self.dice = random.Random(seed)
        self.drawn: List[Tuple] = []

    def of(self, pair: int) -> Tuple:
        """The opening of that pair, as the referee tells it."""
        while len(self.drawn) < pair:
            self.drawn.append(told(opening(self.plies, self.dice, self.check)))
        return self.drawn[pair - 1]


def opening(plies: int, dice: random.Random, check: int = 0) -> List[int]:
    """Random moves from the start, none of them a boom; balanced ones if so many nodes are to check that."""
    for _ in range(TRIES):
        position, chosen = START, []
        while len(chosen) < plies:
            chosen.append(dice.choice([move for move in moves(position) if move > 63]))
            position = play(position, chosen[-1])
        if not check or is_balanced(position, check):
            return chosen
    raise UsageError("--check %d calls none of %d openings balanced: give it more nodes" % (check, TRIES))


def told(chosen: List[int]) -> Tuple:
    """Moves from the start, as the referee tells them."""
    position, found = START, []
    for move in chosen:
        found.append({position[0]: notation.to_action(position, move)})
        position = play(position, move)
    return tuple(found)


def length(text: str) -> int:
    """The length of an opening from the command line."""
    if natural(text) >= LAST_PLY:
        raise argparse.ArgumentTypeError("should be less than the %d plies of a game" % LAST_PLY)
    return natural(text)


def is_balanced(position: Position, nodes: int) -> bool:
    """Whether a search that sees both players alike finds neither far ahead."""
    judge = Player(notation.COLOURS[position[0]], nodes=nodes)
    judge.tree.evaluate, judge.tree.contempt = evaluator(), 0
    judge.search.lots = None
    judge.search.best(position, judge.clock)
    return judge.search.score is not None and abs(judge.search.score) <= BALANCED


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    train_matches.arguments(parser, NAMES)
    parser.add_argument("--opening", type=length, default=4, help="random plies at the start")
    parser.add_argument(
        "--check", type=natural, default=0, help="nodes that are to find it balanced; 0: any will do"
    )
    options = parser.parse_args()
    makers = train_matches.makers(parser, options, NAMES, __package__, notation.COLOURS[0])
    train_matches.play(
        parser, options, GAME, makers, Openings(options.opening, options.seed, options.check).of
    )


if __name__ == "__main__":
    main()
