"""The Pentago agent: its fast board against the rules, its kernel and threats against plain play."""

import hashlib
import random
import re
from functools import cache

import numpy
import pytest

from pentago_agent import Player, PlayerClassic, notation, tree
from pentago_agent.evaluate import LAST_STONES, load, phase
from pentago_agent.geometry import CELLS, MOVES, WINDOWS, Geometry, row_and_column
from pentago_agent.kernel import ILLEGAL, LOST, TAKEN, Kernel, keys_of
from pentago_agent.leaves import DECIDED, WIN
from pentago_agent.meter import Meter
from pentago_agent.player import CONTEMPT, kernel_of
from pentago_agent.position import START, batch, has_five, moves, play, result, stones
from pentago_agent.shared.deepening import Search
from pentago_agent.theory import second_stone
from pentago_agent.threats import Threats
from pentago_agent.train import deep, engine, fit, overrated, record, second
from pentago_agent.train.forced import Prover, proven, read, solved
from pentago_agent.train.full_width import FullWidth
from pentago_agent.tree import Siblings, Tree
from pentago_agent.yardstick import Player as Yardstick
from referee import rules
from tests import ROOT
from tests.support.compiler import NEEDS_CC
from tests.support.machine import Machine, check_no_other_thread_runs
from tests.support.samples import few

FOLDER = ROOT / "pentago_agent"
VARIANTS = ("", "classic", "classic-late")
COLOURS = ("white", "black")


def name(variant):
    return f"pentago:{variant}" if variant else "pentago"


def random_position(lots, variant, least, most):
    """A position of a random game that goes on, with so many stones."""
    geometry = kernel_of(variant).geometry
    while True:
        position, wanted = START, lots.randint(least, most)
        while stones(position) < wanted and result(position) is None:
            position = play(position, lots.choice(moves(position, geometry)), geometry)
        if result(position) is None:
            return position


