"""The Expendibots agent: its fast board against the referee's rules, its search, tables and strength."""

import random
import re
from collections import Counter, namedtuple

import numpy as np
import pytest

from expendibots_agent import Player, notation, sides
from expendibots_agent import position as board
from expendibots_agent.candidates import candidates
from expendibots_agent.evaluate import WEIGHTS, by_tokens, evaluate, evaluator, material
from expendibots_agent.position import NEAR_THE_END, START, count_moves, moves, over, play, without_plies
from expendibots_agent.sides import MOST, mixed, side
from expendibots_agent.train import conversions, duels, engine, fit, tune
from referee import rules
from tests.support.agents import faults_are
from tests.support.compiler import NEEDS_CC
from tests.support.machine import Machine, let_clocks_read
from tests.support.samples import few


def start() -> rules.State:
    return rules.start("expendibots")


def quiet_or_any(state: rules.State, source: random.Random) -> tuple:
    """A random action, booms being rare, so that walks are long."""
    (player,) = state.to_act()
    actions = state.actions(player)
    steps = [action for action in actions if action[0] == "MOVE"]
    return source.choice(steps if steps and source.random() < 0.95 else actions)


def random_line(source: random.Random) -> str:
    """A position that a game might not come to: up to twelve tokens a side anywhere."""
    squares = source.sample([(x, y) for x in range(8) for y in range(8)], source.randint(2, 16))
    left = [MOST, MOST]
    stacks = []
    for number, (x, y) in enumerate(squares):
        height = min(source.choice((1, 1, 1, 2, 3, 5)), left[number % 2])
        left[number % 2] -= height
        if height:
            stacks.append(f"{'WB'[number % 2]}{height}({x},{y})")
    return " ".join([source.choice(("white", "black")), str(source.randrange(500)), *stacks])


# --- The fast board is the referee's ------------------------------------------------------------


def assert_same(state: rules.State, position: tuple, why: str) -> None:
    line = f"{why}: {state.text()}"
    if "4 times" in (state.outcome() or ("", ""))[1]:  # no single position can know
        assert over(notation.from_text(state.text())), line
        return
    assert notation.to_text(position) == state.text(), line
    assert over(position) == (state.to_act() == ()), line
    mine = [notation.to_action(position, move) for move in moves(position)]
    theirs = [action for player in state.to_act() for action in state.actions(player)]
    assert len(mine) == len(set(mine)) == count_moves(position), line
    assert sorted(mine) == theirs, line
    if theirs:
        assert state.to_act() == (position[0],), line
        assert [notation.to_move(action) for action in mine] == moves(position), line


def test_random_walks_agree_with_the_rules_on_mover_actions_end_and_result():
    seen = endgames = 0
    for seed in range(few(8, 60)):
        source = random.Random(seed)
        state, position = start(), START
        while state.to_act():
            assert_same(state, position, f"seed {seed}")
            seen += 1
            action = quiet_or_any(state, source)
            (player,) = state.to_act()
            state = state.after({player: action})
            position = notation.follow(position, {player: action})
        assert_same(state, position, f"seed {seed}")
        (white, _), _ = state.outcome()
        tokens = position[1][4], position[2][4]
        white_left, black_left = tokens if position[0] == 0 else tokens[::-1]
        if not white_left or not black_left:
            endgames += 1
            assert white == (1 if white_left else 0 if black_left else 0.5), state.text()
    assert seen >= few(400, 3000) and endgames >= few(2, 20), (seen, endgames)


def test_random_positions_agree_with_the_rules_and_come_back_as_the_same_line():
    source = random.Random(12)
    for _ in range(few(150, 400)):
        state = rules.parse("expendibots", random_line(source))
        position = notation.from_text(state.text())
        assert_same(state, position, "seed 12")
        for player in state.to_act():
            for action in state.actions(player):
                after = notation.follow(position, {player: action})
                assert notation.to_text(after) == state.after({player: action}).text(), state.text()


