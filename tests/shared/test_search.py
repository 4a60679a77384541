"""Alpha-beta and the loop it runs in, held against plain minimax, and looked into after a search."""

import importlib
import random
import re
import resource
import subprocess
import sys
import tracemalloc
import zlib
from functools import cache
from itertools import product
from operator import itemgetter

import pytest

from referee import rules
from shared.alphabeta import DECIDED, WIN, AlphaBeta
from shared.clock import Clock
from shared.deepening import Search, in_one_piece
from shared.table import EXACT, LOWER, SOLVED, Table
from tests import ROOT
from tests.support import kalaha_probe
from tests.support.machine import Machine
from tests.support.samples import few


def searching(moves, play, evaluate, deepest=100, aspiration=50, **options):
    """A search by alpha-beta of a game's three functions."""
    return Search(AlphaBeta(moves, play, evaluate, **options), deepest, aspiration)


# ---------------------------------------------------------------------------------------------------------
# The plain twin


class TooMany(Exception):
    """A tree has more nodes than a test wants to pay for."""


class Minimax:
    """Full minimax, nothing left out: what every search has to agree with.  Counts the positions it sees."""

    def __init__(self, moves, play, evaluate, draws=(), repetition=False, at_most=10**9):
        self.moves, self.play, self.evaluate = moves, play, evaluate
        self.draws, self.repetition, self.at_most = frozenset(draws), repetition, at_most
        self.nodes = 0

    def moves_valued(self, position, depth):
        """{move: value for the mover} of a position that is not finished, `depth` turns deep."""
        line = (position,) if self.repetition else ()
        return {
            move: self._child(position, self.play(position, move), depth, 1, line)
            for move in self.moves(position)
        }

    def _child(self, position, child, depth, ply, line):
        if child in self.draws or child in line:
            return 0
        if child[0] == position[0]:
            return self._value(child, depth, ply, line)
        return -self._value(child, depth - 1, ply, line)

    def _value(self, position, depth, ply, line):
        self.nodes += 1
        if self.nodes > self.at_most:
            raise TooMany
        if depth == 0:
            return self._judged(position, ply)
        line = line + (position,) if self.repetition else ()
        values = [
            self._child(position, self.play(position, move), depth, ply + 1, line)
            for move in self.moves(position)
        ]
        return max(values) if values else self._judged(position, ply)

    def _judged(self, position, ply):
        """Wins count less the later they come: a point a ply."""
        score = self.evaluate(position)
        if score > DECIDED:
            return score - ply
        return score + ply if score < -DECIDED else score


# Every technique on and off.  What a deeper table entry knows is better than minimax at this depth, and so
# not equal to it: that is tried below, with searches to the end of the game.
TECHNIQUES = [
    dict(entries=0, aspiration=None),
    dict(entries=0, aspiration=1),
    dict(entries=0, quiet=lambda move: True),
]


def agrees(game, position, depth, **options):
    """Search and twin, to one depth: equal values, equal moves where one is best."""
    moves, play, evaluate = game
    valued = Minimax(moves, play, evaluate).moves_valued(position, depth)
    for technique in TECHNIQUES:
        search = searching(moves, play, evaluate, deepest=depth, **{**options, **technique})
        check(search, position, valued)


def check(search, position, valued):
    """A search that has the twin's value, and its move where only one is best."""
    move = search.best(position)
    why = f"position {position}, to depth {search.deepest}: {valued}, search: {vars(search)}"
    if len(valued) == 1:
        assert [move] == list(valued), why
        return
    value = max(valued.values())
    assert search.score == value, why
    assert valued[move] == value, why
    assert search.pv[0] == move, why


# ---------------------------------------------------------------------------------------------------------
# Games made up by chance


class Chance:
    """A game of a few layers whose every rule is drawn: extra turns, transpositions, wins.

    A position is (mover, layer, number); the last layers are finished games.
    """

    def __init__(self, seed, layers=6, width=6, wins=True):
        self.layers = layers
        self.table = {}
        rng = random.Random(seed)
        for layer, number, mover in product(range(layers + 1), range(width), (0, 1)):
            count = 0 if layer == layers else rng.choice((0, 1, 2, 2, 3, 3, 4))
            if layer == 0:
                count = max(2, count)
            children = {
                letter: (mover if rng.random() < 0.3 else 1 - mover, layer + 1, rng.randrange(width))
                for letter in rng.sample("abcdefgh", count)
            }
            score = rng.randrange(-9, 10)
            if not children and wins:
                score = rng.choice((WIN, -WIN, 0, score))
            self.table[mover, layer, number] = children, score

    def moves(self, position):
        return list(self.table[position][0])

    def play(self, position, move):
        return self.table[position][0][move]

    def evaluate(self, position):
        return self.table[position][1]

    def functions(self):
        return self.moves, self.play, self.evaluate

    def starts(self):
        return [position for position in self.table if position[1] == 0]


def test_in_games_made_up_by_chance_value_and_move_are_those_of_minimax():
    for seed in range(60):
        game = Chance(seed)
        for position in game.starts()[:3]:
            for depth in (1, 2, 3, 5):
                agrees(game.functions(), position, depth)


def test_without_wins_the_end_of_the_whole_game_is_noticed_and_exact():
    stopped_early = 0
    for seed in range(80):
        game = Chance(seed, wins=False)
        for position in game.starts()[:3]:
            valued = Minimax(*game.functions()).moves_valued(position, game.layers + 1)
            search = searching(*game.functions(), deepest=50)
            check(search, position, valued)
            assert search.exact, f"seed {seed}: the game ends everywhere"
            assert search.depth <= game.layers + 1
            stopped_early += search.depth < game.layers
    assert stopped_early > 20, "an exact result ends the deepening"


def test_an_ever_deeper_search_that_may_use_deeper_entries_ends_with_the_true_value():
    for seed in range(150):
        game = Chance(seed)
        for position in game.starts()[:2]:
            valued = Minimax(*game.functions()).moves_valued(position, 50)
            for entries, quiet in product((0, 30, 10_000), (None, lambda move: True)):
                search = searching(*game.functions(), entries=entries, deepest=50, quiet=quiet)
                search.best(position)
                assert search.score == max(valued.values()), f"seed {seed}, {position}"


