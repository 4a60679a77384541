"""The player with one of its techniques taken away, to see in games what that one is worth.

    python -m expendibots_agent.train.matches player,nodes=1000 without,nodes=1000,what=reductions --pairs 30

`what` is reductions, killers, history, windows, table, mtdf (instead of windows), contempt, book, endings
(the tables of them), or the name of one of the evaluation's weights (several with a + between them), with
_ for spaces.
"""

from .. import candidates, endings, notation
from .. import evaluate as evaluation
from ..evaluate import WEIGHTS, evaluator
from ..player import Player as Whole

CHANGES = {
    "reductions": {"reduce": None},
    "killers": {"killers": False},
    "history": {"history": None},
    "windows": {"windows": False},
    "table": {"table_from": 1000},
    "mtdf": {"driver": "mtdf"},
}


class Player(Whole):
    """The agent's player without something."""

    def __init__(self, colour, what, **limits):
        Whole.__init__(self, colour, **limits)
        self.what = what
        if what in CHANGES:
            for name, value in CHANGES[what].items():
                setattr(self.search, name, value)
        elif what == "contempt":
            self.search.evaluate = evaluator()
            self.search.contempt = 0
        elif what not in ("book", "endings"):
            missing = [name.replace("_", " ") for name in what.split("+")]
            weights = {name: 0 if name in missing else weight for name, weight in WEIGHTS.items()}
            assert set(missing) <= set(WEIGHTS), "no such technique: %s" % what
            self.search.evaluate = evaluator(notation.COLOURS.index(colour), weights)

    def choose(self):
        if self.what == "book":
            known = endings.best_move(self.position)
            return self.search.best(self.position, self.clock, seen=self.played) if known is None else known
        if self.what != "endings":
            return Whole.choose(self)
        # One against one is known to be dead without a table.  The opponent has his tables back after this.
        tables = dict(endings.TABLES)
        endings.TABLES.clear()
        candidates.KNOWN = evaluation.KNOWN = 2
        try:
            return Whole.choose(self)
        finally:
            endings.TABLES.update(tables)
            candidates.KNOWN = evaluation.KNOWN = endings.KNOWN
