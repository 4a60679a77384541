"""What a search knows of positions it has seen, in bounded memory."""

from typing import Any, Dict, Hashable, Optional, Tuple

from .clock import number

EXACT, LOWER, UPPER = 0, 1, 2  # what the score of an entry is of the true value
A_MEGABYTE = 3_300  # entries
SOLVED = 1_000  # the depth of an entry whose tree ended everywhere before the horizon

# (depth, one of the three above, score, best move, and whatever else has to be equal for two to compare)
Entry = Tuple[Any, ...]


def entries_in(most: int, megabytes: Optional[float], besides: float) -> int:
    """How many entries a table may have, where so many megabytes are for it and for all that is besides."""
    number("megabytes", megabytes)
    return most if megabytes is None else max(0, min(most, int((megabytes - besides) * A_MEGABYTE)))


class Table:
    """At most `entries` positions, in two generations.

    New entries go to the young generation.  When that is half of what is allowed it becomes the
    old one, and what was old is forgotten; an old entry that is asked for is young again.  So
    nothing is ever scanned, and what stays is what is used.  An entry takes 200 to 300 bytes.
    """

    __slots__ = ("half", "young", "old")

    def __init__(self, entries: int) -> None:
        self.half = entries // 2
        self.young: Dict[Hashable, Entry] = {}
        self.old: Dict[Hashable, Entry] = {}

    def __len__(self) -> int:
        return len(self.young) + len(self.old)

    def get(self, key: Hashable) -> Optional[Entry]:
        """The entry of a position, or None."""
        entry = self.young.get(key)
        if entry is None:
            entry = self.old.get(key)
            if entry is not None:
                self.keep(key, entry)
        return entry

    def keep(self, key: Hashable, entry: Entry) -> None:
        """Remember an entry, unless a deeper one of the same age (what follows the move) is known."""
        young = self.young
        known = young.get(key)
        if known is None:
            if len(young) >= self.half:
                self.old = young
                self.young = young = {}
        elif known[0] > entry[0] and known[4:] == entry[4:]:
            return
        young[key] = entry
