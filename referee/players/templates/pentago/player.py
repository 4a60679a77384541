"""The player: what is called in a game.  It looks one action ahead."""

from .position import VARIANT, evaluate, moves, play, start


class Player:
    """Plays Pentago for one colour."""

    def __init__(self, colour, variant=VARIANT):
        # Called once a game.  The colour is "white", who begins, or "black".
        self.colour = colour
        # The board is yours to keep: nobody ever shows it to you.
        self.position = start(variant)

    def action(self):
        # Called when it is your turn.  Return (x, y, quadrant, op), four ints: a stone on row x and column
        # y, then a twist of the quadrant, 0 to 3: op 0 turns it right, op 1 mirrors it left-right.
        # You may think for 2 s of CPU time, for 30 s the first time, with 500 MB.  Who passes a limit,
        # returns what is illegal or raises an exception has lost the game.
        return max(moves(self.position), key=self.worth)

    def worth(self, action):
        """How good an action is for this player: how bad the position after it is for the other."""
        return -evaluate(play(self.position, action))

    def update(self, colour, action):
        # Called after every action, your own too: the colour that played, and (x, y, quadrant, op).
        # Change the board here and nowhere else.  int(): others may send numbers of numpy's.
        x, y, quadrant, op = map(int, action)
        self.position = play(self.position, (x, y, quadrant, op))
