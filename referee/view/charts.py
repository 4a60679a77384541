"""The parts of pages: charts that grow with the page while their words do not, tables, colours.

The lines of a chart are SVG, its words HTML around it.
"""

from collections.abc import Iterable, Sequence
from typing import Any


def svg(drawn: str) -> str:
    """A picture of 100 by 100 that fills the room it is given."""
    shape = 'viewBox="0 0 100 100" preserveAspectRatio="none"'
    return f'<svg class="chart" {shape} aria-hidden="true">{drawn}</svg>'


def line(points: Sequence[tuple[float, float]], kind: str) -> str:
    """A line through the points; one point alone is drawn as a short line."""
    if len(points) == 1:
        ((x, y),) = points
        points = [(x - 1, y), (x + 1, y)]
    path = " ".join(f"{x:.2f},{y:.2f}" for x, y in points)
    return f'<polyline class="{kind}" points="{path}"/>'


def dot(x: float, y: float, kind: str) -> str:
    """A dot: a line without length, since a circle would be stretched with the picture."""
    return f'<path class="dot {kind}" d="M{x:.2f},{y:.2f}h0"/>'


def table(
    heads: Iterable[Any], rows: Iterable[Iterable[Any]], stacks: str = "", words: Sequence[str] = ()
) -> str:
    """An HTML table whose cells are HTML already; it scrolls by itself where the page is narrow.

    Figures stand to the right; the first column, and those whose heads are in `words`, to the left.

    With `stacks="few"` each cell has a line there instead, behind the name of its column; with "many" cells
    stand one after another, as many as there is room for, whatever the width.
    """
    heads = list(heads)
    left = {one: ' class="words"' if one in words else "" for one in heads}
    head = "".join(f"<th{left[one]}>{one}</th>" for one in heads)
    body = ""
    for row in rows:
        cells = (
            f'<td{left[one]} data-head="{one}">{cell}</td>' for one, cell in zip(heads, row, strict=True)
        )
        body += f"<tr>{''.join(cells)}</tr>"
    kind = {"": "wide", "few": "wide stacks", "many": "wide flows"}[stacks]
    return f'<div class="{kind}"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


HUES = 6  # of lines; more players share them, in dashes

STYLE = """
:root { color-scheme: light dark; --ground: #fff; --ink: #1c1c1c; --soft: #5f6368; --rule: #d4d4d4;
  --p0: #0067a5; --p1: #c8500a; --p2: #00805a; --p3: #a8478a; --p4: #8a6d00; --p5: #5a5ac8; }
@media (prefers-color-scheme: dark) { :root { --ground: #16181b; --ink: #e8e8e8; --soft: #a0a4a8;
  --rule: #3a3e44; --p0: #5ab4ee; --p1: #f58a4a; --p2: #3cc89a; --p3: #e28fc6; --p4: #d8b840;
  --p5: #a0a0ff; } }
body { margin: 0; background: var(--ground); color: var(--ink);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", sans-serif; }
main { max-width: 60rem; margin: 0 auto; padding: 1rem; }
h1 { font-size: 1.5rem; line-height: 1.25; overflow-wrap: anywhere; }
h2 { font-size: 1.125rem; margin: 2rem 0 .5rem; }
a { color: var(--p0); }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .75rem .25rem 0; text-align: right; white-space: nowrap;
  border-bottom: 1px solid var(--rule); }
th { color: var(--soft); font-weight: 600; }
th:first-child, td:first-child { text-align: left; white-space: normal;
  overflow-wrap: anywhere; min-width: 8rem; }
.words { text-align: left; }
td small { display: block; color: var(--soft); font-size: .8125rem; }
.stacks th { white-space: normal; vertical-align: bottom; }
@media (max-width: 60rem) {
  .stacks table, .stacks tbody, .stacks tr, .stacks td { display: block; } .stacks thead { display: none; }
  .stacks tr { border-bottom: 1px solid var(--rule); padding: .5rem 0; }
  .stacks td { display: grid; grid-template-columns: 9rem minmax(0, 1fr); column-gap: .75rem;
    overflow-wrap: anywhere; border: 0; padding: .1rem 0; text-align: left;
    white-space: normal; }
  .stacks td:first-child { display: block; font-weight: 600; }
  .stacks td::before { content: attr(data-head); color: var(--soft); }
  .stacks td:first-child::before { content: none; } .stacks td small { grid-column: 2; }
}
.flows table, .flows tbody, .flows tr { display: block; } .flows thead { display: none; }
.flows tr { border-bottom: 1px solid var(--rule); padding: .5rem 0; }
.flows td { display: inline-block; border: 0; padding: .1rem 1rem .1rem 0; min-width: 5.5rem;
  text-align: left; }
.flows td:first-child { display: block; font-weight: 600; }
.flows td::before { content: attr(data-head) ": "; color: var(--soft); }
.flows td:first-child::before { content: none; }
.chart { display: block; width: 100%; height: 100%; overflow: visible; }
.chart * { fill: none; stroke: var(--soft); vector-effect: non-scaling-stroke; stroke-width: 1; }
.plot { height: 12rem; }
figure { margin: 0; } figcaption, .ends { color: var(--soft); font-size: .875rem; }
.ends { display: flex; justify-content: space-between; margin: 0; }
.legend { list-style: none; padding: 0; margin: .5rem 0; }
.legend i { display: inline-block; width: 1rem; height: .25rem; margin-right: .5rem; vertical-align: middle; }
.chart .axis { stroke: var(--rule); } .chart .bold { stroke-width: 3; } .chart .faint { stroke-opacity: .45; }
.dashed { stroke-dasharray: 6 4; } .chart .dot { stroke-width: 11; stroke-linecap: round; }
""" + "".join(
    f".chart .p{hue} {{ stroke: var(--p{hue}); }} i.p{hue} {{ background: var(--p{hue}); }}\n"
    for hue in range(HUES)
)
