"""A profile as rows, and the rows in the terminal: what `referee profile` prints."""

import sys
from collections.abc import Iterable, Sequence
from typing import Any

from referee.profile import compare

Profile = dict[str, Any]
Rows = list[tuple[str, ...]]
Table = tuple[str, tuple[str, ...], Rows]  # title, head, rows
LINES = ("file:line", "hits", "us/hit", "own share", "+-", "total share", "source")
FUNCTIONS = ("function", "file:line", "calls", "own share", "+-", "own s", "total share", "total s")
MOVED = ("file:line", "hits", "seconds", "before", "change", "+-", "source")
TREE = ("total share", "own share", "function", "file:line")
MEMORY = ("file:line", "MB at most", "MB at the end", "blocks", "source")
STEPS = ("depth", "score", "nodes", "seconds", "nodes a second")
WIDTH = 76  # characters of a source line where there is no terminal to fit it to
ROUGH = 0.08  # from this error on, how to make it smaller is said
OTHERS = 0.005  # seconds of CPU time of a player's own processes, from which on they are told
NATIVES = 3  # C functions that are shown below a line
NATIVE = 0.05  # part of a line's own time below which a C function is not shown


def lines(profile: Profile, top: int) -> Rows:
    """The lines that took longest by themselves; of a library, too.  Own shares add up to 100 %.

    Below a line stand the C functions that it called, those that took most of its time.
    """
    seconds = profile["turn"]["cpu"]
    rows: Rows = []
    for line in profile["lines"][:top]:
        rows.append(
            (
                f"{line['file']}:{line['line']}",
                counted(line["hits"]),
                each(line, profile),
                f"{line['own']:.1%}",
                f"{line['own_error']:.1%}",
                f"{line['total']:.1%}",
                line["source"],
            )
        )
        for native in natives(line, seconds):
            rows.append(("", str(native["calls"]), "", "", "", "", f"    in {native['name']}"))
    return rows


def each(line: dict[str, Any], profile: Profile) -> str:
    """Microseconds a hit.

    A dash where nobody counted or no sample was taken, where another turn was counted than was timed, and
    for the line that a function begins with: its hits are those of the definition, its time that of entering.
    """
    is_entry = line["source"].startswith(("def ", "async def ", "class ", "@"))
    if not line["hits"] or not line["own"] or is_entry or not profile["cost"].get("same_turn", True):
        return "-"
    return f"{line['own'] * profile['turn']['cpu'] / line['hits'] * 1e6:.2f}"


def natives(line: dict[str, Any], seconds: float) -> list[dict[str, Any]]:
    """The C functions that took a part of a line's own time that is worth a row."""
    own = line["own"] * seconds
    long = [native for native in line["natives"] if native["seconds"] >= NATIVE * own > 0]
    return sorted(long, key=lambda native: -native["seconds"])[:NATIVES]


def functions(profile: Profile, top: int) -> Rows:
    """The functions that took longest by themselves; of a library, too."""
    seconds = profile["turn"]["cpu"]
    return [
        (
            function["function"],
            f"{function['file']}:{function['line']}",
            counted(function["calls"]),
            f"{function['own']:.1%}",
            f"{function['own_error']:.1%}",
            f"{function['own'] * seconds:.4f}",
            f"{function['total']:.1%}",
            f"{function['total'] * seconds:.4f}",
        )
        for function in profile["functions"][:top]
    ]


def tree(profile: Profile) -> Rows:
    """Who called whom, down to one part in a hundred."""
    return [
        (
            f"{node['total']:.1%}",
            f"{node['own']:.1%}",
            "  " * node["depth"] + node["function"],
            f"{node['file']}:{node['line']}" if node["file"] else "",
        )
        for node in profile["tree"]
    ]


def memory(profile: Profile, top: int) -> Rows:
    """The lines that took memory, that which they gave back as well."""
    return [
        (
            f"{row['file']}:{row['line']}",
            f"{row.get('most_megabytes', row['megabytes']):.2f}",
            f"{row['megabytes']:.2f}",
            str(row["blocks"]),
            row["source"],
        )
        for row in profile["memory"]["lines"][:top]
    ]


