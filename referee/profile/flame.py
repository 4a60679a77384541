"""A flame graph of a profile: the tree of calls as nested boxes, each as wide as its part of the CPU time.

It is SVG in percents, so that it fits any window without a script; the script (flame.js) makes a click on
a box widen it.
"""

from html import escape
from importlib.resources import files

from referee.profile.tree import Node

HEIGHT = 20  # pixels of a box
LEAST = 0.002  # part of the whole below which a box is left out
SCRIPT = files(__package__).joinpath("flame.js").read_text(encoding="utf-8")
STYLE = """
.flame { width: 100%; display: block; font: 12px ui-monospace, monospace; }
.flame rect { stroke: var(--paper); fill: var(--own); }
.flame .library rect { fill: var(--library); }
.flame text { fill: var(--ink); pointer-events: none; }
.flame .box { cursor: pointer; } .flame .box:hover rect, .flame .box:focus rect { stroke: var(--ink); }
.flame .box:focus { outline: none; }
"""


def svg(root: Node) -> str:
    """The graph; of no samples a sentence."""
    if not root.total:
        return "<p>The turn was too short to be sampled.</p>"
    boxes, depth = [], 0
    waiting = [(root, 0.0, 0)]
    while waiting:
        node, left, level = waiting.pop()
        depth = max(depth, level)
        boxes.append(_box(node, left / root.total, node.total / root.total, level))
        for child in node.sorted_children():
            if child.total >= LEAST * root.total:
                waiting.append((child, left, level + 1))
                left += child.total
    label = "Flame graph: who called whom, as wide as its part of the CPU time"
    height = (depth + 1) * HEIGHT
    return f'<svg class="flame" height="{height}" role="group" aria-label="{label}">{"".join(boxes)}</svg>'


def _box(node: Node, left: float, width: float, level: int) -> str:
    frame, kind = node.frame, "box library" if node.frame.library else "box"
    where = f" ({frame.file}:{frame.first})" if frame.file else ""
    title = f"{frame.function}{where}: {width:.1%} of the CPU time"
    return (
        f'<svg class="{kind}" tabindex="0" role="button" aria-label="{escape(title)}" x="{100 * left:.4f}%" '
        f'y="{level * HEIGHT}" width="{100 * width:.4f}%" height="{HEIGHT}">'
        f'<title>{escape(title)}</title><rect width="100%" height="100%"/>'
        f'<text x="4" y="{HEIGHT - 6}">{escape(frame.function.rpartition("<locals>.")[2])}</text></svg>'
    )
