"""The loop that every agent's search runs in: depth by depth, until the clock says stop.

    search = Search(AlphaBeta(moves, play, evaluate))  # the tree: alphabeta.py, or one of the game's own
    with clock.action():
        move = search.best(position, clock)

A tree is an object with one method:

    look = tree.plant(position, search, poll)

It puts a move that may be played into `search.move` before anything else, so that there is one in hand
whatever happens, and returns the function that looks from that position to one depth, or None where there
is nothing to look for:

    score = look(depth, alpha, beta)

That is the value of the position for its mover: exact between alpha and beta, else a bound on their
side.  `poll(nodes)` answers at how many nodes it is to be asked next; `look` asks it before the node at which
that number is reached, and lets the Stop pass that comes when time is up.  On its way it writes into the
account of the search (see `Search`) what it has found: `move` and `score` as soon as there is a better one,
and `nodes` and the like even when it is broken off; at the end `pv`, and `exact` where looking
deeper cannot change anything.
"""

import sys
import traceback
import warnings
from contextlib import suppress
from random import Random
from typing import Any, Callable, Dict, Iterable, List, Optional, Tuple

from .clock import Clock, Stop, number

UNBOUNDED = float("inf")
ALL_BUT_WARNINGS = tuple({*Exception.__subclasses__()} - {Warning})

Look = Callable[[int, float, float], float]
Tell = Callable[[Any, int, Any, List[Any]], None]


def in_one_piece(function: Callable[..., Any], *arguments: Any) -> Any:
    """The function's result, from frames that all lie in one piece of the interpreter's stack.

    From 3.11 on CPython keeps frames in pieces of 16 KB.  A search that goes to and fro over the end of one
    asks for memory at each call, and where it stands depends on who called.  A frame that needs a large
    piece leaves the rest of it to those that follow: Kalaha's search takes 0.88 of the time on average of
    eight callers' depths, Fanorona's 0.93, and at the worst of them 0.67.
    """
    return function(*arguments)


if sys.version_info >= (3, 11):  # before, each frame was a piece of its own
    in_one_piece.__code__ = in_one_piece.__code__.replace(co_stacksize=17_000)


def lots_of(seed: Optional[int], colour: str) -> Random:
    """What one player's lots are drawn from: his seed's, each colour's its own, else the system's entropy."""
    number("seed", seed)
    return Random(None if seed is None else "%d %s" % (seed, colour))


def tell_of_fault() -> None:
    """Say on the error stream what a search has just raised, in the place of whose move another is played.

    It stops tests, and a Python that takes warnings as errors; what else goes wrong here stops nothing.
    """
    with suppress(*ALL_BUT_WARNINGS):  # of a closed stream, say: not even that may lose the game
        warnings.warn("the search failed: " + traceback.format_exc(), RuntimeWarning, stacklevel=3)


class Search:
    """One player's search: what its tree has learned lives as long as the object.

    tree        see above
    deepest     the depth at which deepening ends
    aspiration  the half width of the first window, around the score of the last depth; None: the window
                is always the whole one
    margin      see `lots`

    `lots` may be set: each move at the root is then drawn a number up to `margin` by which its score is
    raised, though not in what is told of it.  So nobody can foretell which one of nearly equal moves is
    chosen.

    The account of the last search, also while it runs: `move`; `depth`, the last one that was completed;
    `score` of the move for the mover, `scores` by depth; `steps`, the nodes and seconds by the end of each
    depth; `pv`, the moves expected; `nodes`, what the game counts as one; `table_hits`; `cut_offs`, of which
    `first_cuts` by the first move that was tried; `exact`, whether looking deeper could change nothing.
    """

    def __init__(
        self, tree: Any, deepest: int = 100, aspiration: Optional[int] = None, margin: int = 0
    ) -> None:
        self.tree = tree
        self.deepest = deepest
        self.aspiration = aspiration
        self.margin = margin
        self.lots: Optional[Random] = None
        self.forget()

    def forget(self) -> None:
        """Clear the account; what the tree has learned stays."""
        self.move: Any = None
        self.depth = 0
        self.score: Any = None
        self.scores: Dict[int, Any] = {}
        self.steps: Dict[int, Tuple[int, float]] = {}
        self.pv: List[Any] = []
        self.nodes = 0
        self.table_hits = 0
        self.cut_offs = 0
        self.first_cuts = 0
        self.exact = False

    @property
    def first_move_cuts(self) -> Optional[float]:
        """The share of cut-offs that the first move made; None without any."""
        return self.first_cuts / self.cut_offs if self.cut_offs else None

    def best(self, position: Any, clock: Optional[Clock] = None, tell: Optional[Tell] = None) -> Any:
        """The best move of a position that is not finished, as far as the clock allows.

        After each depth `tell(move, depth, score, pv)` is called.  What the tree raises comes through.
        """
        self.forget()
        clock = clock or Clock()
        with clock:
            clock.begin()
            began = clock.spent()
            try:
                look = self.tree.plant(position, self, clock.poll)
                while look is not None and not self.exact and self.depth < self.deepest:
                    in_one_piece(self._deeper, look, self.depth + 1)
                    self.depth += 1
                    self.scores[self.depth] = self.score
                    self.steps[self.depth] = self.nodes, clock.spent() - began
                    if tell is not None:
                        tell(self.move, self.depth, self.score, self.pv)
                    if not clock.more():
                        break
            except Stop:
                pass  # the move is that of the last depth, or the best of a part of this one
            finally:
                clock.end()
        return self.move

    def raised(self, moves: Iterable[Any]) -> Dict[Any, int]:
        """What each of the moves is raised by; without lots none is."""
        return {move: self.lots.randint(0, self.margin) if self.lots else 0 for move in moves}

    def _deeper(self, look: Look, depth: int) -> None:
        """Look to one depth, with a window around the last score, opened on the side where it fails."""
        guess, width = self.scores.get(depth - 1), self.aspiration
        if guess is None or width is None:
            look(depth, -UNBOUNDED, UNBOUNDED)
            return
        low, high = guess - width, guess + width
        while True:
            score = look(depth, low, high)
            width *= 4
            if score <= low:
                low = score - width
            elif score >= high:
                high = score + width
            else:
                return
