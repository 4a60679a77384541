"""Counting action sequences: the bulk count at the last action, and the command."""

import argparse
import random
import subprocess
import sys
from itertools import product

import pytest

from referee import UsageError, rules
from referee.commands import perft
from tests import ROOT
from tests.support.samples import few


def counted_one_by_one(state, depth):
    """perft without any short cut: every last state is made."""
    if depth == 0:
        return 1
    players = state.to_act()
    if not players:
        return 0
    total = 0
    for actions in product(*(state.actions(player) for player in players)):
        total += counted_one_by_one(state.after(dict(zip(players, actions, strict=True))), depth - 1)
    return total


def random_game(name, seed):
    rng = random.Random(f"{name} {seed}")
    state = rules.start(name)
    states = [state]
    while players := state.to_act():
        state = state.after({player: rng.choice(state.actions(player)) for player in players})
        states.append(state)
    return states


@pytest.mark.parametrize("game", rules.games())
def test_bulk_count_equals_counting_one_by_one(game):
    seed = 1
    states = random_game(game, seed)
    near_the_end = [state for state in states[-few(6, 12) :] if perft.perft(state, 2) < 5_000]
    assert near_the_end, f"{game}, seed {seed}"
    for state in near_the_end:
        for depth in (0, 1, 2):
            count = counted_one_by_one(state, depth)
            assert perft.perft(state, depth) == count, f"{game}, seed {seed}, depth {depth}: {state.text()}"


@pytest.mark.parametrize("game", rules.games())
def test_finished_game_has_one_sequence_of_no_actions_and_none_of_more(game):
    over = random_game(game, seed=2)[-1]
    assert [perft.perft(over, depth) for depth in (0, 1, 2, 3)] == [1, 0, 0, 0]
    assert perft.choices(over) == []


def test_where_both_act_at_once_pairs_are_counted():
    start = rules.start("ropasci")
    assert perft.perft(start, 1) == 15 * 15
    assert len(perft.choices(start)) == 15 * 15
    assert perft.choices(start)[0] == {0: start.actions(0)[0], 1: start.actions(1)[0]}


def command(capsys, *words):
    """The lines that the command prints."""
    parser = argparse.ArgumentParser()
    perft.arguments(parser)
    assert perft.run(parser.parse_args(words)) == 0
    return capsys.readouterr().out.splitlines()


@pytest.mark.parametrize("depth, count", [("0", "1"), ("1", "6"), ("2", "35"), ("3", "190"), ("4", "1056")])
def test_command_prints_the_number_alone(capsys, depth, count):
    assert command(capsys, "kalaha", depth) == [count]


def test_command_counts_from_a_position(capsys):
    assert command(capsys, "kalaha", "5", "--position", "B 0 8 0 1 0 0 30 1 0 3 0 8 1 20") == ["817"]
    assert command(capsys, "kalaha:4x3", "1", "--position", "B 3 3 3 3 0 3 0 3 3 0") == ["3"]
    assert command(capsys, "ropasci", "2", "--position", "0 9/9 (0,0):R (2,0):s") == ["0"]


def test_command_divides_by_first_action(capsys):
    *lines, total = command(capsys, "kalaha", "3", "--divide")
    first, counts = zip(*(line.split() for line in lines), strict=True)
    assert first == ("1", "2", "3", "4", "5", "6")
    assert sum(map(int, counts)) == int(total) == 190


def test_command_divides_by_pairs_where_both_act_at_once(capsys):
    *lines, total = command(capsys, "ropasci", "2", "--divide")
    assert lines[0] == "('THROW', 'r', (4, -4)) ('THROW', 'r', (-4, 4)) 1296"
    assert len(lines) == len(set(lines)) == 225
    assert sum(int(line.split()[-1]) for line in lines) == int(total) == 301_401


def test_command_divides_the_last_action_into_ones(capsys):
    assert command(capsys, "kalaha", "1", "--divide") == ["1 1", "2 1", "3 1", "4 1", "5 1", "6 1", "6"]
    assert command(capsys, "kalaha", "0", "--divide") == ["1"]
    assert command(capsys, "ropasci", "2", "--divide", "--position", "0 9/9 (0,0):R (2,0):s") == ["0"]


@pytest.mark.parametrize(
    "words, says",
    [
        (["kalha", "1"], "did you mean 'kalaha'"),
        (["kalaha:0x3", "1"], "kalaha"),
        (["kalaha", "-1"], "whole number"),
        (["kalaha", "1.5"], "whole number"),
        (["kalaha", "two"], "whole number"),
        (["kalaha", "٣"], "whole number"),
        (["kalaha", "²"], "whole number"),
        (["kalaha", ""], "whole number"),
        (["kalaha", "1", "--position", "nonsense"], "14 whole numbers"),
        (["kalaha", "1", "--position", ""], "14 whole numbers"),
    ],
)
def test_mistake_on_the_command_line_is_a_usage_error(capsys, words, says):
    with pytest.raises(UsageError, match=says) as refusal:
        command(capsys, *words)
    assert "\n" not in str(refusal.value)


def test_command_is_found_by_the_command_line():
    run = [sys.executable, "-m", "referee", "perft"]
    done = subprocess.run([*run, "kalaha", "3"], cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert (done.returncode, done.stdout, done.stderr) == (0, "190\n", "")
    wrong = subprocess.run([*run, "kalaha", "-3"], cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert wrong.stderr.count("\n") == 1 and "whole number" in wrong.stderr
