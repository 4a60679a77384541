"""The Fanorona agent: its board against the referee's rules, its search, its tables and its promises."""

import hashlib
import random
import re
import subprocess
import sys
import warnings
import zipfile
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from fanorona_agent import Player, Player1100, book, evaluate, hops, notation, position, tree, yardstick
from fanorona_agent import player as player_module
from fanorona_agent.endgames import DRAWN, MATERIAL, WON
from fanorona_agent.evaluate import WIN
from fanorona_agent.player import ASPIRATION, ENDGAMES, MARGIN
from fanorona_agent.position import LAST_QUIET, OVER, START, moves, play
from fanorona_agent.shared.clock import Clock
from fanorona_agent.shared.deepening import Search, lots_of
from fanorona_agent.shared.table import Table
from fanorona_agent.train import conversions, duels, engine, fit, matches, tune
from fanorona_agent.train import endgames as endgames_train
from fanorona_agent.train.plain import PlainTree, captures_begin
from fanorona_agent.tree import DECIDED, Tree
from referee import rules
from tests.support.agents import faults_are
from tests.support.compiler import NEEDS_CC
from tests.support.machine import Machine, let_clocks_read
from tests.support.samples import few, soon

NAMES = ["fanorona", "fanorona:1100"]
SETUPS = [
    "..x.............................o............",
    "x.............o...............o.............x",
    ".x..x.....o...x...o.....x...o......x...o...o.",
    "x.x.x.x.x..........ooooo..o..........x.x.x.x.",
]


def has_pass(name):
    return not name.endswith("1100")


def random_game(name, seed):
    """A random game as pairs: a state and the hop played in it, None at the end."""
    chance = random.Random(seed)
    state = rules.start(name)
    while state.legal:
        hop = chance.choice(state.legal)
        yield state, hop
        state = state.after({state.mover: hop})
    yield state, None


def shown(at):
    """A position as the referee's board and side to move."""
    mover, mine, theirs = at[:3]
    light, dark = (theirs, mine) if mover else (mine, theirs)
    board = "".join("o" if light >> p & 1 else "x" if dark >> p & 1 else "." for p in position.POINTS)
    return board, mover


def turn_ends(state):
    """The boards and sides to move after each way to play the rest of a turn, by the referee's rules."""
    ends, open_chains = set(), [state]
    while open_chains:
        at = open_chains.pop()
        for hop in at.legal:
            after = at.after({at.mover: hop})
            if after.chain:
                open_chains.append(after)
            else:
                ends.add((after.board, after.mover))
    return ends


# Agreement with the referee's rules


@pytest.mark.parametrize("name", NAMES)
def test_hop_by_hop_the_agent_sees_what_the_referee_sees(name):
    positions = 0
    for seed in range(90):
        at, seen = START, frozenset()
        for state, hop in random_game(name, seed):
            positions += 1
            where = f"seed {seed}: {state.text()}"
            assert shown(at) == (state.board, state.mover), where
            assert at[3] == (OVER if state.drawn else len(state.history)), where
            legal = [notation.to_action(each) for each in hops.legal(at, has_pass(name))]
            assert sorted(legal) == sorted(state.legal), where
            assert notation.with_history(state.text()) == (at, seen), where
            assert notation.from_text(state.text()) == at, where
            if hop is not None:
                at, seen = hops.after(at, seen, notation.from_action(hop), has_pass(name))
    assert positions >= 3000


@pytest.mark.parametrize("name", NAMES)
def test_whole_turns_lead_where_all_ways_to_hop_lead(name):
    positions = 0
    for seed in range(100, few(145, 230)):
        for state, _ in random_game(name, seed):
            if state.drawn or (len(state.chain) and seed % 2):
                continue
            at, seen = notation.with_history(state.text())
            found = moves(at, has_pass(name))
            positions += 1
            where = f"seed {seed}: {state.text()}"
            assert len(set(found)) == len(found), where
            ends = {shown(play(at, move)) for move in found}
            # A Pass at the beginning of what is left of a chain is a turn as well.
            assert ends == turn_ends(state), where
            assert all(play(at, move)[3] == OVER for move in found) == (at[3] == LAST_QUIET) or not found
    assert positions >= few(1000, 3000)


@pytest.mark.parametrize("name", NAMES)
def test_every_turn_has_hops_that_play_it(name):
    chance = random.Random(5)
    for seed in range(200, 220):
        for state, _ in random_game(name, seed):
            at, seen = notation.with_history(state.text())
            found = moves(at, has_pass(name))
            for move in chance.sample(found, min(4, len(found))):
                after = state
                for hop in hops.hops_of(at, move, has_pass(name)):
                    assert after.mover == state.mover, f"seed {seed}: {state.text()}"
                    assert notation.to_action(hop) in after.legal, f"seed {seed}: {state.text()}"
                    after = after.after({after.mover: notation.to_action(hop)})
                assert shown(play(at, move)) == (after.board, after.mover), f"seed {seed}: {state.text()}"


