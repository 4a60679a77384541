"""A Kalah server in small: the Kalah Game Protocol 1.0 line by line, and whole games of it."""

import base64
import hashlib
import random
import re

from referee.rules.kalaha import A, State
from tests.support.servers.listener import Gone, Link

LINE = re.compile(r"([0-9]+)(?:@([0-9]+))? ([a-z]+)(?: (.*))?")


def board(state: State, us: int = A) -> str:
    """A position as that player sees it."""
    them = 1 - us
    counts = len(state.ponds[0]), state.banks[us], state.banks[them], *state.ponds[us], *state.ponds[them]
    return f"<{','.join(map(str, counts))}>"


class Session:
    """The server's end: sends lines under even ids, and holds the client's lines to their exact form."""

    def __init__(self, link: Link) -> None:
        self.link = link
        self.last = 0  # our last id
        self.theirs: list[int] = []  # the client's ids
        self.heard: list[str] = []  # all that came, without ids
        self.modes = 0

    def say(self, text: str, ref: int | None = None) -> int:
        self.last += 2
        self.link.send(f"{self.last}{'' if ref is None else f'@{ref}'} {text}\r\n")
        return self.last

    def hear(self) -> tuple[int | None, str]:
        """What the next line refers to, and what it says."""
        text = self.link.line()
        assert text.endswith("\r"), text
        found = LINE.fullmatch(text[:-1])
        assert found, f"no exact line: {text!r}"
        number = int(found[1])
        assert number % 2 == 1 and number > max(self.theirs, default=0), "ids are odd and rising"
        self.theirs.append(number)
        said = f"{found[3]} {found[4]}" if found[4] else found[3]
        self.modes += found[3] == "mode"
        assert self.modes < 2, "mode was sent twice"
        self.heard.append(said)
        return found[2] and int(found[2]), said

    def greet(self, mode: str = "freeplay") -> list[str]:
        """Up to the client's `mode`; what it has set before."""
        self.say("kgp 1 0 1")
        lines = []
        while not (said := self.hear()[1]).startswith("mode"):
            lines.append(said)
        assert said == f"mode {mode}"
        self.say("ok", ref=self.theirs[-1])
        return lines

    def ask(self, state: State, us: int = A) -> int:
        return self.say(f"state {board(state, us)}")

    def answer(self, number: int, pings: int = 0) -> int:
        """The move that counts when the client yields; it is pinged meanwhile."""
        waiting = [self.say("ping") for _ in range(pings)]
        move = done = 0
        while waiting or not done:
            ref, said = self.hear()
            if said == "pong":
                waiting.remove(ref)
                continue
            assert ref == number, f"{said} refers to {ref}, not to {number}"
            assert not done, f"after its yield the client said {said}"
            done = said == "yield"
            if done:
                continue
            assert re.fullmatch("move [1-9][0-9]*", said), said
            move = int(said.split()[1])
        self.say("stop", ref=number)
        return move

    def game(self, start: State, us: int, seed: int, pings: int = 1) -> tuple[State, list[tuple[int, int]]]:
        """A whole game against random moves, as the server plays it: where it ended, and what was played."""
        state, plies, chance = start, [], random.Random(seed)
        total = sum(map(sum, state.ponds)) + sum(state.banks)
        while state.to_act() and 2 * max(state.banks) <= total:
            (mover,) = state.to_act()
            legal = state.actions(mover)
            pond = chance.choice(legal)
            if mover == us and len(legal) > 1:
                pond = self.answer(self.ask(state, us), pings)
                assert pond in legal
            plies.append((mover, pond))
            state = state.after({mover: pond})
        return state, plies

    def goodbye(self) -> None:
        """Take leave; the client has nothing more to say."""
        self.say("goodbye")
        rest = self.link.wait_for_end()
        assert rest == b"", f"the client said something after goodbye: {rest!r}"


class Frames:
    """The server's end of a WebSocket; looks like a Link, one message a line.  `parts` fragments messages."""

    def __init__(self, link: Link, path: str = "/socket", parts: int = 1) -> None:
        self.link = link
        self.parts = parts
        self.kinds: list[int] = []
        head = b""
        while b"\r\n\r\n" not in head:
            head += link.receive()
        first, *fields = head.decode().split("\r\n")
        named = {name.lower(): value.strip() for name, _, value in (field.partition(":") for field in fields)}
        assert first == f"GET {path} HTTP/1.1"
        assert (named["upgrade"], named["connection"], named["sec-websocket-version"]) == (
            "websocket",
            "Upgrade",
            "13",
        )
        assert len(base64.b64decode(named["sec-websocket-key"])) == 16
        key = named["sec-websocket-key"] + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
        accept = base64.b64encode(hashlib.sha1(key.encode()).digest()).decode()
        link.send(
            "HTTP/1.1 101 Switching Protocols\r\nupgrade: WebSocket\r\nConnection: upgrade\r\n"
            f"Sec-Websocket-Accept: {accept}\r\n\r\n"
        )

    def frame(self, kind: int, content: bytes, last: bool = True) -> None:
        assert len(content) < 65536
        head = bytes([kind | 0x80 * last])
        head += bytes([len(content)]) if len(content) < 126 else b"\x7e" + len(content).to_bytes(2, "big")
        self.link.send(head + content)

    def send(self, text: str) -> None:
        """As one message, or in parts with a ping in between."""
        content = text.rstrip("\r\n").encode()
        size = -(-len(content) // self.parts)
        for part in range(self.parts):
            if part:
                self.frame(0x9, b"are you there?")
            kind = 0x1 if part == 0 else 0x0
            self.frame(kind, content[part * size : (part + 1) * size], part == self.parts - 1)

    def line(self) -> str:
        while True:
            kind, content = self.message()
            if kind == 0x1:
                assert content.endswith(b"\r\n") and content.count(b"\n") == 1
                return content[:-1].decode()

    def message(self) -> tuple[int, bytes]:
        head = self.exactly(2)
        assert head[1] & 0x80, "a client masks its frames"
        assert head[0] & 0x80 and not head[0] & 0x70
        length = head[1] & 0x7F
        if length > 125:
            length = int.from_bytes(self.exactly({126: 2, 127: 8}[length]), "big")
        mask = self.exactly(4)
        content = bytes(byte ^ mask[place % 4] for place, byte in enumerate(self.exactly(length)))
        self.kinds.append(head[0] & 0x0F)
        return self.kinds[-1], content

    def exactly(self, size: int) -> bytes:
        while len(self.link.read) < size:
            self.link.read += self.link.receive()
        data, self.link.read = self.link.read[:size], self.link.read[size:]
        return data

    def wait_for_end(self) -> bytes:
        """Whatever text comes before the client closes."""
        rest = b""
        try:
            while True:
                kind, content = self.message()
                rest += content if kind == 0x1 else b""
        except Gone:
            return rest


def start(ponds: int, pebbles: int) -> State:
    """The first position on a board of that size."""
    return State(A, ((pebbles,) * ponds,) * 2, (0, 0))
