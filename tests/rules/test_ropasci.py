"""RoPaSci 360: the handout's clauses and figures one by one, and 279 games of the 2021 class tournament."""

import gzip
import json
import random
import re
from collections import Counter

import pytest

from referee import rules
from referee.commands.perft import choices, perft
from referee.rules.ropasci import BEATEN_BY, HEXES, NEIGHBOURS, survivors, throw_zone
from tests import ROOT
from tests.support.machine import Machine
from tests.support.samples import few

CORPUS = ROOT / "tests" / "records" / "ropasci" / "tournament_2021.jsonl.gz"
UPPER, LOWER = 0, 1

UPPER_WINS = ((1, 0), "winner: upper")
LOWER_WINS = ((0, 1), "winner: lower")
NOTHING_LEFT = ((0.5, 0.5), "draw: no remaining tokens or throws")
BOTH_INVINCIBLE = ((0.5, 0.5), "draw: both players have an invincible token")
REPETITION = ((0.5, 0.5), "draw: same game state occurred for 3rd time")
TURN_LIMIT = ((0.5, 0.5), "draw: maximum number of turns reached")


def position(tokens, throws="5/5", turn=0):
    """A state from tokens such as `(0,0):R (0,1):s`."""
    return rules.parse("ropasci", f"{turn} {throws} {tokens}".strip())


def throw(symbol, hex):
    return ("THROW", symbol, hex)


def slide(start, end):
    return ("SLIDE", start, end)


def swing(start, end):
    return ("SWING", start, end)


def of_kind(state, player, kind):
    return [action for action in state.actions(player) if action[0] == kind]


def play(state, *turns):
    """The state after turns that are pairs of legal actions, Upper's and Lower's."""
    for turn in turns:
        for player, action in enumerate(turn):
            assert action in state.actions(player), f"{action} in {state.text()}"
        state = state.after(dict(enumerate(turn)))
    return state


# 1. The board


def test_board_has_61_hexes_in_nine_rows():
    assert len(set(HEXES)) == 61
    rows = Counter(r for r, q in HEXES)
    assert [rows[r] for r in range(4, -5, -1)] == [5, 6, 7, 8, 9, 8, 7, 6, 5]
    for r in range(-6, 7):
        for q in range(-6, 7):
            assert ((r, q) in HEXES) == (abs(r) <= 4 and abs(q) <= 4 and abs(r + q) <= 4)


def test_neighbours_are_the_hexes_at_distance_one_and_do_not_wrap():
    for a in HEXES:
        near = {b for b in HEXES if distance(a, b) == 1}
        assert set(NEIGHBOURS[a]) == near and len(NEIGHBOURS[a]) == len(near)
    assert Counter(len(near) for near in NEIGHBOURS.values()) == {6: 37, 4: 18, 3: 6}
    assert sum(len(near) for near in NEIGHBOURS.values()) == 2 * 156


def distance(a, b):
    dr, dq = a[0] - b[0], a[1] - b[1]
    return max(abs(dr), abs(dq), abs(dr + dq))


# 2. Tokens and players


def test_board_starts_empty_and_both_players_act_at_once():
    state = rules.start("ropasci")
    assert state.to_act() == (UPPER, LOWER)
    assert state.outcome() is None
    assert state == position("", "0/0")
    assert state.COLOURS == ("upper", "lower")
    assert state.LIMITS == rules.Limits(game=60.0, megabytes=100)


def test_first_throws_are_any_symbol_onto_the_own_edge():
    state = rules.start("ropasci")
    edge = {UPPER: [(4, q) for q in range(-4, 1)], LOWER: [(-4, q) for q in range(0, 5)]}
    for player in (UPPER, LOWER):
        assert set(state.actions(player)) == {throw(s, hex) for s in "rps" for hex in edge[player]}
        assert len(state.actions(player)) == 15


@pytest.mark.parametrize("winner, loser", [("r", "s"), ("s", "p"), ("p", "r")])
def test_of_two_symbols_every_beaten_token_goes_whoever_owns_it(winner, loser):
    assert BEATEN_BY[loser] == winner
    mixed = winner.upper() + winner + loser.upper() * 2 + loser
    assert survivors(mixed) == winner.upper() + winner


def test_all_three_symbols_on_a_hex_leave_nothing():
    assert survivors("RrPSs") == ""


def test_one_symbol_alone_stays_whoever_owns_it():
    assert survivors("RRr") == "RRr"


# 3. Actions


