"""The player: what the course calls.  It looks one action ahead."""

from .position import VARIANT, evaluate, moves, play, start


class Player:
    """Plays Kalaha for one colour."""

    def __init__(self, colour, variant=VARIANT):
        # Called once a game.  The colour is "A", who begins, or "B".
        self.colour = colour
        # The board is yours to keep: nobody ever shows it to you.
        self.position = start(variant)

    def action(self):
        # Called when it is your turn.  Return the number of one of your ponds, 1 to 6: an int.
        # You may think for 1 s of CPU time, with 100 MB.  Who passes a limit, returns what is illegal or
        # raises an exception has lost the game.
        return max(moves(self.position), key=self.worth)

    def worth(self, pond):
        """How good an action is for this player: how good the position after it is."""
        after = play(self.position, pond)
        is_mine = after[0] == self.position[0]  # the last pebble fell into the bank: it is my turn again
        return evaluate(after) if is_mine else -evaluate(after)

    def update(self, colour, action):
        # Called after every action, your own too: the colour that played, and the pond.
        # Change the board here and nowhere else.  int(): others may send numbers of numpy's.
        self.position = play(self.position, int(action))
