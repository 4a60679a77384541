"""The player: the shared search on a board of strings."""

from .position import COLOURS, START, evaluate, from_text, moves, play
from .shared.alphabeta import AlphaBeta
from .shared.clock import clock_for
from .shared.deepening import Search


class Player:
    """Connect Four for one colour."""

    def __init__(self, colour, seconds=None, nodes=500):  # few nodes: in time on any machine
        if colour not in COLOURS:
            raise ValueError("a Connect Four colour is 'red' or 'yellow', not %r" % (colour,))
        self.clock = clock_for({"action": 1.0}, seconds, None, None, None, nodes)
        self.search = Search(AlphaBeta(moves, play, evaluate))
        self.position = START

    def action(self):
        with self.clock.action():
            try:
                return self.search.best(self.position, self.clock)
            except Exception:  # a mistake must not cost the game
                return moves(self.position)[0]

    def update(self, colour, action):
        with self.clock:
            self.position = play(self.position, int(action))

    def set_up(self, line):
        self.position = from_text(line)
