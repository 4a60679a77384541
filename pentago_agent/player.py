"""The player: wins by threats seen to the end, else a selective search.

player = Player("white")                     # PlayerClassic for right and left turns
action = player.action()                     # (x, y, quadrant, op)
player.update("white", action)
"""

from typing import Callable, Optional, Sequence, Tuple

from . import notation
from .kernel import Kernel
from .position import START, moves, play
from .shared.clock import clock_for, number
from .shared.deepening import Search, lots_of, tell_of_fault
from .shared.table import entries_in
from .theory import second_stone
from .threats import Threats
from .tree import ENTRIES, MARGIN, Tree

COURSE = {"first": 30.0, "action": 2.0}  # seconds
FIRST = 15  # the first action takes no more than so many times what the others have
TURNS = 18  # own actions, at most
BESIDES = 60  # megabytes that all but the table of positions takes
FULL = 2.0  # seconds an action
# Nodes of a two-second action: for a win of one's own by threats, looked for before all else, and for
# each look at the other's.  Shorter actions get their share: at 0.15 s all of it cost 8 points of 100.
ATTACK_NODES = 8000
VETO_NODES = 2000
NODES_A_SECOND = 150000
WIDE_SECONDS = 1.0  # with so much an action, more moves rather than more plies (README.md)
# A draw is worth as much as a position that is so much worse than even, in thousandths of a logit: few
# who are met search as deep, and from the hard seat most of what is given away is draws (README.md).
CONTEMPT = 800

# Tables that are only read, made before anybody counts the time: a variant's take more than a short action.
_KERNELS = {variant: Kernel(variant) for variant in ("", "classic")}


def kernel_of(variant: str, megabytes: Optional[float] = None) -> Kernel:
    """The tables of a variant; those of another are given back where memory is short."""
    if megabytes is not None and number("megabytes", megabytes) < BESIDES:
        for other in [name for name in _KERNELS if name != variant]:
            del _KERNELS[other]
    return _KERNELS[variant] if variant in _KERNELS else Kernel(variant)  # which says what there is


class Player:
    """Pentago-Twist, or the variant that is named; the search is in tree.py."""

    variant = ""

    def __init__(
        self,
        colour: str,
        variant: Optional[str] = None,
        seconds: Optional[float] = None,
        game_seconds: Optional[float] = None,
        action_seconds: Optional[float] = None,
        first_seconds: Optional[float] = None,
        megabytes: Optional[float] = None,
        nodes: Optional[int] = None,
        seed: Optional[int] = None,
        wall: bool = False,
        tell: Optional[Callable[[Tuple[int, int, int, int]], None]] = None,
    ) -> None:
        """All limits that are given are kept; without any, the course's.  `seconds` are for an action.

        `seed`: of the lots among nearly equal moves, which nobody can foretell without it.
        `wall`: wall time is charged, not CPU time.  `tell` is called with the best action so far after
        each iteration of the search.
        """
        if colour not in notation.COLOURS:
            raise ValueError("a Pentago colour is 'white' or 'black', not %r" % (colour,))
        self.colour = colour
        self.tell = tell and (lambda move, *_: tell(notation.to_action(move, self.kernel.geometry)))
        self.clock = clock_for(
            COURSE,
            seconds,
            game_seconds,
            action_seconds,
            first_seconds,
            nodes,
            wall=wall,
            turns=TURNS,
            longest=TURNS,
        )
        usual = self.clock.usual_action(FULL) if nodes is None else nodes / NODES_A_SECOND
        if self.clock.first is not None and nodes is None:  # nodes say themselves when it is enough
            self.clock.first = min(self.clock.first, FIRST * usual)
        share = min(1.0, usual / FULL)
        with self.clock:
            self.kernel = kernel_of(self.variant if variant is None else variant, megabytes)
            leaning = self.kernel.leaning(notation.COLOURS.index(colour), CONTEMPT)
        entries = entries_in(ENTRIES, megabytes, BESIDES)
        self.tree = Tree(leaning, Threats(self.kernel), usual >= WIDE_SECONDS, entries)
        self.tree.attack_nodes = int(ATTACK_NODES * share)
        self.tree.veto_nodes = int(VETO_NODES * share)
        self.search = Search(self.tree, margin=MARGIN)
        self.search.lots = lots_of(seed, colour)
        self.position = START

    def action(self) -> Tuple[int, int, int, int]:
        """The action to play; a legal one whatever happens on the way to it."""
        with self.clock.action():
            try:
                return self._legal(self.choose())
            except Exception:  # a bug must not cost the game: the best move so far still counts
                tell_of_fault()
                try:
                    return self._legal(self.search.move)
                except Exception:
                    return self._legal(None)

    def _legal(self, move: Optional[int]) -> Tuple[int, int, int, int]:
        """The action for a move; for a legal one instead, should it be none."""
        legal = moves(self.position, self.kernel.geometry)
        return notation.to_action(move if move in legal else legal[0], self.kernel.geometry)

    def choose(self) -> int:
        """The move that theory knows, else what threats and search come to."""
        known = second_stone(self.position, self.kernel.geometry)
        return self.search.best(self.position, self.clock, self.tell) if known is None else known

    def update(self, colour: str, action: Sequence) -> None:
        """Follow the game: the action of either colour, in any kind of whole numbers."""
        with self.clock:
            geometry = self.kernel.geometry
            self.position = play(self.position, notation.from_action(action, geometry), geometry)

    def set_up(self, line: str) -> None:
        """Go on from another position, in the referee's text form."""
        self.position = notation.from_text(line)


class PlayerClassic(Player):
    """Classic Pentago: quarter turns to the right and to the left, a placed five wins at once."""

    variant = "classic"