def test_each_throw_made_opens_one_more_row():
    for player in (UPPER, LOWER):
        assert [len(throw_zone(player, t)) for t in range(9)] == [5, 11, 18, 26, 35, 43, 50, 56, 61]
    for t in range(9):
        assert set(throw_zone(UPPER, t)) == {(r, q) for r, q in HEXES if r >= 4 - t}
        assert set(throw_zone(LOWER, t)) == {(r, q) for r, q in HEXES if r <= -(4 - t)}


@pytest.mark.parametrize("made, legal", list(enumerate([15, 33, 54, 78, 105, 129, 150, 168, 183])))
def test_without_tokens_only_throws_are_legal(made, legal):
    assert len(position("", f"{made}/0").actions(UPPER)) == legal
    assert len(position("", f"0/{made}").actions(LOWER)) == legal


def test_nine_throws_are_all():
    state = position("(0,0):R (2,0):S (-2,0):r (-3,0):s", "9/8")
    assert of_kind(state, UPPER, "THROW") == []
    assert len(of_kind(state, LOWER, "THROW")) == 183
    state = play(state, (slide((0, 0), (0, 1)), throw("p", (4, 0))))
    assert state.to_act() == (0, 1)
    assert of_kind(state, LOWER, "THROW") == []


def test_throw_may_land_on_tokens_of_either_side():
    state = position("(3,0):R (4,0):s (-3,0):p")
    for hex in [(3, 0), (4, 0)]:
        assert all(throw(symbol, hex) in state.actions(UPPER) for symbol in "rps")


def test_nothing_blocks_a_slide():
    state = position("(0,0):R (1,0):P (0,1):s")
    assert [end for _, start, end in of_kind(state, UPPER, "SLIDE") if start == (0, 0)] == NEIGHBOURS[0, 0]


def test_swings_turn_about_a_neighbour_to_its_far_side():
    state = position("(0,0):R (0,1):P")
    assert set(of_kind(state, UPPER, "SWING")) == {
        *(swing((0, 0), end) for end in [(-1, 2), (0, 2), (1, 1)]),
        *(swing((0, 1), end) for end in [(-1, 0), (0, -1), (1, -1)]),
    }
    assert len(of_kind(state, UPPER, "SWING")) == 6


def test_swings_are_fewer_at_the_rim():
    state = position("(4,-4):R (4,-3):P")
    assert len(of_kind(state, UPPER, "SLIDE")) == 3 + 4
    assert set(of_kind(state, UPPER, "SWING")) == {
        swing((4, -4), (3, -2)),
        swing((4, -4), (4, -2)),
        swing((4, -3), (3, -4)),
    }


def test_swing_over_two_pivots_to_the_same_hex_is_one_action():
    state = position("(0,0):R (0,1):R (1,0):R")
    assert len(of_kind(state, UPPER, "SLIDE")) == 18
    assert len(of_kind(state, UPPER, "SWING")) == 15


def test_swing_needs_an_own_token_as_pivot():
    state = position("(0,0):Rr (0,1):r")
    assert set(of_kind(state, LOWER, "SWING")) == {
        *(swing((0, 0), end) for end in [(-1, 2), (0, 2), (1, 1)]),
        *(swing((0, 1), end) for end in [(-1, 0), (0, -1), (1, -1)]),
    }
    assert of_kind(state, UPPER, "SWING") == []


def test_hex_shared_with_an_enemy_is_a_pivot_for_both():
    state = position("(0,0):Rr (0,1):R (1,-1):r")
    assert swing((0, 1), (0, -1)) in state.actions(UPPER)
    assert swing((1, -1), (-1, 1)) in state.actions(LOWER)


def test_slides_go_one_step_and_swings_two():
    for state in random_states(seed=1, games=3):
        for player in state.to_act():
            for kind, start, end in state.actions(player):
                if kind != "THROW":
                    assert distance(start, end) == {"SLIDE": 1, "SWING": 2}[kind], state.text()


def test_of_several_own_tokens_on_a_hex_one_moves():
    state = play(position("(2,0):RR (-3,0):p"), (slide((2, 0), (1, 0)), slide((-3, 0), (-3, 1))))
    assert state.text() == "1 5/5 (2,0):R (1,0):R (-3,1):p"


def test_pivot_may_move_or_die_in_the_same_turn():
    before = position("(0,0):R (0,1):R (-1,1):p")
    state = play(before, (swing((0, 0), (0, 2)), slide((-1, 1), (0, 1))))
    assert state.text() == "1 5/5 (0,1):p (0,2):R"


