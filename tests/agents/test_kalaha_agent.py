"""The kalaha agent: its fast board against the referee's rules, its search against known values."""

import gc
import hashlib
import random
import re
from functools import cache

import numpy as np
import pytest

from kalaha_agent import Player, endgames, notation, tree
from kalaha_agent.evaluate import HALVES, by_halves, evaluator, promises
from kalaha_agent.player import ASPIRATION
from kalaha_agent.position import STANDARD, START, UNIT, moves, play
from kalaha_agent.shared.clock import Clock
from kalaha_agent.shared.deepening import Search
from kalaha_agent.train import duels, engine, errors, halves, labels, matches, pairs, solve, tune
from kalaha_agent.train import endgames as worked_out
from kalaha_agent.train.plain import Plain
from kalaha_agent.yardstick import Heuristic1, Yardstick
from referee import rules
from tests.support.compiler import NEEDS_CC
from tests.support.machine import Machine, let_clocks_read
from tests.support.samples import few

# Boards on which the two implementations are compared: small, usual, lopsided and large.
VARIANTS = ("6x6", "4x3", "1x4", "2x9", "3x20", "8x8", "12x12")


def name_of(variant):
    return f"kalaha:{variant}"


def mirrored(line):
    """The same position with the players' names exchanged."""
    turn, *counts = line.split()
    half = len(counts) // 2
    return " ".join([{"A": "B", "B": "A", "F": "F"}[turn], *counts[half:], *counts[:half]])


@pytest.mark.parametrize("variant", VARIANTS)
def test_board_and_rules_agree_on_mover_actions_end_and_result(variant):
    board, start = notation.from_variant(variant)
    walked = 0
    for seed in range(400):
        chance = random.Random(seed)
        state, position = rules.start(name_of(variant)), start
        while True:
            line = state.text()
            where = f"{variant}, seed {seed}: {line}"
            assert notation.to_text(board, position, sum(map(int, line.split()[1:]))) == line, where
            actions = [notation.to_action(move) for move in board.moves(position)]
            assert len(set(actions)) == len(actions), where
            if state.outcome() is not None:
                assert not actions, where
                a, b = state.banks
                assert position[1] == UNIT * (a - b if position[0] == 0 else b - a), where
                break
            assert state.to_act() == (position[0],), where
            assert sorted(actions) == state.actions(position[0]), where
            action = chance.choice(state.actions(position[0]))
            state = state.after({position[0]: action})
            position = notation.follow(board, position, notation.COLOURS[position[0]], action)
            walked += 1
        if walked >= few(1000, 3000):
            return
    assert walked >= few(1000, 3000) or variant in ("1x4",), f"only {walked} positions of {variant}"


def sequences(board, position, length):
    """How many sequences of moves there are; a finished game has no continuation."""
    if length == 0:
        return 1
    return sum(sequences(board, board.play(position, move), length - 1) for move in board.moves(position))


# The counts of the published course framework, one pond a ply.
COUNTS = """
A 6 6 6 6 6 6 0 6 6 6 6 6 6 0       | 6 35 190 1056 5882 32243 177827 962153
A 0 1 2 0 16 14 6 0 4 7 5 1 0 16    | 4 20 103 543 2765 13985
A 1 2 3 1 17 1 8 1 5 8 6 2 1 16     | 6 35 192 988 4986 24473
B 0 8 0 1 0 0 30 1 0 3 0 8 1 20     | 4 13 50 206 817 3337
A 4 3 2 1 0 13 12 0 1 2 3 4 5 22    | 5 21 91 368 1674 7125
"""


@pytest.mark.parametrize("row", COUNTS.strip().splitlines())
def test_sequences_of_moves_are_as_many_as_the_framework_counted(row):
    line, counts = row.split("|")
    for side in (line, mirrored(line)):
        board = notation.board_of(side)
        position = notation.from_text(side, board)
        for length, count in enumerate(map(int, counts.split()), start=1):
            if side == line or count < 50_000:
                assert sequences(board, position, length) == count, f"{side}, length {length}"


