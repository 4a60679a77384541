"""The published Expendibots player rebuilt, the sparring partner, and how matches with them are played."""

import json
import random
import subprocess
import sys
from collections import OrderedDict
from math import ceil
from pathlib import Path

import pytest

from expendibots_agent import Player, notation, yardstick
from expendibots_agent.position import LAST_PLY, NEAR_THE_END, START, moves, over, play
from expendibots_agent.train import conversions, matches, sparring, worth
from referee import rules
from referee.match import record
from referee.players.versions import Maker

COLOURS = notation.COLOURS


def random_stacks(source, most):
    """Squares with heights, White's above 0 and Black's below."""
    stacks = {}
    for sign in (1, -1):
        left = source.randint(1, most)
        while left:
            height = source.randint(1, min(left, source.choice((1, 3, 12))))
            square = source.randrange(8), source.randrange(8)
            if square not in stacks:
                stacks[square] = sign * height
                left -= height
    return stacks


def line_of(stacks, mover, plies=0):
    words = [f"{'WB'[height < 0]}{abs(height)}({x},{y})" for (x, y), height in stacks.items()]
    return " ".join([COLOURS[mover], str(plies), *words])


def components(stacks):
    """The heights and squares of what explodes together."""
    found, rest = [], set(stacks)
    while rest:
        component, fresh = set(), {rest.pop()}
        while fresh:
            x, y = fresh.pop()
            component.add((x, y))
            near = {square for square in rest if max(abs(square[0] - x), abs(square[1] - y)) == 1}
            rest -= near
            fresh |= near
        found.append({square: stacks[square] for square in component})
    return found


def published(stacks, sign):
    """The published evaluation for White (sign 1) or Black (-1), as it is written down, step by step."""
    tokens = {side: sum(side * height for height in stacks.values() if side * height > 0) for side in (1, -1)}
    f, e = tokens[sign], tokens[-sign]
    if not f or not e:
        return 10_000 if f else -10_000 if e else 0
    own = [part for part in components(stacks) if all(sign * height > 0 for height in part.values())]
    foe = [part for part in components(stacks) if all(sign * height < 0 for height in part.values())]
    safe, free = (sum(abs(height) for part in parts for height in part.values()) for parts in (own, foe))
    at_risk = (f - safe) / f - (e - free) / e
    distance = 0
    for part in foe:
        distance += min(
            sum(ceil(max(abs(a - b) - 1, 0) / (sign * height)) for a, b in zip(start, square, strict=True))
            for start, height in stacks.items()
            if sign * height > 0
            for square in part
        )
    if safe > 0 and free == 0:
        return 100 * (12 - e)
    if safe > 1 and free == 1:
        return 20 * f - 20 * e - 20 * at_risk - free - distance
    return 10 * f - 10 * e - 20 * at_risk + len(own) - free - distance


def quick_positions(count, plies=24):
    """Positions from random games without booms."""
    for seed in range(count):
        position = START
        for move in matches.opening(plies, random.Random(seed)):
            position = play(position, move)
        yield position


# The published player


def test_the_evaluation_is_the_published_one_in_all_its_phases_for_either_colour():
    phases = set()
    for seed in range(400):
        stacks = random_stacks(random.Random(seed), 12 if seed % 2 else 2)
        for mover in (0, 1):
            position = notation.from_text(line_of(stacks, mover))
            for player in (0, 1):
                own, foe = position[1 + (player ^ mover)], position[2 - (player ^ mover)]
                value = published(stacks, 1 - 2 * player)
                assert abs(yardstick.value(own, foe) - value) < 1e-9, f"seed {seed}: {line_of(stacks, mover)}"
                phases.add(value >= 0 and value % 100 == 0)
    assert phases == {True, False}


def minimax(player, position, depth):
    """The value for the mover without any pruning."""
    if not depth or over(position):
        return player._value(position)
    return max(-minimax(player, play(position, move), depth - 1) for move in moves(position))


def test_all_ways_to_search_come_to_the_value_of_minimax():
    for seed in range(8):
        source = random.Random(seed)
        position = notation.from_text(line_of(random_stacks(source, 3), seed % 2, source.choice((20, 498))))
        for colour in COLOURS:
            found = set()
            for stage in ("negamax", "alphabeta", "table", "mtdf"):
                player = yardstick.Player(colour, stage=stage)
                player.position, player.depth = position, 2
                if stage in ("table", "mtdf"):
                    player.table = OrderedDict()
                if stage == "mtdf":
                    value, move = player._mtdf(0)
                else:
                    value, move = player._node(position, 2, -2 * yardstick.WIN, 2 * yardstick.WIN)
                best = -minimax(player, play(position, move), 1)
                found |= {round(value, 5), round(best, 5), round(minimax(player, position, 2), 5)}
            assert len(found) == 1, f"seed {seed}: {notation.to_text(position)}, {colour}: {found}"


