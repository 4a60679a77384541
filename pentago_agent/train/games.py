"""Games of a search against itself, to learn weights from: how they wander, and the file they are kept in.

selfplay.py plays them with the search in Python, deep.py with its copy in C.
"""

import random
from typing import Callable, Tuple

import numpy as np

from referee.view.progress import track

from ..kernel import LOST, Kernel
from ..position import START, Position, batch, moves, play, result, stones

RANDOM_PLIES = 8  # at the start, at most
STRAY = 0.1  # of the later moves are picked by chance
AMONG = 10  # the best so many
EVERY = 100  # games the file is written


def play_one(
    kernel: Kernel,
    choose: Callable[[Position], Tuple[int, float]],
    is_won: Callable[[np.ndarray, int], bool],
    enough: float,
    dice: random.Random,
) -> tuple:
    """The positions of one game in which nobody could win at once, their scores, player 0's score.

    `choose(position)` answers a move and its score for the mover, in thousandths; nan is kept where the move
    was picked by chance.  The game is the mover's where `is_won(board, stones)` says so before he chooses, or
    where the score is more than `enough`.
    """
    position, seen, scored = START, [], []
    random_plies = dice.randint(1, RANDOM_PLIES)
    while result(position) is None:
        board, count = batch(position), stones(position)
        codes = kernel.codes(board)
        if kernel.wins(board, codes).any():
            return seen, scored, 1 - position[0]
        if count >= 1:
            seen.append(position)
            scored.append(float("nan"))
        if is_won(board, count):
            return seen, scored, 1 - position[0]
        scores = kernel.judge(board, codes, count)[0]
        safe = np.flatnonzero(scores > LOST)
        if count < random_plies:
            move = dice.choice(list(safe) or moves(position, kernel.geometry))
        elif dice.random() < STRAY and len(safe):
            move = dice.choice(list(safe[np.argsort(-scores[safe], kind="mergesort")][:AMONG]))
        else:
            move, scored[-1] = choose(position)
            if scored[-1] > enough:
                return seen, scored, 1 - position[0]
        position = play(position, int(move), kernel.geometry)
    return seen, scored, (1 + result(position) * (1 if position[0] == 0 else -1)) / 2


def collect(path: str, number: int, seed: int, play_game: Callable[[random.Random], tuple]) -> None:
    """Play so many games, each with lots of its own, and keep their positions in a file.

    `boards` are as the mover sees them, `labels` the share of the player who is not to move, `scores` the
    mover's, `games` the numbers of the games.
    """
    rows, labels, scores, games = [], [], [], []

    def save() -> None:
        np.savez_compressed(
            path,
            boards=np.array(rows, np.int16),
            labels=np.array(labels, np.float32),
            scores=np.array(scores, np.float32),
            games=np.array(games),
        )

    for game in track(range(number), "games"):
        seen, scored, score = play_game(random.Random(1000003 * seed + game))
        for position, value in zip(seen, scored):
            rows.append(position[1:])
            labels.append(score if position[0] == 1 else 1 - score)
            scores.append(value)
            games.append(game)
        if game % EVERY == EVERY - 1:
            save()
    save()
    print("%d positions of %d games" % (len(rows), number))