def steps(search: dict[str, Any]) -> Rows:
    """How far each depth was, and how fast."""
    scores = dict(map(tuple, search.get("scores") or ()))
    rows: Rows = []
    nodes_before, seconds_before = 0, 0.0
    for depth, nodes, seconds in search.get("steps") or ():
        more, longer = nodes - nodes_before, seconds - seconds_before
        speed = str(round(more / longer)) if longer > 0 else "-"
        rows.append((str(depth), str(scores.get(depth, "-")), str(nodes), f"{seconds:.4f}", speed))
        nodes_before, seconds_before = nodes, seconds
    return rows


def counted(number: int | None) -> str:
    """A count; a dash where nobody counted: in libraries lines, and in threads calls."""
    return "-" if number is None else str(number)


def moved(profile: Profile, other: Profile, top: int) -> Rows:
    """The lines whose own time differs as far as can be shown, most first, or that ran more or less often."""
    shown = [one for one in compare.moved(profile, other) if one.is_shown or one.ran_otherwise][:top]
    rows: Rows = []
    for one in shown:
        line = one.shown
        hits = " > ".join(counted(some["hits"] if some else None) for some in (one.line_before, one.line))
        rows.append(
            (
                f"{line['file']}:{line['line']}",
                hits,
                f"{one.seconds:.4f}",
                f"{one.seconds_before:.4f}",
                f"{one.change:+.4f}",
                f"{one.error:.4f}",
                line["source"],
            )
        )
    return rows or [("", "", "", "", "", "", "no difference shown: all are within their errors")]


def account(profile: Profile) -> Rows:
    """What the turn came to: what is asked, what was answered, and the search's own figures."""
    turn = profile["turn"]
    times = f" ({turn['repeats']} times)" if turn["cpu_error"] is not None else ""
    error = f" +- {turn['cpu_error']:.3f}" if times else ""
    rows: Rows = [
        ("agent", f"{profile['agent']}, {profile['game']}, {turn['colour']}"),
        ("turn", turn["where"]),
        *_before(turn),
        ("position", turn["position"]),
        ("action", turn["action"]),
        ("CPU", f"{turn['cpu']:.3f}{error} s without a profiler{times}"),
        ("shares", shares(profile)),
        ("hits", cost(profile)),
    ]
    if turn.get("others_cpu", 0.0) > OTHERS:
        rows.append(
            (
                "others",
                f"processes that it started took {turn['others_cpu']:.3f} s more: of these there is no share",
            )
        )
    if turn["collections"]:
        of_it = f"{turn['collecting'] / max(turn['cpu'], 1e-9):.1%} of it"
        rows.append(
            ("garbage", f"collected {_times(turn['collections'])}, {turn['collecting']:.4f} s, {of_it}")
        )
    if turn["megabytes"] is not None:
        more, whole = turn["megabytes"], turn["peak_megabytes"]
        rows.append(("memory", f"{more:.1f} MB more at most, {whole:.1f} MB in all"))
    return rows + of_search(profile["search"])


def _before(turn: dict[str, Any]) -> Rows:
    """How the player was brought to a turn before which it had others."""
    number = turn.get("earlier", 0)
    if not number:
        return []
    actions = "its earlier action" if number == 1 else f"its {number} earlier actions"
    if turn["earlier_asked"]:
        return [("before it", f"it was asked for {actions}, too, as in the game")]
    kept = "what it keeps from being asked (a table, a count of its turns) is not there"
    them = "it" if number == 1 else "them"
    return [("before it", f"it was told {actions} and not asked for {them}: {kept}; --earlier asks")]


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number} times"


def of_search(search: dict[str, Any] | None) -> Rows:
    """What the search said of itself."""
    if not search:
        return [("search", "the agent tells nothing of a search")]
    if not search["nodes"]:
        return [("search", "no node was searched: a book move, the only one, or the rest of a plan")]
    rows: Rows = [("nodes", f"{search['nodes']}, {search['nodes_per_second']} a second without the profiler")]
    for key, name in (("depth", "depth"), ("score", "score"), ("table_hits", "table hits")):
        if search[key] is not None:
            rows.append((name, str(search[key])))
    if search["first_move_cuts"] is not None:
        of = f" of {search['cut_offs']}" if search["cut_offs"] is not None else ""
        rows.append(("cut-offs", f"{search['first_move_cuts']:.1%}{of} by the first move"))
    if search.get("scores") and not search.get("steps"):
        rows.append(("score by depth", "  ".join(f"{depth}: {score}" for depth, score in search["scores"])))
    if search.get("variation"):
        rows.append(("expected", "  ".join(search["variation"])))
    elif search.get("moves"):
        rows.append(("expected", "  ".join(search["moves"]) + "  (in the agent's own codes)"))
    return rows


