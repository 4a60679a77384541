"""The battleground of Expendibots and RoPaSci 360 in small: its lines, and a bot that plays legal actions."""

import json
import random
from collections.abc import Callable

from referee import rules
from tests.support.servers.listener import Link, compact

OKAY = compact({"mtype": "OKAY"})


def tuples(value):
    """Arrays as tuples, as both ends of the protocol have them."""
    return tuple(map(tuples, value)) if isinstance(value, list) else value


class Deviation:
    """Where the server leaves the protocol: at its line of that number (from 0) and type.

    In that line's place it sends `last`, or what that makes of the line; then it waits for the client to
    go, or closes the connection.
    """

    def __init__(self, mtype: str, number: int, last: str | Callable[[dict], str] = "", closes: bool = False):
        self.mtype, self.number, self.last, self.closes = mtype, number, last, closes


class Deviated(Exception):
    """The server has done so."""


class Battleground:
    """A server's side of one game.  It holds the client to the protocol, line by line.

    `questions` are asked while the client waits.
    """

    def __init__(
        self,
        game: str,
        seat: int = 0,
        seed: int = 1,
        questions: int = 1,
        deviation: Deviation | None = None,
    ) -> None:
        self.state = rules.start(game)
        self.colours = self.state.COLOURS
        self.seat = seat
        self.random = random.Random(seed)
        self.questions = questions
        self.deviation = deviation
        self.sent: list[str] = []  # the types of all lines
        self.asked_for: dict = {}
        self.turns = 0

    def __call__(self, link: Link) -> None:
        self.link = link
        try:
            self.serve()
        except Deviated:
            if not self.deviation.closes:
                link.wait_for_end()

    def serve(self) -> None:
        self.asked_for = json.loads(self.link.line())
        assert set(self.asked_for) == {"name", "channel", "mtype"} and self.asked_for["mtype"] == "PLAY"
        self.send(mtype="OKAY")
        for _ in range(self.questions):
            self.send(mtype="OKAY")
            self.okay()
        names = {self.colours[self.seat]: self.asked_for["name"], self.colours[1 - self.seat]: "bot"}
        self.send(**names, mtype="GAME")
        self.send(colour=self.colours[self.seat], mtype="INIT")
        self.okay()
        while players := self.state.to_act():
            self.turn(players)
            self.turns += 1
        self.send(result=self.state.outcome()[1], mtype="OVER")

    def turn(self, players: tuple[int, ...]) -> None:
        chosen = {player: self.action(player) for player in players}
        news = [self.state.news(player, chosen) for player in (0, 1)]
        self.state = self.state.after(chosen)
        first, second = news[self.seat]
        if len(players) == 2:
            self.send(opponent_action=first, player_action=second, mtype="UPD8")
        else:
            self.send(colour=first, action=second, mtype="UPD8")
        self.okay()

    def action(self, player: int):
        legal = self.state.actions(player)
        if player != self.seat:
            return self.random.choice(legal)
        self.send(mtype="TURN")
        line = json.loads(self.link.line())
        assert set(line) == {"action", "mtype"} and line["mtype"] == "ACTN"
        action = tuples(line["action"])
        assert action in legal
        return action

    def send(self, **line: object) -> None:
        deviation, mtype = self.deviation, line["mtype"]
        if deviation and deviation.mtype == mtype and deviation.number == self.sent.count(mtype):
            self.link.send(deviation.last(line) if callable(deviation.last) else deviation.last)
            raise Deviated
        self.sent.append(mtype)
        self.link.send(compact(line) + "\n")

    def okay(self) -> None:
        assert self.link.line() == OKAY


def matched(game: str, first: Link, second: Link) -> str:
    """Two clients of one channel play each other, the first one with the second colour; the result."""
    names = []
    for link in (first, second):
        request = json.loads(link.line())
        assert (request["mtype"], request["channel"]) == ("PLAY", "kitchen")
        names.append(request["name"])
        link.send(OKAY + "\n")
    # The second has come: is the first still there?
    first.send(OKAY + "\n")
    assert first.line() == OKAY
    state, links = rules.start(game), (second, first)
    colours = state.COLOURS
    for player, link in enumerate(links):
        link.send(compact({colours[0]: names[1], colours[1]: names[0], "mtype": "GAME"}) + "\n")
        link.send(compact({"colour": colours[player], "mtype": "INIT"}) + "\n")
        assert link.line() == OKAY
    while players := state.to_act():
        chosen = {}
        for player in players:
            links[player].send(compact({"mtype": "TURN"}) + "\n")
            chosen[player] = tuples(json.loads(links[player].line())["action"])
            assert chosen[player] in state.actions(player)
        keys = ("opponent_action", "player_action") if len(players) == 2 else ("colour", "action")
        for player, link in enumerate(links):
            told = dict(zip(keys, state.news(player, chosen), strict=True))
            link.send(compact({**told, "mtype": "UPD8"}) + "\n")
            assert link.line() == OKAY
        state = state.after(chosen)
    for link in links:
        link.send(compact({"result": state.outcome()[1], "mtype": "OVER"}) + "\n")
    return state.outcome()[1]
