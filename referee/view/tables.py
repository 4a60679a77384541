"""A tournament's result as text: standings, cross table, the score of each pairing, faults."""

import csv
import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from io import StringIO
from typing import Any

from referee import UsageError
from referee.isolation import levels
from referee.match.statistics import bar, likely
from referee.players.text import on_one_line
from referee.tournament.results import Results

PAIRINGS = 45  # of ten players; of more, the standings would be out of sight
MANY = 12  # players; of more, so would they be behind a cross table
NAME = 32  # characters of a player's name that are shown: the first, and the last, which tell versions apart


def tournament(
    summary: Mapping[str, Any],
    results: Results,
    order: Sequence[int],
    is_full: bool = False,
    is_added_up: bool = False,
) -> str:
    """The whole result as text, in ASCII; `is_full` with each pairing, however many there are.

    `is_added_up` where the seconds are those of all pairs, not of a run.
    """
    parts = [standings(results, order, summary.get("totals", ()))]
    if byes := summary.get("byes"):
        parts.append(f"in the order a bye counts as won games; byes: {', '.join(byes)}")
    are_many = len(results.players) > MANY and not is_full
    if len(results.players) > 2 and not are_many:
        parts.append(cross_table(results, order))
    names = [label(results, index) for index in range(len(results.players))]
    pairings = [one for one in summary["pairings"] if one.get("counts", True)]
    met = [(one, [names[index] for index in one["indices"]]) for one in pairings]
    if is_full or len(met) <= PAIRINGS and not are_many:
        parts += ["\n".join(pairing(*one) for one in met)]
    else:
        parts += [f"{len(met)} pairings; -v, --report FILE and --json say more of each"]
    if len(results.players) > 2 and summary.get("ranking"):
        parts.append(ranking(summary["ranking"], results))
    if results.adjudicated:
        parts.append(adjudicated(results))
    if results.reasons:
        parts.append("\n".join(["faults:", *faults(results)]))
    if left_out := [*excluded(summary, results), *summary.get("left_out", ())]:
        lines = [f"  {one['player']}: {one['reason']}".replace("\n", "\n    ") for one in left_out]
        parts.append("\n".join(["left out:", *lines]))
    if "sprt" in summary:
        parts.append(sprt(summary["sprt"]))
    parts.append(ran(summary, is_added_up))
    return "\n\n".join(part for part in parts if part)


def label(results: Results, index: int) -> str:
    """A player's name as it is shown; of several that share one, with a number."""
    return _labels(tuple(player.name for player in results.players))[index]


def index_of(results: Results, name: str) -> int:
    """Whose name that is, as it is shown or as it was given; UsageError where that is not one player."""
    shown = [label(results, index) for index in range(len(results.players))]
    found = [index for index, one in enumerate(shown) if one == name]
    found = found or [index for index, player in enumerate(results.players) if player.name == name]
    if len(found) != 1:
        raise UsageError(f"{name!r} is {'none' if not found else 'several'} of {', '.join(shown)}")
    return found[0]


@lru_cache
def _labels(names: tuple[str, ...]) -> list[str]:
    """Names without the folder that all paths among them have in common, and not too long."""
    folders = [name.partition(",")[0].split("/")[:-1] for name in names]
    paths = [folder for folder in folders if folder]
    shared = len(os.path.commonprefix(paths)) if len(paths) > 1 else 0
    common = "/".join(paths[0][:shared]) if shared else ""
    start = len(common) + 1 if common else 0
    shown = [
        _shortened(name[start:] if folder else name) for name, folder in zip(names, folders, strict=True)
    ]
    numbers: Counter[str] = Counter()
    labels = []
    for name in shown:
        numbers[name] += 1
        labels.append(f"{name} ({numbers[name]})" if shown.count(name) > 1 else name)
    return labels


def _shortened(name: str) -> str:
    return name if len(name) <= NAME else f"{name[: NAME // 2 - 2]}...{name[1 - NAME // 2 :]}"


