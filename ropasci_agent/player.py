"""RoPaSci 360 by equilibria of simultaneous moves; the board is in position.py, the matrices in
payoffs.py, looking further in tree.py, and what the opponent is likely to do in habits.py.
"""

from typing import List, Optional, Tuple

from . import notation
from .evaluate import DEFAULT, Evaluation, crowd
from .payoffs import state_key
from .position import FIRST_STEP, MAX_TURNS, START, THROWS, alive, lead, material, moves_of, play
from .shared.clock import clock_for
from .shared.deepening import Search, lots_of, tell_of_fault
from .tree import CONTEMPT, REPLIES, Matrix, Tree

COURSE = {"game": 60.0}  # seconds
PLANNED = 0.9  # the part of a game's seconds that is planned with: busy machines charge what no plan foresees
# Moves with a smaller share of the answer are not played.  With 0.03 a best reply took 0.0006 a turn from the
# answer of two stages, with 0.01 a third of that.
UNLIKELY = 0.01
# With so few throws left of both, one stage more is looked at.
FEW_THROWS = 10
# A lead of so many tokens and throws is pressed home (see `Evaluation.after`); each one lost meanwhile
# asks for a larger lead, and each one won is content with a smaller one.  So are BORED turns without a
# capture, but not with less than PRESSING: at even, whoever can answer punishes it.  With less, down to
# LEAST, only one is pressed who can be foretold: with that trust in the forecast.
PRESSING, BORED = 1, 30
LEAST, FORETOLD = -3, 0.5
# Against one who can be foretold a game is better than its evaluation: a draw costs so much of a win's 1
# more, times the trust in the forecast.
BOLD = 1.0
HURRY = 0.02  # seconds left of the game: from here on, nothing that takes more than a millisecond
# So much of the game's time is never planned with; and for every turn that may come, so many
# seconds (but a fifth of the game's time at most) are kept for choosing in a hurry.
KEPT, KEPT_FOR_A_TURN, KEPT_FOR_TURNS = 0.04, 0.003, 0.2
# Seconds that a turn costs beyond what this clock sees, and that one costs at the least.  Among ten busy
# processes a core, games of over 300 turns at 3 s a game were lost by 1 ms while nobody kept count.
UNSEEN, AT_LEAST = 0.0003, 0.001
# An action that has not so many times the seconds of a look at one stage does without throws; how fast a
# long look is forgotten.
LOOKS, FORGETTING = 3, 0.9
# Where wall time is charged others use the machine meanwhile: a turn takes so many times as long, and a
# share so much larger may be kept.  Among four busy processes a core a turn of no thought takes 4 to 8 ms.
LATER_ON_WALL, MORE_ON_WALL = 8, 2.5


