"""The tree without its limits, to measure and to test against: every move is looked at, none less deeply."""

from ..tree import INFINITY, Tree


class FullWidth(Tree):
    """Plain minimax over the plies that it is told, as far as its value goes."""

    mine = theirs = dict.fromkeys(range(3, 8), 288)
    root = {}
    first_look = late = 288
    slack = INFINITY
    replies = (3, 14, 64, 207)
    veto_nodes = 0
