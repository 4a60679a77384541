"""A match in a terminal: the board each turn, whose turn it is, what each player has used, the result.

Every line of the referee's begins with `*`; what a player printed is shown behind a bar and its name,
so that neither can be taken for the other.
"""

import os
import re
import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import TextIO

from referee.match import statistics
from referee.match.loop import Match, MatchResult, Seat, Turn, Watcher
from referee.rules import Action, plain

ESCAPE = re.compile(r"\x1b\[[0-9;]*m")  # a colour, which takes no room
COLOURS = ("bold cyan", "bold magenta")  # of the two players' pieces; both can be read on dark and on light
OUTPUT_LINES = 40  # of a player's, shown a turn
OUTPUT_WIDTH = 300

Painter = Callable[[str, int], str]


def painter(file: TextIO, wanted: bool | None = None) -> Painter:
    """Colours the pieces if `wanted`; where nobody said, if the file is a terminal that shows colours.

    NO_COLOR and FORCE_COLOR in the environment are heard, and TERM=dumb.
    """
    if wanted is False or wanted is None and not file.isatty() and not os.environ.get("FORCE_COLOR"):
        return plain
    from rich.color import ColorSystem  # here, since most runs are not coloured: it takes 50 ms
    from rich.console import Console
    from rich.style import Style

    if wanted is None:
        console = Console(file=file)
        if console.no_color or not console.color_system:
            return plain
    styles = [Style.parse(colour) for colour in COLOURS]
    return lambda text, player: styles[player].render(text, color_system=ColorSystem.STANDARD)


def moves(file: TextIO) -> bool:
    """Whether it is a terminal on which the cursor can go up."""
    return file.isatty() and os.environ.get("TERM", "dumb") not in ("dumb", "unknown")


def shows_unicode(file: TextIO) -> bool:
    """Whether the file takes any character."""
    return (getattr(file, "encoding", None) or "").lower().replace("-", "").startswith("utf")


