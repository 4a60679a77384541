"""The battleground of Expendibots and RoPaSci 360 in small: its lines, and a bot that plays legal actions."""

import json
import random
from collections.abc import Callable

from referee import rules
from tests.servers.listener import Link, compact

OKAY = compact({"mtype": "OKAY"})


def tuples(value):
    """Arrays as tuples, as both ends of the protocol have them."""
    return tuple(map(tuples, value)) if isinstance(value, list) else value


class Battleground:
    """A server's side of one game.  It holds the client to the protocol, line by line.

    `questions` are asked while the client waits; `change(line)` may replace any line on its way out.
    """

    def __init__(
        self,
        game: str,
        seat: int = 0,
        seed: int = 1,
        questions: int = 1,
        change: Callable[[dict], object] = lambda line: line,
    ) -> None:
        self.state = rules.start(game)
        self.colours = self.state.COLOURS
        self.seat = seat
        self.random = random.Random(seed)
        self.questions = questions
        self.change = change
        self.asked_for: dict = {}
        self.turns = 0

    def __call__(self, link: Link) -> None:
        self.link = link
        self.asked_for = json.loads(link.line())
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
        changed = self.change(line)
        if changed is not None:
            self.link.send(changed if isinstance(changed, (bytes, str)) else compact(changed) + "\n")

    def okay(self) -> None:
        assert self.link.line() == OKAY