def test_without_tokens_but_with_throws_the_game_goes_on():
    state = position("(0,0):r", "8/9")
    assert len(state.actions(UPPER)) == 183
    assert len(state.actions(LOWER)) == 6


def test_every_player_can_always_act_while_the_game_runs():
    for state in random_states(seed=2, games=3):
        assert all(state.actions(player) for player in state.to_act()), state.text()


# 4. One turn

# Before, Upper's action, Lower's action, after: five throws made by each side before the turn.
BATTLES = {
    "they pass": (
        "(0,0):R (0,1):s", slide((0, 0), (0, 1)), slide((0, 1), (0, 0)), "(0,1):R (0,0):s"),
    "dodge": (
        "(0,0):R (0,1):s", slide((0, 0), (0, 1)), slide((0, 1), (0, 2)), "(0,1):R (0,2):s"),
    "the enemy that stays dies": (
        "(0,0):R (0,1):s (-3,0):p", slide((0, 0), (0, 1)), slide((-3, 0), (-3, 1)), "(0,1):R (-3,1):p"),
    "all three symbols": (
        "(0,0):R (0,1):s (-1,2):p", slide((0, 0), (0, 1)), slide((-1, 2), (0, 1)), ""),
    "both hit, then share": (
        "(0,0):R (0,1):s (-1,1):r", slide((0, 0), (0, 1)), slide((-1, 1), (0, 1)), "(0,1):Rr"),
    "equal symbols share": (
        "(1,0):R (-1,1):r", slide((1, 0), (0, 1)), slide((-1, 1), (0, 1)), "(0,1):Rr"),
    "different symbols fight": (
        "(1,0):R (-1,1):p", slide((1, 0), (0, 1)), slide((-1, 1), (0, 1)), "(0,1):p"),
    "Lower also kills its own": (
        "(0,1):Rr (1,1):S (-1,1):p", slide((1, 1), (1, 0)), slide((-1, 1), (0, 1)), "(0,1):p (1,0):S"),
    "own dies, the enemy got away": (
        "(0,1):Rr (-1,1):p", slide((0, 1), (1, 1)), slide((-1, 1), (0, 1)), "(1,1):R (0,1):p"),
    "a throw kills its own": (
        "(3,0):S (-3,0):p", throw("r", (3, 0)), slide((-3, 0), (-3, 1)), "(3,0):R (-3,1):p"),
    "own mover dies": (
        "(3,0):R (3,1):S (-3,0):p", slide((3, 1), (3, 0)), slide((-3, 0), (-3, 1)), "(3,0):R (-3,1):p"),
    "both of a hex die": (
        "(0,0):ss (-3,0):p", throw("r", (0, 0)), slide((-3, 0), (-3, 1)), "(0,0):R (-3,1):p"),
    "away before the throw lands": (
        "(0,0):s (-3,0):p", throw("r", (0, 0)), slide((0, 0), (-1, 0)), "(0,0):R (-1,0):s (-3,0):p"),
    "two throws onto one hex": (
        "(3,0):P (-3,0):p", throw("r", (0, 0)), throw("s", (0, 0)), "(0,0):R (3,0):P (-3,0):p"),
    "one of two moves": (
        "(2,0):RR (-3,0):p", slide((2, 0), (1, 0)), slide((-3, 0), (-3, 1)), "(2,0):R (1,0):R (-3,1):p"),
}  # fmt: skip


@pytest.mark.parametrize("before, upper, lower, after", BATTLES.values(), ids=BATTLES)
def test_battle(before, upper, lower, after):
    throws = f"{5 + (upper[0] == 'THROW')}/{5 + (lower[0] == 'THROW')}"
    assert play(position(before), (upper, lower)).text() == position(after, throws, turn=1).text()


def test_order_in_which_the_choices_are_named_does_not_matter():
    state = position("(0,0):R (0,1):s (-1,1):r")
    upper, lower = slide((0, 0), (0, 1)), slide((-1, 1), (0, 1))
    assert state.after({UPPER: upper, LOWER: lower}) == state.after({LOWER: lower, UPPER: upper})


def test_players_are_told_the_opponents_action_first_and_their_own_second():
    state = rules.start("ropasci")
    upper, lower = throw("r", (4, 0)), throw("p", (-4, 0))
    assert state.news(UPPER, {UPPER: upper, LOWER: lower}) == (lower, upper)
    assert state.news(LOWER, {UPPER: upper, LOWER: lower}) == (upper, lower)


