"""The player: alpha-beta over the moves worth searching; the board is in position.py."""

from operator import itemgetter
from typing import Optional, Sequence, Tuple

from . import notation
from .candidates import candidates, parted, quiet, reduction
from .evaluate import DRAW, evaluator
from .position import NEAR_THE_END, START, moves, play, without_plies
from .shared.alphabeta import AlphaBeta
from .shared.clock import clock_for
from .shared.deepening import Search, lots_of, tell_of_fault
from .shared.table import entries_in

COURSE = {"game": 60.0}  # seconds
USUAL, LONGEST = 20, 250  # own turns: those to plan for, since games are decided early; the most there are
NAME = itemgetter(4)  # what a position is remembered by
ENTRIES = 80_000  # of positions seen, at most
BESIDES = 32  # megabytes that all the rest takes: what is imported, and sides.py when it is full
ASPIRATION = 300  # points: evaluate.py
MARGIN = 30  # of the evaluation: what lots among nearly equal moves may cost (README.md)
FARTHEST = 40  # plies; no search looks so far ahead


class Player:
    """Expendibots for one colour."""

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
    ) -> None:
        """All limits that are given are kept; without any, the course's.  `seconds` are for the game.

        `seed`: of the lots among nearly equal moves, which nobody can foretell without it.
        `wall`: wall time is charged, not CPU time.
        """
        if colour not in notation.COLOURS:
            raise ValueError("an Expendibots colour is 'white' or 'black', not %r" % (colour,))
        if variant:
            raise ValueError("Expendibots has no variants, so it cannot be played as %r" % (variant,))
        self.colour = colour
        self.clock = clock_for(
            COURSE,
            seconds,
            game_seconds,
            action_seconds,
            first_seconds,
            nodes,
            wall=wall,
            turns=USUAL,
            longest=LONGEST,
        )
        with self.clock:
            self.tree = AlphaBeta(
                candidates,
                play,
                evaluator(notation.COLOURS.index(colour)),
                quiet=quiet,
                parted=parted,
                reduce=reduction,
                key=NAME,
                repetition=NAME,
                entries=entries_in(ENTRIES, megabytes, BESIDES),
            )
            self.tree.contempt = DRAW
            self.search = Search(self.tree, aspiration=ASPIRATION, margin=MARGIN)
            self.search.lots = lots_of(seed, colour)
            self.go_on(START)

    def set_up(self, line: str) -> None:
        """Go on from another position, in the referee's text form."""
        self.go_on(notation.from_text(line))

    def go_on(self, position: Tuple, played: Sequence[int] = ()) -> None:
        """Go on from another position; `played` are the names of those that led to it."""
        self.position = position
        self.played = list(played)

    def choose(self) -> int:
        """The move that the search comes to; it may carry the flag LOUD."""
        late = self.position[3] > NEAR_THE_END - FARTHEST
        self.tree.repetition = without_plies if late else NAME
        self.tree.seen = self.played
        return self.search.best(self.position, self.clock)

    def action(self) -> Tuple:
        """The action to play: a legal one, whatever happens on the way to it."""
        with self.clock.action():
            self.search.move = None
            try:
                move = self.choose()
            except Exception:  # a fault must not lose the game: the best move so far still counts
                tell_of_fault()
                move = self.search.move
            if move is None:
                move = moves(self.position)[-1]
            return notation.to_action(self.position, move)

    def update(self, colour: str, action: Sequence) -> None:
        """Follow the game: the action of either colour, in any kind of whole numbers."""
        with self.clock:
            self.played.append(without_plies(self.position))
            self.position = notation.follow(self.position, {notation.COLOURS.index(colour): action})