def test_the_table_may_serve_a_whole_game_and_stays_right():
    for seed in range(60):
        game = Chance(seed, layers=9)
        search = searching(*game.functions(), deepest=50)
        position = game.starts()[0]
        while game.moves(position):
            valued = Minimax(*game.functions()).moves_valued(position, 50)
            check(search, position, valued)
            position = game.play(position, search.move)


# ---------------------------------------------------------------------------------------------------------
# The games of the agents, and one board that is always here


BOARDS = ["kalaha_probe"]
RULES = [name for name in rules.games() if len(rules.start(name).to_act()) == 1]
AGENTS = sorted(
    player.parent.name
    for player in ROOT.glob("*_agent/player.py")
    if re.search(r"^from \.shared\.alphabeta import .*\bAlphaBeta\b", player.read_text(), re.MULTILINE)
)


def by_the_rules(game):
    """The referee's rules of a game as the three functions; scores are made up, results are true.

    A position is (mover, number): states are written down once, as they take long to hash.
    """
    states = []
    numbers = {}

    def numbered(state, mover):
        if state not in numbers:
            numbers[state] = len(states)
            states.append(state)
        return mover, numbers[state]

    @cache
    def moves(position):
        return tuple(states[position[1]].actions(position[0]))

    @cache
    def play(position, action):
        mover, number = position
        after = states[number].after({mover: action})
        return numbered(after, (after.to_act() or (1 - mover,))[0])

    @cache
    def evaluate(position):
        mover, number = position
        if states[number].to_act():
            return zlib.crc32(states[number].text().encode()) % 201 - 100
        points = states[number].outcome()[0]
        return {1: WIN, 0: -WIN}.get(points[mover], 0)

    start = rules.start(game)
    return (moves, play, evaluate), numbered(start, start.to_act()[0]), {}


def game_of(name):
    """((moves, play, evaluate), start, options): of rules, of an agent's player, of a board here."""
    if name in RULES:
        return by_the_rules(name)
    if name in AGENTS:
        colour = rules.start(name[: -len("_agent")]).COLOURS[0]
        player = importlib.import_module(name).Player(colour)
        used = player.search.tree
        functions = used.moves, used.play, used.evaluate
        return functions, player.position, {"key": used.key}
    functions = kalaha_probe.moves, kalaha_probe.play, kalaha_probe.evaluate
    return functions, kalaha_probe.POSITIONS[0], {}


def walked(moves, play, start, seed):
    """Positions with at least two moves, from random games without end."""
    rng = random.Random(seed)
    position = start
    while True:
        choices = list(moves(position))
        if len(choices) > 1 and rng.random() < 0.5:
            yield position
        position = play(position, rng.choice(choices)) if choices else start


@pytest.mark.parametrize("name", BOARDS + RULES + AGENTS)
def test_positions_of_a_game_agree_with_minimax_whatever_technique_is_on(name):
    (moves, play, evaluate), start, options = game_of(name)
    depths, dear = [], 1500 if name in AGENTS else 400  # nodes: Expendibots has a hundred moves a turn
    for position in walked(moves, play, start, seed=name):
        for depth in (4, 3, 2, 1):  # the deepest that plain minimax can afford here
            try:
                Minimax(moves, play, evaluate, at_most=dear).moves_valued(position, depth)
            except TooMany:
                continue
            agrees((moves, play, evaluate), position, depth, **options)
            depths.append(depth)
            break
        if len(depths) >= few(15, 100) and max(depths) > 1:
            break
    assert max(depths) > 1, "some position must be small enough for a reply"


# ---------------------------------------------------------------------------------------------------------
# The four trees of the literature


class Tree:
    """A game written down as name=(mover, {move: name} or a score for player 0); notes what it is asked."""

    def __init__(self, first, **nodes):
        self.nodes = nodes
        self.first = self[first]
        self.played, self.scored = [], []

    def __getitem__(self, name):
        return self.nodes[name][0], name

    def moves(self, position):
        after = self.nodes[position[1]][1]
        return list(after) if isinstance(after, dict) else []

    def play(self, position, move):
        name = self.nodes[position[1]][1][move]
        self.played.append(name)
        return self[name]

    def evaluate(self, position):
        """An inner node may carry a score as a third part, for searches that stop there."""
        mover, after, *rest = self.nodes[position[1]]
        self.scored.append(position[1])
        score = rest[0] if rest else after
        return score if mover == 0 else -score

    def search(self, **options):
        """A search of this tree."""
        return searching(self.moves, self.play, self.evaluate, **options)

    def from_depth(self, search, depth):
        """What was played and scored in the iteration to `depth` alone."""
        parts = []

        def tell(move, reached, score, pv):
            parts.append((list(self.played), list(self.scored)))
            self.played.clear()
            self.scored.clear()

        search.best(self.first, tell=tell)
        return parts[depth - 1]


def uniform():
    """Two plies, three moves each: the textbook's example of cut-offs."""
    return Tree(
        "root",
        root=(0, {"a": "A", "b": "B", "c": "C"}),
        A=(1, {"1": "A1", "2": "A2", "3": "A3"}, 3),
        B=(1, {"1": "B1", "2": "B2", "3": "B3"}, 3),
        C=(1, {"1": "C1", "2": "C2", "3": "C3"}, 3),
        A1=(0, 3), A2=(0, 12), A3=(0, 8), B1=(0, 2), B2=(0, 4), B3=(0, 6), C1=(0, 14), C2=(0, 5), C3=(0, 2),
    )  # fmt: skip


