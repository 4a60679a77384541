"""The charts of a replay page: time, memory, depth and score by turns, as far as the record has them."""

from collections.abc import Iterable, Sequence
from html import escape
from itertools import accumulate, pairwise
from typing import Any

from referee.view import charts as drawing
from referee.view.game import ShownGame

DECIDED = 20  # times the largest score before it: then it stands for a won game, and goes off the scale
CHART_TURNS = 2  # a chart of fewer says nothing

Points = list[tuple[int, float]]  # turns and what was there


def charts(game: ShownGame) -> str:
    """Time, memory, depth and score by turns, each where the file has it."""
    turns = len(game.account.turns)
    if turns < CHART_TURNS:
        return ""
    drawn = ""
    told = [(turn, entry) for turn, entry in enumerate(game.account.turns, 1) if entry.cpu]
    if told:
        limits, firsts = ([one.get(key) for one in game.limits] for key in ("action", "first"))
        actions = [_by_action(game, seat) for seat in (0, 1)]
        drawn += _chart(game, "Time of each action", "s", actions, limits, firsts)
        limits = [one.get("game") for one in game.limits]
        if any(limits):
            numbers = [turn for turn, _ in told]
            totals = [list(accumulate(entry.cpu[seat] for _, entry in told)) for seat in (0, 1)]
            lines = [list(zip(numbers, total, strict=True)) for total in totals]
            drawn += _chart(game, "Time in all", "s", lines, limits)
        sizes = [[(turn, entry.megabytes[seat]) for turn, entry in told] for seat in (0, 1)]
        drawn += _chart(game, "Memory", "MB", sizes, [one.get("megabytes") for one in game.limits])
    depths = [_said(game, seat, "depth") for seat in (0, 1)]
    drawn += _chart(game, "Depth of the search", "", depths, [None, None])
    drawn += _scores(game, [_said(game, seat, "score") for seat in (0, 1)])
    return f'<section class="charts" id="charts">{drawn}</section>' if drawn else ""


def _by_action(game: ShownGame, seat: int) -> Points:
    """Seconds from each of its actions to the next: what a limit for an action is compared with."""
    points, since = [], 0.0
    for turn, entry in enumerate(game.account.turns, 1):
        since += entry.cpu[seat] if entry.cpu else 0.0
        if seat in entry.players:
            points.append((turn, since))
            since = 0.0
    return points


def _said(game: ShownGame, seat: int, figure: str) -> Points:
    """What a player's search said, turn by turn; depth 0 is that of a search that did not come far."""
    entries = enumerate(game.account.turns, 1)
    said = [(turn, entry.searches.get(seat, {}).get(figure)) for turn, entry in entries]
    return [(turn, value) for turn, value in said if value is not None and (value or figure != "depth")]


def _chart(
    game: ShownGame,
    title: str,
    unit: str,
    lines: Sequence[Points],
    limits: Sequence[float | None],
    firsts: Sequence[float | None] = (None, None),
) -> str:
    """A line for each player from 0 up, and its limit, dashed; that of its first action may be another."""
    if not any(lines):
        return ""
    turns = len(game.account.turns)
    known = [limit for limit in limits if limit]
    top = max([*known, *(value for points in lines for _, value in points)]) or 1
    drawn = drawing.line([(0, 100), (100, 100)], "axis")
    legend = []

    def height(value):
        return 100 - 96 * value / top

    for player, (points, limit, first) in enumerate(zip(lines, limits, firsts, strict=True)):
        begin = 100 * points[0][0] / turns if first and points else 0  # of the usual limit
        if first and first <= top:
            drawn += drawing.line([(0, height(first)), (begin, height(first))], f"limit p{player}")
        if limit:
            drawn += drawing.line([(begin, height(limit)), (100, height(limit))], f"limit p{player}")
        if points:
            drawn += _line(points, turns, height, player)
            most = max(value for _, value in points)
            bound = f", limit {_amount(limit)} {unit}" if limit else ""
            bound += f", {_amount(first)} {unit} for the first" if first else ""
            legend.append((player, f"at most {_amount(most)} {unit}".rstrip() + bound))
    return _figure(game, title, f"{_amount(top)} {unit}", drawn, legend)


def _scores(game: ShownGame, lines: Sequence[Points]) -> str:
    """Each player's own scores, each to its own largest: their units differ.  Up is good for it."""
    if not any(lines):
        return ""
    turns = len(game.account.turns)
    drawn = drawing.line([(0, 50), (100, 50)], "axis")
    legend = []
    for player, points in enumerate(lines):
        if points:
            sizes = sorted(abs(value) for _, value in points)
            usual = (one for one, more in pairwise(sizes[1:]) if 0 < DECIDED * one < more)
            top = next(usual, sizes[-1]) or 1

            def height(value, top=top):
                return 50 - 48 * max(-1.0, min(1.0, value / top))

            drawn += _line(points, turns, height, player)
            legend.append((player, f"{_amount(points[0][1])} at first, {_amount(points[-1][1])} at last"))
    return _figure(game, "Score, as each player sees itself", "ahead", drawn, legend)


def _line(points: Points, turns: int, height: Any, player: int) -> str:
    places = [(100 * (turn - 0.5) / turns, height(value)) for turn, value in points]
    return drawing.line(places, f"bold p{player}")


def _figure(game: ShownGame, title: str, top: str, drawn: str, legend: Iterable[tuple[int, str]]) -> str:
    words = "".join(
        f'<li><i class="p{player}"></i>{escape(game.names[player])}: {escape(said)}</li>'
        for player, said in legend
    )
    return (
        f"<figure><figcaption>{title}<span>{escape(top)}</span></figcaption>"
        f'<div class="plot">{drawing.svg(drawn)}</div>'
        f'<p class="ends"><span>turn 1</span><span>{len(game.account.turns)}</span></p>'
        f'<ul class="legend">{words}</ul></figure>'
    )


def _amount(value: float) -> str:
    return f"{value:.0f}" if abs(value) >= 1000 else f"{value:.3g}"
