"""The line of play that a player's search expects, as actions; looked up inside the player's process."""

import inspect
import sys
from typing import Any


def expected(player, package):
    """The moves of its search's `pv` as actions, in the text of Python literals.

    None where it has no such line, or a notation of another kind.  `to_action` of its notation gets by name
    what it asks for: the move, the position it is made in, or what the player or a part of it has.  Where a
    move is several actions, `hops.hops_of` takes it apart.
    """
    search: Any = getattr(player, "search", None)
    moves = getattr(search, "pv", None)
    if not isinstance(moves, (list, tuple)):
        return None
    notation: Any = sys.modules.get(f"{package}.notation")
    hops: Any = sys.modules.get(f"{package}.hops")
    try:
        position, actions = getattr(player, "position", None), []
        for move in moves:
            has = {"move": move, "hop": move, "position": position}
            parts = _called(hops.hops_of, has, player) if hasattr(hops, "hops_of") else [move]
            for part in parts:
                has["move"] = has["hop"] = part
                # Without a notation its moves are actions.
                actions.append(repr(_called(notation.to_action, has, player) if notation else part))
            if position is not None and hasattr(search, "play"):
                position = search.play(position, move)
        return actions
    except Exception:
        return None


def _called(function, has, player):
    holders = [player, *vars(player).values()]
    given = []
    for parameter in inspect.signature(function).parameters.values():
        name = parameter.name
        if name in has:
            given.append(has[name])
        elif parameter.default is parameter.empty:
            given.append(next(getattr(holder, name) for holder in holders if hasattr(holder, name)))
    return function(*given)