def test_between_turns_a_hex_holds_one_symbol():
    for state in random_states(seed=3, games=3):
        assert all(len(set(tokens.lower())) == 1 for _, tokens in state.board), state.text()


# 5. The end

# What stands on the board when the turn is over, the throws made, the result.
ENDS = [
    ("", "9/9", NOTHING_LEFT),
    ("(0,0):R (2,0):s", "9/9", UPPER_WINS),
    ("(0,0):R", "9/9", UPPER_WINS),
    ("(0,0):R (2,0):r", "9/9", BOTH_INVINCIBLE),
    ("(0,0):P (2,0):r", "9/8", None),
    ("(0,0):P (2,0):r", "5/9", UPPER_WINS),
    ("(0,0):P (2,0):r (-2,0):r", "9/9", None),
    ("(0,0):P (2,0):r (-2,0):p", "5/9", None),
    ("(0,0):R (2,0):S (-2,0):p", "9/9", UPPER_WINS),
    ("(0,0):R (2,0):S (-2,0):p (-3,0):s", "9/9", None),
    ("(0,0):R (2,0):p", "9/9", LOWER_WINS),
]


@pytest.mark.parametrize("tokens, throws, outcome", ENDS)
def test_end(tokens, throws, outcome):
    assert position(tokens, throws).outcome() == outcome


@pytest.mark.parametrize("tokens, throws, outcome", ENDS)
def test_end_with_the_sides_exchanged(tokens, throws, outcome):
    exchanged = {UPPER_WINS: LOWER_WINS, LOWER_WINS: UPPER_WINS}.get(outcome, outcome)
    assert position(tokens.swapcase(), throws[::-1]).outcome() == exchanged


def test_end_by_an_action_is_the_same_as_a_set_up_end():
    ends = [
        ("(0,1):s (-1,2):p", "8/9", throw("r", (0, 1)), slide((-1, 2), (0, 1)), NOTHING_LEFT),
        ("(0,0):R (2,0):S (0,2):s (-2,0):p", "9/9", slide((2, 0), (2, 1)), slide((0, 2), (0, 3)), None),
        ("(0,0):R (0,1):s (-3,0):s", "8/9", slide((0, 0), (0, 1)), slide((-3, 0), (-3, 1)), UPPER_WINS),
        ("(0,0):R (0,1):s", "9/8", slide((0, 0), (0, 1)), throw("r", (4, 0)), BOTH_INVINCIBLE),
    ]
    for tokens, throws, upper, lower, outcome in ends:
        assert play(position(tokens, throws), (upper, lower)).outcome() == outcome, tokens


def test_wiped_out_player_with_a_throw_left_has_not_lost():
    assert position("(0,0):R (2,0):S (-2,0):P", "9/8").outcome() is None
    assert position("", "9/8").outcome() == LOWER_WINS
    assert position("", "8/8").outcome() is None


def test_one_invincible_token_does_not_win_against_two_tokens():
    assert position("(0,0):R (2,0):s (3,0):r", "5/9").outcome() is None


def test_enemy_that_beats_a_symbol_makes_it_vincible_from_anywhere():
    assert position("(4,0):R (-4,0):p (-4,1):s", "5/9").outcome() is None
    assert position("(4,0):R (-4,1):s", "5/9").outcome() == UPPER_WINS


def test_symbol_is_not_invincible_while_its_enemy_has_throws():
    assert position("(0,0):R (2,0):r", "9/8").outcome() == LOWER_WINS
    assert position("(0,0):R (2,0):r", "8/9").outcome() == UPPER_WINS
    assert position("(0,0):R (2,0):r", "8/8").outcome() is None


# Two rocks that walk to and fro, all throws in hand but one each.
THERE = (slide((4, 0), (3, 0)), slide((-4, 0), (-3, 0)))
BACK = (slide((3, 0), (4, 0)), slide((-3, 0), (-4, 0)))
AWAY = (slide((4, 0), (3, 1)), slide((-4, 0), (-3, -1)))
HOME = (slide((3, 1), (4, 0)), slide((-3, -1), (-4, 0)))
OPENING = (throw("r", (4, 0)), throw("r", (-4, 0)))


def test_third_occurrence_of_a_state_is_a_draw():
    state = play(rules.start("ropasci"), OPENING, THERE, BACK, THERE)
    assert state.outcome() is None
    assert play(state, BACK).outcome() == REPETITION
    assert play(state, BACK).to_act() == ()