def test_uniform_tree_cuts_off_where_the_textbook_does():
    tree = uniform()
    search = tree.search(deepest=2)
    played, scored = tree.from_depth(search, 2)
    assert (search.move, search.score, search.pv) == ("a", 3, ["a", "1"])
    assert scored == ["A1", "A2", "A3", "B1", "C1", "C2", "C3"], "B is refuted by its first reply"
    assert search.tree.entry(tree["root"])[:3] == (2, EXACT, 3)
    assert search.tree.entry(tree["A"]) == (1, EXACT, -3, "1")
    assert search.tree.entry(tree["B"]) == (1, LOWER, -2, "1"), "at least -2 for the mover: a bound"
    assert search.tree.entry(tree["C"]) == (1, LOWER, -2, "3"), "cut off as well, by the last reply"
    assert (search.cut_offs, search.first_move_cuts) == (2, 0.5)


def shuffled():
    """The best move is listed last, and so is the best reply to it: only a shallower search shows either."""
    return Tree(
        "root",
        root=(0, {"bad": "Bad", "good": "Good"}),
        Bad=(1, {"meek": "Meek", "hard": "Hard"}, -5),
        Good=(1, {"weak": "Weak", "best": "Best"}, 5),
        Meek=(0, {"x": "M1", "y": "M2"}, 9),
        Hard=(0, {"x": "H1", "y": "H2"}, -8),
        Weak=(0, {"x": "W1", "y": "W2"}, 20),
        Best=(0, {"x": "T1", "y": "T2"}, 6),
        M1=(1, 9), M2=(1, 8), H1=(1, -8), H2=(1, -9), W1=(1, 21), W2=(1, 20), T1=(1, 6), T2=(1, 7),
    )  # fmt: skip


def test_tree_whose_order_shows_only_in_a_shallow_search_is_reordered_and_cuts_off_a_named_node():
    tree = shuffled()
    search = tree.search(deepest=3)
    played, scored = tree.from_depth(search, 3)
    assert (search.move, search.score) == ("good", 7)
    assert played[:2] == ["Good", "Best"], "the last iteration's move first, and the table's reply first"
    assert played[: -len(search.pv)].count("Best") == 1, "and not once more when it comes in the list"
    assert "Meek" not in played, "Hard, tried first at Bad, refutes it"
    assert played.index("Bad") + 1 == played.index("Hard")
    assert "W2" not in played, "Weak is cut off by its first move"
    assert search.tree.entry(tree["Bad"])[1:] == (LOWER, 8, "hard")
    assert search.tree.entry(tree["Weak"])[1:] == (LOWER, 21, "x")
    assert search.tree.entry(tree["Best"])[1:] == (EXACT, 7, "y")

    plain = shuffled()
    unordered = plain.search(deepest=3, entries=0)
    played, scored = plain.from_depth(unordered, 3)
    assert unordered.score == 7
    assert "Meek" in played, "without a table the replies stay in the order of the game"
    assert len(plain.nodes) > unordered.nodes - search.nodes > 0


def twice():
    """The same player goes on after `more`: the turn, not the action, is what depth counts."""
    return Tree(
        "root",
        root=(0, {"pass": "Pass", "more": "More"}),
        Pass=(1, {"x": "P1", "y": "P2"}, 2),
        More=(0, {"again": "Again", "stop": "Stop"}, -50),
        Again=(0, {"stop": "Far"}, -50),
        Stop=(1, {"x": "S1"}, 1),
        Far=(1, {"x": "F1", "y": "F2"}, 6),
        P1=(0, 3), P2=(0, 2), S1=(0, 1), F1=(0, 5), F2=(0, 4),
    )  # fmt: skip


def test_tree_with_repeated_turns_keeps_depth_and_sign_while_the_same_player_goes_on():
    for options in ({}, {"aspiration": None}):
        tree = twice()
        search = tree.search(deepest=1, **options)
        search.best(tree.first)
        assert (search.move, search.score, search.pv) == ("more", 6, ["more", "again", "stop"])
        assert "More" not in tree.scored and "Again" not in tree.scored, "no turn is scored in its middle"
        assert search.tree.entry(tree["More"])[:3] == (1, EXACT, 6) or options

        tree = twice()
        search = tree.search(deepest=2, **options)
        search.best(tree.first)
        assert (search.move, search.score) == ("more", 4)
        assert search.tree.entry(tree["Again"])[0] == 2, "three actions on, and still two turns to go"
        assert search.tree.entry(tree["Far"])[0] == 1


def test_cut_off_inside_a_turn_leaves_a_lower_bound_for_the_same_player():
    tree = Tree(
        "root",
        root=(0, {"a": "A", "b": "B"}),
        A=(1, {"x": "A1"}, 0),
        A1=(0, 0),
        B=(1, {"on": "On"}, 0),
        On=(1, {"win": "Win", "other": "Other"}, 0),
        Win=(0, -7),
        Other=(0, -9),
    )
    search = tree.search(deepest=2)
    played, _ = tree.from_depth(search, 2)
    assert (search.move, search.score) == ("a", 0)
    assert "Other" not in played
    assert search.tree.entry(tree["On"]) == (1, LOWER, 7, "win")
    assert search.tree.entry(tree["B"]) == (1, LOWER, 7, "on")


# ---------------------------------------------------------------------------------------------------------
# What a search promises besides


def perfectly_ordered(branching, depth):
    """A uniform tree of numbers in which the first move is always best."""

    def moves(position):
        return range(branching) if position[1] < depth else ()

    def play(position, move):
        mover, ply, cost = position
        return 1 - mover, ply + 1, -(cost - move)  # every move but the first loses something

    return moves, play, itemgetter(2)


