"""Play in a course's own server, with any of our agents or yours.

The player runs in its own process.  Its clock is told that the limits are wall time, with some of it kept
back for the network.  Exit code 0: played; 1: the player was at fault; 2: the command line was;
3: the server was, or is not there.
"""

import argparse
import importlib
import os
import re
from pathlib import Path
from types import ModuleType

from referee import UsageError, rules
from referee.commands.limits import isolation, isolation_arguments
from referee.commands.options import drawing, seconds
from referee.isolation import levels
from referee.isolation.allowance import Allowance
from referee.players.names import resolve
from referee.players.text import shorten
from referee.rules import Limits
from referee.servers import BRIDGES
from referee.servers.agent import Agent
from referee.servers.connection import Address, Connection, connect, linked, name_of, written
from referee.servers.server_game import Notes, Terms
from referee.servers.websocket import WebSocket

MARGIN = 0.1  # seconds of each action that are kept back: there and back, and what is late on a busy machine
PATIENCE = 60.0  # seconds beyond all limits that a silent server is waited for
KGP_PORT = 2671  # the Kalah Game Protocol's
SOCKET = re.compile(r"ws://([^/\s]+)(/\S*)?")
# What is taken from the command line as it stands there.
AS_TYPED = tuple("margin patience record verbosity unicode colour channel mode token seat".split())
ADDRESS = re.compile(r"\[([0-9A-Fa-f:.%]+)\]:([0-9]+)|([^:/\s\[\]]+):([0-9]+)")


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.usage = "referee join [options] GAME HOST:PORT [AGENT]"
    parser.add_argument("game", metavar="GAME", help="a game, or game:variant")
    parser.add_argument(
        "address",
        metavar="HOST:PORT",
        nargs="?",
        help="where the server listens; kalaha: also ws://HOST:PORT/socket, or what "
        "KGP_HOST and KGP_PORT in the environment say",
    )
    parser.add_argument("agent", metavar="AGENT", nargs="?", help="a player, as in `play` (GAME_agent)")
    player(parser)
    parser.add_argument("--channel", metavar="C", default="", help="expendibots, ropasci: whom to meet")
    parser.add_argument(
        "--mode",
        metavar="MODE",
        default="freeplay",
        choices=("freeplay", "verify"),
        help="kalaha: freeplay, or verify for problems (freeplay)",
    )
    parser.add_argument("--token", metavar="T", type=called, help="kalaha: who you are, for the server")
    parser.add_argument(
        "--seat", choices=("light", "dark"), default="dark", help="fanorona: which side to play (dark)"
    )


def player(parser: argparse.ArgumentParser) -> None:
    """The options of whoever plays at somebody else's table."""
    parser.add_argument("--name", metavar="NAME", help="what to be called there (the agent's name)")
    parser.add_argument("--time", type=seconds, metavar="S", help="wall seconds an action, or a game")
    parser.add_argument("--first-time", type=seconds, metavar="S", help="and for the first action")
    parser.add_argument(
        "--margin",
        type=seconds,
        metavar="S",
        default=MARGIN,
        help=f"seconds of them kept back for the network ({MARGIN:g})",
    )
    parser.add_argument(
        "--patience",
        type=seconds,
        metavar="S",
        default=PATIENCE,
        help=f"how much longer to wait for a silent server ({PATIENCE:g})",
    )
    parser.add_argument("--record", type=Path, metavar="DIR", help="keep a record of the game, for replay")
    parser.add_argument(
        "-v",
        "--verbosity",
        type=int,
        choices=range(4),
        default=2,
        metavar="N",
        help="0 results, 1 actions, 2 board, 3 large",
    )
    isolation_arguments(parser.add_argument_group("isolation"))
    drawing(parser)


