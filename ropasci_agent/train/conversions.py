"""Leads played out: how much of the points, and how many turns from the lead to the end.

    python -m ropasci_agent.train.conversions player,nodes=20 turtle --number 5
    python -m ropasci_agent.train.conversions player,nodes=20 player,nodes=20 --ahead 3

The first player has the lead, in positions of `leads.py`; each is played twice, in both colours.
"""

import argparse
from collections import Counter
from statistics import median

from referee.commands import train_matches
from referee.commands.options import positive
from referee.match.pairs import Score, pairs
from referee.match.statistics import words

from .. import notation
from . import leads
from .habits import recorded
from .matches import GAME, NAMES, states


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("players", nargs=2)
    parser.add_argument("--number", type=positive, default=5, help="of positions of each kind")
    parser.add_argument("--ahead", type=int, choices=leads.LEADS, help="only leads of so many")
    parser.add_argument(
        "--recorded", type=recorded, help="a file of recorded games (.jsonl.gz), for half of them"
    )
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    makers = [
        train_matches.maker(parser, text, NAMES, __package__, notation.COLOURS[0]) for text in options.players
    ]
    every, turns, draws, cpu = Score(), {}, Counter(), []
    for here, positions in leads.collect(options.number, options.recorded, options.seed).items():
        if options.ahead not in (None, here[0]):
            continue
        score = Score()
        played = pairs(
            GAME,
            makers,
            lambda pair, at=positions: states(at[pair - 1]),
            range(1, len(positions) + 1),
            options.seed,
        )
        for game in played:
            score.add(game)
            every.add(game)
            turns.setdefault(here[0], []).append(len(game.plies))
            cpu.append(game.cpu[0])
            if game.points != 1:
                draws[game.reason if game.points else "lost"] += 1
        print("{} ahead, throws left: {}: {} games, {}".format(*here, len(score.games), words(score.counts)))
    print("{} against {}: {} games, {}".format(*options.players, len(every.games), words(every.counts)))
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
