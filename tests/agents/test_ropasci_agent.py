"""The RoPaSci agent: its board against the rules, its matrices against single cells, its promises."""

import gzip
import itertools
import json
import random
from collections import namedtuple

import numpy as np
import pytest

from referee import rules
from ropasci_agent import Player, notation, payoffs, position, tree
from ropasci_agent import evaluate as evaluation
from ropasci_agent.habits import (
    CERTAIN,
    CONVINCED,
    CREDIT,
    FEATURE,
    IMAGINED,
    LEAST_TAKEN,
    MOST,
    PATIENCE,
    SURE,
    Habits,
    captures_freely,
    features,
)
from ropasci_agent.player import BOLD
from ropasci_agent.position import (
    FIRST_STEP,
    MAX_TURNS,
    START,
    hopeless,
    lead,
    material,
    moves,
    moves_of,
    play,
    result,
)
from ropasci_agent.shared.deepening import Search
from ropasci_agent.shared.matrix import solve
from ropasci_agent.train import (
    cascade,
    conversions,
    engine,
    exploiter,
    hiders,
    leads,
    matches,
    onestage,
    passive,
)
from ropasci_agent.yardstick import Yardstick
from tests import ROOT
from tests.support.agents import faults_are
from tests.support.compiler import NEEDS_CC
from tests.support.machine import Machine, let_clocks_read
from tests.support.samples import few

CORPUS = ROOT / "tests" / "records" / "ropasci" / "tournament_2021.jsonl.gz"


def recorded_games():
    with gzip.open(CORPUS, "rt") as lines:
        return [json.loads(line) for line in lines]


def walk(seed, throws=0.3):
    """A random game's positions, each with the pair of moves that was played in it."""
    generator = random.Random(seed)
    here = START
    while result(here) is None:
        pair = []
        for legal in moves(here):
            steps = [move for move in legal if move >= FIRST_STEP]
            pair.append(generator.choice(steps if steps and generator.random() > throws else legal))
        yield here, tuple(pair)
        here = play(here, pair)
    yield here, None


def as_actions(legal):
    return {notation.to_action(move) for move in legal}


# --- the board against the rules ----------------------------------------------------------------


def test_the_board_agrees_with_the_rules_in_over_3000_positions_of_random_games():
    seen = kinds = 0
    ends = set()
    seed = 0
    while seen < 3000:
        seed += 1
        state = rules.start("ropasci")
        for here, pair in walk(seed, throws=(0.1, 0.3, 0.8)[seed % 3]):
            seen += 1
            assert notation.from_text(state.text()) == here, f"seed {seed}: {state.text()}"
            outcome = state.outcome()
            if outcome and "3rd time" in outcome[1]:
                break  # the board alone does not know the past
            legal = moves(here)
            for player in (0, 1):
                actions = state.actions(player)
                assert as_actions(legal[player]) == set(actions), f"seed {seed}: {state.text()}"
                assert len(legal[player]) == len(actions), f"seed {seed}: {state.text()} has a move twice"
            assert result(here) == (outcome[0][0] if outcome else None), f"seed {seed}: {state.text()}"
            if pair is None:
                ends.add(outcome[1])
                break
            kinds |= 1 << sum(move < FIRST_STEP for move in pair)
            state = state.after({player: notation.to_action(pair[player]) for player in (0, 1)})
    assert kinds == 7, "two throws, one and none in a turn"
    assert len(ends) >= 3, ends


def test_a_long_game_ends_after_360_turns():
    state = rules.parse("ropasci", "359 1/1 (4,-2):R (-4,2):r")
    here = notation.from_text(state.text())
    pair = [legal[-1] for legal in moves(here)]
    after = state.after({player: notation.to_action(pair[player]) for player in (0, 1)})
    assert after.outcome()[0][0] == result(play(here, pair)) == 0.5
    assert moves(play(here, pair)) == ([], [])


def test_the_recorded_games_have_the_published_counts_of_actions_and_results():
    turns, sums, product, largest = 0, [0, 0], 0, 0
    results = {"winner: upper": 1.0, "winner: lower": 0.0, "draw: both players have an invincible token": 0.5}
    decided = 0
    for game in recorded_games():
        here = START
        for pair in game["actions"]:
            counts = [len(moves_of(here, player)) for player in (0, 1)]
            turns += 1
            sums = [total + count for total, count in zip(sums, counts, strict=True)]
            product += counts[0] * counts[1]
            largest = max(largest, counts[0] * counts[1])
            assert result(here) is None, game["id"]
            here = play(here, [notation.to_move(action) for action in pair])
        if game["result"] in results:
            assert result(here) == results[game["result"]], game["id"]
            decided += 1
        else:
            assert result(here) is None, game["id"]
    assert (turns, *sums, product, largest) == (16844, 1634283, 1715712, 175974535, 52875)
    assert decided == 47 + 76 + 15


def test_the_hexes_turn_into_each_other_by_half_a_turn():
    for number, (r, q) in enumerate(position.HEXES):
        assert position.HEXES[60 - number] == (-r, -q)
    assert [len(position.ZONES[1][thrown]) for thrown in range(9)] == [5, 11, 18, 26, 35, 43, 50, 56, 61]


# --- notation ----------------------------------------------------------------------------------

Hex = namedtuple("Hex", "r q")


class Word(str):
    """A word of an action as an Enum has it: equal to the plain one, but with another str()."""

    def __str__(self):
        return f"Word.{self[:]}"