# As many men as these, light's first, come to ends that games from the start hardly ever have.
FEW_MEN = [(1, 1), (1, 2), (2, 2), (1, 3), (3, 3), (2, 5), (6, 1)]
HEMMED_IN = [(20, 1), (22, 2)]


def rare_game(name, seed):
    """A random game from a random position, often late in a quiet run; it keeps away from captures."""
    chance = random.Random(seed)
    sides = chance.choice(HEMMED_IN if seed % 2 else FEW_MEN)
    points = chance.sample(range(45), sum(sides))
    board = ["o" if point in points[: sides[0]] else "x" if point in points else "." for point in range(45)]
    count = chance.choice(["", " 12", " 20", " 21"])
    state = rules.parse(name, f"{''.join(board)} {chance.choice('12')}{count}")
    while state.legal:
        yield state
        after = [state.after({state.mover: hop}) for hop in state.legal]
        peaceful = [each for each in after if not each.legal or each.legal[0].endswith("-P")]
        state = chance.choice(peaceful or after)


@pytest.mark.parametrize("name", NAMES)
def test_each_end_that_a_turn_can_bring_is_the_end_that_the_referee_sees(name):
    met = Counter()
    for seed in range(few(80, 150)):
        for state in rare_game(name, seed):
            at, seen = notation.with_history(state.text())
            too_late = at[3] == LAST_QUIET and not state.legal[0].endswith("-P")
            for move in moves(at, has_pass(name)):
                after, where = state, f"{name}, seed {seed}, {move}: {state.text()}"
                for hop in map(notation.to_action, hops.hops_of(at, move, has_pass(name))):
                    assert hop in after.legal, where
                    after = after.after({after.mover: hop})
                child = play(at, move)
                again, score = child[4] in seen, evaluate.evaluate(child)
                assert shown(child) == (after.board, after.mover) and not after.chain, where
                assert (again or child[3] == OVER) == bool(after.drawn), where
                assert again or bool(moves(child, has_pass(name))) == bool(after.legal), where
                assert again or (score == -WIN) == (not after.legal and not after.drawn), where
                assert again or score == 0 or not after.drawn, where
                if not after.legal:
                    met[after.drawn or after.outcome()[1].split()[-2]] += 1
                    met["a capture too late"] += too_late
    assert set(met) == {"quiet", "repetition", "men", "move", "a capture too late"}
    assert min(met.values()) > few(1, 4), met


# Counts of the sheet that the rules are too slow for


@pytest.mark.parametrize(
    ("name", "line", "counts"),
    [
        ("fanorona:1100", None, [5, 17, 53, 258, 978, 3642, 14044, 53678, 206012]),
        ("fanorona", None, [5, 17, 64, 337, 1496, 6884, 33162, 156196]),
        ("fanorona", f"{SETUPS[0]} 1", [8, 36, 165, 753, 4013, 18198, 85267]),
        ("fanorona:1100", f"{SETUPS[0]} 1", [8, 36, 165, 753, 4013, 18198, 85267]),
        ("fanorona", f"{SETUPS[1]} 1", [16, 86, 900, 5698]),
        ("fanorona", f"{SETUPS[2]} 1", [1, 20, 290]),
        ("fanorona", f"{SETUPS[2]} 2", [22, 48, 657]),
        ("fanorona:1100", f"{SETUPS[2]} 2", [22, 48, 654]),
        ("fanorona", f"{SETUPS[3]} 2", [11, 46, 243]),
        ("fanorona:1100", f"{SETUPS[3]} 2", [11, 39, 163]),
    ],
)
def test_number_of_hop_sequences(name, line, counts):
    counts = soon(counts, 50_000)
    level = Counter([notation.with_history(line) if line else (START, frozenset())])
    found = []
    for _ in counts:
        following, number = Counter(), 0
        for (at, seen), times in level.items():
            legal = hops.legal(at, has_pass(name))
            number += times * len(legal)
            if len(found) < len(counts) - 1:
                for hop in legal:
                    following[hops.after(at, seen, hop, has_pass(name))] += times
        found.append(number)
        level = following
    assert found == counts


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("fanorona", [5, 39, 724, 18026, 431830, 9204447]),
        # Ends of chains only; no turn of the first four leads to a board that another leads to.
        ("fanorona:1100", [5, 21, 223, 2844]),
    ],
)
def test_number_of_turn_sequences_with_equal_ends_merged(name, counts):
    counts = soon(counts, 500_000)
    level = Counter([START])
    found = []
    for _ in counts:
        following, number = Counter(), 0
        for at, times in level.items():
            turns = moves(at, has_pass(name))
            number += times * len(turns)
            if len(found) < len(counts) - 1:
                for move in turns:
                    following[play(at, move)] += times
        found.append(number)
        level = following
    assert found == counts


