"""The player with one of its techniques taken away, to see in games what that one is worth.

    python -m expendibots_agent.train.matches player,nodes=1000 without,nodes=1000,what=reductions --pairs 30

`what` is reductions, learning (killers and history), table, contempt, evaluation (the published one instead,
at 100 points for one of its), or the name of one of the evaluation's weights (several with a + between
them), with _ for spaces.
"""

from typing import Any, Callable

from .. import notation
from ..evaluate import WEIGHTS, evaluator
from ..player import Player as Whole
from ..position import over
from ..shared.table import Table
from ..yardstick import value

CHANGES = {
    "reductions": {"reduce": None},
    "learning": {"quiet": None},
    "table": {"table": Table(0)},
}


def published(player: int) -> Callable:
    """The published evaluation for a search of that player's; results are still known."""
    ours = evaluator()

    def evaluate(position):
        mover, mine, theirs, _, _ = position
        if over(position) or mine[4] == theirs[4] == 1:
            return ours(position)
        return int(100 * (value(mine, theirs) if mover == player else -value(theirs, mine)))

    return evaluate


def technique(what: str) -> str:
    """The same if something is called so, else a ValueError that says what is."""
    others = ("contempt", "evaluation")
    if what not in CHANGES and what not in others:
        weights = [name.replace(" ", "_") for name in WEIGHTS]
        for name in what.split("+"):
            if name not in weights:
                raise ValueError("%s is none of %s" % (name, ", ".join([*CHANGES, *others, *weights])))
    return what


class Without(Whole):
    """The agent's player without something."""

    def __init__(self, colour: str, what: str, **limits: Any) -> None:
        Whole.__init__(self, colour, **limits)
        self.what = technique(what)
        if what in CHANGES:
            for name, value in CHANGES[what].items():
                setattr(self.tree, name, value)
        elif what == "contempt":
            self.tree.evaluate = evaluator()
            self.tree.contempt = 0
        elif what == "evaluation":
            self.tree.evaluate = published(notation.COLOURS.index(colour))
        else:
            missing = [name.replace("_", " ") for name in what.split("+")]
            weights = {name: (0, 0) if name in missing else weight for name, weight in WEIGHTS.items()}
            self.tree.evaluate = evaluator(notation.COLOURS.index(colour), weights)
