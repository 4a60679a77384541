"""Works out the ending table of data/ by value iteration.

    python -m ropasci_agent.train.endgames               writes data/two_against_one.npy, says what is in it
    python -m ropasci_agent.train.endgames --sample 100  recomputes entries through the referee's rules

Every position is a matrix game over the positions of the next turn.  Rounds of two steps: all those games are
solved; then, with the hunter's mixes held, the prey's best answers are followed for some turns.
"""

import argparse
import hashlib
import io
import os
import random
from typing import List, Tuple

import numpy as np

from referee import rules
from referee.commands.options import positive
from referee.view.progress import track

from .. import endgames, notation
from ..endgames import FADING, LEADERS, RANK, SYMMETRIES, TO_LEADER
from ..position import HEXES, NEIGHBOURS, SWINGS
from ..shared.matrix import solve

FOLDER = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "data")
FILE = os.path.join(FOLDER, "two_against_one.npy")
CAPTURE, NO_MOVE = -1, -2
TURNS = 30  # that the prey's best answers are followed for, in each round
EXACT = 1e-5  # the largest change of a round that ends the work


def classes() -> Tuple[np.ndarray, np.ndarray]:
    """The first of all positions that symmetries exchange, and each position's class: [rank, prey, prey]."""
    shape = len(LEADERS), 61, 61
    hunter, one, two = (part.ravel() for part in np.indices(shape))
    hunter = np.array(LEADERS)[hunter]
    codes = []
    for turned in SYMMETRIES:
        low, high = np.minimum(turned[one], turned[two]), np.maximum(turned[one], turned[two])
        codes.append((turned[hunter] * 61 + low) * 61 + high)
    firsts, which = np.unique(np.min(codes, axis=0), return_inverse=True)
    return firsts, which.reshape(shape)


def prey_moves(one: int, two: int) -> List[Tuple[int, int]]:
    """Where the two prey can stand after a move of either."""
    found = set()
    for g, other in ((one, two), (two, one)):
        for h in NEIGHBOURS[g] + SWINGS[g].get(other, []):
            found.add((min(h, other), max(h, other)))
    return sorted(found)


def transitions(firsts: np.ndarray, which: np.ndarray) -> np.ndarray:
    """[position, hunter's move, prey's move]: the class that follows, CAPTURE or NO_MOVE."""
    found = np.full((len(firsts), 6, 18), NO_MOVE, dtype=np.int32)
    for number, code in enumerate(firsts.tolist()):
        hunter, prey = divmod(code, 61 * 61)
        for row, h in enumerate(NEIGHBOURS[hunter]):
            for column, (one, two) in enumerate(prey_moves(*divmod(prey, 61))):
                turned = TO_LEADER[h]
                follows = CAPTURE if h in (one, two) else which[RANK[h], turned[one], turned[two]]
                found[number, row, column] = follows
    return found


def work_out(firsts: np.ndarray, which: np.ndarray) -> np.ndarray:
    """The value of each class."""
    following = transitions(firsts, which)
    rows = (following[:, :, 0] != NO_MOVE).sum(1)
    columns = (following[:, 0] != NO_MOVE).sum(1)
    done = np.array([code // (61 * 61) in (code // 61 % 61, code % 61) for code in firsts.tolist()])
    values = np.where(done, 1.0, 0.0)
    mixes = np.zeros(following.shape[:2])
    for number in range(200):
        before = values.copy()
        chances = FADING * np.where(following == CAPTURE, 1.0, values[following])
        for i in track(range(len(firsts)), "round {}".format(number + 1)):
            if not done[i]:
                solved = solve(chances[i, : rows[i], : columns[i]])
                values[i], mixes[i, : rows[i]] = solved.value, solved.row
        change = np.abs(values - before).max()
        print("round {}: largest change {:.6f}".format(number + 1, change), flush=True)
        if change < EXACT:
            return values
        for _ in range(TURNS):
            chances = FADING * np.where(following == CAPTURE, 1.0, values[following])
            answers = np.einsum("ir,irc->ic", mixes, chances)
            answers[following[:, 0] == NO_MOVE] = 2.0
            values = np.where(done, 1.0, answers.min(1))
    raise SystemExit("no end after 200 rounds")


def as_bytes(table: np.ndarray) -> bytes:
    file = io.BytesIO()
    np.save(file, table)
    return file.getvalue()


def write() -> None:
    firsts, which = classes()
    values = work_out(firsts, which)
    content = as_bytes(values[which].astype(np.float32))
    with open(FILE, "wb") as file:
        file.write(content)
    open_ones = values[values < 1.0]
    print(
        "{} positions, least {:.3f}, mean {:.3f}, most {:.3f}".format(
            len(open_ones), open_ones.min(), open_ones.mean(), open_ones.max()
        )
    )
    print(len(content), "bytes, sha256", hashlib.sha256(content).hexdigest())


def sample(number: int, seed: int) -> float:
    """Solves as many positions anew over the referee's rules; the largest difference."""
    dice = random.Random(seed)
    worst = 0.0
    for _ in range(number):
        hunter, one, two = (HEXES[h] for h in dice.sample(range(61), 3))
        line = "100 9/9 ({},{}):R ({},{}):s ({},{}):s".format(*hunter, *one, *two)
        state = rules.parse("ropasci", line)
        mine, theirs = state.actions(0), state.actions(1)
        value = solve([[FADING * after(state, row, column) for column in theirs] for row in mine]).value
        worst = max(worst, abs(value - endgames.value(notation.from_text(state.text()))))
    return worst


def after(state: rules.State, mine: tuple, theirs: tuple) -> float:
    child = state.after({0: mine, 1: theirs})
    if child.outcome():
        return 2.0 * child.outcome()[0][0] - 1.0
    return endgames.value(notation.from_text(child.text()))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--sample", type=positive, help="entries to look at")
    parser.add_argument("--seed", type=int, default=1, help="of the sample")
    options = parser.parse_args()
    if options.sample and endgames.CHANCES is None:
        parser.error("there is no file to look at; without --sample it is made")
    if options.sample is None:
        write()
    else:
        worst = sample(options.sample, options.seed)
        print("{} entries, seed {}: largest difference {:.6f}".format(options.sample, options.seed, worst))
        raise SystemExit(worst > 1e-4)


if __name__ == "__main__":
    main()
