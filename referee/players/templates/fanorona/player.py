"""The player: what the course calls.  It looks one action ahead."""

from .position import VARIANT, evaluate, moves, play, start


class Player:
    """Plays Fanorona for one colour."""

    def __init__(self, colour, variant=VARIANT):
        # Called once a game.  The colour is "light", who begins, or "dark".
        self.colour = colour
        # The board is yours to keep: nobody ever shows it to you.
        self.position = start(variant)

    def action(self):
        # Called when it is your turn.  Return one hop as text: "E3-E2-A" takes what is before E2, "D2-E2-W"
        # what is behind D2, "F3-F4-P" nothing; or "P" to pass instead of capturing on.
        # You may think for 4 s of CPU time, with 100 MB.  Who passes a limit, returns what is illegal or
        # raises an exception has lost the game.
        return max(moves(self.position), key=self.worth)

    def worth(self, action):
        """How good an action is for this player: how good the position after it is."""
        after = play(self.position, action)
        is_mine = after[0] == self.position[0]  # the same man can capture on: you are asked again
        return evaluate(after) if is_mine else -evaluate(after)

    def update(self, colour, action):
        # Called after every action, your own too: the colour that played, and the hop.
        # Change the board here and nowhere else.
        self.position = play(self.position, str(action))
