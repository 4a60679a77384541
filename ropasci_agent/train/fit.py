"""Fits the weights of evaluate.py to the results of games: python -m ropasci_agent.train.fit --games 600

Plays games of one-stage equilibria against each other: each side with its own distortion of the
present weights and now and then a random move, half of them from random boards, so that endgames and odd
material are seen. Every third position is a sample, what the game ended in is what it is worth. Then
ridge regression on the logarithm of the odds, towards the present weights; prints new ones.
`--save` and `--load` keep the samples of several runs in files.
"""

import argparse
import random
from typing import List, Tuple

import numpy as np

from referee.commands.options import natural, new_file
from referee.view.progress import track

from ..evaluate import EDGE, NEAR, ROW, WEIGHTS, Evaluation, material_features, tokens_of
from ..payoffs import stage
from ..position import BEATEN_BY, START, THROWS, UNIT, ZONES, Position, material, moves_of, play, result
from ..shared.matrix import solve

LENGTH = 120  # turns, after which a game counts as a draw
DISTORTION = 0.25  # of each kind of weight, as a factor's logarithm
RANDOM_MOVES = 0.04
RIDGE = 3.0  # how many samples' worth of belief in each of the present weights

SLOTS = {}  # name of a weight: the columns of the samples that belong to it
for _name, _weight in WEIGHTS.items():
    _start = sum(len(slots) for slots in SLOTS.values())
    SLOTS[_name] = range(_start, _start + len(np.atleast_1d(_weight)))
WIDTH = sum(len(slots) for slots in SLOTS.values())


def sample(position: Position) -> np.ndarray:
    """How often each weight counts for player 0, less how often for player 1."""
    found = np.zeros(WIDTH)
    counts = material(position)
    left = [THROWS - number for number in counts[6:]]
    sides = counts[:3], counts[3:6]
    tokens = [[(i // 61, i % 61, number) for i, number in tokens_of(position, player)] for player in (0, 1)]
    for player, sign in ((0, 1.0), (1, -1.0)):
        other = 1 - player
        for name, index, times in material_features(sides[player], sides[other], left[player], left[other]):
            found[SLOTS[name][index or 0]] += sign * times
        zone = set(ZONES[other][position[1 + other]])
        for symbol, h, number in tokens[player]:
            found[SLOTS["zone"][0]] += sign * number * (h in zone)
            found[SLOTS["edge"][0]] += sign * number * EDGE[h]
            found[SLOTS["row"][ROW[h] if player == 0 else 8 - ROW[h]]] += sign * number
            for theirs, g, count in tokens[other]:
                if symbol == BEATEN_BY[theirs]:
                    found[SLOTS["hunter"][NEAR[h, g]]] += sign * number * count
    return found


def random_board(generator: random.Random) -> Position:
    """A position with any material, not yet decided."""
    while True:
        boards, thrown = [0] * 6, []
        for player in (0, 1):
            thrown.append(generator.choice((9, 9, 8, 7, generator.randint(1, 9))))
            for _ in range(min(thrown[player], generator.randint(1, 5))):
                empty = [h for h in range(61) if not any(board >> 4 * h & 15 for board in boards)]
                h = generator.choice(empty)
                boards[3 * player + generator.randrange(3)] += UNIT[h]
        position = (0, thrown[0], thrown[1]) + tuple(boards)
        if result(position) is None:
            return position


def distorted(generator: random.Random) -> Evaluation:
    factors = {name: np.exp(generator.gauss(0.0, DISTORTION)) for name in WEIGHTS}
    return Evaluation({name: np.multiply(weight, factors[name]) for name, weight in WEIGHTS.items()})


def game(seed: int) -> Tuple[List[np.ndarray], float]:
    """The samples of one game, and player 0's points in it."""
    generator = random.Random(seed)
    evaluations = [distorted(generator) for _ in (0, 1)]
    position = START if seed % 2 else random_board(generator)
    samples, seen = [], {}
    while result(position) is None and position[0] < LENGTH:
        pair = []
        for player in (0, 1):
            if generator.random() < RANDOM_MOVES:
                pair.append(generator.choice(moves_of(position, player)))
            else:
                found = stage(position, evaluations[player])
                solved = solve(found.values)
                pair += generator.choices(found.moves[player], (solved.row, solved.column)[player])
        position = play(position, pair)
        seen[position[1:]] = seen.get(position[1:], 0) + 1
        if seen[position[1:]] >= 3:
            break
        if position[0] % 3 == 0 and result(position) is None:
            samples.append(sample(position))
    points = result(position)
    return samples, 0.5 if points is None else points


def fit(samples: np.ndarray, points: np.ndarray) -> Tuple[np.ndarray, float, float]:
    """Weights that explain the points: Newton's method, with steps halved while they overshoot."""
    start = np.concatenate([np.atleast_1d(weight) for weight in WEIGHTS.values()])

    def loss(weights):
        odds = samples.dot(weights)
        likelihood = np.sum(np.logaddexp(0.0, odds) - points * odds)
        return likelihood + 0.5 * RIDGE * np.sum((weights - start) ** 2)

    weights = start
    for _ in range(30):
        expected = 0.5 + 0.5 * np.tanh(0.5 * samples.dot(weights))
        spread = expected * (1.0 - expected)
        gradient = samples.T.dot(points - expected) - RIDGE * (weights - start)
        curvature = (samples * spread[:, None]).T.dot(samples) + RIDGE * np.eye(WIDTH)
        step = np.linalg.solve(curvature, gradient)
        while loss(weights + step) > loss(weights) and abs(step).max() > 1e-9:
            step = step / 2.0
        weights = weights + step
    return weights, loss(weights) / len(points), loss(start) / len(points)


def stored(path: str) -> Tuple[np.ndarray, np.ndarray]:
    """The samples and points of a file that `--save` made."""
    try:
        with np.load(path) as found:
            samples, points = found["samples"], found["points"]
            fitting = samples.shape == (len(points), WIDTH)
    except Exception:  # numpy's and its unpackers' many, in words that are not about this file
        fitting = False
    if not fitting:
        raise argparse.ArgumentTypeError("{!r} is not there, or no file of samples".format(path))
    return samples, points


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--games", type=natural, default=600)
    parser.add_argument("--seed", type=int, default=1, help="of the first game; the next has the next")
    parser.add_argument("--save", type=new_file, help="write the samples to this file and stop")
    parser.add_argument("--load", nargs="*", type=stored, default=[], help="files of samples to use besides")
    options = parser.parse_args()
    if not options.games and not options.load:
        parser.error("--games 0 needs samples to --load")
    samples, points = [np.zeros((0, WIDTH))], [np.zeros(0)]
    for seed in track(range(options.seed, options.seed + options.games), "games"):
        found, value = game(seed)
        samples.append(np.reshape(found, (-1, WIDTH)))
        points.append(np.full(len(found), value))
    for found, values in options.load:
        samples.append(found)
        points.append(values)
    samples, points = np.concatenate(samples), np.concatenate(points)
    if not len(points):
        parser.error("these games have no samples")
    if options.save:
        np.savez_compressed(options.save, samples=samples.astype(np.float32), points=points)
        return
    weights, loss, before = fit(samples, points)
    print(f"{len(points)} samples; logistic loss {loss:.4f}, of the present weights {before:.4f}. New ones:")
    for name, slots in SLOTS.items():
        print(f"    {name!r}: {tuple(round(float(weights[slot]), 3) for slot in slots)},")


if __name__ == "__main__":
    main()