# The tables of endgames


def test_endings_counted_without_the_quiet_limit():
    # Of all positions with so many men, the mover's first: how many are won and lost in how many
    # turns at the longest, and how many of either only after the 21 turns that the rules allow.
    tables = {}
    for sides in few([(1, 1), (1, 2)], [(1, 1), (1, 2), (1, 3), (2, 2)]):
        endgames_train.solve(*sides, tables, has_pass=True, limit=100)
    figures = {}
    for sides, table in tables.items():
        apart = endgames_train.NUMBERS[sides[0]][:, None] & endgames_train.NUMBERS[sides[1]] == 0
        values = table[apart].astype(int)
        won, lost = values > DRAWN, values < DRAWN
        shares = [round(100 * part.mean(), 1) for part in (won, lost, values == DRAWN)]
        late = int((values[won] < WON - 21).sum()), int((values[lost] > 21).sum())
        figures[sides] = (values.size, *shares, WON - values[won].min(), *late)
    counted = {
        (1, 1): (1980, 29.9, 5.1, 65.1, 7, 0, 0),
        (1, 2): (42570, 6.6, 63.4, 30.0, 3, 0, 2874),
        (2, 1): (42570, 96.3, 0.1, 3.6, 28, 2244, 0),
        (1, 3): (595980, 2.8, 86.6, 10.6, 1, 0, 0),
        (3, 1): (595980, 99.9, 0.0, 0.1, 13, 0, 0),
        (2, 2): (893970, 57.0, 7.7, 35.2, 29, 756, 530),
    }
    assert len(figures) == few(3, 6) and figures.items() <= counted.items()


def test_sampled_entries_of_the_tables_follow_from_the_rules_and_their_neighbours():
    assert endgames_train.check(250, seed=2) == 0


@pytest.mark.parametrize("name", NAMES)
def test_mirror_images_and_both_colours_have_the_same_entry(name):
    chance = random.Random(3)
    table = ENDGAMES[has_pass(name)]
    values = Counter()
    for _ in range(500):
        line = endgames_train.sampled(chance, chance.choice(MATERIAL))
        rows = [line[9 * row : 9 * row + 9] for row in range(5)]
        turned = [row[::-1] for row in rows]
        images = ["".join(image) + line[45:] for image in (rows, rows[::-1], turned, turned[::-1])]
        images += [image.translate(str.maketrans("ox12", "xo21")) for image in images]
        found = {endgames_train.stored(image, table) for image in images}
        assert len(found) == 1, f"{line}, seed 3"
        values[min(found) > DRAWN] += 1
    assert min(values.values()) > 100


# The evaluation


@pytest.mark.parametrize("name", NAMES)
def test_the_evaluation_is_its_numbers_times_what_the_fit_counts(name, monkeypatch):
    monkeypatch.setattr(evaluate, "QUIET_BY_MEN", evaluate.by_men(evaluate.QUIET))
    monkeypatch.setattr(evaluate, "LOUD_BY_MEN", evaluate.by_men(evaluate.LOUD))
    loud = 0
    for seed in range(400, 406):
        for state, _ in random_game(name, seed):
            at = notation.from_text(state.text())
            if not state.legal or state.chain or at[3] >= LAST_QUIET:
                continue
            terms, rows = fit.terms_of(at), evaluate.LOUD if terms_capture(state) else evaluate.QUIET
            men = [45 - state.board.count(".")]
            inputs = fit.spread(np.array([terms], float), np.array(men), rows)
            expected = (inputs @ np.ravel(rows))[0]
            assert abs(evaluate.evaluate(at) - expected) < 2, f"seed {seed}: {state.text()}"
            loud += rows is evaluate.LOUD
    assert loud > 50


def terms_capture(state):
    """Whether the mover can capture."""
    return not state.legal[0].endswith("-P")


def test_who_leads_among_few_men_is_better_off_near_the_other():
    far = ["." * 9, ".o.......", ".......x.", ".o.......", ".o.....x."]
    near = ["." * 9, "...o.....", ".......x.", "...o.....", "...o...x."]
    for mover in (1, 2):
        scores = [evaluate.evaluate(notation.from_text("".join(rows) + f" {mover}")) for rows in (far, near)]
        assert (scores[1] > scores[0]) == (mover == 1), scores