@pytest.mark.parametrize(
    "dressed, plain",
    [
        (["THROW", "p", [4, -2]], ("THROW", "p", (4, -2))),
        (("SLIDE", Hex(0, 0), Hex(0, 1)), ("SLIDE", (0, 0), (0, 1))),
        (("SWING", (0.0, 0.0), (np.float64(1), 1.0)), ("SWING", (0, 0), (1, 1))),
        ((np.str_("THROW"), np.str_("s"), np.array([-4, 0])), ("THROW", "s", (-4, 0))),
        (("SLIDE", (np.int64(1), np.int8(-1)), (False, 0)), ("SLIDE", (1, -1), (0, 0))),
        ((Word("THROW"), Word("p"), (4, -2)), ("THROW", "p", (4, -2))),
    ],
)
def test_actions_are_understood_in_any_dress_and_given_plainly(dressed, plain):
    action = notation.to_action(notation.to_move(dressed))
    assert action == plain
    assert [type(part) for part in action] == [type(part) for part in plain]
    assert all(type(number) is int for part in action if isinstance(part, tuple) for number in part)


# --- matrices ----------------------------------------------------------------------------------


def assert_matrix_is_right(here, generator, cells, message):
    stage = payoffs.stage(here, with_keys=True)
    assert stage.moves == (moves_of(here, 0), moves_of(here, 1))
    assert stage.values.shape == stage.keys.shape == (len(stage.moves[0]), len(stage.moves[1]))
    every = [(row, column) for row in range(len(stage.moves[0])) for column in range(len(stage.moves[1]))]
    for row, column in every if cells is None else generator.sample(every, min(cells, len(every))):
        after = play(here, (stage.moves[0][row], stage.moves[1][column]))
        assert stage.values[row, column] == pytest.approx(evaluation.evaluate(after), abs=1e-9), message
        assert stage.keys[row, column] == payoffs.state_key(after), message


def test_matrices_equal_the_evaluation_of_every_position_behind_them():
    generator = random.Random(5)
    for seed in range(60):
        for here, pair in walk(seed, throws=(0.1, 0.4, 0.9)[seed % 3]):
            if pair and generator.random() < few(0.02, 0.08):
                assert_matrix_is_right(here, generator, 30, f"seed {seed}: {here}")
                late = (359,) + here[1:]
                assert_matrix_is_right(late, generator, 5, f"seed {seed}, turn 359: {here}")


CROWDED = [
    # The battles of the course's rules: passing, dodging, three symbols on a hex, own tokens killed.
    "9 5/5 (0,0):R (0,1):s",
    "9 9/9 (0,0):R (0,1):s (-1,2):p (-1,1):r (1,0):R",
    "9 5/5 (0,1):Rr (1,1):S (-1,1):p",
    "9 9/9 (3,0):R (3,1):S (-3,0):pp (-3,1):s",
    "9 9/9 (0,0):RRrr (0,1):S (1,-1):PP (-1,0):p (-2,1):s",
    "9 9/9 (0,0):R (1,0):P (0,1):s (-1,1):r",
]


@pytest.mark.parametrize("line", CROWDED)
def test_matrices_of_crowded_boards_are_right_in_every_cell(line):
    here = notation.from_text(line)
    moved = len(moves_of(here, 0)) * len(moves_of(here, 1))
    assert_matrix_is_right(here, random.Random(1), few(1000, None if moved < 1000 else 3000), line)


def test_one_who_is_far_ahead_has_not_yet_won_and_less_so_when_few_turns_are_left():
    line = "{} {}/8 (0,0):R (2,0):P (-2,0):p"
    values = [evaluation.evaluate(notation.from_text(line.format(turns, 3))) for turns in (60, 100, 300, 359)]
    assert 1.0 > values[0] == values[1] > values[2] > values[3] > 0.0, values
    throws = [evaluation.evaluate(notation.from_text(line.format(200, thrown))) for thrown in range(8)]
    assert np.diff(throws).max() < -0.002, "what can be won still counts"


def test_one_whom_nothing_can_beat_any_more_does_not_lose_and_who_can_only_draw_does_not_win():
    safe, beaten = "90 9/8 (0,0):RRRRR (3,0):SS (-3,0):p", "90 9/8 (0,0):RRRRR (3,0):RR (-3,0):p"
    values = [evaluation.evaluate(notation.from_text(line)) for line in (safe, beaten)]
    assert values[0] > 0.5 > 0.0 > values[1] > -1.0
    behind = [notation.from_text(line.replace("RRRR", "")) for line in (safe, beaten)]
    assert evaluation.evaluate(behind[1]) < min(0.0, evaluation.evaluate(behind[0]))


def test_no_token_more_is_better_for_the_enemy_who_can_throw_no_more():
    """As it was with four rocks before two papers: each of them counted as hunted."""
    odds = evaluation.DEFAULT.material
    tokens = [one for one in itertools.product(range(5), repeat=3) if 0 < sum(one) < 7]
    dice = random.Random(8)
    compared = 0
    while compared < 2000:
        mine, theirs, thrown, symbol = (
            dice.choice(tokens),
            dice.choice(tokens),
            dice.randint(7, 9),
            dice.randrange(3),
        )
        more = tuple(number + (place == symbol) for place, number in enumerate(theirs))
        found = [odds(evaluation.pack(mine + one + (thrown, 9))) for one in (theirs, more)]
        if all(share == 1.0 for _, share, _ in found):
            compared += 1
            assert found[1][0] < found[0][0], (mine, theirs, thrown, symbol)


def test_the_evaluation_is_the_other_way_round_for_the_other_player():
    def turned(here):
        return (here[0], here[2], here[1]) + tuple(
            sum((tokens >> 4 * h & 15) << 4 * (60 - h) for h in range(61)) for tokens in here[6:] + here[3:6]
        )

    for seed in range(12):
        for here, _ in walk(seed):
            value = evaluation.evaluate(here)
            other = evaluation.evaluate(turned(here))
            assert other == pytest.approx(-value, abs=1e-9), f"seed {seed}: {here}"


