"""What a player prints: cut to what is shown and kept of each call and of the game.

Of more than that the end is kept, and how much is left out is said in its place.
"""

import codecs
import re

from referee.players.text import printable

OUTPUT_CALL = 16_000  # characters, as a record writes them: taken at a time, which is after each turn
OUTPUT_GAME = 200_000  # in all
OUTPUT_LAST = 4_000  # at least, of what it printed before it ended by a fault
NO_TEXT = re.compile("[\udc80-\udcff]")
EVERY_BYTE = "surrogateescape"  # bytes that are no text can be counted again


class Output:
    """Takes what is new of a player's output, piece by piece."""

    def __init__(self) -> None:
        self._decode = codecs.getincrementaldecoder("utf-8")(EVERY_BYTE).decode
        self._taken = 0  # bytes
        self._room = OUTPUT_GAME

    def take(self, end: bytes, printed: int, is_last: bool = False) -> str:
        """What is new, safe to show; `end` is the end of all that was printed, `printed` its bytes."""
        new = printed - self._taken
        self._taken = printed
        text = self._decode(bytes(end[-new:]) if new else b"")
        most = min(OUTPUT_CALL, max(self._room, OUTPUT_LAST) if is_last else self._room)
        kept, length = _end(text, most)
        self._room = max(0, self._room - length)
        left_out = max(new - len(end), 0) + len(text[: len(text) - len(kept)].encode("utf-8", EVERY_BYTE))
        said = f"({left_out} bytes are left out here)\n" if left_out else ""
        return said + _shown(kept)


def _end(text: str, most: int) -> tuple[str, int]:
    """As much of the text's end as takes so many characters in a record, and how many it takes."""
    if len(text) <= most and (length := _length(text)) <= most:
        return text, length
    start, length = len(text), 0
    while start and length + (more := _length(text[start - 1])) <= most:
        start, length = start - 1, length + more
    return text[start:], length


def _length(text: str) -> int:
    """Characters of the text in a record, which writes it as Python writes a string that has both quotes."""
    return len(repr(_shown(text) + '"')) - 3


def _shown(text: str) -> str:
    return printable(NO_TEXT.sub("\N{REPLACEMENT CHARACTER}", text))
