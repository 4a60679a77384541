"""The opening book: what long searches found for the first turns.

Each line has the hops played since the start and the turn to play then; behind it what the search said
of it, for its mover.  Light's first turn by the 1130 rules leaves him a little ahead after each of the four
answers, two of which lose; of F3-E2-A, which deep analysis elsewhere prefers, the search thinks as
much, but in play it came to less.

    python -m fanorona_agent.train.openings --variant 1130 --first D2-E2-A

There is none for the 1100 rules: it gained nothing (EXPERIMENTS.md).
"""

from typing import Dict, List

from . import hops
from .notation import from_action
from .position import START, Position

LINES: Dict[str, str] = {
    "": "D2-E2-A",
    "D2-E2-A D1-D2-A": "E2-F2-W",  # +239, 14 turns deep
    "D2-E2-A F1-F2-A": "E2-D2-W",  # +109, 15
    "D2-E2-A C2-D2-A": "F3-F2-A P",  # +5, 12
    "D2-E2-A C2-D2-W": "D3-C2-A C2-B2-W B2-B1-A",  # +58, 14
    "F3-E2-A": "D0-D1-A P",  # -47, 12
    "E3-E2-A": "F1-E0-W P",  # +131, 16
    "D3-E2-A": "G1-G0-W G0-F1-A P",  # +61, 13
    "D2-E2-A": "C2-D2-A",  # +18, 12
    "D2-E2-W": "D1-D2-A D2-C2-A P",  # +116, 13
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