def test_a_full_width_matrix_is_filled_and_solved_in_some_thousand_calls():
    middle = [here for game in recorded_games()[:60] for here in positions_of(game)[20:60:13]]
    sizes = [len(moves_of(here, 0)) * len(moves_of(here, 1)) for here in middle]
    typical = [here for here, size in zip(middle, sizes, strict=True) if 5000 <= size <= 20000][:40]
    assert len(typical) >= 20
    calls = [Machine(1).takes(lambda: solve(payoffs.stage(here).values)) for here in typical]  # noqa: B023
    assert sum(calls) / len(calls) < 8000, calls


def positions_of(game):
    here, found = START, []
    for pair in game["actions"]:
        found.append(here)
        here = play(here, [notation.to_move(action) for action in pair])
    return found


def test_a_long_quiet_time_makes_throws_cheaper_hunters_dearer_and_places_to_be_thrown_at_free():
    patient = evaluation.DEFAULT
    assert patient.after(0) is patient.after(4) is patient
    late = patient.after(20)
    assert late is patient.after(300) is not patient.after(10)
    assert np.allclose(np.diff(late.weights["throws"]), 1.0)
    assert np.allclose(late.pairs, evaluation.PURSUIT * patient.pairs)
    assert patient.widens.any() and not late.widens.any()
    generator = random.Random(6)
    for here in positions_of(recorded_games()[3])[10:40:6]:
        stage = payoffs.stage(here, late)
        for _ in range(20):
            row, column = (generator.randrange(len(moves)) for moves in stage.moves)
            after = play(here, (stage.moves[0][row], stage.moves[1][column]))
            assert stage.values[row, column] == pytest.approx(late.evaluate(after), abs=1e-9)


def test_hunters_that_surround_their_prey_capture_it():
    line = "100 3/8 (4,-1):r (4,0):S (3,0):rr (3,1):rr (0,4):R (-1,1):p"
    here = notation.from_text(line)
    ours = Player("lower", nodes=8, seed=1)
    ours.set_up(line)
    ours.quiet = 70
    ours.tree.habits.merit = 2.0 * CERTAIN
    ours.action()
    assert evaluation.crowd(material(here), 1) == 5 and evaluation.crowd(material(here), 0) == 1
    around, alone = ours.tree.evaluation, evaluation.DEFAULT.after(70)
    assert around is evaluation.DEFAULT.after(70, hunters=5) is not alone
    assert np.allclose(around.pairs, evaluation.DEFAULT.pairs), "each is worth less by the square"
    taken = play(
        here, (notation.to_move(("SLIDE", (0, 4), (0, 3))), notation.to_move(("SLIDE", (3, 0), (4, 0))))
    )
    stood = play(
        here, (notation.to_move(("SLIDE", (0, 4), (0, 3))), notation.to_move(("SLIDE", (-1, 1), (-1, 0))))
    )
    assert around.evaluate(taken) < around.evaluate(stood), "a capture is worth more than to stand by"
    assert alone.evaluate(taken) > alone.evaluate(stood), "as it was not"


@pytest.mark.parametrize("stages", (1, 2))
@pytest.mark.parametrize(
    "throws, more", (("4/4", 1), ("9/9", 1), ("4/3", 0), ("9/1", 1), ("8/0", 1), ("7/0", 0))
)
def test_one_stage_more_is_looked_at_when_few_throws_are_left(stages, throws, more):
    ours = Player("upper", nodes=200, seed=1, stages=stages)
    ours.set_up(f"60 {throws} (0,0):R (-3,0):s (3,-2):S (1,2):r")
    ours.action()
    assert ours.search.deepest == stages + more


def test_a_lead_is_pressed_after_quiet_turns_and_a_loss_by_that_asks_for_a_larger_one():
    ours = Player("upper", nodes=2, seed=1)
    line = "60 9/8 (0,0):R (3,0):P (3,1):S (-3,0):s"
    ours.set_up(line)
    ours.quiet = 20
    ours.action()
    assert ours.tree.evaluation is evaluation.DEFAULT.after(20)
    ours.update(("THROW", "p", (0, 0)), ("SLIDE", (3, 0), (3, -1)))  # a token of ours is lost
    assert (ours.quiet, ours.pressing) == (0, 2)
    ours.set_up(line)
    ours.quiet = 20
    ours.action()
    ours.update(("SLIDE", (-3, 0), (-3, 1)), ("SLIDE", (0, 0), (0, 1)))
    assert (ours.quiet, ours.pressing) == (21, 2)
    ours.set_up("60 9/8 (-3,1):R (3,0):P (3,1):S (-3,0):s (-4,4):p")
    ours.action()
    ours.update(("SLIDE", (-4, 4), (-3, 3)), ("SLIDE", (-3, 1), (-3, 0)))  # one of theirs is
    assert (ours.quiet, ours.pressing) == (10, 2), "a lead of one is not pressed any more"