def test_the_usual_board_is_what_the_module_offers():
    assert notation.from_text("A 6 6 6 6 6 6 0 6 6 6 6 6 6 0") == START
    assert sorted(moves(START)) == [0, 1, 2, 3, 4, 5]
    assert notation.to_text(STANDARD, play(START, 0)) == "A 0 7 7 7 7 7 1 6 6 6 6 6 6 0"


# The search, on boards small enough to be played to the end

# ponds x pebbles: the final bank difference for the first player, both playing perfectly; by first move.
SOLVED = """
1x1   0 | 1:0
1x2  -2 | 1:-2
1x3   6 | 1:+6
1x4  -2 | 1:-2
2x1   2 | 1:-2 2:+2
2x2  -2 | 1:-4 2:-2
2x3  -2 | 1:-2 2:-4
2x4 -10 | 1:-10 2:-12
3x1   0 | 1:0 2:-4 3:0
3x2   4 | 1:-8 2:+4 3:0
3x3   2 | 1:+2 2:+2 3:-4
3x4   2 | 1:+2 2:-4 3:-10
4x1   2 | 1:0 2:-2 3:-2 4:+2
4x2   6 | 1:-12 2:-10 3:+4 4:+6
4x3   6 | 1:-6 2:+6 3:+2 4:-2
4x4   2 | 1:+2 2:0 3:0 4:-2
5x1   0 |
5x2   2 |
"""
SOLVED_IN_C = """
6x1   2 |
6x2   6 | 1:-14 2:-8 3:-8 4:-14 5:+6 6:0
"""


@NEEDS_CC
@pytest.mark.parametrize("row", SOLVED_IN_C.strip().splitlines())
def test_boards_with_six_ponds_are_solved_by_the_search_in_c(row):
    test_small_boards_and_their_first_moves_are_solved_by_the_agents_own_search(row)


@NEEDS_CC
def test_the_search_in_c_finds_the_same_move_with_the_same_nodes():
    checked = 0
    for seed in range(500, few(504, 520)):
        position, search = matches.opening(seed, 1)[0], Search(tree.Tree(STANDARD), aspiration=ASPIRATION)
        copy = engine.Tree(places=search.tree.table.size)
        while moves(position):
            search.best(position, Clock(nodes=1500))
            account = search.move, search.score, search.depth, search.nodes, search.exact
            if len(moves(position)) > 1:
                assert copy.best(position, 1500) == account, f"seed {seed}: {position}"
                checked += 1
            position = play(position, search.move)
    assert checked > few(50, 300)


@NEEDS_CC
def test_the_duel_command_counts_the_games_of_both_versions(monkeypatch, capsys):
    said = []
    for versions in (["-", "MARGINS="], ["MARGINS=", "-"], ["LATE=3", "-"]):
        monkeypatch.setattr("sys.argv", ["duels", *versions, "--pairs", "20", "--nodes", "300"])
        duels.main()
        counts = re.findall(r"won (\d+), drawn (\d+), lost (\d+)", capsys.readouterr().out)[0]
        said.append([int(count) for count in counts])
    assert said[0] == said[1][::-1] and said[0][0] > said[0][2] and said[2][0] == said[2][2]


ROWS = SOLVED.strip().splitlines()


# That of 4x4 takes twice as long as all others together.
@pytest.mark.parametrize("row", few([row for row in ROWS if not row.startswith("4x4")], ROWS))
def test_small_boards_and_their_first_moves_are_solved_by_the_agents_own_search(row):
    board, firsts = row.split("|")
    variant, worth = board.split()
    assert solve.value(variant)[0] == int(worth)
    wanted = [first.split(":") for first in firsts.split()]
    if wanted:
        assert solve.first_moves(variant) == {int(pond): int(worth) for pond, worth in wanted}


# The tree written out

