"""The rounds of a tournament on a page: a knockout's bracket, a Swiss tournament round by round."""

from html import escape

from referee.tournament.plan import Slot
from referee.tournament.schedule import Knockout, Round, Swiss
from referee.tournament.standings import Standings
from referee.view.charts import table
from referee.view.tables import label

HEADS = ("player", "against", "points")  # of a round


def drawn(standings: Standings) -> str:
    """What a format that has rounds shows of them; nothing for the others."""
    if isinstance(standings.schedule, Knockout):
        return bracket(standings)
    if isinstance(standings.schedule, Swiss):
        return round_by_round(standings, standings.schedule)
    return ""


def bracket(standings: Standings) -> str:
    """A column for each round, a box for each meeting, who won it in bold."""
    columns = []
    history = standings.schedule.history
    for number, one in enumerate(history):
        left = len(one.meetings)
        title = {1: "final", 2: "semi-finals", 4: "quarter-finals"}.get(left, f"round {number + 1}")
        boxes = "".join(f'<li class="meeting">{box}</li>' for box in _boxes(standings, one))
        columns.append(f'<div class="round"><h3>{title}</h3><ol>{boxes}</ol></div>')
    return f'<div class="bracket">{"".join(columns)}</div>'


def _boxes(standings: Standings, one: Round) -> list[str]:
    boxes, schedule = [], standings.schedule
    for (first, second), numbers in zip(one.meetings, one.numbers, strict=True):
        if second is None:
            boxes.append(f"<b>{_name(standings, first)}</b><br><small>nobody to meet</small>")
            continue
        two = (min(first, second), max(first, second))
        counted = [
            number for number in numbers if number <= schedule.pairs or schedule.is_played(Slot(*two, number))
        ]
        points = dict(zip(two, schedule.points(two, counted), strict=True))
        winner = _winner(standings, two, points)
        lines = []
        for index in (first, second):
            name = _name(standings, index)
            lines.append(f"{f'<b>{name}</b>' if index == winner else name} <span>{points[index]:g}</span>")
        boxes.append("<br>".join(lines))
    return boxes


def _winner(standings: Standings, two: tuple[int, int], points: dict[int, float]) -> int | None:
    """Who went on, as far as is known: who is in a later round, or has won the last one."""
    for later in reversed(standings.schedule.history):
        met = {index for meeting in later.meetings for index in meeting}
        if len(met & {*two}) == 1:
            return next(iter(met & {*two}))
    meeting = standings.results.meetings.get(two)
    played, pairs = len(meeting.points) if meeting else 0, standings.schedule.pairs
    first, second = two
    if points[first] != points[second]:
        return max(two, key=lambda index: points[index]) if played >= pairs else None
    return first if played >= 2 * pairs else None  # the better seed


def round_by_round(standings: Standings, schedule: Swiss) -> str:
    """Who met whom in each round with their points, then the order with its tie-breaks."""
    parts = []
    for number, one in enumerate(schedule.begun, 1):
        rows = []
        for two, numbers in zip(one.meetings, one.numbers, strict=True):
            first, second = two
            if second is None:
                rows.append([_name(standings, first), "bye", f"{2 * schedule.pairs:g}"])
                continue
            mine, theirs = schedule.points((first, second), numbers)
            rows.append([_name(standings, first), _name(standings, second), f"{mine:g} : {theirs:g}"])
        parts.append(f"<h3>Round {number}</h3>{table(HEADS, rows, 'few', words=HEADS[:2])}")
    totals = schedule.totals()
    rows = [
        [f"{rank} {_name(standings, index)}", f"{totals[index]:g}", f"{schedule.buchholz(index):g}"]
        for rank, index in enumerate(schedule.order(), 1)
    ]
    tie_breaks = table(["player", "points, with byes", "Buchholz"], rows, stacks="few")
    note = "Equal points: the larger Buchholz (the points of all met), then what they got against each other."
    return f'{"".join(parts)}<h3>Order</h3>{tie_breaks}<p class="note">{note}</p>'


def _name(standings: Standings, index: int) -> str:
    return escape(label(standings.results, index))


STYLE = """
h3 { font-size: 1rem; margin: 1rem 0 .25rem; }
.bracket { display: flex; flex-wrap: wrap; gap: 1rem; }
.round { flex: 1 1 12rem; display: flex; flex-direction: column; }
.round ol { list-style: none; margin: 0; padding: 0; flex: 1; display: flex; flex-direction: column;
  justify-content: space-around; }
.meeting { border: 1px solid var(--rule); padding: .25rem .5rem; margin: .25rem 0; overflow-wrap: anywhere; }
.meeting span { float: right; color: var(--soft); }
"""
