"""Changes the weights to what games of the search in C came to: makes weights.npy.

    python -m pentago_agent.train.record GAMES.npz --games 22955
    python -m pentago_agent.train.fit GAMES.npz OLD.npy pentago_agent/data/weights.npy --fifths 2

The aim at a position is for 0.7 what is aimed at in the next one of its game, down to the result, and for the
rest the chance that the search's score stands for; where the move was picked by chance, the latter alone.  As
in refine.py changes are fitted to the old weights, on the masks of the child that those like best.  Every
tenth game is held back; the printed divergence is theirs, in nats a position.
"""

import argparse
from typing import Callable, Tuple

import numpy as np

from referee.commands.options import new_file, positive

from ..evaluate import PHASES, STATES
from ..geometry import Geometry
from ..kernel import LOST
from ..leaves import DECIDED
from .learn import COUNT, newton, stones_of
from .options import VARIANTS, games_of, weights_of
from .refine import MOST, PROVEN, STONES, best_children

LATER = 0.7  # of an aim comes from the next position
RIDGE = 4.0
STEPS = 16  # of the descent
MEMORY = 8  # of its last steps
BLOCK = 20000  # positions multiplied at a time


def aims(data: dict) -> np.ndarray:
    """What is aimed at in each position: a chance for its mover."""
    scores, won, strays = data["scores"].astype(float), data["labels"].astype(float), data["strays"]
    stones, games = stones_of(data["boards"].astype(np.intp)), data["games"]
    proven = np.abs(scores) > DECIDED
    odds = np.clip(scores, -MOST, MOST) / 1000
    time, side = (stones - 12) / 10, np.where(stones % 2, 1.0, -1.0)
    terms = np.stack((np.ones_like(time), time, time**2, side, side * time), 1)
    terms = np.concatenate((terms, terms * odds[:, None]), 1)
    known = ~proven & (stones >= STONES[0])
    logits = terms.dot(newton(terms[known], won[known], ridge=0.01))
    chances = np.where(proven, np.where(odds > 0, PROVEN, 1 - PROVEN), 1 / (1 + np.exp(-logits)))
    last = np.append(games[1:] != games[:-1], True)
    found = np.empty_like(chances)
    for place in range(len(found) - 1, -1, -1):
        found[place] = chances[place]
        if not (strays[place] or proven[place]):
            later = won[place] if last[place] else 1 - found[place + 1]
            found[place] = LATER * later + (1 - LATER) * chances[place]
    return np.clip(found, 1 - PROVEN, PROVEN)


def counts_of(boards: np.ndarray, geometry: Geometry) -> np.ndarray:
    """How many masks of each kind are in each state: (n, kinds x states), as bytes."""
    bits = np.array([geometry.bits(mask) for mask in geometry.masks])
    sides = [
        sum(COUNT[boards[:, first + part][:, None] & bits[None, :, part]] for part in range(4))
        for first in (0, 4)
    ]
    theirs, mine = sides
    states = np.where(theirs == 0, mine, np.where(mine == 0, 5 + theirs, 0)).astype(np.intp)
    found = np.zeros((len(boards), (1 + max(geometry.kinds)) * STATES), np.int8)
    rows = np.arange(len(boards))
    for mask, kind in enumerate(geometry.kinds):
        found[rows, kind * STATES + states[:, mask]] += 1
    found[:, ::STATES] = 0
    return found


