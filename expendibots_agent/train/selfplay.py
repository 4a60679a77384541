"""Quick games of the player against itself, as positions with the result of their game.

    python -m expendibots_agent.train.selfplay FILE --games 700 --nodes 500 --seed 1

They are played with weights set by hand, so that they do not depend on what is fitted to them.  A line
of the file: the mover's score in the game (0, 1/2 or 1, times two), the plies played, the number of the
game, and both sides' heights as hexadecimal numbers, the mover's first.
"""

import argparse
import random
from typing import List, Mapping, Tuple

from referee.commands.options import natural, positive
from referee.view.progress import track

from .. import candidates
from ..evaluate import Weights, evaluator, material
from ..notation import COLOURS
from ..player import Player
from ..position import START, moves, over, play


def alike(weights: Mapping[str, float]) -> Weights:
    """Weights that are the same with any number of tokens."""
    return {name: (weight, weight) for name, weight in weights.items()}


BY_HAND = alike(
    {
        "tokens": 585,
        "share": 1070,
        "area": 17.3,
        "pairs": -1950,
        "stacks": 0,
        "exposed": -52,
        "in reach": 116,
        "worst": -129,
        "other threats": 0,
        "other gains": 0,
        "distance": 39,
        "distance of share": 0,
    }
)
OPENING = 6, 10  # random plies, at least and at most
RANDOM_MOVES = 0.04  # and later on, so that the games see more than good play
LONGEST = 320  # plies; a game still going on is a draw


def game(nodes: int, dice: random.Random) -> Tuple[List[tuple], int]:
    """One game: its positions after the opening, and White's score times two."""
    players = [Player(colour, nodes=nodes) for colour in COLOURS]
    for number, player in enumerate(players):
        player.tree.evaluate = evaluator(number, BY_HAND)
        player.search.lots = None
    position, positions = START, []
    opening = dice.randint(*OPENING)
    met = {}
    while not over(position):
        m, e = position[1][4], position[2][4]
        met[position[4]] = met.get(position[4], 0) + 1
        if met[position[4]] > 2 or position[3] > LONGEST or m == e == 1:
            return positions, 1
        steps = [move for move in moves(position) if move > 63]
        if position[3] < opening:
            move = dice.choice(steps)
        else:
            positions.append(position)
            if dice.random() < RANDOM_MOVES and steps:
                move = dice.choice(steps)
            else:
                player = players[position[0]]
                player.tree.seen = [name for name in met if name != position[4]]
                move = player.search.best(position, player.clock)
        position = play(position, move)
    m, e = position[1][4], position[2][4]
    score = 1 if bool(m) == bool(e) else 2 if m else 0
    return positions, 2 - score if position[0] else score


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("file")
    parser.add_argument("--games", type=positive, default=700)
    parser.add_argument("--after", type=natural, default=0, help="leave out so many games: for two processes")
    parser.add_argument("--nodes", type=positive, default=500)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if options.after >= options.games:
        parser.error("--after leaves out all of the %d games" % options.games)
    try:
        written = open(options.file, "w", encoding="ascii")
    except OSError as trouble:
        parser.error(str(trouble))
    candidates.MATERIAL = material(BY_HAND)
    with written as file:
        for number in track(range(options.after, options.games), "games"):
            positions, white = game(options.nodes, random.Random("%d %d" % (options.seed, number)))
            for mover, mine, theirs, plies, _ in positions:
                score = 2 - white if mover else white
                file.write("%d %d %d %x %x\n" % (score, plies, number, mine[0], theirs[0]))
            file.flush()


if __name__ == "__main__":
    main()