class Player:
    """One player of one game.

    game_seconds, action_seconds, first_seconds
               for the whole game, for each action, for the first: all that are given are kept, and
               without any the course's 60 for the game; `seconds` is another word for game_seconds
    nodes      matrices to fill for each action
    wall       time is charged instead of CPU time
    seed       of the lots that are drawn, each colour's its own; without it nobody can foretell them
    stages     looked at, the present one included; one more when few throws are left
    forecasts  whether to answer what the opponent is expected to do
    replies    of the opponent's to the answer that are looked behind as well
    contempt   what a draw by repetition costs, of a win's 1
    """

    bench_nodes = 40
    tree_of = Tree

    def __init__(
        self,
        colour: str,
        variant: str = "",
        seconds: Optional[float] = None,
        game_seconds: Optional[float] = None,
        action_seconds: Optional[float] = None,
        first_seconds: Optional[float] = None,
        nodes: Optional[int] = None,
        seed: Optional[int] = None,
        evaluation: Evaluation = DEFAULT,
        stages: int = 2,
        forecasts: bool = True,
        contempt: float = CONTEMPT,
        wall: bool = False,
        replies: int = REPLIES,
    ) -> None:
        if variant:
            raise ValueError("RoPaSci has no variants; leave it out, not {!r}".format(variant))
        self.player = notation.COLOURS.index(str(colour))
        self.clock = clock_for(
            COURSE, seconds, game_seconds, action_seconds, first_seconds, nodes, wall=wall, turns=60
        )
        if self.clock.game is not None:
            self.clock.game *= PLANNED
        # A game is lost to whoever knows the lots: without a seed they come from the system's entropy.
        self.random = lots_of(seed, colour)
        self.hurried = 0  # how much the last turn was hurried: see `_hurry`
        self.hasty = 0.0  # seconds of a turn with a look at one stage without throws, as measured
        self.turned = 0.0  # what had been spent when the last turn began
        self.position = START
        self.seen = {}  # how often each state has been there since the last throw, by its key
        self.quiet = 0  # turns since the last capture
        self.pressing = PRESSING  # the lead from which on it is pressed home, by what that brought so far
        self.evaluation = evaluation
        self.contempt = contempt
        self.tree = self.tree_of(self.player, evaluation, forecasts, contempt, self.clock, replies)
        self.stages = stages
        self.search = Search(self.tree, deepest=stages)

    def set_up(self, line: str) -> None:
        """Play on from a position in the rules' text form, which has been there once."""
        self.position = notation.from_text(line)
        self.seen = {state_key(self.position): 1}

    def action(self) -> tuple:
        """A legal action, whatever happens while thinking about a better one."""
        with self.clock.action():
            for choose in (self.considered, self._steps_only)[self._hurry() :]:
                try:
                    moves, shares = choose()
                    return notation.to_action(self.random.choices(moves, shares)[0])
                except Exception:  # a fault in the thinking must not cost the game
                    tell_of_fault()
            moves = moves_of(self.position, self.player)
            steps = [move for move in moves if move >= FIRST_STEP]
            return notation.to_action(self.random.choice(steps or moves))

    def _hurry(self) -> int:
        """0: there is time to think; 1: for a look at one stage; 2: for nothing but a legal move."""
        self.tree.looking *= FORGETTING
        spent = self.clock.spent()
        self.hasty = max(FORGETTING * self.hasty, spent - self.turned if self.hurried == 1 else 0.0)
        self.turned = spent
        self.hurried = self._hurry_needed()
        return self.hurried

    def _hurry_needed(self) -> int:
        hurry = int(self.clock.left_of_action() < LOOKS * self.tree.looking)
        game = self.clock.game
        if game is None:
            return hurry
        turn = self.position[0]
        to_come, kept = MAX_TURNS - turn, KEPT_FOR_TURNS * game
        left = self.clock.left() - UNSEEN * turn
        if self.clock.wall:
            to_come, kept = to_come * LATER_ON_WALL, kept * MORE_ON_WALL
            left -= KEPT * game
        # One look in the last turns costs more than those turns: half of KEPT is for no look at all.
        if left < max(KEPT * game / 2, min(kept / 2, AT_LEAST * to_come), self.hasty / 2 * to_come):
            return 2
        return max(hurry, int(left < max(HURRY, KEPT * game + min(kept, KEPT_FOR_A_TURN * to_come))))

    def considered(self) -> Tuple[List[int], List[float]]:
        """The mixed move as far as the clock allows: moves, and the share of each by which lots are drawn."""
        self.tree.evaluation = self._patience()
        self.tree.contempt = self.contempt + BOLD * self.tree.habits.boldness()
        self.tree.seen = self.seen
        few = 2 * THROWS - self.position[1] - self.position[2] <= FEW_THROWS
        self.search.deepest = self.stages + int(few)
        answer = self.search.best(self.position, self.clock)
        if self.tree.forecasts:
            answer = self.tree.bounded(answer)
            self.tree.habits.weigh(self.tree.matrix, answer if self.tree.trusted else None)
        return _shares(self.tree.matrix, answer)

    def _patience(self):
        """The evaluation to think with: that of one who presses his lead home, if it is large enough."""
        content = LEAST if self.tree.habits.boldness() >= FORETOLD else PRESSING
        least = max(min(content, self.pressing), self.pressing - self.quiet // BORED)
        if lead(self.position, self.player) < least:
            return self.evaluation
        return self.evaluation.after(self.quiet, crowd(material(self.position), self.player))

    def _learn_from(self, before):
        """Captures end a quiet time, and tell whether it is worth pressing."""
        gained = lead(self.position, self.player) - lead(before, self.player)
        if alive(self.position) == alive(before):
            self.quiet += 1
        else:
            self.quiet = self.quiet // 2 if gained > 0 else 0
        if self.tree.evaluation is not self.evaluation:
            self.pressing = max(0, self.pressing - gained)

    def _steps_only(self):
        """The equilibrium of one stage without throws, unless there is no other move."""
        lists = [moves_of(self.position, player) for player in (0, 1)]
        lists = [[move for move in moves if move >= FIRST_STEP] or moves[:15] for moves in lists]
        tree = self.tree
        matrix = Matrix(self.position, self.player, tree.evaluation, self.seen, lists, tree.contempt)
        return _shares(matrix, matrix.answer())

    def update(self, opponent_action: tuple, player_action: tuple) -> None:
        """Both actions of the turn, the opponent's first."""
        with self.clock:
            mine, theirs = notation.to_move(player_action), notation.to_move(opponent_action)
            if min(mine, theirs) < FIRST_STEP:
                self.seen = {}  # with another throw made, no earlier state can come back
            before = self.position
            self.position = play(before, (mine, theirs) if self.player == 0 else (theirs, mine))
            self._learn_from(before)
            key = state_key(self.position)
            self.seen[key] = self.seen.get(key, 0) + 1
            self.tree.theirs = theirs


def _shares(matrix, answer):
    """The answer's moves, and their shares without those that are too small to be worth a risk."""
    least = min(UNLIKELY, answer.row.max() / 2)
    return matrix.moves[0], [share if share >= least else 0.0 for share in answer.row.tolist()]
