"""How fast alpha-beta can be in this Python: Kalaha in one hand-inlined function, to measure against.

    python -m tests.support.kalaha_probe    nodes a CPU second: of it, and of alphabeta.py on the same board

Nobody would want to keep a search written like `Probe.value`.  It shows what a general one, with its
functions `moves`, `play` and `evaluate`, may cost.  Both look at the same trees: a turn is a ply, the
table knows positions without their banks, extra turns come first, then ponds 6 to 1.
"""

import sys
import time
from operator import itemgetter

from shared.alphabeta import AlphaBeta
from shared.deepening import Search

# A position is (player to move, his bank less the other's, ponds).  Twelve fields of seven bits hold the
# ponds: the mover's 1 to 6 are fields 0 to 5, the other's are fields 6 to 11.
#
#     11 10  9  8  7  6
#      0  1  2  3  4  5
WIDTH, PEBBLES = 7, 72
FIELD = (1 << WIDTH) - 1
HALF = 6 * WIDTH
MINE = (1 << HALF) - 1
SHIFTS = tuple(WIDTH * field for field in range(12))
BANK = -1

EXACT, LOWER, UPPER = 0, 1, 2
INFINITY = 1_000


def packed(lead, *pebbles):
    """A position with player 0 to move, from the twelve ponds."""
    return 0, lead, sum(count << shift for count, shift in zip(pebbles, SHIFTS, strict=True))


POSITIONS = (
    packed(0, *[6] * 12),
    packed(-8, 1, 2, 3, 1, 17, 1, 1, 5, 8, 6, 2, 1),
    packed(-10, 4, 3, 2, 1, 0, 13, 0, 1, 2, 3, 4, 5),
    packed(3, 2, 0, 5, 1, 0, 3, 4, 6, 1, 7, 2, 3),
)


def sowing(pond, pebbles):
    """What sowing adds to the ponds, what to the bank, and the field where it ends (or BANK)."""
    added, banked, place = -(pebbles << SHIFTS[pond]), 0, pond
    for _ in range(pebbles):
        place = (place + 1) % 13  # the ring: own ponds, own bank (6), the other's ponds
        if place == 6:
            banked += 1
        else:
            added += 1 << SHIFTS[place - (place > 6)]
    return added, banked, BANK if place == 6 else place - (place > 6)


SOW = tuple(tuple(sowing(pond, pebbles) for pebbles in range(PEBBLES + 1)) for pond in range(6))


def moves(position):
    """Extra turns of the first lap, then ponds 6 to 1; none when a side is empty."""
    ponds = position[2]
    if not ponds & MINE or not ponds >> HALF:
        return ()
    extra, others = [], []
    pond = 5
    while pond >= 0:
        pebbles = ponds >> SHIFTS[pond] & FIELD
        if pebbles:
            (extra if pebbles == 6 - pond else others).append(pond)
        pond -= 1
    return extra + others


def play(position, pond):
    """Sow, capture, pass the turn, sweep: in this order."""
    mover, lead, ponds = position
    added, banked, last = SOW[pond][ponds >> SHIFTS[pond] & FIELD]
    ponds += added
    lead += banked
    if 0 <= last < 6 and ponds >> SHIFTS[last] & FIELD == 1:
        opposite = SHIFTS[11 - last]
        caught = ponds >> opposite & FIELD
        if caught:
            ponds -= (1 << SHIFTS[last]) + (caught << opposite)
            lead += caught + 1
    if not ponds & MINE or not ponds >> HALF:
        return 1 - mover, total(ponds >> HALF) - total(ponds & MINE) - lead, 0
    if last == BANK:
        return mover, lead, ponds
    return 1 - mover, -lead, ponds >> HALF | (ponds & MINE) << HALF


def total(ponds):
    """The pebbles of one side: the sum of its fields."""
    pebbles = 0
    while ponds:
        pebbles += ponds & FIELD
        ponds >>= WIDTH
    return pebbles


evaluate = itemgetter(1)  # bank difference: exact when the game is over


