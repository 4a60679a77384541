"""A profile as rows, and the rows in the terminal: what `referee profile` prints."""

import sys
from collections import Counter
from typing import Any

Profile = dict[str, Any]
Rows = list[tuple[str, ...]]
LINES = ("file:line", "hits", "us/hit", "own share", "total share", "source")
FUNCTIONS = ("function", "file:line", "calls", "own seconds", "own share", "with calls", "total share")
MOVED = ("file:line", "hits", "seconds", "before", "change", "source")
WIDTH = 76  # characters of a source line where there is no terminal to fit it to


def lines(profile: Profile, top: int) -> Rows:
    """The lines that took longest by themselves; of a library, too.  Own shares add up to 100 %."""
    seconds = profile["plain"]["cpu"]
    return [
        (
            f"{line['file']}:{line['line']}",
            counted(line["hits"]),
            f"{line['own'] * seconds / line['hits'] * 1e6:.2f}" if line["hits"] else "-",
            f"{line['own']:.1%}",
            f"{line['total']:.1%}",
            line["source"],
        )
        for line in profile["lines"][:top]
    ]


def functions(profile: Profile, top: int) -> Rows:
    """The functions that took longest by themselves; of a library, too."""
    return [
        (
            function["name"],
            f"{function['file']}:{function['line']}",
            counted(function["calls"]),
            f"{function['own']:.4f}",
            f"{function['own_share']:.1%}",
            f"{function['seconds']:.4f}",
            f"{function['total_share']:.1%}",
        )
        for function in profile["calls"][:top]
    ]


def counted(number: int | None) -> str:
    """A count; a dash where nobody counted: in libraries lines, and in threads calls."""
    return "-" if number is None else str(number)


def moved(profile: Profile, other: Profile, top: int) -> Rows:
    """The lines whose own time differs most.  A line is the same if file, function and text are."""
    now, before = _by_text(profile), _by_text(other)
    rows = []
    for key in now.keys() | before.keys():
        (seconds, hits, line), (seconds_before, hits_before, line_before) = (
            one.get(key, (0.0, None, None)) for one in (now, before)
        )
        rows.append(
            (
                -abs(seconds - seconds_before),
                -abs((hits or 0) - (hits_before or 0)),
                f"{key[0]}:{line or line_before}",
                f"{counted(hits_before)} > {counted(hits)}",
                f"{seconds:.4f}",
                f"{seconds_before:.4f}",
                f"{seconds - seconds_before:+.4f}",
                key[2],
            )
        )
    return [row[2:] for row in sorted(rows)[:top]]


def _by_text(profile):
    """Own seconds, hits and number of each line."""
    found, met = {}, Counter()
    for line in sorted(profile["lines"], key=lambda line: line["line"]):
        file = line["file"].partition("/")[2] or line["file"]  # the package may be another
        key = file, line["function"], line["source"]
        met[key] += 1
        found[*key, met[key]] = line["own"] * profile["plain"]["cpu"], line["hits"], line["line"]
    return found


def account(profile: Profile) -> Rows:
    """What the turn came to: what is asked, what was answered, and the search's own figures."""
    plain = profile["plain"]
    rows = [
        ("agent", f"{profile['agent']}, {profile['game']}, {profile['colour']}"),
        ("turn", profile["where"]),
        ("position", profile["position"]),
        ("action", profile["action"]),
        ("CPU", f"{plain['cpu']:.3f} s without a profiler"),
        ("shares", shares(profile)),
        ("hits", cost(profile)),
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


def shares(profile: Profile) -> str:
    """How certain they are."""
    samples, turns = profile["samples"], profile["turns_sampled"]
    if not samples:
        return "too short to be sampled: no share is known"
    again = f", the turn taken {turns} times" if turns > 1 else ""
    most = max(line["own_error"] for line in profile["lines"])
    return f"of CPU time, from {samples} samples{again}: each +- {most:.1%} at most (95 %)"


def cost(profile: Profile) -> str:
    """What counting hits took: the same turn without it, and whether it was the same."""
    plain = profile["plain"]
    times = profile["wall"] / max(plain["wall"], 1e-9)
    sentence = (
        f"counted in {profile['wall']:.3f} s instead of {plain['wall']:.3f} s, {times:.1f} times as long"
    )
    both = [one and one["nodes"] for one in (profile["search"], plain["search"])]
    if both[0] != both[1]:
        sentence += f", for {both[0]} nodes instead of {both[1]}"
    if profile["action"] != plain["action"]:
        sentence += f"; without it the action was {plain['action']}"
    return sentence


def sections(profile: Profile, other: Profile | None, top: int) -> list[tuple[str, tuple[str, ...], Rows]]:
    """Title, head and rows of each table."""
    found = [
        ("Hottest lines", LINES, lines(profile, top)),
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
            numbers = name in (*LINES[1:-1], *MOVED[1:-1], *FUNCTIONS[2:])
            justify = "right" if numbers else "left"
            table.add_column(name, justify=justify, no_wrap=numbers, overflow="fold")
        for row in rows:
            table.add_row(*(Text(cell) for cell in row))
        console.print(table)
