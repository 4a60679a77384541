"""A sparring partner that only survives: it throws when it has fewer than three tokens on board, gets away
from hunters, captures nothing but what stands beside it, and otherwise goes to and fro.  Who is ahead
of it has to make the progress.
"""

import random
from typing import Any, Callable, Iterator, List, Tuple

from ..position import FIRST_STEP
from . import cascade


class Player(cascade.Player):
    def __init__(self, colour: str, variant: str = "", seed: int = 0, **limits: Any) -> None:
        super().__init__(colour)
        self.random = random.Random("{} {}".format(seed, colour))

    def rules(self) -> List[Callable[[], Iterator[Tuple[Any, ...]]]]:
        return [self.captures, self.escapes, self.careful_throws, self.shuffles]

    def shuffles(self) -> Iterator[Tuple[Any, ...]]:
        """Any step out of the hunters' reach; lots decide."""
        for symbol, g, h in self.steps:
            if not (h in self.danger[symbol] or self.suicidal(symbol, h) or self.kills_own(symbol, h)):
                yield self.random.random(), FIRST_STEP + 61 * g + h