class Redrawn:
    """Lines on a terminal that are drawn again in the same place, until something else is to be seen."""

    def __init__(self, file: TextIO):
        self.file = file
        self._rows = 0  # that the lines last drawn take

    def draw(self, lines: Sequence[str]) -> None:
        """Draw the lines in the place of the last ones; what does not fit the screen scrolls."""
        self.clear()
        columns, height = shutil.get_terminal_size()
        self.file.write("".join(f"{line}\n" for line in lines))
        self.file.flush()
        rows = sum(max(1, -(-len(ESCAPE.sub("", line)) // columns)) for line in lines)
        self._rows = rows if rows < height else 0

    def clear(self) -> None:
        """Take the lines off the screen."""
        if self._rows:
            self.file.write(f"\x1b[{self._rows}A\r\x1b[J")
            self._rows = 0


class Terminal(Watcher):
    """Shows a match.  Verbosity 0: the result; 1: and what is played; 2: and the board; 3: large.

    With `in_place` the board is drawn in the same place turn by turn, and the last one is left standing.
    """

    def __init__(
        self,
        verbosity: int = 2,
        unicode: bool = False,
        paint: Painter = plain,
        numbered: bool = False,
        file: TextIO | None = None,
        in_place: bool = False,
    ):
        self.verbosity = verbosity
        self.unicode = unicode
        self.paint = paint
        self.numbered = numbered  # one of several games: the result says which
        self.file = file or sys.stdout
        self.game = 0
        self.frame = Redrawn(self.file) if in_place else None
        self._lines: list[str] | None = None  # of a frame that is being made
        self._played: list[str] = []  # in the last turn, to be shown in the next frame
        self.isolation = ""  # the line on its level, where there is one

    def say(self, text: str = "") -> None:
        """Write a line of the referee's, or several."""
        lines = [f"* {line}".rstrip() for line in text.split("\n")]
        if self._lines is not None:
            self._lines += lines
            return
        for line in lines:
            print(line, file=self.file, flush=True)

    def begin(self, match: Match) -> None:
        self.game += 1
        if self.verbosity:
            self.say(f"{self._number()}{self.title(match, 0)} against {self.title(match, 1)}")

    def opened(self, match: Match, chosen: Mapping[int, Action]) -> None:
        if self.verbosity:
            for player, action in sorted(chosen.items()):
                self.say(f"opening: {self.paint(match.state.COLOURS[player], player)} {action!r}")

    def ask(self, match: Match) -> None:
        if not self.verbosity:
            return
        if self.frame:
            self._lines = list(self._played)
        self._board(match)
        titles = [self.title(match, player) for player in match.state.to_act()]
        self.say(f"turn {match.number}: {' and '.join(titles)} to play")
        for player, seat in enumerate(match.seats):
            self.say(f"  {self.title(match, player)}: {usage(seat)}")
        if self.frame:
            drawn, self._lines = self._lines or [], None
            self.frame.draw(drawn)

    def turn(self, match: Match, turn: Turn) -> None:
        if not (self.verbosity and turn.played):
            return
        played = [
            f"turn {turn.number}: {self.title(match, player)} plays {action!r}"
            for player, action in sorted(turn.chosen.items())
        ]
        if self.frame:
            self._played = [f"* {line}" for line in played]
        else:
            self.say("\n".join(played))

    def printed(self, match: Match, player: int, text: str) -> None:
        """Show what a player printed; nothing in it may move the cursor or be taken for the referee's."""
        if not self.verbosity:
            return
        if self.frame:
            self.frame.clear()
        lines = text.splitlines()
        for line in lines[:OUTPUT_LINES]:
            print(f"  | {match.title(player)}: {escaped(line[:OUTPUT_WIDTH])}", file=self.file)
        if len(lines) > OUTPUT_LINES:
            left_out = len(lines) - OUTPUT_LINES
            print(f"  | {match.title(player)}: ({left_out} more lines)", file=self.file)

    def end(self, match: Match, result: MatchResult) -> None:
        if self.frame:
            self.frame.clear()
            for line in self._played:
                print(line, file=self.file)
            self._played = []
        is_illegal = result.ending == "illegal action"
        self._board(match, least=1 if is_illegal else 2)
        if self.verbosity:
            for player, seat in enumerate(match.seats):
                self.say(f"  {self.title(match, player)}: {usage(seat)}")
        for warning in result.warnings:
            self.say(f"warning: {warning}")
        for note in result.notes:
            self.say(f"note: {note}")
        self.say(self._number() + sentence(match.titles, result))

    def score(
        self,
        names: Sequence[str],
        points: Sequence[float],
        share: float,
        interval: Sequence[float] | None,
        openings: int,
    ) -> None:
        """The score after all games, with the 95 % interval of the first player's."""
        bar = statistics.bar(interval, 100) or " (no error bar below two pairs)"
        half = "; the last pair is half" if sum(points) % 2 and sum(points) > 1 else ""
        level = f"; {self.isolation}" if self.isolation else ""
        said = f"score: {names[0]} {points[0]:g}, {names[1]} {points[1]:g}"
        if sum(points) > 1:  # of one game a share says nothing
            different = "1 different opening" if openings == 1 else f"{openings} different openings"
            said += f": {100 * share:.1f} %{bar}, {different}"
        self.say(f"{said}{level}{half}")

    def title(self, match: Match, player: int) -> str:
        return self.paint(match.title(player), player)

    def _number(self) -> str:
        return f"game {self.game}: " if self.numbered else ""

    def _board(self, match: Match, least: int = 2) -> None:
        """Draw it, from a verbosity on."""
        if self.verbosity >= least:
            drawn = match.state.draw(unicode=self.unicode, large=self.verbosity >= 3, paint=self.paint)
            self.say()
            self.say("\n".join(f"  {line}" for line in drawn.split("\n")))
            self.say()


def usage(seat: Seat) -> str:
    """What a player has used: `0.52 s used, 59.48 s left, 3.1 MB`."""
    left = "" if seat.cpu_left is None else f", {seat.cpu_left:.2f} s left"
    return f"{seat.cpu:.2f} s used{left}, {seat.megabytes:.1f} MB"


def sentence(titles: Sequence[str], result: MatchResult) -> str:
    """The result on one line; `titles` are what the players are called, by seat.

    The times stand in the order in which the sentence names the players.
    """
    turns = f"{result.turns} {'turn' if result.turns == 1 else 'turns'}"
    first = result.winner or 0
    used = f"{turns}, {result.cpu[first]:.2f} and {result.cpu[1 - first]:.2f} s"
    verb = f"and {titles[1]} draw" if result.winner is None else f"beats {titles[1 - first]}"
    return f"{titles[first]} {verb}: {result.reason.removeprefix('draw: ')} ({used})"


def escaped(text: str) -> str:
    """The text with everything escaped that is not a character to look at."""
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in text)
