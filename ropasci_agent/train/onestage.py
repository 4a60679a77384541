"""A sparring partner: at every turn the equilibrium of one stage, nothing behind it, no prediction."""

import random
from typing import Any, Optional

from .. import notation
from ..evaluate import WEIGHTS, Evaluation
from ..payoffs import stage
from ..position import START, play
from ..shared.matrix import solve

# Plain numbers: every token is worth the same, in hand or on board.
FLAT = Evaluation(dict(WEIGHTS, tokens=tuple(range(10)), throws=tuple(1.05 * number for number in range(10))))


class Player:
    def __init__(self, colour: str, variant: str = "", seed: Optional[int] = None, **limits: Any) -> None:
        self.player = notation.COLOURS.index(colour)
        self.position = START
        self.random = random.Random(77 + self.player if seed is None else seed)

    def set_up(self, line: str) -> None:
        """Go on from another position, in the referee's text form."""
        self.position = notation.from_text(line)

    def action(self) -> tuple:
        found = stage(self.position, FLAT)
        solved = solve(found.values)
        mix = solved.row if self.player == 0 else solved.column
        return notation.to_action(self.random.choices(found.moves[self.player], mix)[0])

    def update(self, opponent_action: tuple, player_action: tuple) -> None:
        pair = notation.to_move(player_action), notation.to_move(opponent_action)
        self.position = play(self.position, pair if self.player == 0 else pair[::-1])
