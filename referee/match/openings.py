"""Seeded openings: random actions that both games of a pair begin with."""

from collections.abc import Mapping
from random import Random

from referee import UsageError, rules

MAX_PLIES = 20_000  # to draw in search of an opening that does not end the game: seconds at most
TRIES = 30  # draws in a row that bring nothing new, after which the openings of that length are used up
STATES = 500  # looked at for a win at once

Opening = tuple[Mapping[int, rules.Action], ...]


def _draw(
    game: str, start: rules.State, plies: int, seed: int, pair: int, attempt: int
) -> tuple[Opening, rules.State]:
    random = Random(f"opening {game} {plies} {seed} {pair} {attempt}")
    state = start
    drawn: list[Mapping[int, rules.Action]] = []
    while len(drawn) < plies and (players := state.to_act()):
        drawn.append({player: random.choice(state.actions(player)) for player in players})
        state = state.after(drawn[-1])
    return tuple(drawn), state


class Openings:
    """The openings of pairs 1, 2, 3, ...; those before do not depend on how many follow.

    An opening is that many random plies (where both act at once, a ply is an action of each); the same
    arguments give the same ones to `play` and `tournament`.  Drawn again is what ends the game, what one
    side can win at once, and what leads to a position that an earlier opening led to.  Where that leaves
    nothing new the openings get a ply longer; where longer ones end the game too, and with 0 plies, they
    are had again.
    """

    def __init__(self, game: str, plies: int, seed: int):
        self.game = game
        self.seed = seed
        self._start = rules.start(game)
        self._plies = plies
        self._openings: list[Opening] = []
        self._had: set[str] = set()
        self._grows = plies > 0

    def of(self, pair: int) -> Opening:
        """The opening of the pair of that number."""
        while len(self._openings) < pair:
            self._openings.append(self._next(len(self._openings) + 1))
        return self._openings[pair - 1]

    def _next(self, pair: int) -> Opening:
        while self._grows:
            running = False
            for attempt in range(TRIES):
                drawn, state = _draw(self.game, self._start, self._plies, self.seed, pair, attempt)
                running |= bool(state.to_act())
                if state.text() not in self._had and state.to_act() and not won_at_once(state):
                    self._had.add(state.text())
                    return drawn
            self._grows = running
            self._plies += running
        return self._again(pair)

    def _again(self, pair: int) -> Opening:
        if self._openings:
            return self._openings[(pair - 1) % max(1, len(self._had))]
        for attempt in range(1 + MAX_PLIES // (self._plies + 1)):
            drawn, state = _draw(self.game, self._start, self._plies, self.seed, pair, attempt)
            if state.to_act():
                return drawn
        raise UsageError(
            f"no opening of {self._plies} random plies leaves {self.game} running; ask --opening for fewer"
        )


def won_at_once(state: rules.State) -> bool:
    """Whether a player to act can win before the other chooses again, as far as a look at some states tells.

    Where both choose at once: whether one has an action that wins whatever the other does.
    """
    players = state.to_act()
    if len(players) == 2:
        choices = ((player, action) for player in players for action in state.actions(player))
        return any(_wins_anyhow(state, player, action) for player, action in choices)
    (mover,) = players
    turn = [state]  # those of the mover's turn; grows while it is walked
    looked = 0
    for here in turn:
        for action in here.actions(mover):
            after = here.after({mover: action})
            looked += 1
            if (outcome := after.outcome()) and outcome[0][mover] == 1:
                return True
            if looked == STATES:
                return False
            if after.to_act() == players:
                turn.append(after)
    return False


def _wins_anyhow(state: rules.State, player: int, action: rules.Action) -> bool:
    for reply in state.actions(1 - player):
        outcome = state.after({player: action, 1 - player: reply}).outcome()
        if not outcome or outcome[0][player] != 1:
            return False
    return True
