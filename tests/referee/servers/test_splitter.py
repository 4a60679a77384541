"""The splitter of JSON values: the same values however the bytes are cut; what is wrong is seen at once."""

import json
import random

import pytest

from referee.servers.splitter import DEEPEST, LONGEST, Splitter

GOOD = [
    '{"from":{"x":5,"y":3},"moveType":"approach","pass":false,"to":{"x":4,"y":2}}',
    '"pass"',
    "{}",
    "[]",
    '""',
    '"a{b}[c],:\\"\\\\"',
    '{"}":"{","]":["[",{"\\"":"\\\\"}]}',
    '{"é":"ж漢😀","\\u00e9":"\\ud83d\\ude00"}',
    " [ 1 , -2.5e-3 , 0 , 10E+2 , true , false , null ] ",
    '\r\n\t{ "a" : [ [ ] , { } ] }\n',
    "[0]",
    '{"a":0,"b":-0.0}',
]
BAD = [
    "HTTP/1.1 200 OK",
    "hello",
    "42",
    "-1",
    "true",
    "null",
    "'a'",
    "\ufeff{}",
    "}",
    "]",
    ",",
    ":",
    "{hello",
    '{"a"}',
    '{"a",',
    '{"a":}',
    '{"a":1,}',
    "{,",
    "[,",
    "[1,]",
    "[1 2",
    "[1}",
    '{"a":1]',
    '["\\x',
    '["\\u12g',
    '["\n',
    '["\x00',
    "[tru]",
    "[nulL",
    "[NaN",
    "[Infinity",
    "[" * (DEEPEST + 1),
    "[01]",
    "[1.]",
    "[.5",
    "[-]",
    "[+1",
    "[1e]",
    "[0x1",
    "[1-1]",
    b'"\xff"',
    b'["\xc3(',
    b'{"a":\xe9}',
    b"\xed\xa0\x80",
    '"' + "a" * LONGEST,
    "[" + " " * LONGEST,
    "[" + "9" * LONGEST,
]


def split(*pieces):
    splitter = Splitter()
    for piece in pieces:
        splitter.feed(piece)
    return splitter


def in_pieces(data, seed):
    """The bytes cut at random places."""
    generator = random.Random(seed)
    places = sorted(generator.choices(range(len(data) + 1), k=generator.randrange(1, 20)))
    return [data[a:b] for a, b in zip([0, *places], [*places, len(data)], strict=True)]


def test_values_follow_each_other_without_anything_between_them():
    splitter = split("".join(GOOD).encode())
    assert list(splitter.values) == [json.loads(text) for text in GOOD]
    assert splitter.wrong == splitter.unfinished == ""


def test_byte_by_byte_each_value_is_there_with_its_last_byte():
    for text in GOOD:
        splitter, data = Splitter(), text.strip().encode()
        for byte in data[:-1]:
            splitter.feed(bytes([byte]))
            assert not splitter.values and not splitter.wrong and splitter.unfinished, text
        splitter.feed(data[-1:])
        assert list(splitter.values) == [json.loads(text)] and not splitter.unfinished, text


@pytest.mark.parametrize("seed", range(50))
def test_cut_anywhere_the_values_are_the_same(seed):
    texts = random.Random(seed).choices(GOOD, k=8)
    splitter = split(*in_pieces("".join(texts).encode(), seed))
    assert list(splitter.values) == [json.loads(text) for text in texts], f"seed {seed}"
    assert splitter.wrong == splitter.unfinished == ""


@pytest.mark.parametrize("bad", BAD, ids=lambda bad: repr(bad[:12]))
def test_what_is_wrong_is_seen_at_once_and_hides_nothing_before_it(bad):
    data = bad if isinstance(bad, bytes) else bad.encode()
    for pieces in ([b'"pass"{}' + data], [b'"pass"{}', *(bytes([byte]) for byte in data)]):
        splitter = split(*pieces)
        assert list(splitter.values) == ["pass", {}]
        assert splitter.wrong and splitter.wrong.isprintable() and len(splitter.wrong) < 300
        splitter.feed(b'"pass"')
        assert len(splitter.values) == 2, "nothing is taken after something wrong"


def test_random_bytes_are_never_more_than_wrong():
    for seed in range(300):
        data = random.Random(seed).choices(b'{}[]",:\\u0019e.-tfnr \n\xc3\xa9\xff', k=60)
        whole = split(bytes(data))
        cut = split(*in_pieces(bytes(data), seed))
        assert list(whole.values) == list(cut.values), f"seed {seed}"
        assert (bool(whole.wrong), whole.unfinished) == (bool(cut.wrong), cut.unfinished), f"seed {seed}"
