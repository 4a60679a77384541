"""The opening book: what long searches found for the first turns.

Each line has the hops played since the start and the turn to play then.  It was made by

    python -m fanorona_agent.train.openings --variant 1130 (and 1100) --nodes 3000000
"""

from typing import Dict, List

from . import hops
from .notation import from_action
from .position import START, Position

LINES: Dict[bool, Dict[str, str]] = {
    True: {  # 1130
        "": "F3-E2-A",
    },
    False: {},
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