SIZES = ("6x6", "4x3", "3x5", "1x4", "8x4", "12x12")


@pytest.mark.parametrize("tables", (False, True))
@pytest.mark.parametrize("variant", SIZES)
def test_the_tree_in_one_function_finds_what_its_plain_twin_finds_from_the_same_nodes(
    variant, tables, monkeypatch
):
    monkeypatch.setattr(tree, "FAR_FROM_ENDING", 10**6 if tables else 0)
    board, start = notation.from_variant(variant)
    chance = random.Random(variant)
    compared = 0
    while compared < few(5, 12):
        gc.collect()  # each player has tables, and is part of a cycle
        position = start
        for _ in range(chance.randrange(40)):
            if board.moves(position):
                position = board.play(position, chance.choice(board.moves(position)))
        if not board.moves(position):
            continue
        if compared % 3 == 2:  # with a side that may run dry
            position = starved(board, position, chance)
        compared += 1
        results = []
        for kind in (tree.Tree(board), Plain(board, play=None if tables else board.play)):
            search = Search(kind, deepest=6, aspiration=ASPIRATION)
            search.best(position)
            known = [kind.table.entry(after) for after in replies(board, position)]
            results.append(
                (
                    search.move,
                    search.score,
                    search.scores,
                    search.pv,
                    search.nodes,
                    search.cut_offs,
                    search.first_move_cuts,
                    search.table_hits,
                    search.exact,
                    known,
                )
            )
        assert results[0] == results[1], f"{variant}: {position}"


def starved(board, position, chance):
    """The position with most of one side's pebbles in a pond of the other's."""
    sides = [board.counts(side) for side in position[2:]]
    chance.shuffle(sides)
    poor, rich = sides
    for pond in chance.sample(range(board.ponds), board.ponds - 1):
        if sum(map(bool, poor)) > 1:
            rich[chance.randrange(board.ponds)] += poor[pond]
            poor[pond] = 0
    chance.shuffle(sides)
    return board.position(*position[:2], *sides)


def replies(board, position):
    return [board.play(position, move) for move in board.moves(position)]


# Position, the move that is right, the pebbles that it is worth, nodes that are enough to see that.
STARVED = """
A 0 5 7 2 4 0 11 3 6 1 13 2 13 5 | 4 -9 0 | 200000
A 0 0 8 3 5 1 12 3 6 1 13 2 13 5 | 6 -12 -6 | 250000
B 0 0 8 0 0 3 14 4 7 2 14 2 13 5 | 5 14 14 | 100000
"""


@pytest.mark.parametrize("row", STARVED.strip().splitlines())
def test_a_side_that_runs_dry_against_many_pebbles_is_not_taken_for_good_enough(row):
    text, known, nodes = row.split(" | ")
    right, least, most = map(int, known.split())
    search = Search(tree.Tree(STANDARD), aspiration=ASPIRATION)
    assert search.best(notation.from_text(text), Clock(nodes=int(nodes))) + 1 == right
    assert least <= search.score / UNIT <= most


def test_positions_where_a_side_may_run_dry_are_collected_and_judged_the_same_each_time():
    positions = errors.collected(6, 1, 16, 30)
    assert positions == errors.collected(6, 1, 16, 30)
    for _, _, mine, theirs in positions:
        less, more = sorted((sum(STANDARD.counts(mine)), sum(STANDARD.counts(theirs))))
        assert less <= 16 and more >= 30


@NEEDS_CC
def test_the_largest_errors_are_printed_first_in_lines_that_are_positions(monkeypatch, capsys):
    typed = "errors whole starving --positions 12 --nodes 200 --few 16 --many 30 --worst 3"
    monkeypatch.setattr("sys.argv", typed.split())
    errors.main()
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines[::4]] == ["whole", "starving"]
    for first in (1, 5):
        found = []
        for line in lines[first : first + 3]:
            text, told = line.split("   ")
            move, seen, known = re.fullmatch(r"(\d): ([-+.0-9]+), is ([-+.0-9]+)", told).groups()
            assert int(move) - 1 in moves(notation.from_text(text))
            found.append(abs(float(seen) - float(known)))
        assert found == sorted(found, reverse=True)


