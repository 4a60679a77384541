"""The player: alpha-beta over whole turns, and tables of endgames; the board is in position.py."""

from typing import Dict, FrozenSet, List, Optional

from . import hops, notation
from .book import book
from .endgames import load
from .evaluate import WIN
from .position import START, Move, Position, play, popcount
from .shared.clock import clock_for
from .shared.deepening import Search, lots_of, tell_of_fault
from .shared.table import entries_in
from .tree import DEEPEST, Tree

COURSE = {"action": 4.0}  # seconds
TURNS, LONGEST = 40, 250  # own hops: those of a usual game, and the most there may be
# Among so many turns the rest of a game's seconds is shared, by the men on the board: half of those that are
# still searched for, since no deeper iteration begins once half of a share is used (EXPERIMENTS.md).
SHARES = 8 * [6] + 4 * [7] + 16 * [10] + 17 * [12]
ASPIRATION = 50  # a quarter of a man
DEEPEST_IN_ENDGAMES = 8  # turns: the tables know all but repetitions
MARGIN = 20  # of the evaluation: what lots among nearly equal turns may cost (README.md)
# A turn of the book is held against the best one by searches of so many nodes for both, and dropped if they
# see a man lost by it, so many turns deep at least.
CHECKED, DEEP, MAN = 20_000, 4, 200
ENTRIES = 200000  # of positions seen: 50 MB of the 100 that the rules allow
BESIDES = 24  # megabytes that all the rest takes
PASS_OF_VARIANT = {"": True, "1130": True, "1100": False}
BOOKS = {has_pass: book(has_pass) for has_pass in (True, False)}
ENDGAMES = load()


class Player:
    """Fanorona for one colour."""

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
        book: bool = True,
        wall: bool = False,
    ) -> None:
        """All limits that are given are kept; without any, the course's.  `seconds` are for an action.

        `seed`: of the lots among nearly equal turns, which nobody can foretell without it.
        `wall`: wall time is charged, not CPU time.
        """
        variant = self.variant if variant is None else variant
        if colour not in notation.COLOURS:
            raise ValueError("a Fanorona colour is 'light' or 'dark', not %r" % (colour,))
        if variant not in PASS_OF_VARIANT:
            raise ValueError("Fanorona is played by the 1130 or the 1100 rules, not %r" % (variant,))
        self.colour = colour
        self.has_pass = PASS_OF_VARIANT[variant]
        self.clock = clock_for(
            COURSE,
            seconds,
            game_seconds,
            action_seconds,
            first_seconds,
            nodes,
            wall=wall,
            turns=TURNS,
            longest=LONGEST,
        )
        entries = entries_in(ENTRIES, megabytes, BESIDES)
        self.tree = Tree(self.has_pass, ENDGAMES[self.has_pass], entries)
        self.search = Search(self.tree, aspiration=ASPIRATION, margin=MARGIN)
        self.search.lots = lots_of(seed, colour)
        self.book = BOOKS[self.has_pass] if book else {}
        self.plan: List[hops.Hop] = []
        self._go_to(START, frozenset())

    def set_up(self, line: str) -> None:
        """Go on from another position, in the referee's text form."""
        self.plan = []
        self._go_to(*notation.with_history(line))

    def _go_to(self, position: tuple, seen: FrozenSet[int]) -> None:
        self.position, self.seen = position, seen
        self.legal = [notation.to_action(hop) for hop in hops.legal(position, self.has_pass)]

    def action(self) -> str:
        """The hop to play: a legal one, whatever happens on the way to it."""
        with self.clock.action():
            action = None
            try:
                action = self.choose()
            except Exception:  # a fault must not lose the game
                self.plan = []
                tell_of_fault()
            return action if action in self.legal else self.legal[0]

    def choose(self) -> str:
        """The next hop of the turn, the whole of which is planned at once."""
        if len(self.legal) == 1:
            return self.legal[0]
        if not self.plan:
            self.plan = self.think()
        return notation.to_action(self.plan[0]) if self.plan else self.legal[0]

    def think(self) -> List[hops.Hop]:
        """The hops of the whole turn: the book's, if it has one that holds."""
        booked = self.book.get(self.position)
        if booked and self.holds(booked):
            return list(booked)
        self.search.move = None
        try:
            tabled = self.tree.knows(self.position)
            self.search.deepest = DEEPEST_IN_ENDGAMES if tabled else DEEPEST
            self.search.move = self.winning_turn()
            if self.search.move is None:
                self.tree.seen = self.seen
                self.clock.turns_left = SHARES[popcount(self.position[1] | self.position[2])]
                self.search.best(self.position, self.clock)
        except Exception:  # the best move so far still counts
            tell_of_fault()
        if self.search.move is None:
            return []
        return hops.hops_of(self.position, self.search.move, self.has_pass) or []

    def holds(self, turn: List[hops.Hop]) -> bool:
        """Whether short searches see no man lost by a turn: what they do not come to see counts for it."""
        position, seen = self.position, self.seen
        for hop in turn:
            position, seen = hops.after(position, seen, hop, self.has_pass)
        given, self.search.deepest = self.clock.nodes, DEEPEST
        self.clock.nodes = (CHECKED if given is None else min(CHECKED, given)) // 2
        try:
            best, after = self.scores(self.position, self.seen), self.scores(position, seen)
        except Exception:  # the book still counts
            tell_of_fault()
            return True
        finally:
            self.clock.nodes = given
            self.search.forget()
        depth = min(len(best), len(after) + 1)
        return depth < DEEP or best[depth] + after[depth - 1] < MAN

    def scores(self, position: Position, seen: FrozenSet[int]) -> Dict[int, int]:
        """What a search says of a position to each depth."""
        self.tree.seen = seen
        self.search.best(position, self.clock)
        return self.search.scores

    def winning_turn(self) -> Optional[Move]:
        """A turn that leaves the other without a hop, if there is one: seen even if time is up at once."""
        for move in self.tree.moves(self.position):
            after = play(self.position, move)
            if after[4] not in self.seen and self.tree.evaluate(after) == -WIN:
                return move
        return None

    def update(self, colour: str, action: str) -> None:
        """Follow the game: a hop of either colour, which the rules have to allow: that is not checked."""
        with self.clock:
            hop = notation.from_action(action)
            self.plan = self.plan[1:] if self.plan[:1] == [hop] else []
            self._go_to(*hops.after(self.position, self.seen, hop, self.has_pass))


class Player1100(Player):
    """Fanorona by the rules without a Pass."""

    variant = "1100"