def test_fitted_numbers_are_those_that_made_the_results():
    chance = np.random.RandomState(3)
    inputs, weights = chance.normal(size=(20000, 6)), np.array([0.8, -0.4, 0, 0.3, -0.7, 0.1])
    results = (chance.uniform(size=20000) < 1 / (1 + np.exp(-inputs @ weights))).astype(float)
    found = fit.fitted(inputs, results, [])
    assert np.abs(found - weights).max() < 0.08
    assert fit.surprise(inputs, results, found) <= fit.surprise(inputs, results, weights)


def test_numbers_are_changed_by_what_won_games_with_few_men_and_with_many():
    for rows, changes, made in (
        (evaluate.QUIET, evaluate.QUIET_CHANGES, evaluate.QUIET_BY_MEN),
        (evaluate.LOUD, evaluate.LOUD_CHANGES, evaluate.LOUD_BY_MEN),
    ):
        fitted, between = evaluate.by_men(rows), (evaluate.FEW_MEN + evaluate.MANY_MEN) // 2
        for number, (first, last) in enumerate(changes):
            for men, change in (
                (6, first),
                (evaluate.FEW_MEN, first),
                (between, (first + last) / 2),
                (44, last),
            ):
                assert made[men][number] == pytest.approx(fitted[men][number] + change)


@NEEDS_CC
def test_a_step_of_tuning_is_the_same_each_time_and_goes_the_way_that_won():
    changes = [tune.run(seed, 10, 2, np.zeros((len(tune.STEPS), 2))) for seed in (5, 5, 6)]
    assert (changes[0] == changes[1]).all() and changes[0].any() and (changes[0] != changes[2]).any()
    # What a step wins moves all numbers by the same share of their own steps, up or down: two, two ways.
    assert len(np.unique(np.abs(changes[0] / tune.STEPS).round(9))) <= 2


def test_a_draw_is_worth_less_than_nothing_to_who_searches_and_as_much_more_to_the_other():
    board = "..x" + "." * 30 + "o" + "." * 11
    for line in (f"{board} 1 21", f"{board} 2 21", f"{board} 1 repetition", f"{board} 2 quiet"):
        for has_tables in (True, False):
            searching = tree.Tree(True, ENDGAMES[True] if has_tables else None)
            searching.knows(notation.from_text(f"{board} 1"))
            mover = int(line.split()[1]) - 1
            expected = tree.CONTEMPT if mover else -tree.CONTEMPT
            assert searching.evaluate(notation.from_text(line)) == expected, line


# The search


def plain_value(tree, at, depth, path):
    """Minimax over whole turns: what the search must come to with whatever it is given to be quicker."""
    moves = tree.moves(at)
    if not moves or not depth:
        return tree.evaluate(at)
    values = []
    for move in moves:
        child = play(at, move)
        if child[4] in path:
            values.append(tree.draws[at[0]])
        else:
            below = path | ({child[4]} if child[4] else set())
            values.append(-plain_value(tree, child, depth - 1, below))
    return max(values)


@pytest.mark.parametrize("name", NAMES)
def test_the_search_comes_to_the_value_of_plain_minimax(name, monkeypatch):
    # Without captures past the horizon, without looking less deeply or as if the mover passed.
    monkeypatch.setattr(tree, "STORM", 0)
    monkeypatch.setattr(tree, "NULL_FROM", 100)
    monkeypatch.setattr(tree, "reduction", lambda move, index, depth: 0)
    monkeypatch.setattr(tree, "LESS_OF_PAIKAS", tree.reductions(1, 108))
    monkeypatch.setattr(tree, "LESS_OF_CAPTURES", tree.reductions(tree.CAPTURE, tree.LATEST + 1))
    checked = 0
    for seed in range(300, few(304, 316)):
        states = [state for state, hop in random_game(name, seed) if hop and not state.chain]
        for state in states[5::12]:
            at, seen = notation.with_history(state.text())
            for entries in (0, 10_000):
                walked = Tree(has_pass(name), ENDGAMES[has_pass(name)], entries)
                walked.seen = seen
                walked.knows(at)
                if len(walked.moves(at)) < 2 or at[3] == LAST_QUIET:
                    continue
                search = Search(walked, deepest=3)
                search.best(at)
                plain = plain_value(walked, at, search.depth, seen)
                if abs(plain) < DECIDED:  # else the search also counts how far it is
                    assert search.score == plain, state.text()
                    checked += 1
    assert checked > few(12, 60)