@NEEDS_CC
def test_the_longer_search_knows_what_a_won_position_is_worth():
    """The player's own bank has nothing to do with it."""
    position = notation.from_text("B 0 0 8 0 0 3 14 4 7 2 14 2 13 5")
    ponds = STANDARD.counts(position[2]) + STANDARD.counts(position[3])
    assert labels.of_positions([ponds], 400_000).tolist() == [14 * UNIT - position[1]]


def test_the_search_in_one_function_stops_at_the_node_it_is_told():
    for nodes in (1, 7, 50, 333, 5000, 5001):
        player = Player("A", nodes=nodes)
        player.action()
        assert player.search.nodes == nodes


def test_a_first_pond_without_alternative_is_played_at_once():
    player = Player("A", "1x3")
    assert player.action() == 1
    assert player.search.nodes == 0


# The evaluation


def test_a_position_is_worth_its_lead_and_what_each_half_side_promises():
    evaluate = evaluator(promises(STANDARD))
    for seed in range(200):
        chance = random.Random(seed)
        counts = [chance.choice((0, 1, 2, 5, 13, 20, 21, 30)) for _ in range(12)]
        lead = chance.randint(-9, 9)
        wanted = lead * UNIT
        for half in range(4):
            ponds = [min(pebbles, 20) for pebbles in counts[3 * half : 3 * half + 3]]
            wanted += int(HALVES[(half // 2, half % 2, *ponds[::-1])])
        if any(counts[:6]):
            position = (0, lead * UNIT, STANDARD.side(counts[:6]), STANDARD.side(counts[6:]))
            assert evaluate(position) == wanted, f"seed {seed}: {counts}"


def test_the_fit_finds_what_was_put_in():
    chance = np.random.RandomState(5)
    counts = chance.randint(0, 6, (40_000, 12))
    scores = 10 * counts[:, 0] - 7 * counts[:, 11] + 20 * ((counts[:, 3] == 2) & (counts[:, 5] == 1))
    scores = scores + 30 * (counts[:, 6:9] == 1).all(axis=1)
    scores = scores - scores.mean()
    tables, explained = halves.fitted(counts, scores)
    assert explained > 0.999
    evaluate = evaluator(by_halves(np.rint(tables)))
    found = [
        evaluate((0, 0, STANDARD.side(row[:6].tolist()), STANDARD.side(row[6:].tolist())))
        for row in counts[:300]
    ]
    assert abs(found - scores[:300]).max() < 10


@NEEDS_CC
def test_games_change_what_half_sides_promise_a_step_at_a_time(monkeypatch):
    monkeypatch.setattr(tune, "NODES", 100)
    before = pairs.by_twos(np.load(pairs.DATA))
    changes = [tune.tuned(before, before, made=3, seed=seed) for seed in (5, 5, 6)]
    assert (changes[0] == changes[1]).all() and (changes[0] != changes[2]).any() and changes[0].any()
    unit = np.eye(len(tune.WAYS))
    assert (tune.changed(before, 0 * unit[0]) == before).all() and tune.margins(0 * unit[0]) == tune.BEFORE
    moved = tune.changed(before, 5 * unit[-1]) - before
    assert moved.sum(axis=(2, 3, 4)).tolist() == [[5 * 21**3, 0], [0, 0]]
    empty = tune.changed(before, 3 * unit[tune.EMPTY]) - before  # of the mover's near half
    assert empty[0, 0, 1, 0, 0] == 6 and not empty[0, 1].any() and not empty[1].any()
    assert tune.margins(4 * unit[-2])[-1] == tune.BEFORE[-1] + 4


@NEEDS_CC
def test_the_labels_that_the_evaluation_was_fitted_to_come_out_the_same():
    """The first of 445 053 from the search in C, and of 322 520 from what its numbers came from."""
    found = halves.labels(pairs.by_twos(np.load(pairs.DATA)), 11, 100), labels.of_games(2, pairs.SEEDS[:1])
    digests = [
        hashlib.sha256(ponds.astype("i1").tobytes() + scores.astype("<i2").tobytes()).hexdigest()[:16]
        for ponds, scores in found
    ]
    assert digests == ["049d89e6032b3809", "257a2fc5ecbb9e2c"]


# The endgames

# left: positions, v > 0, v = 0, v < 0, sum of v, sum of |v|; found by two independent solvers.
LAYERS = """
2 36 9 21 6 6 30
3 252 152 0 100 102 414
4 1113 513 311 289 676 2152
5 3864 2364 0 1500 3060 9632
6 11452 5891 2304 3257 11102 31410
7 30240 18873 0 11367 34284 95878
8 73008 39789 11775 21444 93800 247512
9 163956 103564 0 60392 233760 615608
10 346710 193382 50736 102592 539312 1370164
11 696696 441171 0 255525 1167782 2989180
"""


def test_rules_of_thumb_are_wrong_as_often_as_they_were_counted():
    """With up to 11 pebbles left and a choice: playing pond 6 when it holds one, and taking an extra turn."""
    sixth = sixth_wrong = extra = extra_wrong = 0
    sides = [(STANDARD.side(list(counts)), sum(counts)) for counts in endgames.sides(11)]
    for mine, own in sides:
        if not own:
            continue
        ponds = moves((0, 0, mine, 1))
        if len(ponds) < 2:
            continue
        counts = STANDARD.counts(mine)
        single = counts[5] == 1
        ahead = [pond for pond in ponds if counts[pond] == 6 - pond]
        if not ahead:
            continue
        for theirs, other in sides:
            if own + other > 11:
                break
            if not other:
                continue
            best = UNIT * endgames.gain(mine, theirs)
            worths = {}
            for pond in ahead:
                mover, lead, ours, others = play((0, 0, mine, theirs), pond)
                worth = lead + UNIT * endgames.gain(ours, others)
                worths[pond] = worth if mover == 0 else -worth
            extra += 1
            extra_wrong += max(worths.values()) < best
            if single:
                sixth += 1
                sixth_wrong += worths[5] < best
    assert (sixth_wrong, sixth) == (2931, 341706)
    assert (extra_wrong, extra) == (27639, 533955)


@pytest.fixture(scope="module")
def rebuilt():
    return worked_out.built(endgames.MOST)


def test_the_file_of_endings_is_rebuilt_byte_for_byte(rebuilt):
    stored = np.load(worked_out.DATA)
    assert np.array_equal(stored, rebuilt.packed())


@pytest.mark.parametrize("row", LAYERS.strip().splitlines())
def test_endings_have_the_known_sums(rebuilt, row):
    left, *known = map(int, row.split())
    mine, theirs = rebuilt.all_with(left)
    running = (rebuilt.pebbles[mine] > 0) & (rebuilt.pebbles[theirs] > 0)
    values = rebuilt.values[rebuilt.at(mine[running], theirs[running])].astype(int)
    signs = [(values > 0).sum(), (values == 0).sum(), (values < 0).sum()]
    assert [len(values), *signs, values.sum(), abs(values).sum()] == known


def test_endings_agree_with_full_search_by_the_referees_rules():
    assert worked_out.check(samples=few(4, 12), seed=5) == 0, "seed 5"


@cache
def perfect(mine, theirs):
    """What the mover gains on the other from here on, by full search over plain tuples of six ponds."""
    if not any(mine) or not any(theirs):
        return sum(mine) - sum(theirs)
    return max(after(mine, theirs, pond) for pond in range(6) if mine[pond])


def after(mine, theirs, pond):
    """What the mover gains with one move and perfect play from there on."""
    ring = [*mine, 0, *theirs]
    hand, ring[pond], place = ring[pond], 0, pond
    for _ in range(hand):
        place = (place + 1) % 13
        ring[place] += 1
    if place < 6 and ring[place] == 1 and ring[12 - place]:
        ring[6] += 1 + ring[12 - place]
        ring[place] = ring[12 - place] = 0
    own, other = tuple(ring[:6]), tuple(ring[7:])
    if place == 6:
        return ring[6] + perfect(own, other)
    return ring[6] - perfect(other, own)


def test_no_half_point_is_lost_in_endings():
    chance = random.Random(200)
    player = Player("A", nodes=300)
    for number in range(few(60, 200)):
        ponds = [0] * 12
        for _ in range(chance.randint(2, endgames.MOST)):
            ponds[chance.randrange(12)] += 1
        mine, theirs = tuple(ponds[:6]), tuple(ponds[6:])
        if not any(mine) or not any(theirs):
            continue
        bank = 72 - sum(ponds)
        player.set_up("A " + " ".join(map(str, [*mine, bank - bank // 2, *theirs, bank // 2])))
        action = player.action()
        assert after(mine, theirs, action - 1) == perfect(mine, theirs), f"seed 200, {number}: {ponds}"
    perfect.cache_clear()


def test_a_forced_first_action_leaves_its_longer_time_to_no_other(monkeypatch):
    machine = Machine(1e-5)
    let_clocks_read(monkeypatch, machine, "kalaha_agent.shared")
    player = Player("A", seconds=0.1, first_seconds=3.0)
    player.set_up("A 0 0 0 0 3 0 0 6 6 6 6 6 6 33")
    assert player.action() == 5
    player.set_up("A 6 6 6 6 6 6 0 6 6 6 6 6 6 0")
    assert machine.takes(player.action) < 0.1


ONE_POND_A_SIDE = "A 500000 0 500000 0"


@pytest.mark.parametrize("variant, line", [("50x50", ""), ("1x1", ONE_POND_A_SIDE), ("100x1000", "")])
def test_the_largest_boards_take_a_fraction_of_an_actions_second_to_make(variant, line):
    def made():
        player = Player("A", variant, nodes=20)
        if line:
            player.set_up(line)
        return player

    player, taken = Machine().run(made)
    assert taken < 0.5
    state = rules.parse(name_of(variant), line) if line else rules.start(name_of(variant))
    for _ in range(4):
        action = player.action()
        assert action in state.actions(state.mover)
        player.update(state.COLOURS[state.mover], action)
        state = state.after({state.mover: action})


def test_every_file_of_data_has_a_row_with_its_hash():
    rows = (worked_out.DATA.parent / "README.md").read_text()
    files = sorted(worked_out.DATA.parent.glob("*.npy"))
    assert [file.name for file in files] == ["endgames.npy", "halves.npy"]
    for file in files:
        assert hashlib.sha256(file.read_bytes()).hexdigest() in rows, f"{file.name} has no row with its hash"


# The yardstick


def test_the_yardsticks_book_and_its_rule_about_pond_six():
    player = Heuristic1("A", nodes=1000)
    assert player.action() == 1
    player.update("A", 1)
    assert player.action() == 3
    player.position = notation.from_text("A 3 3 3 3 3 1 10 3 3 3 3 3 3 10")
    assert player.action() == 6


def test_the_yardsticks_pruning_changes_no_value():
    for seed in range(10):
        chance = random.Random(seed)
        position = START
        for _ in range(chance.randint(2, 20)):
            position = play(position, chance.choice(moves(position)))
        chosen = []
        for pruning in (True, False):
            player = Yardstick("A", book=False, pruning=pruning, nodes=10**9, deepest=4)
            player.position = position
            chosen.append((player.choose(), player.depth))
        assert chosen[0] == chosen[1], f"seed {seed}"
