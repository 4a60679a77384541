"""Plays Fanorona with another program over TCP: one JSON value for each hop, in both directions.

    {"from":{"x":5,"y":3},"moveType":"approach","pass":false,"to":{"x":4,"y":2}}
    "pass"

Nothing else is sent: no greeting, no colours, no line ends.  Each side keeps the board, and both have
to know already who plays light and by which rules.  A Pass is sent, a turn that ends by itself is not.
"""

import json
import time
from typing import Any, TypeGuard

from referee import RefereeTrouble, rules
from referee.isolation.process import Fault
from referee.match.loop import is_legal
from referee.rules import Action, State, fanorona
from referee.servers.agent import Agent
from referee.servers.connection import Connection, Silent, quoted
from referee.servers.server_game import Bridge, Notes, ServerGame, Terms, exit_code
from referee.servers.splitter import Splitter

SEATS = ("light", "dark")
COLUMNS, ROWS = "ABCDEFGHI", "01234"
KINDS = {"A": "approach", "W": "withdrawal", "P": "paika"}
PASS, PASS_SENT = "P", "pass"


def play(connection: Connection, agent: Agent, terms: Terms) -> int:
    """One game, which begins at once: whoever plays light sends the first hop."""
    agent.sit(SEATS.index(terms.seat), terms.seat)
    peer = Peer(connection, agent, terms)
    result = ServerGame(peer, agent, terms, terms.notes).play()
    connection.finish()
    if fault := result.faults.get(1 - agent.player):
        raise RefereeTrouble(f"{connection.name} is out of the game: {fault.message}")
    return exit_code(result, agent)


class Peer(Bridge):
    """The program at the other end of the connection."""

    def __init__(self, connection: Connection, agent: Agent, terms: Terms) -> None:
        self._connection = connection
        self._agent = agent
        self._seat = terms.seat
        self._start = rules.start(terms.game)
        self._patience = terms.longest + terms.patience
        self._note: Notes = terms.notes
        self._splitter = Splitter()
        self._heard = False
        self._gone = False

    def ours(self, state: State) -> tuple[Action, bool]:
        hop = self._agent.action(state, overtaken=lambda: self._connection.gone)
        try:
            if not self._gone:
                self._connection.send(encoded(hop))
        except RefereeTrouble as trouble:  # the hop counts; that there is no answer will be seen
            self._note(str(trouble))
            self._gone = True
        return hop, False

    def theirs(self, state: State) -> Action:
        hop = self._hop()
        if not is_legal(hop, state.actions(1 - self._agent.player)) and (hint := self._hint(state, hop)):
            raise Fault("illegal action", "action", f"action {hop!r} is illegal: {hint}")
        self._heard = True
        return hop

    def _hop(self) -> Action:
        """The next hop that was sent."""
        try:
            value = self._next_value()
        except Silent:
            hint = f"--patience waits longer, and if it plays {self._seat} too, one of the two needs --seat"
            what = f"sent nothing for {self._patience:.0f} s; {hint}"
            raise Fault("no answer", "action", what) from None
        except RefereeTrouble as trouble:
            what = str(trouble).removeprefix(f"{self._connection.name} ")
            raise Fault("crashed", "action", what) from None
        try:
            return decoded(value)
        except ValueError as error:
            raise Fault("illegal action", "action", f"sent {quoted(json.dumps(value))}: {error}") from None

    def _next_value(self) -> Any:
        deadline = time.monotonic() + self._patience
        while not self._splitter.values:
            if self._splitter.wrong:
                raise Fault("illegal action", "action", f"sent what is {self._splitter.wrong}")
            if (left := deadline - time.monotonic()) <= 0:  # what came meanwhile was blank, or half a value
                raise Silent
            received = self._connection.receive(left)
            if not received:
                half = f" after {quoted(self._splitter.unfinished)}" if self._splitter.unfinished else ""
                raise Fault("crashed", "action", f"closed the connection{half}")
            self._splitter.feed(received)
        return self._splitter.values.popleft()

    def _hint(self, state: State, hop: Action) -> str:
        """What the user may have set differently at the two ends."""
        if hop == PASS and isinstance(state, fanorona.State) and not state.has_pass:
            return "there is no Pass by the 1100 rules; start both sides with the same rules"
        if not self._heard and hop in self._start.actions(0):
            return "the other side plays light as well; give one of the two another --seat"
        return ""


def encoded(hop: str) -> bytes:
    """A hop as it is sent."""
    if hop == PASS:
        return json.dumps(PASS_SENT).encode()
    origin, target, kind = hop.split("-")
    value = {"from": _point(origin), "moveType": KINDS[kind], "pass": False, "to": _point(target)}
    return json.dumps(value, separators=(",", ":")).encode()


def decoded(value: Any) -> str:
    """A hop as it is played; ValueError in a few words for a value that is none."""
    if value == PASS_SENT:
        return PASS
    if not isinstance(value, dict):
        raise ValueError('a hop is an object, or the string "pass"')
    for kind, name in KINDS.items():
        if value.get("moveType") == name:
            return f"{_name(value, 'from')}-{_name(value, 'to')}-{kind}"
    raise ValueError(f"its moveType should be {', '.join(KINDS.values())}")


def _point(name: str) -> dict[str, int]:
    return {"x": COLUMNS.index(name[0]), "y": ROWS.index(name[1])}


def _is_number(value: object) -> TypeGuard[float]:
    return type(value) in (int, float)  # and no bool


def _name(value: dict[str, Any], key: str) -> str:
    """The name of the point there."""
    if isinstance(point := value.get(key), dict):
        x, y = point.get("x"), point.get("y")
        if _is_number(x) and _is_number(y) and x in range(9) and y in range(5):
            return COLUMNS[int(x)] + ROWS[int(y)]
    raise ValueError(f"its {key!r} should be a point, with an x from 0 to 8 and a y from 0 to 4")
