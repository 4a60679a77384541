"""The player with one technique taken out: what each is worth is a match against its rival.

    python -m pentago_agent.train.matches player first_guess --nodes 20000 --pairs 50
"""

import functools

from ..geometry import Geometry
from ..kernel import Kernel
from ..player import Player
from ..search import Search
from .weights import first_guess, window_counts


@functools.lru_cache(maxsize=None)
def _kernel(variant: str, weights) -> Kernel:
    return Kernel(variant, weights(Geometry(variant)))


class FirstGuess(Player):
    """With the weights by hand that the first games were played with."""

    weights = staticmethod(first_guess)

    def __init__(self, *arguments, **named) -> None:
        super().__init__(*arguments, **named)
        self.search = Search(_kernel(self.kernel.geometry.variant, self.weights), self.threats)


class WindowCounts(FirstGuess):
    """With the window counts of public agents."""

    weights = staticmethod(window_counts)


class NoThreats(Player):
    """Without threats in the tree and without the veto; the player's own attack stays."""

    def __init__(self, *arguments, **named) -> None:
        super().__init__(*arguments, **named)
        self.search.threats_from = 99
        self.search.veto_nodes = 0


class VetoOnly(Player):
    """Without threats in the tree."""

    def __init__(self, *arguments, **named) -> None:
        super().__init__(*arguments, **named)
        self.search.threats_from = 99


class NoBook(Player):
    """Without the book."""

    def __init__(self, *arguments, **named) -> None:
        super().__init__(*arguments, **named)
        self.book = None
