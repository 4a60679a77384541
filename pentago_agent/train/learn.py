"""Learns the weights of evaluate.py from self-play positions by logistic regression.

    python -m pentago_agent.train.selfplay GAMES.npz --games 12000 --seed 1
    python -m pentago_agent.train.learn GAMES.npz pentago_agent/data/weights.npy

A weight is the sum of its kind's, the same at all times, and of one that all windows or all masks one
twist away share in a phase.  Every fifth game is held back; the printed loss is theirs, in nats a
position, beside that of knowing only the phase.
"""

import argparse
from typing import Optional

import numpy as np

from referee.commands.options import new_file

from ..evaluate import PHASES, STATES
from ..geometry import Geometry
from .options import VARIANTS, games_of

RIDGE = 0.2  # keeps weights that few positions speak for near zero
STEPS = 8  # of Newton's method at most: after six the rounded weights no longer change
STILL = 1e-5  # nor do they once no weight moves by more
BLOCK = 20000  # positions multiplied at a time
COUNT = np.array([bin(bits).count("1") for bits in range(512)], np.uint8)  # stones of a quadrant


def stones_of(boards: np.ndarray) -> np.ndarray:
    """How many stones are on each board."""
    return COUNT[boards].sum(axis=1, dtype=int)


def design(boards: np.ndarray, geometry: Geometry) -> tuple:
    """The features of boards whose first four quadrants are the player to move: (n, features)."""
    bits = np.array([geometry.bits(mask) for mask in geometry.masks])
    theirs = sum(COUNT[boards[:, quadrant][:, None] & bits[None, :, quadrant]] for quadrant in range(4))
    mine = sum(COUNT[boards[:, quadrant + 4][:, None] & bits[None, :, quadrant]] for quadrant in range(4))
    states = np.where(theirs == 0, mine, np.where(mine == 0, 5 + theirs, 0))
    phases = np.digitize(stones_of(boards), PHASES)
    kinds = np.array(geometry.kinds)
    number = 1 + max(geometry.kinds)
    by_kind = np.zeros((len(boards), number, STATES), np.float32)
    rows = np.arange(len(boards))
    for mask, kind in enumerate(kinds):
        by_kind[rows, kind, states[:, mask]] += 1
    by_kind[:, :, 0] = 0
    by_class = np.zeros((len(boards), len(PHASES) + 1, 2, STATES), np.float32)
    for plain in (0, 1):
        chosen = by_kind[:, : geometry.window_kinds] if plain else by_kind[:, geometry.window_kinds :]
        by_class[rows, phases, 1 - plain] = chosen.sum(axis=1)
    by_class[rows, phases, 0, 0] = 1  # the tempo
    unsafe = ((theirs >= 4) & (mine == 0)).any(axis=1)
    return np.concatenate((by_kind.reshape(len(boards), -1), by_class.reshape(len(boards), -1)), 1), unsafe


def newton(
    features: np.ndarray, labels: np.ndarray, start: Optional[np.ndarray] = None, ridge: float = RIDGE
) -> np.ndarray:
    """The weights of the logistic regression with the ridge; `start`: odds that are added to theirs."""
    weights = np.zeros(features.shape[1])
    if start is None:
        start = np.zeros(len(features), np.float32)
    for _ in range(STEPS):
        slope = -ridge * weights
        curve = np.diag(np.full(len(weights), ridge))
        for first in range(0, len(features), BLOCK):
            rows = slice(first, first + BLOCK)
            part = features[rows]
            chance = 1 / (1 + np.exp(-part.dot(weights.astype(np.float32)) - start[rows]))
            slope += part.T.dot(labels[rows] - chance)
            curve += (part * (chance * (1 - chance))[:, None]).T.dot(part)
        step = np.linalg.solve(curve, slope)
        weights += step
        if np.abs(step).max() < STILL:
            break
    return weights


def table_of(weights: np.ndarray, geometry: Geometry) -> np.ndarray:
    """The regression's weights in evaluate.py's form, in logits: (phases, kinds, states)."""
    kinds = 1 + max(geometry.kinds)
    by_class = weights[kinds * STATES :].reshape(len(PHASES) + 1, 2, STATES)
    table = np.repeat(by_class[:, :1], kinds, axis=1)
    table[:, geometry.window_kinds :] = by_class[:, 1:]
    table += weights[: kinds * STATES].reshape(kinds, STATES)
    table[:, :, 0] = 0
    return table


def loss(features: np.ndarray, labels: np.ndarray, weights: np.ndarray) -> float:
    """Nats a position."""
    logits = features.dot(weights.astype(np.float32)).astype(float)
    return float((np.logaddexp(0, logits) - labels * logits).mean())


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("games", type=games_of, help="a file of selfplay.py")
    parser.add_argument("out", type=new_file)
    parser.add_argument("--variant", choices=VARIANTS, default="")
    options = parser.parse_args()
    data = options.games
    geometry = Geometry(options.variant)
    features, unsafe = design(data["boards"].astype(int), geometry)
    known = ~unsafe & (data["games"] % 5 != 0)
    held = ~unsafe & (data["games"] % 5 == 0)
    if not (known.any() and held.any()):
        parser.error("these are too few games to hold some back")
    labels = data["labels"]
    weights = newton(features[known], labels[known])
    by_class = weights[-(len(PHASES) + 1) * 2 * STATES :].reshape(len(PHASES) + 1, 2, STATES)
    nothing = np.zeros_like(weights)
    tempo = nothing.copy()
    tempo[-by_class.size :].reshape(by_class.shape)[:, 0, 0] = by_class[:, 0, 0]
    losses = [loss(features[held], labels[held], known) for known in (weights, tempo)]
    print("held back: %.4f, phase alone %.4f" % tuple(losses))
    print("tempo by phase:", np.rint(1000 * by_class[:, 0, 0]).astype(int))
    for plain, name in enumerate(("windows", "one twist away")):
        print(name)
        print(np.rint(1000 * by_class[:, plain, 1:]).astype(int))
    np.save(options.out, np.rint(1000 * table_of(weights, geometry)).astype(np.int16))


if __name__ == "__main__":
    main()
