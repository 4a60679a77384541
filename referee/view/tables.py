"""A tournament's result as text: standings, cross table, the score of each pairing, faults."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from referee.isolation import levels
from referee.match.statistics import bar, likely
from referee.tournament.results import Results

PAIRINGS = 45  # of ten players; of more, the standings would be out of sight
NAME = 32  # characters of a player's name that are shown, the last ones: they tell versions apart


def tournament(summary: Mapping[str, Any], results: Results, order: Sequence[int]) -> str:
    """The whole result as text, in ASCII."""
    parts = [standings(results, order)]
    if byes := summary.get("byes"):
        parts.append(f"in the order a bye counts as won games; byes: {', '.join(byes)}")
    if len(results.players) > 2:
        parts.append(cross_table(results, order))
    names = [label(results, index) for index in range(len(results.players))]
    met = [(one, [names[index] for index in one["indices"]]) for one in summary["pairings"]]
    if len(met) <= PAIRINGS:
        parts += ["\n".join(pairing(*one) for one in met)]
    else:
        parts += [f"{len(met)} pairings; --report FILE and --json say more of each"]
    if len(results.players) > 2 and summary.get("ranking"):
        parts.append(ranking(summary["ranking"], results))
    if results.adjudicated:
        parts.append(adjudicated(results))
    if results.reasons:
        parts.append("\n".join(["faults:", *faults(results)]))
    if left_out := summary.get("left_out"):
        lines = [f"  {one['player']}: {one['reason']}".replace("\n", "\n    ") for one in left_out]
        parts.append("\n".join(["left out:", *lines]))
    if "sprt" in summary:
        parts.append(sprt(summary["sprt"]))
    parts.append(ran(summary))
    return "\n\n".join(part for part in parts if part)


def label(results: Results, index: int) -> str:
    """A player's name as it is shown; of several that share one, with a number."""
    name = results.players[index].name
    same = [place for place, player in enumerate(results.players) if player.name == name]
    short = name if len(name) <= NAME else "..." + name[3 - NAME :]
    return short if len(same) == 1 else f"{short} ({same.index(index) + 1})"


def standings(results: Results, order: Sequence[int]) -> str:
    """The standings, the best player first."""
    rows: list[list[object]] = [["", "player", "points", "games", "won", "drawn", "lost", "faults"]]
    for rank, index in enumerate(order, 1):
        player = results.players[index]
        standing = player.standing()
        figures = [f"{player.points:g}", player.games, player.wins, player.draws, player.losses]
        rows.append([rank, label(results, index), *figures, standing["faults"]])
    return table(rows)


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
    figures = [
        f"{100 * one['score']:.1f} %{bar(one['interval'], 100)}",
        f"Elo {one['elo']:+.1f}{bar(one['elo_interval'], form='+.1f')}",
        f"normalised {one['normalised_elo']:+.1f}{bar(one['normalised_elo_interval'], form='+.1f')}",
        f"LOS {likely(one['los'])}",
    ]
    lost, drawn, won = one["trinomial"]
    return "\n".join(
        [
            f"{first} against {second}: {', '.join(figures)}",
            f"  {_count(one['pairs'], 'pair')} of 0, 1/2, 1, 3/2, 2 points: "
            f"{' '.join(map(str, one['pentanomial']))}; games won {won}, drawn {drawn}, lost {lost}",
            f"  {_count(one['different_openings'], 'different opening')}, "
            f"{_count(one['different_games'], 'different game')} of {one['games']}",
        ]
    )


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
    for (index, kind), reason in sorted(results.reasons.items()):
        games = _count(results.players[index].faults[kind], "game")
        yield f"  {label(results, index)}: {kind}, {games}; the first {reason}"


def sprt(test: Mapping[str, Any]) -> str:
    """The state of the sequential test."""
    said = {"H0": "H0 is accepted", "H1": "H1 is accepted", None: "not decided"}[test["decision"]]
    return (
        f"SPRT of {test['model']} Elo {test['elo0']:g} (H0) against {test['elo1']:g} (H1): {said} after "
        f"{_count(test['pairs'], 'pair')}, "
        f"LLR {test['llr']:.3f} between {test['lower']:.3f} and {test['upper']:.3f}"
    )


def ran(summary: Mapping[str, Any]) -> str:
    """How many games were played, how long it took, how busy the machine was."""
    resumed, share = summary["resumed"], summary["busy"]
    resumed = f", {_count(resumed, 'pair')} of them from the journal" if resumed else ""
    busy = "" if share is None else f"; the machine's cores were busy {share:.0%} of the time"
    return (
        f"{_count(summary['pairs'], 'pair')}, {_count(summary['games'], 'game')}{resumed}; "
        f"{summary['seconds']:.1f} s{busy}; {levels.line(summary['isolation'])}"
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
