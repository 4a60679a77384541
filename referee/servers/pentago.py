"""Plays Pentago on its course's board game server: START, PLAY, echoed moves, GAMEOVER.

    C>S START my_team               S>C START Player-1 my_team      when both players are there
                                    S>C 1 1 0 0 0                   each move that counts, to both
                                    S>C PLAY Player-1               our clock starts
    C>S 1 3 2 0 1                   S>C 1 3 2 0 1                   or another one, where ours was late
                                    S>C GAMEOVER WINNER 0           or DRAW, or UNDECIDED; a reason before it

The board is known from the echoes alone.  To each PLAY one line is sent, and nothing else ever: what
the server takes for a second move of ours could be played in our next turn.
"""

import re

from referee import RefereeTrouble, rules
from referee.isolation.process import Fault
from referee.match.loop import MatchResult, is_legal
from referee.rules import Action, State
from referee.servers.agent import Agent
from referee.servers.connection import Connection, Silent, quoted
from referee.servers.server_game import Bridge, ServerGame, Terms, exit_code

CUSHION = 1.0  # seconds after a deadline before the server gives up on a player
FAREWELL = 5.0  # seconds for the server to say how it sees a game that is over
MOVE = re.compile(r"([0-9]) +([0-9]) +([0-9]) +([0-9]) +([01])(?: .*)?")
PLAY = re.compile(r"PLAY +Player-([01])(?: .*)?")
START = re.compile(r"START +Player-([01])(?: .*)?")
GAMEOVER = re.compile(r"GAMEOVER(?: (.*))?")


class OpponentLeft(Exception):
    """The opponent has gone in our turn; the message is the server's."""


class Pentago(Bridge):
    """One game on the server, from START on."""

    def __init__(self, connection: Connection, agent: Agent, terms: Terms) -> None:
        self.connection = connection
        self.agent = agent
        self.terms = terms
        self.patience = terms.longest + CUSHION + terms.patience
        self._early = ""  # what the server said while we thought
        self._end: Exception | None = None  # of the game, if it said that

    def start(self) -> int:
        """Say who is there, and wait as long as it takes for the opponent; which player we are."""
        self.connection.send(f"START {self.terms.name}\n".encode())
        try:
            line = self.line(self.terms.patience)
        except Silent:
            self.terms.notes("waiting for an opponent (Ctrl-C leaves)")
            line = self.line(None)
        found = START.fullmatch(line)
        if not found:
            raise self.connection.nonsense(line, "expected START Player-0 or START Player-1")
        return int(found[1])

    def line(self, seconds: float | None) -> str:
        """The next line."""
        line = self.connection.line(seconds)
        if line is None:
            raise RefereeTrouble(f"{self.connection.name} has closed the connection before GAMEOVER")
        return line.strip()

    def ours(self, state: State) -> tuple[Action, bool]:
        line = self._line(state)
        if self._asked(line) != self.agent.player:
            raise self.connection.nonsense(line, f"expected PLAY Player-{self.agent.player}")
        self._early = ""
        action = self.agent.action(state, self.connection.arrived, lambda: self._is_overtaken(state))
        if self._end:
            raise self._end
        line = self._early or self._taken(state)
        if not line:
            self.connection.send(" ".join(map(str, (*action, self.agent.player))).encode() + b"\n")
        played = self._move(state, self.agent.player, line)
        if played != action:
            self.terms.notes(f"our move {action} was late: the server played {played} in its stead")
        return played, played != action

    def theirs(self, state: State) -> Action:
        return self._move(state, 1 - self.agent.player)

    def _is_overtaken(self, state: State) -> bool:
        """Whether the server has taken the turn from us, ended the game, or gone."""
        try:
            self._early = self._early or self._taken(state)
        except (Fault, OpponentLeft, RefereeTrouble) as end:
            self._end = end
        return bool(self._early or self._end)

    def _taken(self, state: State) -> str:
        """What the server said while we thought: the turn is over, and an answer would be to the next one."""
        line = ""
        while not line and self.connection.waiting():
            line = self._line(state)
            if self._asked(line) is not None:
                line = ""
        return line

    def _move(self, state: State, player: int, line: str = "") -> Action:
        """The move that the server says this player made, in this line if there is one."""
        line = line or self._line(state)
        while self._asked(line) == player:  # said to all, or said again: it was answered
            line = self._line(state)
        found = MOVE.fullmatch(line)
        if not found:
            raise self.connection.nonsense(line, f"expected a move of Player-{player}")
        *numbers, mover = map(int, found.groups())
        action = tuple(numbers)
        if mover != player or not is_legal(action, state.actions(player)):
            raise self.connection.nonsense(line, f"that is no legal move of Player-{player} here")
        return action

    def farewell(self, result: MatchResult) -> None:
        """Hear how the server sees a game that is over by the rules."""
        try:
            line = self.line(FAREWELL)
        except RefereeTrouble as trouble:
            return self.terms.notes(f"no GAMEOVER: {trouble}")
        if not GAMEOVER.fullmatch(line):
            return self.terms.notes(f"the game is over, but the server goes on: {quoted(line)}")
        if line.split()[-1] != ("DRAW" if result.winner is None else str(result.winner)):
            self.terms.notes(f"the server sees it otherwise: {quoted(line)}")

    def _asked(self, line: str) -> int | None:
        """Whom a PLAY asks; None for other lines."""
        found = PLAY.fullmatch(line)
        return int(found[1]) if found else None

    def _line(self, state: State) -> str:
        """The next line; Fault where it says that the player to move has lost by more than the rules."""
        line = self.line(self.patience)
        if GAMEOVER.fullmatch(line):
            raise self._verdict(line, state)
        return line

    def _verdict(self, said: str, state: State) -> Exception:
        """What to raise for a GAMEOVER in the middle of the game."""
        (mover,) = state.to_act()
        if said.split()[-2:] == ["WINNER", str(self.agent.player)] == ["WINNER", str(mover)]:
            return OpponentLeft(said)
        if said.split()[-2:] != ["WINNER", str(1 - mover)]:
            return RefereeTrouble(f"{self.connection.name} has ended the game early: {quoted(said)}")
        ending = "no answer"
        for word, known in (("TIMEOUT", "out of time"), ("ILLEGAL", "illegal action"), ("DISC", "crashed")):
            if word in said:
                ending = known
        return Fault(ending, "action", f"the server says: {quoted(said)}")


def play(connection: Connection, agent: Agent, terms: Terms) -> int:
    """One game; the server keeps no connection for a second."""
    server = Pentago(connection, agent, terms)
    player = server.start()
    agent.sit(player, rules.start(terms.game).COLOURS[player])
    try:
        result = ServerGame(server, agent, terms, terms.notes).play()
    except OpponentLeft as left:
        terms.notes(f"{terms.name} wins, since the server says {quoted(str(left))}")
        return int(bool(agent.faults))
    if result.ending == "finished":
        server.farewell(result)
    return exit_code(result, agent)