def test_names_tell_repetitions_as_the_rules_do():
    """Two plies shuffled over and over: the name comes back exactly when the rules count it."""
    for seed in range(30):
        source = random.Random(seed)
        state, position = start(), START
        names = Counter([position[4]])
        while state.to_act():
            (player,) = state.to_act()
            actions = state.actions(player)
            steps = [action for action in actions if action[0] == "MOVE" and action[2][1] in (0, 2, 5, 7)]
            action = source.choice((steps or actions)[:4])
            state = state.after({player: action})
            position = notation.follow(position, {player: action})
            names[position[4]] += 1
            if state.plies <= board.NEAR_THE_END:
                repeated = "4 times" in (state.outcome() or ("", ""))[1]
                assert (names[position[4]] >= 4) == repeated, f"seed {seed}: {state.text()}"


def test_the_5_702_544_sequences_of_length_four_and_the_265_308_446_of_length_five():
    level = {START[4]: (START, 1)}
    sequences = []
    for _ in range(3):
        after = {}
        for position, ways in level.values():
            for move in moves(position):
                child = play(position, move)
                known = after.get(child[4])
                after[child[4]] = (child, ways if known is None else known[1] + ways)
        level = after
        sequences.append((sum(ways for _, ways in level.values()), len(level)))
    assert sequences == [(50, 41), (2_500, 1_681), (119_400, 37_064)]
    assert sum(ways * count_moves(position) for position, ways in level.values()) == 5_702_544
    if not few(False, True):
        return
    four, five, boards = 0, 0, set()
    for position, ways in level.values():
        for move in moves(position):
            child = play(position, move)
            four += ways
            five += ways * count_moves(child)
            boards.add(hash(child[4]))  # less to keep than the board itself
    assert (four, len(boards)) == (5_702_544, 817_216)
    assert five == 265_308_446


def test_a_line_that_is_no_position_is_refused():
    for line in ("", "white", "green 0 W1(0,0)", "white x W1(0,0)", "white 0 W1(8,0)", "white 0 W0(0,0)"):
        with pytest.raises(ValueError, match=r"W1\(3,3\)"):
            notation.from_text(line)
    with pytest.raises(ValueError, match="at most 12"):
        notation.from_text("white 0 W12(0,0) W1(1,0) B1(7,7)")


def test_mixed_components_are_those_that_a_boom_of_the_rules_clears():
    source = random.Random(3)
    checked = 0
    for _ in range(300):
        state = rules.parse("expendibots", random_line(source))
        if not state.to_act():
            continue
        (player,) = state.to_act()
        position = notation.from_text(state.text())
        expected = set()
        for action in state.actions(player):
            if action[0] == "BOOM":
                after = notation.from_text(state.after({player: action}).text())
                lost = position[1][4] - after[2][4], position[2][4] - after[1][4]
                if lost[1]:
                    expected.add((position[1][1] & ~after[2][1] | position[2][1] & ~after[1][1], *lost))
        assert set(mixed(position[1], position[2])) == expected, state.text()
        checked += len(expected)
    assert checked > 200


def test_candidates_are_legal_and_distinct_and_none_only_when_the_game_is_over():
    source = random.Random(8)
    for _ in range(500):
        line = random_line(source)
        position = notation.from_text(line)
        found = [move & 65535 for move in candidates(position)]
        assert len(found) == len(set(found)) and set(found) <= set(moves(position)), line
        assert bool(found) == bool(moves(position)), line


def test_booms_that_bring_as_many_tokens_as_they_cost_are_searched():
    source = random.Random(12)
    even = 0
    for _ in range(300):
        line = random_line(source)
        position = notation.from_text(line)
        found = set(candidates(position))
        for component, my_part, their_part in mixed(position[1], position[2]) if found else ():
            if their_part >= my_part:
                squares = {square for square in range(64) if component >> square & 1}
                assert found & squares, (line, squares)
                even += their_part == my_part
    assert even > 20


def test_sides_do_not_depend_on_what_is_remembered():
    source = random.Random(4)
    for _ in range(50):
        heights = sum(source.randint(1, 2) << 4 * square for square in source.sample(range(64), 6))
        first = side(heights)
        assert first == sides._work_out(heights)


