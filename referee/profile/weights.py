"""What was written down of a turn, as samples with weights: the CPU time that each one stands for.

Samples come at the ticks of the system, and the player is kept waiting at moments that have nothing to do
with them (timers.py): so each place of the turn is met as often as it takes long, C code too, and a sample
stands for one tick.  Only what no signal can interrupt is met less often, at its end: a long call of the
system, threads of C code that ran while the player slept.  A note of the CPU time used tells how long it was.
"""

import os
import re
from collections.abc import Iterable, Iterator
from statistics import median
from types import FrameType

FRAME = re.compile(r'  File "(.*)", line ([0-9]+|\?\?\?) in (.*)', re.DOTALL)
CUT = "  ..."  # in place of the outer frames of a stack of more than 100
ESCAPE = re.compile(r"\\x([0-9a-f]{2})|\\u([0-9a-f]{4})|\\U([0-9a-f]{8})")
BEGAN, USED = "began", "used"  # begin the lines that say what CPU time the process has used
OUTER = "outer"  # the line before outer frames that Python's handler knows
DEEPEST = 100  # frames of a stack that faulthandler writes down

Place = tuple[str, str, int]  # file, name of the function, line
Sample = tuple[float, list[Place], bool]  # seconds, places, innermost first, whether outer ones are missing
Group = tuple[float, list[tuple[list[Place], bool]]]  # between two notes: CPU time used, and the samples


def parsed(lines: Iterable[str]) -> Iterator[Group]:
    """The samples that each note closes; a stack begins with a line that is not indented.

    What comes before `began` is left out: there the player was kept waiting, or a copy of it crashed.
    """
    before = 0.0
    looks: list[tuple[list[Place], bool]] = [([], False)]
    outer: list[Place] | None = None  # a list from where the outer frames of deep stacks are told
    for text in lines:
        text = text.removesuffix("\n")
        places, _ = looks[-1]
        if text == CUT:
            looks[-1] = places, True
        elif found := FRAME.fullmatch(text):
            number = int(found[2]) if found[2].isdigit() else 0
            place = _unescaped(found[1]), _unescaped(found[3]), number
            (places if outer is None else outer).append(place)
        elif places:
            looks.append(([], False))
        word, _, seconds = text.partition(" ")
        if word == OUTER:
            outer = []
        elif word in (BEGAN, USED):
            used = float(seconds)
            if word == USED and looks[:-1]:
                yield max(0.0, used - before), [_whole(*look, outer or []) for look in looks[:-1]]
            before, looks, outer = used, [([], False)], None


def _whole(places: list[Place], is_cut: bool, outer: list[Place]) -> tuple[list[Place], bool]:
    """The stack with its outer frames, if they are of this one: they may be of another thread."""
    if is_cut and any(place[:2] == places[-1][:2] for place in outer):
        return [*places, *outer], False
    return places, is_cut


def outer_frames(frame: FrameType | None) -> str:
    """What faulthandler leaves out of a deep stack, as it would write it; of recursion each line once."""
    places = []
    while frame:
        places.append((frame.f_code.co_filename, frame.f_code.co_name, frame.f_lineno))
        frame = frame.f_back
    if len(places) <= DEEPEST:
        return ""
    rows = [f'  File "{file}", line {line or "???"} in {name}' for file, name, line in places[DEEPEST - 1 :]]
    text = "\n".join([OUTER, *dict.fromkeys(rows)])
    return f"\n{text.encode('ascii', 'backslashreplace').decode()}\n"


def weighed(groups: Iterable[Group], tick: float | None) -> Iterator[Sample]:
    """Each sample with its weight; None for a system of which it is not known how often it ticks."""
    groups = list(groups)
    tick = tick or median([used / len(samples) for used, samples in groups] or [0.0])
    for used, samples in groups:
        # A tick's time before the first sample, or after the last one, may be that of other code.
        ticks = used / tick - 0.5 if tick else 0.0
        weight = max(tick, tick * ticks / len(samples)) if ticks >= len(samples) + 1 else tick
        yield from ((weight, *sample) for sample in samples)


def _unescaped(text: str) -> str:
    """A name of which faulthandler has written only ASCII as it is."""
    if "\\" not in text or os.path.exists(text):
        return text
    return ESCAPE.sub(lambda found: chr(int(found[1] or found[2] or found[3], 16)), text)
