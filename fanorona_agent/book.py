"""The opening book: what long searches found for the first turns.

Each line has the hops played since the start and the turn to play then; behind it what the search said
of it, for its mover.  Light's first turn by the 1130 rules leaves him even or ahead after each of the four
answers, two of which lose; of F3-E2-A, which deep analysis elsewhere prefers, searches of two million
nodes thought as much, but in play it came to less.

    python -m fanorona_agent.train.openings --variant 1130

There is none for the 1100 rules: it gained nothing (EXPERIMENTS.md).
"""

from typing import Dict, List

from . import hops
from .notation import from_action
from .position import START, Position

LINES: Dict[str, str] = {
    "": "D2-E2-A",  # +17, 19 turns deep
    "D2-E2-A D1-D2-A": "E2-F2-W",  # +421, 23
    "D2-E2-A F1-F2-A": "E2-D2-W",  # +284, 23
    "D2-E2-A C2-D2-A": "F3-F2-A P",  # -12, 18
    "D2-E2-A C2-D2-W": "D3-C2-A C2-B2-W B2-B1-A",  # +105, 21
    "F3-E2-A": "D0-D1-A P",  # -97, 18
    "E3-E2-A": "F1-E0-W P",  # +163, 25
    "D3-E2-A": "G1-G0-W G0-F1-A P",  # +154, 19
    "D2-E2-A": "C2-D2-A",  # -2, 18
    "D2-E2-W": "D1-D2-A D2-C2-A P",  # +153, 18
}


def book(has_pass: bool) -> Dict[Position, List[hops.Hop]]:
    """The turns to play, by position; none where there is no Pass, as in the 1100 rules."""
    found = {}
    for line, turn in LINES.items() if has_pass else ():
        position, seen = START, frozenset()
        for text in line.split():
            position, seen = hops.after(position, seen, from_action(text), has_pass)
        found[position] = [from_action(text) for text in turn.split()]
    return found
