"""A profile as one page of HTML that needs nothing else: light or dark, at any width."""

import re
from collections.abc import Sequence
from html import escape
from itertools import count

from referee.profile import flame, text
from referee.profile.measure import stacks_of
from referee.profile.text import Profile
from referee.profile.tree import tree
from referee.view.shell import document

STYLE = """
:root { color-scheme: light dark; --ink: #1c2024; --paper: #fbfaf7; --rule: #d9d5cb; --bar: #f3c98b;
  --own: #f5c98a; --library: #b9d3e8; --heat: 220, 90, 20; --faint: #6a6f75; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e4e2dc; --paper: #16181b; --rule: #393d42; --bar: #6b4a17;
    --own: #6b4a17; --library: #1f4763; --heat: 230, 120, 40; --faint: #9aa0a6; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem; max-width: 75rem; color: var(--ink); background: var(--paper);
  font: 16px/1.45 system-ui, sans-serif; }
h1 { font-size: 1.4rem; overflow-wrap: anywhere; } h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .6rem; border-bottom: 1px solid var(--rule); text-align: left; vertical-align: top; }
th button { font: inherit; font-weight: 600; color: inherit; background: none; border: 0; padding: 0;
  cursor: pointer; text-decoration: underline dotted; }
th[aria-sort=descending] button::after { content: " \\25be"; }
th[aria-sort=ascending] button::after { content: " \\25b4"; }
.wide th, .wide td { white-space: nowrap; }
.share { position: relative; z-index: 0; }
.share svg { position: absolute; inset: 0; z-index: -1; width: 100%; height: 100%; fill: var(--bar); }
.wide td.number, .wide th.number { text-align: right; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem; }
.option { white-space: nowrap; }
dt { font-weight: 600; } dd { margin: 0; overflow-wrap: anywhere; }
code { font: .9em ui-monospace, monospace; white-space: pre; }
.named code { display: inline-block; width: max-content; max-width: 24rem; white-space: pre-wrap;
  overflow-wrap: anywhere; }
details { margin: .5rem 0; } summary { cursor: pointer; font-weight: 600; overflow-wrap: anywhere; }
.source td { border: 0; padding: 0 .5rem; line-height: 1.35; font-size: .85rem; }
.source tr:not([class]) .number { color: var(--faint); }
tr:target { outline: 2px solid var(--ink); }
@media (max-width: 34rem) { .named code { max-width: 8.5rem; }
  dl { display: block; } dd { margin: 0 0 .5rem; } body { font-size: 15px; } }
"""
WIDE = '<div class="wide" tabindex="0">'  # scrolled by keys, too
HEATS = 10
HOTTEST = 0.55  # of the colour at most, so that words on it are read in light and dark
STYLE += "".join(
    f".heat{step} {{ background: rgba(var(--heat), {HOTTEST * step / HEATS:.3f}); }}\n"
    for step in range(1, 11)
)
BOXES = "Each box is as wide as its part of the time; what it called lies below it. A click widens it."
OPTION = re.compile(r"--[a-z]+( [0-9]+)?")
CODE = ("source", "function", "file:line")


def page(profile: Profile, other: Profile | None, top: int) -> str:
    """The whole page."""
    return document(title(profile), body(profile, other, top), STYLE + flame.STYLE, flame.SCRIPT)


def title(profile: Profile) -> str:
    """What was profiled."""
    return f"One turn of {profile['agent']}: {profile['game']}, {profile['turn']['colour']}"


def body(profile: Profile, other: Profile | None, top: int) -> str:
    """All that the page shows."""
    parts = [f"<h1>{escape(title(profile))}</h1>", _pairs(text.account(profile))]
    for name, head, rows in text.sections(profile, other, top):
        if head == text.TREE:
            parts.append("<h2>Where the CPU time went</h2>")
            parts.append(f"<p>{BOXES}</p>")
            parts.append(flame.svg(tree(stacks_of(profile))))
        parts.append(f"<h2>{escape(name)}</h2>")
        rows = _folded(rows) if head == text.LINES else rows
        parts.append(_table(head, rows, is_sortable=head != text.TREE) if any(head) else _pairs(rows))
    parts.append("<h2>The source, with the part of the time that each line took by itself</h2>")
    parts += [_source(profile, file, lines) for file, lines in _hottest_first(profile)]
    return "\n".join(parts)


