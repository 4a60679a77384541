"""Parses what came from a player's process, which may be anything, in games: all bytes of theirs come here.

A reply is one line of at most `child.REPLY` bytes, `[number, kind, content...]` in JSON as far_end.py
writes it.  A player that finds the channel can write there what it likes; all it can win by that is
a reply in its own name, or a verdict against itself.  (`check` and `profile` judge nobody; their replies
are read by requests.py.)
"""

import json
import re
from collections.abc import Mapping
from typing import Any, NoReturn

from referee.isolation import plain
from referee.isolation.child import REPLY
from referee.players.text import printable
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
    "expected": 1,
}
UNASKED = "it sent a reply that nobody had asked for"
FIGURE = r"(depth|score|nodes) (-?[0-9]{1,15}(?:\.[0-9]{1,6})?)"


class BadReply(Exception):
    """These bytes are no reply to that request; the message says why."""


def read(line: bytes, number: int) -> tuple[str, tuple[Action, ...]]:
    """The kind and the contents of the reply to the request of that number."""
    if len(line) > REPLY:
        raise BadReply(f"the reply is longer than {REPLY} bytes")
    try:
        # Text first: given bytes, the parser would accept other encodings as well.
        reply = PLAIN.decode(line.decode())
    except (ValueError, RecursionError, MemoryError):
        shown = printable(line[:60].decode(errors="replace"))
        raise BadReply(f"the reply cannot be parsed: {shown!r}") from None
    match _literal(reply):
        case (int(replied), str(kind), *contents) if len(contents) == CONTENTS.get(kind):
            if replied != number:
                raise BadReply(UNASKED)  # to an earlier request, or to one that never was
            texts = contents[1:] if kind in ("action", "searched", "turned") else contents
            if not all(type(one) is str for one in texts):
                raise BadReply(f"the reply does not have the form of {kind!r}")
            return kind, tuple(contents)
    raise BadReply("the reply is of no known form")


def read_program(line: bytes) -> tuple[str, list[Any]]:
    """The first word of a program's reply, and what follows, not yet looked at: see PROTOCOL.md."""
    if len(line) > REPLY:
        raise BadReply(f"the reply is longer than {REPLY} bytes")
    try:
        reply = json.loads(line.decode(), parse_constant=_refuse)
    except (ValueError, RecursionError, MemoryError):
        shown = printable(line[:60].decode(errors="replace"))
        raise BadReply(f"the reply is no line of JSON: {shown!r}") from None
    if type(reply) is not list or not reply or type(reply[0]) is not str:
        shown = printable(line[:60].decode(errors="replace"))
        raise BadReply(f"the reply is no array with a word first: {shown!r}")
    return reply[0], reply[1:]


def program_action(value: Any, judging: str) -> tuple[Action, str]:
    """A program's action, tuples for its arrays, and the types that had to be turned into plain ones."""
    try:
        found, turned = plain.literal(_tuples(value), judging)
    except plain.Refused as refused:
        said = printable(str(refused)[:60])
        raise BadReply(f"an action is made of int, str and array, not {said}") from None
    return _literal(found), ", ".join(turned)


def _tuples(value: Any, depth: int = 0) -> Any:
    """The value with tuples for arrays, as deep as an action may be: a parser goes deeper than a walk can."""
    if type(value) is list and depth <= plain.DEPTH:
        return tuple(_tuples(part, depth + 1) for part in value)
    return value


def program_figures(value: Any) -> dict[str, float]:
    """What a program says of its search: of depth, score and nodes those that are numbers."""
    if type(value) is not dict:
        raise BadReply('what is said of a search is an object such as {"depth": 9, "score": 12}')
    known = [(name, value[name]) for name in ("depth", "score", "nodes") if name in value]
    return {name: float(one) for name, one in known if type(one) in (int, float) and abs(one) < 10**15}


def search_figures(text: str) -> dict[str, float]:
    """What a player's search says of an action, `depth 9 score 14 nodes 40213`, by the figures' names."""
    if len(text) > 100 or not re.fullmatch(f"{FIGURE}(?: {FIGURE})*", text):
        raise BadReply(f"no figures of a search: {printable(text[:60])!r}")
    return {name: float(value) for name, value in re.findall(FIGURE, text)}


def search_words(figures: Mapping[str, float]) -> str:
    """The figures as `search_figures` reads them."""
    return " ".join(f"{name} {f'{value:.6f}'.rstrip('0').rstrip('.')}" for name, value in figures.items())


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


PLAIN = json.JSONDecoder(parse_float=_refuse, parse_constant=_refuse, object_pairs_hook=_refuse)