@pytest.mark.parametrize(
    "line, gain, asked, quiet, presses",
    [
        ("60 9/8 (0,0):R (3,0):P (3,1):S (-3,0):s", 0.0, 2, 29, False),
        ("60 9/8 (0,0):R (3,0):P (3,1):S (-3,0):s", 0.0, 2, 30, True),
        ("60 9/8 (0,0):R (3,0):P (-3,0):s", 0.0, 1, 300, False),
        ("60 9/8 (0,0):R (3,0):P (-3,0):s", 0.0, 0, 20, True),
        ("60 9/8 (0,0):R (-3,0):s", 0.0, 0, 300, False),
        ("60 9/8 (0,0):R (3,0):P (-3,0):s", 0.1, 1, 29, False),
        ("60 9/8 (0,0):R (3,0):P (-3,0):s", 0.1, 1, 30, True),
        ("60 9/7 (0,0):R (-3,0):s", 0.1, 1, 89, False),
        ("60 9/7 (0,0):R (-3,0):s", 0.1, 1, 90, True),
        ("60 9/4 (0,0):R (-3,0):s", 0.1, 1, 300, False),
    ],
)
def test_a_lead_is_tried_again_after_30_quiet_turns_and_less_is_pressed_if_it_paid_or_moves_can_be_foretold(
    line, gain, asked, quiet, presses
):
    ours = Player("upper", nodes=2, seed=1)
    ours.set_up(line)
    ours.quiet, ours.pressing = quiet, asked
    ours.tree.habits.merit, ours.tree.habits.gain = CONVINCED, gain
    ours.action()
    assert (ours.tree.evaluation is evaluation.DEFAULT) is not presses


# --- thinking ----------------------------------------------------------------------------------


def two_stages(here, player, evaluate=evaluation.DEFAULT):
    """The plain twin of a second stage: behind every cell of the matrix the game of one stage more."""
    first = payoffs.stage(here, evaluate)
    values = first.values.copy()
    for row, mine in enumerate(first.moves[0]):
        for column, theirs in enumerate(first.moves[1]):
            after = play(here, (mine, theirs))
            if result(after) is None:
                values[row, column] = solve(payoffs.stage(after, evaluate).values).value
    return values if player == 0 else -values.T


def test_cells_looked_behind_hold_the_value_of_the_stage_behind_them():
    lines = ("40 9/9 (0,0):R (1,1):P (0,2):s (-2,1):r", "40 9/9 (0,0):R (2,-1):S (0,1):s (-1,0):p (-2,1):r")
    for player, line in enumerate(lines):
        here = notation.from_text(line)
        plain = two_stages(here, player)
        looked = tree.Tree(player)
        answer = Search(looked, deepest=2).best(here)
        matrix = looked.matrix
        assert matrix.known.any()
        assert np.allclose(matrix.values[matrix.known], plain[matrix.known])
        carried = np.outer(answer.row, answer.column) >= tree.CARRIES
        assert matrix.known[carried].all(), f"{line}: the answer stands on a cell not looked behind"


@pytest.mark.parametrize("player", (0, 1))
def test_behind_the_first_stage_the_answers_are_to_forecasts_as_well_as_far_as_they_are_trusted(player):
    here = notation.from_text("40 9/9 (0,0):R (1,1):P (0,2):s (-2,1):r")
    looked = tree.Tree(player, forecasts=True)
    looked.habits.merit, looked.habits.gain = CONVINCED, PATIENCE / 2
    Search(looked, deepest=2).best(here)
    weight, matrix = MOST / 2, looked.matrix
    known = list(zip(*np.nonzero(matrix.known), strict=True))
    assert looked.behind == pytest.approx(weight) and looked.trusted == pytest.approx(MOST)
    assert len(known) > 5
    plain = two_stages(here, player)
    for cell in known:
        assert matrix.plain[cell] == pytest.approx(plain[cell], abs=1e-8), cell
        after = matrix.child(*cell)
        if result(after) is None:
            behind = tree.Matrix(after, player, evaluation.DEFAULT, with_still=True)
            move = matrix.moves[1][cell[1]]
            expected = looked.habits.forecast_after(move, behind, behind.answer())
            assert matrix.values[cell] == pytest.approx(behind.answer(expected, weight).value), cell
    assert (matrix.values[matrix.known] != matrix.plain[matrix.known]).any()


def test_what_answers_to_forecasts_cost_is_reckoned_without_believing_them():
    here = notation.from_text("40 9/9 (0,0):R (1,1):P (0,2):s (-2,1):r")
    looked = tree.Tree(0, forecasts=True)
    looked.habits.merit = CONVINCED
    played = Search(looked, deepest=2).best(here)
    looked.habits.weigh(looked.matrix, played)
    plain = looked.matrix.plain
    equilibrium = solve(np.round(plain, 9))
    expected = np.einsum("i,ij->j", played.row - equilibrium.row, plain)
    assert np.allclose(looked.habits.stakes, expected)
    assert np.einsum("j,j", looked.habits.stakes, equilibrium.column) < 1e-6, "an equilibrium punishes them"


def test_what_was_not_played_earns_less_trust_and_trust_that_was_lost_can_come_back():
    here = notation.from_text("40 7/7 (0,0):R (1,1):P (0,2):s (-2,1):r")
    looked = tree.Tree(0, forecasts=True)
    Search(looked, deepest=2).best(here)
    habits, matrix = looked.habits, looked.matrix
    gains = []
    for column in range(len(habits.moves)):
        habits.shares = np.eye(len(habits.moves))[column]
        bold = matrix.answer(habits.shares, MOST, matrix.plain)
        habits.weigh(matrix, bold)
        played = habits.stakes
        habits.weigh(matrix, None)
        assert np.allclose(habits.stakes, np.where(played > 0.0, IMAGINED * played, played))
        gains.append(played)
    assert max(map(np.max, gains)) > 0.1 and min(map(np.min, gains)) < -0.1
    for stake, gain in ((-0.05, -CREDIT), (0.05, CREDIT)):
        for _ in range(20):
            habits.forecast(matrix, bold)
            habits.stakes = np.full(len(habits.moves), stake)
            habits.learn(habits.moves[0])
        assert habits.gain == gain


def test_whose_moves_are_told_too_well_for_a_mix_is_answered_whatever_that_seems_to_cost():
    habits = Habits()
    habits.gain = -CREDIT
    for merit, sure in ((CONVINCED, 0.0), (CERTAIN, 0.0), (1.25 * CERTAIN, 0.5), (9.0 * CERTAIN, 1.0)):
        habits.merit = merit
        assert habits.trust() == pytest.approx((MOST + SURE * sure) * sure) and habits.secured() == sure
    assert habits.boldness() == pytest.approx(MOST + SURE)


