"""The player: what the course calls.  It searches by alpha-beta, as deep as the time allows."""

from .position import evaluate, moves, plain, play, start
from .shared.alphabeta import AlphaBeta
from .shared.clock import Clock
from .shared.deepening import Search


def booms_first(position):
    """The moves, those first that take something off the board: so more of the others are cut off."""
    return sorted(moves(position), key=lambda move: move[0] != "BOOM")


class Player:
    """Plays Expendibots for one colour."""

    def __init__(self, colour, seconds=60.0, nodes=None):
        # Called once a game.  The colour is "white", who begins, or "black".
        # The referee tells what the constructor names, if it was set: `seconds` a game, `nodes` an action.
        self.colour = colour
        # The clock keeps the limit: whatever takes time belongs into a `with` of it.
        self.clock = Clock(game=seconds, nodes=nodes, turns=40, longest=250)
        with self.clock:
            # The board is yours to keep: nobody ever shows it to you.
            self.position = start()
            # Make the three functions better: moves that are good come first, play is fast, evaluate knows.
            self.tree = AlphaBeta(booms_first, play, evaluate, repetition=lambda position: position)
            self.search = Search(self.tree)
            # A position that was there before is worth a draw: so a player who is ahead goes on.
            self.tree.seen = []

    def action(self):
        # Called when it is your turn.  Return ("MOVE", n, (x, y), (x, y)): n tokens from one square to
        # another; or ("BOOM", (x, y)).  Tuples, not lists; all numbers are ints.
        # You have 60 s of CPU time for the whole game, and 100 MB.
        with self.clock.action():
            return self.search.best(self.position, self.clock)

    def update(self, colour, action):
        # Called after every action, your own too: the colour that played, and what it played.
        # Change the board here and nowhere else.
        with self.clock:
            self.tree.seen.append(self.position)
            self.position = play(self.position, plain(action))
