"""Seeded openings: random actions that both games of a pair begin with."""

from ast import literal_eval
from collections.abc import Mapping, Sequence
from functools import lru_cache
from random import Random

from referee import UsageError, rules
from referee.match.texts import Texts

MAX_PLIES = 20_000  # to draw in search of an opening that does not end the game: seconds at most
TRIES = 30  # draws in a row that bring nothing new, after which the openings of that length are used up
STATES = 500  # looked at for a win at once
ALIKE = 8  # plies with which many openings begin

Opening = tuple[Mapping[int, rules.Action], ...]


def ply(chosen: Mapping[int, rules.Action]) -> str:
    """An action's repr; where both chose at once, that of the pair."""
    actions = tuple(chosen[player] for player in sorted(chosen))
    return repr(actions if len(actions) > 1 else actions[0])


def opening_of(game: str, plies: Sequence[str]) -> Opening:
    """The opening whose plies `ply` wrote; ValueError, or TypeError, where the rules refuse one."""
    return _read(game, tuple(plies))[0]


@lru_cache(maxsize=64)  # a tournament asks for each opening by every two players
def _read(game: str, plies: tuple[str, ...]) -> tuple[Opening, rules.State]:
    return _follow(game, plies)


def _follow(game: str, plies: tuple[str, ...]) -> tuple[Opening, rules.State]:
    """The opening, and the state that it leads to."""
    if not plies:
        return (), rules.start(game)
    opening, state = _begin(game, plies[: min(len(plies) - 1, ALIKE)])
    for text in plies[len(opening) :]:
        players, action = state.to_act(), _literal(text)
        chosen = dict(zip(players, action if len(players) > 1 else (action,), strict=True))
        if not players or any(one not in state.actions(player) for player, one in chosen.items()):
            raise ValueError(f"{text[:40]} is illegal there")
        opening, state = (*opening, chosen), state.after(chosen)
    return opening, state


_begin = lru_cache(maxsize=2048)(_follow)
_literal = lru_cache(maxsize=1024)(literal_eval)


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
        self._first = plies
        self._begin()

    def _begin(self) -> None:
        # By number the plies as `ply` writes them, a line each: of a million openings, dictionaries would be
        # too much.  None where a later one is known and this one is not.
        self._texts: list[bytes | None] = []
        self._whole = 0  # so many from the first on are known
        self._had = Texts()
        self._plies = self._first
        self._grows = self._first > 0
        self._is_told = False  # whether some are known from elsewhere
        self._is_new = True  # whether no two of those are the same position

    def of(self, pair: int) -> Opening:
        """The opening of the pair of that number."""
        if not self._is_new:
            self._begin()
        while self._whole < pair:
            self._whole += 1
            if self._text(self._whole) is None:
                self._texts[self._whole - 1] = _written(self._next(self._whole))
            self._plies = max(self._plies, len(self._known(self._whole)))
        return self._known(pair)

    def remember(self, pair: int, plies: Sequence[str]) -> None:
        """Take the opening of the pair of that number from a journal: so it need not be drawn again.

        ValueError, or TypeError, where the rules refuse it.
        """
        if self._text(pair) is None:
            _, state = _follow(self.game, tuple(plies))
            self._texts[pair - 1] = "\n".join(plies).encode()
            self._is_told = True
            self._is_new &= self._had.add(state.text())

    def _text(self, pair: int) -> bytes | None:
        self._texts += [None] * (pair - len(self._texts))
        return self._texts[pair - 1]

    def _known(self, pair: int) -> Opening:
        text = self._texts[pair - 1] or b""
        return opening_of(self.game, text.decode().splitlines())

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
        if self._is_told:  # where openings are had again, how many there were is not seen from some of them
            self._begin()
            return self.of(pair)
        return self._again(pair)

    def _again(self, pair: int) -> Opening:
        if pair > 1:
            return self._known((pair - 1) % max(1, len(self._had)) + 1)
        for attempt in range(1 + MAX_PLIES // (self._plies + 1)):
            drawn, state = _draw(self.game, self._start, self._plies, self.seed, pair, attempt)
            if state.to_act():
                return drawn
        raise UsageError(
            f"no opening of {self._plies} random plies leaves {self.game} running; ask --opening for fewer"
        )


def _written(opening: Opening) -> bytes:
    return "\n".join(map(ply, opening)).encode()


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
