"""Sets of texts that take some 20 bytes a text, so that a tournament of a million pairs fits into memory.

A text is known by 64 bits of a hash: of ten million texts, two are taken for one once in 400 000 times.
"""

from array import array
from hashlib import blake2b

LEAST = 16  # places of an empty table


class Texts:
    """Texts that have been added; how many, and whether one is among them, but not which they are."""

    def __init__(self) -> None:
        self._table = array("Q", bytes(8 * LEAST))  # open addressing; 0 is an empty place
        self._count = 0

    def add(self, text: str) -> bool:
        """Whether it is a new one."""
        code, table = _code(text), self._table
        place = self._place(code)
        if table[place]:
            return False
        table[place] = code
        self._count += 1
        if 4 * self._count > 3 * len(self._table):
            self._grow()
        return True

    def __contains__(self, text: str) -> bool:
        return self._table[self._place(_code(text))] != 0

    def __len__(self) -> int:
        return self._count

    def _place(self, code: int) -> int:
        """Where it is, or would be."""
        table = self._table
        last = len(table) - 1
        place = code & last
        while (there := table[place]) and there != code:
            place = (place + 1) & last
        return place

    def _grow(self) -> None:
        codes = self._table
        self._table = array("Q", bytes(16 * len(codes)))
        for code in codes:
            if code:
                self._table[self._place(code)] = code


def _code(text: str) -> int:
    hashed = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(hashed, "little") or 1
