"""The player with one technique taken out: what each is worth is a match against its rival.

python -m pentago_agent.train.matches player first_guess --nodes 20000 --pairs 50
"""

import functools

from ..evaluate import first_guess
from ..geometry import Geometry
from ..kernel import Kernel
from ..player import Player
from ..shared.deepening import Search
from ..tree import Tree
from .weights import window_counts


@functools.lru_cache(maxsize=None)
def _kernel(variant: str, weights) -> Kernel:
    return Kernel(variant, weights(Geometry(variant)))


def _exchanged(tree: Tree, kernel: Kernel, wide: bool) -> Search:
    """A search whose tree has another kernel or other limits, and all else as a player's."""
    other = Tree(kernel, tree.threats, wide=wide)
    other.attack_nodes, other.veto_nodes = tree.attack_nodes, tree.veto_nodes
    return Search(other)


class FirstGuess(Player):
    """With the weights by hand that the first games were played with."""

    weights = staticmethod(first_guess)

    def __init__(self, *arguments, **named) -> None:
        super().__init__(*arguments, **named)
        kernel = _kernel(self.kernel.geometry.variant, self.weights)
        self.search = _exchanged(self.tree, kernel, self.tree.wide)


class WindowCounts(FirstGuess):
    """With the window counts of public agents."""

    weights = staticmethod(window_counts)


class NoVeto(Player):
    """Without a look for what the other may win by threats; the player's own attack stays."""

    def __init__(self, *arguments, **named) -> None:
        super().__init__(*arguments, **named)
        self.tree.veto_nodes = 0


class Narrow(Player):
    """With the limits of short actions, however long they are."""

    def __init__(self, *arguments, **named) -> None:
        super().__init__(*arguments, **named)
        self.search = _exchanged(self.tree, self.tree.kernel, wide=False)


class Even(Player):
    """To whom a draw is worth what the odds say."""

    def __init__(self, *arguments, **named) -> None:
        super().__init__(*arguments, **named)
        self.tree.kernel = self.tree.leaves.kernel = self.kernel
