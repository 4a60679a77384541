"""The player: alpha-beta by turns on the fast board.

player = Player("A")                         # or Player("B", "4x3"): 4 ponds a side, 3 pebbles each
action = player.action()                     # the number of a pond
player.update("A", action)
"""

from typing import Any, Callable, Optional

from . import notation
from .shared.clock import clock_for, number
from .shared.deepening import Search, lots_of, tell_of_fault
from .table import MEGABYTES
from .tree import Tree

COURSE = {"action": 1.0}  # seconds
# Megabytes that all but the table of positions takes; and of that table, which takes time to make, for each
# second of an action.
BESIDES, A_SECOND = 28, 170
TURNS, LONGEST = 3, 50  # own actions for each pond of a side: those to plan for, and the most there may be
ASPIRATION = 12  # eighths of a pebble
MARGIN = 6  # eighths of a pebble: what lots among nearly equal moves may cost (README.md)


class Player:
    """Kalaha by alpha-beta; the board is in position.py."""

    def __init__(
        self,
        colour: str,
        variant: str = "",
        seconds: Optional[float] = None,
        game_seconds: Optional[float] = None,
        action_seconds: Optional[float] = None,
        first_seconds: Optional[float] = None,
        megabytes: Optional[float] = None,
        nodes: Optional[int] = None,
        seed: Optional[int] = None,
        wall: bool = False,
        tell: Optional[Callable[[int], None]] = None,
    ) -> None:
        """All limits that are given are kept; without any, the course's.  `seconds` are for an action.

        `seed`: of the lots among nearly equal moves, which nobody can foretell without it.
        `wall`: wall time is charged, not CPU time.  `tell` is called with the best action so far after
        each iteration of the search.
        """
        if colour not in notation.COLOURS:
            raise ValueError("a Kalaha colour is 'A' or 'B', not %r" % (colour,))
        self.colour = colour
        self.tell = tell and (lambda move, *_: tell(notation.to_action(move)))
        self.clock = clock_for(COURSE, seconds, game_seconds, action_seconds, first_seconds, nodes, wall=wall)
        self.lots = lots_of(seed, colour)
        self.room = min(MEGABYTES, A_SECOND * self.clock.usual_action(1.0))
        if number("megabytes", megabytes) is not None:
            self.room = min(self.room, megabytes - BESIDES)
        with self.clock:
            self._use(*notation.from_variant(variant))

    def action(self) -> int:
        """The pond to play; a legal one whatever happens on the way to it."""
        with self.clock.action():
            try:
                return notation.to_action(self.search.best(self.position, self.clock, self.tell))
            except Exception:  # a bug must not cost the game: the best move so far still counts
                tell_of_fault()
                move, legal = self.search.move, self.board.moves(self.position)
                return notation.to_action(move if move in legal else legal[0])

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
        self.clock.turns, self.clock.longest = TURNS * board.ponds, LONGEST * board.ponds
        self.search = Search(Tree(board, self.room), aspiration=ASPIRATION, margin=MARGIN)
        self.search.lots = self.lots
