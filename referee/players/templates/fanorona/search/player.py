"""The player: what the course calls.  It searches by alpha-beta, as deep as the time allows."""

from .position import VARIANT, evaluate, moves, play, start
from .shared.alphabeta import AlphaBeta
from .shared.clock import Clock
from .shared.deepening import Search


class Player:
    """Plays Fanorona for one colour."""

    def __init__(self, colour, variant=VARIANT, seconds=4.0, nodes=None):
        # Called once a game.  The colour is "light", who begins, or "dark".
        # The referee tells what the constructor names, if it was set: `seconds` an action, `nodes` to search.
        self.colour = colour
        # The clock keeps the limit: whatever takes time belongs into a `with` of it.
        self.clock = Clock(action=seconds, nodes=nodes)
        with self.clock:
            # The board is yours to keep: nobody ever shows it to you.
            self.position = start(variant)
            # Make the three functions better: moves that are good come first, play is fast, evaluate knows.
            self.tree = AlphaBeta(moves, play, evaluate, repetition=lambda position: position)
            self.search = Search(self.tree)
            # A position that was there before is worth a draw: so a player who is ahead goes on.
            self.tree.seen = []

    def action(self):
        # Called when it is your turn.  Return one hop as text: "E3-E2-A" takes what is before E2, "D2-E2-W"
        # what is behind D2, "F3-F4-P" nothing; or "P" to pass instead of capturing on.
        # You may think for 4 s of CPU time, with 100 MB.
        with self.clock.action():
            return self.search.best(self.position, self.clock)

    def update(self, colour, action):
        # Called after every action, your own too: the colour that played, and the hop.
        # Change the board here and nowhere else.
        with self.clock:
            self.tree.seen.append(self.position)
            self.position = play(self.position, str(action))