def run(options: argparse.Namespace) -> int:
    module = bridge(options.game)
    address, name = where(options.game, options.address, options.agent)
    socket = SOCKET.fullmatch(address)
    place = parsed(socket[1] if socket else address)
    terms = terms_of(options, name, address, getattr(module, "LIMITS", None))
    with seated(terms) as agent:
        agent.start()
        with connected(place, address) as connection:
            return module.play(connection, agent, terms)


def bridge(game: str) -> ModuleType:
    """The module that speaks the protocol of a game's course."""
    rules.start(game)
    name = BRIDGES.get(game.partition(":")[0])
    if not name:
        raise UsageError(f"no course's server of {game} is known (games with one: {', '.join(BRIDGES)})")
    return importlib.import_module(f"referee.servers.{name}")


def where(game: str, address: str | None, agent: str | None) -> tuple[str, str | None]:
    """The server's address, and the agent: Kalaha's tournament tells the address in the environment."""
    told = os.environ.get("KGP_HOST") if game.partition(":")[0] == "kalaha" else None
    named = address or ""
    if told and not (ADDRESS.fullmatch(named) or SOCKET.fullmatch(named) or agent):
        told = f"[{told}]" if ":" in told else told
        address, agent = f"{told}:{os.environ.get('KGP_PORT') or KGP_PORT}", address
    if not address:
        raise UsageError("name the server: HOST:PORT, as in localhost:8123")
    if (socket := SOCKET.fullmatch(address)) and game.partition(":")[0] != "kalaha":
        raise UsageError(f"only kalaha is played through a WebSocket; write {socket[1]}")
    return address, agent


def connected(place: Address, address: str) -> Connection:
    """The connection that an address asks for."""
    socket = SOCKET.fullmatch(address)
    if not socket:
        return connect(place)
    return WebSocket(linked(place), name_of(place), written(place), socket[2] or "/socket")


def terms_of(
    options: argparse.Namespace, agent: str | None, server: str, usual: Limits | None = None
) -> Terms:
    """The terms that the command line sets."""
    spec = resolve(agent or f"{options.game.partition(':')[0]}_agent")
    start = rules.start(options.game)
    of_game = usual or start.LIMITS
    if of_game.game is not None:
        limits = Limits(game=options.time or of_game.game)
    else:
        limits = Limits(action=options.time or of_game.action, first=options.first_time or of_game.first)
    terms = Terms(
        game=options.game,
        spec=spec,
        name=called(options.name or Path(spec.name.split(",")[0]).stem.partition(":")[0]),
        limits=limits,
        allowance=Allowance(
            judging=start.COURSE.judging,
            isolation=isolation(options),
            readable=tuple(options.readable),
            cold=options.cold,
        ),
        notes=Notes(),
        server=server,
        **{name: value for name, value in vars(options).items() if name in AS_TYPED},
    )
    if terms.record:
        try:
            terms.record.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UsageError(f"cannot keep records in {terms.record}: {error.strerror or error}") from None
    return terms


def seated(terms: Terms) -> Agent:
    """The player, not yet started."""
    not_enforced = levels.with_warning(terms.allowance.isolation)[1]
    if not_enforced:
        terms.notes(f"isolation level {terms.allowance.isolation}: {not_enforced}")
    return Agent(terms.game, terms.spec, terms.limits, terms.margin, terms.notes, terms.allowance)


def called(name: str) -> str:
    """A name that any of the protocols can carry."""
    name = " ".join(name.split())
    if not name.isprintable() or len(name) > 100:
        raise UsageError(f"--name {shorten(repr(name), 60)} should be up to 100 letters, digits or signs")
    return name


def parsed(address: str) -> Address:
    """Host and port of what was typed."""
    found = ADDRESS.fullmatch(address)
    port = int(found[2] or found[4]) if found and len(found[2] or found[4]) <= 5 else 0
    if not found or not 0 < port < 65536:
        raise UsageError(f"{shorten(repr(address), 60)} should be HOST:PORT, as in localhost:8123")
    return found[1] or found[3], port
