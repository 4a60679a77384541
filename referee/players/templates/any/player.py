"""The player: what the referee calls.  It looks one action ahead, by a copy of the referee's rules."""

import random

from . import rules

GAME = "kalaha"
VARIANT = ""
CANDIDATES = 30  # actions that it looks at
WIN = 1000000


class Player:
    """Plays for one colour."""

    def __init__(self, colour, variant=VARIANT, seed=None):
        # Called once a game, with one of the game's two colours.  --seed plays the same game again.
        # The state of the game is yours to keep: nobody ever shows it to you.
        self.state = rules.start(GAME + ":" + variant)
        self.me = self.state.COLOURS.index(colour)
        self.lots = random.Random(seed)

    def action(self):
        # Called when it is your turn.  Return one of the legal actions, in plain ints, strings and tuples.
        # Who passes a limit of time, returns what is illegal or raises an exception has lost the game.
        legal = self.state.actions(self.me)
        return max(self.lots.sample(legal, min(CANDIDATES, len(legal))), key=self.worth)

    def worth(self, action):
        """How good an action is: whether it wins or loses, else how much more this player has then."""
        chosen = {player: self.lots.choice(self.state.actions(player)) for player in self.state.to_act()}
        chosen[self.me] = action  # where both choose at once, against some action of the other's
        after = self.state.after(chosen)
        if after.outcome():
            scores, _ = after.outcome()
            return WIN * (scores[self.me] - scores[1 - self.me])
        return after.tokens(self.me) - after.tokens(1 - self.me)

    def update(self, *news):
        # Called after every action, your own too, with its colour; where both choose at once, with the
        # other's action and your own.  Change the state here and nowhere else.
        if len(self.state.to_act()) == 2:
            theirs, mine = news
            chosen = {self.me: mine, 1 - self.me: theirs}
        else:
            colour, action = news
            chosen = {self.state.COLOURS.index(colour): action}
        self.state = self.state.after(chosen)
