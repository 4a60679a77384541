"""Fanorona's rules, clause by clause, and the figures known for them.

Figures that readable code takes too long for are checked on the fanorona agent's fast board.  Endings
under the 1130 rules without the history (whole turns; win, loss and draw in percent of all positions,
the longest win in turns up to the next capture by the winning side, wins longer than 21):
- 1 man against 3, mover first: 595980 positions, 2.8, 86.6, 10.6, longest 1, none longer than 21;
- 3 against 1: 595980 positions, 99.9, 0.0, 0.1, longest 13, none longer than 21;
- 2 against 2: 893970 positions, 57.0, 7.7, 35.2, longest 29, 756 longer than 21 (and 530 losses).
Six whole turns from the start under 1130, those with equal boards merged: 9204447 (one source only).
"""

import random
import re
from collections import Counter
from dataclasses import replace
from itertools import combinations, permutations
from typing import NamedTuple

import pytest

from referee import rules
from referee.rules.fanorona import POINTS, START, STEP, STEPS, State, is_strong
from tests.support.samples import soon

BOTH = pytest.mark.parametrize("name", ["fanorona", "fanorona:1100"])


def board(light="", dark=""):
    """The 45 points with men on the points named."""
    men = dict.fromkeys(light.split(), "o") | dict.fromkeys(dark.split(), "x")
    assert set(men) <= set(POINTS)
    return "".join(men.get(point, ".") for point in POINTS)


def play(state, hops):
    """The state after these hops, each legal for whoever was to move."""
    for hop in hops.split():
        (mover,) = state.to_act()
        assert hop in state.actions(mover), f"{hop} is not among {state.actions(mover)}"
        state = state.after({mover: hop})
    return state


def legal(state):
    """The legal hops of whoever is to move, as a set."""
    return {hop for mover in state.to_act() for hop in state.actions(mover)}


def random_game(state, seed):
    """All states of a random game."""
    choose = random.Random(seed).choice
    states = [state]
    while state.to_act():
        (mover,) = state.to_act()
        state = state.after({mover: choose(state.actions(mover))})
        states.append(state)
    return states


# Board and start


def test_points_are_named_row_by_row_from_A0():
    assert len(POINTS) == 45
    assert [POINTS[n] for n in (0, 1, 8, 9, 22, 44)] == ["A0", "B0", "I0", "A1", "E2", "I4"]


def test_23_points_are_strong_and_22_weak():
    assert sum(map(is_strong, range(45))) == 23
    assert is_strong(POINTS.index("E2")) and is_strong(0) and not is_strong(1)


def test_lines_of_the_board():
    assert len(STEPS) == len(STEP) == 216
    assert all((step.target, step.origin) in {(s.origin, s.target) for s in STEPS} for step in STEPS)
    neighbours = Counter(Counter(step.origin for step in STEPS).values())
    assert neighbours == {3: 16, 4: 10, 5: 8, 8: 11}
    assert sum(bool(step.ahead) for step in STEPS) == 168
    assert sum(bool(step.behind) for step in STEPS) == 168


def test_diagonal_lines_join_strong_points_only():
    for step in STEPS:
        if abs(step.target - step.origin) not in (1, 9):
            assert is_strong(step.origin) and is_strong(step.target), step.name


@BOTH
def test_the_start(name):
    state = rules.start(name)
    assert state.text() == "xxxxxxxxxxxxxxxxxxxoxo.xoxooooooooooooooooooo 1"
    assert state.board.count("o") == state.board.count("x") == 22
    assert state.to_act() == (0,)
    assert state.actions(0) == ["F3-E2-A", "D2-E2-A", "E3-E2-A", "D3-E2-A", "D2-E2-W"]
    assert state.actions(1) == []
    assert state.outcome() is None


def test_colours_and_the_course_limits():
    assert State.COLOURS == ("light", "dark")
    assert (State.LIMITS.action, State.LIMITS.megabytes, State.LIMITS.game) == (4.0, 100, None)


def test_the_start_turned_by_180_degrees_with_colours_exchanged_is_itself():
    assert START[::-1].translate(str.maketrans("ox", "xo")) == START


def test_a_hop_leaves_the_old_state_as_it_was():
    state = rules.start("fanorona")
    state.after({0: "F3-E2-A"})
    assert state == rules.start("fanorona")
    state.actions(0).clear()
    assert len(state.actions(0)) == 5


def test_an_update_is_told_the_movers_colour_and_the_hop():
    state = rules.start("fanorona")
    assert state.news(0, {0: "F3-E2-A"}) == state.news(1, {0: "F3-E2-A"}) == ("light", "F3-E2-A")
    assert state.news(0, {1: "P"}) == ("dark", "P")


MIRRORS = {
    "left to right": lambda x, y: (8 - x, y),
    "top to bottom": lambda x, y: (x, 4 - y),
    "half a turn": lambda x, y: (8 - x, 4 - y),
}


