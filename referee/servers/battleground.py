"""Plays Expendibots or RoPaSci 360 on the courses' battleground: one JSON object a line.

    ours                                              the server's
    {"name":"my_team","channel":"","mtype":"PLAY"}    {"mtype":"OKAY"}, and again whenever it asks
    {"mtype":"OKAY"} to each of those but the first   {"white":"my_team","black":"you","mtype":"GAME"}
                                                      {"colour":"white","mtype":"INIT"}
    {"mtype":"OKAY"} when the player is made          {"mtype":"TURN"}
    {"action":["BOOM",[0,0]],"mtype":"ACTN"}          {"colour":"white","action":...,"mtype":"UPD8"}
    {"mtype":"OKAY"} when the player is told          {"result":"winner: black","mtype":"OVER"}

An update of RoPaSci has both actions: `{"opponent_action":[...],"player_action":[...],"mtype":"UPD8"}`.
The server may say `{"reason":"opponent disconnected","mtype":"ERRO"}` at any time: the game is off.
"""

import json
import time
from abc import abstractmethod
from typing import Any

from referee import RefereeTrouble, rules
from referee.isolation.process import Fault
from referee.match.loop import is_legal
from referee.players.text import printable, shorten
from referee.rules import Action, State
from referee.servers.agent import Agent
from referee.servers.connection import Connection, Silent, quoted
from referee.servers.server_game import Bridge, ServerGame, Terms, exit_code

MATCHING = 10  # times the patience for a silent server: it says nothing while no opponent comes
VOID = "game error"  # how a result begins that names no winner: an action was illegal, whoever's
DEPTH = 20  # values within values
OKAY = {"mtype": "OKAY"}
# Every type of line, with the text that it has to carry; what else there is in it is of no interest.
CARRIED = {
    "OKAY": None,
    "ERRO": "reason",
    "GAME": None,
    "INIT": "colour",
    "TURN": None,
    "UPD8": None,
    "OVER": "result",
}

Line = dict[str, Any]


def play(connection: Connection, agent: Agent, terms: Terms) -> int:
    """Ask for a game, wait for it, and play it; returns the exit code."""
    at_once = len(rules.start(terms.game).to_act()) == 2
    server = (BattlegroundAtOnce if at_once else BattlegroundInTurn)(connection, agent, terms)
    server.enter(terms.name, terms.channel)
    result = ServerGame(server, agent, terms, terms.notes).play()
    if not result.at_fault:
        server.leave(result.reason)
    return exit_code(result, agent)


class Battleground(Bridge):
    """What the two courses' games have in common on the wire."""

    def __init__(self, connection: Connection, agent: Agent, terms: Terms) -> None:
        self._connection = connection
        self._agent = agent
        self._colours = rules.start(terms.game).COLOURS
        self._note = terms.notes
        self._patience = terms.patience
        self._turn = terms.longest + terms.patience  # nothing on the server's side limits a turn
        self._owes = False  # an OKAY, sent when the player has been told of the update

    @abstractmethod
    def updated(self, line: Line) -> dict[int, Any]:
        """What an update says was played, by player."""

    def enter(self, name: str, channel: str) -> None:
        """Ask for a game on the channel, wait for an opponent, and make the player."""
        self._send({"name": name, "channel": channel, "mtype": "PLAY"})
        self._expect("OKAY", seconds=self._patience)
        self._note(f"waiting for an opponent on channel {channel!r}")
        game = self._matched(channel)
        colour = (init := self._expect("INIT", seconds=self._patience))["colour"]
        if colour not in self._colours:
            raise self._nonsense(init, f"the colours here are {' and '.join(self._colours)}")
        player = self._colours.index(colour)
        opponent = game.get(self._colours[1 - player])
        if isinstance(opponent, str) and opponent:
            self.opponent = printable(shorten(opponent, 40))
        self._agent.sit(player, colour)
        self._send(OKAY)

    def _matched(self, channel: str) -> Line:
        """Say that we are still there whenever we are asked, until the game is found."""
        patience = MATCHING * self._patience
        until = time.monotonic() + patience
        while (left := until - time.monotonic()) > 0:
            try:
                line = self._expect("OKAY", "GAME", seconds=left)
            except Silent:
                if left >= self._patience:
                    raise
                break  # it has asked whether we are there until the time was up
            if line["mtype"] == "GAME":
                return line
            self._send(OKAY)
        raise RefereeTrouble(f"{self._connection.name} has found no opponent in {patience:.0f} s")

    def leave(self, reason: str) -> None:
        """The game is over by the rules: hear what the server says of it, which changes nothing."""
        try:
            said = self._expect("OVER")["result"]
            if said != reason:
                self._note(f"the rules say {reason!r}, but {self._connection.name} says {quoted(said)}")
        except RefereeTrouble as trouble:
            self._note(f"after the last turn: {trouble}")

    def _answered(self, state: State) -> Action:
        """Our action, when the server has asked for it and has been answered."""
        self._expect("TURN")
        action = self._agent.action(state, overtaken=self._connection.waiting)
        if self._connection.waiting():
            self._expect()  # nothing belongs there: it says that the game is off, or is nonsense
        self._send({"action": action, "mtype": "ACTN"})
        return action

    def _update(self, state: State, sent: Action | None) -> dict[int, Action]:
        """What was played in this turn; Fault where that was an illegal action of the opponent's."""
        line = self._expect("UPD8", "OVER")
        if line["mtype"] == "OVER":
            if not line["result"].startswith(VOID):
                raise self._nonsense(line, "by the rules, the game goes on")
            if state.to_act() == (self._agent.player,):
                raise self._nonsense(line, f"by the rules, {sent!r} is legal")
            raise Fault("illegal action", "action", f"{self._connection.name} says {quoted(line['result'])}")
        self._owes = True
        played = self.updated(line)
        if set(played) != set(state.to_act()):
            raise self._nonsense(line, f"expected what {_and(self._colours, state.to_act())} played")
        if played.get(self._agent.player, sent) != sent:
            raise self._nonsense(line, f"what was played here is {sent!r}")
        for player, action in played.items():
            if not is_legal(action, state.actions(player)):
                raise self._nonsense(line, f"this is illegal for {self._colours[player]}")
        return played

    # Lines

    def _expect(self, *types: str, seconds: float | None = None) -> Line:
        """The next line, which is of one of these types."""
        if self._owes:
            self._send(OKAY)
            self._owes = False
        text = self._connection.line(self._turn if seconds is None else seconds)
        if text is None:
            raise RefereeTrouble(f"{self._connection.name} closed the connection: the game is off")
        line = _line(text)
        expected = f"expected a line of type {' or '.join(types)}" if types else "it is our turn"
        if line is None:
            raise self._connection.nonsense(text, expected)
        if line["mtype"] == "ERRO":
            raise RefereeTrouble(f"the game is off: {self._connection.name} says {quoted(line['reason'])}")
        if line["mtype"] not in types:
            raise self._nonsense(line, expected)
        return line

    def _send(self, line: Line) -> None:
        self._connection.send(_written(line).encode() + b"\n")

    def _nonsense(self, line: Line, expected: str) -> RefereeTrouble:
        return self._connection.nonsense(_written(line), expected)