def _folded(rows: text.Rows) -> text.Rows:
    """What a line calls in C stands below its source, in the same row: so they stay together when sorted."""
    folded: text.Rows = []
    for row in rows:
        if row[0]:
            folded.append(row)
        else:
            folded[-1] = (
                *folded[-1][:-1],
                f"{folded[-1][-1]}\n{row[-1]}: {row[1]} {'call' if row[1] == '1' else 'calls'}",
            )
    return folded


def _hottest_first(profile: Profile) -> list[tuple[str, list[str]]]:
    own: dict[str, float] = {}
    for line in profile["lines"]:
        own[line["file"]] = own.get(line["file"], 0.0) + line["own"]
    return sorted(profile["sources"].items(), key=lambda item: -own.get(item[0], 0.0))


def _source(profile: Profile, file: str, lines: Sequence[str]) -> str:
    """A file, open where it took a part in ten of the time."""
    known = {line["line"]: line for line in profile["lines"] if line["file"] == file}
    own = sum(line["own"] for line in known.values())
    most = max((line["own"] for line in profile["lines"]), default=0.0)
    rows = []
    for number, source in zip(count(1), lines, strict=False):
        line = known.get(number)
        share = line["own"] if line else 0.0
        heat = f' class="heat{max(1, round(HEATS * share / most))}"' if share > 0 else ""
        figures = (f"{share:.1%}" if share else "", text.counted(line["hits"])) if line else ("", "")
        cells = "".join(f'<td class="number">{cell}</td>' for cell in (*figures, number))
        rows.append(f"<tr{heat}>{cells}<td><code>{escape(source)}</code></td></tr>\n")
    is_open = " open" if own >= 0.1 else ""
    return (
        f"<details{is_open}><summary>{escape(file)}: {own:.1%}</summary>"
        f'{WIDE}<table class="source"><tbody>{"".join(rows)}</tbody></table></div></details>'
    )


def _pairs(rows: text.Rows) -> str:
    pairs = "".join(f"<dt>{escape(key)}</dt><dd>{_unbroken(value)}</dd>" for key, value in rows)
    return f"<dl>{pairs}</dl>"


def _unbroken(text: str) -> str:
    """An option stays on one line: a browser would break it after its hyphens."""
    return OPTION.sub('<span class="option">\\g<0></span>', escape(text))


def _table(head: Sequence[str], rows: text.Rows, is_sortable: bool) -> str:
    names = [f"<button>{escape(name)}</button>" if is_sortable else escape(name) for name in head]
    cells = "".join(f"<th{_kind(name)}>{shown}</th>" for name, shown in zip(head, names, strict=True))
    body = "".join(
        "<tr>" + "".join(_cell(name, cell) for name, cell in zip(head, row, strict=True)) + "</tr>\n"
        for row in rows
    )
    kind = ' class="sortable"' if is_sortable else ""
    return f"{WIDE}<table{kind}><thead><tr>{cells}</tr></thead>\n<tbody>{body}</tbody></table></div>"


def _cell(name: str, cell: str) -> str:
    if name in CODE:
        kind = "" if name == "source" else ' class="named"'  # long names are broken
        return f"<td{kind}><code>{escape(cell)}</code></td>"
    if name.endswith("share") and cell:  # a bar behind the figure
        part = min(100.0, float(cell.rstrip("%")))
        bar = f'<svg viewBox="0 0 100 1" preserveAspectRatio="none"><rect width="{part}" height="1"/></svg>'
        return f'<td class="number share">{bar}{escape(cell)}</td>'
    return f"<td{_kind(name)}>{escape(cell)}</td>"


def _kind(name: str) -> str:
    return "" if name in CODE else ' class="number"'
