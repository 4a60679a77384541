"""What somebody may write who steers a match (`play --control`): whatever comes in, the match ends.

A match of two seats in this process is told lines that are requests, nearly some, or nothing of the kind; the
last ones let it go on.  All that it says are lines of JSON, a refusal says a sentence, and the turns that are
left at the end are those that were said, and legal.
"""

import contextlib
import io
import json
import time
from threading import Event
from types import SimpleNamespace

from referee import rules
from referee.human.control import Control
from referee.match.loop import Match
from tests.long.fuzz.damage import damaged
from tests.referee.match.test_match import FakeSeat

GAMES = ("kalaha:2x2", "kalaha:4x3", "pentago", "ropasci")
DOES = (
    "pause",
    "go",
    "step",
    "back",
    "undo",
    "take",
    "give",
    "play",
    "play",
    "play",
    "resign",
    "fly",
    None,
    [],
)
SAID = ("begin", "opened", "ask", "turn", "printed", "taken back", "waiting", "end", "steered", "refused")
ENOUGH = 40  # actions of a seat, after which it gives up
NESTED = "arrays within arrays"
LAST = [{"do": "give", "player": 0}, {"do": "give", "player": 1}, {"do": "go"}]


@contextlib.contextmanager
def prepared():
    """Nothing has to be."""
    yield try_one


class Player(FakeSeat):
    """Plays what is legal, and something else when the game has become long."""

    def __init__(self, random, player):
        super().__init__()
        self.random, self.player = random, player
        self.match = None
        self.asked = 0

    def action(self):
        self.asked += 1
        return None if self.asked > ENOUGH else self.random.choice(self.match.state.actions(self.player))

    def again(self, cpu):
        return self

    def resume(self, cpu, actions):
        pass


class Heard(io.StringIO):
    """Lines that come now and then; the end of them comes when the match is over."""

    def __init__(self, lines, random):
        super().__init__("".join(lines))
        self.random = random
        self.is_over = Event()

    def readline(self, size=-1):
        time.sleep(self.random.choice((0, 0, 0.0003)))
        if not (line := super().readline(size)):
            self.is_over.wait()
        return line


def try_one(random):
    """One match, and what it is told."""
    name = random.choice(GAMES)
    start = rules.start(name)
    heard, said = Heard(lines(random, start), random), io.StringIO()
    control = Control(heard, said, paused=random.random() < 0.7)
    nobody = SimpleNamespace(module="")
    planned = SimpleNamespace(game=name, number=1, players="ab", seated=lambda players: (nobody, nobody))
    control.prepare(planned, ())
    seats = [Player(random, player) for player in (0, 1)]
    held = tuple(control.seat(seat, player) for player, seat in enumerate(seats))
    match = Match(start, held, "ab", (), [control])
    for seat in seats:
        seat.match = match
    try:
        match.play()
    finally:
        heard.is_over.set()
    check(list(map(json.loads, said.getvalue().splitlines())), match, start)


def lines(random, start):
    """Some requests, one or another of them damaged, and those that let the match go on."""
    for _ in range(random.randrange(25)):
        depth = random.choice((3, 400, 990, 1900))
        line = json.dumps(request(random, start)).replace(json.dumps(NESTED), "[" * depth + "]" * depth)
        yield (damaged(line, random) if random.random() < 0.3 else line) + "\n"
    yield from ("\n", *(json.dumps(one) + "\n" for one in LAST))


def request(random, start):
    """What may be wanted of a match, now and then of another kind than it should be."""
    players = start.to_act()
    action = random.choice(start.actions(random.choice(players)))
    wrong = random.choice((None, -1, 1e400, "x" * 300, [[[]]], {"a": 1}, True, NESTED))
    return {
        "do": random.choice(DOES),
        "player": random.choice((0, 0, 0, 1, 1, 2, wrong)),
        "turn": random.choice((1, 1, 2, 3, 4, wrong)),
        "action": random.choice((action, action, action, wrong)),
    }


def check(events, match, start):
    """What was said is what was promised, and what has been played is legal."""
    turns = 0
    for event in events:
        assert event["event"] in SAID, event
        if event["event"] == "refused":
            assert isinstance(event["sentence"], str) and 5 < len(event["sentence"]) < 2000, event
        turns += event["event"] == "turn"
        if event["event"] == "taken back":
            assert event["turns"] < turns
            turns = event["turns"]
    assert events[-1]["event"] in ("end", "refused", "steered") and turns == len(match.history)
    state = start
    for turn in match.history:
        assert turn.players == state.to_act()
        if turn.played:
            assert all(turn.chosen[player] in state.actions(player) for player in turn.players)
            state = state.after(turn.chosen)
    assert state == match.state
