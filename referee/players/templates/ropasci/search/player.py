"""The player: what the course calls.  It solves the matrix of one turn: its actions by the other's."""

import random

from .position import evaluate, moves, plain, play, start
from .shared.clock import Clock
from .shared.matrix import solve

CANDIDATES = 16  # of each player's actions
ANSWERS = 3  # by which candidates are found
TURNS = 360  # the longest game
KEPT = 0.2  # of the time: when no more is left, any legal action will do


class Player:
    """Plays RoPaSci 360 for one colour."""

    def __init__(self, player, seconds=60.0, seed=None):
        # Called once a game, with "upper" or "lower".
        # The referee tells what the constructor names, if it was set: `seconds` a game.
        # It tells `seed` too, so that --seed plays the same game again.
        self.me = ("upper", "lower").index(player)
        # The clock keeps the limit: whatever takes time belongs into a `with` of it.
        self.clock = Clock(game=seconds, longest=TURNS)
        # The board is yours to keep: nobody ever shows it to you.
        self.position = start()
        # Who always does the same is beaten by a list of actions made beforehand: draw lots.
        self.lots = random.Random(seed)

    def action(self):
        # Called every turn; the other chooses at the same time.  Return ("THROW", "r", (r, q)): a token, one
        # of "rps", onto a hex; or ("SLIDE", (r, q), (r, q)) or ("SWING", (r, q), (r, q)): from, to.
        # You have 60 s of CPU time for the whole game, up to 360 turns, and 100 MB.
        with self.clock.action():
            if self.clock.left() < KEPT * self.clock.game:
                return self.lots.choice(moves(self.position, self.me))
            mine, theirs = self.candidates(self.me), self.candidates(1 - self.me)
            # What each of mine brings against each of theirs; `row` is how often to play each of mine, so
            # that nobody who knows it can do better against it.
            matrix = [[self.worth(one, other) for other in theirs] for one in mine]
            return self.lots.choices(mine, solve(matrix).row)[0]

    def candidates(self, player):
        """The actions of a player that are best on average against some of the other's."""
        own, others = moves(self.position, player), moves(self.position, 1 - player)
        answers = [self.lots.choice(others) for _ in range(ANSWERS)]
        sign = 1 if player == self.me else -1

        def mean(action):
            turns = [(action, one) if player == self.me else (one, action) for one in answers]
            return sign * sum(self.worth(*turn) for turn in turns)

        return sorted(own, key=mean)[-CANDIDATES:]

    def worth(self, mine, theirs):
        """How good a turn would be for this player."""
        return evaluate(play(self.position, self.ordered(mine, theirs)), self.me)

    def ordered(self, mine, theirs):
        """Both players' actions, Upper's first."""
        return (mine, theirs) if self.me == 0 else (theirs, mine)

    def update(self, opponent_action, player_action):
        # Called after every turn: the other's action first, then your own.
        # Change the board here and nowhere else.  The course names the two as they are called here.
        with self.clock:
            chosen = self.ordered(plain(player_action), plain(opponent_action))
            self.position = play(self.position, chosen)