@pytest.mark.parametrize("mirror", MIRRORS)
def test_mirrored_positions_have_mirrored_hops(mirror):
    image = {}
    for n, point in enumerate(POINTS):
        x, y = MIRRORS[mirror](n % 9, n // 9)
        image[point] = POINTS[9 * y + x]
    for seed in range(10):
        for state in random_game(rules.start("fanorona"), seed):
            mirrored = replace(
                state,
                board="".join(state.board[POINTS.index(image[point])] for point in POINTS),
                chain=tuple(POINTS.index(image[POINTS[point]]) for point in state.chain),
            )
            expected = {re.sub(r"[A-I]\d", lambda point: image[point[0]], hop) for hop in legal(state)}
            assert legal(mirrored) == expected, f"seed {seed}: {state.text()}"


# Hops


def test_a_paika_goes_along_a_line_to_a_neighbouring_empty_point():
    strong, weak = State(True, board("E2", "A0"), 0), State(True, board("E1", "A0"), 0)
    assert legal(strong) == {f"E2-{point}-P" for point in "D1 E1 F1 D2 F2 D3 E3 F3".split()}
    assert legal(weak) == {f"E1-{point}-P" for point in "E0 D1 F1 E2".split()}
    assert play(strong, "E2-F1-P") == State(True, board("F1", "A0"), 1, history=(board("F1", "A0"),))


def test_no_paika_while_a_man_anywhere_can_capture():
    state = State(True, board("A4 E2", "E4"), 0)
    assert legal(state) == {"E2-E3-A"}


def test_any_capture_may_be_chosen_whatever_its_size():
    # Approach up to E2 takes two men, withdrawal from A1 one.
    state = State(True, board("E3 A1", "E1 E0 A0"), 0)
    assert legal(state) == {"E3-E2-A", "A1-A2-W"}


def test_an_approach_takes_the_run_beyond_up_to_a_gap_an_own_man_or_the_edge():
    assert play(State(True, board("B2", "D2 E2 G2"), 0), "B2-C2-A").board == board("C2", "G2")
    assert play(State(True, board("B2 F2", "D2 E2 G2"), 0), "B2-C2-A").board == board("C2 F2", "G2")
    assert play(State(True, board("B2", "D2 E2 F2 G2 H2 I2 I4"), 0), "B2-C2-A").board == board("C2", "I4")


def test_a_withdrawal_takes_the_run_behind_up_to_a_gap_an_own_man_or_the_edge():
    assert play(State(True, board("G2", "F2 E2 C2"), 0), "G2-H2-W").board == board("H2", "C2")
    assert play(State(True, board("G2 D2", "F2 E2 C2"), 0), "G2-H2-W").board == board("H2 D2", "C2")
    assert play(State(True, board("C2", "B2 A2 I4"), 0), "C2-D2-W").board == board("D2", "I4")


def test_an_empty_point_between_prevents_the_capture():
    assert all(hop.endswith("-P") for hop in legal(State(True, board("B2", "E2"), 0)))


def test_one_hop_that_offers_both_captures_is_two_and_only_the_named_line_falls():
    state = State(True, board("D2", "C2 F2 A0"), 0)
    assert legal(state) == {"D2-E2-A", "D2-E2-W"}
    assert play(state, "D2-E2-A").board == board("E2", "C2 A0")
    assert play(state, "D2-E2-W").board == board("E2", "F2 A0")


def fallen(before, hops):
    """The names of the points from which these hops remove an enemy of the player who makes the last."""
    *earlier, last = hops.split()
    before = play(before, " ".join(earlier))
    after = play(before, last)
    enemy = "xo"[before.mover]
    return {point for n, point in enumerate(POINTS) if before.board[n] == enemy and after.board[n] != enemy}


@pytest.mark.parametrize(
    ("hops", "taken"),
    [
        ("E3-E2-A", "E1 E0"),
        ("F3-E2-A", "D1 C0"),
        ("D3-E2-A", "F1 G0"),
        ("D2-E2-A", "F2"),
        ("D2-E2-W", "C2"),
        ("E3-E2-A F1-E0-W", "G2 H3 I4"),
        ("F3-E2-A C2-D1-W", "B3 A4"),
        ("F3-E2-A C2-D1-W D1-C0-W", "E2"),
    ],
)
@BOTH
def test_worked_examples_of_what_falls(name, hops, taken):
    assert fallen(rules.start(name), hops) == set(taken.split())


@BOTH
def test_two_captures_by_one_hop_leave_two_different_boards(name):
    start = rules.start(name)
    assert play(start, "D2-E2-A").board == "xxxxxxxxxxxxxxxxxxxox.o.oxooooooooooooooooooo"
    assert play(start, "D2-E2-W").board == "xxxxxxxxxxxxxxxxxxxo..oxoxooooooooooooooooooo"


# Chains


@BOTH
def test_a_withdrawal_of_three_leaves_the_chain_open(name):
    state = play(rules.start(name), "E3-E2-A F1-E0-W")
    assert state.board == "xxxxxxxxxxxxx..xxxxoxoox.xooooo.oo.ooooooooo."
    assert state.to_act() == (1,)
    assert legal(state) == {"E0-E1-A"} | ({"P"} if name == "fanorona" else set())


@BOTH
def test_the_turn_passes_by_itself_when_the_capturing_man_has_no_further_capture(name):
    state = play(rules.start(name), "E3-E2-A")
    assert state.to_act() == (1,)
    assert state.actions(0) == []
    assert legal(state) == {"F1-E0-W"}
    assert play(rules.start(name), "F3-E2-A C2-D1-W D1-C0-W").to_act() == (0,)


@BOTH
def test_a_chain_goes_on_with_the_same_man_and_captures_only(name):
    # The man on I4 could capture too, and the one on E2 could step anywhere.
    state = play(rules.parse(name, board("D2 I4", "F2 E0 I2 A0") + " 1"), "D2-E2-A")
    assert legal(state) - {"P"} == {"E2-E1-A"}
    assert legal(rules.parse(name, f"{state.board} 1")) == {"E2-E1-A", "I4-I3-A"}


@BOTH
def test_a_chain_does_not_go_on_in_the_direction_of_the_hop_before(name):
    state = play(rules.parse(name, board("B2", "A2 E2") + " 1"), "B2-C2-W")
    assert state.board == board("C2", "E2")
    assert state.to_act() == (1,)


@BOTH
def test_a_chain_may_use_a_direction_again_after_another_one(name):
    state = play(rules.parse(name, board("B2", "A2 C0 E1") + " 1"), "B2-C2-W C2-C1-A C1-D1-A")
    assert state.outcome() == ((1, 0), "light wins: dark has no men left")


@BOTH
def test_a_chain_does_not_come_back_to_where_it_began(name):
    state = play(rules.parse(name, board("B2", "A2 C0 A1 B3") + " 1"), "B2-C2-W C2-C1-A C1-B1-A")
    assert state.board == board("B1", "B3")
    assert state.to_act() == (1,)
    fresh = rules.parse(name, board("B1", "B3") + " 1")
    assert legal(fresh) == {"B1-B2-A"}


@BOTH
def test_a_chain_does_not_turn_straight_back(name):
    state = play(rules.parse(name, board("C3", "C1 A2 C4 E2") + " 1"), "C3-C2-W")
    assert state.board == board("C2", "C1 A2 E2")
    assert "C2-C3-W" not in legal(state) and "C2-D2-A" in legal(state)
    assert "C2-C3-W" in legal(rules.parse(name, state.board + " 1"))


@BOTH
def test_the_next_turn_begins_without_any_chain(name):
    state = play(rules.start(name), "E3-E2-A F1-E0-W E0-E1-A")
    assert state.to_act() == (0,)
    assert all(hop[0] in "ABCDEFGHI" for hop in legal(state))
    assert state == replace(state, chain=())


# Pass


def test_pass_is_legal_only_in_an_open_chain_and_only_under_1130():
    for name, expected in (("fanorona", {"P", "D1-C0-W"}), ("fanorona:1100", {"D1-C0-W"})):
        state = play(rules.start(name), "F3-E2-A C2-D1-W")
        assert POINTS[state.chain[-1]] == "D1" and [POINTS[point] for point in state.chain[:-1]] == ["C2"]
        assert legal(state) == expected


@BOTH
def test_nobody_passes_before_the_first_capture(name):
    assert "P" not in legal(rules.start(name))
    assert "P" not in legal(play(rules.start(name), "F3-E2-A"))
    assert "P" not in legal(rules.parse(name, board("A4", "I0") + " 1"))


def test_pass_changes_nothing_on_the_board_and_ends_the_turn():
    before = play(rules.start("fanorona"), "F3-E2-A C2-D1-W")
    after = play(before, "P")
    assert after.text() == f"{before.board} 1"
    assert legal(after) == set(
        "F4-F3-A C4-B3-A D3-C2-A C3-C2-A A3-A4-W G2-F3-W E2-F3-W B2-C2-W B2-B3-W".split()
    )
    assert len(legal(play(before, "D1-C0-W"))) == 12


def test_pass_is_listed_last_and_once():
    seen = 0
    for seed in range(30):
        for state in random_game(rules.start("fanorona"), seed):
            if "P" in legal(state):
                assert state.actions(state.mover).index("P") == len(legal(state)) - 1, f"seed {seed}"
                seen += 1
    assert seen > 100


def test_the_other_player_loses_after_a_pass_that_leaves_him_blocked():
    state = play(rules.parse("fanorona", board("B0 A1 C1", "A0 D1") + " 1"), "C1-B1-W")
    assert legal(state) == {"B1-C2-W", "P"}
    assert play(state, "P").outcome() == ((1, 0), "light wins: dark has no move left")


# The end of the game


@BOTH
def test_no_men_left_loses(name):
    state = play(rules.parse(name, board("B0", "D0") + " 1"), "B0-C0-A")
    assert state.outcome() == ((1, 0), "light wins: dark has no men left")
    assert state.to_act() == ()
    assert state.actions(0) == state.actions(1) == []
    state = play(rules.parse(name, board("B0", "D0") + " 2"), "D0-C0-A")
    assert state.outcome() == ((0, 1), "dark wins: light has no men left")


@BOTH
def test_no_move_left_loses(name):
    state = play(rules.parse(name, board("B0 C0 A1 A2 C1", "A0") + " 1"), "C1-B1-P")
    assert state.outcome() == ((1, 0), "light wins: dark has no move left")
    state = play(rules.parse(name, board("A0", "B0 C0 A1 A2 C1") + " 2"), "C1-B1-P")
    assert state.outcome() == ((0, 1), "dark wins: light has no move left")
    assert state.actions(0) == state.actions(1) == []


@BOTH
@pytest.mark.parametrize(
    ("line", "scores", "reason"),
    [
        (board("E2", "") + " 2", (1, 0), "light wins: dark has no men left"),
        (board("E2", "") + " 1", (1, 0), "light wins: dark has no men left"),
        (board("", "E2") + " 1", (0, 1), "dark wins: light has no men left"),
        (board("", "E2") + " 2", (0, 1), "dark wins: light has no men left"),
        (board("B0 A1 B1 C0 A2 C2", "A0") + " 2", (1, 0), "light wins: dark has no move left"),
        ("o" * 44 + "x 1", (0, 1), "dark wins: light has no move left"),
        ("o" * 44 + "x 2", (1, 0), "light wins: dark has no move left"),
        ("." * 45 + " 1", (0, 1), "dark wins: light has no men left"),
        ("." * 45 + " 2", (1, 0), "light wins: dark has no men left"),
    ],
)
def test_a_decided_position_that_is_set_up_is_over(name, line, scores, reason):
    state = rules.parse(name, line)
    assert state.outcome() == (scores, reason)
    assert state.to_act() == ()
    assert rules.parse(name, state.text()) == state


REPETITION = ((0.5, 0.5), "draw by repetition")
QUIET = ((0.5, 0.5), "draw by the quiet-run limit")


@BOTH
def test_the_fastest_repetition_ends_the_fifth_hop_of_a_quiet_run(name):
    # The fourth restores the first board, which no paika made.
    state = play(rules.parse(name, board("A4", "I0") + " 1"), "A4-B4-P I0-H0-P B4-A4-P H0-I0-P")
    assert state.board == board("A4", "I0") and state.outcome() is None
    state = play(state, "A4-B4-P")
    assert state.outcome() == REPETITION
    assert state.to_act() == ()
    assert state.actions(0) == state.actions(1) == []


@BOTH
def test_the_board_after_a_capture_does_not_count_as_seen(name):
    state = play(rules.parse(name, board("E2 A4", "I0 G2") + " 1"), "E2-F2-A")
    assert state.board == board("F2 A4", "I0") and state.history == ()
    state = play(state, "I0-H0-P A4-B4-P H0-I0-P B4-A4-P")
    assert state.board == board("F2 A4", "I0") and state.outcome() is None
    assert play(state, "I0-H0-P").outcome() == REPETITION


@BOTH
def test_boards_are_compared_without_the_side_to_move(name):
    # Light goes out and back in two hops, dark round a triangle in three.
    state = play(rules.parse(name, board("A4", "I0") + " 1"), "A4-B4-P")
    state = play(state, "I0-H0-P B4-A4-P H0-H1-P A4-B4-P")
    assert state.outcome() is None and state.to_act() == (1,)
    assert play(state, "H1-I0-P").outcome() == REPETITION


WALK = (  # light along the bottom row and up, dark along the top row and down: no board twice
    "A4-B4-P I0-H0-P B4-C4-P H0-G0-P C4-D4-P G0-F0-P D4-E4-P F0-E0-P E4-F4-P E0-D0-P F4-G4-P D0-C0-P "
    "G4-H4-P C0-B0-P H4-I4-P B0-A0-P I4-I3-P A0-A1-P I3-H3-P A1-B1-P H3-G3-P B1-C1-P"
)


@BOTH
def test_21_paikas_are_playable_and_the_22nd_is_a_draw(name):
    *first, last = WALK.split()
    assert len(first) == 21
    state = play(rules.parse(name, board("A4", "I0") + " 1"), " ".join(first))
    assert state.outcome() is None and len(state.history) == 21
    assert play(state, last).outcome() == QUIET


@BOTH
@pytest.mark.parametrize(
    ("quiet", "verdict"),
    [(quiet, ((1, 0), "light wins: dark has no men left")) for quiet in (1, 19, 20)] + [(21, QUIET)],
)
def test_the_last_man_taken_too_late_is_a_draw(name, quiet, verdict):
    state = rules.parse(name, f"{board('B0', 'D0')} 1 {quiet}")
    assert play(state, "B0-C0-A").outcome() == verdict


@BOTH
def test_a_capture_that_is_too_late_is_a_draw_even_if_its_chain_could_go_on(name):
    state = play(rules.parse(name, f"{board('B2 I4', 'A2 C0 I0')} 1 21"), "B2-C2-W")
    assert state.outcome() == QUIET
    assert state.to_act() == ()


@BOTH
def test_a_capture_in_time_begins_a_new_quiet_run(name):
    state = play(rules.parse(name, f"{board('B0', 'D0 I4')} 1 20"), "B0-C0-A")
    assert state.text() == board("C0", "I4") + " 2"
    assert play(state, "I4-H4-P C0-B0-P").outcome() is None


@BOTH
def test_a_blocked_player_too_late_is_a_draw(name):
    position = board("B0 C0 A1 A2 C1", "A0") + " 1"
    assert play(rules.parse(name, f"{position} 20"), "C1-B1-P").outcome()[0] == (1, 0)
    assert play(rules.parse(name, f"{position} 21"), "C1-B1-P").outcome() == QUIET


@BOTH
def test_repetition_is_named_where_the_quiet_run_is_over_too(name):
    state = rules.parse(name, f"{board('B4', 'I0')} 1 21 {board('A4', 'I0')}")
    assert play(state, "B4-A4-P").outcome() == REPETITION
    assert play(state, "B4-C4-P").outcome() == QUIET


@BOTH
def test_random_games_end(name):
    endings = Counter()
    for seed in range(100):
        *running, last = random_game(rules.start(name), seed)
        assert all(state.outcome() is None for state in running), f"seed {seed}"
        scores, reason = last.outcome()
        assert scores in ((1, 0), (0, 1), (0.5, 0.5)), f"seed {seed}"
        endings[reason] += 1
    assert set(endings) >= {
        "draw by repetition",
        "light wins: dark has no men left",
        "dark wins: light has no men left",
    }


# Text


def test_every_state_of_random_games_is_read_back_from_its_line():
    for name in ("fanorona", "fanorona:1100"):
        for seed in range(60):
            for state in random_game(rules.start(name), seed):
                again = rules.parse(name, state.text())
                assert again == state, f"seed {seed}: {state.text()}"
                assert again.text() == state.text(), f"seed {seed}: {state.text()}"


@BOTH
def test_both_draws_are_read_back(name):
    start = rules.parse(name, board("A4", "I0") + " 1")
    for hops, word in ((WALK, "quiet"), ("A4-B4-P I0-H0-P B4-A4-P H0-I0-P A4-B4-P", "repetition")):
        state = play(start, hops)
        assert state.text() == f"{state.board} {state.mover + 1} {word}"
        assert rules.parse(name, state.text()) == state


def test_the_line_tells_an_open_chain_and_the_history():
    assert play(rules.start("fanorona"), "F3-E2-A C2-D1-W").text().split()[1:] == ["2", "C2-D1"]
    state = play(rules.parse("fanorona", board("A4", "I0") + " 1"), "A4-B4-P I0-H0-P")
    assert state.text() == f"{board('B4', 'H0')} 1 2 {board('B4', 'I0')}"


def test_a_history_that_is_left_out_still_counts_and_the_present_board_has_been_seen():
    state = rules.parse("fanorona", f"{board('B4', 'I0')} 2 7")
    assert len(state.history) == 7
    assert state.text() == f"{board('B4', 'I0')} 2 7"
    assert play(state, "I0-H0-P B4-A4-P H0-I0-P A4-B4-P").outcome() == REPETITION


def test_1130_names_the_default_rules():
    assert rules.start("fanorona:1130") == rules.start("fanorona") != rules.start("fanorona:1100")
    assert State.VARIANTS == ("1100",)


ONE_SENTENCE = re.compile(r"[^\n]{20,400}")


@pytest.mark.parametrize("variant", ["110", "1140", " ", "1100 ", "pass", "11００", "1100\n", "0" * 10_000])
def test_a_variant_that_does_not_exist_is_refused_in_one_sentence(variant):
    for attempt in (rules.start, lambda name: rules.parse(name, f"{START} 1")):
        with pytest.raises(ValueError, match="expected fanorona ") as error:
            attempt(f"fanorona:{variant}")
        assert ONE_SENTENCE.fullmatch(str(error.value))


LONE = board("E2", "E0 A0")  # light has just come to E2; E2-E1 would be no capture


@pytest.mark.parametrize(
    "line",
    [
        "",
        "1",
        START,
        f"{START} ",
        f"{START} 0",
        f"{START} 3",
        f"{START} １",
        f"{START} 1 1 1",
        f"{START}1",
        f"{START}  1",
        f"{START[1:]} 1",
        f"{START}. 1",
        f"{START.upper()} 1",
        f"{START.replace('.', ' ')} 1",
        f"{START.replace('.', '-')} 1",
        f"{START.replace('.', '·')} 1",
        f"{START} 1 P",
        f"{START} 1 quietly",
        f"{START} 1 Repetition",
        f"{START} 1 repetition quiet",
        f"{START} 1 0",
        f"{START} 1 22",
        f"{START} 1 -1",
        f"{START} 1 ٣",
        f"{START} 1 {'9' * 5000}",
        f"{START} 1 1 {START}",
        f"{START} 1 2 {START}",
        f"{START} 1 3 {LONE} {LONE}",
        f"{START} 1 2 {LONE[1:]}",
        f"{START} 1 {LONE}",
        f"{START} 1 2 {LONE} repetition",
        f"{START} 1 E3",  # a chain has at least two points
        f"{START} 1 E3-E2",  # nobody stands on its last one
        f"{board('E2', 'E0')} 1 D2-E2-E4",  # not along a line
        f"{board('E2', 'E0')} 1 D1-E3-E2",
        f"{board('E2', 'E0')} 2 D2-E2",  # the other side's man
        f"{board('E2 D2', 'E0')} 1 D2-E2",  # the man has not left
        f"{board('E2', 'A0')} 1 D2-E2",  # nothing to go on with
        f"{board('E2', 'G2')} 1 D2-E2",  # only in the same direction
        f"{board('E2', 'E0')} 1 C2-D2-E2",  # twice the same direction
        f"{board('E2', 'E0')} 1 E2-D2-E2",  # twice the same point
        f"{board('E2', 'E0')} 1 D1-D2-E2 3",
        f"{board('E2', 'E0')} 1 D2-E2 repetition",
        f"{board('E2', 'E0')} 1 d2-e2",
        f"{board('E2', 'E0')} 1 D2-J2",
        f"{board('E2', 'E0')} 1 " + "-".join(["D2", "E2"] * 10_000),
        "\0",
        "x" * 100_000,
        f"{START} 1 21" + f" {START}" * 10_000,
    ],
    ids=lambda line: repr(line[:8] + line[45:75]),
)
def test_a_line_that_is_no_position_is_refused_in_one_sentence(line):
    with pytest.raises(ValueError, match="expected") as error:
        rules.parse("fanorona", line)
    assert ONE_SENTENCE.fullmatch(str(error.value))


def test_an_open_chain_can_be_set_up():
    state = rules.parse("fanorona", f"{board('E2', 'E0')} 1 D1-D2-E2")
    assert state.actions(0) == ["E2-E1-A", "P"]
    assert rules.parse("fanorona:1100", state.text()).actions(0) == ["E2-E1-A"]


def test_damaged_lines_raise_nothing_but_value_error():
    chance = random.Random(6)
    lines = [state.text() for seed in range(5) for state in random_game(rules.start("fanorona"), seed)]
    refused = 0
    for _ in range(5000):
        line = list(chance.choice(lines))
        for _ in range(chance.randint(1, 3)):
            place = min(chance.randrange(100), len(line) - 1)
            line[place : place + chance.randint(0, 2)] = chance.choice(["", *" xo.12-AE\n٣"])
        try:
            state = rules.parse("fanorona", "".join(line))
        except ValueError:
            refused += 1
        else:
            assert rules.parse("fanorona", state.text()) == state, "seed 6"
    assert 1000 < refused < 5000, "seed 6"


# The drawing


def test_the_board_is_drawn_with_its_lines():
    state = play(rules.start("fanorona"), "E3-E2-A")
    assert str(state).splitlines() == [
        "  A B C D E F G H I",
        "0 x-x-x-x-.-x-x-x-x",
        r"  |\|/|\|/|\|/|\|/|",
        "1 x-x-x-x-.-x-x-x-x",
        r"  |/|\|/|\|/|\|/|\|",
        "2 x-o-x-o-o-x-o-x-o",
        r"  |\|/|\|/|\|/|\|/|",
        "3 o-o-o-o-.-o-o-o-o",
        r"  |/|\|/|\|/|\|/|\|",
        "4 o-o-o-o-o-o-o-o-o",
    ]
    assert state.draw(unicode=True, large=True).splitlines()[:3] == [
        "  A   B   C   D   E   F   G   H   I",
        "0 ●───●───●───●───·───●───●───●───●",
        "  │ ╲ │ ╱ │ ╲ │ ╱ │ ╲ │ ╱ │ ╲ │ ╱ │",
    ]


def test_drawings_are_ascii_unless_asked_and_paint_gets_every_man_with_its_owner():
    state = rules.start("fanorona")
    for large in (False, True):
        assert state.draw(large=large).isascii()
        painted = state.draw(large=large, paint=lambda text, player: f"<{player}{text}>")
        assert painted.count("<0o>") == painted.count("<1x>") == 22
        assert re.sub("<[01]|>", "", painted) == state.draw(large=large)
    assert state.draw(unicode=True).count("○") == state.draw(unicode=True).count("●") == 22


# Sequences of hops (a Pass is one, a turn that passes by itself is none)


def sequences(state, length):
    """How many sequences of 1, 2, ... hops there are; equal states are followed once."""
    counts = []
    level = Counter([state])
    for depth in range(length):
        if depth:
            following = Counter()
            for position, times in level.items():
                for hop in legal(position):
                    following[position.after({position.mover: hop})] += times
            level = following
        counts.append(sum(times * len(legal(position)) for position, times in level.items()))
    return counts


@pytest.mark.parametrize(
    ("name", "line", "counts"),
    [
        ("fanorona:1100", f"{START} 1", [5, 17, 53, 258, 978, 3642, 14044, 53678, 206012]),
        ("fanorona", f"{START} 1", [5, 17, 64, 337, 1496, 6884, 33162, 156196]),
    ]
    + [
        (name, line, counts)
        for line, of_1100, of_1130 in [
            # The first exercises the repetition draw from length 6 on.
            ("..x.............................o............ 1", [8, 36, 165, 753, 4013, 18198, 85267], None),
            ("x.............o...............o.............x 1", [16, 86, 900, 5698], None),
            (".x..x.....o...x...o.....x...o......x...o...o. 1", [1, 20, 290], None),
            (".x..x.....o...x...o.....x...o......x...o...o. 2", [22, 48, 654], [22, 48, 657]),
            ("x.x.x.x.x..........ooooo..o..........x.x.x.x. 2", [11, 39, 163], [11, 46, 243]),
        ]
        for name, counts in (("fanorona:1100", of_1100), ("fanorona", of_1130 or of_1100))
    ],
)
def test_number_of_hop_sequences(name, line, counts):
    assert sequences(rules.parse(name, line), len(counts)) == counts


# Whole turns


def turn_ends(state):
    """The states after each way to play the turn of whoever is to move, equal ones as often as they occur."""
    ends, open_chains = [], [state]
    while open_chains:
        position = open_chains.pop()
        for hop in legal(position):
            after = position.after({position.mover: hop})
            (open_chains if after.chain else ends).append(after)
    return ends


def turns(state, length, merged):
    """How many sequences of 1, 2, ... turns there are; `merged`: those with equal boards count once."""
    counts = []
    level = Counter([state])
    for _ in range(length):
        following = Counter()
        for position, times in level.items():
            ends = turn_ends(position)
            for end in set(ends) if merged else ends:
                following[end] += times
        level = following
        counts.append(sum(level.values()))
    return counts


@pytest.mark.parametrize(
    ("name", "merged", "counts"),
    [
        ("fanorona:1100", False, [5, 21, 223, 2844, 32153]),
        ("fanorona", False, [5, 39, 724, 18026]),
        ("fanorona", True, [5, 39, 724, 18026, 431830]),
    ],
)
def test_number_of_turn_sequences(name, merged, counts):
    counts = soon(counts, 100_000)
    assert turns(rules.start(name), len(counts), merged) == counts


# Whole games


class Game(NamedTuple):
    name: str
    length: int
    legal: int  # sum over the hops of how many were legal
    weighted: int  # the same, each times the number of the hop
    final: str
    outcome: tuple
    history: int  # boards in it before the last hop
    hops: str


GAMES = [
    Game(
        "fanorona",
        length=41,
        legal=224,
        weighted=5423,
        final="................o...o...o...o........o..o....",
        outcome=((1, 0), "light wins: dark has no men left"),
        history=4,
        hops=(
            "F3-E2-A C2-D1-W D1-C0-W A3-A4-W F1-E2-A E2-F3-A C3-C2-A C2-D1-A P B1-C1-A B2-B1-A "
            "B1-A1-W F2-E2-A G2-F2-A F2-F1-A P G1-G2-A E3-E2-A P F3-G4-W F1-E2-W E2-F3-A H1-G0-W "
            "I3-I2-A I2-H1-A P G2-F1-W F1-F2-A H4-H3-A F2-F1-P H3-G2-A D0-C0-P H1-H2-W C0-B1-P "
            "H2-H1-P B1-C1-W A4-B3-P C1-C0-P D4-D3-P C0-B1-P D3-C2-A "
        ),
    ),
    Game(
        "fanorona",
        length=55,
        legal=468,
        weighted=15887,
        final="..............x...o......o...x.......o.......",
        outcome=((0.5, 0.5), "draw by repetition"),
        history=9,
        hops=(
            "F3-E2-A D0-D1-A P G2-F3-W C2-D3-A H3-G2-A I1-I0-W P H4-H3-A I0-H1-A H1-H2-A E2-F1-A "
            "F2-F3-A P F1-E2-A D1-C2-A C2-D2-W G3-G2-A G2-F2-W F2-F1-A F1-G1-W F3-G3-W G3-G2-W "
            "G2-F2-A C4-B3-A B3-B2-A B2-C2-A C2-B1-A C1-C2-A C2-D3-W A3-A2-A F2-F3-P B4-A4-P H0-I0-P "
            "A4-B4-P D3-E2-P B4-A4-P E2-D1-P A4-B4-P I0-H0-P B4-A4-P F3-E2-P G1-H1-P E2-D3-P H1-H2-W "
            "D1-E0-P A4-B4-P E0-F1-P B4-A4-P D3-C3-P A4-B4-P C3-B3-P B4-C4-P B3-C3-P C4-B4-P "
        ),
    ),
    Game(
        "fanorona:1100",
        length=44,
        legal=339,
        weighted=9299,
        final="......x.x.......x.......x...x............x...",
        outcome=((0, 1), "dark wins: light has no men left"),
        history=1,
        hops=(
            "F3-E2-A C2-D1-W D1-C0-W C3-C2-A C2-D1-A D1-C1-A B0-B1-A B1-C2-A C2-C3-W C3-D3-A D3-E2-W "
            "E2-F3-A F3-E3-W D2-D1-A D1-C1-W H2-H3-A H3-G4-W G4-G3-A A3-A4-W F2-F3-A I4-H3-P F3-F4-P "
            "H3-I3-W F4-E4-A C1-B1-P F0-F1-P B1-C2-W E4-D3-A A4-A3-P H0-H1-P B4-A4-P E3-E4-P A4-B4-P "
            "D3-C2-P B4-B3-P C2-D1-W I3-I4-P D1-C2-P I4-H4-P F1-G2-P H4-G4-P E4-F4-A A3-A4-P C2-B3-A "
        ),
    ),
    Game(
        "fanorona:1100",
        length=104,
        legal=1021,
        weighted=51742,
        final="................o..o.........................",
        outcome=((1, 0), "light wins: dark has no men left"),
        history=19,
        hops=(
            "F3-E2-A F2-F3-A D2-D1-A C2-D2-A C3-C2-A E1-E2-A E2-F2-A D1-E2-A E2-E1-A F1-E2-A E2-F3-A "
            "F3-E3-W I2-I3-W E3-E2-A H4-H3-A D2-D3-A D3-E4-W B3-C4-W C4-D4-A A1-A2-A B2-B3-W B3-C4-W "
            "C4-D3-A G1-G2-P H3-G3-P G2-G1-W I4-H3-P G0-H0-P I3-I2-P F0-E0-P B4-B3-P E0-E1-P D3-E4-P "
            "E1-E0-P D4-C4-P E0-E1-P E4-D4-P E1-E0-P I2-I3-P G1-G0-P D4-E4-P H0-I0-P I3-I4-P I0-I1-P "
            "I4-I3-P I1-I2-A H3-G4-W F2-F3-P G4-F4-P F3-F2-W C4-D3-P G0-G1-P E4-D4-P F2-G2-P D4-C4-P "
            "G2-G3-P C4-B4-P G3-G4-P B3-C4-P G4-F4-P C4-D4-P F4-E4-A D3-C2-W C2-D1-A G1-G2-P B4-A4-P "
            "G2-G3-P A4-B4-P G3-G4-P B4-A4-P G4-F4-P A4-A3-P F4-E4-P A3-A4-P E4-D4-P A4-B3-P D4-E4-P "
            "D1-C1-P E4-D4-P B3-C3-P D4-E4-P C1-B1-P E4-D4-P B1-C2-W D4-C4-P C2-D1-P C4-B4-P D1-E0-P "
            "B4-A4-P E0-F0-P A4-B4-P F0-G0-P B4-A4-P G0-H0-P A4-B4-P H0-I0-P B4-A4-P I0-I1-P A4-B4-P "
            "I1-H1-P B4-A4-P C3-B3-P A4-B4-P B3-B2-W "
        ),
    ),
]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: f"{game.name}, {game.length} hops")
def test_recorded_games(game):
    state, counts = rules.start(game.name), []
    for hop in game.hops.split():
        assert state.outcome() is None
        counts.append(len(legal(state)))
        before, state = state, play(state, hop)
    assert len(counts) == game.length
    assert sum(counts) == game.legal
    assert sum(number * count for number, count in enumerate(counts, start=1)) == game.weighted
    assert state.board == game.final
    assert state.outcome() == game.outcome
    assert len(before.history) == game.history