def test_what_is_free_is_expected_to_be_taken_as_often_as_it_was_whatever_quiet_turns_have_taught():
    here = notation.from_text("40 3/3 (-1,0):R (3,0):P (-4,2):s")  # none can capture a p thrown onto R
    matrix = tree.Matrix(here, 0, evaluation.DEFAULT, with_still=True)
    takes = matrix.moves[1].index(notation.to_move(("THROW", "p", (-1, 0))))
    waits = matrix.moves[1].index(notation.to_move(("SLIDE", (-4, 2), (-4, 1))))
    habits = Habits()
    habits.weights[FEATURE["throw"]] = -30.0  # never seen in a hundred turns
    shares = habits.forecast(matrix, matrix.answer())
    seen = features(matrix, matrix.answer(), None)
    free = captures_freely(seen)
    assert free[takes] and not free[waits] and shares.sum() == pytest.approx(1.0)
    assert shares[free].sum() == pytest.approx(LEAST_TAKEN / 2) and shares[takes] > 0.1
    for turn in range(8):
        habits.forecast(matrix, matrix.answer())
        habits.learn(matrix.moves[1][waits])
        assert (habits.taken, habits.free) == (1, 3 + turn)
    shares = habits.forecast(matrix, matrix.answer())
    assert shares[free].sum() == pytest.approx(LEAST_TAKEN / 10)
    habits.learn(matrix.moves[1][takes])
    assert (habits.taken, habits.free) == (2, 11)
    nothing = tree.Matrix(
        notation.from_text("40 9/9 (4,0):R (3,0):P (-4,2):s"), 0, evaluation.DEFAULT, with_still=True
    )
    shares = habits.forecast(nothing, nothing.answer())
    assert shares.sum() == pytest.approx(1.0) and not captures_freely(habits.features).any()
    habits.learn(nothing.moves[1][0])
    assert (habits.taken, habits.free) == (2, 11)


@pytest.mark.parametrize("player", (0, 1))
def test_no_reply_takes_more_than_the_bound_from_an_answer_until_answers_have_paid(player):
    here = notation.from_text("40 7/7 (0,0):R (1,1):P (0,2):s (-2,1):r")
    here = matches.turned(here) if player else here
    looked = tree.Tree(player, forecasts=True)
    looked.habits.merit = CONVINCED
    answer = Search(looked, deepest=2).best(here)
    plain = looked.matrix.plain
    for merit, bound in ((CERTAIN, tree.BOUND), (CERTAIN / 2, tree.LEAST_BOUND)):
        looked.habits.merit, looked.habits.gain, looked.trusted = merit, 0.0, MOST
        worst = solve(np.round(plain, 9)).value - bound - 1e-6
        assert (answer.row @ plain).min() < worst, "a position in which the answer is rash"
        assert (looked.bounded(answer).row @ plain).min() >= worst and looked.trusted < MOST
        looked.trusted, looked.habits.gain = MOST, PATIENCE
        assert (looked.bounded(answer) is answer) == (looked.trusted == MOST) == (merit == CERTAIN)


def test_a_draw_costs_more_against_one_who_can_be_foretold():
    ours = Player("upper", nodes=2, seed=1)
    ours.set_up("60 9/8 (0,0):R (3,0):P (-3,0):s")
    ours.action()
    assert ours.tree.matrix.contempt == tree.CONTEMPT
    ours.tree.habits.merit = CONVINCED
    ours.action()
    assert ours.tree.matrix.contempt == tree.CONTEMPT, "answers to forecasts have not gained anything yet"
    ours.tree.habits.gain = PATIENCE
    ours.action()
    assert ours.tree.matrix.contempt == pytest.approx(tree.CONTEMPT + BOLD * MOST)


@pytest.mark.parametrize("forecasts", (False, True))
def test_no_matrix_is_solved_again_before_anything_in_it_has_changed(forecasts, monkeypatch):
    solved = []
    monkeypatch.setattr(tree, "solve", lambda values: solved.append(values.tobytes()) or solve(values))
    here = notation.from_text("40 9/9 (0,0):R (1,1):P (0,2):s (-2,1):r")
    Search(tree.Tree(forecasts=forecasts), deepest=2).best(here)
    assert len(solved) > 5 and all(one != after for one, after in zip(solved, solved[1:], strict=False))


@pytest.mark.parametrize("player", (0, 1))
def test_the_answer_also_stands_against_the_best_replies_looked_behind(player):
    here = notation.from_text("40 7/7 (0,0):R (1,1):P (0,2):s (-2,1):r")
    looked = tree.Tree(player, replies=5)
    answer = Search(looked, deepest=2).best(here)
    losses = np.einsum("i,ij->j", answer.row, looked.matrix.values)
    for column in np.argsort(np.round(losses, 9), kind="stable")[:5]:
        assert looked.matrix.known[answer.row >= tree.PLAYED, column].all(), column
    without = tree.Tree(player, replies=0)
    Search(without, deepest=2).best(here)
    assert without.matrix.known.sum() < looked.matrix.known.sum()


def test_a_state_that_was_there_twice_is_a_draw_and_one_that_was_there_once_half_as_good():
    here = notation.from_text("40 9/9 (0,0):R (2,0):PP (-1,2):s (-3,0):r")
    plain = tree.Matrix(here, 0, evaluation.DEFAULT)
    for times, share in ((1, 0.5), (2, 0.0)):
        after = plain.child(3, 4)
        seen = {payoffs.state_key(after): times}
        matrix = tree.Matrix(here, 0, evaluation.DEFAULT, seen, contempt=0.0)
        changed = {tuple(cell) for cell in np.argwhere(matrix.values != plain.values)}
        same_state = {
            (row, column)
            for row in range(len(plain.moves[0]))
            for column in range(len(plain.moves[1]))
            if plain.child(row, column)[1:] == after[1:]
        }
        assert (3, 4) in changed and changed == same_state
        assert matrix.values[3, 4] == pytest.approx(share * plain.values[3, 4])


