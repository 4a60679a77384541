"""Games of the search in C against itself, to fit weights to: some 70 a second.

    python -m pentago_agent.train.record GAMES.npz --games 22955 --seed 1

Games begin with one to eight random plies, and one later move in twenty is one of the best ten, by chance.
The file has the arrays of selfplay.py's with two differences: `labels` are the share of the player who is to
move, and `scores` are there for moves by chance too, which `strays` tells.
"""

import argparse
import ctypes
import random
from typing import List, Tuple

import numpy as np

from referee.commands.options import new_file, positive
from referee.match.compiled import pointer
from referee.view.progress import track

from ..geometry import CELLS
from ..position import START, Position, play
from .engine import Copy, library
from .matches import opening
from .options import VARIANTS, check_weights

RANDOM_PLIES = 8  # at the start, at most
STRAYS, AMONG = 5, 10  # of a hundred moves; the best so many
LOTS = 60  # thousandths: how far lots move the scores at the root
BITS = 18  # of the leaves that the search remembers


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("out", type=new_file)
    parser.add_argument("--games", type=positive, default=20000)
    parser.add_argument("--nodes", type=positive, default=1200, help="a move")
    parser.add_argument("--seed", type=int, default=1)
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
        options.nodes,
        leans=False,
        margin=LOTS,
        weights=options.weights,
        even=tuple(options.even),
        bits=BITS,
    )
    boards, scores = np.zeros((CELLS, 8), np.uint16), np.zeros(CELLS, np.float32)
    strays, points = np.zeros(CELLS, np.uint8), np.zeros(1)
    kept: List[Tuple[np.ndarray, ...]] = []
    for game in track(range(options.games), "games"):
        dice = random.Random(1000003 * options.seed + game)
        position: Position = START
        for move in opening(search.geometry, dice.randint(1, RANDOM_PLIES), dice):
            position = play(position, move, search.geometry)
        count = library().recorded(
            search.tree,
            pointer(position[1:], np.uint16),
            ctypes.c_long(options.nodes),
            STRAYS,
            AMONG,
            ctypes.c_uint64(dice.getrandbits(40)),
            pointer(boards, np.uint16),
            pointer(scores, np.float32),
            pointer(strays, np.uint8),
            pointer(points, np.float64),
        )
        labels = np.where(np.arange(count) % 2 == 0, points, 1 - points).astype(np.float32)
        numbers = np.full(count, game + 1)
        kept.append((boards[:count].copy(), scores[:count].copy(), strays[:count].copy(), labels, numbers))
    names = "boards", "scores", "strays", "labels", "games"
    arrays = dict(zip(names, (np.concatenate(parts) for parts in zip(*kept))))
    np.savez_compressed(options.out, **arrays)
    print("%d positions of %d games" % (len(arrays["scores"]), options.games))


if __name__ == "__main__":
    main()
