"""Reads what came from a player's process, which may be anything: the only place where such bytes are parsed.

A reply is one line of at most `child.REPLY` bytes, `[number, kind, content...]` in JSON as worker.py
writes it.  A player that finds the channel can write there what it likes; all it can win by that is
a reply in its own name, or a verdict against itself.
"""

import json
import re
from collections.abc import Mapping
from typing import Any, NoReturn

from referee.isolation.child import REPLY
from referee.rules import Action

DEPTH = 20  # tuples within tuples
CONTENTS = {
    "ready": 0,
    "ok": 0,
    "action": 1,
    "searched": 2,
    "turned": 3,
    "meanwhile": 1,
    "refused": 1,
    "raised": 2,
    "missing": 1,
}
SHOWN = 200  # characters of anything of a player's that goes into a verdict
QUOTED_PATH = re.compile(r"""(['"])((?:[^'"]*/)([^'"/]+))\1""")
FIGURE = r"(depth|score|nodes) (-?[0-9]{1,15}(?:\.[0-9]{1,6})?)"


class BadReply(Exception):
    """These bytes are no reply to that request; the message says why."""


def read(line: bytes, number: int) -> tuple[str, tuple[Action, ...]]:
    """The kind and the contents of the reply to the request of that number."""
    if len(line) > REPLY:
        raise BadReply(f"the reply is longer than {REPLY} bytes")
    try:
        # Text first: given bytes, the parser would accept other encodings as well.
        reply = json.loads(
            line.decode(), parse_float=_refuse, parse_constant=_refuse, object_pairs_hook=_refuse
        )
    except (ValueError, RecursionError, MemoryError):
        shown = printable(line[:60].decode(errors="replace"))
        raise BadReply(f"the reply cannot be parsed: {shown!r}") from None
    match _literal(reply):
        case (int(replied), str(kind), *contents) if len(contents) == CONTENTS.get(kind):
            if replied != number:
                raise BadReply("the reply is to another request than the one that waits for it")
            texts = contents[1:] if kind in ("action", "searched", "turned") else contents
            if not all(type(one) is str for one in texts):
                raise BadReply(f"the reply does not have the form of {kind!r}")
            return kind, tuple(contents)
    raise BadReply("the reply is of no known form")


def search_figures(text: str) -> dict[str, float]:
    """What a player's search says of an action, `depth 9 score 14 nodes 40213`, by the figures' names."""
    if len(text) > 100 or not re.fullmatch(f"{FIGURE}(?: {FIGURE})*", text):
        raise BadReply(f"no figures of a search: {printable(text[:60])!r}")
    return {name: float(value) for name, value in re.findall(FIGURE, text)}


def search_words(figures: Mapping[str, float]) -> str:
    """The figures as `search_figures` reads them."""
    return " ".join(f"{name} {f'{value:.6f}'.rstrip('0').rstrip('.')}" for name, value in figures.items())


def printable(text: str) -> str:
    """The text, safe to show: what is no letter, space or end of line is written as an escape.

    So that a player's text cannot move the cursor, ring the bell or end a line of the referee's
    where only one is expected.
    """
    return "".join(
        letter if letter.isprintable() or letter in "\n\t" else ascii(letter)[1:-1] for letter in text
    )


def on_one_line(text: object) -> str:
    """The same of a name, whose ends of line are no more than letters: files may be called anything."""
    return printable(str(text)).replace("\n", "\\n").replace("\t", "\\t")


def shorten(text: str, length: int = SHOWN) -> str:
    """The text on one line; of what is too long the folders of a path go first, and then the end."""
    text = text.replace("\n", " ")
    if len(text) > length and (path := QUOTED_PATH.search(text)):
        room = len(path[2]) - 3 - (len(text) - length)
        kept = path[2][-max(room, len(path[3]) + 1) :]
        text = f"{text[: path.start(2)]}...{kept}{text[path.end(2) :]}"
    return text if len(text) <= length else text[: length - 3] + "..."


def _literal(value: Any, depth: int = 0) -> Action:
    """The value with tuples for arrays; nothing else but strings and ints, and no subclass of them."""
    if type(value) is list and depth < DEPTH:
        return tuple(_literal(part, depth + 1) for part in value)
    if type(value) is int or type(value) is str and _is_text(value):
        return value
    raise BadReply(f"the reply contains what no action may: {type(value).__name__}")


def _is_text(value: str) -> bool:
    """Whether it could be written to a file: half of a surrogate pair could not."""
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def _refuse(value: object) -> NoReturn:
    raise ValueError(value)
