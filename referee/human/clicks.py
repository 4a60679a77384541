"""Says which clicks on the board, and which buttons, make up each legal action.

A step is `place E3`, `quadrant 2` or `button boom`.  No action's steps are the beginning of another's,
so that an action is played with its last step.  A game that is not in `OF_GAME` needs no entry: see `whole`.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from referee.human.typed_actions import spell
from referee.rules import Action, State

Steps = tuple[str, ...]

SYMBOLS = {"r": "rock", "p": "paper", "s": "scissors"}
KINDS = {"A": "approach", "W": "withdraw"}


def steps(game: str, state: State, player: int) -> list[tuple[Action, Steps]]:
    """The player's legal actions with the steps of each."""
    legal = state.actions(player)
    return list(zip(legal, OF_GAME.get(game.partition(":")[0], whole)(state, player, legal), strict=True))


def whole(state: State, player: int, legal: Sequence[Action]) -> list[Steps]:
    """One click: the place of the action's name (`4`, `E3`, `(2, 5)`), where words are in it a button.

    A place that a board does not have gets a button as well: page.js.
    """

    def of_action(action: Action) -> str:
        has_words = isinstance(action, tuple) and not all(isinstance(part, int) for part in action)
        return f"button {spell(action)}" if has_words else f"place {action}"

    return [(of_action(action),) for action in legal]


def kalaha(state: State, player: int, legal: Sequence[Action]) -> list[Steps]:
    """A click on a pond."""
    return [(f"place {state.COLOURS[player]}{pond}",) for pond in legal]


def fanorona(state: Any, player: int, legal: Sequence[Action]) -> list[Steps]:
    """Clicks on a man, unless a chain is open, and on a point; a button where either capture is legal."""
    ways = Counter(hop[:-2] for hop in legal)

    def of_hop(hop: str) -> Steps:
        if hop == "P":
            return ("button stop here",)
        origin, target, kind = hop.split("-")
        where = (f"place {target}",) if state.chain else (f"place {origin}", f"place {target}")
        return (*where, f"button {KINDS[kind]}") if ways[hop[:-2]] > 1 else where

    return [of_hop(hop) for hop in legal]


def expendibots(state: Any, player: int, legal: Sequence[Action]) -> list[Steps]:
    """A click on a stack; then boom, or how many of its tokens if there are several, and a square."""
    heights = {square: abs(height) for square, height in state.stacks}

    def of_action(action: Action) -> Steps:
        kind, *rest = action
        if kind == "BOOM":
            return f"place {rest[0]}", "button boom"
        count, start, target = rest
        several = (f"button move {count}",) if heights[start] > 1 else ()
        return (f"place {start}", *several, f"place {target}")

    return [of_action(action) for action in legal]


def pentago(state: Any, player: int, legal: Sequence[Action]) -> list[Steps]:
    """Clicks on a cell and a quadrant, and a button for how it is twisted."""
    twists = ("turn right", "turn left" if state.variant.startswith("classic") else "mirror")
    return [
        (f"place {(x, y)}", f"quadrant {quadrant}", f"button {twists[op]}") for x, y, quadrant, op in legal
    ]


def ropasci(state: State, player: int, legal: Sequence[Action]) -> list[Steps]:
    """A button for a symbol to throw or a click on a token to move, and a click on a hex."""
    return [
        (f"button throw {SYMBOLS[source]}" if kind == "THROW" else f"place {source}", f"place {end}")
        for kind, source, end in legal
    ]


OF_GAME: Mapping[str, Callable[[Any, int, Sequence[Action]], list[Steps]]] = {
    "kalaha": kalaha,
    "fanorona": fanorona,
    "expendibots": expendibots,
    "pentago": pentago,
    "ropasci": ropasci,
}
