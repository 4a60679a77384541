"""Reads actions as people write them, in many spellings, and names the nearest legal ones to a mistake.

An action is its words and numbers: `MOVE 1 (0, 1) (0, 2)` may be typed `move 1 0 1 0 2`, `Move 1 from
(0,1) to (0,2).` as the course's log has it, or as the Python tuple.  A lone number is the action's in
the list of the legal ones, unless the game's actions are numbers themselves.
"""

import re
from collections.abc import Sequence
from difflib import SequenceMatcher

from referee.rules import Action

FILLERS = ("from", "to", "at", "symbol")  # of the courses' logs
NEAR = 8  # legal actions named beside a mistake
LONGEST = 200  # characters that are read of a line
DASHES = dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2212"), "-")  # as keyboards and pages have them
WORD = re.compile(r"[a-z]+|[-+]?[0-9]+")


class Mistake(Exception):
    """What was typed is no legal action; says so, and what is near."""


def spell(action: Action) -> str:
    """The action as a person would write it: `BOOM (0, 0)`, `E3-E2-A`, `3`."""
    if isinstance(action, tuple):
        parts = [str(part) for part in action]
        return " ".join(parts)
    return str(action)


def words(text: str) -> list[str]:
    """The words and numbers of a text, without those that only fill."""
    found = WORD.findall(text[:LONGEST].lower().translate(DASHES))
    return [word if word.isalpha() else str(int(word)) for word in found if word not in FILLERS]


def read(text: str, legal: Sequence[Action], colour: str, player: int) -> Action:
    """The legal action that the text means; Mistake if there is none."""
    typed = words(text)
    if typed[:1] == [colour.lower()]:
        typed = typed[1:]
    spelled = {tuple(words(spell(action))): action for action in legal}
    if tuple(typed) in spelled:
        return spelled[tuple(typed)]
    several_numbers = all(len(every) > 1 and not any(map(str.isalpha, every)) for every in spelled)
    if several_numbers and typed[-1:] == [str(player)] and tuple(typed[:-1]) in spelled:
        return spelled[tuple(typed[:-1])]  # as Pentago's server has it: the player comes last
    if len(typed) == 1 and typed[0].isdigit() and not _numbers(legal):
        if 1 <= int(typed[0]) <= len(legal):
            return legal[int(typed[0]) - 1]
        raise Mistake(f"the list of legal actions has the numbers 1 to {len(legal)}, not {typed[0]}")
    raise Mistake(mistake(text, typed, legal))


def numbered(legal: Sequence[Action], beginning: Sequence[str] = ()) -> list[str]:
    """The legal actions with their numbers, as lists show them; those that have these words."""
    kept = [
        (number, action)
        for number, action in enumerate(legal, 1)
        if not beginning or _has(words(spell(action)), beginning)
    ]
    if _numbers(legal):
        return [spell(action) for _, action in kept]
    return [f"{number}: {spell(action)}" for number, action in kept]


def mistake(text: str, typed: Sequence[str], legal: Sequence[Action]) -> str:
    """What is wrong with the text, and the nearest of what is legal."""
    said = repr(text.strip()[:60])
    if len(legal) <= NEAR:
        return f"{said} is not legal here; legal are {', '.join(numbered(legal))}"
    listed = numbered(legal)
    ranked = sorted(range(len(legal)), key=lambda index: -_likeness(typed, words(spell(legal[index]))))
    near = [listed[index] for index in ranked[:NEAR]]
    return f"{said} is not legal here; nearest of the {len(legal)} legal ones are {', '.join(near)}"


def _numbers(legal: Sequence[Action]) -> bool:
    return all(isinstance(action, int) for action in legal)


def _has(whole: Sequence[str], part: Sequence[str]) -> bool:
    return any(list(whole[place : place + len(part)]) == list(part) for place in range(len(whole)))


def _likeness(typed: Sequence[str], legal: Sequence[str]) -> float:
    """How near: first how far they begin alike, then how much they have in common."""
    alike = next((n for n, (a, b) in enumerate(zip(typed, legal, strict=False)) if a != b), len(typed))
    return alike + SequenceMatcher(None, list(typed), list(legal)).ratio()
