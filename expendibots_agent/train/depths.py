"""How many nodes a search needs for a depth, and how deep and fast it is with a number of them.

    python -m expendibots_agent.train.depths
    python -m expendibots_agent.train.depths --depth 5 --without reductions
    python -m expendibots_agent.train.depths --nodes 80000

The positions come from quick games of the player with itself, each after two plies more than the one before.
"""

import argparse
import random
import time
from typing import List

from referee.commands.options import positive

from .. import notation
from ..player import Player
from ..position import START, over, play
from .matches import opening
from .worth import Without, technique

FIRST, STEP = 8, 2  # plies played in the first position, and how many more in each that follows
OPENING, QUICK = 4, 500  # random plies of each game, and nodes an action from there on


class Reached(Exception):
    """The depth asked for is done."""


def positions(count: int, seed: int) -> List[tuple]:
    """Positions of as many games, that are not over."""
    found = []
    for number in range(count):
        position = None
        dice = random.Random("%d %d" % (seed, number))
        while position is None or over(position):
            position = START
            for move in opening(OPENING, dice):
                position = play(position, move)
            players = [Player(colour, nodes=QUICK) for colour in notation.COLOURS]
            for player in players:
                player.search.lots = None
            while position[3] < FIRST + STEP * number and not over(position):
                players[position[0]].go_on(position)
                position = play(position, players[position[0]].choose())
        found.append(position)
    return found


def nodes_to(depth: int, position: tuple, without: str) -> int:
    """How many nodes the search of a position takes to that depth."""
    colour = notation.COLOURS[position[0]]
    player = Without(colour, without, nodes=1 << 60) if without else Player(colour, nodes=1 << 60)
    player.search.lots = None

    def tell(move, done, score, line):
        if done >= depth:
            raise Reached

    try:
        player.search.best(position, player.clock, tell)
    except Reached:
        pass
    return player.search.nodes


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--positions", type=positive, default=12)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--depth", type=positive, default=6)
    parser.add_argument("--without", type=technique, help="what is taken away, as in worth.py")
    parser.add_argument("--nodes", type=positive, help="search so many nodes instead of to a depth")
    options = parser.parse_args()
    if options.nodes and options.without:
        parser.error("--without is for a --depth, not for --nodes")
    chosen = positions(options.positions, options.seed)
    begun = time.process_time()
    if options.nodes:
        depths, nodes = [], 0
        for position in chosen:
            player = Player(notation.COLOURS[position[0]], nodes=options.nodes)
            player.search.lots = None
            player.search.best(position, player.clock)
            depths.append(player.search.depth)
            nodes += player.search.nodes
        speed = nodes / (time.process_time() - begun)
        print(
            "depth %.1f on average, %d to %d; %d nodes a CPU second"
            % (sum(depths) / len(depths), min(depths), max(depths), speed)
        )
    else:
        found = [nodes_to(options.depth, position, options.without) for position in chosen]
        print(
            "depth %d%s: %d nodes on average of %d positions: %s"
            % (
                options.depth,
                " without " + options.without if options.without else "",
                sum(found) / len(found),
                len(found),
                " ".join(map(str, found)),
            )
        )


if __name__ == "__main__":
    main()
