"""A profile as rows, and the rows in the terminal: what `referee profile` prints."""

import sys
from collections import Counter
from typing import Any

Profile = dict[str, Any]
Rows = list[tuple[str, ...]]
LINES = ("file:line", "hits", "us/hit", "share", "source")
FUNCTIONS = ("function", "file:line", "calls", "own seconds", "own share", "with calls")
MOVED = ("file:line", "hits", "seconds", "before", "change", "source")
WIDTH = 76  # characters of a source line where there is no terminal to fit it to


def lines(profile: Profile, top: int) -> Rows:
    """The lines that took longest, with what they called.

    A line by which a function calls itself is left out: its time would hold the same seconds many times.
    """
    every = [
        (line, function)
        for function in profile["functions"]
        for line in function["lines"]
        if not line["nested"]
    ]
    every.sort(key=lambda pair: (-pair[0]["seconds"], pair[1]["file"], pair[0]["line"]))
    return [
        (
            f"{function['file']}:{line['line']}",
            str(line["hits"]),
            f"{line['seconds'] / max(line['hits'], 1) * 1e6:.2f}",
            share(line["seconds"], profile),
            line["source"],
        )
        for line, function in every[:top]
    ]


def functions(profile: Profile, top: int) -> Rows:
    """The functions that took longest by themselves, as cProfile counts them."""
    every = sorted(profile["calls"], key=lambda function: -function["own"])
    whole = sum(function["own"] for function in every)
    return [
        (
            function["name"],
            f"{function['file']}:{function['line']}",
            str(function["calls"]),
            f"{function['own']:.4f}",
            f"{function['own'] / max(whole, 1e-9):.1%}",
            f"{function['seconds']:.4f}",
        )
        for function in every[:top]
    ]


def share(seconds: float, profile: Profile) -> str:
    """The part of the profiled turn."""
    return f"{seconds / max(profile['wall'], 1e-9):.1%}"


def moved(profile: Profile, other: Profile, top: int) -> Rows:
    """The lines whose time differs most.  A line is the same if file, function and text are."""
    now, before = _by_text(profile), _by_text(other)
    rows = []
    for key in now.keys() | before.keys():
        here, there = now.get(key), before.get(key)
        seconds, seconds_before = (one["seconds"] if one else 0.0 for one in (here, there))
        hits = f"{there['hits'] if there else '-'} > {here['hits'] if here else '-'}"
        place = f"{key[0]}:{(here or there)['line']}"
        change = seconds - seconds_before
        rows.append((place, hits, f"{seconds:.4f}", f"{seconds_before:.4f}", f"{change:+.4f}", key[2]))
    rows.sort(key=lambda row: (-abs(float(row[4])), row[0]))
    return rows[:top]


def _by_text(profile):
    found, met = {}, Counter()
    for function in profile["functions"]:
        file = function["file"].partition("/")[2] or function["file"]  # the package may be another
        for line in function["lines"]:
            key = file, function["name"], line["source"]
            if line["nested"]:
                continue
            met[key] += 1
            found[*key, met[key]] = line
    return found


def account(profile: Profile) -> Rows:
    """What the turn came to: what is asked, what was answered, and the search's own figures."""
    plain = profile["plain"]
    rows = [
        ("agent", f"{profile['agent']}, {profile['game']}, {profile['colour']}"),
        ("turn", profile["where"]),
        ("position", profile["position"]),
        ("action", profile["action"]),
        ("CPU", f"{plain['cpu']:.3f} s without the profiler, {profile['cpu']:.3f} s with it"),
        ("profiler's cost", cost(profile)),
    ]
    if plain["megabytes"] is not None:
        more, whole = plain["megabytes"], plain["peak_megabytes"]
        rows.append(("memory", f"{more:.1f} MB more at most, {whole:.1f} MB in all"))
    search = plain["search"]
    if not search:
        return [*rows, ("search", "the agent tells nothing of a search")]
    if not search["nodes"]:
        return [*rows, ("search", "no node was searched: a book move, the only one, or the rest of a plan")]
    rows.append(("nodes", f"{search['nodes']}, {search['nodes_per_second']} a second without the profiler"))
    for key, name in (("depth", "depth"), ("score", "score"), ("table_hits", "table hits")):
        if search[key] is not None:
            rows.append((name, str(search[key])))
    if search["first_move_cuts"] is not None:
        of = f" of {search['cut_offs']}" if search["cut_offs"] is not None else ""
        rows.append(("cut-offs", f"{search['first_move_cuts']:.1%}{of} by the first move"))
    if search.get("scores"):
        rows.append(("score by depth", "  ".join(f"{depth}: {score}" for depth, score in search["scores"])))
    if search.get("variation"):
        rows.append(("expected", "  ".join(search["variation"])))
    elif search.get("moves"):
        rows.append(("expected", "  ".join(search["moves"]) + "  (in the agent's own codes)"))
    return rows


def cost(profile: Profile) -> str:
    """What the profiler itself took: the same turn without it, and whether it was the same."""
    plain = profile["plain"]
    times = profile["wall"] / max(plain["wall"], 1e-9)
    sentence = f"{profile['wall']:.3f} s instead of {plain['wall']:.3f} s, {times:.1f} times as long"
    both = [one and one["nodes"] for one in (profile["search"], plain["search"])]
    if both[0] != both[1]:
        sentence += f", for {both[0]} nodes instead of {both[1]}"
    if profile["action"] != plain["action"]:
        sentence += f"; without it the action was {plain['action']}"
    return sentence


def sections(profile: Profile, other: Profile | None, top: int) -> list[tuple[str, tuple[str, ...], Rows]]:
    """Title, head and rows of each table."""
    found = [
        ("Hottest lines (with what they call)", LINES, lines(profile, top)),
        ("Time by function", FUNCTIONS, functions(profile, top)),
    ]
    if other:
        title = f"What moved, line by line: {profile['agent']} now, {other['agent']} before"
        found.append((title, MOVED, moved(profile, other, top)))
        found.append((f"Before: {other['agent']}", ("", ""), account(other)))
    return found


def show(profile: Profile, other: Profile | None, top: int) -> None:
    """Print it: with rich in a terminal, else as plain columns."""
    tables = [("", ("", ""), account(profile)), *sections(profile, other, top)]
    if sys.stdout.isatty():
        _show_rich(tables)
        return
    for title, head, rows in tables:
        if title:
            print(f"\n{title}")
        table = [head, *rows] if any(head) else rows
        widths = [max(map(len, column)) for column in zip(*table, strict=True)][:-1]
        for row in table:
            padded = zip(row[:-1], widths, strict=True)
            cells = [_aligned(cell, width, at) for at, (cell, width) in enumerate(padded)]
            print("  ".join([*cells, row[-1][:WIDTH] if any(head) else row[-1]]).rstrip())


def _aligned(cell, width, at):
    return cell.rjust(width) if at and cell[:1] in "+-0123456789" else cell.ljust(width)


def _show_rich(tables):
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console()
    for title, head, rows in tables:
        table = Table(title=title or None, title_justify="left", show_header=any(head), box=None)
        for name in head:
            numbers = name in ("hits", "us/hit", "share", "seconds", "before", "change", *FUNCTIONS[2:])
            justify = "right" if numbers else "left"
            table.add_column(name, justify=justify, no_wrap=numbers, overflow="fold")
        for row in rows:
            table.add_row(*(Text(cell) for cell in row))
        console.print(table)
