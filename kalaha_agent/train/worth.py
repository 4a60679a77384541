"""What each part of the player is worth: paired games without it, and nodes with and without it.

    python -m kalaha_agent.train.worth without bank --pairs 40 --nodes 20000     (or --seconds, or --depth)
    python -m kalaha_agent.train.worth nodes --depth 8
    python -m kalaha_agent.train.worth order --depth 7

`without` plays the player's search against the same one with something taken away or put in, from
openings of random moves, each from both seats, with so many nodes, CPU seconds or turns of depth a
move.  `nodes` counts what each variation needs to search positions of such games to one depth.
`order` searches once more with the best moves known beforehand: how far the order is from the best.
"""

import argparse
import random

from ..endings import ending
from ..evaluate import evaluator, promises
from ..last import last_turn
from ..player import ASPIRATION, ENTRIES, later
from ..position import KEY, LEAD, LEAD_OF, STANDARD, START
from ..shared.clock import Clock
from ..shared.search import Search

PROMISED = promises(STANDARD)


def build(**changes):
    """The player's search, with some of its options otherwise."""
    options = dict(
        moves=STANDARD.moves, play=ending(STANDARD), evaluate=evaluator(PROMISED), key=KEY, base=LEAD_OF,
        aspiration=ASPIRATION, entries=ENTRIES, reduce=later, last=last_turn(STANDARD, PROMISED, tables=True),
    )  # fmt: skip
    options.update(changes)
    return Search(**options)


def six_to_one(position):
    """The ponds in the order of their distance to the bank."""
    return sorted(STANDARD.moves(position), reverse=True)


VARIATIONS = {
    "whole": {},
    "bank": {"evaluate": LEAD_OF, "last": None},  # bank difference for the fitted evaluation
    "table": {"entries": 0},
    "bankless-key": {"key": None, "base": None},
    "endings": {"play": STANDARD.play, "last": last_turn(STANDARD, PROMISED, tables=False)},
    "reductions": {"reduce": None},
    "order": {"moves": six_to_one, "last": None},
    "windows": {"windows": False},
    "last": {"last": None},  # the same tree, more slowly
    "with-killers": {"killers": True},
    "with-history": {"history": True},
}


def opening(seed, number):
    """A position after a few random moves, the same for the same numbers."""
    choose = random.Random("%d %d" % (seed, number))
    position = START
    for _ in range(choose.randint(3, 8)):
        position = STANDARD.play(position, choose.choice(STANDARD.moves(position)))
    return position


def game(searches, position, limits):
    """Pebbles by which player 0 wins."""
    while STANDARD.moves(position):
        mover = position[0]
        search = searches[mover]
        position = STANDARD.play(position, search.best(position, Clock(**limits) if limits else None))
    return position[LEAD] if position[0] == 0 else -position[LEAD]


def pair(name, start, limits, depth):
    """Points of the whole player in two games from one opening, a seat each."""
    points = 0.0
    for seat in (0, 1):
        bounded = {"deepest": depth} if depth else {}
        searches = [build(**VARIATIONS[name], **bounded), build(**bounded)]
        if seat == 0:
            searches.reverse()
        lead = game(searches, start, limits)
        lead = lead if seat == 0 else -lead
        points += 0.5 if lead == 0 else float(lead > 0)
    return points


def without(options):
    """Print the score of the whole player against each named variation."""
    limits = {}
    if options.seconds:
        limits = {"action": options.seconds}
    elif not options.depth:
        limits = {"nodes": options.nodes}
    for name in options.names:
        points = [pair(name, opening(options.seed, number), limits, options.depth) / 2
                  for number in range(options.pairs)]  # fmt: skip
        mean = sum(points) / len(points)
        error = 1.96 * (sum((one - mean) ** 2 for one in points) / len(points) ** 2) ** 0.5
        starts = len({opening(options.seed, number) for number in range(options.pairs)})
        print("whole against %-13s %.1f %% +- %.1f  (%d games from %d openings)"
              % (name, 100 * mean, 100 * error, 2 * len(points), starts), flush=True)  # fmt: skip


def positions(seed):
    """A dozen positions from the beginning, the middle and the end of random games."""
    found = []
    for number in range(12):
        choose, position = random.Random("%d %d" % (seed, number)), START
        for _ in range(3 * number):
            after = STANDARD.play(position, choose.choice(STANDARD.moves(position)))
            if len(STANDARD.moves(after)) < 2:
                break
            position = after
        found.append(position)
    return found


def nodes(options):
    """Print how many nodes each variation needs to the same depth, and its first-move cut-offs."""
    plain = None
    for name in options.names or list(VARIATIONS):
        total, cuts, first = 0, 0, 0.0
        for position in positions(options.seed):
            changes = dict(VARIATIONS[name])
            if name != "reductions":
                changes["reduce"] = None  # a reduced tree is another tree
            search = build(deepest=options.depth or 8, **changes)
            search.best(position)
            total += search.nodes
            cuts += search.cut_offs
            first += search.first_move_cuts * search.cut_offs
        plain = plain or total
        print("%-13s %9d nodes, %.2f of the whole's; %.1f %% of cut-offs by the first move"
              % (name, total, total / plain, 100 * first / cuts), flush=True)  # fmt: skip


def order(options):
    """Print the nodes of a first search, and of one that knows the best moves before it begins."""
    first = second = 0
    for position in positions(options.seed):
        search = build(deepest=options.depth or 7, entries=8_000_000, table_from=1, reduce=None, last=None)
        search.best(position)
        first += search.nodes
        search.best(position, seen=[None])  # another past: of the table only the moves are used
        second += search.nodes
    print("%d nodes; %d with the best moves known: %.2f times as many" % (first, second, first / second))


def main():
    """Play, or count."""
    parser = argparse.ArgumentParser(
        prog="python -m kalaha_agent.train.worth", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    parser.add_argument("what", choices=("without", "nodes", "order"))
    parts = ", ".join(VARIATIONS)
    parser.add_argument("names", nargs="*", choices=[*VARIATIONS, []], metavar="PART", help=parts)
    parser.add_argument("--pairs", type=int, default=40)
    parser.add_argument("--nodes", type=int, default=20_000, help="a move")
    parser.add_argument("--seconds", type=float, help="of CPU a move")
    parser.add_argument("--depth", type=int, help="turns")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    {"without": without, "nodes": nodes, "order": order}[options.what](options)


if __name__ == "__main__":
    main()