def shares(profile: Profile) -> str:
    """How certain they are."""
    samples, turns = profile["cost"]["samples"], profile["cost"]["turns_sampled"]
    if not samples:
        return "too short to be sampled: no share is known"
    again = f", the turn taken {turns} times" if turns > 1 else ""
    most = max(line["own_error"] for line in profile["lines"])
    more = "; --repeat 4 halves that" if most > ROUGH else ""
    return f"of CPU time, from {samples} samples{again}: +- {most:.1%} at most (95 %, for all at once){more}"


def cost(profile: Profile) -> str:
    """What counting hits took: the same turn without it, and whether it was the same."""
    turn, counting = profile["turn"], profile["cost"]
    wall = counting["counted_wall"]
    times = wall / max(turn["wall"], 1e-9)
    sentence = f"counted in {wall:.3f} s instead of {turn['wall']:.3f} s, {times:.1f} times as long"
    nodes = (profile["search"] or {}).get("nodes")
    if counting["counted_nodes"] != nodes:
        sentence += f", for {counting['counted_nodes']} nodes instead of {nodes}"
    if counting["counted_action"] != turn["action"]:
        sentence += f"; the action was {counting['counted_action']} then"
    if not counting.get("same_turn", True):
        sentence += (
            "; the turn is not the same each time, so no time a hit is known: "
            "bound it by --nodes, and draw its lots from the `seed` that its constructor is told"
        )
    return sentence


def sections(profile: Profile, other: Profile | None, top: int) -> list[Table]:
    """Title, head and rows of each table: what to look at first stands first."""
    found: list[Table] = []
    if other:
        title = f"What moved, line by line: {profile['agent']} now, {other['agent']} before"
        found.append((title, MOVED, moved(profile, other, top)))
    found += [
        ("Lines by their own time", LINES, lines(profile, top)),
        ("Functions", FUNCTIONS, functions(profile, top)),
        ("Who called whom", TREE, tree(profile)),
    ]
    if rows := steps(profile["search"] or {}):
        found.append(("The search, depth by depth", STEPS, rows))
    if profile["memory"]:
        title = f"Memory that lines took by themselves ({profile['memory']['peak']:.2f} MB at once at most)"
        found.append((title, MEMORY, memory(profile, top)))
    if other:
        found.append((f"Before: {other['agent']}", ("", ""), account(other)))
    return found


def show(profile: Profile, other: Profile | None, top: int) -> None:
    """Print it: with rich in a terminal, else as plain columns."""
    tables: list[Table] = [("", ("", ""), account(profile)), *sections(profile, other, top)]
    if sys.stdout.isatty():
        _show_rich(tables)
        return
    for title, head, rows in tables:
        if title:
            print(f"\n{title}")
        for line in columns(head, rows):
            print(line)


def columns(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """The table as lines of text; without a head, its last column in full."""
    table = [head, *rows] if any(head) else list(rows)
    widths = [max(map(len, column)) for column in zip(*table, strict=True)][:-1]
    lines = []
    for row in table:
        padded = zip(row[:-1], widths, strict=True)
        cells = [_aligned(cell, width, at) for at, (cell, width) in enumerate(padded)]
        lines.append("  ".join([*cells, row[-1][:WIDTH] if any(head) else row[-1]]).rstrip())
    return lines


def _aligned(cell: str, width: int, at: int) -> str:
    return cell.rjust(width) if at and cell[:1] in "+-0123456789" else cell.ljust(width)


def _show_rich(tables: list[Table]) -> None:
    from rich.console import Console
    from rich.table import Table as RichTable
    from rich.text import Text

    console = Console()
    for title, head, rows in tables:
        table = RichTable(title=title or None, title_justify="left", show_header=any(head), box=None)
        for name in head:
            numbers = name not in ("", "file:line", "function", "source")
            table.add_column(name, justify="right" if numbers else "left", no_wrap=numbers, overflow="fold")
        for row in rows:
            table.add_row(*(Text(cell) for cell in row))
        console.print(table)
