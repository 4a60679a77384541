"""Positions from games of the agent's search against itself, as selfplay.py makes them, searched deeper.

    python -m pentago_agent.train.deep OUT.npz --games 1000 --seed 11 --weights FIRST.npy --even 422 928 ...
    python -m pentago_agent.train.refine OUT.npz FIRST.npy pentago_agent/data/weights.npy

The search is the copy in C (engine.py), to one depth, with every move that it keeps looked at in full.  Games
begin and wander as those of selfplay.py do, and end where a win is proven.  The file has the same arrays.
"""

import argparse
import random

import numpy as np

from referee.commands.options import natural, new_file, positive
from referee.view.progress import track

from ..evaluate import PHASES
from ..geometry import MOVES, Geometry
from ..kernel import LOST
from ..leaves import DECIDED
from ..position import START, batch, moves, play, result, stones
from .engine import Copy, NoCompiler
from .options import VARIANTS, weights_of
from .selfplay import save

UNBOUNDED = 1 << 50  # nodes, and thousandths


def play_one(search: Copy, dice: random.Random) -> tuple:
    """The positions of one game in which nobody could win at once, their scores, player 0's score.

    A score is the search's for the mover, in thousandths; nan where the move was picked by chance.
    """
    kernel = search.tables.kernel
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
        scores = kernel.judge(board, codes, count)[0]
        safe = np.flatnonzero(scores > LOST)
        if count < random_plies:
            move = dice.choice(list(safe) or moves(position, kernel.geometry))
        elif dice.random() < 0.1 and len(safe):
            move = dice.choice(list(safe[np.argsort(-scores[safe], kind="mergesort")][:10]))
        else:
            search.position = position
            move = search.choose()
            scored[-1:] = [float(search.figures[2])] if scored else []
            if search.figures[2] > DECIDED:
                return seen, scored, 1 - position[0]
        position = play(position, int(move), kernel.geometry)
    return seen, scored, (1 + result(position) * (1 if position[0] == 0 else -1)) / 2


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
    if options.weights:
        weights_of(options.weights, Geometry(options.variant), parser)
    if len(options.even) not in (0, len(PHASES) + 1):
        parser.error("--even should be %d numbers" % (len(PHASES) + 1))
    try:
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
    except NoCompiler as trouble:
        parser.error(str(trouble))
    rows, labels, scores, games = [], [], [], []
    for number in track(range(options.games), "games"):
        dice = random.Random(1000003 * options.seed + number)
        seen, scored, score = play_one(search, dice)
        for position, value in zip(seen, scored):
            rows.append(position[1:])
            labels.append(score if position[0] == 1 else 1 - score)
            scores.append(value)
            games.append(number)
        if number % 100 == 99:
            save(options.out, rows, labels, scores, games)
    save(options.out, rows, labels, scores, games)
    print("%d positions of %d games" % (len(rows), options.games))


if __name__ == "__main__":
    main()
