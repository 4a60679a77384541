"""What each part of the player is worth: paired games without it, and nodes with and without it.

    python -m kalaha_agent.train.worth without bank --pairs 40 --nodes 20000     (or --seconds, or --depth)
    python -m kalaha_agent.train.worth nodes --depth 8
    python -m kalaha_agent.train.worth order --depth 7
    python -m kalaha_agent.train.worth turns --pairs 40 --nodes 20000
    python -m kalaha_agent.train.worth book --seconds 1

`without` plays the player's search against the same one with something taken away or put in, from
openings of random moves, each from both seats, with so many nodes, CPU seconds or turns of depth a
move.  `nodes` counts what each variation needs to search positions of such games to one depth.
`order` searches once more with the best moves known beforehand: how far the order is from the best.
`turns` plays the yardstick with a turn as a ply against the same with a pond as a ply.  `book` compares
the first moves of a game, of both seats, with those of searches ten times as long.
"""

import argparse
import random

import numpy

from referee.commands.options import positive, seconds
from referee.tournament.statistics import counted, words

from ..evaluate import PAIRS, by_ponds, by_twos
from ..player import ASPIRATION
from ..position import LEAD, MOVER, STANDARD, START, UNIT
from ..shared.clock import Clock
from ..shared.deepening import Search
from ..tree import Tree
from ..yardstick import Yardstick
from .plain import Forgetful, Plain, Roomy

NO_PROMISES = by_twos(numpy.zeros_like(PAIRS))


def build(deepest=100, written_out=False, **changes):
    """A search with the player's tree, or with its plain twin, some of whose parts may be otherwise."""
    return Search(Tree(STANDARD) if written_out else Plain(**changes), deepest, ASPIRATION)


def never(index, depth):
    """No move is looked at less deeply."""
    return 0


def six_to_one(position):
    """The ponds in the order of their distance to the bank."""
    return sorted(STANDARD.moves(position), reverse=True)


VARIATIONS = {
    "whole": {},
    "bank": {"promised": NO_PROMISES},  # bank difference for the fitted evaluation
    "pairs": {"promised": by_ponds(STANDARD)},  # each pond by itself
    "table": {"table": Forgetful()},
    "endings": {"play": STANDARD.play},
    "margins": {"margins": ()},
    "starving": {"starving": STANDARD.pebbles},  # margins hold also where a side runs dry
    "reductions": {"reduce": never},
    "order": {"order": six_to_one},
    "order-by-worth": {"by_worth": False},
    "windows": {"windows": False},
    "one-function": {"written_out": True},  # the same tree, faster
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
        points = [
            pair(name, opening(options.seed, number), limits, options.depth) / 2
            for number in range(options.pairs)
        ]
        told("whole against %s" % name, points)


def told(what, points):
    """Print a score with its 95 % interval, from the share of the points in each pair."""
    print("%-30s %s, %d pairs" % (what, words(counted(points)), len(points)), flush=True)


def turns(options):
    """Print the score of the yardstick's search with a turn as a ply against it with a pond as a ply."""
    points = []
    for number in range(options.pairs):
        points.append(0.0)
        for seat in (0, 1):
            players = [
                Yardstick("AB"[one], nodes=options.nodes, book=False, by_turns=one == seat) for one in (0, 1)
            ]
            position = opening(options.seed, number)
            while STANDARD.moves(position):
                player = players[position[MOVER]]
                player.position = position
                position = STANDARD.play(position, player.choose())
            lead = position[LEAD] if position[MOVER] == seat else -position[LEAD]
            points[-1] += 0.25 if lead == 0 else 0.5 * (lead > 0)
    told("a turn as a ply against a pond", points)


def first_positions():
    """Where a player has his first choices: the start, what theory opens with, each first turn's end."""
    ours = [START, STANDARD.play(START, 0)]
    opened = STANDARD.play(ours[-1], 2)
    theirs, waiting = [], [START]
    while waiting:  # what the first player may leave the other
        position = waiting.pop()
        for move in STANDARD.moves(position):
            after = STANDARD.play(position, move)
            (theirs if after[MOVER] else waiting).append(after)
    waiting = [opened]
    while waiting:  # what the other may answer to ponds 1 and 3
        position = waiting.pop()
        for move in STANDARD.moves(position):
            after = STANDARD.play(position, move)
            (waiting if after[MOVER] else ours).append(after)
    return ours, theirs


def book(options):
    """Print how often a search ten times as long prefers another move, and by how much."""
    short = options.seconds or 1.0
    for seat, places in zip("AB", first_positions()):
        others, better = 0, 0.0
        for position in places:
            quick, slow = build(written_out=True), build(written_out=True)
            quick.best(position, Clock(action=short))
            slow.best(position, Clock(action=10 * short))
            if quick.move != slow.move:
                others += 1
                # What the quick move is worth, by a search as long as the slow one.
                after = STANDARD.play(position, quick.move)
                sign = 1 if after[MOVER] == position[MOVER] else -1
                slow_score = slow.score
                slow.best(after, Clock(action=10 * short))
                better += max(0, slow_score - sign * slow.score) / UNIT
        print(
            "%s: %d positions, another move in %d, which is better by %.2f pebbles a position"
            % (seat, len(places), others, better / len(places)),
            flush=True,
        )


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
        total, cuts, first = 0, 0, 0
        for position in positions(options.seed):
            changes = dict(VARIATIONS[name])
            if name != "reductions":
                changes["reduce"] = never  # a reduced tree is another tree
            search = build(deepest=options.depth or 8, **changes)
            search.best(position)
            total += search.nodes
            cuts += search.cut_offs
            first += search.first_cuts
        plain = plain or total
        print(
            "%-13s %9d nodes, %.2f of the whole's; %.1f %% of cut-offs by the first move"
            % (name, total, total / plain, 100 * first / max(1, cuts)),
            flush=True,
        )


def order(options):
    """Print the nodes of a first search, and of one that knows the best moves before it begins."""
    first = second = 0
    for position in positions(options.seed):
        table = Roomy()
        search = build(deepest=options.depth or 7, reduce=never, margins=(), table=table)
        search.best(position)
        first += search.nodes
        table.forget_scores()
        search.best(position)
        second += search.nodes
    print("%d nodes; %d with the best moves known: %.2f times as many" % (first, second, first / second))


def main():
    """Play, or count."""
    parser = argparse.ArgumentParser(
        prog="python -m kalaha_agent.train.worth",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("what", choices=("without", "nodes", "order", "turns", "book"))
    parts = ", ".join(VARIATIONS)
    parser.add_argument("names", nargs="*", choices=[*VARIATIONS, []], metavar="PART", help=parts)
    parser.add_argument("--pairs", type=positive, default=40)
    parser.add_argument("--nodes", type=positive, default=20_000, help="a move")
    parser.add_argument("--seconds", type=seconds, help="of CPU a move")
    parser.add_argument("--depth", type=positive, help="turns")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    if options.names and options.what not in ("without", "nodes"):
        parser.error("%s takes no PART" % options.what)
    if options.what == "without" and not options.names:
        parser.error("without what? Name a PART: " + parts)
    {"without": without, "nodes": nodes, "order": order, "turns": turns, "book": book}[options.what](options)


if __name__ == "__main__":
    main()
