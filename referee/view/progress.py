"""A tournament while it runs: on a terminal a bar with games, rate, time left and the score so far."""

import sys
from typing import Any

from referee import statistics
from referee.results import Meeting, Results
from referee.schedule import Schedule


class Progress:
    """Shown on standard error if that is a terminal, else not at all; `pair` says that there is one more."""

    def __init__(self, schedule: Schedule, results: Results, test: Any, quiet: bool = False):
        self.schedule = schedule
        self.results = results
        self.test = test
        self._bar = None
        if sys.stderr.isatty() and not quiet:
            self._bar = _bar()

    def __enter__(self) -> "Progress":
        if self._bar:
            self._bar.start()
            games = 2 * max(self.schedule.expected, self.results.pairs)
            self._task = self._bar.add_task("", total=games, completed=self.results.games, state=self.state())
        return self

    def __exit__(self, *exception: object) -> None:
        if self._bar:
            self._bar.stop()

    def pair(self) -> None:
        """One more pair is in the results."""
        if self._bar:
            games = 2 * max(self.schedule.expected, self.results.pairs)
            self._bar.update(self._task, total=games, completed=self.results.games, state=self.state())

    def state(self) -> str:
        """How it stands: between two players the score; among several who leads."""
        if len(self.results.players) > 2:
            best = self.results.players[self.schedule.order()[0]]
            return f"{best.name} leads with {best.points:g} of {best.games}" if best.games else ""
        text = score(self.results.meetings.get((0, 1), Meeting()))
        if self.test:
            sprt = self.test.sprt
            text += f", LLR {self.test.llr:.2f} ({sprt.lower:.2f} to {sprt.upper:.2f})"
        return text


def score(meeting: Meeting) -> str:
    """A share, its error bar and the likelihood that the first is better: `61.2 +- 3.4 %, LOS 99.8 %`."""
    if not sum(meeting.pairs):
        return ""
    half, los = statistics.error(meeting.pairs), statistics.los(meeting.pairs)
    bar = f" +- {100 * half:.1f}" if half is not None else ""
    likely = f", LOS {100 * los:.1f} %" if los is not None else ""
    return f"{100 * statistics.share(meeting.pairs):.1f}{bar} %{likely}"


def _bar() -> Any:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, ProgressColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar
    from rich.text import Text

    class Rate(ProgressColumn):
        """Games a second."""

        def render(self, task: Any) -> Text:
            return Text(f"{task.speed:.2f}/s" if task.speed else "")

    columns = [
        BarColumn(bar_width=20),
        MofNCompleteColumn(),
        TextColumn("games"),
        Rate(),
        TimeRemainingColumn(compact=True),
        TextColumn("left  {task.fields[state]}", markup=False),
    ]
    return Bar(*columns, console=Console(stderr=True))
