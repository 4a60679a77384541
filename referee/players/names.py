"""What a player is called on the command line, and what that names; nothing is imported here.

kalaha_agent  course.team        what Python would import by that name, here or installed
./team  team/  dir/team  solo.py a folder or a file; in a package, see package_finder.py
team.zip                         a package as it is handed in
team:Careful                     the class, where it is neither Player nor ExamplePlayer
team:Careful,depth=4,book=None   more arguments of its constructor: Python literals, else strings
exec:./engine --depth 5          a program in any language: see PROTOCOL.md
alpha=./team_a,depth=3           called alpha wherever it is shown
random  greedy                   the referee's own players
human                            a person, in `play`
"""

import ast
import os
import re
from dataclasses import dataclass, replace
from keyword import iskeyword
from typing import Any

from referee import UsageError
from referee.players import programs
from referee.players.package_finder import ROOT, located, places, short
from referee.players.text import on_one_line

__all__ = ["ROOT", "Spec", "places", "resolve"]

BASELINE = "referee.players.baseline"  # the module of the referee's own players
OWN = {"random": "Random", "greedy": "Greedy"}
HUMAN = "human"
HERE = "(here)"  # the module of a player that is an object of this process, and is found by no name
LABEL = re.compile(r"(\w[\w .+-]{0,39})=(?=[^=\s])")
NEXT_ARGUMENT = re.compile(r",(?=\s*\w+\s*=)")  # a comma may also be part of a value


@dataclass(frozen=True)
class Spec:
    """Who plays, in plain data that can be written down and sent elsewhere."""

    name: str  # as typed, or the label before it; safe to show
    module: str  # what to import
    folder: str  # from where: the absolute path that comes first on the player's sys.path
    cls: str | None  # None: Player, else ExamplePlayer
    arguments: tuple[tuple[str, Any], ...] = ()  # of the constructor, besides
    program: tuple[str, ...] = ()  # the words that start it, where it is no Python package; run in `folder`

    @property
    def is_the_referees(self) -> bool:
        """Whether it is one of the referee's own players; a program's function is not."""
        return self.module == BASELINE and self.cls in OWN.values()

    @property
    def is_told_the_game(self) -> bool:
        """Whether it plays several games: the referee's own players do, and programs may."""
        return self.module == BASELINE or bool(self.program)


def resolve(text: str, person: bool = False) -> Spec:
    """What the text names; UsageError in one sentence if that is nothing a player could be.

    Only with `person` may it be a human: whoever calls then has a seat for one.
    """
    if text.startswith(programs.PREFIX):
        return Spec(on_one_line(text), "", os.getcwd(), None, program=programs.words_of(text))
    label = None if _is_there(text) else LABEL.match(text)
    if label:
        named = text[label.end() :]
        if label[1].isidentifier() and not isinstance(_argument(text, text)[1], str) and not _is_there(named):
            raise UsageError(
                f"{short(text)} is no player; an argument of its constructor follows a player behind a comma "
                f"and no space, as in my_team,{on_one_line(text)[:40]}"
            )
        return replace(resolve(named, person), name=label[1])
    head, *arguments = [text] if _is_there(text) else NEXT_ARGUMENT.split(text)
    name, cls = _split_class(head)
    found = tuple(_argument(one, text) for one in arguments)
    shown = on_one_line(text)
    if len({key for key, _ in found}) < len(found):
        raise UsageError(f"player {short(text)} sets the same argument twice")
    if name in OWN and cls in (None, OWN[name]):
        return Spec(shown, BASELINE, str(ROOT), OWN[name], found)
    if name == HUMAN and (cls or found):
        raise UsageError(f"a human takes no class and no arguments: write {HUMAN!r}, not {short(text)}")
    if name == HUMAN and not person:
        raise UsageError("a human plays in `play` alone, where somebody waits; name an agent here")
    if name == HUMAN:
        return Spec(shown, HUMAN, str(ROOT), None)
    folder, module = located(name, known=(*OWN, HUMAN))
    return Spec(shown, module, folder, cls, found)


def _split_class(head: str) -> tuple[str, str | None]:
    name, colon, cls = head.rpartition(":")
    if not colon or _is_there(head):
        return head, None
    if cls.isidentifier() and name:
        return name, cls
    raise UsageError(f"player {short(head)} should be written package:Class, with the name of a class")


def _argument(text: str, player: str) -> tuple[str, Any]:
    name, _, value = (part.strip() for part in text.partition("="))
    if not name.isidentifier() or iskeyword(name):
        raise UsageError(f"player {short(player)}: no argument is called {short(name)}; write name=value")
    try:
        literal = ast.literal_eval(value)
        ast.literal_eval(repr(literal))  # it goes to the player in this form; 1e999 cannot
        return name, literal
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return name, value


def _is_there(path: str) -> bool:
    return bool(path) and os.path.exists(path)