def test_third_occurrence_need_not_follow_the_second():
    state = play(rules.start("ropasci"), OPENING, THERE, BACK, AWAY)
    assert state.outcome() is None
    assert play(state, HOME).outcome() == REPETITION


def test_set_up_state_has_been_seen_once():
    state = play(position("(4,0):R (-4,0):r", "1/1"), THERE, BACK, AWAY)
    assert state.outcome() is None
    assert play(state, HOME).outcome() == REPETITION


def test_parsing_a_running_state_forgets_how_often_it_was_seen():
    seen_twice = play(rules.start("ropasci"), OPENING, THERE, BACK)
    state = play(rules.parse("ropasci", seen_twice.text()), THERE, BACK)
    assert state.outcome() is None
    assert play(state, AWAY, HOME).outcome() == REPETITION


def test_state_that_ended_by_repetition_is_over_when_parsed():
    state = play(rules.start("ropasci"), OPENING, THERE, BACK, THERE, BACK)
    parsed = rules.parse("ropasci", state.text())
    assert parsed.outcome() == REPETITION
    assert parsed.to_act() == () and parsed.actions(UPPER) == [] and parsed.actions(LOWER) == []
    assert parsed.text() == state.text()


def test_throws_made_are_part_of_the_state():
    # Scissors thrown onto the own rock die at once: the board comes back, the throws in hand do not.
    there, back = (
        (throw("s", (4, 0)), slide((-4, 0), (-3, 0))),
        (throw("s", (4, 0)), slide((-3, 0), (-4, 0))),
    )
    state = play(rules.start("ropasci"), OPENING, there, back, there, back)
    assert state.board == position("(4,0):R (-4,0):r").board and state.thrown == (5, 1)
    assert state.outcome() is None
    assert play(state, THERE, BACK).outcome() is None
    assert play(state, THERE, BACK, THERE, BACK).outcome() == REPETITION


def test_tokens_of_one_kind_that_changed_places_are_the_same_state():
    around = (
        (slide((0, 0), (1, 0)), slide((-4, 0), (-3, 0))),
        (slide((0, 1), (0, 0)), slide((-3, 0), (-3, -1))),
        (slide((1, 0), (0, 1)), slide((-3, -1), (-4, 0))),
    )
    state = play(position("(0,0):R (0,1):R (-4,0):r"), *around)
    assert state.outcome() is None
    assert play(state, *around).outcome() == REPETITION


def test_game_ends_after_360_turns():
    state = position("(4,0):R (-4,0):r", turn=358)
    assert play(state, THERE).outcome() is None
    assert play(state, THERE, BACK).outcome() == TURN_LIMIT
    assert play(state, THERE, BACK).to_act() == ()
    assert position("(4,0):R (-4,0):r", turn=360).outcome() == TURN_LIMIT


def test_win_in_turn_360_is_a_win():
    state = position("(0,0):R (0,1):s", "5/9", turn=359)
    assert state.outcome() == UPPER_WINS
    state = position("(0,0):R (0,1):s (0,-1):s", "5/9", turn=359)
    assert play(state, (slide((0, 0), (0, 1)), slide((0, -1), (0, -2)))).outcome() == UPPER_WINS


def test_repetition_in_turn_360_is_named_before_the_turn_limit():
    state = play(position("(4,0):R (-4,0):r", turn=356), THERE, BACK, THERE, BACK)
    assert state.turn == 360
    assert state.outcome() == REPETITION
    assert rules.parse("ropasci", state.text()).outcome() == REPETITION


# 10. Figures that other programs agreed on


def test_counts_from_the_start():
    start = rules.start("ropasci")
    for depth, count in enumerate((15**2, 549**2, 33_216**2)[: few(2, 3)], 1):
        assert perft(start, depth) == count
    after = {start.after(chosen) for chosen in choices(start)}
    assert len({(state.board, state.thrown) for state in after}) == 225
    # In their first two turns the players do not meet, so that each has his boards whatever the other does.
    lower = start.actions(LOWER)[0]
    after = {start.after({UPPER: action, LOWER: lower}) for action in start.actions(UPPER)}
    after = {
        state.after({UPPER: action, LOWER: other})
        for state in after
        for action in state.actions(UPPER)
        for other in state.actions(LOWER)[:1]
    }
    sides = {
        (tuple(stack for stack in state.board if stack[1].isupper()), state.thrown[UPPER]) for state in after
    }
    assert len(sides) == 423 and 423**2 == 178_929