class Probe:
    """Alpha-beta with a table, everything written out in one function.  `nodes` counts leaves too."""

    def __init__(self):
        self.nodes = 0
        self.table = {}

    def value(self, ponds, lead, depth, alpha, beta, table, SOW=SOW, SHIFTS=SHIFTS, MINE=MINE, HALF=HALF):
        """The value for the mover, `depth` turns deep.  The table is bounded by the measuring time."""
        alpha -= lead
        beta -= lead
        entry = table.get(ponds)
        first = None
        if entry is not None:
            held, bound, score, first = entry
            if held >= depth and (
                bound == 0 or (bound == 1 and score >= beta) or (bound == 2 and score <= alpha)
            ):
                return score + lead
        order, others = [], []
        for pond in (5, 4, 3, 2, 1, 0):
            pebbles = ponds >> SHIFTS[pond] & 127
            if pebbles:
                if pond == first:
                    order.insert(0, (pond, pebbles))
                elif pebbles == 6 - pond:
                    order.append((pond, pebbles))
                else:
                    others.append((pond, pebbles))
        order += others
        best, floor, choice = -1000, alpha, None
        nodes = 0
        for pond, pebbles in order:
            added, gain, last = SOW[pond][pebbles]
            after = ponds + added
            if 0 <= last < 6 and after >> SHIFTS[last] & 127 == 1:
                opposite = SHIFTS[11 - last]
                caught = after >> opposite & 127
                if caught:
                    after -= (1 << SHIFTS[last]) + (caught << opposite)
                    gain += caught + 1
            nodes += 1
            mine, theirs = after & MINE, after >> HALF
            if not mine or not theirs:
                score = gain
                while mine:
                    score += mine & 127
                    mine >>= 7
                while theirs:
                    score -= theirs & 127
                    theirs >>= 7
            elif last == -1:
                nodes -= 1
                score = gain + self.value(after, 0, depth, alpha - gain, beta - gain, table)
            elif depth == 1:
                score = gain
            else:
                nodes -= 1
                score = gain - self.value(
                    theirs | mine << HALF, 0, depth - 1, gain - beta, gain - alpha, table
                )
            if score > best:
                best, choice = score, pond
                if score > alpha:
                    alpha = score
                    if score >= beta:
                        break
        self.nodes += nodes + 1
        bound = 1 if best >= beta else 0 if best > floor else 2
        table[ponds] = depth, bound, best, choice
        return best + lead

    def best(self, position, depth):
        """The value of a position, by deepening one turn at a time."""
        for turns in range(1, depth + 1):
            value = self.value(position[2], position[1], turns, -INFINITY, INFINITY, self.table)
        return value


def seconds_of(function, *arguments):
    """CPU seconds that a call takes."""
    begun = time.process_time()
    function(*arguments)
    return time.process_time() - begun


def measured(depth, cost_of=seconds_of):
    """(nodes, what they cost, values) of the probe, and of the search: both over all POSITIONS to `depth`."""
    probe, search = [0, 0.0, []], [0, 0.0, []]
    for position in POSITIONS:  # by turns, so that a busy machine is equally busy for both
        inlined = Probe()
        general = Search(AlphaBeta(moves, play, evaluate, entries=10**7), depth, aspiration=3)
        probe[1] += cost_of(lambda: probe[2].append(inlined.best(position, depth)))  # noqa: B023
        probe[0] += inlined.nodes
        search[1] += cost_of(general.best, position)
        search[0] += general.nodes
        search[2].append(general.score)
    return probe, search


def main():
    """Print one line for each of the two, and their ratio."""
    depth = int(sys.argv[1]) if len(sys.argv) > 1 else 9
    (probe_nodes, probe_seconds, _), (nodes, seconds, _) = measured(depth)
    print(f"inlined: {probe_nodes} nodes, {probe_nodes / probe_seconds:.0f} a CPU second")
    print(f"search:  {nodes} nodes, {nodes / seconds:.0f} a CPU second")
    print(f"ratio of nodes a second: {nodes / seconds * probe_seconds / probe_nodes:.3f}")


if __name__ == "__main__":
    main()
