"""Splits a stream of JSON values that follow each other with nothing between, cut anywhere by the network.

Where a value ends follows from JSON's grammar alone, letter by letter, so it does not matter how the
bytes are cut, and the first letter that fits no value is noticed at once instead of being waited out.
Outermost values are objects, arrays and strings: a bare number would not say where it ends.
"""

import codecs
import json
import re
from collections import deque
from collections.abc import Generator
from typing import Any

BLANK = " \t\n\r"
DIGITS = "-0123456789"
NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?")
LONGEST = 4096  # characters of a value
SHOWN = 60  # characters before and after the first one that is wrong
DEEPEST = 50  # values within values

Letters = Generator[None, str, str]  # is sent letters; returns the one it took too many, or ""


class Splitter:
    """Fed bytes; holds the complete `values` in order, then what is `wrong` with all that follows them."""

    def __init__(self) -> None:
        self.values: deque[Any] = deque()
        self.wrong = ""  # "" while nothing is
        # What is not UTF-8 must not hide the values before it: it arrives as letters that fit nowhere.
        self._decode = codecs.getincrementaldecoder("utf-8")("surrogateescape").decode
        self._text = ""
        self._value: Letters | None = None

    def feed(self, received: bytes) -> None:
        """Take what came; after something wrong, nothing is taken any more."""
        text = self._decode(received)
        for place, letter in enumerate(text):
            if self.wrong:
                return
            try:
                self._take(letter)
            except ValueError as error:
                shown = self._text[-SHOWN:-1] + text[place : place + SHOWN]
                self.wrong = f"{error}: {shown.encode(errors='surrogateescape').decode(errors='replace')!r}"

    @property
    def unfinished(self) -> str:
        """The beginning of a value that is not complete; a stream may end only where this is empty."""
        return self._text

    def _take(self, letter: str) -> None:
        if self._value is None and letter in BLANK:
            return
        self._text += letter
        if len(self._text) > LONGEST:
            raise ValueError(f"a value of more than {LONGEST} characters")
        try:
            if self._value is None:
                _check(letter in '{["')
                self._value = _value(letter, 0)
                next(self._value)
            else:
                self._value.send(letter)
        except StopIteration:
            self.values.append(json.loads(self._text))
            self._text, self._value = "", None


def _value(first: str, depth: int) -> Letters:
    """The rest of a value that begins with this letter."""
    if first == '"':
        return (yield from _string())
    if first in "{[" and depth < DEEPEST:
        return (yield from _members("}" if first == "{" else "]", depth + 1))
    if first in DIGITS:
        return (yield from _number(first))
    for word in ("true", "false", "null"):
        if first == word[0]:
            for expected in word[1:]:
                _check((yield) == expected)
            return ""
    raise ValueError("not JSON")


def _members(closing: str, depth: int) -> Letters:
    letter = yield from _visible("")
    if letter == closing:
        return ""
    while True:
        if closing == "}":
            _check(letter == '"')
            yield from _string()
            _check((yield from _visible("")) == ":")
            letter = yield from _visible("")
        letter = yield from _value(letter, depth)
        letter = yield from _visible(letter)
        if letter == closing:
            return ""
        _check(letter == ",")
        letter = yield from _visible("")


def _string() -> Letters:
    while (letter := (yield)) != '"':
        _check(letter >= " " and not "\udc80" <= letter <= "\udcff")
        if letter == "\\":
            escaped = yield
            _check(escaped in '"\\/bfnrtu')
            for _ in range(4 if escaped == "u" else 0):
                _check((yield) in "0123456789abcdefABCDEF")
    return ""


def _number(first: str) -> Letters:
    number = first
    while (letter := (yield)) in DIGITS + "+.eE":
        number += letter
    _check(NUMBER.fullmatch(number) is not None)
    return letter


def _visible(letter: str) -> Letters:
    """This letter, or the next one, that is not blank."""
    while not letter or letter in BLANK:
        letter = yield
    return letter


def _check(fits: bool) -> None:
    if not fits:
        raise ValueError("not JSON")
