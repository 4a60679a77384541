"""The board game server of Pentago-Twist in small: START, PLAY, echoed moves, GAMEOVER, and its clocks."""

import random
import re
import select
import time
from collections.abc import Mapping

from referee import rules
from tests.support.servers.listener import Gone, Link

CUSHION = 1.0  # seconds after a deadline in which a late line is replaced by a random move
MOVE = re.compile(r"([0-5]) ([0-5]) ([0-3]) ([01]) ([01])")


class BoardGame:
    """A server's side of one game.  It holds the client to one exact line for each PLAY.

    `script` has the opponent's moves, or is empty for random ones.  `replaces` are plies (from 0) at which
    the client's move is thrown away, though it may have been in time.  `says` has, by ply, what is sent
    instead of what comes next; then the server waits for the client to go, or `closes` the connection.
    """

    def __init__(
        self,
        seat: int = 0,
        script: list[tuple[int, ...]] | None = None,
        seed: int = 1,
        limit: float = 20.0,
        replaces: tuple[int, ...] = (),
        says: Mapping[int, bytes] | None = None,
        ends: str = "waits",
        game: str = "pentago",
    ) -> None:
        self.seat = seat
        self.script = list(script or ())
        self.random = random.Random(seed)
        self.limit = limit
        self.replaces = replaces
        self.says = says or {}
        self.ends = ends
        self.state = rules.start(game)
        self.moves: list[tuple[int, ...]] = []  # as they count
        self.took: list[float] = []  # seconds for each answer
        self.gameover = ""

    def __call__(self, link: Link) -> None:
        greeting = link.line()
        assert greeting.startswith("START "), greeting
        self.name = greeting.removeprefix("START ")
        link.send(f"START Player-{self.seat} {self.name}\n")
        while (players := self.state.to_act()) and not self.gameover:
            if len(self.moves) in self.says:
                link.send(self.says[len(self.moves)])
                return self.end(link)
            (player,) = players
            move = self.ask(link) if player == self.seat else self.opponents()
            if self.gameover:
                break
            self.moves.append(move)
            self.state = self.state.after({player: move})
            link.send(" ".join(map(str, (*move, player))) + "\n")
        link.send((self.gameover or self.verdict()) + "\n")
        link.flush()
        assert link.read == b"", f"the client sent a line too many: {link.read!r}"

    def end(self, link: Link) -> None:
        link.flush()
        if self.ends == "waits":
            assert link.wait_for_end() == b"", "the client sent something though nothing was asked"
        elif self.ends == "resets":
            link.reset()
        elif self.ends == "half":
            link.link.shutdown(1)
            link.wait_for_end()

    def ask(self, link: Link) -> tuple[int, ...]:
        """The client's move; a random one where it is late, or is to be replaced."""
        link.send(f"PLAY Player-{self.seat}\n")
        link.flush()
        began = time.monotonic()
        legal = self.state.actions(self.seat)
        if not select.select([link.link], [], [], self.limit + CUSHION)[0]:
            self.gameover = f"GAMEOVER TIMEOUT WINNER {1 - self.seat}"
            return ()
        line = link.line()
        self.took.append(time.monotonic() - began)
        found = MOVE.fullmatch(line)
        assert found, f"no exact line of a move: {line!r}"
        *move, player = map(int, found.groups())
        assert player == self.seat and tuple(move) in legal, line
        if self.took[-1] > self.limit or len(self.moves) in self.replaces:
            return self.random.choice([other for other in legal if other != tuple(move)])
        return tuple(move)

    def opponents(self) -> tuple[int, ...]:
        return self.script.pop(0) if self.script else self.random.choice(self.state.actions(1 - self.seat))

    def verdict(self) -> str:
        scores, _ = self.state.outcome()
        return "GAMEOVER DRAW" if scores == (0.5, 0.5) else f"GAMEOVER WINNER {scores.index(1)}"


class Transcript:
    """A session as it was captured: what the server sent in each segment, and got before that."""

    def __init__(self, *steps: tuple[str, bytes]) -> None:
        self.steps = steps

    def __call__(self, link: Link) -> None:
        for direction, data in self.steps:
            if direction == "S>C":
                link.send(data)
                continue
            while len(link.read) < len(data):
                link.read += link.receive()
            assert link.read == data, (link.read, data)
            link.read = b""
        try:
            assert link.receive() == b""
        except Gone:
            pass
