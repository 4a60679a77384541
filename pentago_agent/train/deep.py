"""Positions from games of the agent's search against itself, as selfplay.py makes them, searched deeper.

    python -m pentago_agent.train.deep OUT.npz --games 1000 --seed 11 --weights FIRST.npy --even 422 928 ...
    python -m pentago_agent.train.refine OUT.npz FIRST.npy pentago_agent/data/weights.npy

The search is the copy in C (engine.py), to one depth, with every move that it keeps looked at in full.  Games
begin and wander as those of selfplay.py do, and end where a win is proven.  The file has the same arrays.
"""

import argparse
import random
from typing import Tuple

from referee.commands.options import natural, new_file, positive

from ..geometry import MOVES
from ..leaves import DECIDED
from ..position import Position
from . import games
from .engine import Copy
from .options import VARIANTS, check_weights

UNBOUNDED = 1 << 50  # nodes, and thousandths


def play_one(search: Copy, dice: random.Random) -> tuple:
    """One game (games.py), which ends where the search has proven a win."""

    def choose(position: Position) -> Tuple[int, float]:
        search.position = position
        return search.choose(), float(search.figures[2])

    return games.play_one(search.tables.kernel, choose, lambda board, count: False, DECIDED, dice)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("out", type=new_file)
    parser.add_argument("--games", type=positive, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--depth", type=positive, default=4)
    parser.add_argument(
        "--threats", type=natural, default=300, help="nodes for each look for a win by threats"
    )
    parser.add_argument("--weights", help="a file of them, in place of the agent's")
    parser.add_argument(
        "--even", type=int, nargs="+", default=(), help="what is taken off with them, by phase"
    )
    parser.add_argument("--variant", choices=VARIANTS, default="")
    options = parser.parse_args()
    check_weights(parser, options)
    search = Copy(
        "white",
        options.variant,
        UNBOUNDED,
        options.depth,
        leans=False,
        margin=0,
        late=MOVES,
        slack=UNBOUNDED,
        veto_nodes=options.threats,
        attack_nodes=options.threats,
        weights=options.weights,
        even=tuple(options.even),
    )
    games.collect(options.out, options.games, options.seed, lambda dice: play_one(search, dice))


if __name__ == "__main__":
    main()
