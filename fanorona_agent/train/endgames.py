"""Makes the endgame tables of both rule sets by working backwards from their ends.

    python -m fanorona_agent.train.endgames               data/endgames1130.npy and endgames1100.npy
    python -m fanorona_agent.train.endgames --no-limit    counts without the limit of 21, nothing written
    python -m fanorona_agent.train.endgames --sample 200  so many entries recomputed by the referee's rules

A table is an array with a row for each set of the mover's men and a column for each of the other's, in
the order of the sets as numbers; overlapping sets stay DRAWN.  Positions with a capture (it is
compulsory) follow from tables with fewer men; the others are found turn by turn: a value is the best of
the neighbours' one turn ago.  Squares are numbered 0 to 44 here.
"""

import argparse
import io
import random
import time
import zlib
from itertools import combinations
from pathlib import Path
from typing import Dict, List, Tuple

import numpy as np

from referee import rules
from referee.commands.options import positive
from referee.view.progress import track

from ..endgames import DRAWN, FILES, MATERIAL, MOST_MEN, WON, Endgames, all_sets, first_images, load
from ..notation import from_text
from ..position import DIRECTIONS, LAST_QUIET, POINTS, STRONG, popcount

DATA = Path(__file__).resolve().parent.parent / "data"

SQUARE = {point: square for square, point in enumerate(POINTS)}


def line(square: int, step: int) -> List[int]:
    """The squares ahead of one in a direction, nearest first."""
    found, point = [], POINTS[square] + step
    while point in SQUARE:
        found.append(SQUARE[point])
        point += step
    return found


# (origin, target, direction, squares ahead of the target, squares behind the origin)
HOPS = [
    (square, line(square, step)[0], step, line(square, step)[1:], line(square, -step))
    for square in range(45)
    for step in DIRECTIONS
    if line(square, step) and (step in (-10, -1, 1, 10) or STRONG >> POINTS[square] & 1)
]
HOPS_FROM = [[hop for hop in HOPS if hop[0] == square] for square in range(45)]

# All sets of squares by size, in order, as numbers.
NUMBERS = [
    np.array(sorted(sum(1 << square for square in squares) for squares in combinations(range(45), size)))
    for size in range(MOST_MEN)
]


def rank(sets: np.ndarray, size: int) -> np.ndarray:
    """The places of sets among all sets of their size."""
    return np.searchsorted(NUMBERS[size], sets)


def ranks_with(size: int, inside: Tuple[int, ...], outside: Tuple[int, ...]) -> np.ndarray:
    """The ranks of the sets that hold some squares and do not hold others."""
    wanted = sum(1 << square for square in inside)
    return np.flatnonzero(NUMBERS[size] & (wanted | sum(1 << square for square in outside)) == wanted)


# What the other side's value is to a mover who goes there: by a capture, and by a paika, a hop later.
BY_CAPTURE = np.full(256, DRAWN, np.uint8)
BY_CAPTURE[:DRAWN] = WON - 1
BY_CAPTURE[DRAWN + 1 :] = 1
BY_PAIKA = np.full(256, DRAWN, np.uint8)
BY_PAIKA[:DRAWN] = WON - 1 - np.arange(DRAWN)
BY_PAIKA[DRAWN + 1 :] = WON + 1 - np.arange(DRAWN + 1, 256)