# --- the player --------------------------------------------------------------------------------


def play_game(players, turns=400, check=None):
    """A game over the referee's rules; every action must be legal."""
    state = rules.start("ropasci")
    while state.to_act() and state.turn < turns:
        chosen = {player: players[player].action() for player in (0, 1)}
        for player, action in chosen.items():
            assert action in state.actions(player), (state.text(), player, action)
        for player in (0, 1):
            news = state.news(player, chosen)
            players[player].update(opponent_action=news[0], player_action=news[1])
        state = state.after(chosen)
        if check:
            check(state)
    return state


class Anyhow:
    """A player of random legal moves."""

    def __init__(self, colour, seed):
        self.player, self.here, self.random = notation.COLOURS.index(colour), START, random.Random(seed)

    def action(self):
        return notation.to_action(self.random.choice(moves_of(self.here, self.player)))

    def update(self, opponent_action, player_action):
        pair = notation.to_move(player_action), notation.to_move(opponent_action)
        self.here = play(self.here, pair if self.player == 0 else pair[::-1])


@pytest.mark.parametrize("player", (0, 1))
def test_it_beats_a_random_player_within_its_limits(player):
    for seed in range(few(2, 5)):
        colours = notation.COLOURS
        ours = Player(colours[player], nodes=5, seed=seed)
        pair = [ours, Anyhow(colours[1 - player], seed)] if player == 0 else [Anyhow(colours[0], seed), ours]

        def in_step(state, ours=ours):
            assert ours.position == notation.from_text(state.text().replace(" repeated", ""))

        outcome = play_game(pair, check=in_step).outcome()
        assert outcome[0][player] == 1, f"seed {seed}: {outcome}"


HIDERS = (hiders.Turtle, hiders.Fortress, hiders.Shadow, hiders.Block, hiders.Mirror, hiders.Corner)


@pytest.mark.parametrize("partner", (cascade.Player, onestage.Player, passive.Player))
def test_sparring_partners_play_legal_games(partner):
    for seed in range(few(1, 2)):
        state = play_game([partner("upper"), Anyhow("lower", seed)])
        assert state.outcome()
        state = play_game([Player("upper", nodes=5, seed=seed), partner("lower")], turns=few(30, 60))


@pytest.mark.parametrize("partner", HIDERS + (hiders.Runner,))
def test_hiders_play_legal_games(partner):
    assert play_game([partner("upper"), Anyhow("lower", 1)], turns=150).turn > 10


def replies_to(partner, line):
    """What the partner does as Lower in a position."""
    player = partner("lower")
    player.position = notation.from_text(line)
    return player.action()


@pytest.mark.parametrize("partner", HIDERS)
def test_hiders_take_what_is_free_and_never_step_into_a_hunters_reach(partner):
    assert replies_to(partner, "40 9/5 (0,0):S (3,0):P (0,1):r") == ("SLIDE", (0, 1), (0, 0))
    kind, _, (r, q) = replies_to(partner, "40 9/9 (0,0):P (0,1):r (-3,0):p (3,1):R")
    assert kind != "THROW" and max(abs(r), abs(q), abs(r + q)) > 1, "beside the hunter"


def test_each_hider_hides_in_its_own_way():
    fortress = replies_to(hiders.Fortress, "40 5/3 (-3,0):S (3,0):R (-4,2):p (-2,3):s")
    assert fortress == ("THROW", "r", (-3, 0)), "one who comes to where it throws is thrown upon"
    shadow = replies_to(hiders.Shadow, "40 5/1 (1,0):R (3,-3):S (0,0):r (-4,2):p")
    assert shadow == ("SLIDE", (0, 0), (1, 0)), "on the enemy of its own symbol"
    turtle = replies_to(hiders.Turtle, "40 5/1 (1,0):R (3,-3):S (0,0):r (-4,2):p")
    assert turtle[0] != "THROW", "one token on board is enough"
    block = replies_to(hiders.Block, "40 5/4 (3,0):S (0,0):r (-1,1):p")
    assert block[:2] == ("THROW", "s") and block[2] in ((-1, 0), (0, 1)), "beside both"
    runner = replies_to(hiders.Runner, "40 9/4 (0,0):S (0,1):r (4,-1):P")
    assert runner[0] != "THROW" and runner[2] not in ((0, 0), (1, 0)), "away, whatever there is to take"
    corner = replies_to(hiders.Corner, "40 9/5 (3,0):R (-3,0):s")
    assert corner[:2] == ("SLIDE", (-3, 0)) and corner[2] in ((-4, 0), (-4, 1), (-3, -1)), "to the rim"
    mirror = hiders.Mirror("lower")
    mirror.update(("THROW", "r", (4, -3)), ("THROW", "r", (-4, 2)))
    assert mirror.action() == ("THROW", "r", (-4, 3))


def test_the_exploiter_knows_the_mixed_move_that_the_agent_draws_from():
    spy = exploiter.Player("lower", nodes=4)
    ours = Player("upper", nodes=4, seed=1)
    known = spy.agent.considered
    told = []
    spy.agent.considered = lambda: told.append(known()) or told[-1]
    for _ in range(8):
        drawn = spy.agent.random.getstate()
        action, reply = ours.action(), spy.action()
        moves, shares = told[-1]
        assert (moves, shares) == ours.considered()
        assert shares[moves.index(notation.to_move(action))] > 0.0
        assert spy.agent.random.getstate() == drawn, "lots are not asked for"
        ours.update(reply, action)
        spy.update(action, reply)
    assert len(told) == 8 and spy.position == ours.position