def test_the_evaluation_is_the_sum_that_its_weights_were_fitted_for():
    source = random.Random(9)
    as_fitted, table = evaluator(None, fit.FITTED), material(fit.FITTED)
    compared = 0
    for _ in range(600):
        line = random_line(source)
        position = notation.from_text(line)
        m, e = position[1][4], position[2][4]
        row = fit.features(position[1], position[2], table) if min(m, e) and m + e > 2 else None
        if row:
            total = sum(
                weight * feature for (weight, _), feature in zip(fit.FITTED.values(), row, strict=True)
            )
            assert abs(as_fitted(position) - total) < 2, line
            compared += 1
    assert compared > 300


def test_weights_change_evenly_from_two_tokens_to_all():
    changing = by_tokens((100, 320))
    assert [changing[tokens] for tokens in (0, 2, 3, 13, 24)] == [100, 100, 110, 210, 320]
    line = "white 8 W1(0,0) W1(0,3) W1(7,4) W1(7,6) B1(3,0) B1(7,1)"
    apart = dict(fit.FITTED, area=(136.1, 1136.1))  # six tokens: 100 and 4 of 22 parts of 1000 more a square
    mine, theirs = notation.from_text(line)[1:3]
    more = evaluator(None, apart)(notation.from_text(line)) - evaluator(None, fit.FITTED)(
        notation.from_text(line)
    )
    assert abs(more - (100 + 1000 * 4 / 22) * (mine[8] - theirs[8])) < 2 and mine[8] != theirs[8]


def test_both_sides_alike_an_evaluation_changes_its_sign_with_the_colours():
    for line in ("white 8 W2(0,0) W1(4,4) B2(0,7) B1(4,2)", "white 0 W12(0,0) B12(7,7)"):
        swapped = line.translate(str.maketrans("WB", "BW")).replace("white", "black")
        assert evaluate(notation.from_text(line)) == evaluate(notation.from_text(swapped))


def test_twelve_stacks_as_close_as_can_be_are_evaluated():
    block = " ".join(f"W1({x},{y})" for x in range(3) for y in range(4))
    for mover in ("white", "black"):
        position = notation.from_text(f"{mover} 20 {block} B3(7,7) B2(7,0)")
        assert position[1 + position[0]][7] == 29
        assert isinstance(evaluate(position), int)


# --- Endgames ------------------------------------------------------------------------------------


def test_one_token_against_one_is_as_good_as_drawn_and_a_little_less_to_who_searches():
    dead = notation.from_text("white 40 W1(0,0) B1(4,5)")
    assert evaluate(dead) == 0 and evaluator(0)(dead) < 0 < evaluator(1)(dead)


@pytest.mark.parametrize("kind", [conversions.against_one, conversions.two_ahead, conversions.one_ahead])
def test_small_endings_that_are_won_or_in_which_one_leads_are_not_drawn_while_he_leads(kind):
    """Against a defender who would rather have a draw than anything else that he can get."""
    ends = Counter()
    tried = few(6, 40)
    for seed in range(tried):
        position, leader = kind(random.Random(seed))
        tokens = [position[1 + (player ^ position[0])][4] for player in (leader, 1 - leader)]
        least = 2 if kind is conversions.two_ahead else 1
        assert tokens[0] >= tokens[1] + least, f"seed {seed}"
        end, _, lead = conversions.play_out(position, leader, nodes=400, defenders_nodes=400)
        assert end == "won" or lead <= 0, f"seed {seed}: {end} from {notation.to_text(position)}"
        assert "occurred" not in end or kind is conversions.one_ahead, f"seed {seed}"
        ends[end] += 1
    assert ends["won"] == tried if kind is conversions.against_one else ends["won"] >= 0.9 * tried, ends


def test_a_lead_is_not_repeated_away_near_the_limit_of_plies():
    """A late position's name has its plies in it, by which no position would ever come again."""
    for seed in range(few(12, 40)):
        position, leader = conversions.two_ahead(random.Random(f"x {seed}"))
        late = board.put_together(*position[:3], NEAR_THE_END + 1)
        end, _, _ = conversions.play_out(late, leader, nodes=800, defenders_nodes=800)
        assert end == "won" or "maximum" in end, f"seed {seed}: {end} from {notation.to_text(late)}"


# --- The search in C -----------------------------------------------------------------------------