@pytest.mark.parametrize("name", NAMES)
def test_node_by_node_the_search_looks_at_what_its_plain_twin_looks_at(name):
    table, checked = ENDGAMES[has_pass(name)], 0
    for seed in range(320, few(326, 340)):
        states = [state for state, hop in random_game(name, seed) if hop and not state.chain]
        for state in states[3::9]:
            at, seen = notation.with_history(state.text())
            accounts = []
            for made in (Tree, PlainTree):
                walked = made(has_pass(name), table, 10_000)
                walked.seen = seen
                if len(moves(at, has_pass(name))) < 2 or at[3] == LAST_QUIET:
                    continue
                search = Search(walked, 60, ASPIRATION, MARGIN)
                search.lots = lots_of(seed, "light") if seed % 2 else None
                for nodes in (1200, 600):  # the second search knows what the first one has learned
                    search.best(at, Clock(nodes=nodes))
                    accounts.append((search.move, search.score, search.nodes, search.scores, search.exact))
            assert accounts[:2] == accounts[2:], f"seed {seed}: {state.text()}"
            checked += len(accounts) // 4
    assert checked > few(15, 50)


@NEEDS_CC
@pytest.mark.parametrize("name", NAMES)
def test_engine_in_c_finds_the_same_turn_with_the_same_nodes(name):
    checked = 0
    for seed in range(320, few(326, 340)):
        copy = engine.Tree(has_pass(name), places=1 << 16)
        walked = Tree(has_pass(name), ENDGAMES[has_pass(name)], 10_000)
        for state in [state for state, hop in random_game(name, seed) if hop and not state.chain][3::9]:
            at, walked.seen = notation.with_history(state.text())
            if len(moves(at, has_pass(name))) < 2 or at[3] == LAST_QUIET:
                continue
            search = Search(walked, 8 if walked.knows(at) else 60, ASPIRATION)
            search.best(at, Clock(nodes=2000))
            walked.table = Table(10_000)
            for taught in walked.history:
                taught.clear()
            copy.forget()
            account = search.move, search.score, search.depth, search.nodes
            assert copy.best(at, 2000, sorted(walked.seen)) == account, f"seed {seed}: {state.text()}"
            checked += 1
    assert checked > few(10, 40)


@pytest.mark.parametrize("name", NAMES)
def test_who_has_to_capture_does_not_stand_still_past_the_horizon(name):
    walked, checked, worse = PlainTree(has_pass(name), ENDGAMES[has_pass(name)], 0), 0, 0
    for seed in range(340, few(350, 370)):
        for state, _ in random_game(name, seed):
            at = notation.from_text(state.text())
            if state.chain or len(state.legal) < 2 or state.board.count(".") > 38 or at[3] == LAST_QUIET:
                continue
            if 0 < captures_begin(at) <= tree.FORCED:
                walked.plant(at, Search(walked), Clock().poll)
                children = [play(at, move) for move in moves(at, has_pass(name))[: tree.STORM]]
                best = max(-walked.storm(child, -WIN, WIN, 1) for child in children)
                assert walked.storm(at, -WIN, WIN, 0) == best, state.text()
                checked += 1
                worse += best < evaluate.evaluate(at)
    assert checked > few(8, 20) and worse


# The player


def points(state, seats):
    """The scores of the game that the seats, set up here, play to its end."""
    for seat in seats:
        seat.set_up(state.text())
    while state.legal:
        hop = seats[state.mover].action()
        assert hop in state.legal, state.text()
        for seat in seats:
            seat.update(*state.news(0, {state.mover: hop}))
        state = state.after({state.mover: hop})
    return state.outcome()[0]


@pytest.mark.parametrize("name", NAMES)
def test_a_win_in_one_turn_is_always_taken(name):
    chance = random.Random(8)
    wins = 0
    while wins < 60:
        line = endgames_train.sampled(chance, chance.choice([(1, 1), (2, 2), (3, 2), (3, 3), (4, 3), (5, 4)]))
        state = rules.parse(name, line)
        won = {
            end
            for end in turn_ends(state)
            if not rules.parse(name, f"{end[0]} {end[1] + 1}").legal and end[1] != state.mover
        }
        if not won:
            continue
        wins += 1
        player = Player("light", variant=name[9:], nodes=300)
        player.set_up(line)
        while state.legal and state.mover == int(line[-1]) - 1:
            hop = player.action()
            player.update("light", hop)
            state = state.after({state.mover: hop})
        assert (state.board, state.mover) in won, f"{line}, seed 8"


@pytest.mark.parametrize("limit", [{"nodes": 1}, {"seconds": 0.001}])
def test_a_blockade_is_seen_even_if_time_is_up_at_once(limit):
    board = "xoo.o.o..o.o.o..o.o...o.......o.....o.....o.."
    other = board.translate(str.maketrans("ox", "xo"))
    for line in (f"{board} 1", f"{board} 1 19", f"{board} 1 20", f"{other} 2"):
        player = Player("light", **limit)
        player.set_up(line)
        state = rules.parse("fanorona", line)
        after = state.after({state.mover: player.action()})
        assert after.outcome() and after.outcome()[0][state.mover] == 1, line


