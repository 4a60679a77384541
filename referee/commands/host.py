"""Wait for an opponent and play one game with it, by the network protocol of the Fanorona course.

The opponent is a program of that course's framework with `--connect`, or `referee join`.
Only this machine can connect unless --listen says so.  Exit code 0: played; 1: our player was at fault;
2: the command line was; 3: the opponent was.
"""

import argparse
import errno
import json
import os
import select
import socket
import threading
from contextlib import ExitStack
from dataclasses import replace

from referee import RefereeTrouble, UsageError
from referee.commands.join import bridge, player, seated, terms_of
from referee.servers.connection import Connection, written
from referee.servers.fanorona import SEATS

GAME = "fanorona"
BUSY = "this host plays with somebody else already"
LOOPBACK = "localhost"
FIRST_SIGN = 0.2  # seconds in which a program that only looks whether somebody listens is gone again
LOOK = 0.2  # seconds between two looks for clients to be turned away
LEAVING = 1.0  # seconds for such a client to read why


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.usage = "referee host [options] fanorona[:1100] PORT [AGENT]"
    parser.add_argument("game", metavar="GAME", help="fanorona, or fanorona:1100")
    parser.add_argument(
        "port", metavar="PORT", type=listening_port, help="where to listen; 0: any that is free"
    )
    parser.add_argument("agent", metavar="AGENT", nargs="?", help="a player, as in `play` (fanorona_agent)")
    parser.add_argument(
        "--listen",
        metavar="ADDRESS",
        default=LOOPBACK,
        help="for clients elsewhere: an address of this machine, or 0.0.0.0",
    )
    parser.add_argument("--seat", choices=SEATS, default="light", help="which side to play (light)")
    player(parser)


def run(options: argparse.Namespace) -> int:
    if options.game.partition(":")[0] != GAME:
        raise UsageError(f"only {GAME} is played without a server; see `referee join --help`")
    module = bridge(options.game)
    terms = terms_of(options, options.agent, "")
    with seated(terms) as agent:
        agent.start()
        with ExitStack() as sockets:
            listeners = [sockets.enter_context(one) for one in listening(options.listen, options.port)]
            where = " and ".join(written(listener.getsockname()) for listener in listeners)
            more = "; other machines can connect with --listen 0.0.0.0" if options.listen == LOOPBACK else ""
            terms.notes(f"{terms.name} plays {terms.seat} and waits for an opponent at {where}{more}")
            connection, server = first_client(listeners)
            sockets.enter_context(connection)
            sockets.enter_context(Refusals(listeners))
            return module.play(connection, agent, replace(terms, server=server))


def listening_port(text: str) -> int:
    """A port from the command line."""
    if not (text.isascii() and text.isdecimal() and len(text) <= 5 and int(text) < 65536):
        raise argparse.ArgumentTypeError(f"{text[:60]!r} should be a port, 1 to 65535, or 0 for any")
    return int(text)


def listening(address: str, port: int) -> list[socket.socket]:
    """A socket for each kind of address that the name stands for, all on one port."""
    try:
        found = socket.getaddrinfo(address, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (OSError, UnicodeError):  # the latter for `..` and names of over 63 letters
        raise UsageError(f"this machine has no address {address[:60]!r}; name one that it has") from None
    listeners: list[socket.socket] = []
    refused: list[int] = []
    for family, place in dict.fromkeys((family, place) for family, _, _, _, place in found):
        try:
            listeners.append(socket.create_server((place[0], port), family=family))
            port = listeners[-1].getsockname()[1]
        except OSError as error:
            refused.append(error.errno or 0)
    # Many machines have a name for an IPv6 address without having the address: that alone is no trouble.
    serious = [number for number in refused if number in (errno.EADDRINUSE, errno.EACCES)]
    if serious or not listeners:
        for listener in listeners:
            listener.close()
        hint = "choose another port, or 0 for any that is free" if serious else "name one of its addresses"
        why = os.strerror((serious or refused)[0]).lower()
        raise UsageError(f"cannot listen on {written((address, port))}: {why}; {hint}")
    return listeners


def first_client(listeners: list[socket.socket]) -> tuple[Connection, str]:
    """The first client that stays, and its address; one that goes without a word only looked who listens."""
    while True:
        for listener in select.select(listeners, [], [])[0]:
            try:
                link, address = listener.accept()
            except ConnectionError:  # on some systems, of one that has gone again already
                continue
            if left_at_once(link):
                link.close()
                continue
            server = written(address)
            return Connection(link, f"the client at {server}"), server


def left_at_once(link: socket.socket) -> bool:
    """Whether the other side has closed the connection without having sent anything."""
    try:
        return bool(select.select([link], [], [], FIRST_SIGN)[0]) and not link.recv(1, socket.MSG_PEEK)
    except OSError:
        return True


class Refusals:
    """Tells all further clients that there is a game already, while it lasts."""

    def __init__(self, listeners: list[socket.socket]) -> None:
        self._listeners = listeners
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._refuse, daemon=True)

    def _refuse(self) -> None:
        while not self._over.is_set():
            for listener in select.select(self._listeners, [], [], LOOK)[0]:
                try:
                    link, address = listener.accept()
                    with Connection(link, written(address)) as connection:
                        connection.send(json.dumps(BUSY).encode())
                        connection.finish(LEAVING)
                except (OSError, RefereeTrouble):  # it is gone already
                    continue

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(self, *exception: object) -> None:
        self._over.set()
        self._thread.join()
