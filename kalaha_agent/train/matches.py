"""Pairs of games between two players in this process: a score with its error bar.

    python -m kalaha_agent.train.matches player yardstick --pairs 40 --nodes 20000
    python -m kalaha_agent.train.matches . .,tree.LATE=4 --sprt 0,20 --pairs 1000 --nodes 5000
    python -m kalaha_agent.train.matches player without,part=bank --nodes 2000

A player is `player`, `yardstick`, `without` (the player's search with a part otherwise, see worth.py),
`module:Class` or a folder with this package (referee/players/versions.py), and may be followed by arguments
of its constructor.  Each pair is one opening of random moves, played from both seats.
"""

import argparse
import random
from typing import Tuple

from referee.commands import train_matches

from .. import notation
from ..position import STANDARD, START, Position

GAME = "kalaha"
NAMES = {"player": "..player", "yardstick": "..yardstick:Yardstick", "without": ".worth:Varied"}
FEWEST, MOST = 3, 8  # random moves of an opening


def opening(seed: int, number: int) -> Tuple[Position, Tuple]:
    """The position after a few random moves, and these as the referee tells them: by the numbers alone."""
    choose = random.Random("%d %d" % (seed, number))
    position, told = START, []
    for _ in range(choose.randint(FEWEST, MOST)):
        move = choose.choice(STANDARD.moves(position))
        told.append({position[0]: notation.to_action(move)})
        position = STANDARD.play(position, move)
    return position, tuple(told)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    train_matches.arguments(parser, NAMES)
    options = parser.parse_args()
    makers = train_matches.makers(parser, options, NAMES, __package__, notation.COLOURS[0])
    train_matches.play(parser, options, GAME, makers, lambda pair: opening(options.seed, pair - 1)[1])


if __name__ == "__main__":
    main()