class Captures:
    """The best capture in every position of one material, 0 where there is none."""

    def __init__(self, mine: int, theirs: int, tables: Dict, has_pass: bool) -> None:
        self.mine = mine
        self.theirs = theirs
        self.tables = tables
        self.has_pass = has_pass
        self.best = np.zeros((len(NUMBERS[mine]), len(NUMBERS[theirs])), np.uint8)
        self.flat = self.best.reshape(-1)
        for hop in HOPS:
            origin, target = hop[:2]
            own = ranks_with(mine, (origin,), (target,))
            for ray in hop[3:]:
                if ray:
                    others = ranks_with(theirs, ray[:1], (origin, target))
                    self.begin(hop, ray, own, others)

    def begin(self, hop: Tuple, ray: List[int], own: np.ndarray, others: np.ndarray) -> None:
        """A first capture in all positions where it is possible."""
        origin, target, step = hop[:3]
        my_men, their_men = np.meshgrid(NUMBERS[self.mine][own], NUMBERS[self.theirs][others], indexing="ij")
        place = own[:, None] * self.best.shape[1] + others
        apart = my_men & their_men == 0
        self.capture(
            place[apart],
            my_men[apart] ^ (1 << origin),
            their_men[apart],
            ray,
            target,
            step,
            1 << origin | 1 << target,
        )

    def capture(self, place, others, their_men, ray, here, step, been) -> None:
        """The men in line are taken by the man now `here`; then all ways to go on from there.

        The arrays have an entry for each position: its place in the table, the mover's other men
        and the men to be taken from.  `been` is where the man has been in this turn.
        """
        in_line = np.ones(len(place), bool)
        left = their_men.copy()
        for square in ray:
            in_line &= their_men >> square & 1 == 1
            if not in_line.any():
                break
            left[in_line] ^= 1 << square
        goes_on = np.zeros(len(place), bool)
        for _, target, next_step, ahead, behind in HOPS_FROM[here]:
            if next_step == step or been >> target & 1:
                continue
            free = (others | left) >> target & 1 == 0
            for next_ray in (ahead, behind):
                if next_ray:
                    able = free & (left >> next_ray[0] & 1 == 1)
                    goes_on |= able
                    if able.any():
                        self.capture(
                            place[able],
                            others[able],
                            left[able],
                            next_ray,
                            target,
                            next_step,
                            been | 1 << target,
                        )
        if not self.has_pass:
            place, others, left = place[~goes_on], others[~goes_on], left[~goes_on]
        self.end(place, others | 1 << here, left)

    def end(self, place, my_men, left) -> None:
        """The turns that end so."""
        counts = sum((left >> square & 1 for square in range(45)), np.zeros(len(left), np.int64))
        for count in range(self.theirs):
            chosen = counts == count
            if not chosen.any():
                continue
            if count:
                table = self.tables[count, self.mine]
                value = BY_CAPTURE[table[rank(left[chosen], count), rank(my_men[chosen], self.mine)]]
            else:
                value = np.uint8(WON - 1)
            where = place[chosen]
            self.flat[where] = np.maximum(self.flat[where], value)


def paikas(mine: int) -> List[Tuple[np.ndarray, np.ndarray]]:
    """For each hop: the ranks of the sets of the mover's men before it and after it."""
    found = []
    for origin, target, _, _, _ in HOPS:
        before = ranks_with(mine, (origin,), (target,))
        found.append((before, rank(NUMBERS[mine][before] ^ (1 << origin | 1 << target), mine)))
    return found


def solve(mine: int, theirs: int, tables: Dict, has_pass: bool, limit: int) -> None:
    """Add the tables of one material and of the same with the sides exchanged."""
    both = sorted({(mine, theirs), (theirs, mine)})
    captures = {sides: Captures(sides[0], sides[1], tables, has_pass).best for sides in both}
    hops = {sides: paikas(sides[0]) for sides in both}
    apart = {sides: NUMBERS[sides[0]][:, None] & NUMBERS[sides[1]] == 0 for sides in both}
    values = {sides: np.where(best > 0, best, np.uint8(DRAWN)) for sides, best in captures.items()}
    settled = False
    while not settled:
        following = {}
        for sides in both:
            reached = np.ascontiguousarray(BY_PAIKA[values[sides[::-1]]].T)
            reached *= apart[sides]  # nobody goes where another stands; whole rows are quicker than parts
            best = np.zeros_like(reached)
            for before, after in hops[sides]:
                best[before] = np.maximum(best[before], reached[after])
            # No paika at all, where there is no capture either, is a defeat: 0 is what it says.
            best = np.where(captures[sides] > 0, captures[sides], best)
            best[~apart[sides] | (best < WON - limit) & (best > limit)] = DRAWN
            following[sides] = best
        settled = all((following[sides] == values[sides]).all() for sides in both)
        values = following
    tables.update(values)


def count(tables: Dict, sides: Tuple[int, int]) -> str:
    """A table's line of figures."""
    values = tables[sides][NUMBERS[sides[0]][:, None] & NUMBERS[sides[1]] == 0]
    won, lost = values > DRAWN, values < DRAWN
    longest = WON - int(values[won].min())
    late = int((values[won] < WON - LAST_QUIET).sum()), int((values[lost] > LAST_QUIET).sum())
    return "| %d v %d | %d | %.2f %% | %.2f %% | %.2f %% | %d | %d (%d losses) |" % (
        sides
        + (values.size, 100 * won.mean(), 100 * lost.mean(), 100 * (values == DRAWN).mean(), longest)
        + late
    )


