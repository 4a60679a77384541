"""Positions from games of the agent against itself, with what became of them: food for `learn`.

    python -m pentago_agent.train.selfplay OUT.npz --games 6000 --seed 1

Both sides search two plies, with the weights of weights.py.  The first plies are random, and one later
move in ten is picked by chance among the ten best, so that games differ and weak positions are met too.
"""

import argparse
import random

import numpy as np

from referee.view.progress import track

from ..geometry import Geometry
from ..kernel import LOST, Kernel
from ..position import START, batch, moves, play, result, stones
from ..search import Search
from ..threats import Threats
from .weights import first_guess


def play_one(search: Search, dice: random.Random, depth: int) -> tuple:
    """The positions of one game in which nobody could win at once, and player 0's score."""
    kernel = search.kernel
    position, seen = START, []
    random_plies = dice.randint(1, 8)
    while result(position) is None:
        board, count = batch(position), stones(position)
        codes = kernel.codes(board)
        if kernel.wins(board, codes).any():
            return seen, 1 - position[0]
        if count >= 1:
            seen.append(position)
        scores = kernel.judge(board, codes, count)[0]
        safe = np.flatnonzero(scores > LOST)
        if count < random_plies:
            move = dice.choice(list(safe) or moves(position, kernel.geometry))
        elif dice.random() < 0.1 and len(safe):
            move = dice.choice(list(safe[np.argsort(-scores[safe], kind="mergesort")][:10]))
        else:
            search.deepest = depth
            move = search.best(board, count)
        position = play(position, int(move), kernel.geometry)
    return seen, (1 + result(position) * (1 if position[0] == 0 else -1)) / 2


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("out")
    parser.add_argument("--games", type=int, default=6000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--depth", type=int, default=2)
    parser.add_argument("--variant", default="")
    options = parser.parse_args()
    kernel = Kernel(options.variant, first_guess(Geometry(options.variant)))
    search = Search(kernel, Threats(kernel))
    rows, labels, games = [], [], []
    for number in track(range(options.games), "games"):
        seen, score = play_one(search, random.Random(1000003 * options.seed + number), options.depth)
        for position in seen:
            rows.append(position[1:])
            # The share of the player who has just moved, the one who is not to move.
            labels.append(score if position[0] == 1 else 1 - score)
            games.append(number)
    boards, labels = np.array(rows, np.int16), np.array(labels, np.float32)
    np.savez_compressed(options.out, boards=boards, labels=labels, games=np.array(games))
    print("%d positions of %d games" % (len(rows), options.games))


if __name__ == "__main__":
    main()
