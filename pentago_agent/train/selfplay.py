"""Positions from games of the agent against itself, with what became of them: food for `learn`.

    python -m pentago_agent.train.selfplay OUT.npz --games 6000 --seed 1

Both sides search two plies, with the weights of weights.py, or as deep as told with those of a file.
The first plies are random, and one later move in ten is picked by chance among the ten best, so that
games differ and weak positions are met too.  With `--threats`, a game ends when a win by threats is
found.
"""

import argparse
import random

import numpy as np

from referee.commands.options import natural, new_file, positive
from referee.view.progress import track

from ..evaluate import first_guess
from ..geometry import Geometry
from ..kernel import LOST, Kernel
from ..meter import Meter
from ..position import START, batch, moves, play, result, stones
from ..shared.deepening import Search
from ..threats import Threats
from ..tree import Tree
from .options import VARIANTS, weights_of


def play_one(search: Search, dice: random.Random, depth: int, threats: int = 0) -> tuple:
    """The positions of one game in which nobody could win at once, their scores, player 0's score.

    A score is the search's for the mover, in thousandths; nan where the move was picked by chance.
    """
    tree = search.tree
    kernel = tree.kernel
    position, seen, scored = START, [], []
    random_plies = dice.randint(1, 8)
    while result(position) is None:
        board, count = batch(position), stones(position)
        codes = kernel.codes(board)
        if kernel.wins(board, codes).any():
            return seen, scored, 1 - position[0]
        if count >= 1:
            seen.append(position)
            scored.append(float("nan"))
        if threats and tree.threats.find(board, count, Meter(), threats) is not None:
            return seen, scored, 1 - position[0]
        scores = kernel.judge(board, codes, count)[0]
        safe = np.flatnonzero(scores > LOST)
        if count < random_plies:
            move = dice.choice(list(safe) or moves(position, kernel.geometry))
        elif dice.random() < 0.1 and len(safe):
            move = dice.choice(list(safe[np.argsort(-scores[safe], kind="mergesort")][:10]))
        else:
            search.deepest = depth
            move = search.best(position)
            scored[-1] = search.score
        position = play(position, int(move), kernel.geometry)
    return seen, scored, (1 + result(position) * (1 if position[0] == 0 else -1)) / 2


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
    rows, labels, scores, games = [], [], [], []
    for number in track(range(options.games), "games"):
        tree = Tree(kernel, Threats(kernel))
        tree.veto_nodes = options.threats
        search = Search(tree)
        dice = random.Random(1000003 * options.seed + number)
        seen, scored, score = play_one(search, dice, options.depth, options.threats)
        for position, value in zip(seen, scored):
            rows.append(position[1:])
            # The share of the player who has just moved, the one who is not to move.
            labels.append(score if position[0] == 1 else 1 - score)
            scores.append(value)
            games.append(number)
        if number % 100 == 99:
            save(options.out, rows, labels, scores, games)
    save(options.out, rows, labels, scores, games)
    print("%d positions of %d games" % (len(rows), options.games))


def save(path: str, rows: list, labels: list, scores: list, games: list) -> None:
    np.savez_compressed(
        path,
        boards=np.array(rows, np.int16),
        labels=np.array(labels, np.float32),
        scores=np.array(scores, np.float32),
        games=np.array(games),
    )


if __name__ == "__main__":
    main()
