"""The opening book: what long searches found for the first turns.

Each line has the hops played since the start and the turn to play then; behind it what the search said
of it, for its mover.  Light's first turn by the 1130 rules is the one that deep analysis elsewhere calls
the best by far; the rest was made, with the numbers that evaluate.py had then, by

    python -m fanorona_agent.train.openings --variant 1130 --first F3-E2-A
    python -m fanorona_agent.train.openings --variant 1100
"""

from typing import Dict, List

from . import hops
from .notation import from_action
from .position import START, Position

LINES: Dict[bool, Dict[str, str]] = {
    True: {  # 1130
        "": "F3-E2-A",
        "F3-E2-A D0-D1-A D1-C0-W": "E3-E2-A E2-D2-W",  # +10, 10 turns deep
        "F3-E2-A C2-D1-W D1-C0-W": "D3-C2-A C2-D1-A D1-E2-W",  # +153, 8
        "F3-E2-A D0-D1-A P": "E2-D2-W D2-D3-W",  # +16, 9
        "F3-E2-A C2-D1-W P": "A3-A4-W",  # +229, 9
        "F3-E2-A F2-F3-A": "D2-D1-A",  # +38, 10
        "F3-E2-A": "F2-F3-A",  # -28, 9
        "E3-E2-A": "F1-E0-W P",  # +225, 9
        "D3-E2-A": "G1-G0-W G0-F1-A P",  # +179, 8
        "D2-E2-A": "C2-D2-A",  # -82, 9
        "D2-E2-W": "D1-C2-A C2-D2-A",  # +169, 8
    },
    False: {  # 1100
        "": "E3-E2-A",  # +263, 12
        "E3-E2-A F1-E0-W E0-E1-A": "D2-E2-A E2-E3-W",  # +508, 13
        "F3-E2-A": "F2-F3-A",  # +2, 12
        "E3-E2-A": "F1-E0-W E0-E1-A",  # the only one
        "D3-E2-A": "C2-D3-A",  # -18, 11
        "D2-E2-A": "F1-F2-A",  # +225, 12
        "D2-E2-W": "D1-C2-A C2-D2-A",  # +225, 12
    },
}


def book(has_pass: bool) -> Dict[Position, List[hops.Hop]]:
    """The turns to play, by position."""
    found = {}
    for line, turn in LINES[has_pass].items():
        position, seen = START, frozenset()
        for text in line.split():
            position, seen = hops.after(position, seen, from_action(text), has_pass)
        found[position] = [from_action(text) for text in turn.split()]
    return found
