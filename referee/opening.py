"""Seeded openings: random actions that both games of a pair begin with."""

from collections.abc import Mapping
from random import Random

from referee import UsageError, rules

MAX_PLIES = 20_000  # to draw in search of an opening that does not end the game: seconds at most

Opening = tuple[Mapping[int, rules.Action], ...]


def opening(game: str, plies: int, seed: int, pair: int) -> Opening:
    """That many random plies (where both act at once, a ply is an action of each) for one pair of games.

    The same arguments give the same opening.  One that ends the game is drawn again.
    """
    for attempt in range(1 + MAX_PLIES // (plies + 1)):
        random = Random(f"opening {game} {plies} {seed} {pair} {attempt}")
        state = rules.start(game)
        drawn = []
        while len(drawn) < plies and (players := state.to_act()):
            drawn.append({player: random.choice(state.actions(player)) for player in players})
            state = state.after(drawn[-1])
        if state.to_act():
            return tuple(drawn)
    raise UsageError(f"no opening of {plies} random plies leaves {game} running; ask --opening for fewer")
