"""Refines weights on what deeper searches say, where they are used: on the best of a position's moves.

    python -m pentago_agent.train.selfplay GAMES.npz --games 2400 --seed 2 --depth 3 --threats 300 \\
        --weights pentago_agent/train/weights-first.npy
    python -m pentago_agent.train.refine GAMES.npz pentago_agent/train/weights-first.npy \\
        pentago_agent/data/weights.npy

The aim is the chance that the score at depth 3 stands for, or that of a win or a loss already proven;
positions that are won by threats belong to it: left out, the weights of attacks sink, and the player
with them.  What is fitted are changes to the old weights, on the masks of the child that the weights
themselves like best; so it is done again with each new set.  Every fifth game is held back until the
last time; the printed divergence is theirs, in nats a position.
"""

import argparse

import numpy as np

from referee.commands.options import new_file

from ..evaluate import PHASES, STATES
from ..geometry import Geometry
from ..kernel import BATCH, LOST, Kernel
from ..leaves import DECIDED
from .learn import design, newton, stones_of, table_of
from .options import VARIANTS, games_of, weights_of

RIDGE = 4.0
ROUNDS = 3
MOST = 3500  # scores are cut off here, as are the chances of proven wins
PROVEN = 0.985
STONES = (2, 33)  # of the positions that are learned from, the least and the most


def read(data: dict) -> tuple:
    """Boards as the mover sees them, the chances in store for him, the numbers of the games."""
    boards, games, scores = data["boards"].astype(np.intp), data["games"], data["scores"].copy()
    won = 1 - data["labels"].astype(float)
    ends = np.append(games[1:] != games[:-1], True)
    scores[ends & np.isnan(scores) & (won == 1)] = 2 * DECIDED  # by threats
    stones = stones_of(boards)
    known = np.isfinite(scores) & (stones >= STONES[0]) & (stones <= STONES[1])
    boards, games, scores, won, stones = (part[known] for part in (boards, games, scores, won, stones))
    proven = np.abs(scores) > DECIDED
    scores = np.clip(scores, -MOST, MOST) / 1000
    # What a score says of the outcome changes smoothly with the stones on the board.
    time = (stones - 12) / 10
    terms = np.stack((np.ones_like(time), time, time**2), 1)
    terms = np.concatenate((terms, terms * scores[:, None]), 1)
    odds = terms.dot(newton(terms[~proven], won[~proven], ridge=0.01))
    chances = np.where(proven, np.where(scores > 0, PROVEN, 1 - PROVEN), 1 / (1 + np.exp(-odds)))
    return boards, chances, games


def best_children(weights: np.ndarray, boards: np.ndarray, variant: str) -> tuple:
    """The score of each position's best move in logits, and the board after it; (n,) and (n, 8)."""
    kernel = Kernel(variant, np.rint(1000 * weights))
    stones = stones_of(boards)
    best, after = np.empty(len(boards)), np.empty_like(boards)
    for count in range(stones.min(), stones.max() + 1):
        rows = np.flatnonzero(stones == count)
        for start in range(0, len(rows), BATCH):
            part = rows[start : start + BATCH]
            columns = np.ascontiguousarray(boards[part].T)
            scores = kernel.judge(columns, kernel.codes(columns), count)
            moves = scores.argmax(axis=1)
            best[part] = scores[np.arange(len(part)), moves]
            after[part] = kernel.children(columns, np.arange(len(part)), moves).T
    return best / 1000, after


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("games", type=games_of, help="a file of selfplay.py")
    parser.add_argument("first")
    parser.add_argument("out", type=new_file)
    parser.add_argument("--variant", choices=VARIANTS, default="")
    options = parser.parse_args()
    geometry = Geometry(options.variant)
    kinds = 1 + max(geometry.kinds)
    first = weights_of(options.first, geometry, parser) / 1000
    boards, chances, games = read(options.games)
    phases = np.digitize(stones_of(boards) + 1, PHASES)
    of_phase = np.eye(len(PHASES) + 1)[phases]
    held = games % 5 == 0
    if not held.any() or len(set(phases[~held])) <= len(PHASES):
        parser.error("these are too few games: there is a phase without positions, or none is held back")

    def calibrate(best, name):
        """In each phase the odds at a score of 0, and the change with it."""
        terms = np.concatenate((of_phase, of_phase * best[:, None]), 1)
        sound = best > LOST / 1000
        found = newton(terms[sound & ~held], chances[sound & ~held], ridge=0.5)
        odds, aim = terms[sound & held].dot(found), chances[sound & held]
        surprise = np.logaddexp(0, odds) - aim * odds
        entropy = -aim * np.log(aim) - (1 - aim) * np.log(1 - aim)
        print("%s: %.5f nats held back" % (name, (surprise - entropy).mean()))
        return found.reshape(2, -1)

    best, after = best_children(first, boards, options.variant)
    level, slope = calibrate(best, "before")
    first = first * np.maximum(slope, 0.05)[:, None, None]
    for number in range(1, ROUNDS + 1):
        features, _ = design(after, geometry)
        counts = features[:, : kinds * STATES].reshape(-1, kinds, STATES)
        odds = (counts * first[phases].astype(np.float32)).sum(axis=(1, 2)) + level[phases]
        rows = (best > LOST / 1000) & (~held | (number == ROUNDS))
        weights = first + table_of(newton(features[rows], chances[rows], odds[rows], RIDGE), geometry)
        best, after = best_children(weights, boards, options.variant)
        level, slope = calibrate(best, "round %d%s" % (number, ", all games" * (number == ROUNDS)))
    print("even at", tuple(int(round(part)) for part in -1000 * level / slope))
    np.save(options.out, np.rint(1000 * weights).astype(np.int16))


if __name__ == "__main__":
    main()
