"""The tree of calls in sampled stacks: who called whom, and what part of the CPU time went there.

Recursion is folded: a function that stands in a stack already is the same node again, so that a search of
any depth is one node, and no share is above 1.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from referee.profile.shares import Frame, Stack, function


@dataclass
class Node:
    """A function where it is called from; weights are CPU time in any unit."""

    frame: Frame
    own: float = 0.0
    total: float = 0.0
    children: dict[object, "Node"] = field(default_factory=dict)

    def sorted_children(self) -> list["Node"]:
        """Those with most time first."""
        return sorted(self.children.values(), key=lambda node: (-node.total, node.frame[:4]))


ROOT = Frame("", 0, "the turn", 0)


def tree(stacks: Iterable[Stack]) -> Node:
    """All stacks as one tree, whose root is the turn."""
    root = Node(ROOT)
    for _, weight, frames in stacks:
        path = [root]
        for frame in frames:
            path = _followed(path, frame)
        for node in path:
            node.total += weight
        path[-1].own += weight
    return root


def _followed(path: list[Node], frame: Frame) -> list[Node]:
    """The path with a call of that function at its end, or cut back to where it stands already."""
    key = function(frame)
    for at, node in enumerate(path[1:], 1):
        if function(node.frame) == key:
            return path[: at + 1]
    return [*path, path[-1].children.setdefault(key, Node(frame))]


def rows(root: Node, least: float) -> Iterator[tuple[int, Node]]:
    """Each node with at least that part of the whole, with its depth, in the order of a printed tree."""
    waiting = [(0, root)]
    while waiting:
        depth, node = waiting.pop()
        if node.total >= least * root.total and node.total > 0:
            yield depth, node
            waiting += [(depth + 1, child) for child in reversed(node.sorted_children())]
