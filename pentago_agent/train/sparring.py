"""A sparring partner: fixed depth 3, window counts, wins in one known at the leaves, 4 when quick.

The strongest kind of public agent, rebuilt on this agent's kernel: all distinct children of a node are
searched, the best window counts first.  Weights 1, 2, 10, 100 for one to four stones in an open
window, the other side's taken off.
"""

import functools
from typing import Optional

from ..geometry import Geometry
from ..kernel import Kernel
from ..player import Player
from ..shared.deepening import Search
from ..threats import Threats
from ..tree import Tree
from .weights import window_counts

DEPTH = 3
QUICK_NODES = 3000  # a pass that needed no more is followed by one at depth 4


@functools.lru_cache(maxsize=None)
def _kernel(variant: str) -> Kernel:
    return Kernel(variant, window_counts(Geometry(variant)))


class FullWidth(Tree):
    """The tree without its limits."""

    mine = theirs = dict.fromkeys(range(3, 8), 288)
    root = {}
    first_look = 288
    replies = (3, 14, 64, 207)
    veto_nodes = 0


class Sparring(Player):
    """The partner as a player; the clock is not used."""

    def __init__(
        self,
        colour: str,
        variant: Optional[str] = None,
        seconds: Optional[float] = None,
        first_seconds: Optional[float] = None,
        nodes: Optional[int] = None,
        depth: int = DEPTH,
    ) -> None:
        super().__init__(colour, variant, seconds, first_seconds, nodes)
        kernel = _kernel(self.kernel.geometry.variant)
        self.search = Search(FullWidth(kernel, Threats(kernel)))
        self.depth = depth

    def choose(self) -> int:
        self.search.deepest = self.depth
        self.search.best(self.position)
        if self.search.nodes < QUICK_NODES and abs(self.search.score) < 100000:
            self.search.deepest = self.depth + 1
            self.search.best(self.position)
        return self.search.move