@pytest.mark.parametrize("equal", (True, False))
def test_the_exploiter_looks_at_no_more_than_the_agent_unless_told_so(equal, monkeypatch):
    spy = exploiter.Player("lower", nodes=6, equal=equal)
    spy.set_up("40 7/7 (0,0):R (1,1):P (0,2):s (-2,1):r")
    looked = []
    monkeypatch.setattr(exploiter, "solve", lambda values: looked.append(1) or solve(values))
    spy.action()
    assert (len(looked) <= 6) is equal and looked


# --- The same in C ----------------------------------------------------------------------------


@NEEDS_CC
def test_matrices_in_c_are_those_of_the_agent_in_every_cell():
    """Boards of random games, early ones with all throws and late ones near the cap; and crowded ones."""
    dice, checked = random.Random(8), 0
    crowded = [notation.from_text(line) for line in CROWDED]
    walked = (before for seed in range(few(4, 20)) for before, _ in walk(seed, throws=0.15))
    for before in itertools.chain(crowded, itertools.islice(walked, few(70, 1200))):
        before = (dice.choice((before[0], 150, 355, 359)),) + before[1:]
        if result(before) is not None:
            continue
        player, still = dice.randrange(2), dice.random() < 0.5
        weights = evaluation.DEFAULT.after(dice.randrange(25), dice.randrange(6))
        seen = {payoffs.state_key(before): dice.randrange(1, 3)}
        plain = tree.Matrix(before, player, weights, seen, None, 0.1, still)
        found = engine.Matrix(before, player, weights, seen, 0.1, still)
        assert found.moves == [*plain.moves] and found.drawn == plain.drawn, before
        assert np.abs(found.values - plain.values).max() < 1e-12, before
        for one, other in zip(*((found.still, plain.still) if still else ((), ())), strict=True):
            assert np.abs(one - other).max() < 1e-12, before
        for one, other in zip(found.changes, plain.changes, strict=True):
            for name in (*engine.CHANGES, "throws"):
                assert (getattr(one, name) == getattr(other, name)).all(), (name, before)
        assert np.abs(found.answer().row - plain.answer().row).max() < 1e-6, before
        checked += 1
    assert checked > few(40, 800)


@NEEDS_CC
@pytest.mark.parametrize(
    "words",
    ({"nodes": 20}, {"nodes": 40, "stages": 3, "forecasts": False}, {"nodes": 12, "replies": 0}, {"sure": 1}),
)
def test_the_search_in_c_finds_the_same_mix_with_the_same_nodes_all_through_a_game(words):
    sure = words.get("sure")
    words = {"nodes": 6} if sure else words
    both = [[of(colour, seed=1, **words) for colour in notation.COLOURS] for of in (Player, engine.Copy)]
    at, turns = START, 0
    while result(at) is None and turns < few(14, 80):
        pair = []
        for plain, copy in zip(*both, strict=True):
            if sure:  # forecasts are asked for behind the first stage
                plain.tree.habits.merit = copy.tree.habits.merit = 2 * CERTAIN
            moves, shares = plain.considered()
            found, others = copy.considered()
            assert list(found) == list(moves) and np.allclose(shares, others, atol=1e-6), at
            assert copy.search.nodes == plain.search.nodes, at
            pair.append(random.Random(turns).choices(moves, shares)[0])
        actions = [notation.to_action(move) for move in pair]
        for players in both:
            for side in (0, 1):
                players[side].update(actions[1 - side], actions[side])
        at, turns = play(at, pair), turns + 1
    assert turns > 10


@NEEDS_CC
def test_the_exploiter_in_c_plays_as_the_exploiter_does():
    both = [
        [exploiter.Player("upper", nodes=8), Player("lower", nodes=8, seed=2)],
        [engine.Exploiter("upper", nodes=8), engine.Copy("lower", nodes=8, seed=2)],
    ]
    for _ in range(few(12, 60)):
        actions = [[player.action() for player in players] for players in both]
        assert actions[0] == actions[1]
        for players, (upper, lower) in zip(both, actions, strict=True):
            players[0].update(lower, upper)
            players[1].update(upper, lower)


def test_leads_are_of_their_kind_and_can_still_be_won():
    found = leads.collect(1, CORPUS, seed=3)
    assert len(found) == 8 and all(len(positions) == 1 for positions in found.values())
    for (ahead, left), positions in found.items():
        for here in positions:
            assert lead(here, 0) == ahead and result(here) is None and not hopeless(material(here), 0)
            throws = {(True, True): "both", (True, False): "the leader", (False, True): "the other"}
            assert throws.get((here[1] < 9, here[2] < 9), "neither") == left
    lines = "90 9/9 (0,0):RRRR (2,0):S (3,0):p (3,1):s", "90 9/9 (0,0):RRRR (2,0):R (3,0):p (3,1):s"
    assert [hopeless(material(notation.from_text(line)), 0) for line in lines] == [False, True]
    assert leads.collect(1, CORPUS, seed=3) == found
    own = next(leads.own_games(3))
    assert own == next(leads.own_games(3)) and len(own) > 10
    assert all(kind == leads.kind(here, 0) for kind, here in leads.found(own, random.Random(1)).items())