# Tokens, throws made; legal actions of each; joint actions, next states, ends, joint actions of two turns.
MIDDLE = [
    (
        "(0,0):R (1,0):P (0,1):s (-1,1):r", "9/9", (18, 18), 324, 313,
        {None: 204, UPPER_WINS: 70, LOWER_WINS: 32, BOTH_INVINCIBLE: 18}, 49_968,
    ),
    (
        "(0,0):Rr (0,1):S (1,-1):PP (-1,0):p (-2,1):s", "9/9", (30, 30), 900, 818,
        {None: 843, UPPER_WINS: 6, LOWER_WINS: 1, BOTH_INVINCIBLE: 50}, 570_681,
    ),
    (
        "(2,-1):R (1,0):S (3,-1):P (0,0):p (-1,2):s (0,1):r", "7/6", (198, 180), 35_640, 33_183,
        {None: 35_640}, None,
    ),
]  # fmt: skip


@pytest.mark.parametrize("tokens, throws, legal, joint, distinct, ends, pairs", MIDDLE)
def test_counts_in_the_middle(tokens, throws, legal, joint, distinct, ends, pairs):
    state = position(tokens, throws)
    assert tuple(len(state.actions(player)) for player in (UPPER, LOWER)) == legal
    assert perft(state, 1) == joint
    after = [state.after(chosen) for chosen in choices(state)]
    assert len(set(after)) == distinct
    assert Counter(state.outcome() for state in after) == ends
    if pairs:
        assert perft(state, 2) == pairs


def test_legal_actions_of_a_middle_position_take_under_two_milliseconds_on_a_usual_machine():
    state = position("(2,-1):R (1,0):S (3,-1):P (0,0):p (-1,2):s (0,1):r", "7/6")
    assert Machine().takes(state.actions, UPPER) < 0.002


def turned(hex):
    return -hex[0], -hex[1]


def mirrored(hex):
    return hex[0], -hex[0] - hex[1]


def same(hex):
    return hex


UNCHANGED = {symbol: symbol for symbol in "rps"}


@pytest.mark.parametrize(
    "exchanged, move, symbols",
    [(True, turned, UNCHANGED), (False, mirrored, UNCHANGED), (False, same, BEATEN_BY)],
    ids=["half turn and sides exchanged", "left and right", "symbols"],
)
def test_symmetry(exchanged, move, symbols):
    def image(action):
        kind, source, end = action
        return kind, symbols[source] if kind == "THROW" else move(source), move(end)

    def image_of_token(token):
        symbol = symbols[token.lower()]
        return symbol.upper() if token.isupper() != exchanged else symbol

    seed = 4
    rng = random.Random(seed)
    state = other = rules.start("ropasci")
    while players := state.to_act():
        chosen = {player: rng.choice(state.actions(player)) for player in players}
        seat = {player: 1 - player if exchanged else player for player in players}
        for player in players:
            legal = {image(action) for action in state.actions(player)}
            assert set(other.actions(seat[player])) == legal, (seed, state.text())
        state = state.after(chosen)
        other = other.after({seat[player]: image(action) for player, action in chosen.items()})
        board = {move(hex): sorted(map(image_of_token, tokens)) for hex, tokens in state.board}
        assert {hex: list(tokens) for hex, tokens in other.board} == board, (seed, state.text())
    (upper, lower), _ = state.outcome()
    assert other.outcome()[0] == ((lower, upper) if exchanged else (upper, lower))


def random_states(seed, games):
    """All states of some games between players who choose at random."""
    rng = random.Random(seed)
    for _ in range(games):
        state = rules.start("ropasci")
        yield state
        while players := state.to_act():
            state = state.after({player: rng.choice(state.actions(player)) for player in players})
            yield state


# The recorded games of the tournament


def as_action(recorded):
    """An action as the players named it: JSON has lists where the course has tuples."""
    return tuple(as_action(part) if isinstance(part, list) else part for part in recorded)


