"""The player: what the course calls.  It searches by alpha-beta, as deep as the time allows."""

from .position import VARIANT, evaluate, moves, play, start
from .shared.alphabeta import AlphaBeta
from .shared.clock import Clock
from .shared.deepening import Search


class Player:
    """Plays Kalaha for one colour."""

    def __init__(self, colour, variant=VARIANT, seconds=1.0, nodes=None):
        # Called once a game.  The colour is "A", who begins, or "B".
        # The referee tells what the constructor names, if it was set: `seconds` an action, `nodes` to search.
        self.colour = colour
        # The clock keeps the limit: whatever takes time belongs into a `with` of it.
        self.clock = Clock(action=seconds, nodes=nodes)
        with self.clock:
            # The board is yours to keep: nobody ever shows it to you.
            self.position = start(variant)
            # Make the three functions better: moves that are good come first, play is fast, evaluate knows.
            self.search = Search(AlphaBeta(moves, play, evaluate))

    def action(self):
        # Called when it is your turn.  Return the number of one of your ponds, 1 to 6: an int.
        # You may think for 1 s of CPU time, with 100 MB.
        with self.clock.action():
            return self.search.best(self.position, self.clock)

    def update(self, colour, action):
        # Called after every action, your own too: the colour that played, and the pond.
        # Change the board here and nowhere else.  int(): others may send numbers of numpy's.
        with self.clock:
            self.position = play(self.position, int(action))
