"""Counts the nodes that versions of this agent need to the same depth: what is a search option worth?

    python -m fanorona_agent.train.depths . .,tree.NULL_FROM=99 --depth 6

Versions are written as in matches.py.  The positions come from games of random hops; figures are sums
over all of them, and the mean of the nodes' ratios to the first version.
"""

import argparse
import random
import time
from math import exp, log
from typing import Any, List

from referee import rules
from referee.commands import train_matches
from referee.commands.options import positive

from .matches import VARIANTS


def positions(count: int, variant: str, seed: int) -> List[str]:
    """Positions at the beginning of a turn with seven men or more and a choice, as text."""
    found, number = [], 0
    while len(found) < count:
        chance = random.Random("%d %d" % (seed, number))
        number += 1
        state = rules.start("fanorona:" + variant)
        for _ in range(chance.randint(2, 60)):
            if state.legal:
                state = state.after({state.mover: chance.choice(state.legal)})
        men = 45 - state.board.count(".")
        ahead = abs(state.board.count("o") - state.board.count("x"))
        if len(state.legal) > 1 and not state.chain and men > 6 and ahead < 4:
            found.append(state.text())
    return found


def search(player: Any, line: str, depth: int) -> Any:
    """The player's search after it has looked so deep from a position."""
    player.set_up(line)
    player.tree.knows(player.position)
    player.search.deepest, player.search.lots = depth, None
    player.tree.seen = player.seen
    player.search.best(player.position)
    return player.search


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("versions", nargs="+")
    parser.add_argument("--depth", type=positive, default=6)
    parser.add_argument("--positions", type=positive, default=30)
    parser.add_argument("--variant", choices=VARIANTS, default="1130")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    versions = [
        train_matches.maker(parser, text, {}, __package__, "light", variant=options.variant)
        for text in options.versions
    ]
    for each in versions:
        if not hasattr(each("light", 0), "tree"):
            parser.error("%s is not this agent's search" % each.text)
    lines = positions(options.positions, options.variant, options.seed)
    first = None
    for each in versions:
        nodes, began, cuts = [], time.process_time(), 0.0
        for line in lines:
            player = each("light", 0)
            done = search(player, line, options.depth)
            nodes.append(done.nodes)
            cuts += done.first_move_cuts
        seconds = time.process_time() - began
        first = first or nodes
        ratio = exp(sum(log(n / m) for n, m in zip(nodes, first)) / len(nodes))
        print(
            "%-50s %9d nodes %7.1f s %5.3f first cuts, ratio of nodes %.3f"
            % (each.text, sum(nodes), seconds, cuts / len(lines), ratio),
            flush=True,
        )


if __name__ == "__main__":
    main()
