"""The player: what the referee calls.  It searches by alpha-beta, by a copy of the referee's rules."""

from . import rules
from .shared.alphabeta import WIN, AlphaBeta
from .shared.clock import clock_for
from .shared.deepening import Search

GAME = "kalaha"
VARIANT = ""


class Player:
    """Plays for one colour."""

    def __init__(
        self, colour, variant=VARIANT, seconds=None, game_seconds=None, action_seconds=None, nodes=None
    ):
        # Called once a game, with one of the game's two colours.
        # The referee tells what the constructor names: limits of time, and `nodes` to search if it was set.
        self.colour = colour
        # The clock keeps the limit: whatever takes time belongs into a `with` of it.
        self.clock = clock_for({"action": 1.0}, seconds, game_seconds, action_seconds, nodes=nodes)
        with self.clock:
            # The position is yours to keep: nobody ever shows it to you.  It is (mover, state).
            self.position = with_mover(rules.start(GAME + ":" + variant))
            # Write a faster board and an evaluation that knows the game: then this plays well.
            self.search = Search(AlphaBeta(moves, play, evaluate))

    def action(self):
        # Called when it is your turn.  Return one of the legal actions, in plain ints, strings and tuples.
        with self.clock.action():
            return self.search.best(self.position, self.clock)

    def update(self, colour, action):
        # Called after every action, your own too, with its colour.
        # Change the position here and nowhere else.
        with self.clock:
            self.position = play(self.position, action)


def moves(position):
    """The legal actions of the mover; none when the game is over."""
    mover, state = position
    return state.actions(mover)


def play(position, action):
    """The position after an action of the mover's."""
    mover, state = position
    return with_mover(state.after({mover: action}), mover)


def with_mover(state, last=0):
    """The position of a state: who is to move, and it; when it is over, whoever did not move last."""
    players = state.to_act()
    return (players[0] if players else 1 - last, state)


def evaluate(position):
    """How good a position is for its mover: WIN or -WIN when the game is over, else how much more he has."""
    mover, state = position
    if state.outcome():
        scores, _ = state.outcome()
        return int(WIN * (scores[mover] - scores[1 - mover]))
    return state.tokens(mover) - state.tokens(1 - mover)
