"""Replies of a hostile player: each must bring a verdict, through the whole of the game loop.

The player's end of the pipe is replaced by one that sends whatever the case says, in pieces as they
come, when it is imported, made, asked or told; all else is the referee's own.
"""

import contextlib
import json
from itertools import pairwise

from referee import rules
from referee.isolation.allowance import Allowance
from referee.isolation.child import REPLY, Child
from referee.isolation.process import ENDINGS, PlayerProcess
from referee.match.loop import Match
from referee.players.names import Spec
from tests.long.fuzz.damage import damaged_bytes
from tests.referee.match.test_match import FakeSeat

GAME = "kalaha:4x3"
SPEC = Spec("hostile", "hostile", "/nowhere", None)
CALLS = ("load", "make", "action", "update")
KINDS = ("ok", "action", "searched", "meanwhile", "refused", "raised", "missing", "ready", "win", "\x1b[2J")


class Hostile(Child):
    """Answers as it should until the call that the case is about, and then with its bytes."""

    level = "process"

    def __init__(self, at, data, random):
        super().__init__("/nowhere")
        self.at, self.data, self.random = at, data, random
        self.coming = [b'[0, "ready"]\n']

    def send(self, request):
        number, call, *_ = json.loads(request)
        if call == self.at:
            data = self.data.replace(b"NUMBER", b"%d" % number)
            cuts = [self.random.randrange(len(data) + 1) for _ in range(self.random.choice((0, 0, 1, 3)))]
            self.coming = [data[a:b] for a, b in pairwise([0, *sorted(cuts), len(data)])]
        elif call == "action":
            self.coming = [b'[%d, "action", 1]\n' % number]
        else:
            self.coming = [b'[%d, "ok"]\n' % number]

    def wait(self, seconds):
        if self.coming and len(self.inbox) <= REPLY:
            self.inbox += self.coming.pop(0)[: REPLY + 1]
        elif not self.coming:
            self.closed = self.ended = True

    def status(self):
        return 0

    def unknown_end(self):
        return "ended"

    def helpers(self):
        return 0

    def nothing(self):
        """There is no process."""

    resume = pause = tick = measure = mark = kill = finish = close = nothing


@contextlib.contextmanager
def prepared():
    """No preparation is needed."""
    yield try_one


def try_one(random):
    """A match in which one call is answered with a hostile reply."""
    data = reply(random)
    if random.random() < 0.95:
        data += b"\n"
    at = random.choice((*CALLS, "action", "action"))
    player = PlayerProcess(SPEC, "A", "4x3", Allowance(action=10.0, megabytes=100))
    player._child = Hostile(at, data, random)
    result = Match(rules.start(GAME), (player, FakeSeat([1, 2, 3, 4])), ("hostile", "other")).play()
    assert result.ending in ENDINGS, result
    if result.ending == "finished" or result.at_fault == (1,):
        assert harmless(data, at), (at, data)  # it said what it should: the game went on
    else:
        assert result.at_fault == (0,) and result.scores == (0, 1), (at, data, result)
    assert len(result.reason) < 2000 and result.reason.isprintable(), (at, data, result.reason)


def harmless(data, at):
    """Whether the bytes are a reply that an honest player could have sent."""
    try:
        _, kind, *contents = json.loads(data.decode().replace("NUMBER", "1"))
    except (ValueError, TypeError):
        return False
    return (at == "action") == (kind == "action") and (not contents or type(contents[0]) is int)


def reply(random):
    """The bytes of a reply."""
    kinds = noise, mutated, nested, huge, odd, impostor, illegal, strange_text, several
    return random.choice(kinds)(random)


def line(*parts):
    return b"[NUMBER, " + ", ".join(map(json.dumps, parts)).encode() + b"]"


def honest(random):
    return random.choice(
        (
            line("ok"),
            line("action", 1),
            line("action", ["SLIDE", [0, 1], [0, 2]]),
            line("action", "E3-E2-A"),
            line("searched", 1, "depth 9 score 14 nodes 402"),
            line("meanwhile", "thinking"),
            line("refused", "float 4.0"),
            line("raised", "ValueError: no", "File..."),
            line("missing", "none"),
        )
    )


def noise(random):
    return random.randbytes(random.choice((0, 1, 5, 60, 300, 5000)))


def mutated(random):
    return damaged_bytes(honest(random), random)


def nested(random):
    opening, closing = random.choice((("[", "]"), ('{"a":', "}"), ("[[],", "]"), ('["action",', "]")))
    depth = random.choice((5, 20, 21, 100, 1000, 2000, 4000))
    middle = random.choice(("", "1", '"x"'))
    closed = closing * random.choice((depth, 0, depth - 1))
    return f'[NUMBER, "action", {opening * depth}{middle}{closed}]'.encode()


def huge(random):
    digit = random.choice(("9", "-1", "0", "1e", "1.", " ", '"', "\\u0041", "[],", "1,", "\U0001f3b2"))
    return f'[NUMBER, "action", {digit * random.choice((1, 300, 1000, 4070, 4300, 5000))}]'.encode()


def odd(random):
    return line(random.choice(KINDS), *(value(random, 0) for _ in range(random.randrange(4))))


def value(random, depth):
    if depth < 4 and random.random() < 0.4:
        inside = [value(random, depth + 1) for _ in range(random.randrange(4))]
        return inside if random.random() < 0.7 else {str(number): one for number, one in enumerate(inside)}
    return random.choice(
        (
            True,
            False,
            None,
            0.0,
            -0.0,
            1.0,
            float("nan"),
            float("inf"),
            1e308,
            10**400,
            -1,
            2**64,
            "",
            "1",
            "A",
            "\0",
            "\ud800",
            "\u202e",
            "x" * 100,
            "__import__('os')",
        )
    )


def impostor(random):
    """A reply in another's name, to another request, or of a kind that the call does not have."""
    number = random.choice((b"0", b"-1", b"99", b"NUMBER.0", b'"NUMBER"', b"NUMBER0", b"true", b"NUMBER"))
    return honest(random).replace(b"NUMBER", number)


def illegal(random):
    return line("action", random.choice((0, 5, -1, 99, [1], [], "1", "A", ["BOOM", [0, 0]], [1, 2, 3, 4])))


def strange_text(random):
    text = random.choice(("\ufeff", "\x1b]0;x\x07", "\r\n", "\u2028", "e\u0301" * 50, "\ud83d", "\x9b2J"))
    text *= random.choice((1, 90))
    coding = random.choice(("utf-8", "utf-16", "utf-32", "latin-1", "utf-7"))
    written = json.dumps([7, random.choice(("raised", "refused", "action")), text, text], ensure_ascii=False)
    return written.replace("7", "NUMBER", 1).encode(coding, "replace")


def several(random):
    return b"\n".join(honest(random) for _ in range(random.randrange(2, 30)))
