"""The player: what the course calls.  It looks one turn ahead, at some actions and some answers."""

import random

from .position import evaluate, moves, plain, play, start

CANDIDATES = 40  # of one's own actions
ANSWERS = 6  # of the other's


class Player:
    """Plays RoPaSci 360 for one colour."""

    def __init__(self, player, seed=None):
        # Called once a game, with "upper" or "lower".  The referee tells `seed`, so that --seed plays
        # the same game again; the course does not.
        self.me = ("upper", "lower").index(player)
        # The board is yours to keep: nobody ever shows it to you.
        self.position = start()
        # Who always does the same is beaten by a list of actions made beforehand: draw lots.
        self.lots = random.Random(seed)

    def action(self):
        # Called every turn; the other chooses at the same time.  Return ("THROW", "r", (r, q)): a token, one
        # of "rps", onto a hex; or ("SLIDE", (r, q), (r, q)) or ("SWING", (r, q), (r, q)): from, to.
        # You have 60 s of CPU time for the whole game, up to 360 turns, and 100 MB.  Who passes a limit,
        # returns what is illegal or raises an exception has lost the game.
        mine, theirs = moves(self.position, self.me), moves(self.position, 1 - self.me)
        answers = [self.lots.choice(theirs) for _ in range(ANSWERS)]
        candidates = self.lots.sample(mine, min(CANDIDATES, len(mine)))
        return max(candidates, key=lambda action: sum(self.worth(action, one) for one in answers))

    def worth(self, action, answer):
        """How good a turn would be for this player."""
        return evaluate(play(self.position, self.ordered(action, answer)), self.me)

    def ordered(self, mine, theirs):
        """Both players' actions, Upper's first."""
        return (mine, theirs) if self.me == 0 else (theirs, mine)

    def update(self, opponent_action, player_action):
        # Called after every turn: the other's action first, then your own.
        # Change the board here and nowhere else.  The course names the two as they are called here.
        chosen = self.ordered(plain(player_action), plain(opponent_action))
        self.position = play(self.position, chosen)
