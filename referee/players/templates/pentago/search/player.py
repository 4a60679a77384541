"""The player: what is called in a game.  It searches by alpha-beta, as deep as the time allows."""

from .position import VARIANT, evaluate, moves, play, start
from .shared.alphabeta import AlphaBeta
from .shared.clock import Clock
from .shared.deepening import Search


def different(position):
    """The moves that lead to different boards: twists of an empty quadrant, say, often do the same."""
    return list({play(position, move): move for move in moves(position)}.values())


class Player:
    """Plays Pentago for one colour."""

    def __init__(self, colour, variant=VARIANT, seconds=2.0, nodes=None):
        # Called once a game.  The colour is "white", who begins, or "black".
        # The referee tells what the constructor names, if it was set: `seconds` an action, `nodes` to search.
        self.colour = colour
        # The clock keeps the limit: whatever takes time belongs into a `with` of it.
        self.clock = Clock(action=seconds, nodes=nodes)
        with self.clock:
            # The board is yours to keep: nobody ever shows it to you.
            self.position = start(variant)
            # Make the three functions better: moves that are good come first, play is fast, evaluate knows.
            self.search = Search(AlphaBeta(different, play, evaluate))

    def action(self):
        # Called when it is your turn.  Return (x, y, quadrant, op), four ints: a stone on row x and column
        # y, then a twist of the quadrant, 0 to 3: op 0 turns it right, op 1 mirrors it left-right.
        # You may think for 2 s of CPU time, for 30 s the first time, with 500 MB.
        with self.clock.action():
            return self.search.best(self.position, self.clock)

    def update(self, colour, action):
        # Called after every action, your own too: the colour that played, and (x, y, quadrant, op).
        # Change the board here and nowhere else.  int(): others may send numbers of numpy's.
        with self.clock:
            x, y, quadrant, op = map(int, action)
            self.position = play(self.position, (x, y, quadrant, op))
