"""A profile as one page of HTML that needs nothing else: light or dark, at any width."""

from html import escape

from referee.profile import text
from referee.profile.text import Profile
from referee.view.shell import document

STYLE = """
:root { color-scheme: light dark; --ink: #1c2024; --paper: #fbfaf7; --rule: #d9d5cb; --bar: #f3c98b; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e4e2dc; --paper: #16181b; --rule: #393d42; --bar: #6b4a17; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem; max-width: 75rem; color: var(--ink); background: var(--paper);
  font: 16px/1.45 system-ui, sans-serif; }
h1 { font-size: 1.4rem; overflow-wrap: anywhere; } h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .6rem; border-bottom: 1px solid var(--rule); text-align: left; vertical-align: top; }
.wide th, .wide td { white-space: nowrap; }
.share { position: relative; z-index: 0; }
.share svg { position: absolute; inset: 0; z-index: -1; width: 100%; height: 100%; fill: var(--bar); }
.wide td.number, .wide th.number { text-align: right; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem; }
dt { font-weight: 600; } dd { margin: 0; overflow-wrap: anywhere; }
code { font: .9em ui-monospace, monospace; white-space: pre; }
@media (max-width: 34rem) { dl { display: block; } dd { margin: 0 0 .5rem; } body { font-size: 15px; } }
"""
CODE = ("source", "function", "file:line")


def page(profile: Profile, other: Profile | None, top: int) -> str:
    """The whole page."""
    title = f"One turn of {profile['agent']}: {profile['game']}, {profile['colour']}"
    parts = [f"<h1>{escape(title)}</h1>", _pairs(text.account(profile))]
    for name, head, rows in text.sections(profile, other, top):
        parts.append(f"<h2>{escape(name)}</h2>")
        parts.append(_table(head, rows) if any(head) else _pairs(rows))
    return document(title, "\n".join(parts), STYLE)


def _pairs(rows):
    pairs = "".join(f"<dt>{escape(key)}</dt><dd>{escape(value)}</dd>" for key, value in rows)
    return f"<dl>{pairs}</dl>"


def _table(head, rows):
    cells = "".join(f"<th{_kind(name)}>{escape(name)}</th>" for name in head)
    body = "".join(
        "<tr>" + "".join(_cell(name, cell) for name, cell in zip(head, row, strict=True)) + "</tr>\n"
        for row in rows
    )
    return f'<div class="wide"><table><thead><tr>{cells}</tr></thead>\n<tbody>{body}</tbody></table></div>'


def _cell(name, cell):
    if name in CODE:
        return f"<td><code>{escape(cell)}</code></td>"
    if name.endswith("share"):  # a bar behind the figure
        part = min(100.0, float(cell.rstrip("%")))
        bar = f'<svg viewBox="0 0 100 1" preserveAspectRatio="none"><rect width="{part}" height="1"/></svg>'
        return f'<td class="number share">{bar}{escape(cell)}</td>'
    return f"<td{_kind(name)}>{escape(cell)}</td>"


def _kind(name):
    return "" if name in CODE else ' class="number"'
