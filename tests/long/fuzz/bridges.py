"""Servers that speak garbage, stall, close half-way, or send in any pieces: what `join` makes of them.

A server of the tests plays its side, and what it sends is spoilt on the way.  The client ends in time with
an exit code and, where that is 2 or 3, one sentence.  No player's process is started: a player is
replaced by one that answers with what is legal first.
"""

import contextlib
import json
import socket
import sys
import threading
import time

from referee.isolation import process
from referee.isolation.child import Child
from tests.long.fuzz.commands import ends_as_promised, replaced
from tests.long.fuzz.damage import damaged_bytes
from tests.support.servers.battleground import Battleground
from tests.support.servers.fanorona import Framework
from tests.support.servers.kalah import Session, start
from tests.support.servers.listener import Link
from tests.support.servers.pentago import BoardGame

OPTIONS = ["--time", "0.6", "--patience", "0.3", "--margin", "0.05", "-v0"]
STALLING = 0.9  # seconds, which is longer than the client waits
PATIENCE = 40.0  # seconds for all of it
DRIPS = 300  # bytes that are sent one by one, half a millisecond each


@contextlib.contextmanager
def prepared():
    """Players' processes are replaced."""
    with replaced(process, "kind", lambda level: Willing):
        yield try_one


class Willing(Child):
    """Answers every request as it should, with the first of the legal actions."""

    level = "process"

    def __init__(self, start):
        super().__init__(start)
        self.inbox += b'[0, "ready"]\n'

    def send(self, request):
        number, call, *_ = json.loads(request)
        reply = [number, "action", legal_first()] if call == "action" else [number, "ok"]
        self.inbox += json.dumps(reply).encode() + b"\n"

    def wait(self, seconds):
        time.sleep(0 if self.inbox else min(seconds, 0.01))

    def status(self):
        return 0

    def unknown_end(self):
        return "ended"

    def helpers(self):
        return 0

    def nothing(self):
        """There is no process."""

    resume = pause = tick = measure = mark = kill = finish = close = nothing


def legal_first():
    """The first of the actions among which whoever has called wants one."""
    frame = sys._getframe(1)
    while frame:
        if legal := frame.f_locals.get("legal"):
            return legal[0]
        frame = frame.f_back
    return 1


class Spiteful(Link):
    """A link on which one thing goes wrong, perhaps again and again."""

    def __init__(self, link, random):
        super().__init__(link, random.choice(("whole", "whole", "bytes", "together")))
        link.settimeout(STALLING)
        self.random = random
        self.harmless = random.choice((0, 1, 2, 3, 5, 8, 13, 30))  # messages before the first trouble

    def send(self, data):
        data = data.encode() if isinstance(data, str) else data
        self.harmless -= 1
        if self.harmless < 0 and self.random.random() < 0.7:
            data = self.trouble(data)
        super().send(data[:DRIPS] if self.cut == "bytes" else data)

    def trouble(self, data):
        random = self.random
        match random.choice(("damage", "damage", "damage", "noise", "again", "drop", "half", "stall")):
            case "damage":
                return damaged_bytes(data, random)
            case "noise":
                some = random.randbytes(40) + b"\n"
                return random.choice((some, some * 50, b"\n" * 50, b"{" * 70_000, b"[]\n", b"\0\r\n"))
            case "again":
                return data * random.choice((2, 50))
            case "drop":
                return b""
            case "stall":
                time.sleep(STALLING)
                return data
        super().send(data[: random.randrange(len(data) + 1)])
        self.flush()
        if random.random() < 0.5:
            self.reset()
        else:
            self.link.shutdown(socket.SHUT_WR)
        raise ConnectionError


def talks(random):
    """A game, the words that join it, and the server's side of it."""
    seat, seed = random.randrange(2), random.randrange(1000)
    return random.choice(
        (
            lambda: ("pentago", [], BoardGame(seat=seat, seed=seed, limit=0.6)),
            lambda: ("expendibots", [], Battleground("expendibots", seat, seed)),
            lambda: ("ropasci", [], Battleground("ropasci", seat, seed)),
            lambda: ("fanorona", ["--seat", ("dark", "light")[seat]], Framework(seat=seat, seed=seed)),
            lambda: ("kalaha", [], lambda link: kalah(Session(link), seat, seed)),
        )
    )()


def kalah(session, us, seed):
    """A server's game of Kalaha."""
    session.greet()
    session.game(start(4, 3), us, seed)
    session.goodbye()


def try_one(random):
    """A game that a spiteful server plays with the client."""
    game, words, talk = talks(random)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.settimeout(PATIENCE)

        def serve():
            with contextlib.suppress(Exception):  # a spoilt talk fails in any way
                accepted, _ = listening.accept()
                with accepted:
                    link = Spiteful(accepted, random)
                    talk(link)
                    link.flush()

        server = threading.Thread(target=serve, daemon=True)
        server.start()
        address = f"127.0.0.1:{listening.getsockname()[1]}"
        ends_as_promised(["join", game, address, "random", *words, *OPTIONS], PATIENCE, interruptible=False)
        server.join(PATIENCE)
        assert not server.is_alive(), "the client has left the connection open"
