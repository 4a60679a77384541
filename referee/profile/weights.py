"""What was written down of a turn, as samples with weights: the CPU time that each one stands for.

Samples come at the ticks of the system, and the player is kept waiting at moments that have nothing to do
with them (timers.py): so each place of the turn is met as often as it takes long, C code too, and a sample
stands for one tick.  Only a long call of the system, which no signal interrupts, is met once, at its end; a
note of the CPU time used tells how long it was.  Threads of C code are not sampled: what they used by their
own clocks falls to where Python's threads were then.
"""

import opcode
import os
import re
from collections.abc import Iterable, Iterator
from statistics import median
from types import FrameType
from typing import NamedTuple

FRAME = re.compile(r'  File "(.*)", line ([0-9]+|\?\?\?) in (.*)', re.DOTALL)
CUT = "  ..."  # in place of the outer frames of a stack of more than 100
ESCAPE = re.compile(r"\\x([0-9a-f]{2})|\\u([0-9a-f]{4})|\\U([0-9a-f]{8})")
BEGAN, USED = "began", "used"  # begin the lines that say what CPU time was used, in all and by others
RESUMED = "resumed"  # the same after the player was kept waiting
WAITS = "waits"  # the same where it waited itself, at a place that Python's handler knows
OUTER = "outer"  # the line before outer frames that it knows
RETURNED = "returned"  # the line before the frames that were left when it knew of a deep stack
WENT_ON = "went on"  # the same where the innermost one has called something else by then
NOTE = re.compile(rf"({BEGAN}|{RESUMED}|{USED}|{WAITS}) ([0-9]+\.[0-9]+) (-?[0-9]+\.[0-9]+)")
UNKNOWN = -1.0  # of what others used, for a copy that is sampled from a later moment on
DEEPEST = 100  # frames of a stack that faulthandler writes down
RESUME = opcode.opmap["RESUME"]  # the first instruction of a function, and those after its `yield`s

Place = tuple[str, str, int]  # file, name of the function, line


class Cut(NamedTuple):
    """Of a stack whose outer places are missing what is known of them."""

    left: tuple[Place, ...] = ()  # those of it that were left soon after, innermost first
    went_on: bool = False  # whether the first of these has come to a later line by then


Look = tuple[list[Place], Cut | None]  # places, innermost first, and whether outer ones are missing
Sample = tuple[float, list[Place], Cut | None]  # the same with its seconds


class Group(NamedTuple):
    """What came between two notes: the looks, and the CPU seconds used, those of threads of C code apart."""

    looks: list[Look]
    used: float
    others: float = 0.0
    waits: bool = False  # Python's threads used none


def parsed(lines: Iterable[str]) -> Iterator[Group]:
    """The samples that each note closes; a stack begins with a line that is not indented.

    Left out is what was written before `began`, by a copy that crashed, and before `resumed`.
    """
    before, others_before = 0.0, UNKNOWN
    looks: list[Look] = [([], None)]
    handler: dict[str, list[Place]] = {}  # what Python's handler tells of outer frames, by the line before
    told: list[Place] | None = None
    for text in lines:
        text = text.removesuffix("\n")
        places, _ = looks[-1]
        if text == CUT:
            looks[-1] = places, Cut()
        elif found := FRAME.fullmatch(text):
            number = int(found[2]) if found[2].isdigit() else 0
            (places if told is None else told).append((_unescaped(found[1]), _unescaped(found[3]), number))
        elif places:
            looks.append(([], None))
        if text in (OUTER, RETURNED, WENT_ON):
            told = handler[text] = []
        note = NOTE.fullmatch(text)  # none if a thread wrote its stack in between
        if not note:
            continue
        word, used, others = note[1], float(note[2]), float(note[3])
        more = max(0.0, others - others_before) if others_before != UNKNOWN else 0.0
        if word == WAITS and looks[:-1]:  # looks at other threads may be there besides
            yield Group([looks[-2]], 0.0, more, waits=True)
            others_before, looks = others, [*looks[:-2], ([], None)]
        if word == WAITS:
            continue
        if word == USED and looks[:-1]:
            whole = [_whole(*look, handler) for look in looks[:-1]]
            yield Group(whole, max(0.0, used - others - before), more)
        if word == BEGAN or word == USED and looks[:-1]:  # else it is the next look's
            others_before = others
        before, looks, handler, told = used - max(0.0, others), [([], None)], {}, None


def _whole(places: list[Place], cut: Cut | None, handler: dict[str, list[Place]]) -> Look:
    """The stack with its outer frames, if they are of this one: they may be of another thread."""
    if cut is None:
        return places, None
    outer = handler.get(OUTER, [])
    if any(place[:2] == places[-1][:2] for place in outer):
        return [*places, *outer], None
    for word in (RETURNED, WENT_ON):
        if word in handler:
            return places, Cut(tuple(handler[word]), word == WENT_ON)
    return places, cut


def outer_frames(frame: FrameType | None, was_cut: bool) -> str:
    """What faulthandler leaves out of a deep stack, as it would write it; of recursion each line once.

    A deep stack that was cut may have returned by now: Python's handlers have their turn where a function
    begins and where a loop goes on.  What is left of it then is told.
    """
    places = list(places_of(frame))
    if len(places) > DEEPEST:
        return f"\n{OUTER}\n{written(dict.fromkeys(places[DEEPEST - 1 :]))}"
    if frame and was_cut:
        begins = has_just_begun(frame)
        return f"\n{WENT_ON if begins else RETURNED}\n{written(places[begins:])}"
    return ""


def has_just_begun(frame: FrameType) -> bool:
    """Whether a function has been called, and nothing more yet."""
    code, last = frame.f_code.co_code, frame.f_lasti
    return bool(code[last] == RESUME and code[last + 1] == 0 and frame.f_back)


def places_of(frame: FrameType | None) -> Iterator[Place]:
    """The places of a stack, innermost first."""
    while frame:
        yield frame.f_code.co_filename, frame.f_code.co_name, frame.f_lineno or 0
        frame = frame.f_back


def written(places: Iterable[Place]) -> str:
    """A stack as faulthandler would write it."""
    rows = (f'  File "{file}", line {line or "???"} in {name}\n' for file, name, line in places)
    return "".join(rows).encode("ascii", "backslashreplace").decode()


def weighed(groups: Iterable[Group], tick: float | None) -> Iterator[Sample]:
    """Each sample with its weight; None for a system of which it is not known how often it ticks."""
    groups = list(groups)
    tick = tick or median([group.used / len(group.looks) for group in groups if not group.waits] or [0.0])
    for looks, used, others, waits in groups:
        # A tick's time before the first sample, or after the last one, may be that of other code.
        ticks = used / tick - 0.5 if tick else 0.0
        own = tick * (ticks / len(looks) if ticks >= len(looks) + 1 else 1.0)
        weight = (0.0 if waits else own) + others / len(looks)
        yield from ((weight, *look) for look in looks)


def _unescaped(text: str) -> str:
    """A name of which faulthandler has written only ASCII as it is."""
    if "\\" not in text or os.path.exists(text):
        return text
    return ESCAPE.sub(lambda found: chr(int(found[1] or found[2] or found[3], 16)), text)
