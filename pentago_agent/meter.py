"""Counts the nodes of one turn, whoever searches them, and asks the clock when it is due."""

from .shared.clock import Clock


class Meter:
    """A turn's nodes: positions whose 288 moves were judged, or remembered."""

    def __init__(self, clock: Clock):
        self.clock = clock
        self.nodes = 0
        self._ask_at = 0

    def count(self, nodes: int) -> None:
        """So many more nodes are about to be searched; Stop comes through when the turn is over."""
        if self.nodes >= self._ask_at:
            self._ask_at = self.clock.poll(self.nodes)
        self.nodes += nodes