@pytest.mark.parametrize("name", NAMES)
def test_endings_that_the_tables_call_won_are_won_against_a_defence_that_knows_them(name):
    for number in range(few(6, 16)):
        chance = random.Random(f"11 {number}")
        line, distance = conversions.sample(chance, ENDGAMES[has_pass(name)], 8 if number % 2 else 1)
        state = rules.parse(name, line)
        seats = [Player(colour, variant=name[9:], nodes=20000) for colour in ("light", "dark")]
        assert points(state, seats)[state.mover] == 1, f"{line}, won in {distance} hops"


def test_a_win_on_the_last_hop_that_counts_is_played_and_one_hop_later_nothing_is_won():
    board = ".o.x" + "." * 41
    for count, outcome in [(20, (1, 0)), (21, (0.5, 0.5))]:
        state = rules.parse("fanorona", f"{board} 1 {count}")
        player = Player("light", nodes=1000)
        player.set_up(state.text())
        state = state.after({0: player.action()})
        assert state.outcome()[0] == outcome


@pytest.mark.parametrize("name", NAMES)
def test_who_is_lost_goes_back_to_a_board_that_was_there(name):
    chance = random.Random(9)
    saved = 0
    while saved < 20:
        line = endgames_train.sampled(chance, (1, 3))
        state = rules.parse(name, line)
        if endgames_train.stored(line, ENDGAMES[has_pass(name)]) >= DRAWN or not state.legal[0].endswith("P"):
            continue
        before = state.after({state.mover: chance.choice(state.legal)}).board
        state = rules.parse(name, f"{line} 2 {before}")
        player = Player("light", variant=name[9:], nodes=1000)
        player.set_up(state.text())
        assert state.after({state.mover: player.action()}).drawn, f"{state.text()}, seed 9"
        saved += 1


@pytest.mark.parametrize("function", ["evaluate", "moves", "captures", "play"])
def test_whatever_fails_in_the_search_the_answer_is_a_legal_hop(function, monkeypatch):
    original = getattr(position if hasattr(position, function) else evaluate, function)
    for calls in (0, 1, 7, 150):
        left = [calls]

        def failing(*arguments, original=original, left=left):
            left[0] -= 1
            if left[0] < 0:
                raise RuntimeError("injected")
            return original(*arguments)

        for module in (position, evaluate, tree, player_module):
            if hasattr(module, function):
                monkeypatch.setattr(module, function, failing)
        for seed in range(3):
            for state, hop in list(random_game("fanorona", seed))[::9]:
                if hop:
                    left[0] = calls
                    player = Player("light", nodes=400)
                    player.set_up(state.text())
                    with faults_are("injected"):
                        assert player.action() in state.legal, f"{state.text()} after {calls} calls"
        monkeypatch.undo()


def test_who_wants_warnings_as_errors_is_stopped_by_a_fault_in_the_search(monkeypatch):
    def failing(*arguments):
        raise RuntimeError("injected")

    monkeypatch.setattr(tree, "paikas", failing)
    monkeypatch.setattr(tree, "captures", failing)
    player = Player("light", nodes=400, book=False)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(RuntimeWarning, match="injected"):
            player.action()


def test_with_next_to_no_time_there_is_a_legal_hop_at_once(monkeypatch):
    machine, slowest = Machine(4e-6), 0
    let_clocks_read(monkeypatch, machine, "fanorona_agent.shared")
    for state, hop in random_game("fanorona", 21):
        if hop:
            player = Player("light", seconds=0.002)
            player.set_up(state.text())
            hop, taken = machine.run(player.action)
            assert hop in state.legal
            slowest = max(slowest, taken)
    assert slowest < 0.01


@pytest.mark.parametrize("first", ["F3-E2-A", "E3-E2-A"], ids=["by the book", "forced"])
def test_a_first_action_without_thought_leaves_its_longer_time_to_no_other(first, monkeypatch):
    machine, taken = Machine(1e-5), 0
    let_clocks_read(monkeypatch, machine, "fanorona_agent.shared")
    player = Player("dark", seconds=0.1, first_seconds=3.0, book=first == "F3-E2-A")
    state, hop = rules.start("fanorona"), first
    while not player.search.depth:
        player.update(state.COLOURS[state.mover], hop)
        state = state.after({state.mover: hop})
        hop = state.legal[0]
        if state.mover:
            hop, taken = machine.run(player.action)
    assert 0 < taken < 0.1