def sharp_position(lots, count):
    """Stones thrown on the board, nobody with a five: far more threats than in a random game."""
    while True:
        cells = lots.sample(range(CELLS), count)
        colours = [[0] * 4, [0] * 4]
        for place, number in enumerate(cells):
            colours[place % 2][number // 9] |= 1 << number % 9
        position = (0, *colours[0], *colours[1])
        if not has_five(position[1:5]) and not has_five(position[5:]):
            return position


# --- The fast board against the rules --------------------------------------------------------------


@pytest.mark.parametrize("variant", VARIANTS)
def test_fast_board_agrees_with_the_rules_on_random_walks(variant):
    lots = random.Random(f"walks {variant}")
    geometry, seen = kernel_of(variant).geometry, 0
    while seen < (few(700, 3000) if variant != "classic-late" else few(100, 300)):
        state, position = rules.start(name(variant)), START
        while True:
            seen += 1
            where = f"seed 'walks {variant}', {state.text()}"
            assert notation.to_text(position) == state.text()
            assert notation.from_text(state.text()) == position, where
            ended = result(position)
            if ended is not None:
                mine = (ended + 1) / 2
                assert state.outcome()[0][position[0]] == mine and moves(position, geometry) == [], where
                break
            assert state.to_act() == (position[0],), where
            legal = moves(position, geometry)
            actions = [notation.to_action(move, geometry) for move in legal]
            assert sorted(actions) == sorted(state.actions(position[0])), where
            assert [notation.from_action(action, geometry) for action in actions] == legal, where
            choice = lots.randrange(len(legal))
            position = play(position, legal[choice], geometry)
            state = state.after({state.mover: actions[choice]})


def test_kernels_children_are_those_of_the_rules():
    lots = random.Random("children")
    for variant in VARIANTS[:2]:
        kernel = kernel_of(variant)
        for _ in range(10):
            position = random_position(lots, variant, 0, 24)
            legal = [
                move
                for move in moves(position, kernel.geometry)
                if result(play(position, move, kernel.geometry)) is None
            ]
            children = kernel.children(batch(position), numpy.zeros(len(legal), int), numpy.array(legal))
            for place, move in enumerate(legal):
                child = play(position, move, kernel.geometry)
                assert tuple(children[:, place]) == child[1:], (position, move)


def layers(plies):
    """(distinct boards, sequences) after each ply, counted on the kernel's children."""
    kernel = kernel_of("")
    boards, ways = batch(START), numpy.ones(1, numpy.int64)
    for count in range(plies):
        keys, columns, sums = [], [], []
        for start in range(0, boards.shape[1], 2000):
            part = boards[:, start : start + 2000]
            scores = kernel.judge(part, kernel.codes(part), count)
            parents, chosen = numpy.nonzero(scores > TAKEN)
            children = kernel.children(part, parents, chosen)
            key, first, back = numpy.unique(keys_of(children), return_index=True, return_inverse=True)
            keys.append(key)
            columns.append(children[:, first].astype(numpy.int16))
            sums.append(numpy.bincount(back.ravel(), ways[start + parents]).astype(numpy.int64))
        _, first, back = numpy.unique(numpy.concatenate(keys), return_index=True, return_inverse=True)
        boards = numpy.concatenate(columns, axis=1)[:, first].astype(int)
        ways = numpy.bincount(back.ravel(), numpy.concatenate(sums)).astype(numpy.int64)
        yield boards.shape[1], int(ways.sum())


def test_perft_and_distinct_boards_on_the_fast_board():
    plies = few(3, 4)
    counted = list(layers(plies))
    assert [boards for boards, _ in counted] == [36, 1260, 21420, 353430][:plies]
    assert [ways for _, ways in counted] == [288, 80640, 21934080, 21934080 * 8 * 33][:plies]


# --- The kernel against plain play -----------------------------------------------------------------


def plain_wins(position, geometry):
    """Whether the mover has a winning move, by playing every move."""
    return any(result(play(position, move, geometry)) == -1 for move in moves(position, geometry))


@cache
def _window_bits():
    return [[sum(1 << n % 9 for n in window if n // 9 == q) for q in range(4)] for window in WINDOWS]


def near_win(position):
    """A filter for plain_wins: some twist leaves a window with four of the mover's and no other's."""
    geometry = kernel_of("").geometry
    mine, theirs = position[1:5], position[5:]
    for twist in [None, *range(8)]:
        own, other = list(mine), list(theirs)
        if twist is not None:
            turn = geometry.turned[twist % 2]
            own[twist // 2], other[twist // 2] = turn[own[twist // 2]], turn[other[twist // 2]]
        for window in _window_bits():
            if not any(o & w for o, w in zip(other, window, strict=True)):
                if sum(bin(o & w).count("1") for o, w in zip(own, window, strict=True)) >= 4:
                    return True
    return False


def kind_of(kernel, position, move):
    """What the rules say of a move of a mover without a win: "safe", "unsafe" or "drawn"."""
    child = play(position, move, kernel.geometry)
    ended = result(child)
    if ended == 0:
        full = stones(child) == CELLS and not has_five(child[1:5])
        return "safe" if full else "drawn"
    if ended is not None:
        return "unsafe"
    if kernel.geometry.variant == "" and not near_win(child):
        return "safe"
    return "unsafe" if plain_wins(child, kernel.geometry) else "safe"


def judged(kernel, position):
    """The kernel's verdicts on the legal moves of a mover without a win."""
    board, count = batch(position), stones(position)
    codes = kernel.codes(board)
    scores = kernel.judge(board, codes, count)
    drawn = {move for _, move in kernel.settle(board, codes, scores, count)}
    verdicts = {}
    for move in range(MOVES):
        if scores[0, move] > TAKEN:
            verdicts[move] = "drawn" if move in drawn else "safe" if scores[0, move] > LOST else "unsafe"
    return verdicts


@pytest.mark.parametrize("variant", VARIANTS)
def test_wins_in_one_and_safe_moves_are_exactly_those_of_the_rules(variant):
    lots = random.Random(f"kernel {variant}")
    kernel, met = kernel_of(variant), set()
    for count in [10, 14, 18, 20, 22, 24, 26, 28, 30, 32, 33, 34, 35, 35] * 2:
        position = sharp_position(lots, count)
        board = batch(position)
        codes = kernel.codes(board)
        wins = plain_wins(position, kernel.geometry)
        assert kernel.wins(board, codes).any() == wins, position
        if wins:
            move = kernel.winning_move(board, codes, kernel.judge(board, codes, count))
            assert result(play(position, move, kernel.geometry)) == -1, (position, move)
            continue
        verdicts = judged(kernel, position)
        assert sorted(verdicts) == moves(position, kernel.geometry)
        for move in lots.sample(sorted(verdicts), min(24, len(verdicts))):
            assert verdicts[move] == kind_of(kernel, position, move), (position, move)
            met.add(verdicts[move])
    assert {"safe", "unsafe"} <= met


def test_fives_of_both_colours_are_the_draw_they_are():
    # From positions crowded with threats: moves that end the game drawn, and moves after which each
    # five of the other's would come with one of the mover's.
    lots = random.Random("double fives")
    kernel = kernel_of("")
    drawn = reprieved = 0
    while drawn < 5 or reprieved < 5:
        position = sharp_position(lots, lots.randint(22, 33))
        board, count = batch(position), stones(position)
        codes = kernel.codes(board)
        if kernel.wins(board, codes).any():
            continue
        before = kernel.judge(board, codes, count)
        verdicts = judged(kernel, position)
        changed = [move for move in verdicts if before[0, move] < LOST and verdicts[move] != "unsafe"]
        for move in changed[:3]:
            assert verdicts[move] == kind_of(kernel, position, move), (position, move)
            drawn += verdicts[move] == "drawn"
            reprieved += verdicts[move] == "safe"


def test_after_the_last_stone_only_fives_count():
    lots = random.Random("last stone")
    kernel = kernel_of("")
    for _ in range(20):
        position = sharp_position(lots, 35)
        if not plain_wins(position, kernel.geometry):
            board = batch(position)
            scores = kernel.judge(board, kernel.codes(board), 35)
            safe = scores[0][scores[0] > LOST]
            assert (safe == 0).all(), position


def test_a_moves_score_is_the_sum_of_the_childs_masks():
    lots = random.Random("scores")
    for variant in VARIANTS[:2]:
        kernel, weights = kernel_of(variant), load(kernel_of(variant).geometry)
        for _ in range(12):
            position = random_position(lots, variant, 0, 30)
            board, count = batch(position), stones(position)
            scores = kernel.judge(board, kernel.codes(board), count)
            for move in lots.sample(moves(position, kernel.geometry), 6):
                child = play(position, move, kernel.geometry)
                if result(child) is not None or scores[0, move] < LOST:
                    continue
                theirs = {n for n in range(36) if child[1 + n // 9] >> n % 9 & 1}
                mine = {n for n in range(36) if child[5 + n // 9] >> n % 9 & 1}
                total = 0
                for kind, mask in zip(kernel.geometry.kinds, kernel.geometry.masks, strict=True):
                    own, other = len(mask & mine), len(mask & theirs)
                    if not other or not own:
                        total += weights[phase(count + 1), kind, own if not other else 5 + other]
                assert scores[0, move] == total - kernel.optimism[count], (position, move)


def test_the_children_of_64_positions_are_judged_in_hardly_more_calls_than_those_of_one():
    lots = random.Random("speed")
    kernel = kernel_of("")
    boards = numpy.concatenate([batch(random_position(lots, "", 8, 8)) for _ in range(64)], axis=1)

    def judged(some):
        codes = kernel.codes(some)
        kernel.wins(some, codes)
        kernel.judge(some, codes, 8)

    calls = [Machine(1).takes(judged, boards[:, :columns]) for columns in (1, 64)]
    assert calls[1] < 2 * calls[0] < 100


def test_numbers_do_not_depend_on_what_a_position_is_judged_with():
    lots = random.Random("batches")
    kernel = kernel_of("")
    boards = numpy.concatenate([batch(random_position(lots, "", 9, 9)) for _ in range(40)], axis=1)
    together = kernel.judge(boards, kernel.codes(boards), 9)
    for column in range(40):
        alone = boards[:, column : column + 1]
        assert (kernel.judge(alone, kernel.codes(alone), 9)[0] == together[column]).all(), column


def test_matrix_products_start_no_second_thread():
    # Threads are charged.
    check_no_other_thread_runs(
        """
        from pentago_agent import Player
        player = Player("white", nodes=30000)
        player.set_up("w.b.w..b...w....b.....w....b...w.... b")
    """,
        "player.action()",
    )


def test_scores_of_even_and_odd_depths_agree():
    # To within what OPTIMISM takes off: the median is 620 with it, -1640 without.
    lots = random.Random("parity")
    kernel, gaps = kernel_of(""), []
    while len(gaps) < few(7, 11):
        search = Search(Tree(kernel, Threats(kernel)), deepest=4)
        search.best(random_position(lots, "", 6, 6))
        if len(search.scores) == 3:
            gaps.append((search.scores[2] + search.scores[4]) / 2 - search.scores[3])
    assert abs(numpy.median(gaps)) < 900, gaps


def test_each_colour_leans_its_own_way_and_draws_stay_draws():
    kernel = kernel_of("")
    for colour, own in enumerate(COLOURS):
        tree = Player(own).tree
        assert tree.kernel is tree.leaves.kernel
        board = batch(random_position(random.Random(f"leaning {own}"), "", 8, 8))
        for count in (8, 9):  # White moves at even counts
            shift = tree.kernel.judge(board, kernel.codes(board), count).max()
            shift -= kernel.judge(board, kernel.codes(board), count).max()
            assert shift == (CONTEMPT if count % 2 == colour else -CONTEMPT)
        assert tree.kernel.optimism[LAST_STONES] == 0 and kernel.optimism == Kernel("").optimism


def test_long_actions_are_searched_wider_than_short_ones():
    short, long = (Player("white", seconds=seconds).tree for seconds in (0.4, 2.0))
    assert all(long.theirs[depth] > short.theirs[depth] for depth in short.theirs)
    assert all(long.mine[depth] > short.mine[depth] for depth in short.mine)
    assert long.first_look > short.first_look and Player("white").tree.root == long.root


# --- The search against plain play -----------------------------------------------------------------


def plain_value(kernel, position, depth, settled):
    """Minimax over every move: at depth 1 the best score of a move, wins and losses by stones.

    At depth 1 moves that only a double five saves, or that end the game drawn by one, count if there
    are no others, as leaves.py says; or always, if settled: the children of the root are.
    """
    geometry = kernel.geometry
    board, count = batch(position), stones(position)
    scores = kernel.judge(board, kernel.codes(board), count)[0]
    values, saved = [], []
    for child, move in {play(position, m, geometry): m for m in moves(position, geometry)}.items():
        ended = result(child)
        if ended:
            values.append(-ended * (WIN - (count + 1)))
        elif ended == 0:
            (saved if depth == 1 and scores[move] < LOST else values).append(0)
        elif plain_wins(child, geometry):
            values.append(-(WIN - (count + 2)))
        elif depth > 1:
            values.append(-plain_value(kernel, child, depth - 1, settled))
        elif scores[move] > LOST:
            values.append(float(scores[move]))
        else:
            saved.append((float(scores[move]) + 32768) % 65536 - 32768)
    best = max(values, default=-WIN)
    return max([best, *saved]) if saved and (settled or best < -DECIDED) else best


def full_width(kernel, position, depth):
    search = Search(FullWidth(kernel, Threats(kernel)), deepest=depth)
    search.best(position)
    return search


def test_search_without_limits_equals_plain_minimax():
    lots = random.Random("minimax")
    kernel = kernel_of("")
    compared = {2: 0, 3: 0}
    while min(compared.values()) < few(1, 4):
        depth = min(compared, key=compared.get)
        position = sharp_position(lots, 27 + 2 * depth + lots.randint(-1, 0))
        if not plain_wins(position, kernel.geometry):
            search = full_width(kernel, position, depth)
            if not search.depth:
                continue  # the only safe move there is: nothing was searched
            assert search.score == plain_value(kernel, position, depth, depth == 2), (position, depth)
            compared[depth] += 1


def test_what_is_put_in_order_only_if_need_be_changes_no_value_in_full_width(monkeypatch):
    lots = random.Random("glance")
    kernel, compared, later = kernel_of(""), 0, set()
    joined = Siblings.and_also
    monkeypatch.setattr(
        Siblings, "and_also", lambda these, those: later.add(compared) or joined(these, those)
    )
    while compared < few(2, 4):
        position = random_position(lots, "", 18, 20)
        if plain_wins(position, kernel.geometry):
            continue
        scores = set()
        for glance, tried in ((MOVES, 4), (1, 1)):
            monkeypatch.setattr(tree, "GLANCE", glance)
            monkeypatch.setattr(tree, "TRIED", tried)
            scores.add(full_width(kernel, position, 4).score)
        assert len(scores) == 1, (position, scores)
        compared += 1
    assert later


def test_late_moves_are_looked_at_less_deeply():
    lots, kernel, nodes = random.Random("late"), kernel_of(""), [0, 0]
    for count in few((6,), (5, 6, 7)):
        position = random_position(lots, "", count, count)
        for place, (late, slack) in enumerate(((Tree.late, Tree.slack), (MOVES, tree.INFINITY))):
            one = Tree(kernel, Threats(kernel))
            one.late, one.slack, one.veto_nodes = late, slack, 0
            search = Search(one, 5)
            search.best(position)
            nodes[place] += search.nodes
    assert nodes[0] < nodes[1], nodes


def test_last_plies_are_played_perfectly():
    lots = random.Random("perfect")
    kernel = kernel_of("")

    @cache
    def exact(position):
        ended = result(position)
        if ended is not None:
            return ended
        children = {play(position, move, kernel.geometry) for move in moves(position, kernel.geometry)}
        best = -1
        for child in children:
            best = max(best, -exact(child))
            if best == 1:
                break
        return best

    for _ in range(12):
        position = sharp_position(lots, 32 + lots.randint(0, 2))
        player = Player("white", nodes=30000)
        player.position = position
        move = notation.from_action(player.action(), kernel.geometry)
        assert -exact(play(position, move, kernel.geometry)) == exact(position), position


def test_same_nodes_and_moves_twice():
    lots = random.Random("twice")
    for _ in range(3):
        position = random_position(lots, "", 4, 14)
        seen = set()
        for _ in range(2):
            player = Player("white", nodes=3000, seed=1)
            player.position = position
            seen.add((player.action(), player.search.nodes, player.search.depth, player.search.score))
        assert len(seen) == 1, position


def test_listener_hears_of_every_iteration():
    kernel, heard = kernel_of(""), []
    search = Search(Tree(kernel, Threats(kernel)), deepest=4)
    position = random_position(random.Random("listener"), "", 6, 6)
    move = search.best(position, tell=lambda *news: heard.append(news))
    assert [depth for _, depth, _, _ in heard] == [2, 3, 4] and heard[-1][0] == move
    assert search.pv[0] == move and search.scores[4] == search.score and search.cut_offs > 0
    assert 0.5 < search.first_move_cuts <= 1


def test_score_of_a_win_counts_the_stones_until_then():
    lots = random.Random("mate")
    kernel = kernel_of("")
    while True:
        position = sharp_position(lots, 18)
        if plain_wins(position, kernel.geometry):
            break
    search = Search(Tree(kernel, Threats(kernel)))
    move = search.best(position)
    assert search.score == WIN - 19 > DECIDED
    assert result(play(position, move, kernel.geometry)) == -1


# --- Threats and the test set ----------------------------------------------------------------------


def test_wins_by_threats_hold_against_every_reply():
    lots = random.Random("threats")
    kernel = kernel_of("")
    prover, found = Prover(kernel), 0
    while found < few(6, 12):
        position = sharp_position(lots, lots.randint(10, 16))
        board = batch(position)
        if kernel.wins(board, kernel.codes(board)).any():
            continue
        threats = Threats(kernel)
        move = threats.find(board, stones(position), Meter(), 2000, deepest=3)
        if move is not None:
            found += 1
            assert prover.forced(play(position, move, kernel.geometry), threats.length - 1), position


def test_set_of_forced_positions_is_large_and_proven():
    lines = read(str(FOLDER / "train" / "forced.txt"))
    assert len(lines) >= 60 and {kind for _, kind, _, _ in lines} == {"win", "defence"}
    assert all(plies <= 7 for _, _, plies, _ in lines)
    prover = Prover(kernel_of(""))
    for line in random.Random("proofs").sample(lines, few(1, 4)):
        assert proven(prover, *line), notation.to_text(line[0])


def test_forced_positions_are_solved():
    lines = read(str(FOLDER / "train" / "forced.txt"))
    chosen = random.Random("solved").sample(lines, few(4, 20))
    missed = [notation.to_text(p) for p, kind, _, good in chosen if not solved(p, kind, good, nodes=60000)]
    assert len(missed) <= few(0, 1), missed


# --- Player, notation, data ------------------------------------------------------------------------


def test_lines_that_are_no_position_are_refused_in_a_sentence():
    for line in ("", "." * 36, "." * 35 + " w", "." * 36 + " x", "x" * 36 + " w", "." * 36 + " w w"):
        with pytest.raises(ValueError, match="a Pentago line is"):
            notation.from_text(line)


def test_course_examples_of_moves_put_the_stone_where_the_course_does():
    geometry = kernel_of("").geometry
    for action, (row, column) in {
        (0, 0, 0, 0): (0, 2), (0, 0, 0, 1): (0, 2), (0, 1, 0, 0): (1, 2), (0, 2, 0, 1): (0, 0),
        (1, 0, 0, 0): (0, 1), (2, 2, 0, 1): (2, 0), (1, 1, 0, 0): (1, 1), (0, 0, 3, 0): (0, 0),
        (0, 3, 1, 0): (0, 5), (3, 0, 2, 1): (3, 2), (5, 4, 3, 0): (4, 3), (4, 3, 3, 1): (4, 5),
    }.items():  # fmt: skip
        line = notation.to_text(play(START, notation.from_action(action, geometry), geometry))
        assert line.index("w") == 6 * row + column, action


def test_forced_moves_and_wins_are_played_whatever_the_clock_says():
    lots = random.Random("no time")
    kernel = kernel_of("")
    won = 0
    while won < 5:
        position = sharp_position(lots, lots.randint(12, 30))
        if plain_wins(position, kernel.geometry):
            won += 1
            player = Player("white", seconds=0.0, first_seconds=0.0)
            player.position = position
            move = notation.from_action(player.action(), kernel.geometry)
            assert result(play(position, move, kernel.geometry)) == -1, position


def test_player_classic_plays_classic_whatever_it_is_not_told():
    player = PlayerClassic("white", nodes=500)
    assert player.kernel.geometry.variant == "classic"
    state = rules.start("pentago:classic")
    other = Player("black", variant="classic", nodes=500)
    while state.to_act():
        mover = state.mover
        action = (player, other)[mover].action()
        assert action in state.actions(mover), state.text()
        for one in (player, other):
            one.update(COLOURS[mover], action)
        state = state.after({mover: action})


def test_second_stone_of_classic_is_known_where_the_first_is_no_win():
    geometry = kernel_of("classic").geometry
    drawn = {(0, 0), (0, 2), (2, 0)}  # in its quadrant, as seen from the board's corner
    answered = set()
    for position in {play(START, first, geometry) for first in moves(START, geometry)}:
        (number,) = (9 * part + bits.bit_length() - 1 for part, bits in enumerate(position[5:]) if bits)
        row, column = row_and_column(number)
        move = second_stone(position, geometry)
        assert (move is not None) == ((min(row, 5 - row), min(column, 5 - column)) in drawn), position
        if move is None:
            continue
        answered.add(number)
        player = PlayerClassic("black", nodes=1)
        player.position = position
        assert player.action() == notation.to_action(move, geometry)
        after = notation.to_text(play(position, move, geometry))
        white, black = (divmod(after.index(sign), 6) for sign in "wb")
        assert set(white) <= {0, 5}, after
        assert (abs(white[0] - black[0]), abs(white[1] - black[1])) == (1, 2), after
    assert len(answered) == 12
    assert second_stone(START, geometry) is None
    twist = kernel_of("").geometry
    assert all(second_stone(play(START, move, twist), twist) is None for move in moves(START, twist))


def test_every_file_of_data_has_its_row_and_hash():
    readme = (FOLDER / "data" / "README.md").read_text()
    files = sorted((FOLDER / "data").glob("*.npy"))
    assert files
    for file in files:
        row = next((line for line in readme.splitlines() if f"`{file.name}`" in line), "")
        assert hashlib.sha256(file.read_bytes()).hexdigest() in row, f"{file.name} has no row with its hash"


# --- The yardstick ---------------------------------------------------------------------------------


def test_yardstick_plays_legally_and_takes_a_win():
    player = Yardstick("white", nodes=3000)
    state = rules.parse("pentago", "wwww............................bbb. w")
    geometry = kernel_of("").geometry
    player.cells = numpy.array([".wb".index(sign) for sign in state.board], numpy.int8)
    action = player.action()
    assert action in state.actions(0)
    after = play(notation.from_text(state.text()), notation.from_action(action, geometry), geometry)
    assert result(after) == -1


@pytest.mark.parametrize("best_scoring", (False, True))
def test_yardstick_has_a_move_even_without_one_whole_iteration(best_scoring):
    player = Yardstick("white", nodes=50, best_scoring=best_scoring)
    assert player.action() in rules.start("pentago").actions(0)


@pytest.mark.parametrize("variant", VARIANTS[:2])
def test_yardstick_loses_a_game_to_the_agent(variant):
    state = rules.start(name(variant))
    players = Yardstick("white", variant, nodes=2000), Player("black", variant, nodes=8000)
    while state.to_act():
        mover = state.mover
        action = players[mover].action()
        assert action in state.actions(mover), state.text()
        for one in players:
            one.update(COLOURS[mover], action)
        state = state.after({mover: action})
    assert state.outcome()[0] == (0, 1)


@NEEDS_CC
@pytest.mark.parametrize("variant", ["", "classic"])
def test_engine_in_c_judges_and_plays_moves_as_the_kernel_does(variant):
    tables = engine.learned(variant)
    kernel = tables.kernel
    found = numpy.zeros(MOVES, numpy.float32)
    after = numpy.zeros(8, numpy.uint16)
    for seed in range(12):
        lots, position = random.Random(seed), START
        while result(position) is None:
            board = batch(position)
            codes = kernel.codes(board)
            scores = kernel.judge(board, codes, stones(position))
            pointer = engine.pointer(position[1:], numpy.uint16)
            won = engine.library().judged(tables.pointer, pointer, engine.pointer(found, numpy.float32))
            assert bool(won) == kernel.wins(board, codes).any(), position
            if not won:
                kernel.settle(board, codes, scores, stones(position))
                legal = scores[0] > TAKEN
                assert (found[legal] == scores[0, legal]).all() and (found[~legal] < TAKEN).all(), position
            move = lots.choice(moves(position, kernel.geometry))
            position = play(position, move, kernel.geometry)
            if result(position) is None:
                engine.library().child(tables.pointer, pointer, move, engine.pointer(after, numpy.uint16))
                assert tuple(after) == position[1:]


@NEEDS_CC
def test_fixed_partner_finds_the_value_of_three_plies_in_full_width():
    lots, kernel = random.Random(5), engine.counting("").kernel
    for _ in range(4):
        position = random_position(lots, "", 6, 20)
        if plain_wins(position, kernel.geometry):
            continue
        partner = engine.Sparring("white", quick=0)
        partner.position = position
        move = partner.choose()
        assert move in moves(position, kernel.geometry)
        nodes, depth, score = partner.figures[:3]
        assert depth == 3 and nodes > 10
        search = Search(FullWidth(kernel, Threats(kernel)), 3)
        search.best(position)
        assert score == search.score
        partner.quick_seconds = 1000.0
        partner.choose()
        assert partner.figures[1] == 4


@NEEDS_CC
def test_published_approach_in_c_plays_what_the_one_in_python_plays():
    lots = random.Random(3)
    for plies in (0, 5, 12):
        slow, fast = Yardstick("white", nodes=2000), engine.Published("white", nodes=2000)
        for _ in range(plies):
            colour = notation.COLOURS[fast.position[0]]
            action = notation.to_action(lots.choice(moves(fast.position, fast.geometry)), fast.geometry)
            slow.update(colour, action)
            fast.update(colour, action)
        slow.me = fast.position[0]
        assert fast.action() == slow.action()


@NEEDS_CC
@pytest.mark.parametrize("variant, wide", [("", False), ("", True), ("classic", False)])
def test_copy_in_c_comes_to_the_scores_of_the_agents_search(variant, wide):
    kernel, lots = kernel_of(variant), random.Random("copy")
    for count in (4, 9, 16):
        position = random_position(lots, variant, count, count)
        if plain_wins(position, kernel.geometry):
            continue
        one = Tree(kernel, Threats(kernel), wide)
        one.veto_nodes = 100
        search = Search(one, 4)
        search.best(position)
        same = engine.Copy(
            "white", variant, 10**9, 4, leans=False, margin=0, wide=wide, veto_nodes=100, attack_nodes=0
        )  # fmt: skip
        same.position = position
        assert same.choose() == search.move and same.figures[2] == search.score, position


@NEEDS_CC
def test_games_for_deeper_training_come_out_the_same():
    copies = [engine.Copy("white", "", 10**9, 2, leans=False, margin=0) for _ in range(2)]
    one, other = (deep.play_one(copy, random.Random("deep")) for copy in copies)
    assert repr(one) == repr(other) and len(one[0]) == len(one[1]) > 3 and one[2] in (0, 0.5, 1)


@NEEDS_CC
def test_recorded_games_come_out_the_same_and_say_who_won(tmp_path, monkeypatch):
    found = []
    for name in ("one.npz", "other.npz"):
        typed = ["record", str(tmp_path / name), "--games", "5", "--nodes", "100", "--seed", "3"]
        monkeypatch.setattr("sys.argv", typed)
        record.main()
        with numpy.load(tmp_path / name) as stored:
            found.append({name: stored[name] for name in stored.files})
    one, other = found
    assert all((one[name] == other[name]).all() for name in one)
    counts = numpy.array([[bin(part).count("1") for part in board] for board in one["boards"].tolist()]).sum(
        axis=1
    )
    same = one["games"][1:] == one["games"][:-1]
    assert (counts[1:][same] == counts[:-1][same] + 1).all() and same.sum() > 20
    assert (one["labels"][1:][same] == 1 - one["labels"][:-1][same]).all()
    last = numpy.append(~same, True)
    proven = last & (numpy.abs(one["scores"]) > DECIDED)
    assert proven.any() and ((one["scores"] > 0) == (one["labels"] == 1))[proven].all()


def test_fit_aims_at_the_result_through_what_comes_after():
    boards = numpy.zeros((400, 8), int)
    boards[::2, 0], boards[1::2, 0] = 0b111, 0b1111  # two positions a game
    games = numpy.arange(400) // 2
    won = (games % 2).astype(float)
    won[1::2] = 1 - won[1::2]
    strays = (numpy.arange(400) % 2) * (games >= 150)
    data = {"boards": boards, "scores": numpy.zeros(400), "labels": won, "strays": strays, "games": games}
    first, second = fit.aims(data).reshape(-1, 2).T
    assert numpy.allclose(second[:150:2] - second[1:150:2], fit.LATER)  # won, lost
    assert numpy.allclose(first[1:150:2] - first[:150:2], fit.LATER**2)
    # Where the last move was picked by chance nothing is known of it but its score.
    assert len(set(second[150:])) == 1 and 0.2 < second[150] < 0.8


def test_fit_descends_to_the_bottom():
    wanted, steep = numpy.arange(5.0), numpy.array([1, 2, 3, 5, 8.0])
    found = fit.descend(
        lambda at: (float((steep * (at - wanted) ** 2).sum()), 2 * steep * (at - wanted)), numpy.zeros(5)
    )
    assert numpy.allclose(found, wanted, atol=1e-3)


class Scripted:
    """A seat that plays any legal moves and tells these scores."""

    geometry = kernel_of("").geometry

    def __init__(self, scores):
        self.scores = iter(scores)
        self.lots = random.Random("scripted")

    def choose(self):
        self.figures = [0, 0, next(self.scores)]
        return self.lots.choice(moves(self.position, self.geometry))


@pytest.mark.parametrize(
    "scores, kept",
    [
        ([700, 300, -200, 100, 1 - WIN], 300),  # the first within six plies of the defeat
        ([700, -1, -200, 100, 1 - WIN], 100),
        ([700, -1, -2, -3, 1 - WIN], None),  # not good any more when the six plies began
        ([1 - WIN], None),
        ([0, 1 - WIN], 0),
    ],
)
def test_an_overrated_turn_is_good_six_plies_before_the_defeat(scores, kept):
    seats = Scripted([0.0] * 9), Scripted(scores)
    found = overrated.overrated(seats, 1, random.Random(2))
    if kept is None:
        assert found is None
    else:
        position, score, move = found
        assert score == kept and position[0] == 1 and move in moves(position, Scripted.geometry)


@NEEDS_CC
def test_overrated_positions_are_collected_and_judged(tmp_path, monkeypatch, capsys):
    file = str(tmp_path / "overrated.txt")
    for typed in (
        f"collect {file} --positions 2 --nodes 300",
        f"judge {file} copy copy,depth=2 --nodes 300 --judge 600",
    ):
        monkeypatch.setattr("sys.argv", ["overrated.py", *typed.split()])
        overrated.main()
    shown = capsys.readouterr().out.splitlines()
    assert shown[0].startswith("2 positions of ") and shown[1].startswith("2 positions; some player holds ")
    for line in (tmp_path / "overrated.txt").read_text().splitlines():
        position = notation.from_text(line[:38])
        score, *action = (int(word) for word in line[38:].split())
        assert position[0] == 1 and 0 <= score < DECIDED
        assert notation.from_action(action, Scripted.geometry) in moves(position, Scripted.geometry)


@NEEDS_CC
def test_answers_to_a_corner_are_tried_in_games(monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", "second.py --nodes 200 --games 3 --cells 1,2 5,4".split())
    second.main()
    shown = [re.findall(r"\d+", line) for line in capsys.readouterr().out.splitlines()]
    assert [line[:2] for line in shown] == [["1", "2"], ["5", "4"]]
    for _, _, share, won, drawn, lost in (map(int, line) for line in shown):
        assert won + drawn + lost == 3 and share == round(100 * (won + drawn / 2) / 3)
    assert len(second.ANSWERS) == 11  # 17 cells, 5 of them on the diagonal


def test_a_corner_and_its_answer_stand_where_they_should():
    assert notation.to_text(second.two_stones(4, 5)) == "w" + "." * 28 + "b" + "." * 6 + " w"


@NEEDS_CC
@pytest.mark.parametrize("made", [engine.Sparring, engine.Uct, engine.Published, engine.Copy])
def test_opponents_in_c_take_a_win(made):
    opponent = made("white")
    opponent.set_up("wwww..bbb..........................b w")
    state = rules.parse("pentago", "wwww..bbb..........................b w").after({0: opponent.action()})
    assert state.outcome()[0] == (1, 0)


def test_kernel_is_read_only_and_scores_do_not_leak_between_batches():
    kernel = Kernel("", load(Geometry("")))
    board = batch(random_position(random.Random("leak"), "", 10, 10))
    codes = kernel.codes(board)
    first = kernel.judge(board, codes, 10).copy()
    kernel.judge(batch(START), kernel.codes(batch(START)), 0)
    assert (kernel.judge(board, codes, 10) == first).all() and first.min() > 2 * ILLEGAL
    with pytest.raises(ValueError):
        kernel.counts[0, 0] = 1


def test_few_nodes_are_searched_to_the_last_on_a_slow_machine_too():
    """Their share of the course's first action was 30 ms: less than its start took where a core was busy."""
    told = {"nodes": 300, "seed": 5, "action_seconds": 2.0, "first_seconds": 30.0}
    player = Player("white", "classic", **told)
    assert (player.clock.first, player.clock.each) == (30.0, 2.0)
    assert Player("white", action_seconds=0.1, first_seconds=30.0).clock.first == pytest.approx(1.5)
