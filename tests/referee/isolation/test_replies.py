"""What a player's process sends may be anything: it is a reply, or it is refused with a reason."""

import json
import random

import pytest

from referee.isolation.replies import BadReply, program_action, read
from referee.players.text import printable

BAD = [
    (b"", "cannot be parsed"),
    (b"hello", "cannot be parsed: 'hello'"),
    (b"\xff\xfe[\x00", "cannot be parsed"),
    (b"[" * 4000, "cannot be parsed"),
    (b'{"a":' * 800, "cannot be parsed"),
    (b"[7, 'ok']", "cannot be parsed"),
    (b'[7, "action", 4.0]', "cannot be parsed"),
    (b'[7, "action", 1e400]', "cannot be parsed"),
    (b'[7, "action", NaN]', "cannot be parsed"),
    (b'[7, "action", -Infinity]', "cannot be parsed"),
    (b'[7, "action", {"x": 1}]', "cannot be parsed"),
    (b'[7, "action", 1] [8, "ok"]', "cannot be parsed"),
    ('[7, "action", 1]'.encode("utf-16"), "cannot be parsed"),
    (b'[7, "action", true]', "contains what no action may: bool"),
    (b'[7, "action", null]', "contains what no action may: NoneType"),
    (b'[7, "action", "\\ud800"]', "contains what no action may: str"),
    (b'[7, "action", ' + b"[" * 30 + b"]" * 30 + b"]", "contains what no action may: list"),
    (b'[7, "action"]', "no known form"),
    (b'[7, "action", 1, 2]', "no known form"),
    (b'[7, "ok", 1]', "no known form"),
    (b'[7, "win"]', "no known form"),
    (b'[7, ["ok"]]', "no known form"),
    (b'["7", "ok"]', "no known form"),
    (b"[7]", "no known form"),
    (b"[]", "no known form"),
    (b"7", "no known form"),
    (b'"ok"', "no known form"),
    (b'[true, "ok"]', "contains what no action may: bool"),
    (b'[6, "ok"]', "nobody had asked for"),
    (b'[7, "raised", 1, 2]', "does not have the form of 'raised'"),
    (b'[7, "refused", ["x"]]', "does not have the form of 'refused'"),
    (b'[7, "action", "' + b"x" * 4096 + b'"]', "longer than 4096 bytes"),
    (b"9" * 4096, "no known form"),
]


@pytest.mark.parametrize("line, reason", BAD, ids=[str(line[:30]) for line, _ in BAD])
def test_what_is_no_reply_is_refused_with_a_reason(line, reason):
    with pytest.raises(BadReply) as caught:
        read(line, 7)
    assert reason in str(caught.value)
    assert str(caught.value).isprintable() and len(str(caught.value)) < 400


def test_a_reply_brings_plain_literals():
    for action in (4, -4, "E3-E2-A", "été", ("MOVE", 1, (0, 1), (0, -2)), (), 10**1000):
        assert read(json.dumps([7, "action", action]).encode(), 7) == ("action", (action,))
    assert read(b'[0, "ready"]', 0) == ("ready", ())
    assert read(b'[7, "ok"]', 7) == ("ok", ())
    assert read(b'[7, "raised", "ValueError: no", "a.py:1"]', 7) == ("raised", ("ValueError: no", "a.py:1"))


def test_a_programs_action_that_is_nested_deeper_than_anybody_can_walk_is_refused():
    deep = []
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(BadReply, match="tuple nested too deeply"):
        program_action(deep, "exact")
    assert program_action([1, [2, [[]]]], "exact") == ((1, (2, ((),))), "")


def exactly_plain(value):
    return type(value) in (int, str) or type(value) is tuple and all(map(exactly_plain, value))


def test_damaged_replies_are_read_as_plain_literals_or_refused():
    whole = [json.dumps([7, "action", one]).encode() for one in (4, "E3-E2-A", ("SLIDE", (0, 1), (0, 2)))]
    whole += [b'[7, "ok"]', b'[7, "raised", "x", "y"]', b'[7, "action", [null, true, 1.5, {}]]']
    pieces = [b"[", b"]", b'"', b"{", b"}", b",", b"\\", b"\\ud800", b"1e5", b"-", b"true", b"\x00", b"\xf0"]
    for seed in range(5000):
        chance = random.Random(seed)
        line = bytearray(chance.choice(whole))
        for _ in range(chance.randint(1, 4)):
            place = chance.randrange(len(line) + 1)
            line[place : place + chance.choice((0, 0, 1, 3))] = chance.choice(
                (*pieces, chance.randbytes(2), chance.choice(pieces) * chance.randrange(2000))
            )
        try:
            kind, contents = read(bytes(line), 7)
        except BadReply:
            continue
        assert exactly_plain(contents), f"seed {seed}: {line!r}"
        assert kind in ("action", "ok", "raised"), f"seed {seed}: {line!r}"


def test_printable_text_has_nothing_that_moves_the_cursor():
    assert printable("a\x1b[2J\r\u202eb\x00\x9b") == "a\\x1b[2J\\r\\u202eb\\x00\\x9b"
    assert printable("two\nlines, a\ttab and ♟ é") == "two\nlines, a\ttab and ♟ é"
