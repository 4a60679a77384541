"""Counts the nodes of one turn, whoever searches them, and asks the clock when it is due."""

from typing import Any, Callable

FAR = 1 << 62  # a number of nodes that no search reaches


class Meter:
    """A turn's nodes, in the account of its search: positions whose 288 moves were judged, or remembered.

    Without a limit `poll` may be left out, and so may the account.
    """

    def __init__(self, account: Any = None, poll: Callable[[int], int] = lambda nodes: FAR):
        self.account = self if account is None else account
        self.account.nodes = 0
        self._poll = poll
        self._ask_at = 0

    def count(self, nodes: int) -> None:
        """So many more nodes are about to be searched; Stop comes through when the turn is over."""
        if self.account.nodes >= self._ask_at:
            self._ask_at = self._poll(self.account.nodes)
        self.account.nodes += nodes
