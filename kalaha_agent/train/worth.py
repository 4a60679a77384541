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
from functools import partial
from typing import Any, Dict, List, Optional

import numpy

from referee.commands.options import positive, seconds
from referee.match.pairs import Make, Score, pairs
from referee.match.statistics import words

from .. import notation
from ..evaluate import HALVES, by_halves, by_ponds
from ..player import ASPIRATION
from ..position import MOVER, STANDARD, START, UNIT
from ..shared.clock import Clock
from ..shared.deepening import Search
from ..tree import Tree
from ..yardstick import Yardstick
from .matches import GAME, opening
from .plain import Forgetful, Plain, Roomy

NO_PROMISES = by_halves(numpy.zeros_like(HALVES))


def build(deepest: int = 100, written_out: bool = False, **changes: Any) -> Search:
    """A search with the player's tree, or with its plain twin, some of whose parts may be otherwise."""
    return Search(Tree(STANDARD) if written_out else Plain(**changes), deepest, ASPIRATION)


def never(index: int, depth: int) -> int:
    """No move is looked at less deeply."""
    return 0


def six_to_one(position: tuple) -> List[int]:
    """The ponds in the order of their distance to the bank."""
    return sorted(STANDARD.moves(position), reverse=True)


VARIATIONS = {
    "whole": {},
    "bank": {"promised": NO_PROMISES},  # bank difference for the fitted evaluation
    "halves": {"promised": by_ponds(STANDARD)},  # each pond by itself
    "table": {"table": Forgetful()},
    "endgames": {"play": STANDARD.play},
    "margins": {"margins": ()},
    "starving": {"starving": STANDARD.pebbles},  # margins hold also where a side runs dry
    "reductions": {"reduce": never},
    "order": {"order": six_to_one},
    "order-by-worth": {"by_worth": False},
    "windows": {"windows": False},
    "one-function": {"written_out": True},  # the same tree, faster
}


class Varied:
    """A player with the player's search, a part of which may be otherwise; it draws no lots."""

    def __init__(
        self,
        colour: str,
        part: str = "whole",
        nodes: Optional[int] = None,
        seconds: Optional[float] = None,
        depth: Optional[int] = None,
    ) -> None:
        if part not in VARIATIONS:
            raise ValueError("%s is none of %s" % (part, ", ".join(VARIATIONS)))
        self.position = START
        self.search = build(**VARIATIONS[part], **({"deepest": depth} if depth else {}))
        self.clock = Clock(action=seconds, nodes=nodes)

    def action(self) -> int:
        """The pond that the search comes to."""
        return notation.to_action(self.search.best(self.position, self.clock))

    def update(self, colour: str, action: Any) -> None:
        """Follow the game."""
        self.position = notation.follow(STANDARD, self.position, colour, action)


def without(options: argparse.Namespace) -> None:
    """Print the score of the whole player against each named variation."""
    limits = {"seconds": options.seconds, "depth": options.depth}
    if not any(limits.values()):
        limits["nodes"] = options.nodes
    for name in options.names:
        told(
            options, "whole against %s" % name, *(partial(_varied, part, limits) for part in ("whole", name))
        )


def _varied(part: str, limits: Dict[str, Any], colour: str, seed: int) -> Varied:
    return Varied(colour, part, **limits)


def turns(options: argparse.Namespace) -> None:
    """Print the score of the yardstick's search with a turn as a ply against it with a pond as a ply."""
    told(
        options, "a turn as a ply against a pond", *(partial(_yardstick, options, by) for by in (True, False))
    )


def _yardstick(options: argparse.Namespace, by_turns: bool, colour: str, seed: int) -> Yardstick:
    return Yardstick(colour, nodes=options.nodes, book=False, by_turns=by_turns)


def told(options: argparse.Namespace, what: str, *makers: Make) -> None:
    """Print the score of the first player with its 95 % interval."""
    score = Score()
    numbers = range(1, options.pairs + 1)
    for game in pairs(GAME, makers, lambda pair: opening(options.seed, pair - 1)[1], numbers):
        score.add(game)
    print("%-30s %s, %d pairs" % (what, words(score.counts), options.pairs), flush=True)


def first_positions() -> tuple:
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


def book(options: argparse.Namespace) -> None:
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


def positions(seed: int) -> List[tuple]:
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


def nodes(options: argparse.Namespace) -> None:
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


def order(options: argparse.Namespace) -> None:
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


def main() -> None:
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