@pytest.mark.parametrize("branching, depth", [(3, 4), (4, 3), (2, 7), (5, 2)])
def test_the_best_order_gives_the_minimal_tree(branching, depth):
    moves, play, evaluate = perfectly_ordered(branching, depth)
    leaves = []

    def counted(position):
        leaves.append(position)
        return evaluate(position)

    parts = []
    search = searching(moves, play, counted, entries=0, deepest=depth)
    search.best((0, 0, 0), tell=lambda *told: parts.append(len(leaves)))
    minimal = branching ** (depth // 2) + branching ** ((depth + 1) // 2) - 1
    assert parts[-1] - (parts[-2] if depth > 1 else 0) == minimal
    assert search.first_move_cuts == 1.0
    assert search.cut_offs > 0


@pytest.mark.parametrize(
    "more",
    [
        {},
        {"reduce": lambda position, move, index, depth: index % 2},
    ],
)
def test_nodes_are_all_positions_looked_at_second_looks_included(more):
    rng = random.Random(3)
    worth = [rng.randrange(100) for _ in range(400)]
    calls = []

    def moves(position):
        calls.append(position)
        return range(1, 5)

    def evaluate(position):
        calls.append(position)
        return worth[position[1] % 400]

    def play(position, move):
        return 1 - position[0], position[1] * 5 + move

    search = searching(moves, play, evaluate, entries=0, deepest=5, aspiration=10**5, **more)
    search.best((0, 0))
    # `best` asks for the moves of the root; then every node asks for moves or a score, but the roots.
    assert search.nodes == len(calls) - 1 + 5
    for limit in (search.nodes // 2, search.nodes - 1):
        search.best((0, 0), Clock(nodes=limit))
        assert search.nodes == limit


POSITION = kalaha_probe.POSITIONS[0]
LATE = kalaha_probe.packed(0, 1, 2, 0, 1, 3, 0, 2, 0, 1, 1, 0, 2)


def kalaha(**options):
    """A search of the board in kalaha_probe, with the turn as ply."""
    return searching(
        kalaha_probe.moves, kalaha_probe.play, kalaha_probe.evaluate, **{"aspiration": 3, **options}
    )


def test_a_limit_of_nodes_is_kept_exactly_and_the_same_nodes_are_searched_again():
    for limit in (0, 1, 2, 17, 1000, 12345):
        runs = []
        for _ in range(2):
            played = []

            def play(position, move, played=played):
                played.append((position, move))
                return kalaha_probe.play(position, move)

            search = searching(kalaha_probe.moves, play, kalaha_probe.evaluate, quiet=lambda move: True)
            search.best(POSITION, Clock(nodes=limit))
            assert search.nodes == limit
            told = search.move, search.scores, search.pv, search.cut_offs, search.table_hits
            runs.append((played, told))
        assert runs[0] == runs[1], f"{limit} nodes"


def test_the_same_nodes_are_searched_in_every_process():
    program = """if True:
        from tests.shared import test_search
        search = test_search.kalaha(entries=500, quiet=lambda move: True)
        search.best(test_search.POSITION, test_search.Clock(nodes=20000))
        print(search.move, search.score, search.scores, search.pv, search.cut_offs, search.table_hits)"""
    outputs = {
        subprocess.run(
            [sys.executable, "-c", program], cwd=ROOT, env={"PYTHONHASHSEED": seed}, text=True,
            capture_output=True, check=True, timeout=300,
        ).stdout
        for seed in ("0", "1")
    }  # fmt: skip
    assert len(outputs) == 1, outputs


def test_broken_off_at_every_node_there_is_a_legal_move_and_the_next_search_is_right():
    game = Chance(12, layers=5)
    position = game.starts()[0]
    valued = Minimax(*game.functions()).moves_valued(position, 4)
    options = dict(deepest=4, entries=0)
    whole = searching(*game.functions(), **options)
    whole.best(position)
    assert whole.nodes > 100
    one = searching(*game.functions(), **options)  # broken off again and again
    for limit in range(whole.nodes):
        fresh = searching(*game.functions(), **options)
        for search in (fresh, one):
            assert search.best(position, Clock(nodes=limit)) in valued
            assert search.nodes <= limit
        check(fresh, position, valued)
    check(one, position, valued)


class Broken(Exception):
    """An error in a game's own functions."""


def test_an_error_at_any_call_of_the_game_s_functions_comes_through_and_leaves_a_search_that_is_right():
    game = Chance(12, layers=5)
    position = game.starts()[0]
    calls, fail_at = 0, None

    def failing(function):
        def called(*arguments):
            nonlocal calls
            calls += 1
            if calls == fail_at:
                raise Broken
            return function(*arguments)

        return called

    functions = [failing(function) for function in game.functions()]
    options = dict(deepest=3, entries=0, quiet=lambda move: True)
    valued = Minimax(*game.functions()).moves_valued(position, 3)
    searching(*functions, **options).best(position)
    total, one = calls, searching(*functions, **options)
    for broken in range(1, total, 7):
        calls, fail_at = 0, broken
        fresh = searching(*functions, **options)
        with pytest.raises(Broken):
            fresh.best(position)
        assert fresh.move in valued or (broken == 1 and fresh.move is None), "in hand from the first call"
        calls = 0
        try:
            one.best(position)  # its table may spare it the call that fails
        except Broken:
            pass
        fail_at = None
        check(fresh, position, valued)
    check(one, position, valued)


def test_the_finished_part_of_a_broken_iteration_counts():
    tree = shuffled()
    whole = tree.search(deepest=2)
    whole.best(tree.first)
    # Depth 1 prefers `good`; make its refutation visible only at depth 2.
    tree = Tree(
        "root",
        root=(0, {"trap": "Trap", "safe": "Safe", "last": "Last"}),
        Trap=(1, {"x": "T1"}, 9), Safe=(1, {"x": "S1"}, 3), Last=(1, {"x": "L1"}, 2),
        T1=(0, -9), S1=(0, 3), L1=(0, 2),
    )  # fmt: skip
    nodes_to_move = {}
    for limit in range(11):
        search = tree.search(deepest=2)
        nodes_to_move[limit] = search.best(tree.first, Clock(nodes=limit)), search.depth
    assert nodes_to_move[4] == ("trap", 1), "depth 1: the root and its three children"
    assert nodes_to_move[7] == ("trap", 1), "the trap alone has been looked into"
    assert nodes_to_move[9] == ("safe", 1), "`safe` is known to be better, though depth 2 is not complete"
    assert nodes_to_move[10] == ("safe", 1)


def test_a_move_that_was_found_better_counts_although_its_exact_value_was_broken_off():
    tree = shuffled()
    tree.nodes["root"] = (0, {"good": "Good", "bad": "Bad"})
    tree.nodes["Bad"] = (1, {"meek": "Meek", "hard": "Hard"}, 1)
    for name in ("M1", "M2", "H1", "H2"):
        tree.nodes[name] = (1, 50)
    search = tree.search(deepest=3, entries=0, aspiration=10**5)
    search.best(tree.first)
    assert (search.move, search.score) == ("bad", 50)
    broken_off = []
    for limit in range(search.nodes):
        search = tree.search(deepest=3, entries=0, aspiration=10**5)
        broken_off.append((search.best(tree.first, Clock(nodes=limit)), search.depth))
    # The second look at `bad`, for its exact value, takes the last six nodes.
    assert broken_off[-7:] == [("good", 2)] + 6 * [("bad", 2)]


def test_a_better_move_that_is_not_better_at_the_second_look_is_not_kept():
    tree = Tree(
        "root",
        root=(0, {"a": "A", "b": "B"}),
        A=(1, {"x": "A1"}, 3),
        B=(1, {"x": "B1"}, 1),
        A1=(0, 3),
        B1=(0, 9),
    )
    asked = []

    def fickle(position):  # as with a table: the second search of a node may know more
        asked.append(position[1])
        return 0 if asked.count("B1") == 2 else tree.evaluate(position)

    search = searching(tree.moves, tree.play, fickle, entries=0, deepest=2, aspiration=10**5)
    assert search.best(tree.first) == "a"
    assert asked.count("B1") == 2
    assert search.score == 3


@pytest.mark.parametrize("a_call", [2e-6, 2e-5])
def test_the_clock_ends_a_search_within_its_limit(a_call):
    machine = Machine(a_call)
    search, clock = kalaha(), Clock(action=0.3, now=machine)
    move, taken = machine.run(search.best, POSITION, clock)
    assert move in range(6)
    assert 0.25 < clock.used <= taken < 0.3
    assert search.depth >= 1


def test_without_a_clock_a_search_ends_at_its_deepest():
    search = kalaha(deepest=3)
    search.best(POSITION)
    assert search.depth == 3
    assert list(search.scores) == [1, 2, 3]


def test_a_listener_hears_of_every_iteration():
    told = []
    search = kalaha(deepest=5)
    search.best(POSITION, tell=lambda *what: told.append(what))
    assert [depth for _, depth, _, _ in told] == [1, 2, 3, 4, 5]
    assert {depth: score for _, depth, score, _ in told} == search.scores
    assert told[-1] == (search.move, search.depth, search.score, search.pv)
    assert all(pv[0] == move for move, _, _, pv in told)


def test_the_only_move_comes_back_at_once():
    tree = Tree("root", root=(0, {"a": "A"}), A=(1, {"b": "B"}, 0), B=(0, 0))
    search, clock = tree.search(), Clock(nodes=1000)
    assert search.best(tree.first, clock) == "a"
    assert (search.nodes, search.pv, tree.played) == (0, ["a"], [])
    assert (search.depth, search.score, search.exact) == (0, None, False), "nothing was searched"


def test_a_finished_game_has_no_best_move():
    tree = Tree("root", root=(0, 5))
    with pytest.raises(ValueError, match="this game is over"):
        tree.search().best(tree.first)


@pytest.mark.parametrize("options", [{}, {"aspiration": None}, {"entries": 60}, {"entries": 0}])
def test_playing_the_expected_moves_ends_in_the_score(options):
    checked = 0
    for seed in range(100):
        game = Chance(seed, layers=8, wins=False)
        position = game.starts()[0]
        search = searching(*game.functions(), deepest=5, **options)
        search.best(position)
        sign, turns, end = 1, 0, position
        for move in search.pv:
            after = game.play(end, move)
            if after[0] != end[0]:
                sign, turns = -sign, turns + 1
            end = after
        if turns == 5 or not game.moves(end):
            checked += 1
            assert sign * game.evaluate(end) == search.score, f"seed {seed}: {search.pv}"
        else:
            assert options != {"entries": 0}, f"seed {seed}: the line is cut short"
    assert checked > 60


# ---------------------------------------------------------------------------------------------------------
# Wins, draws, repetition


def test_a_quicker_win_and_a_slower_defeat_are_preferred():
    for options in ({}, {"aspiration": None}, {"entries": 0}):
        tree = Tree(
            "root",
            root=(0, {"slow": "Slow", "quick": "Quick"}),
            Slow=(1, {"x": "Slow2"}, 1),
            Slow2=(0, {"x": "Won"}, 1),
            Quick=(1, WIN),
            Won=(1, WIN),
        )
        search = tree.search(deepest=6, **options)
        assert search.best(tree.first) == "quick"
        assert search.score == WIN - 1
        assert search.depth == 1, "nothing deeper can be better"

        tree = Tree(
            "root",
            root=(0, {"soon": "Soon", "late": "Late"}),
            Soon=(1, {"x": "Lost"}, 5),
            Late=(1, {"x": "Late2"}, -5),
            Late2=(0, {"x": "Late3", "y": "Late3"}, -5),
            Late3=(1, {"x": "Lost"}, -5),
            Lost=(0, -WIN),
        )
        search = tree.search(deepest=6, **options)
        assert search.best(tree.first) == "late"
        assert search.score == -WIN + 4


def test_a_win_in_the_table_keeps_its_distance_from_the_position_not_from_the_root():
    tree = Tree(
        "root",
        root=(0, {"long": "Long", "short": "Short"}),
        Long=(0, {"on": "Long2", "off": "Draw"}, 0),
        Long2=(0, {"on": "Door", "off": "Draw"}, 0),
        Short=(0, {"on": "Door", "off": "Draw"}, 0),
        Door=(0, {"x": "Won", "y": "Draw"}, 0),
        Won=(1, WIN),
        Draw=(1, 0),
    )
    search = tree.search(deepest=3)
    assert search.best(tree.first) == "short", "Door is met first four plies deep, then three"
    assert search.score == WIN - 3
    assert search.tree.entry(tree["Door"])[2] == WIN - 1


def test_a_distance_from_a_table_of_endings_is_added_to_the_plies_until_there():
    tree = Tree(
        "root", root=(0, {"a": "A", "b": "B"}), A=(1, {"x": "A"}, WIN - 30), B=(1, {"x": "B"}, WIN - 10)
    )
    search = tree.search(deepest=1)
    assert search.best(tree.first) == "b"
    assert search.score == WIN - 11


def test_a_defeat_in_sight_is_not_the_end_of_thinking_while_it_is_beyond_the_horizon():
    tree = Tree(
        "root",
        root=(0, {"a": "A", "b": "B"}),
        A=(1, {"x": "A1", "y": "A1"}, -WIN + 20),
        B=(1, {"x": "B1", "y": "B1"}, -WIN + 10),
        A1=(0, -WIN + 1),
        B1=(0, 3),
    )
    search = tree.search(deepest=9)
    assert search.best(tree.first) == "b", "a static verdict of a far defeat is looked behind"
    assert search.score == 3


def same(position):
    """Every position may be repeated."""
    return position


def repeating():
    """`back` leads to a position already played; so does every reply after `around`."""
    return Tree(
        "root",
        root=(0, {"back": "Old", "around": "Near", "lose": "Lost"}),
        Old=(1, {"x": "Deep"}, 50), Deep=(0, 50),
        Near=(1, {"home": "Older", "away": "Bad"}, 40), Older=(0, {"x": "Deep2"}, 60), Deep2=(1, 60),
        Bad=(0, 70), Lost=(1, -5),
    )  # fmt: skip


@pytest.mark.parametrize("options", [{}, {"aspiration": None}, {"entries": 0}])
def test_positions_already_played_are_draws(options):
    tree = repeating()
    search = tree.search(deepest=3, repetition=same, **options)
    search.best(tree.first)
    assert (search.move, search.score) == ("around", 60)
    seen = {tree["Old"], tree["Older"], tree["root"]}
    for played in (seen, list(seen), dict.fromkeys(seen, 2)):
        search.tree.seen = played
        search.best(tree.first)
        assert search.score == 0, "in front there is a draw, and the win behind it does not count"
        assert search.move in ("back", "around")
    search.tree.seen = ()
    search.best(tree.first)
    assert search.score == 60, "what was a draw then has not stayed in the table"


def test_contempt_makes_a_draw_worth_less_for_the_one_who_searches_whoever_offers_it():
    tree = repeating()
    either = ("back", "around")
    for contempt, score, moves in ((3, -3, either), (8, -5, ("lose",)), (-8, 8, either)):
        for options in ({}, {"entries": 0}):
            search = tree.search(deepest=3, repetition=same, **options)
            search.tree.contempt, search.tree.seen = contempt, {tree["Old"], tree["Older"]}
            assert search.best(tree.first) in moves
            assert search.score == score


def ring(size):
    """Two players walk a counter round a ring, or leave it: a game that need not end."""

    def moves(position):
        return () if position[1] < 0 else ("on", "off")

    def play(position, move):
        mover, place = position
        return (1 - mover, (place + 1) % size) if move == "on" else (1 - mover, -1 - place)

    def evaluate(position):
        mover, place = position
        value = (place * 7 + 3) % 11 - 5
        return value if mover == 0 else -value

    return moves, play, evaluate


@pytest.mark.parametrize("size", [2, 3, 4, 5])
def test_a_line_that_repeats_itself_is_a_draw(size):
    moves, play, evaluate = ring(size)
    for start in product((0, 1), range(size)):
        for depth in range(1, 2 * size + 3):
            valued = Minimax(moves, play, evaluate, repetition=True).moves_valued(start, depth)
            for aspiration in (1, None):
                search = searching(
                    moves, play, evaluate, entries=0, repetition=same, deepest=depth, aspiration=aspiration
                )
                check(search, start, valued)


TABLES = ({}, {"aspiration": None})


@pytest.mark.parametrize("options", TABLES)
def test_a_draw_by_repetition_does_not_stay_in_the_table_of_another_path(options):
    # By way of A, the best move at P returns to A: a draw. By way of B it does not, and A is bad.
    tree = Tree(
        "root",
        root=(0, {"a": "A", "b": "B"}),
        A=(1, {"x": "P", "y": "Bad"}, -3),
        B=(1, {"x": "P"}, -3),
        P=(0, {"back": "A", "worse": "Worse"}, -3),
        Bad=(0, -3),
        Worse=(1, -4),
    )
    twin = Minimax(tree.moves, tree.play, tree.evaluate, repetition=True)
    assert twin.moves_valued(tree.first, 6) == {"a": -3, "b": -3}
    search = tree.search(deepest=6, repetition=same, **options)
    search.best(tree.first)
    assert set(search.scores.values()) == {-3}


@pytest.mark.parametrize("options", TABLES)
def test_a_tree_with_a_repetition_in_it_is_not_taken_for_searched_to_the_end(options):
    # By way of X, going back at P is a draw and so worth less than F; by way of the root it wins 9.
    tree = Tree(
        "root",
        root=(1, {"a": "X", "b": "P"}),
        X=(0, {"z": "Q", "y": "Nine"}, 9), Q=(1, {"on": "P"}, 9), Nine=(1, 9),
        P=(0, {"back": "C", "five": "Five"}, 9), C=(1, {"x": "X"}, 9), Five=(1, 5),
    )  # fmt: skip
    twin = Minimax(tree.moves, tree.play, tree.evaluate, repetition=True)
    assert twin.moves_valued(tree.first, 8) == {"a": -9, "b": -9}
    search = tree.search(deepest=8, repetition=same, **options)
    search.best(tree.first)
    assert search.score == -9


def test_positions_that_a_game_calls_unrepeatable_never_count_as_repeated():
    moves, play, evaluate = ring(3)
    free = searching(moves, play, evaluate, entries=0, deepest=7)
    never = searching(moves, play, evaluate, entries=0, deepest=7, repetition=lambda position: None)
    for search in (free, never):
        search.best((0, 0))
    assert (free.score, free.nodes) == (never.score, never.nodes)


# ---------------------------------------------------------------------------------------------------------
# Moves, order, reductions


def test_a_generator_of_moves_is_read_only_as_far_as_needed():
    produced = []

    def lazily(position):
        for move in kalaha_probe.moves(position):
            produced.append(move)
            yield move

    eager = kalaha(deepest=6)
    lazy = searching(
        lazily, kalaha_probe.play, kalaha_probe.evaluate, aspiration=3, deepest=6,
    )  # fmt: skip
    assert eager.best(POSITION) == lazy.best(POSITION)
    assert (eager.nodes, eager.score, eager.pv) == (lazy.nodes, lazy.score, lazy.pv)
    everything = []
    counting = searching(
        lambda position: everything.extend(kalaha_probe.moves(position)) or kalaha_probe.moves(position),
        kalaha_probe.play,
        kalaha_probe.evaluate,
        aspiration=3,
        deepest=6,
    )
    counting.best(POSITION)
    assert len(produced) < 0.7 * len(everything)


def test_the_table_s_move_is_tried_before_moves_are_generated():
    asked = []

    def moves(position):
        asked.append(position)
        return kalaha_probe.moves(position)

    search = searching(moves, kalaha_probe.play, kalaha_probe.evaluate, deepest=6)
    search.best(POSITION)
    inner = len(asked)
    blind = searching(moves, kalaha_probe.play, kalaha_probe.evaluate, deepest=6, entries=0)
    asked.clear()
    blind.best(POSITION)
    assert inner < len(asked)


def test_quiet_moves_are_reordered_by_killers_and_history_and_loud_ones_stay_in_front():
    visits = []

    def moves(position):
        if position[1] == 2:
            visits.append([])
        return ["L1", "L2", "q1", "q2", "q3", "q4"] if position[1] < 3 else []

    def play(position, move):
        if position[1] == 2:
            visits[-1].append(move)
        return 1 - position[0], position[1] + 1, move

    def evaluate(position):
        if position[2] == "L2" and position[1] == 1:
            return -100  # what is loud may cut off as well, and is not learned
        return -100 if position[2] == "q3" else 100  # q3 refutes everything

    for learned in (True, False):
        quiet = (lambda move: move.startswith("q")) if learned else None
        search = Search(AlphaBeta(moves, play, evaluate, entries=0, quiet=quiet), 3)
        visits.clear()
        search.best((0, 0, ""))
        cut = [visit for visit in visits if len(visit) < 6]
        assert len(cut) == 5
        order = ["L1", "L2", "q3"] if learned else ["L1", "L2", "q1", "q2", "q3"]
        assert all(visit == order for visit in cut[1:]), (learned, cut)
        if learned:
            assert {*search.tree.history[0], *search.tree.history[1]} <= {"q1", "q2", "q3", "q4"}


def test_reduced_moves_that_turn_out_good_are_looked_at_in_full():
    # Two turns deep a is worth 3 and b 1; three turns deep a is worth -5 and b -9.
    def deep(**options):
        tree = Tree(
            "root",
            root=(0, {"a": "A", "b": "B"}),
            A=(1, {"x": "A1", "y": "A2"}, 3), B=(1, {"x": "B1", "y": "B2"}, 1),
            A1=(0, {"x": "A3"}, 3), A2=(0, {"x": "A3"}, 3), B1=(0, {"x": "B3"}, 1), B2=(0, {"x": "B3"}, 1),
            A3=(1, -5), B3=(1, -9),
        )  # fmt: skip
        return tree, tree.search(deepest=3, entries=0, **options)

    asked = []

    def reduce(position, move, index, depth):
        asked.append((position[1], move, index, depth))
        return 1

    for options in ({}, {"reduce": reduce}):
        tree, search = deep(**options)
        search.best(tree.first)
        assert (search.move, search.score) == ("a", -5)
    assert all(index >= 1 and depth >= 2 for _, _, index, depth in asked), "the first move is never reduced"
    assert ("root", "b", 1, 3) in asked

    free, zero, some = (
        kalaha(deepest=6, reduce=reduce)
        for reduce in (None, lambda *node: 0, lambda position, move, index, depth: index > 2)
    )
    for search in (free, zero, some):
        search.best(POSITION)
    assert (free.nodes, free.score) == (zero.nodes, zero.score)
    assert some.nodes < free.nodes


def test_a_reduced_move_is_still_looked_at_one_turn_deep():
    moves, play, evaluate = perfectly_ordered(3, 9)
    plies = []

    def noted(position):
        plies.append(position[1])
        return evaluate(position)

    search = searching(moves, play, noted, entries=0, deepest=4, reduce=lambda *node: 99)
    per_iteration = []
    search.best((0, 0, 0), tell=lambda *told: (per_iteration.append(sorted(set(plies))), plies.clear()))
    assert per_iteration == [[1], [2], [2, 3], [2, 3, 4]]


# ---------------------------------------------------------------------------------------------------------
# The table


def test_history_counts_half_in_the_next_search():
    search = kalaha(quiet=lambda move: True, deepest=4)
    search.best(POSITION)
    learned = [dict(taught) for taught in search.tree.history]
    assert any(learned[0].values())
    search.best(POSITION, Clock(nodes=0))
    assert [dict(taught) for taught in search.tree.history] == [
        {move: count // 2 for move, count in taught.items()} for taught in learned
    ]


@pytest.mark.parametrize("entries", [1, 2, 3, 50, 1000])
def test_the_table_never_holds_more_than_it_may_while_searching(entries):
    sizes = []

    def evaluate(position):
        sizes.append(len(search.tree.table))
        return kalaha_probe.evaluate(position)

    search = kalaha(entries=entries, deepest=8)
    search.tree.evaluate = evaluate
    search.best(POSITION)
    assert entries // 2 <= max(sizes) <= entries
    plain = kalaha(entries=0, deepest=8)
    plain.best(POSITION)
    assert search.score == plain.score


def test_old_entries_make_room_and_those_in_use_stay():
    table = Table(10)
    for key in range(100):
        table.keep(key, (1, EXACT, key, None, 0))
        assert table.get(0) == (1, EXACT, 0, None, 0), "asked for all the time"
        assert len(table) <= 10
    assert table.get(98) and not table.get(50)


def test_of_two_entries_for_a_position_the_deeper_stays_while_it_is_of_the_same_age():
    table = Table(6)
    table.keep("a", (5, EXACT, 1, None, 0))
    table.keep("a", (3, EXACT, 2, None, 0))
    assert table.get("a")[2] == 1
    table.keep("a", (5, LOWER, 3, None, 0))
    assert table.get("a")[2] == 3
    table.keep("a", (2, LOWER, 4, None, 1))
    assert table.get("a")[2] == 4, "what may rest on positions that are draws now makes way"
    for key in "bcd":
        table.keep(key, (1, EXACT, 0, None, 1))
    table.keep("a", (1, EXACT, 5, None, 1))
    assert table.get("a")[2] == 5, "so does what has not been asked for in a generation"


def test_an_entry_takes_less_than_300_bytes():
    table = Table(40_000)
    tracemalloc.start()
    for number in range(60_000):
        key = (number & 1, number << 40, number << 38, number + 300)
        table.keep(key, (6, LOWER, number - 30_000, 1000 + number % 900, 0))
    size, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert size / len(table) < 300 + 100, "the positions here are four numbers, two of them big"


def test_what_is_in_the_old_generation_is_found_by_the_search():
    search = kalaha(deepest=8)
    search.best(POSITION)
    nodes = search.nodes
    for generation in ("young", "old"):
        again = kalaha(deepest=8)
        again.tree.table.young = dict(search.tree.table.young) if generation == "young" else {}
        again.tree.table.old = dict(search.tree.table.young) if generation == "old" else {}
        again.best(POSITION)
        assert again.nodes < nodes / 4, generation
        assert again.score == search.score


# ---------------------------------------------------------------------------------------------------------
# Kalaha's endings: sums over all positions of few pebbles, known from two independent solvers


def endings(pebbles):
    """Every position with so many pebbles and neither side empty."""

    def shared_out(fields, rest):
        if fields == 1:
            yield (rest,)
            return
        for first in range(rest + 1):
            for others in shared_out(fields - 1, rest - first):
                yield (first,) + others

    for ponds in shared_out(12, pebbles):
        if any(ponds[:6]) and any(ponds[6:]):
            yield kalaha_probe.packed(0, *ponds)


def solved(search, position):
    """The value to the end of the game, by a search that has to notice that it is exact."""
    choices = kalaha_probe.moves(position)
    if not choices:
        return kalaha_probe.evaluate(position)
    if len(choices) == 1:
        child = kalaha_probe.play(position, choices[0])
        return solved(search, child) if child[0] == position[0] else -solved(search, child)
    search.best(position)
    assert search.exact
    return search.score


@pytest.mark.parametrize(
    "pebbles, count, total, absolute", [(2, 36, 6, 30), (3, 252, 102, 414), (4, 1113, 676, 2152)]
)
def test_kalaha_endings_have_the_known_sums_of_values(pebbles, count, total, absolute):
    search = kalaha()
    values = [solved(search, position) for position in endings(pebbles)]
    assert (len(values), sum(values), sum(map(abs, values))) == (count, total, absolute)


def test_what_was_searched_to_the_end_of_the_game_holds_at_every_depth():
    search = kalaha()
    search.best(LATE)
    assert search.exact
    assert search.tree.entry(LATE)[:2] == (SOLVED, EXACT)
    first = search.nodes
    search.best(LATE)
    assert search.nodes < first / 2, "the second time the table knows"


# ---------------------------------------------------------------------------------------------------------
# Speed


def test_the_probe_and_the_search_agree_and_the_search_takes_fewer_than_seven_calls_a_node():
    # The probe takes 3.4; `python -m tests.support.kalaha_probe` says what that comes to in seconds.
    (_, _, values), (nodes, calls, scores) = kalaha_probe.measured(6, Machine(1).takes)
    assert values == scores
    assert calls / nodes < 7


def page_faults(depth, calls=10_000):
    """How often the kernel gave memory while a function was called that often from such a depth."""

    def leaf(a=0, b=0, c=0, d=0, e=0, f=0, g=0, h=0, i=0, j=0, k=0, m=0, n=0, o=0, p=0, q=0, r=0, s=0):
        return None  # a frame larger than one of `called`: none of those can step over the end of a piece

    def measured():
        before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
        for _ in range(calls):
            leaf()
        return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before

    def called(depth, function):
        return function() if depth == 0 else called(depth - 1, function)

    return called(depth, measured), called(depth, lambda: in_one_piece(measured))


def test_calls_within_one_piece_of_the_stack_ask_for_no_memory_from_any_depth():
    # A piece holds some 150 frames of `called`; over its end, each call asks the kernel for memory.
    counted = [page_faults(depth) for depth in range(200)]
    plain, in_one = zip(*counted, strict=True)
    assert max(plain) > 5_000, "no depth is slow on this interpreter: in_one_piece may not be needed"
    assert max(in_one) < 1_000


FAULTS = """
import io, sys, warnings
from shared.deepening import tell_of_fault

warnings.simplefilter("always")
closed = io.StringIO()
closed.close()
for stream in (sys.stderr, None, closed, object()):
    sys.stderr = stream
    try:
        raise ValueError("injected")
    except ValueError:
        tell_of_fault()
sys.stderr = None
print("done")
"""


def test_a_fault_is_told_on_the_error_stream_and_costs_nothing_where_there_is_none():
    run = subprocess.run([sys.executable, "-c", FAULTS], cwd=ROOT, capture_output=True, text=True)
    assert (run.returncode, run.stdout) == (0, "done\n"), run.stderr
    assert (
        run.stderr.count("RuntimeWarning: the search failed: ")
        == run.stderr.count("ValueError: injected")
        == 1
    )