def standings(results: Results, order: Sequence[int], totals: Sequence[float] = ()) -> str:
    """The standings, the best player first; with the totals that the order goes by, where they are more."""
    given = with_byes(results, order, totals)
    heads = ["byes", "total"] if given else []
    rows: list[list[object]] = [["", "player", "points", *heads, "games", "won", "drawn", "lost", "faults"]]
    for rank, index in enumerate(order, 1):
        player = results.players[index]
        points = [f"{player.points:g}", *given.get(index, ())]
        figures = [player.games, player.wins, player.draws, player.losses, sum(player.faults.values())]
        rows.append([rank, label(results, index), *points, *figures])
    return table(rows)


def as_csv(summary: Mapping[str, Any], results: Results, order: Sequence[int]) -> str:
    """The standings for a spreadsheet, as comma-separated values; last those that could not begin."""
    heads = "rank player points byes total games won drawn lost faults elo error note".split()
    given = with_byes(results, order, summary.get("totals", ()))
    elo = {one["index"]: one for one in summary["ranking"]}
    notes = {one["index"]: one["reason"] for one in summary.get("excluded", ())}
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(heads)
    for rank, index in enumerate(order, 1):
        player = results.players[index]
        byes, total = given.get(index, ("0", f"{player.points:g}"))
        figures = [player.games, player.wins, player.draws, player.losses, sum(player.faults.values())]
        strength = [elo[index]["elo"], elo[index]["error"]] if index in elo else [None, None]
        rounded = [None if one is None else round(one, 1) for one in strength]
        note = f"left out: {on_one_line(notes[index])}" if index in notes else ""
        points = [f"{player.points:g}", byes, total]
        writer.writerow([rank, label(results, index), *points, *figures, *rounded, note])
    for one in summary.get("left_out", ()):
        note = f"left out: {on_one_line(one['reason'])}"
        writer.writerow(["", one["player"], *[""] * (len(heads) - 3), note])
    return text.getvalue()


def with_byes(results: Results, order: Sequence[int], totals: Sequence[float]) -> dict[int, tuple[str, str]]:
    """By player what it got for byes, and all its points; nothing where nobody got any."""
    each = list(zip(order, totals, strict=False))
    given = {index: (f"{total - results.players[index].points:g}", f"{total:g}") for index, total in each}
    return given if any(more != "0" for more, _ in given.values()) else {}


def excluded(summary: Mapping[str, Any], results: Results) -> Iterator[dict[str, str]]:
    """Who was left out while the others played on, and what that means."""
    for one in summary.get("excluded", ()):
        index = one["index"]
        what = (
            "its pairs do not count"
            if index in results.struck
            else "it plays no more; a pair that it does not play counts as won by the other, as a bye does"
        )
        yield {"player": label(results, index), "reason": f"{one['reason']}\n{what}"}


def cross_table(results: Results, order: Sequence[int]) -> str:
    """The cross table: what the player of a row scored against that of a column."""
    rows: list[list[object]] = [["points against", *range(1, len(order) + 1)]]
    for rank, index in enumerate(order, 1):
        name = f"{rank} {label(results, index)}"
        rows.append([name, *(against(results, index, other) for other in order)])
    return table(rows)


def against(results: Results, index: int, other: int) -> str:
    """`12.5 of 20`, or `-` where the two have not met."""
    meeting = results.meetings.get((min(index, other), max(index, other)))
    if index == other or not meeting:
        return "-"
    return f"{meeting.got(int(index > other)):g} of {2 * sum(meeting.pairs)}"