def test_the_command_for_leads_plays_each_twice_and_says_how_long_it_took(monkeypatch, capsys):
    words = f"conversions player,nodes=1 turtle --number 1 --ahead 3 --recorded {CORPUS}"
    monkeypatch.setattr("sys.argv", words.split())
    conversions.main()
    printed = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in printed[:4]] == ["3 ahead, throws left"] * 4
    assert printed[4].startswith("player,nodes=1 against turtle: 8 games, ")
    assert printed[5].startswith("not won: ") and printed[6].startswith("from a lead of 3: median ")


@pytest.mark.parametrize("nodes", (1, 60, None))
def test_the_yardstick_plays_legal_games_and_keeps_to_its_evaluations(nodes, monkeypatch):
    counted = []
    evaluate = Yardstick._evaluate
    monkeypatch.setattr(Yardstick, "_evaluate", lambda *given: counted.append(1) or evaluate(*given))
    player = Yardstick("lower", nodes=nodes)
    turns = []
    play_game([Anyhow("upper", 1), player], turns=60 if nodes else 12, check=lambda _: turns.append(1))
    assert turns and len(counted) <= (nodes or 260) * len(turns)


def test_the_yardstick_captures_what_it_may_but_not_beside_a_hunter():
    player = Yardstick("upper")
    player.position = notation.from_text("40 9/9 (0,0):R (3,0):p (0,1):s")
    assert player.action() == ("SLIDE", (0, 0), (0, 1))
    player.position = notation.from_text("40 9/9 (0,0):R (0,2):p (0,1):s")
    assert player._best_capture() is None


def test_the_match_command_plays_pairs_and_counts_them(monkeypatch, capsys):
    words = "matches player,nodes=3 passive --pairs 1 --ahead 3 --seed 4"
    monkeypatch.setattr("sys.argv", words.split())
    printed = []
    for _ in range(2):
        matches.main()
        printed.append([line for line in capsys.readouterr().out.splitlines() if "CPU" not in line and line])
    first, second, score, different, away = (line.rpartition(";")[0] or line for line in printed[0])
    assert first.startswith("1 upper: ") and second.startswith("1 lower: ")
    assert " of 2 = " in score and away.startswith("drawn while the first was ahead: ")
    assert different.startswith("2 different games")
    assert printed[1][2:] == printed[0][2:], "the same command, other games"


def test_a_position_is_written_as_the_rules_write_it():
    for here, _ in walk(3):
        line = notation.to_text(here)
        assert notation.from_text(line) == here and rules.parse("ropasci", line).text() == line


def test_the_same_game_twice_under_a_node_limit_and_afresh_in_one_process():
    def game(seed):
        players = [Player(colour, nodes=8, seed=seed) for colour in notation.COLOURS]
        return play_game(players, turns=few(12, 25)).text()

    assert game(1) == game(1)
    assert game(1) != game(2)


def test_the_longest_game_fits_into_a_short_limit_on_a_machine_that_is_four_times_slower(monkeypatch):
    here = positions_of(recorded_games()[0])[15]
    machine, spent = Machine(4e-6), 0.0
    let_clocks_read(monkeypatch, machine, "ropasci_agent.shared")
    ours = Player("upper", seconds=3.0)
    unseen = 0.0003  # seconds a turn, for handing calls over
    for turn in range(MAX_TURNS):
        ours.position = (turn, *here[1:])
        action, taken = machine.run(ours.action)
        spent += taken + unseen
        assert notation.to_move(action) in moves_of(here, 0)
        assert spent < 3.0, turn
    assert ours.clock.used < 0.9 * 3.0, "more than was to be planned with"


def test_a_shorter_time_for_the_first_action_is_kept_and_is_not_that_of_later_ones(monkeypatch):
    machine = Machine(1e-5)
    let_clocks_read(monkeypatch, machine, "ropasci_agent.shared")
    player = Player("upper", first_seconds=0.1, stages=3)
    player.position = next(h for game in recorded_games() for h in positions_of(game)[30:31])
    taken = [machine.takes(player.action) for _ in range(2)]
    assert taken[0] < 0.1 < taken[1], taken


def test_a_legal_action_within_10_milliseconds_when_the_clock_is_nearly_out(monkeypatch):
    generator, machine = random.Random(2), Machine(4e-6)
    let_clocks_read(monkeypatch, machine, "ropasci_agent.shared")
    slowest = []
    for game in recorded_games()[:40]:
        for here in positions_of(game)[10:60:25]:
            ours = Player("upper", seconds=60.0)
            ours.position = here
            ours.clock.used = 59.9 + 0.2 * generator.random()
            action, taken = machine.run(ours.action)
            assert notation.to_move(action) in moves_of(here, 0)
            slowest.append(taken)
    assert max(slowest) < 0.010, max(slowest)


@pytest.mark.parametrize("broken", ["Matrix", "stage", "solve", "play", "result"])
def test_a_fault_anywhere_in_the_thinking_still_yields_a_legal_action(monkeypatch, broken):
    here = next(h for game in recorded_games() for h in positions_of(game)[30:31])
    works = getattr(tree, broken)
    for countdown in (0, 1, 2, 5):
        calls = [0]

        def fails(*arguments, calls=calls, countdown=countdown):
            calls[0] += 1
            if calls[0] > countdown:
                raise RuntimeError("injected")
            return works(*arguments)

        ours = Player("lower", nodes=30)
        ours.position = here
        monkeypatch.setattr(tree, broken, fails)
        if broken == "Matrix":
            monkeypatch.setattr("ropasci_agent.player.Matrix", fails)
        with faults_are("injected"):
            assert notation.to_move(ours.action()) in moves_of(here, 1), f"{broken} after {countdown} calls"
        monkeypatch.undo()
        assert calls[0] > countdown, f"{broken} was called {calls[0]} times: nothing was tested"


def test_a_variant_is_refused_in_one_sentence():
    with pytest.raises(ValueError, match="RoPaSci has no variants"):
        Player("upper", variant="small")
