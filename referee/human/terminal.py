"""A human at the keyboard: lists and completes the legal actions, reads what is typed, and answers it.

Works without a terminal too, from a pipe: a line an answer, and the end of input leaves the game.
"""

import getpass
import os
import shutil
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import TextIO

from referee.human import typed_actions
from referee.human.person import Person, PersonLeft
from referee.match.loop import Match, Resigned, TakeBack
from referee.match.planned import PlannedGame
from referee.rules import Action
from referee.view.terminal import escaped

ENDED = 130  # the exit code at the end of input, which is that of an interruption
LISTED = 40  # legal actions that are listed unasked
HELP = """\
an action, as in {example!r}, in any spacing and case, or its number in the list
  list [words]   the legal actions, or those that have these words
  board          the board once more
  hint           what our agent would play, after a short look
  undo           take your last choice back, and what the agent played since
  resign         give the game to the other player
  quit           leave; the game stays unfinished
  help           this"""
COMMANDS = ("list", "board", "hint", "undo", "resign", "quit", "help")


class TimeUp(Exception):
    """The person's time is used up while they type."""


class TerminalSeat(Person):
    """Asks at the keyboard.  What is said goes to `out`, each line beginning with `*`."""

    def __init__(self, planned: PlannedGame, player: int, out: TextIO, unicode: bool = False):
        super().__init__(planned, player)
        self.out = out
        self.unicode = unicode
        self._helped = False
        if sys.stdin is None:  # closed by whoever started this
            sys.stdin = open(os.devnull, encoding="utf-8")
        if hasattr(sys.stdin, "reconfigure"):
            sys.stdin.reconfigure(errors="replace")  # what is no text is a mistake like others

    def say(self, text: str) -> None:
        for line in text.split("\n"):
            print(f"* {line}".rstrip(), file=self.out, flush=True)

    def choose(self, match: Match) -> Action:
        legal = match.state.actions(self.player)
        if not self._helped:
            self.say("type an action, or one of: " + ", ".join(COMMANDS))
            self._helped = True
        if len(legal) <= LISTED:
            self._list(legal)
        else:
            some = ", ".join(typed_actions.numbered(legal)[:3])
            self.say(f"{len(legal)} legal actions, such as {some}; see: list")
        with completing([*COMMANDS, *map(typed_actions.spell, legal)]), self._in_time():
            while True:
                chosen = self._answer(match, legal, self._line(match))
                if chosen is not None:
                    return chosen

    def _answer(self, match: Match, legal: list[Action], line: str) -> Action | None:
        """The action that the line means; None if something else was to be done, or it means nothing."""
        command, *more = line.split() or [""]
        match command.lower():
            case "":
                pass
            case "help" | "?":
                self.say(HELP.format(example=typed_actions.spell(legal[0])))
            case "list":
                self._list(legal, typed_actions.words(" ".join(more)))
            case "board":
                self.say(match.state.draw(unicode=self.unicode, large=True))
            case "hint":
                self.say(self.hint(match))
            case "undo":
                if refusal := self.refusal_to_take_back(match):
                    self.say(refusal)
                else:
                    raise TakeBack(self.player)
            case "resign":
                raise Resigned
            case "quit" | "exit":
                raise PersonLeft
            case _:
                try:
                    return typed_actions.read(line, legal, match.state.COLOURS[self.player], self.player)
                except typed_actions.Mistake as mistake:
                    self.say(escaped(str(mistake)))
        return None

    def taken_back(self, match: Match) -> None:
        self.say(f"taken back: turn {match.number + 1} once more")

    def _list(self, legal: list[Action], beginning: list[str] | None = None) -> None:
        listed = typed_actions.numbered(legal, beginning or ())
        if not listed:
            self.say("no legal action has that; `list` alone shows all")
            return
        width = max(map(len, listed)) + 2
        across = max(1, (shutil.get_terminal_size().columns - 2) // width)
        rows = [listed[start : start + across] for start in range(0, len(listed), across)]
        self.say(
            "legal: " + "  ".join(listed)
            if len(rows) == 1 and width * len(listed) < 70
            else "\n".join("".join(cell.ljust(width) for cell in row).rstrip() for row in rows)
        )

    # The keyboard

    def _line(self, match: Match) -> str:
        """A line that was typed; PersonLeft at the end of input."""
        prompt = f"* {match.state.COLOURS[self.player]}: "
        hidden = self._is_watched(match)
        try:
            if hidden:
                return getpass.getpass(f"{prompt}(not shown, as both choose at once) ", self.out)
            is_typed = sys.stdin.isatty()
            if is_typed and self.out is sys.stdout:
                return input(prompt)  # which readline must know the length of
            print(prompt, end="" if is_typed else "\n", file=self.out, flush=True)
            return input()
        except EOFError:
            print(file=self.out)
            raise PersonLeft("the input has ended", ENDED) from None
        except (KeyboardInterrupt, TimeUp):
            print(file=self.out)
            raise

    def _is_watched(self, match: Match) -> bool:
        """Whether another person at this terminal chooses after this one, in the same turn."""
        is_first = len(match.state.to_act()) == 2 and self.player == 0
        return is_first and isinstance(match.seats[1], TerminalSeat) and sys.stdin.isatty()

    @contextmanager
    def _in_time(self) -> Iterator[None]:
        """Ends the question when the time is up; where the system has no such alarm it is seen after."""
        left = self.cpu_left
        has_alarm = hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()
        if left is None or not has_alarm:
            yield
            return

        def ring(*_: object) -> None:
            raise TimeUp

        before = signal.signal(signal.SIGALRM, ring)
        signal.setitimer(signal.ITIMER_REAL, max(left, 0.001))
        try:
            yield
        except TimeUp:
            raise self.out_of_time() from None
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)


def _readline() -> ModuleType | None:
    if not sys.stdin.isatty():
        return None
    try:
        import readline
    except ImportError:
        return None
    return readline


@contextmanager
def completing(candidates: list[str]) -> Iterator[None]:
    """While this lasts, the tab key completes what is typed, where readline is there and reads a terminal."""
    readline = _readline()
    if not readline:
        yield
        return

    def complete(text: str, number: int) -> str | None:
        fitting = [one for one in candidates if one.lower().startswith(text.lower())]
        return fitting[number] if number < len(fitting) else None

    before, delimiters = readline.get_completer(), readline.get_completer_delims()
    readline.set_completer(complete)
    readline.set_completer_delims("")  # an action has blanks within
    is_libedit = "libedit" in (readline.__doc__ or "")
    readline.parse_and_bind("bind ^I rl_complete" if is_libedit else "tab: complete")
    try:
        yield
    finally:
        readline.set_completer(before)
        readline.set_completer_delims(delimiters)