def account(player: Player) -> tuple:
    """What the player's search says of where he stands, in the order of engine.Found."""
    player.choose()
    return player.search.move, player.search.score, player.search.depth, player.search.nodes


@NEEDS_CC
def test_the_search_in_c_finds_the_same_move_with_the_same_nodes_all_through_a_game():
    checked = 0
    for seed in range(700, few(701, 720)):
        source, position, played = random.Random(seed), START, []
        players = [Player(colour, nodes=1200, seed=1) for colour in notation.COLOURS]
        copies = [engine.Tree(), engine.Tree()]
        while not over(position) and len(played) < 70:
            if len(played) < 4 or source.random() < 0.1:  # what no search plays is met, too
                move = source.choice([move for move in moves(position) if move > 63] or moves(position))
            else:
                player = players[position[0]]
                player.search.lots = None
                player.go_on(position, played)
                told = account(player)
                move = told[0]
                if len(moves(position)) > 1:
                    found = copies[position[0]].best(position, 1200, played)
                    assert found == told, f"seed {seed}: {notation.to_text(position)}"
                    checked += 1
            played.append(without_plies(position))
            position = play(position, move)
    assert checked > few(25, 500)


@NEEDS_CC
def test_the_search_in_c_finds_the_same_in_positions_that_no_game_comes_to():
    source, checked = random.Random(21), 0
    copy = engine.Tree()
    for _ in range(few(60, 400)):
        line = random_line(source)
        position = notation.from_text(line)
        if len(moves(position)) > 1:
            player = Player(notation.COLOURS[position[0]], nodes=700)
            player.search.lots = None
            player.go_on(position)
            copy.forget()
            assert copy.best(position, 700) == account(player), line
            checked += 1
    assert checked > few(40, 300)


@NEEDS_CC
def test_the_player_with_the_search_in_c_plays_as_the_player_does():
    state, players = start(), [Player("white", nodes=500), engine.Copy("white", nodes=500)]
    players[0].search.lots = None
    while state.to_act() and state.plies < few(12, 60):
        (mover,) = state.to_act()
        action = players[0].action() if mover == 0 else state.actions(1)[-1]
        assert mover or players[1].action() == action, state.text()
        for player in players:
            player.update(state.COLOURS[mover], action)
        state = state.after({mover: action})


@NEEDS_CC
def test_the_duel_command_counts_the_games_of_both_versions(monkeypatch, capsys):
    said, pairs = [], few(8, 20)
    for versions in (["-", "area=0"], ["area=0", "-"], ["LATE=3,turns=25", "-"]):
        for nodes in (["--nodes", "300"], ["--game", "9000"]):
            monkeypatch.setattr("sys.argv", ["duels", *versions, "--pairs", str(pairs), *nodes])
            duels.main()
            said.append([int(n) for n in re.findall(r"[wdl]\w+ (\d+)", capsys.readouterr().out)])
    assert said[0] == said[2][::-1] and said[1] == said[3][::-1] and said[0][0] > said[0][2]
    assert {sum(counts) for counts in said} == {2 * pairs}


@NEEDS_CC
def test_the_weights_are_changed_by_games_and_printed_as_the_evaluation_has_them(monkeypatch, capsys):
    monkeypatch.setattr(tune, "NODES", 100)
    monkeypatch.setattr("sys.argv", ["tune", "--steps", "2"])
    tune.main()
    shown = capsys.readouterr().out
    found = eval(shown.partition("=")[2])
    assert list(found) == list(WEIGHTS)
    assert any(few != fit.FITTED[name][0] for name, (few, _) in found.items())


# --- The player ---------------------------------------------------------------------------------


def test_an_error_in_the_search_at_any_node_still_yields_a_legal_action():
    for name in ("moves", "play", "evaluate"):
        for fails_at in (0, 1, 2, 10, 500):
            player = Player("white", nodes=2000)
            real, calls = getattr(player.tree, name), []

            def failing(*arguments, real=real, calls=calls, fails_at=fails_at):
                calls.append(1)
                if len(calls) > fails_at:
                    raise RuntimeError("injected")
                return real(*arguments)

            setattr(player.tree, name, failing)
            with faults_are("injected"):
                assert player.action() in start().actions(0), f"{name} failing at call {fails_at}"


