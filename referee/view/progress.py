"""Progress bars on a terminal: of a tournament, with rate, time left and score, or of any loop."""

import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeVar

from referee.match import statistics
from referee.tournament.results import Meeting, Results
from referee.tournament.schedule import Schedule

Item = TypeVar("Item")


class Progress:
    """Shown on standard error if that is a terminal, else not at all; `pair` says that there is one more."""

    def __init__(self, schedule: Schedule, results: Results, test: Any, quiet: bool = False):
        self.schedule = schedule
        self.results = results
        self.test = test
        self._bar = _bar("games") if sys.stderr.isatty() and not quiet else None

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


class Steps:
    """Which step a check is at, and which turn of a game; on standard error, if that is a terminal."""

    def __init__(self, steps: Sequence[str], quiet: bool = False):
        self.steps = steps
        self._bar = _bar("steps") if sys.stderr.isatty() and not quiet else None

    def __enter__(self) -> "Steps":
        if self._bar:
            self._bar.start()
            self._task = self._bar.add_task("", total=len(self.steps), state=self.steps[0])
        return self

    def __exit__(self, *exception: object) -> None:
        if self._bar:
            self._bar.stop()

    def done(self, step: str) -> None:
        """A step is done, and the next one begins."""
        if self._bar:
            place = self.steps.index(step) + 1
            self._bar.update(self._task, completed=place, state="".join(self.steps[place : place + 1]))

    def turn(self, number: int) -> None:
        """A turn of a game begins."""
        if self._bar:
            (task,) = self._bar.tasks
            step = self.steps[min(int(task.completed), len(self.steps) - 1)]
            self._bar.update(self._task, state=f"{step}, turn {number}")


def score(meeting: Meeting) -> str:
    """A share, its 95 % interval, how likely the first is better: `61.2 % (57.8 to 64.5), LOS 99.8 %`."""
    if not sum(meeting.pairs):
        return ""
    los = statistics.likely(statistics.superiority(meeting.pairs))
    return f"{statistics.words(meeting.pairs)}, LOS {los}"


def track(items: Iterable[Item], what: str, total: int | None = None) -> Iterator[Item]:
    """The items one by one; a bar on standard error, if that is a terminal, says how many are done.

    `total` where their number is not to be had from `len`.
    """
    if not sys.stderr.isatty():
        yield from items
        return
    with _bar(what) as bar:
        yield from bar.track(items, total=total)


def _bar(what: str) -> Any:
    """A bar that counts something; in colour where the terminal has any and NO_COLOR does not forbid it."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, ProgressColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar
    from rich.text import Text

    class Rate(ProgressColumn):
        """How many a second."""

        def render(self, task: Any) -> Text:
            return Text(f"{task.speed:.2f}/s" if task.speed else "")

    class State(ProgressColumn):
        """What else there is to say."""

        def render(self, task: Any) -> Text:
            return Text(f"left  {task.fields.get('state', '')}")

    columns = [
        BarColumn(bar_width=20),
        MofNCompleteColumn(),
        TextColumn(what, markup=False),
        Rate(),
        TimeRemainingColumn(compact=True),
        State(),
    ]
    # What is printed meanwhile goes above the bar, unless it goes to a file.
    return Bar(*columns, console=Console(stderr=True), redirect_stdout=sys.stdout.isatty())