# Endings under the 1130 rules, without the history: who wins, and in how many turns


def seen_by_the_mover(state):
    """The board with the mover's men as light's, and of its four mirror images always the same."""
    board = state.board.translate(str.maketrans("ox", "xo")) if state.mover else state.board
    rows = [board[9 * row : 9 * row + 9] for row in range(5)]
    turned = [row[::-1] for row in rows]
    return min("".join(image) for image in (rows, rows[::-1], turned, turned[::-1]))


def boards_with(mine, theirs):
    """All boards with so many men, one of each four mirror images, and how many it stands for."""
    found = Counter()
    for points in combinations(range(45), mine + theirs):
        for men in set(permutations("o" * mine + "x" * theirs)):
            board = bytearray(b"." * 45)
            for point, man in zip(points, men, strict=True):
                board[point] = ord(man)
            found[seen_by_the_mover(State(True, board.decode(), 0))] += 1
    return found


def solve(boards, solved):
    """Add to `solved` which of these boards the mover, light, wins or loses, and in how many turns up
    to the next capture (a capture by the loser only starts a new count); the others are draws."""
    replies = {}
    for position in boards:
        ends = turn_ends(State(True, position, 0))
        replies[position] = {
            (seen_by_the_mover(end), end.board.count("x") < position.count("x")) for end in ends
        }
        solved |= {seen_by_the_mover(end): ("loss", 0) for end in ends if end.outcome()}
    for turn in range(1, 50):
        found = {}
        for position in replies.keys() - solved.keys():
            in_time = {
                solved[reply][0] if reply in solved and (captured or solved[reply][1] < turn) else "draw"
                for reply, captured in replies[position]
            }
            if "loss" in in_time:
                found[position] = "win", turn
            elif in_time == {"win"}:
                found[position] = "loss", turn
        solved.update(found)


def figures(boards, solved):
    """Positions, percentages won, lost and drawn, the longest win, wins and losses over 21 turns."""
    values = [solved.get(position, ("draw", 0)) for position in boards for _ in range(boards[position])]
    kinds = Counter(kind for kind, _ in values)
    late = Counter(kind for kind, turns in values if turns > 21)
    longest = max(turns for kind, turns in values if kind == "win")
    percent = [round(100 * kinds[kind] / len(values), 1) for kind in ("win", "loss", "draw")]
    return len(values), *percent, longest, late["win"], late["loss"]


def test_endings_with_two_and_three_men():
    one_one, one_two, two_one = boards_with(1, 1), boards_with(1, 2), boards_with(2, 1)
    solved = {}
    solve(one_one, solved)
    solve(one_two | two_one, solved)
    assert figures(one_one, solved) == (1980, 29.9, 5.1, 65.1, 7, 0, 0)
    assert figures(one_two, solved) == (42570, 6.6, 63.4, 30.0, 3, 0, 2874)
    assert figures(two_one, solved) == (42570, 96.3, 0.1, 3.6, 28, 2244, 0)
