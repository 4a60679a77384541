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


def _exchanged(search: Search, kernel: Kernel, wide: bool) -> Search:
    """A player's search with another kernel or other limits, and all else as it was."""
    other = Search(kernel, search.threats, wide=wide)
    other.veto_nodes = search.veto_nodes
    return other


class FirstGuess(Player):
    """With the weights by hand that the first games were played with."""

    weights = staticmethod(first_guess)

    def __init__(self, *arguments, **named) -> None:
        super().__init__(*arguments, **named)
        kernel = _kernel(self.kernel.geometry.variant, self.weights)
        self.search = _exchanged(self.search, kernel, self.search.wide)


class WindowCounts(FirstGuess):
    """With the window counts of public agents."""

    weights = staticmethod(window_counts)


class NoVeto(Player):
    """Without a look for what the other may win by threats; the player's own attack stays."""

    def __init__(self, *arguments, **named) -> None:
        super().__init__(*arguments, **named)
        self.search.veto_nodes = 0


class Narrow(Player):
    """With the limits of short actions, however long they are."""

    def __init__(self, *arguments, **named) -> None:
        super().__init__(*arguments, **named)
        self.search = _exchanged(self.search, self.search.kernel, wide=False)


class Even(Player):
    """To whom a draw is worth what the odds say."""

    def __init__(self, *arguments, **named) -> None:
        super().__init__(*arguments, **named)
        self.search.kernel = self.search.leaves.kernel = self.kernel
