"""Works out the ending tables of data/ backwards from the end of the game.

    python -m expendibots_agent.train.endings              writes data/*.npy and says what is in them
    python -m expendibots_agent.train.endings --sample 200  looks at entries through the referee's rules

Every position of a class is held in an array [mine, theirs] of the values that the game would have
if it were drawn after so many plies; with each sweep one ply more, until nothing changes.
"""

import argparse
import itertools
import os
import random

import numpy as np

from referee.commands.options import positive
from referee.view.progress import track

from ..endings import TABLES
from ..sides import TARGETS
from ..symmetry import CORNER, LEADERS, NUMBERS, number

FOLDER = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "data")
CLASSES = ((1, 1), (2, 1), (1, 2), (3, 1), (1, 3), (2, 2))
FAR = 120  # a win in d plies is worth FAR - d while working it out, a loss d - FAR, a draw 0
NEVER = -127

NEIGHBOURS = np.array(
    [[max(abs(a % 8 - b % 8), abs(a // 8 - b // 8)) <= 1 for b in range(64)] for a in range(64)]
)


def placements(tokens):
    """The squares of the tokens for each number of a placement."""
    found = [None] * NUMBERS[tokens]
    for squares in itertools.combinations_with_replacement(range(64), tokens):
        found[number(squares)] = squares
    return np.array(found)


PLACED = {tokens: placements(tokens) for tokens in NUMBERS}


def steps(tokens):
    """For each k the placements that have a k-th step, its target and the placement after it."""
    lists = []
    for squares in PLACED[tokens].tolist():
        found = []
        for start in sorted(set(squares)):
            height = squares.count(start)
            for target in range(64):
                if TARGETS[height][start] >> target & 1:
                    for n in range(1, height + 1):
                        rest = list(squares)
                        for _ in range(n):
                            rest.remove(start)
                        found.append((target, number(rest + [target] * n)))
        lists.append(found)
    columns = []
    for k in range(max(map(len, lists))):
        rows = [row for row, found in enumerate(lists) if len(found) > k]
        targets, after = zip(*(lists[row][k] for row in rows))
        columns.append((np.array(rows), np.array(targets), np.array(after)))
    return columns


def occupied(tokens):
    """[square, placement]: whether a token stands there."""
    board = np.zeros((64, NUMBERS[tokens]), bool)
    for token in range(tokens):
        board[PLACED[tokens][:, token], np.arange(NUMBERS[tokens])] = True
    return board


def as_parent(values):
    """What a child's values are worth to the player who moved there: the other sign, one ply later."""
    return np.where(values > 0, 1 - values, np.where(values < 0, -1 - values, 0)).astype(np.int8)


def booms(m, e, known):
    """[mine, theirs]: the best that a boom comes to; `known` has the values of smaller classes."""
    best = np.full((NUMBERS[m], NUMBERS[e]), NEVER, np.int8)
    theirs = PLACED[e]
    for first in range(0, NUMBERS[m], 1024):
        mine = PLACED[m][first : first + 1024]
        shape = len(mine), len(theirs)
        squares = [np.broadcast_to(mine[:, i, None], shape) for i in range(m)]
        squares += [np.broadcast_to(theirs[None, :, i], shape) for i in range(e)]
        touch = [[NEIGHBOURS[a, b] for b in squares] for a in squares]
        for chosen in range(m):
            gone = touch[chosen]
            for _ in range(m + e - 2):
                gone = [
                    np.logical_or.reduce([gone[j] & touch[j][i] for j in range(m + e)]) for i in range(m + e)
                ]
            value = np.zeros(shape, np.int8)
            codes = sum(part.astype(np.int16) << i for i, part in enumerate(gone))
            for code in np.unique(codes):
                here = codes == code
                my_rest = [i for i in range(m) if not code >> i & 1]
                their_rest = [i for i in range(m, m + e) if not code >> i & 1]
                if not their_rest:
                    value[here] = FAR - 1 if my_rest else 0
                elif not my_rest:
                    value[here] = 1 - FAR
                else:
                    child = known[len(their_rest), len(my_rest)]
                    rows = [number_all([squares[i][here] for i in rest]) for rest in (their_rest, my_rest)]
                    value[here] = as_parent(child[rows[0], rows[1]])
            part = best[first : first + 1024]
            np.maximum(part, value, out=part)
    return best


def number_all(squares):
    """`number` for arrays of squares."""
    squares = np.sort(np.array(squares, np.int64), axis=0)
    sizes = (squares, squares * (squares + 1) // 2, squares * (squares + 1) * (squares + 2) // 6)
    return sum(sizes[i][i] for i in range(len(squares)))


def sweep(start, columns, blocked, child):
    """One ply more: the values of [mine, theirs] from those of the children [mine, theirs]."""
    best = start.copy()
    worth = as_parent(child)
    for rows, targets, after in columns:
        found = worth[after]
        found[blocked[targets]] = NEVER
        best[rows] = np.maximum(best[rows], found)
    return best


def work_out(known, m, e):
    """Adds the values of m v e and of e v m to `known`."""
    starts = {pair: booms(*pair, known) for pair in {(m, e), (e, m)}}
    columns = {tokens: steps(tokens) for tokens in (m, e)}
    blocked = {tokens: occupied(tokens) for tokens in (m, e)}
    values = {(a, b): np.zeros((NUMBERS[a], NUMBERS[b]), np.int8) for a, b in starts}
    while True:
        fresh = {
            (a, b): sweep(starts[a, b], columns[a], blocked[b], np.ascontiguousarray(values[b, a].T))
            for a, b in starts
        }
        if all((fresh[pair] == values[pair]).all() for pair in starts):
            break
        values = fresh
    for a, b in starts:
        # No two on one square: what was worked out for these means nothing.
        for square in range(64):
            values[a, b][np.ix_(blocked[a][square], blocked[b][square])] = 0
    known.update(values)


def plies(values):
    """From the values of the sweeps to those of the tables: plies to the win or to the loss."""
    return np.where(values > 0, FAR - values, np.where(values < 0, -FAR - values, 0)).astype(np.int8)


def stored(m, e, values):
    """The part of a table that stands for all of it."""
    if m == 1:
        return values[CORNER]
    if e == 1:
        return np.ascontiguousarray(values[:, CORNER].T)
    return values[LEADERS]


def tables():
    """All tables, as they are stored, by (m, e)."""
    known = {(1, 1): np.zeros((64, 64), np.int8)}
    for m, e in track(((2, 1), (3, 1), (2, 2)), "tables"):
        work_out(known, m, e)
    return {pair: plies(values) for pair, values in known.items() if pair != (1, 1)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--sample", type=positive, metavar="N", help="recompute N entries of each table")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if options.sample:
        if len(TABLES) < len(CLASSES[1:]):
            parser.error("tables are missing; without --sample they are made")
        check(options.sample, options.seed)
        return
    for (m, e), values in tables().items():
        print(
            "%d v %d: %d won, %d lost, longest win %d, longest loss %d plies"
            % (m, e, (values > 0).sum(), (values < 0).sum(), values.max(), -values.min())
        )
        np.save(os.path.join(FOLDER, "%dv%d.npy" % (m, e)), stored(m, e, values))


def check(count, seed):
    """Entries against what the referee's rules and the entries one ply on say."""
    from referee import rules

    from .. import notation
    from ..endings import ending

    source = random.Random(seed)
    for m, e in CLASSES[1:]:
        for _ in track(range(count), "entries of %d v %d" % (m, e)):
            squares = [source.randrange(64) for _ in range(m + e)]
            while set(squares[:m]) & set(squares[m:]):
                squares = [source.randrange(64) for _ in range(m + e)]
            stacks = {}
            for token, square in enumerate(squares):
                stacks.setdefault(("WB"[token >= m], square), []).append(token)
            line = "white 0 " + " ".join(
                "%s%d(%d,%d)" % (colour, len(tokens), square % 8, square // 8)
                for (colour, square), tokens in stacks.items()
            )
            state = rules.parse("expendibots", line)
            found = []
            for action in state.actions(0):
                after = state.after({0: action})
                if after.outcome():
                    found.append({1: FAR - 1, 0.5: 0, 0: 1 - FAR}[after.outcome()[0][0]])
                else:
                    value = ending(notation.from_text(after.text()))
                    found.append(FAR - 1 + value if value < 0 else 1 - FAR + value if value else 0)
            best = max(found)
            expected = FAR - best if best > 0 else -FAR - best if best < 0 else 0
            value = ending(notation.from_text(line))
            if value != expected:
                raise SystemExit("table says %d, the rules %d (seed %d): %s" % (value, expected, seed, line))
    print("%d entries of each table agree with the rules" % count)


if __name__ == "__main__":
    main()
