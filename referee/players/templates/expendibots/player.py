"""The player: what the course calls.  It looks one action ahead."""

from .position import evaluate, moves, plain, play, start


class Player:
    """Plays Expendibots for one colour."""

    def __init__(self, colour):
        # Called once a game.  The colour is "white", who begins, or "black".
        self.colour = colour
        # The board is yours to keep: nobody ever shows it to you.
        self.position = start()

    def action(self):
        # Called when it is your turn.  Return ("MOVE", n, (x, y), (x, y)): n tokens from one square to
        # another; or ("BOOM", (x, y)).  Tuples, not lists; all numbers are ints.
        # You have 60 s of CPU time for the whole game, and 100 MB.  Who passes a limit, returns what is
        # illegal or raises an exception has lost the game.
        return max(moves(self.position), key=self.worth)

    def worth(self, action):
        """How good an action is for this player: how bad the position after it is for the other."""
        return -evaluate(play(self.position, action))

    def update(self, colour, action):
        # Called after every action, your own too: the colour that played, and what it played.
        # Change the board here and nowhere else.
        self.position = play(self.position, plain(action))