def test_a_drawn_limit_is_worth_nothing_to_the_published_player():
    player = yardstick.Player("white")
    assert player._value(notation.from_text(f"white {LAST_PLY} W3(0,0) B1(7,7)")) == 0
    assert player._value(notation.from_text(f"white {LAST_PLY} W3(0,0)")) == yardstick.WIN


def test_the_published_slip_is_an_option():
    position = notation.from_text("black 0 W3(0,0) B1(7,7)")
    values = []
    for always_white in (False, True):
        player = yardstick.Player("black", always_white=always_white)
        values.append(player._value(position))
    own, foe = position[1:3]
    assert values == [yardstick.value(own, foe), -yardstick.value(foe, own)]


@pytest.mark.parametrize("colour", COLOURS)
def test_the_opening_script_is_played_while_it_is_possible(colour):
    def far(y):
        return y if colour == "white" else 7 - y

    script = [(1, (4, 0), (4, 1)), (2, (4, 1), (4, 3)), (2, (4, 3), (4, 5)), (1, (4, 5), (6, 5))]
    script = [("MOVE", n, (a, far(b)), (c, far(d))) for n, (a, b), (c, d) in script]
    other = "black" if colour == "white" else "white"
    corner = ("MOVE", 1, (7, far(7)), (7, far(6)))  # leaves one of the block's four squares
    for second, played in [
        (("MOVE", 1, (1, far(7)), (1, far(6))), 4),
        (("MOVE", 1, (6, far(7)), (6, far(6))), 3),  # leaves another one
    ]:
        player = yardstick.Player(colour, nodes=50)
        replies = [("MOVE", 1, (0, far(7)), (0, far(6))), second, corner]
        if colour == "black":
            player.update("white", ("MOVE", 1, (3, 0), (3, 1)))
        for number, expected in enumerate(script):
            action = player.action()
            assert (action == expected) == (number < played), f"action {number + 1}, {action}"
            player.update(colour, expected)
            if number < 3:
                player.update(other, replies[number])
        assert player._script(moves(player.position)) is None


@pytest.mark.parametrize("colour", COLOURS)
@pytest.mark.parametrize("stage", yardstick.STAGES)
def test_each_stage_plays_legal_actions_with_however_few_nodes(stage, colour):
    for nodes in (0, 1, 60):
        player = yardstick.Player(colour, stage=stage, nodes=nodes)
        position = START
        for ply in range(4):
            if COLOURS[position[0]] == colour:
                player.scripted = len(yardstick.SCRIPT)
                action = player.action()
                assert notation.to_move(action) in moves(position), f"{nodes} nodes: {action}"
            else:
                action = notation.to_action(position, moves(position)[-1 - ply])
            player.update(COLOURS[position[0]], action)
            position = play(position, notation.to_move(action))
        if yardstick.STAGES.index(stage) >= yardstick.STAGES.index("deepening"):
            assert player.nodes <= yardstick.LONGEST * max(nodes, 0) + 1


def test_a_stage_that_does_not_exist_is_refused_in_a_sentence():
    with pytest.raises(ValueError, match="a stage is one of random, negamax, .*, script, not 'best'"):
        yardstick.Player("white", stage="best")


# The sparring partner


def plain_sparring(position, depth):
    """Three plies and one of booms, without pruning."""
    if over(position):
        return sparring.value(position)
    if not depth:
        standing = sparring.value(position)
        booms = [-sparring.value(play(position, move)) for move in moves(position) if move < 64]
        return max([standing, *booms])
    return max(-plain_sparring(play(position, move), depth - 1) for move in moves(position))


def test_the_sparring_partner_comes_to_the_value_of_plain_search():
    for seed in range(6):
        position = notation.from_text(line_of(random_stacks(random.Random(seed), 3), seed % 2))
        player = sparring.Player("white")
        value, move = player._node(position, 2, -2 * sparring.WIN, 2 * sparring.WIN)
        assert value == plain_sparring(position, 2), f"seed {seed}: {notation.to_text(position)}"
        assert -plain_sparring(play(position, move), 1) == value, f"seed {seed}"


