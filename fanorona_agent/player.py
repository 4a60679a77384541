"""The player: alpha-beta over whole turns; the board is in position.py."""

from functools import partial
from operator import itemgetter
from typing import List, Optional

from . import hops, notation
from .evaluate import evaluate
from .position import CAPTURE, OVER, START, captures, play, turns
from .shared.clock import Clock
from .shared.search import Search

SECONDS = 4.0  # the course's limit, for an action
NAME = itemgetter(4)  # the board, where coming back to it is a draw
PASS_OF_VARIANT = {"": True, "1130": True, "1100": False}


class Player:
    """Fanorona for one colour."""

    variant = ""

    def __init__(
        self,
        colour: str,
        variant: Optional[str] = None,
        seconds: Optional[float] = None,
        first_seconds: Optional[float] = None,
        nodes: Optional[int] = None,
    ) -> None:
        """`seconds` an action, `first_seconds` for the first, or `nodes` an action; None: the course's."""
        variant = self.variant if variant is None else variant
        if colour not in notation.COLOURS:
            raise ValueError("a Fanorona colour is 'light' or 'dark', not %r" % (colour,))
        if variant not in PASS_OF_VARIANT:
            raise ValueError("Fanorona is played by the 1130 or the 1100 rules, not %r" % (variant,))
        self.colour = colour
        self.has_pass = PASS_OF_VARIANT[variant]
        if nodes is None:
            self.clock = Clock(action=SECONDS if seconds is None else seconds, first=first_seconds)
        else:
            self.clock = Clock(nodes=nodes)
        self.search = Search(
            partial(turns, has_pass=self.has_pass),
            play,
            evaluate,
            noisy=partial(captures, has_pass=self.has_pass),
            entries=60000,
            killers=True,
            history=True,
            quiet=is_quiet,
            reduce=reduction,
            key=key,
            repetition=NAME,
        )
        self.position, self.seen = START, frozenset()
        self.plan = []  # type: List[hops.Hop]

    def set_up(self, line: str) -> None:
        """Go on from another position, in the referee's text form."""
        self.position, self.seen = notation.from_text(line)
        self.plan = []

    def action(self) -> str:
        """The hop to play: a legal one, whatever happens on the way to it."""
        with self.clock:
            legal = hops.legal(self.position, self.has_pass)
            hop = legal[0]
            if len(legal) > 1:
                try:
                    hop = self.choose()
                except Exception:  # a fault must not lose the game
                    self.plan = []
            return notation.to_action(hop if hop in legal else legal[0])

    def choose(self) -> hops.Hop:
        """The next hop of the turn; the whole of it is planned at once."""
        if not self.plan:
            move = self.search.best(self.position, self.clock, seen=self.seen)
            self.plan = hops.hops_of(self.position, move, self.has_pass)
        return self.plan[0]

    def update(self, colour: str, action: str) -> None:
        """Follow the game: a hop of either colour."""
        with self.clock:
            hop = notation.from_action(action)
            self.plan = self.plan[1:] if self.plan[:1] == [hop] else []
            self.position, self.seen = hops.after(self.position, self.seen, hop, self.has_pass)


class Player1100(Player):
    """Fanorona by the rules without a Pass."""

    variant = "1100"


def is_quiet(move: int) -> bool:
    """Killers and history order paikas; captures come as they are made, the biggest first."""
    return move < CAPTURE


def reduction(position: tuple, move: int, index: int, depth: int) -> int:
    """Paikas from the fifth on are looked at a turn less deeply first."""
    return 1 if index >= 4 and depth >= 3 and move < CAPTURE else 0


def key(position: tuple) -> int:
    """The board as the mover sees it, and how near the quiet limit is; an open chain only at the root."""
    return position[1] | position[2] << 50 | position[3] << 100
