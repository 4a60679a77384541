"""Positions from games of the agent against itself, with what became of them: food for `learn`.

    python -m pentago_agent.train.selfplay OUT.npz --games 6000 --seed 1

Both sides search two plies, with the weights of weights.py, or as deep as told with those of a file.
The first plies are random, and one later move in ten is picked by chance among the ten best, so that
games differ and weak positions are met too.  With `--threats`, a game ends when a win by threats is
found.
"""

import argparse
import random
from typing import Tuple

import numpy as np

from referee.commands.options import natural, new_file, positive

from ..evaluate import first_guess
from ..geometry import Geometry
from ..kernel import Kernel
from ..meter import Meter
from ..position import Position
from ..shared.deepening import UNBOUNDED, Search
from ..threats import Threats
from ..tree import Tree
from . import games
from .options import VARIANTS, weights_of


def play_one(search: Search, dice: random.Random, depth: int, threats: int = 0) -> tuple:
    """One game (games.py) of a search of that depth; with `threats` nodes for each look for a win by them."""
    tree = search.tree
    search.deepest = depth

    def choose(position: Position) -> Tuple[int, float]:
        return search.best(position), search.score

    def is_won(board: np.ndarray, count: int) -> bool:
        return threats > 0 and tree.threats.find(board, count, Meter(), threats) is not None

    return games.play_one(tree.kernel, choose, is_won, UNBOUNDED, dice)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("out", type=new_file)
    parser.add_argument("--games", type=positive, default=6000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--depth", type=positive, default=2)
    parser.add_argument("--threats", type=natural, default=0, help="nodes for each look for a win by threats")
    parser.add_argument("--weights", help="a file of them, in place of those by hand")
    parser.add_argument("--variant", choices=VARIANTS, default="")
    options = parser.parse_args()
    geometry = Geometry(options.variant)
    weights = weights_of(options.weights, geometry, parser) if options.weights else first_guess(geometry)
    kernel = Kernel(options.variant, weights)

    def play_game(dice: random.Random) -> tuple:
        tree = Tree(kernel, Threats(kernel))
        tree.veto_nodes = options.threats
        return play_one(Search(tree), dice, options.depth, options.threats)

    games.collect(options.out, options.games, options.seed, play_game)


if __name__ == "__main__":
    main()
