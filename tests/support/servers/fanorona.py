"""A program of the Fanorona framework in small: one JSON value a hop, no more, in both directions."""

import random
from collections.abc import Callable

from referee import rules
from tests.support.servers.listener import Link, compact

KINDS = {"A": "approach", "W": "withdrawal", "P": "paika"}


def value_of(hop: str) -> object:
    """A hop as the framework sends it."""
    if hop == "P":
        return "pass"
    points = [{"x": "ABCDEFGHI".index(point[0]), "y": int(point[1])} for point in hop.split("-")[:2]]
    return {"from": points[0], "moveType": KINDS[hop[-1]], "pass": False, "to": points[1]}


class Framework:
    """The other side of a game: random legal hops, or those of a script.

    Hop number `number` of its own (from 0) may be replaced by `last`, or what that makes of the text; then
    it waits for the client to go, or closes the connection, or resets it.
    """

    def __init__(
        self,
        game: str = "fanorona",
        seat: int = 0,
        script: list[str] | None = None,
        seed: int = 1,
        number: int = -1,
        last: str | bytes | Callable[[str], str] = "",
        ends: str = "waits",
    ) -> None:
        self.state = rules.start(game)
        self.seat = seat
        self.script = script
        self.random = random.Random(seed)
        self.number, self.last, self.ends = number, last, ends
        self.played: list[str] = []
        self.own = 0
        self.rest = b""

    def __call__(self, link: Link) -> None:
        while players := self.state.to_act():
            if players == (self.seat,):
                hop = self.choose()
                text = compact(value_of(hop))
                if self.own == self.number:
                    return self.deviate(link, text)
                self.own += 1
                link.send(text)
            else:
                hop = self.received(link)
            self.played.append(hop)
            self.state = self.state.after({players[0]: hop})
        assert self.rest + link.wait_for_end() == b""

    def choose(self) -> str:
        if self.script:
            return self.script[len(self.played)]
        return self.random.choice(self.state.actions(self.seat))

    def received(self, link: Link) -> str:
        """The client's hop, which has to be, byte for byte, the text of a legal one."""
        texts = {compact(value_of(hop)).encode(): hop for hop in self.state.actions(1 - self.seat)}
        while not (found := [text for text in texts if self.rest.startswith(text)]):
            assert any(text.startswith(self.rest) for text in texts), self.rest
            self.rest += link.receive()
        self.rest = self.rest[len(found[0]) :]
        return texts[found[0]]

    def deviate(self, link: Link, text: str) -> None:
        link.send(self.last(text) if callable(self.last) else self.last)
        link.flush()
        if self.ends == "waits":
            link.wait_for_end()
        if self.ends == "resets":
            link.reset()
