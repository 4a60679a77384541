"""What is known of endgames: who wins with two to five men on the board, and how soon.

A table holds a byte for each position, seen by its mover, at the beginning of a turn:

    WON - n     the mover wins: with the n-th hop from here at the latest, the other's counted too, he
                captures (or blocks) his way into the next won ending
    n           the mover loses in that way; 1 if all he has are captures into lost endgames
    DRAWN       neither can in 21 hops, and the 22nd hop of a quiet run is a draw

So a quiet run that is q hops long already ends in a win just if q + n is at most 21.  What the
tables leave out is the draw by repetition: the search looks after that.

Mirror images share an entry.  The side with fewer men (the mover's, if equal) is turned to the one of
its four images that comes first; entries are numbered by it and then by the other side's points, both
in the order of the sets as numbers.  In a file the tables of all material follow each other, packed by
zlib; the 1100 file holds what differs from 1130.
"""

import zlib
from itertools import combinations
from typing import Dict, List, Optional, Tuple

import numpy as np

from .position import POINTS
from .shared import data

DRAWN, WON = 128, 255
MOST_MEN = 5
MATERIAL = [(mine, men - mine) for men in range(2, MOST_MEN + 1) for mine in range(1, men)]
FILES = {True: "endgames1130.npy", False: "endgames1100.npy"}  # by has_pass
PIECE = 1 << 16  # bytes unpacked at once of the file of differences

# The four images of each point: itself, left for right, top for bottom, and both.
IMAGES = [
    list(POINTS),
    [point // 10 * 10 + 8 - point % 10 for point in POINTS],
    [(4 - point // 10) * 10 + point % 10 for point in POINTS],
    [(4 - point // 10) * 10 + 8 - point % 10 for point in POINTS],
]


def all_sets(size: int) -> Tuple[List[int], List[Tuple[int, ...]]]:
    """The sets of so many points in order, as numbers, and for each the ranks of its four images."""
    numbers = [
        [sum(bits) for bits in combinations([1 << point for point in image], size)] for image in IMAGES
    ]
    ordered = sorted(numbers[0])
    rank = {number: place for place, number in enumerate(ordered)}
    ranks_of = {images[0]: tuple(map(rank.__getitem__, images)) for images in zip(*numbers)}
    return ordered, [ranks_of[number] for number in ordered]


def first_images(ranks: List[Tuple[int, ...]]) -> List[int]:
    """The ranks of those sets that come first among their images."""
    return [place for place, images in enumerate(ranks) if place == min(images)]


# FEW: a set of one or two men -> (the number of its first image, which of the four images that is).
# MANY: a set of one to three men -> the ranks of its four images.
# FEWS, SETS: how many first images, and sets, of each size there are.
FEW: Dict[int, Tuple[int, int]] = {}
MANY: Dict[int, Tuple[int, ...]] = {}
FEWS, SETS = [0], [1]


def _fill_tables() -> None:
    for size in (1, 2, 3):
        numbers, ranks = all_sets(size)
        MANY.update(zip(numbers, ranks))
        SETS.append(len(numbers))
        if size < 3:
            first = first_images(ranks)
            FEWS.append(len(first))
            place = {rank: number for number, rank in enumerate(first)}
            for number, images in zip(numbers, ranks):
                FEW[number] = place[min(images)], images.index(min(images))
    SETS.append(45 * 44 * 43 * 42 // 24)


_fill_tables()


def rank_of_four(men: int, image: int) -> int:
    """The rank of an image of four men, for which a list of all would take too much memory."""
    points = []
    while men:
        bit = men & -men
        men ^= bit
        points.append(IMAGES_BY_BIT[image][bit.bit_length()])
    a, b, c, d = sorted(points)
    return a + b * (b - 1) // 2 + c * (c - 1) * (c - 2) // 6 + d * (d - 1) * (d - 2) * (d - 3) // 24


IMAGES_BY_BIT = [[0] * 51 for _ in range(4)]
for _image in range(4):
    for _place, _point in enumerate(POINTS):
        IMAGES_BY_BIT[_image][_point + 1] = POINTS.index(IMAGES[_image][_place])


class Endgames:
    """The table of one rule set: its entries, but for those that are `changed`, by their numbers."""

    def __init__(self, entries: bytes, changed: Dict[int, int]) -> None:
        self.entries = entries
        self.changed = changed
        self.places: Dict[Tuple[int, int], Tuple[int, int]] = {}  # where each material begins, and its rows
        begin = 0
        for mine, theirs in MATERIAL:
            row = SETS[max(mine, theirs)]
            self.places[mine, theirs] = begin, row
            begin += FEWS[min(mine, theirs)] * row

    def value(self, mine: int, theirs: int, my_men: int, their_men: int) -> int:
        """The byte of a position, with the numbers of men on both sides."""
        few, many = (mine, theirs) if my_men <= their_men else (theirs, mine)
        place, image = FEW[few]
        begin, row = self.places[my_men, their_men]
        ranks = MANY.get(many)
        rank = rank_of_four(many, image) if ranks is None else ranks[image]
        number = begin + place * row + rank
        if self.changed and number in self.changed:
            return self.changed[number]
        return self.entries[number]


def load() -> Dict[bool, Optional[Endgames]]:
    """The table of each rule set, by has_pass; None where the package's data are missing or broken."""
    packed, differing = data.array(FILES[True]), data.array(FILES[False])
    if packed is None or differing is None:
        return {True: None, False: None}
    try:
        size = sum(FEWS[min(men)] * SETS[max(men)] for men in MATERIAL)
        # Without the size it would be in memory twice for a moment.
        entries = zlib.decompress(packed.tobytes(), bufsize=size)
        return {True: Endgames(entries, {}), False: Endgames(entries, changes(entries, differing.tobytes()))}
    except zlib.error:
        return {True: None, False: None}


def changes(entries: bytes, differing: bytes) -> Dict[int, int]:
    """The entries by the 1100 rules where they differ from these by the 1130 rules: 14 630 of 13 million."""
    unpacker, begin, found = zlib.decompressobj(), 0, {}
    while differing:
        piece = np.frombuffer(unpacker.decompress(differing, PIECE), np.uint8)
        for number in np.flatnonzero(piece).tolist():
            found[begin + number] = entries[begin + number] ^ int(piece[number])
        differing = unpacker.unconsumed_tail
        begin += len(piece)
    return found
