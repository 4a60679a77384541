"""The player: alpha-beta by turns on the fast board.

    player = Player("A")                         # or Player("B", "4x3"): 4 ponds a side, 3 pebbles each
    action = player.action()                     # the number of a pond
    player.update("A", action)
"""

from typing import Any, Callable, Optional

from . import notation
from .endings import ending
from .evaluate import arranger, certain, evaluator, promises
from .position import LEAD_OF
from .scout import REMEMBERED, later, scouting
from .shared.clock import Clock
from .shared.search import Search
from .table import Packed

SECONDS = 1.0  # the course's limit for an action
# What is never planned with.  A collection of garbage may fall between two looks at the clock: with 5 ms
# kept back at 0.1 s an action, 4 of 20 games were lost by up to 1 ms.
RESERVE = 0.05
ASPIRATION = 12  # eighths of a pebble
# With more pebbles left than this no search gets as far as the tables of endings: asking them at every
# node costs a seventh of the speed (534 against 618 thousand nodes a CPU second, train.speed).
FAR_FROM_ENDING = 45


class Player:
    """Kalaha by alpha-beta; the board is in position.py."""

    def __init__(
        self,
        colour: str,
        variant: str = "",
        seconds: Optional[float] = None,
        first_seconds: Optional[float] = None,
        nodes: Optional[int] = None,
        wall: bool = False,
        tell: Optional[Callable[[int], None]] = None,
    ) -> None:
        """`seconds` an action, `first_seconds` for the first, or `nodes` an action; None: the course's.

        `wall`: wall time is charged, not CPU time.  `tell` is called with the best action so far after
        each iteration of the search.
        """
        if colour not in notation.COLOURS:
            raise ValueError("a Kalaha colour is 'A' or 'B', not %r" % (colour,))
        self.colour = colour
        self.tell = tell and (lambda move, *_: tell(notation.to_action(move)))
        seconds = SECONDS if seconds is None else seconds
        if nodes:
            self.clock = Clock(nodes=nodes)
        else:
            first = seconds if first_seconds is None else first_seconds
            self.clock = Clock(action=seconds, first=first, wall=wall, reserve=kept_of(first))
        with self.clock:
            self._use(*notation.from_variant(variant))

    def action(self) -> int:
        """The pond to play; a legal one whatever happens on the way to it."""
        with self.clock:
            try:
                self.ask_tables(self.board.left(self.position) <= FAR_FROM_ENDING)
                return notation.to_action(self.search.best(self.position, self.clock, self.tell))
            except Exception:  # a bug must not cost the game: the best move so far still counts
                move, legal = self.search.move, self.board.moves(self.position)
                return notation.to_action(move if move in legal else legal[0])
            finally:  # the clock sees searches only; a forced first action was the first as well
                self.clock.first = seconds = self.clock.action
                if seconds is not None:
                    self.clock.reserve = kept_of(seconds)

    def update(self, colour: str, action: Any) -> None:
        """Follow the game: the action of either colour, in any kind of whole number."""
        with self.clock:
            self.position = notation.follow(self.board, self.position, colour, action)

    def set_up(self, line: str) -> None:
        """Go on from another position, in the referee's text form, on any board."""
        with self.clock:
            board = notation.board_of(line)
            if (board.ponds, board.pebbles) == (self.board.ponds, self.board.pebbles):
                self.position = notation.from_text(line, self.board)  # what the search knows stays true
            else:
                self._use(board, notation.from_text(line, board))

    def _use(self, board, position):
        """Begin with a board and a position of it."""
        self.board = board
        self.position = position
        promised, table = promises(board), Packed(board)
        self.far, self.near = [
            (play, arranger(board, play, promised), scouting(board, table, promised, tables))
            for play, tables in ((board.play, False), (ending(board), True))
        ]
        self.search = Search(
            board.moves, board.play, evaluator(promised),
            key=table.key, base=LEAD_OF, aspiration=ASPIRATION, table_from=REMEMBERED, reduce=later,
            least=certain(promised),
        )
        self.search.table = table
        self.ask_tables(False)

    def ask_tables(self, near):
        """Whether the search asks the tables of endings."""
        search = self.search
        search.play, search.moves_at, search.scout = self.near if near else self.far


def kept_of(seconds: float) -> float:
    """What is kept back of an action with so much time."""
    return min(RESERVE, seconds / 4)
