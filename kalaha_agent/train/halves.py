"""Makes data/halves.npy: what the pebbles in the three ponds of a half side promise, learned from self-play.

    python -m kalaha_agent.train.halves                   needs a C compiler; 5 minutes of CPU

The search in C (engine.py), which evaluates by pairs.npy, plays games and looks at positions near theirs,
such as a search evaluates.  What it says of them above bank difference is explained by a number for each pond
and its pebbles, by one for each two ponds of a half and, of what these leave, by one for all three.  Then
games change a few numbers for each half side, and the margins: tune.py.
"""

import argparse
import random
from pathlib import Path
from typing import Optional, Tuple

import numpy

from referee.commands.options import new_file, positive

from ..evaluate import EXCESS, MOST
from ..position import LEAD, MOVER, STANDARD, START, Position
from . import pairs, tune
from .engine import KNOWN, Tree
from .pairs import BEYOND, TOGETHER
from .tune import BEFORE

DATA = Path(__file__).resolve().parent.parent / "data" / "halves.npy"
POSITIONS = {11: 255_049, 12: 190_004}  # by seed
THOROUGH, QUICK, HASTY = 8000, 1000, 150  # nodes: of a label, of a move, of a move near a game
WIDE = (0, 48, 68, 88, 108, 128)  # margins of labels: what is left out may be what is to be learned
AT_RANDOM = 0.1  # of the moves
ASIDE = 0.05  # of the positions are left out of the fit
TRIPLED = 12  # positions that a number for three ponds needs to be half believed
PASSES = 8

Labels = Tuple[numpy.ndarray, numpy.ndarray]  # the ponds of both sides, and scores above bank difference


def near(position: Position, chance: random.Random, hasty: Optional[Tree]) -> Optional[Position]:
    """Some moves on: all at random, or better and worse ones such as a search looks at; None past the end."""
    for _ in range(chance.randrange(4) if hasty is None else 2 + chance.randrange(5)):
        moves = STANDARD.moves(position)
        if not moves:
            return None
        at_random = hasty is None or chance.random() < 0.25
        move = chance.choice(moves if at_random else moves[:3])
        if hasty is not None and chance.random() < 0.67 and len(moves) > 1:
            hasty.forget()
            move = hasty.best(position, HASTY).move
        position = STANDARD.play(position, move)
    return position


def label(position: Position, judge: Tree) -> Optional[int]:
    """What a thorough search says, from where there is a choice; None where it is not to be asked."""
    if STANDARD.left(position) <= KNOWN or not STANDARD.moves(position):
        return None
    sign = 1
    while len(STANDARD.moves(position)) == 1:
        after = STANDARD.play(position, STANDARD.moves(position)[0])
        if after[MOVER] != position[MOVER]:
            sign = -sign
        position = after
    if not STANDARD.moves(position):
        return sign * position[LEAD]
    if STANDARD.left(position) <= KNOWN:
        return None
    judge.forget()
    return sign * judge.best(position, THOROUGH).score


def labels(promises: numpy.ndarray, seed: int, count: int) -> Labels:
    """So many positions near games of searches that evaluate by these promises, and their scores."""
    chance = random.Random(seed)
    play, hasty = [Tree(promises=promises, places=places, margins=BEFORE) for places in (8209, 1009)]
    judge = Tree(promises=promises, places=16411, margins=WIDE)
    ponds, scores = numpy.zeros((count, 12), numpy.int8), numpy.zeros(count, numpy.int16)
    found = 0
    while found < count:
        position = START
        for _ in range(chance.randint(1, 10)):
            if not STANDARD.moves(position):
                break
            position = STANDARD.play(position, chance.choice(STANDARD.moves(position)))
        play.forget()
        while STANDARD.left(position) > KNOWN:
            for tree in (hasty, None):
                seen = near(position, chance, tree)
                score = None if seen is None else label(seen, judge)
                if seen is not None and score is not None and found < count:
                    ponds[found] = STANDARD.counts(seen[2]) + STANDARD.counts(seen[3])
                    scores[found] = score - seen[LEAD]
                    found += 1
            moves = STANDARD.moves(position)
            move = chance.choice(moves) if chance.random() < AT_RANDOM else play.best(position, QUICK).move
            position = STANDARD.play(position, move)
    return ponds, scores


def fitted(ponds: numpy.ndarray, scores: numpy.ndarray) -> Tuple[numpy.ndarray, float]:
    """The promises that explain the scores best, and the share that they explain of others' variance."""
    ponds, scores = ponds.astype(int), numpy.clip(scores.astype(float), -BEYOND, BEYOND)
    learned = numpy.random.default_rng(0).random(len(scores)) >= ASIDE
    tables, _ = pairs.fitted(ponds[learned], scores[learned])
    halves = pairs.by_twos(pairs.joined(tables)).astype(float)

    # What all three ponds say together, of what is left.
    wide = TOGETHER + 1
    few = numpy.minimum(ponds[learned], TOGETHER)
    places = [few[:, at] + wide * few[:, at + 1] + wide * wide * few[:, at + 2] for at in (0, 3, 6, 9)]
    left = scores[learned] - promised(halves, ponds[learned])
    together = numpy.zeros((4, wide**3))
    for _ in range(PASSES):
        for half, place in enumerate(places):
            left += together[half][place]
            spoken = numpy.bincount(place, minlength=wide**3) + TRIPLED
            together[half] = numpy.bincount(place, left, wide**3) / spoken
            left -= together[half][place]
    level = numpy.minimum(numpy.arange(MOST + 1), TOGETHER)
    cubes = together.reshape(2, 2, wide, wide, wide)
    halves += cubes[:, :, level][:, :, :, level][..., level]
    errors = scores[~learned] - promised(halves, ponds[~learned])
    return halves, 1 - (errors**2).mean() / scores[~learned].var()


def promised(halves: numpy.ndarray, ponds: numpy.ndarray) -> numpy.ndarray:
    """What the half sides of each position promise in all."""
    level = numpy.minimum(ponds, MOST)
    found = numpy.zeros(len(ponds))
    for half, table in enumerate(halves.reshape(4, *halves.shape[2:])):
        one, two, three = level[:, 3 * half : 3 * half + 3].T
        found += table[three, two, one]
    return found


def main() -> None:
    """Write the file."""
    parser = argparse.ArgumentParser(
        prog="python -m kalaha_agent.train.halves", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("--positions", type=positive, help="of each seed at most, to see that it works")
    parser.add_argument("--steps", type=positive, help="of tuning at most, likewise")
    parser.add_argument("--to", type=new_file, default=DATA, help="the file to write")
    options = parser.parse_args()
    before = pairs.by_twos(numpy.load(pairs.DATA))
    found = [
        labels(before, seed, min(count, options.positions or count)) for seed, count in POSITIONS.items()
    ]
    halves, explained = fitted(*[numpy.concatenate(part) for part in zip(*found)])
    print("%.1f %% of what was left out of the fit is explained" % (100 * explained), flush=True)
    changes = tune.tuned(halves, before, min(tune.STEPS, options.steps or tune.STEPS))
    numpy.save(str(options.to), tune.changed(halves, changes).clip(-EXCESS, EXCESS - 1).astype(numpy.int8))
    print("MARGINS = %s" % (tune.margins(changes),))


if __name__ == "__main__":
    main()