def descend(loss: Callable[[np.ndarray], Tuple[float, np.ndarray]], at: np.ndarray) -> np.ndarray:
    """Some steps of L-BFGS towards the least loss, which comes with its slope."""
    value, slope = loss(at)
    moved, bent = [], []
    for _ in range(STEPS):
        way, shares = slope.copy(), []
        for one, other in zip(moved[::-1], bent[::-1]):
            shares.append(one.dot(way) / other.dot(one))
            way -= shares[-1] * other
        way *= moved[-1].dot(bent[-1]) / bent[-1].dot(bent[-1]) if moved else 0.5 / np.abs(slope).sum()
        for one, other, share in zip(moved, bent, shares[::-1]):
            way += one * (share - other.dot(way) / other.dot(one))
        length = 1.0
        while True:
            there = at - length * way
            value_there, slope_there = loss(there)
            if value_there <= value - 1e-4 * length * slope.dot(way):
                break
            length /= 2
            if length < 1e-4:
                return at
        moved, bent = (moved + [there - at])[-MEMORY:], (bent + [slope_there - slope])[-MEMORY:]
        at, value, slope = there, value_there, slope_there
    return at


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("games", type=lambda path: games_of(path, "strays"), help="a file of record.py")
    parser.add_argument("old")
    parser.add_argument("out", type=new_file)
    parser.add_argument("--fifths", type=positive, default=5, help="of the games that are learned from")
    parser.add_argument("--variant", choices=VARIANTS, default="")
    options = parser.parse_args()
    geometry, phases = Geometry(options.variant), len(PHASES) + 1
    kinds = 1 + max(geometry.kinds)
    old = weights_of(options.old, geometry, parser) / 1000
    boards, games = options.games["boards"].astype(np.intp), options.games["games"]
    stones = stones_of(boards)
    used = (stones >= STONES[0]) & (stones <= STONES[1]) & (games % 5 < options.fifths)
    aim = aims(options.games)[used]
    boards, games, stones = boards[used], games[used], stones[used]
    phase = np.digitize(stones + 1, PHASES)
    side = np.where(stones % 2, -1.0, 1.0)
    held = games % 10 == 0
    if not held.any() or len(set(phase[~held])) < phases:
        parser.error("these are too few games: there is a phase without positions, or none is held back")
    of_phase = np.eye(phases)[phase]
    level = np.concatenate((of_phase, of_phase * side[:, None]), 1)

    def calibrate(best: np.ndarray, name: str) -> np.ndarray:
        """In each phase the odds at a score of 0, how the sides differ, and the change with the score."""
        terms, sound = np.concatenate((level, of_phase * best[:, None]), 1), best > LOST / 1000
        found = newton(terms[sound & ~held], aim[sound & ~held], ridge=0.5)
        odds, wanted = terms[sound & held].dot(found), aim[sound & held]
        entropy = -wanted * np.log(wanted) - (1 - wanted) * np.log(1 - wanted)
        surprise = np.logaddexp(0, odds) - wanted * odds - entropy
        print("%s: %.5f nats held back" % (name, surprise.mean()), flush=True)
        return found

    best, after = best_children(np.broadcast_to(old, (phases, kinds, STATES)), boards, options.variant)
    found = calibrate(best, "before")
    slope = np.maximum(found[2 * phases :], 0.05)
    counts = np.concatenate(
        [counts_of(after[first : first + BLOCK], geometry) for first in range(0, len(after), BLOCK)]
    )
    # What all windows share in a phase, and all masks one twist away.
    shared = np.zeros((kinds * STATES, 2 * STATES), np.float32)
    for kind in range(kinds):
        for state in range(STATES):
            shared[kind * STATES + state, STATES * (kind >= geometry.window_kinds) + state] = 1
    base, rows = slope[phase] * best, np.flatnonzero((best > LOST / 1000) & ~held)
    sizes = np.cumsum([kinds * STATES, phases * 2 * STATES])
    ridge = np.full(sizes[1] + 2 * phases, RIDGE)
    ridge[sizes[1] :] = 0.5

    def loss(changes: np.ndarray) -> Tuple[float, np.ndarray]:
        own, common, levels = np.split(changes, sizes)
        common = common.reshape(phases, -1).astype(np.float32)
        total, of_own, of_common = 0.0, np.zeros(len(own)), np.zeros(common.shape)
        of_levels = np.zeros(len(levels))
        for first in range(0, len(rows), BLOCK):
            part = rows[first : first + BLOCK]
            each = counts[part].astype(np.float32)
            both = each.dot(shared)
            odds = base[part] + level[part].dot(levels) + each.dot(own.astype(np.float32))
            odds += np.einsum("ij,ij->i", both, common[phase[part]])
            total += (np.logaddexp(0, odds) - aim[part] * odds).sum()
            wrong = (1 / (1 + np.exp(-odds)) - aim[part]).astype(np.float32)
            of_own += each.T.dot(wrong)
            for number in range(phases):
                chosen = phase[part] == number
                of_common[number] += both[chosen].T.dot(wrong[chosen])
            of_levels += level[part].T.dot(wrong)
        slopes = np.concatenate((of_own, of_common.ravel(), of_levels)) + ridge * changes
        return total + 0.5 * (ridge * changes * changes).sum(), slopes

    start = np.concatenate((np.zeros(sizes[1]), found[: 2 * phases]))
    own, common, _ = np.split(descend(loss, start), sizes)
    change = own + common.reshape(phases, -1).dot(shared.T)
    change = change.reshape(phases, kinds, STATES)
    change[:, :, 0] = 0
    weights = np.clip(old * slope[:, None, None] + change, -20, 20)
    best, _ = best_children(weights, boards, options.variant)
    found = calibrate(best, "after")
    print("even at", tuple(int(round(part)) for part in -1000 * found[:phases] / found[2 * phases :]))
    np.save(options.out, np.rint(1000 * weights).astype(np.int16))


if __name__ == "__main__":
    main()