class BattlegroundInTurn(Battleground):
    """Expendibots: the server asks who is to move, and tells both what was played."""

    def ours(self, state: State) -> tuple[Action, bool]:
        sent = self._answered(state)
        return self._update(state, sent)[self._agent.player], False

    def theirs(self, state: State) -> Action:
        return self._update(state, None)[1 - self._agent.player]

    def updated(self, line: Line) -> dict[int, Any]:
        colour = line.get("colour")
        return {self._colours.index(colour): line.get("action")} if colour in self._colours else {}


class BattlegroundAtOnce(Battleground):
    """RoPaSci 360: the server asks both, one after the other, and tells each his opponent's action first."""

    _state: State | None = None  # in which the two actions below were played
    _sent: Action = None
    _received: Action | Fault = None

    def ours(self, state: State) -> tuple[Action, bool]:
        self._play(state)
        return self._sent, False

    def theirs(self, state: State) -> Action:
        self._play(state)
        if isinstance(self._received, Fault):
            raise self._received
        return self._received

    def updated(self, line: Line) -> dict[int, Any]:
        own = self._agent.player
        return {own: line.get("player_action"), 1 - own: line.get("opponent_action")}

    def _play(self, state: State) -> None:
        """The whole turn, the first time it is asked for."""
        if state is self._state:
            return
        self._state = state
        self._sent = self._answered(state)
        try:
            self._received = self._update(state, self._sent)[1 - self._agent.player]
        except Fault as fault:
            self._received = fault


def _line(text: str) -> Line | None:
    """The line, if it is one of the protocol's."""
    try:
        line = _tuples(json.loads(text))
    except (ValueError, RecursionError):
        return None
    if not isinstance(line, dict) or line.get("mtype") not in list(CARRIED):
        return None
    carried = CARRIED[line["mtype"]]
    return line if carried is None or isinstance(line.get(carried), str) else None


def _written(line: Line) -> str:
    return json.dumps(line, separators=(",", ":"))


def _tuples(value: Any, depth: int = 0) -> Any:
    """The value with tuples for arrays, and whole numbers whatever kind of number an opponent has chosen."""
    if depth > DEPTH:
        raise ValueError("no action is nested so deeply")
    if isinstance(value, list):
        return tuple(_tuples(part, depth + 1) for part in value)
    if isinstance(value, dict):
        return {key: _tuples(part, depth + 1) for key, part in value.items()}
    if isinstance(value, float) and value.is_integer() or isinstance(value, bool):
        return int(value)
    return value


def _and(colours: tuple[str, str], players: tuple[int, ...]) -> str:
    return " and ".join(colours[player] for player in players)