@pytest.fixture(scope="module")
def tournament():
    with gzip.open(CORPUS, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


@pytest.fixture(scope="module")
def replayed(tournament):
    """The last state of each game and its figures: sums of legal actions, and the largest product."""
    last, figures = {}, {}
    for game in tournament:
        state = rules.start("ropasci")
        legal = []
        for turn, actions in enumerate(game["actions"], start=1):
            where = f"game {game['id']}, turn {turn}"
            chosen = {player: as_action(action) for player, action in enumerate(actions)}
            assert state.to_act() == (UPPER, LOWER), f"{where}: already over, {state.outcome()}"
            for player, action in chosen.items():
                assert action in state.actions(player), f"{where}: {action} is not legal in {state.text()}"
            legal.append([len(state.actions(player)) for player in (UPPER, LOWER)])
            state = state.after(chosen)
            assert rules.parse("ropasci", state.text()).outcome() == state.outcome(), where
        last[game["id"]] = state
        products = [upper * lower for upper, lower in legal]
        figures[game["id"]] = (
            len(legal),
            sum(upper for upper, _ in legal),
            sum(lower for _, lower in legal),
            sum(products),
            max(products, default=0),
        )
    return last, figures


def test_tournament_games_have_exactly_the_recorded_results(tournament, replayed):
    last, _ = replayed
    for game in tournament:
        outcome = last[game["id"]].outcome()
        assert (outcome and outcome[1]) == game["result"], f"game {game['id']}"


def test_tournament_has_the_known_number_of_each_ending(tournament, replayed):
    last, _ = replayed
    assert len(tournament) == len(last) == 279
    assert Counter(state.outcome() for state in last.values()) == {
        UPPER_WINS: 47, LOWER_WINS: 76, REPETITION: 61, BOTH_INVINCIBLE: 15, None: 80,
    }  # fmt: skip
    assert sum("illegal" in game for game in tournament) == 20


def test_illegal_actions_of_the_tournament_are_refused(tournament, replayed):
    last, _ = replayed
    for game in tournament:
        if "illegal" in game:
            colour, recorded = game["illegal"]
            state = last[game["id"]]
            action = recorded and as_action(recorded)
            assert state.outcome() is None
            assert action not in state.actions(state.COLOURS.index(colour)), f"game {game['id']}: {action}"


def test_tournament_checksums(replayed):
    _, figures = replayed
    turns, upper, lower, products, largest = zip(*figures.values(), strict=True)
    assert sum(turns) == 16_844
    assert (sum(upper), sum(lower), sum(products)) == (1_634_283, 1_715_712, 175_974_535)
    assert max(largest) == 52_875
    assert sum(products) // sum(turns) == 10_447


# Turns, sums of Upper's and of Lower's legal actions and of their products, largest product; at the end
# throws made, tokens on the board, outcome.
GAMES = {
    "1.01.0": ((22, 1_872, 1_037, 91_897, 5_742), (3, 2), 4, REPETITION),
    "1.02.0": ((78, 8_253, 14_529, 1_574_897, 24_921), (5, 9), 3, UPPER_WINS),
    "1.07.0": ((33, 4_029, 1_637, 173_333, 23_000), (9, 9), 6, BOTH_INVINCIBLE),
    "1.08.1": ((52, 2_091, 1_837, 171_517, 36_182), (9, 9), 3, LOWER_WINS),
    "1.12.2": ((40, 3_848, 5_281, 627_303, 39_975), (9, 9), 4, LOWER_WINS),
    "2.03.1": ((230, 21_478, 21_527, 2_020_634, 10_434), (3, 3), 5, REPETITION),
    "2.15.2": ((212, 16_109, 17_513, 1_421_107, 18_216), (9, 9), 4, BOTH_INVINCIBLE),
    "4.06.2": ((269, 23_425, 23_726, 2_653_352, 38_994), (9, 9), 3, UPPER_WINS),
    "5.03.2": ((319, 34_702, 35_306, 3_561_754, 31_257), (9, 8), 5, LOWER_WINS),
}


@pytest.mark.parametrize("name", GAMES)
def test_tournament_game_in_figures(replayed, name):
    last, figures = replayed
    state = last[name]
    tokens = sum(len(tokens) for _, tokens in state.board)
    assert (figures[name], state.thrown, tokens, state.outcome()) == GAMES[name]


# Text and drawing


def test_text_names_turn_throws_and_tokens():
    state = play(rules.start("ropasci"), OPENING, (throw("r", (4, 0)), throw("p", (-4, 3))))
    assert rules.start("ropasci").text() == "0 0/0"
    assert state.text() == "2 2/2 (4,0):RR (-4,0):r (-4,3):p"
    assert rules.parse("ropasci", state.text()) == state


@pytest.mark.parametrize(
    "line, says",
    [
        ("", "reads like"),
        ("0", "reads like"),
        ("0 0/0 ", "reads like"),
        ("0 0/0\n", "reads like"),
        ("0 10/0", "reads like"),
        ("0 9/٣", "reads like"),
        ("٣ 9/9", "reads like"),
        ("-1 0/0", "reads like"),
        ("01 0/0", "reads like"),
        ("0 5/5 (0,0)", "reads like"),
        ("0 5/5 (0,0):", "reads like"),
        ("0 5/5 (0,0):X", "reads like"),
        ("0 5/5 (-0,0):R", "reads like"),
        ("0 5/5 (5,0):R", "reads like"),
        ("0 5/5  (0,0):R", "reads like"),
        ("0 5/5 (4,4):R", "(4,4) is not on the board"),
        ("0 5/5 (-3,-2):R", "(-3,-2) is not on the board"),
        ("0 5/5 (0,0):R (0,0):R", "(0,0) is there twice"),
        ("0 5/5 (0,0):RS", "share one symbol"),
        ("0 5/5 (0,0):Rp", "share one symbol"),
        ("0 1/5 (0,0):R (1,0):R", "upper has more tokens (2) on the board than it threw (1)"),
        ("0 5/0 (0,0):r", "lower has more tokens (1) on the board than it threw (0)"),
        ("361 5/5 (0,0):R", "after 360 turns"),
        ("9 9/9 (0,0):R repeated", "cannot have been repeated"),
        ("0 0/0 repeated", "cannot have been repeated"),
        ("9 5/5 (0,0):R repeated repeated", "reads like"),
    ],
)
def test_nonsense_is_refused_in_one_sentence(line, says):
    with pytest.raises(ValueError) as refusal:
        rules.parse("ropasci", line)
    assert says in str(refusal.value) and "\n" not in str(refusal.value)


def test_variant_is_refused():
    for name in ("ropasci:360", "ropasci:ropasci"):
        with pytest.raises(ValueError, match=f"ropasci has no variants: say 'ropasci', not '{name}'"):
            rules.start(name)
        with pytest.raises(ValueError, match="ropasci has no variants"):
            rules.parse(name, "0 0/0")


def test_board_is_drawn_with_uppers_edge_on_top():
    state = position("(4,-4):R (4,0):S (0,0):Pp (1,-1):RRrrr (-4,0):s (-4,4):p", "9/8")
    assert (
        state.draw()
        == r"""
upper (R P S): throws left 0
             .-'-. .-'-. .-'-. .-'-. .-'-.
            |  R  |     |     |     |  S  |
          .-'-. .-'-. .-'-. .-'-. .-'-. .-'-.
         |     |     |     |     |     |     |
       .-'-. .-'-. .-'-. .-'-. .-'-. .-'-. .-'-.
      |     |     |     |     |     |     |     |
    .-'-. .-'-. .-'-. .-'-. .-'-. .-'-. .-'-. .-'-.
   |     |     |     | R2r3|     |     |     |     |
 .-'-. .-'-. .-'-. .-'-. .-'-. .-'-. .-'-. .-'-. .-'-.
|     |     |     |     |  Pp |     |     |     |     |
'-. .-'-. .-'-. .-'-. .-'-. .-'-. .-'-. .-'-. .-'-. .-'
   |     |     |     |     |     |     |     |     |
   '-. .-'-. .-'-. .-'-. .-'-. .-'-. .-'-. .-'-. .-'
      |     |     |     |     |     |     |     |
      '-. .-'-. .-'-. .-'-. .-'-. .-'-. .-'-. .-'
         |     |     |     |     |     |     |
         '-. .-'-. .-'-. .-'-. .-'-. .-'-. .-'
            |  s  |     |     |     |  p  |
            '-. .-'-. .-'-. .-'-. .-'-. .-'
lower (r p s): throws left 1
""".strip("\n")
    )


def test_large_board_names_every_hex():
    drawn = rules.start("ropasci").draw(large=True)
    named = [tuple(map(int, name)) for name in re.findall(r"(-?\d),(-?\d)", drawn)]
    assert named == HEXES


def test_unicode_board_stands_where_the_ascii_board_does():
    state = position("(4,-4):R (0,0):Pp (-4,4):p")
    plain, fancy = (state.draw(unicode=unicode).splitlines() for unicode in (False, True))
    assert len(plain) == len(fancy)
    rows = [(a, b) for a, b in zip(plain, fancy, strict=True) if "|" in a]
    assert len(rows) == 9
    assert all(a.replace("|", "│") == b for a, b in rows)


def test_paint_is_given_each_players_tokens():
    painted = []

    def paint(text, player):
        painted.append((text, player))
        return text

    position("(4,-4):R (0,0):PPp (-4,4):p").draw(paint=paint)
    assert painted == [("R", UPPER), ("P2", UPPER), ("p", LOWER), ("p", LOWER)]
