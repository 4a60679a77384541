"""Leads played out: how much of the points, and how many turns from the lead to the end.

    python -m ropasci_agent.train.conversions player,nodes=20 turtle --number 5
    python -m ropasci_agent.train.conversions player,nodes=20 player,nodes=20 --ahead 3

The first player has the lead, in positions of `leads.py`; each is played twice, in both colours.
"""

import argparse
from collections import Counter
from statistics import median

from referee.commands.options import positive
from referee.tournament.statistics import counted, words

from .. import notation
from . import leads
from .habits import recorded
from .matches import build, game, turned


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("players", nargs=2)
    parser.add_argument("--number", type=positive, default=5, help="of positions of each kind")
    parser.add_argument("--ahead", type=int, choices=leads.LEADS, help="only leads of so many")
    parser.add_argument(
        "--recorded", type=recorded, help="a file of recorded games (.jsonl.gz), for half of them"
    )
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    try:
        makers = [build(text) for text in options.players]
        for make in makers:
            make(notation.COLOURS[0], "tried")
    except (AttributeError, ImportError, IndexError, TypeError, ValueError) as trouble:
        parser.error("no such player: {}".format(trouble))
    pairs, turns, draws, cpu = {}, {}, Counter(), []
    for here, positions in leads.collect(options.number, options.recorded, options.seed).items():
        if options.ahead not in (None, here[0]):
            continue
        for number, position in enumerate(positions):
            both = 0.0
            for seat in (0, 1):
                order = makers[::-1] if seat else makers
                first = turned(position) if seat else position
                upper, why, history, spent = game(
                    order, first, [], "{} {} {}".format(options.seed, here, number)
                )
                points = 1 - upper if seat else upper
                both += points / 2
                turns.setdefault(here[0], []).append(history[-1][0] - first[0])
                cpu.append(spent[seat])
                if points != 1:
                    draws[why if points else "lost"] += 1
            pairs.setdefault(here, []).append(both)
    for here, shares in pairs.items():
        print(
            "{} ahead, throws left: {}: {} games, {}".format(*here, 2 * len(shares), words(counted(shares)))
        )
    every = [share for shares in pairs.values() for share in shares]
    print("{} against {}: {} games, {}".format(*options.players, 2 * len(every), words(counted(every))))
    print("not won:", ", ".join("{} {}".format(*pair) for pair in sorted(draws.items())) or "none")
    for ahead, lengths in sorted(turns.items()):
        print(
            "from a lead of {}: median {:.0f} turns, mean {:.0f}, most {}".format(
                ahead, median(lengths), sum(lengths) / len(lengths), max(lengths)
            )
        )
    print(
        "CPU seconds of {}: mean {:.1f}, most {:.1f}".format(
            options.players[0], sum(cpu) / len(cpu), max(cpu)
        )
    )


if __name__ == "__main__":
    main()