def folded(tables: Dict) -> np.ndarray:
    """All tables in the order of the file, one row for each first image of the smaller side."""
    parts = []
    for mine, theirs in MATERIAL:
        table = tables[mine, theirs] if mine <= theirs else tables[mine, theirs].T
        rows = first_images(all_sets(min(mine, theirs))[1])
        chosen = table[rows].copy()
        few, many = NUMBERS[min(mine, theirs)][rows], NUMBERS[max(mine, theirs)]
        for row, number in enumerate(few):
            # Places that are no position repeat their neighbour, which packs better.
            apart = many & number == 0
            nearest = np.maximum.accumulate(np.where(apart, np.arange(len(many)), np.flatnonzero(apart)[0]))
            chosen[row] = chosen[row][nearest]
        parts.append(chosen.reshape(-1))
    return np.concatenate(parts)


def pack(entries: np.ndarray, file: str) -> int:
    """Write a file; its size."""
    data = io.BytesIO()
    np.save(data, np.frombuffer(zlib.compress(entries.tobytes(), 9), np.uint8))
    (DATA / file).write_bytes(data.getvalue())
    return len(data.getvalue())


def build(has_pass: bool, limit: int, men: int) -> Dict:
    """The tables of a rule set, printed as they come."""
    tables = {}
    for mine, theirs in track(MATERIAL, "tables"):
        if mine <= theirs and mine + theirs <= men:
            began = time.process_time()
            solve(mine, theirs, tables, has_pass, limit)
            for sides in sorted({(mine, theirs), (theirs, mine)}):
                print(count(tables, sides), "%.0f s" % (time.process_time() - began), flush=True)
    return tables


def sampled(chance: random.Random, sides: Tuple[int, int]) -> str:
    """A position with so many men of the mover's and of the other's, as text."""
    squares = chance.sample(range(45), sum(sides))
    mover = chance.randrange(2)
    board = ["."] * 45
    for place, square in enumerate(squares):
        board[square] = "ox"[mover if place < sides[0] else 1 - mover]
    return "%s %d" % ("".join(board), mover + 1)


def stored(line: str, endgames: Endgames) -> int:
    """A table's byte for a position."""
    _, mine, theirs, _, _, _ = from_text(line)
    return endgames.value(mine, theirs, popcount(mine), popcount(theirs))


def recomputed(line: str, variant: str, endgames: Endgames) -> int:
    """The same byte from the referee's rules and the bytes of the positions one turn on."""
    root = rules.parse("fanorona:" + variant, line)
    best, open_chains = 0, [root]
    while open_chains:
        state = open_chains.pop()
        for hop in state.legal:
            after = state.after({state.mover: hop})
            if after.chain:
                open_chains.append(after)
            elif after.outcome():
                best = max(best, WON - 1)
            else:
                captured = after.board.count(".") > root.board.count(".")
                change = BY_CAPTURE if captured else BY_PAIKA
                best = max(best, int(change[stored("%s %d" % (after.board, after.mover + 1), endgames)]))
    return DRAWN if LAST_QUIET < best < WON - LAST_QUIET else best


def check(count: int, seed: int) -> int:
    """Recompute so many entries of each rule set; how many were wrong."""
    wrong = 0
    for has_pass, variant in ((True, "1130"), (False, "1100")):
        endgames = load()[has_pass]
        for number in track(range(count), "entries"):
            chance = random.Random("%d %d" % (seed, number))
            line = sampled(chance, chance.choice(MATERIAL))
            if stored(line, endgames) != recomputed(line, variant, endgames):
                wrong += 1
                print(
                    "%s: %s is %d, not %d"
                    % (variant, line, recomputed(line, variant, endgames), stored(line, endgames))
                )
    return wrong


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--no-limit", action="store_true", help="count only, without the limit of 21")
    men = range(2, MOST_MEN + 1)
    parser.add_argument("--men", type=int, choices=men, default=MOST_MEN, help="at most, for --no-limit")
    parser.add_argument("--sample", type=positive, default=0, help="recompute so many entries of each file")
    parser.add_argument("--seed", type=int, default=1, help="of the sample")
    options = parser.parse_args()
    if options.sample:
        wrong = check(options.sample, options.seed)
        print("%d of %d entries are wrong" % (wrong, 2 * options.sample))
        raise SystemExit(1 if wrong else 0)
    if options.no_limit:
        for has_pass in (True, False):
            build(has_pass, 100, options.men)
        return
    base = None
    for has_pass in (True, False):
        print("1130" if has_pass else "1100")
        entries = folded(build(has_pass, LAST_QUIET, MOST_MEN))
        print(pack(entries if base is None else entries ^ base, FILES[has_pass]), "bytes")
        base = entries if base is None else base


if __name__ == "__main__":
    main()