def test_equal_node_limits_give_equal_games_and_what_was_played_before_does_not_matter():
    games = []
    for _ in range(2):
        players = [Player(colour, nodes=400, seed=1) for colour in ("white", "black")]
        state, actions = start(), []
        while state.to_act() and state.plies < 40:
            (mover,) = state.to_act()
            actions.append(players[mover].action())
            for player in players:
                player.update(state.COLOURS[mover], actions[-1])
            state = state.after({mover: actions[-1]})
        games.append(actions)
    assert games[0] == games[1]


def test_update_takes_numbers_of_any_kind():
    player = Player("black", nodes=100)
    move = namedtuple("move", "kind n start target")
    player.update("white", ["MOVE", 1.0, [np.int64(0), 1], (0, np.float64(2))])
    player.update("black", move("MOVE", True, (0, 6), (0, 5)))
    player.update("white", (np.str_("BOOM"), (np.uint8(7), 0)))
    assert notation.to_text(player.position).startswith("black 3 W1(0,0) W1(0,2) B1(0,5)")
    action = player.action()
    assert type(action) is tuple and all(type(part) in (str, int, tuple) for part in action)


class Word(str):
    """A word of an action as an Enum has it: equal to the plain one, but with another str()."""

    def __str__(self):
        return f"Word.{self[:]}"


def test_update_takes_words_that_only_equal_those_of_the_rules():
    player = Player("black", nodes=100)
    player.update("white", (Word("MOVE"), 1, (0, 1), (0, 2)))
    player.update("black", (Word("BOOM"), (0, 6)))
    assert notation.to_text(player.position).startswith("white 2 W1(0,0) W1(0,2) W1(1,0)")


def test_a_shorter_time_for_the_first_action_is_kept_and_is_not_that_of_later_ones(monkeypatch):
    machine = Machine(4e-6)
    let_clocks_read(monkeypatch, machine, "expendibots_agent.shared")
    player = Player("white", first_seconds=0.2)
    player.set_up("white 20 W3(0,0) W1(2,0) W2(7,0) B3(0,7) B1(5,7) B2(7,7)")
    taken = []
    for _ in range(2):
        taken.append(machine.takes(player.action))
        assert player.search.depth
    assert taken[0] < 0.2 and taken[1] > 0.3, taken


def test_the_longest_game_stays_within_its_seconds(monkeypatch):
    """250 own turns, and as many of the opponent's to follow; a thirtieth of the course's seconds."""
    machine = Machine(2e-6)
    let_clocks_read(monkeypatch, machine, "expendibots_agent.shared")
    line = "W3(0,0) W1(2,0) W2(7,0) B3(0,7) B1(5,7) B2(7,7)"
    legal = rules.parse("expendibots", f"white 0 {line}").actions(0)
    player, used = machine.run(lambda: Player("white", seconds=2.0))
    for turn in range(250):
        player.set_up(f"white {2 * turn} {line}")
        action, taken = machine.run(player.action)
        used += taken + machine.takes(player.update, "white", action)
        used += machine.takes(player.update, "black", ("MOVE", 1, (5, 7), (6, 7)))
        assert action in legal
    assert 1.0 < used < 2.0 * 58 / 60


def test_with_the_clock_nearly_out_an_action_takes_less_than_ten_milliseconds(monkeypatch):
    machine = Machine(4e-6)
    let_clocks_read(monkeypatch, machine, "expendibots_agent.shared")
    Player("white", nodes=50).action()  # what is worked out only once
    player = Player("white")
    taken = []
    for left in (0.1, 0.01, 0.0, -1.0):
        player.clock.used = 60.0 - left
        action, seconds = machine.run(player.action)
        assert action in start().actions(0)
        taken.append(seconds)
    assert max(taken) < 0.01, taken


@pytest.mark.parametrize("megabytes, entries", [(30, 0), (40, 26_400), (100, 80_000), (None, 80_000)])
def test_positions_get_the_memory_that_imports_and_sides_leave(megabytes, entries):
    # At 18 MB for the rest, a game under --space 25 ended out of memory in its fifth turn.
    assert Player("white", megabytes=megabytes).tree.table.half == entries // 2