def pairing(one: Mapping[str, Any], names: Sequence[str]) -> str:
    """The score of two players that met, with its interval, Elo and LOS."""
    first, second = names
    share = f"{100 * one['score']:.1f} %{bar(one['interval'], 100)}"
    elo = [
        f"{words} {one[name]:+.1f}{bar(one[f'{name}_interval'], form='+.1f')}"
        for words, name in (("Elo", "elo"), ("normalised Elo", "normalised_elo"))
    ]
    lost, drawn, won = one["trinomial"]
    return "\n".join(
        [
            f"{first} against {second}: {share}, LOS {likely(one['los'])}",
            f"  {', '.join(elo)}",
            f"  {_count(one['pairs'], 'pair')}{by_points(one['pentanomial'])}; "
            f"games: {won} won, {drawn} drawn, {lost} lost",
            f"  {_count(one['different_openings'], 'different opening')}, "
            f"{_count(one['different_games'], 'different game')} of {one['games']}",
        ]
    )


def by_points(pairs: Sequence[int]) -> str:
    """Of so many pairs of 0, 1/2, 1, 3/2 and 2 points those that there are: `: 8 x 2 points, 1 x 1 point`."""
    points = [(pairs[place], place / 2) for place in (4, 3, 2, 1, 0) if pairs[place]]
    each = [f"{count} x {one:g} point{'' if one == 1 else 's'}" for count, one in points]
    return f": {', '.join(each)}" if each else ""


def adjudicated(results: Results) -> str:
    """That not all games were played to their end, and what that means for the figures."""
    return (
        f"{results.adjudicated} of {results.games} games were adjudicated, since both searches called them "
        "decided; all figures count them as if they had been played to the end"
    )


def ranking(ranked: Sequence[Mapping[str, Any]], results: Results) -> str:
    """The players by Elo."""
    rows: list[list[Any]] = [["", "by Elo, one fit over all pairings", "Elo", "95 %"]]
    for rank, one in enumerate(ranked, 1):
        error = "" if one["error"] is None else f"+- {one['error']:.0f}"
        rows.append([rank, label(results, one["index"]), f"{one['elo']:+.0f}", error])
    return table(rows)


def faults(results: Results) -> Iterator[str]:
    """Each player's faults of each kind, with the reason of the first."""
    for (index, kind), (reason, pair) in sorted(results.reasons.items()):
        games = _count(results.players[index].faults[kind], "game")
        yield f"  {label(results, index)}: {kind}, {games}; the first, in pair {pair}: {reason}"


def sprt(test: Mapping[str, Any]) -> str:
    """The state of the sequential test."""
    said = {"H0": "H0 is accepted", "H1": "H1 is accepted", None: "not decided"}[test["decision"]]
    return (
        f"SPRT of {test['model']} Elo {test['elo0']:g} (H0) against {test['elo1']:g} (H1): {said} after "
        f"{_count(test['pairs'], 'pair')}, "
        f"LLR {test['llr']:.3f} between {test['lower']:.3f} and {test['upper']:.3f}"
    )


def ran(summary: Mapping[str, Any], is_added_up: bool = False) -> str:
    """How many games were played, how long it took, how busy the machine was."""
    resumed, share = summary["resumed"], summary["busy"]
    resumed = f", {_count(resumed, 'pair')} of them from the journal" if resumed and not is_added_up else ""
    took = " of play, adding up all pairs" if is_added_up else ""
    busy = "" if share is None else f"; the machine's cores were busy {share:.0%} of the time"
    return (
        f"{_count(summary['pairs'], 'pair')}, {_count(summary['games'], 'game')}{resumed}; "
        f"{summary['seconds']:.1f} s{took}{busy}; {levels.line(summary['isolation'])}"
    )


def table(rows: Sequence[Sequence[Any]]) -> str:
    """Columns as wide as they need, words to the left and figures to the right."""
    cells = [[str(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    is_text = [not any(cell[:1].isdigit() for cell in column[1:]) for column in zip(*cells, strict=True)]
    is_text[0] = len(rows) > 1 and not cells[1][0].isdigit()
    lines = []
    for row in cells:
        aligned = [
            cell.ljust(width) if text else cell.rjust(width)
            for cell, width, text in zip(row, widths, is_text, strict=True)
        ]
        lines.append("  ".join(aligned).rstrip())
    return "\n".join(lines)


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}{'' if number == 1 else 's'}"