@pytest.mark.parametrize("zipped", [False, True], ids=["folder", "zip"])
def test_without_its_tables_it_plays_all_the_same(zipped, tmp_path):
    source, place = Path(player_module.__file__).parent, tmp_path / "team.zip"
    with zipfile.ZipFile(place, "w") as archive:
        for path in [*source.glob("*.py"), *source.glob("shared/*.py")]:
            archive.write(path, Path("team") / path.relative_to(source))
    if not zipped:
        with zipfile.ZipFile(place) as archive:
            archive.extractall(tmp_path)
        place = tmp_path
    say = "print(*(player('light', nodes=50, book=False).action() for player in (Player, Player1100)))"
    command = f"import sys; sys.path.insert(0, {str(place)!r}); from team import Player, Player1100; {say}"
    run = subprocess.run([sys.executable, "-c", command], cwd=tmp_path, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert set(run.stdout.split()) <= set(rules.start("fanorona").legal)


def test_a_turn_is_planned_at_its_first_hop_and_forced_hops_cost_nothing():
    chance = random.Random(4)
    state = rules.start("fanorona")
    player = Player("light", nodes=2000)
    planned = followed = 0
    while state.legal:
        if state.mover == 0:
            player.search.nodes = 0
            hop = player.action()
            searched = player.search.nodes
            if state.chain or len(state.legal) == 1:
                assert not searched, state.text()
                followed += 1
            planned += 1
        else:
            hop = chance.choice(state.legal)
        player.update(state.COLOURS[state.mover], hop)
        state = state.after({state.mover: hop})
    assert planned > followed > 2


def test_a_game_is_shared_among_the_turns_still_searched_for():
    for state, hop in list(random_game("fanorona", 21))[::12]:
        player = Player("light", game_seconds=100, nodes=30, book=False)
        player.set_up(state.text())
        if hop and len(state.legal) > 1:
            player.action()
            assert player.clock.turns_left == player_module.SHARES[45 - state.board.count(".")]


def test_the_same_nodes_give_the_same_moves():
    def game():
        seats = [Player1100(colour, nodes=500, seed=1) for colour in ("light", "dark")]
        state, played = rules.start("fanorona:1100"), []
        while state.legal:
            played.append(seats[state.mover].action())
            for seat in seats:
                seat.update(*state.news(0, {state.mover: played[-1]}))
            state = state.after({state.mover: played[-1]})
        return played

    assert game() == game()


def test_variants_and_colours_that_do_not_exist_are_refused_in_a_sentence():
    for arguments in [("white",), ("light", "1200"), ("", "")]:
        with pytest.raises(ValueError, match="Fanorona"):
            Player(*arguments)


# The scripts that measure


@pytest.mark.parametrize(
    "text",
    [
        "no/such/folder",
        ".:nothing",
        ".,tree.NOTHING=1",
        ".,nothing.STORM=1",
        ".,self.search.nothing=1",
        ".,tree.STORM=many",
        ".,tree.STORM",
        ".,STORM=1",
        ".,tree.evaluate=@yardstick",
        ".,tree.evaluate=@tree.no",
    ],
)
def test_a_version_that_would_be_another_than_asked_for_is_refused_in_a_sentence(text, monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["matches", text, ".", "--start"])
    with pytest.raises(SystemExit):
        matches.main()
    assert f"no such player: {text}: " in capsys.readouterr().err


@NEEDS_CC
def test_the_duel_command_counts_the_games_of_both_versions(monkeypatch, capsys):
    said = []
    for versions in (["-", "STORM=0"], ["STORM=0", "-"], ["FORCED=2", "-"]):
        monkeypatch.setattr("sys.argv", ["duels", *versions, "--pairs", few("8", "20"), "--nodes", "300"])
        duels.main()
        counts = re.findall(r"won (\d+), drawn (\d+), lost (\d+)", capsys.readouterr().out)[0]
        said.append([int(count) for count in counts])
    assert said[0] == said[1][::-1] and said[0][0] > said[0][2] and said[2][0] == said[2][2]


def test_the_match_command_plays_balanced_openings_by_their_numbers(monkeypatch, capsys):
    def games(*more):
        words = ["matches", ".", ".,tree.STORM=0", "--nodes", "100", "--check", "600", "--men", "20", *more]
        monkeypatch.setattr("sys.argv", words)
        matches.main()
        return [line.rpartition(";")[0] for line in capsys.readouterr().out.splitlines() if line[0].isdigit()]

    monkeypatch.setattr(matches, "SHORT", (300,))
    both = games("--pairs", "2")
    assert [line.split(":")[0] for line in both[:4]] == ["1 light", "1 dark", "2 light", "2 dark"]
    assert games("--pairs", "1", "--first", "2")[:2] == both[2:4], "the same openings, lots and so games"


# The published approach


@pytest.mark.parametrize("name", NAMES)
def test_the_yardstick_knows_the_rules(name):
    for seed in range(400, 415):
        player = yardstick.Player("light", variant=name[9:])
        for state, hop in random_game(name, seed):
            offered = [player.text(each) for each, _ in yardstick.children(player.state, player.has_pass)]
            assert sorted(offered) == sorted(state.legal), f"seed {seed}: {state.text()}"
            if hop:
                player.update(state.COLOURS[state.mover], hop)


def test_all_stages_of_the_yardstick_come_to_the_value_of_minimax():
    for state, hop in list(random_game("fanorona", 31))[::4]:
        if not hop:
            continue
        for letter in "ABCD":
            found = set()
            for stage in [
                dict(pruning=False, table=False),
                dict(table=False, deepening=False),
                dict(deepening=False),
                dict(),
            ]:
                player = yardstick.Player("light", nodes=10**9, depth=3, evaluation=letter, **stage)
                player.set_up(state.text())
                assert player.action() in state.legal
                found.add(round(player.score, 9))
            assert len(found) == 1, f"evaluation {letter}, {state.text()}"


def test_the_yardstick_keeps_to_its_states():
    player = yardstick.Player("light", nodes=700)
    player.action()
    assert 1 < player.reached and player.states == 701


@pytest.mark.parametrize("name", NAMES)
def test_the_agent_beats_the_yardstick(name):
    nodes = few(1000, 3000)
    light = Player("light", variant=name[9:], nodes=nodes)
    dark = yardstick.Player("dark", variant=name[9:], nodes=nodes)
    opening = rules.start(name)
    total = points(opening, [light, dark])[0]
    light, dark = yardstick.Player("light", name[9:], nodes=nodes), Player("dark", name[9:], nodes=nodes)
    total += points(opening, [light, dark])[1]
    assert total >= 1.5


# The data


def test_every_file_of_data_has_a_row_with_its_hash():
    folder = Path(player_module.__file__).parent / "data"
    rows = (folder / "README.md").read_text(encoding="utf-8")
    files = sorted(folder.glob("*.npy"))
    assert len(files) == 2
    for file in files:
        assert hashlib.sha256(file.read_bytes()).hexdigest() in rows, f"{file.name} has no row with its hash"


def test_the_book_holds_legal_turns_and_none_of_the_rules_that_it_was_not_made_for():
    assert len(book.book(True)) == len(book.LINES) > 5 and not book.book(False)
    for line, turn in book.LINES.items():
        state = rules.start("fanorona")
        for hop in line.split():
            assert hop in state.legal, line
            state = state.after({state.mover: hop})
        mover = state.mover
        for hop in turn.split():
            assert hop in state.legal and state.mover == mover, f"{line}: {turn}"
            state = state.after({state.mover: hop})
        assert state.mover != mover, f"{line}: {turn} is not a whole turn"


def booked(line, **keywords):
    """A player after these hops, which the book has an answer to."""
    state = rules.start("fanorona")
    player = Player("dark" if line else "light", seed=1, **keywords)
    for hop in line.split():
        player.update(state.COLOURS[state.mover], hop)
        state = state.after({state.mover: hop})
    return player


@pytest.mark.parametrize("nodes", [0, 1, 300, 2000, 20000])
def test_short_searches_see_no_man_lost_by_the_book(nodes):
    for line, turn in book.LINES.items():
        player = booked(line, nodes=nodes)
        searched = count_nodes(player)
        assert player.action() == turn.split()[0]
        assert sum(searched) <= nodes
        assert not player.search.depth, "the check is no search of the turn"
        assert player.clock.nodes == nodes


def count_nodes(player):
    """The nodes of the searches to come are put into the list."""
    searched, best = [], player.search.best

    def counted(*arguments):
        found = best(*arguments)
        searched.append(player.search.nodes)
        return found

    player.search.best = counted
    return searched


@pytest.mark.parametrize("turn", ["D2-E2-W", "D2-E2-A"])
def test_a_turn_of_the_book_that_loses_a_man_is_dropped(turn):
    player = booked("", nodes=20000)
    player.book = {player.position: [notation.from_action(turn)]}
    searched = count_nodes(player)
    assert (player.action() == turn) == (turn == "D2-E2-A")
    assert len(searched) == (3 if turn == "D2-E2-W" else 2)


def test_where_the_check_of_the_book_fails_the_book_counts(monkeypatch):
    player = booked("D3-E2-A", nodes=2000)
    monkeypatch.setattr(player.search, "best", lambda *arguments: 1 // 0)
    with pytest.warns(RuntimeWarning, match="ZeroDivisionError"):
        assert player.action() == "G1-G0-W"
    assert player.clock.nodes == 2000


@pytest.mark.parametrize(("limits", "most"), [({"seconds": 0.002}, 0.005), ({"game_seconds": 2.0}, 0.4)])
def test_the_check_of_the_book_keeps_the_limits(limits, most, monkeypatch):
    machine = Machine(4e-6)
    let_clocks_read(monkeypatch, machine, "fanorona_agent.shared")
    hop, taken = machine.run(booked("D2-E2-A", **limits).action)
    assert hop == "C2-D2-A"
    assert taken < most