def test_the_sparring_partner_tries_booms_first_and_plays_by_the_rules():
    for position in quick_positions(4):
        booms = sparring.distinct_booms(position)
        assert booms and all(move in moves(position) and move < 64 for move in booms)
        player = sparring.Player(COLOURS[position[0]], depth=1)
        player.position = position
        assert player.action() in rules.parse("expendibots", notation.to_text(position)).actions(position[0])


# Matches


class Shuffler:
    """Moves one stack out and back."""

    def __init__(self, colour):
        self.home, self.away = ((0, 0), (0, 1)) if colour == "white" else ((7, 7), (7, 6))
        self.out = False

    def action(self):
        self.out = not self.out
        return ("MOVE", 1, self.home, self.away) if self.out else ("MOVE", 1, self.away, self.home)

    def update(self, colour, action):
        pass

    def set_up(self, line):
        pass


@pytest.mark.parametrize("plies", [0, NEAR_THE_END - 5, NEAR_THE_END + 20])
def test_conversions_see_the_fourth_occurrence_however_late_it_is(plies, monkeypatch):
    start = notation.from_text(f"white {plies} W1(0,0) W1(3,0) B1(7,7)")
    monkeypatch.setattr(conversions, "Player", lambda colour, **limits: Shuffler(colour))
    monkeypatch.setattr(conversions, "Without", lambda colour, what, **limits: Shuffler(colour))
    end, last, lead = conversions.play_out(start, 0, 1, 1)
    assert "occurred 4 times" in end and (last, lead) == (plies + 12, 1)


def made(text, colour="white"):
    return Maker(text, matches.NAMES, matches.__package__)(colour, 1)


@pytest.mark.parametrize(
    "text",
    [
        "nobody",
        "player:Nobody",
        "player,nodes",
        "player,nods=3",
        "yardstick,stage=best",
        "without,what=nothing",
        "without",
    ],
)
def test_a_player_that_does_not_exist_ends_a_match_before_it_begins(text):
    with pytest.raises((AttributeError, ImportError, TypeError, ValueError)):
        made(text)


def test_players_are_built_as_the_command_line_says():
    assert made("yardstick:Player,stage=table,nodes=70", "black").budget == 70
    assert isinstance(made("player,nodes=5"), Player)
    assert made("without,what=in_reach+other_gains,nodes=5").what == "in_reach+other_gains"


def test_a_technique_that_does_not_exist_is_refused_with_those_that_do():
    with pytest.raises(ValueError, match="nothing is none of reductions, .*, other_gains"):
        worth.technique("area+nothing")
    command = [sys.executable, "-m", "expendibots_agent.train.matches", "player", "without,what=nothing"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 2
    assert "no such player: without,what=nothing: nothing is none of" in done.stderr.splitlines()[-1]


def test_a_checked_opening_is_one_in_which_the_search_sees_nobody_far_ahead():
    assert matches.is_balanced(START, 300)
    assert not matches.is_balanced(notation.from_text("white 4 W6(0,0) W6(1,0) B1(7,7) B1(5,7)"), 300)
    drawn = [matches.opening(4, random.Random(seed), check) for seed in range(20) for check in (0, 300)]
    changed = [one != other for one, other in zip(drawn[::2], drawn[1::2], strict=True)]
    assert 0 < sum(changed) < 20
    for moves_made in drawn[1::2]:
        position = START
        for move in moves_made:
            position = play(position, move)
        assert matches.is_balanced(position, 300)


def test_games_at_the_limits_are_the_referees_and_tell_the_largest_figures(tmp_path):
    command = [sys.executable, "-m", "expendibots_agent.train.limits", "expendibots_agent", "random"]
    options = ["--pairs", "1", "--nodes", "20", "--check", "300", "--record", str(tmp_path)]
    done = subprocess.run([*command, *options], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    *games, summary = map(json.loads, done.stdout.splitlines())
    assert [game["first"] for game in games] == [0, 1] and games[0]["opening"] == games[1]["opening"]
    assert summary["games"] == 2 and summary["faults"] == [0, 0]
    for key, most in summary["most"].items():
        assert most == [max(pair) for pair in zip(*(game[key] for game in games), strict=True)]
    for game in games:
        account = record.parse(Path(game["record"]).read_text(encoding="utf-8"))
        assert len(account.opening) == 4 and account.verdict.turns == game["turns"]
