"""Pairs of games between two versions of this agent, or settings of one: what is a change worth?

    python -m fanorona_agent.train.matches . .,tree.STORM=0 --pairs 100 --nodes 5000

A version is a folder with this package (. is this one), then assignments made in its modules
(`tree.STORM=0`, `tree.evaluate=@yardstick.static`) or on its player (`self.tree.contempt=0`), and
arguments of its constructor; `.:yardstick` is the player in yardstick.py: referee/players/versions.py says
more.  A pair is one balanced opening played twice, colours exchanged.
"""

import argparse
import random
from typing import Any, Collection, Set

from referee import UsageError, rules
from referee.commands import train_matches
from referee.commands.options import natural, positive

from .. import player
from ..notation import with_history

VARIANTS = "1130", "1100"
# An opening counts as balanced if searches of so many nodes say no more than BALANCED of it: of 30 that
# those of 20 000 let pass, those of 200 000 called 10 balanced, and of 8 they said more than 140.
BALANCED = 60
SHORT, LONG = (2000, 20000), 200000
MEN = 36  # with fewer of the 44 it is no opening: random chains leave 20 men after two turns
TRIES = 20000  # draws for one opening, 7 seconds of CPU: at least every fifth has 36 men


def balanced_opening(
    chance: random.Random, game: str, known: Collection[str] = (), longest: int = LONG, men: int = MEN
) -> Any:
    """A state a few random hops from the start, none of those known, in which searches see nobody ahead."""
    refused = set()
    for _ in range(TRIES):
        state = rules.start(game)
        hops = chance.randint(3, 12)
        while state.legal and (hops > 0 or state.chain):
            state = state.after({state.mover: chance.choice(state.legal)})
            hops -= 1
        line = state.text()
        if len(state.legal) < 2 or line in known or line in refused or 45 - state.board.count(".") < men:
            continue
        if all(is_balanced(state, game, nodes) for nodes in sorted({*SHORT, longest})):
            return state
        refused.add(line)
    raise UsageError(
        "%d draws gave no new balanced opening with %d men: lower --men, or raise --check" % (TRIES, men)
    )


def is_balanced(state: Any, game: str, nodes: int) -> bool:
    """Whether a search sees nobody ahead."""
    judge = player.Player("light", variant=game.partition(":")[2], nodes=nodes, book=False)
    judge.search.lots = None
    judge.position, judge.seen = with_history(state.text())
    judge.think()
    return judge.search.score is not None and abs(judge.search.score) <= BALANCED


class Openings:
    """A balanced opening for each pair, by its number; none comes twice."""

    def __init__(self, game: str, seed: int, longest: int, men: int) -> None:
        self.game, self.seed, self.longest, self.men = game, seed, longest, men
        self.known: Set[str] = set()

    def of(self, pair: int) -> Any:
        """The state that the games of that pair begin with."""
        chance = random.Random("%d %d" % (self.seed, pair - 1))
        try:
            state = balanced_opening(chance, self.game, self.known, self.longest, self.men)
        except UsageError as trouble:
            raise UsageError("pair %d: %s" % (pair, trouble)) from None
        self.known.add(state.text())
        return state


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    train_matches.arguments(parser, ["."])
    parser.add_argument("--variant", choices=VARIANTS, default="1130")
    parser.add_argument("--start", action="store_true", help="begin at the start: the players' lots differ")
    parser.add_argument("--check", type=positive, default=LONG, help="nodes to check openings with")
    parser.add_argument("--men", type=natural, default=MEN, help="openings have at least so many")
    options = parser.parse_args()
    game = "fanorona:" + options.variant
    makers = train_matches.makers(parser, options, {}, __package__, "light", options.variant)
    drawn = Openings(game, options.seed, options.check, options.men)
    train_matches.play(parser, options, game, makers, (lambda pair: ()) if options.start else drawn.of)


if __name__ == "__main__":
    main()
