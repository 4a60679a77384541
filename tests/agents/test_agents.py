"""What agents promise, whatever their game: found by name, called in the courses' own manner."""

import ast
import importlib
import io
import json
import math
import random
import shutil
import subprocess
import sys
import warnings
import zipfile
from collections import namedtuple
from contextlib import redirect_stdout
from itertools import product
from pathlib import Path

import numpy
import pytest

from referee import rules
from referee.__main__ import main
from tests import ROOT
from tests.support.agents import EVERY_VARIANT, GAMES, MEASURED, agent_of, named, player, player_class
from tests.support.interpreters import found, with_numpy
from tests.support.machine import Machine, let_clocks_read
from tests.support.samples import few

# Nodes an action: enough to enter every part of a search, a five-hundredth of what the bench takes.
NODES = {
    name: max(2, getattr(player_class(name), "bench_nodes", 20_000) // 500)
    for name in [*GAMES, *EVERY_VARIANT]
}
GROWTH = 60 * 1024  # kB of address space after the import
NEARLY_OUT = 0.0005  # seconds
AT_ONCE = 0.010  # seconds, on a machine four times slower than those of 2024


def random_walk(game, seed, plies):
    """A random game: (state, what was chosen there) of each turn, and the last state."""
    lots, state, walk = random.Random(seed), rules.start(game), []
    while state.to_act() and len(walk) < plies:
        chosen = {who: lots.choice(state.actions(who)) for who in state.to_act()}
        walk.append((state, chosen))
        state = state.after(chosen)
    return walk, state


def middle(game, seat, seed, least):
    """Turns of a random game, at least so many, and a state after them where that seat has a choice."""
    for attempt in range(100):
        walk, state = random_walk(game, f"{seed} {attempt}", plies=least + 12)
        while len(walk) > least:
            if len(state.actions(seat)) > 1:
                return walk, state
            state, _ = walk.pop()
    raise AssertionError(f"no such position in 100 games of {game}")


def told(game, seat, walk, **keywords):
    """A player that was told of a game."""
    one = player(game, seat, **keywords)
    for state, chosen in walk:
        one.update(*state.news(seat, chosen))
    return one


def follow(players, state, chosen):
    for seat, one in enumerate(players):
        one.update(*state.news(seat, chosen))
    return state.after(chosen)


def is_plain(value):
    if type(value) is tuple:
        return all(map(is_plain, value))
    return type(value) in (int, str)


# --- Where they run --------------------------------------------------------------------------------


def test_each_agent_is_one_of_a_game():
    assert sorted(map(agent_of, GAMES)) == sorted(path.name for path in ROOT.glob("*_agent"))


@pytest.mark.parametrize("game", GAMES)
def test_an_agent_follows_a_game_and_plays_legal_actions(game):
    players = [player(game, seat, nodes=NODES[game], seconds=1.0) for seat in (0, 1)]
    lots, state = random.Random("legal"), rules.start(game)
    for _ in range(12):
        chosen = {seat: players[seat].action() for seat in state.to_act()}
        for seat, action in chosen.items():
            assert action in state.actions(seat), f"{action!r} in {state.text()}"
            chosen[seat] = lots.choice([action, lots.choice(state.actions(seat))])
        if not chosen:
            break
        state = follow(players, state, chosen)


def test_this_machine_has_an_interpreter_to_try_them_on():
    assert found(), "none of the wanted versions of CPython is on this machine"


class Elsewhere:
    """Players in an interpreter of their own, called as the course referees call theirs."""

    def __init__(self, python, folder, packages, cwd=None):
        script = ROOT / "tests" / "support" / "course_manner.py"
        self.process = subprocess.Popen(
            [python, "-E", "-s", str(script), str(folder), *packages],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=cwd,
        )
        self.growth = self.threads = self.resident = 0

    def ask(self, *words):
        self.process.stdin.write(repr(words) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        assert line, f"{words[:3]} failed: {self.process.stderr.read()[-2000:]}"
        result, growth, threads, resident = ast.literal_eval(line)
        self.growth, self.threads = max(self.growth, growth), max(self.threads, threads)
        self.resident = max(self.resident, resident)
        return result

    def close(self):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()
        self.process.stderr.close()


def one_game(elsewhere, game, package, key, keywords, plies=10_000, by_keyword=False):
    """Self-play of one package in one interpreter; the actions played."""
    state, actions = rules.start(game), []
    for seat, colour in enumerate(state.COLOURS):
        elsewhere.ask("new", f"{key}{seat}", package, (colour,), keywords)
    while state.to_act() and len(actions) < plies:
        chosen = {}
        for seat in state.to_act():
            action = elsewhere.ask("call", f"{key}{seat}", "action", (), {})
            assert is_plain(action) and action in state.actions(seat), f"{action!r} in {state.text()}"
            chosen[seat] = action
        for seat in (0, 1):
            news = state.news(seat, chosen)
            named = {}
            if by_keyword:
                news, named = (), dict(zip(("opponent_action", "player_action"), news, strict=True))
            elsewhere.ask("call", f"{key}{seat}", "update", news, named)
        actions.append(chosen)
        state = state.after(chosen)
    return actions


TEAMS = {game: f"team_{number}" for number, game in enumerate(MEASURED, 1)}


def copied(folder, packed):
    """The agents without the project, under other names: in a folder, or (what is handed in) in a zip."""
    if not packed:
        for game, name in TEAMS.items():
            ignored = shutil.ignore_patterns("__pycache__")
            shutil.copytree(ROOT / agent_of(game), folder / name, ignore=ignored)
        return folder
    archive = folder / "teams.zip"
    with zipfile.ZipFile(archive, "w") as zipped:
        for game, name in TEAMS.items():
            for path in sorted((ROOT / agent_of(game)).rglob("*")):
                inner = path.relative_to(ROOT / agent_of(game))
                if path.is_file() and not {"train", "__pycache__", "yardstick.py"} & set(inner.parts):
                    zipped.write(path, Path(name) / inner)
    return archive


VERSIONS = sorted(found(), key=lambda version: int(version[2:]))
# From a zip, as they are handed in, they run on every version; from a folder on the oldest.
FROM_A_FOLDER = few(VERSIONS[:1], VERSIONS)
PLACES = [(version, False) for version in FROM_A_FOLDER] + [(version, True) for version in VERSIONS]


@pytest.mark.parametrize("version, packed", PLACES)
def test_renamed_and_without_the_project_they_play_themselves_and_start_afresh(version, packed, tmp_path):
    # All in one interpreter, which takes longer to start than they to play.
    place = copied(tmp_path, packed)
    before = sorted(path for path in tmp_path.rglob("*"))
    elsewhere = Elsewhere(with_numpy(version), place, TEAMS.values(), cwd=tmp_path)
    try:
        for game, name in TEAMS.items():
            simultaneous = len(rules.start(game).to_act()) == 2
            limit = named(game, {"nodes": NODES[game], "seed": 360})
            first = one_game(elsewhere, game, name, f"{name} first ", limit, plies=few(16, 24))
            again = f"{name} second "
            second = one_game(elsewhere, game, name, again, limit, plies=8, by_keyword=simultaneous)
            assert first[:8] == second, f"the second game of {game} in one process began otherwise"
            assert elsewhere.threads == 0, f"a thread was started in {game}"
    finally:
        elsewhere.close()
    written = [path for path in tmp_path.rglob("*") if path not in before]
    assert not written, f"written: {written}"


# --- Time and memory -------------------------------------------------------------------------------


NUMBERS = ("seconds", "game_seconds", "action_seconds", "first_seconds", "megabytes", "nodes", "seed")


@pytest.mark.parametrize("value", ["abc", float("nan"), (1, 2)], ids=["text", "nan", "several"])
@pytest.mark.parametrize("game", MEASURED)
def test_what_is_no_number_is_met_with_a_sentence(game, value):
    for keyword in named(game, dict.fromkeys(NUMBERS)):
        with pytest.raises(ValueError, match=f"^{keyword} should be a number, not .*(abc|nan|1, 2)"):
            player(game, 0, **{keyword: value})


def usual_limits(game, share):
    """The course's limits, scaled, as constructor keywords."""
    limits = type(rules.start(game)).LIMITS
    if limits.game is not None:
        return {"seconds": limits.game * share}
    keywords = {"seconds": limits.action * share}
    if limits.first is not None:
        keywords["first_seconds"] = limits.first * share
    return keywords


def timed_game(game, machine, keywords, plies):
    """Self-play on a machine of the tests: (actions, seconds in all) of each seat."""
    state, actions, spent = rules.start(game), [0, 0], [0.0, 0.0]
    players = []
    for seat in (0, 1):
        one, spent[seat] = machine.run(lambda seat=seat: player(game, seat, **keywords))
        players.append(one)
    while state.to_act() and sum(actions) < plies:
        chosen = {}
        for seat in state.to_act():
            chosen[seat], taken = machine.run(players[seat].action)
            actions[seat] += 1
            spent[seat] += taken
        for seat, one in enumerate(players):
            spent[seat] += machine.takes(one.update, *state.news(seat, chosen))
        state = state.after(chosen)
    return list(zip(actions, spent, strict=True))


@pytest.mark.parametrize("a_call, share", [(4e-6, few(1 / 50, 1 / 25)), (8e-6, 1 / 25)])
@pytest.mark.parametrize("game", MEASURED)
def test_both_players_keep_to_their_time_on_slow_machines(game, a_call, share, monkeypatch):
    machine = Machine(a_call)
    let_clocks_read(monkeypatch, machine, f"{agent_of(game)}.shared")
    limits = type(rules.start(game)).LIMITS
    plies = 10_000 if limits.game else 20
    for actions, spent in timed_game(game, machine, usual_limits(game, share), plies):
        allowed = limits.game or (limits.first or limits.action) + limits.action * (actions - 1)
        assert spent < allowed * share, f"in {actions} actions"
    assert machine.readings > 100, "they look at another clock"


@pytest.mark.parametrize("game", MEASURED)
def test_two_of_them_in_one_process_keep_to_their_memory(game):
    # Some hundred thousand positions a player fill what is bounded.
    elsewhere = Elsewhere(sys.executable, ROOT, [agent_of(game)])
    try:
        for seat, colour in enumerate(type(rules.start(game)).COLOURS):
            elsewhere.ask("new", seat, agent_of(game), (colour,), {"nodes": 1500 * NODES[game]})
        for number in range(few(1, 5)):
            for seat in (0, 1):
                _, state = middle(game, seat, f"memory {number}", least=6)
                elsewhere.ask("call", seat, "set_up", (state.text(),), {})
                assert elsewhere.ask("call", seat, "action", (), {}) in state.actions(seat)
    finally:
        elsewhere.close()
    assert elsewhere.growth < 2 * GROWTH, f"address space grew by {elsewhere.growth} kB for two players"
    assert elsewhere.resident < 2 * 100 * 1024
    assert elsewhere.threads == 0


SPEEDS = [(2e-6, few(1 / 8, 1 / 6), 58), (1e-5, few(1 / 6, 1 / 3), 60)]
BUDGETED = [game for game in MEASURED if type(rules.start(game)).LIMITS.game]
# In the suite each is tried at one of the speeds.
LONGEST_GAMES = few(list(zip(BUDGETED, SPEEDS, strict=False)), list(product(BUDGETED, SPEEDS)))


@pytest.mark.parametrize("game, speed", LONGEST_GAMES)
@pytest.mark.lengthy
def test_longest_game_stays_under_58_of_60_seconds_or_60_on_a_very_slow_machine(game, speed, monkeypatch):
    a_call, share, most = speed
    # A share of the time, in the longest game that can be steered from outside: whatever the player
    # would do, both are told of actions that keep the game going.
    machine = Machine(a_call)
    let_clocks_read(monkeypatch, machine, f"{agent_of(game)}.shared")
    lots, state, turns = random.Random(58), rules.start(game), 0
    one, spent = machine.run(lambda: player(game, 0, **usual_limits(game, share)))
    while state.to_act():
        if 0 in state.to_act():
            action, taken = machine.run(one.action)
            spent += taken
            assert action in state.actions(0), f"in {state.text()}"
        chosen, state_after = going_on(state, lots)
        if chosen is None:
            break
        spent += machine.takes(one.update, *state.news(0, chosen))
        state, turns = state_after, turns + 1
    assert turns > 300, f"only {turns} turns"
    assert spent < most * share, f"{spent:.2f} s in {turns} turns of a budget of {60 * share} s"


def going_on(state, lots):
    """Actions after which the game goes on with as much on the board as possible, and the state then."""
    best = None
    for _ in range(12):
        chosen = {who: lots.choice(state.actions(who)) for who in state.to_act()}
        after = state.after(chosen)
        if after.to_act():
            size = len(after.text())
            if best is None or size > best[0]:
                best = size, chosen, after
    return best[1:] if best else (None, None)


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("game", EVERY_VARIANT)
def test_legal_action_at_once_when_the_clock_is_nearly_out(game, seat, monkeypatch):
    base = game.partition(":")[0]
    machine = Machine(4e-6)
    let_clocks_read(monkeypatch, machine, f"{base}_agent.shared")
    walk, state = middle(game, seat, "nearly out", least={"pentago": 6}.get(base, 12))
    one = told(game, seat, walk, seconds=NEARLY_OUT, first_seconds=NEARLY_OUT)
    action, taken = machine.run(one.action)
    assert action in state.actions(seat), f"{action!r} in {state.text()}"
    assert taken < AT_ONCE, f"{taken * 1000:.1f} ms in {state.text()}"


# --- Whatever happens ------------------------------------------------------------------------------


class Sabotage(Exception):
    """Raised at the n-th call of a function inside an agent."""


def saboteur(folder, number):
    """A profile function that counts the calls in a package's thinking, and raises in one of them."""
    spared = {"player.py", "clock.py"}  # what catches, and what is asked before there is anything to catch
    calls = [0]

    def watch(frame, event, _):
        path = frame.f_code.co_filename
        if event == "call" and path.startswith(folder) and Path(path).name not in spared:
            calls[0] += 1
            if calls[0] == number:
                sys.setprofile(None)
                raise Sabotage

    return watch, calls


@pytest.mark.parametrize("game", EVERY_VARIANT)
def test_error_anywhere_in_the_thinking_still_yields_a_legal_action_and_is_told(game):
    folder = str(ROOT / agent_of(game)) + "/"
    lots, heard = random.Random(f"sabotage {game}"), []
    for seat in (0, 1):
        walk, state = middle(game, seat, "sabotage", least=6)

        def calls_until(number, seat=seat, walk=walk, state=state):
            one = told(game, seat, walk, nodes=NODES[game])
            watch, calls = saboteur(folder, number)
            with warnings.catch_warnings(record=True) as warned:
                warnings.simplefilter("always")
                sys.setprofile(watch)
                try:
                    action = one.action()
                finally:
                    sys.setprofile(None)
            assert action in state.actions(seat), f"{action!r} after call {number} failed: {state.text()}"
            said = [str(one.message) for one in warned]
            heard.extend(said)
            assert len(said) <= (calls[0] >= number), f"call {number} failed, and {said} is said of it"
            assert all("the search failed" in one and "Sabotage" in one for one in said)
            return calls[0]

        total = calls_until(math.inf)
        assert total > 1, "nothing of the thinking was seen"
        for number in sorted({1, 2, 3, total, *(lots.randint(1, total) for _ in range(few(8, 16)))}):
            calls_until(number)
    assert heard  # not of each: what is raised while garbage is collected, say, reaches nobody


@pytest.mark.parametrize("game", EVERY_VARIANT)
def test_update_takes_numpy_numbers_named_tuples_and_whole_floats(game):
    Pair = namedtuple("Pair", "r q")

    def odd(value, kind, inside=False):
        if type(value) is int:
            return kind(value)
        if type(value) is tuple:
            changed = [odd(item, kind, True) for item in value]
            return Pair(*changed) if inside and len(changed) == 2 else tuple(changed)
        return numpy.str_(value) if kind is numpy.int64 else value

    for kind in (numpy.int64, numpy.int8, float):
        plain = [player(game, seat, nodes=NODES[game]) for seat in (0, 1)]
        strange = [player(game, seat, nodes=NODES[game]) for seat in (0, 1)]
        lots, state = random.Random("odd"), rules.start(game)
        for turn in range(14):
            if not state.to_act():
                break
            chosen = {}
            for seat in state.to_act():
                actions = plain[seat].action(), strange[seat].action()
                assert actions[0] == actions[1] and is_plain(actions[1]), f"turn {turn}, {kind.__name__}"
                chosen[seat] = lots.choice([actions[0], lots.choice(state.actions(seat))])
            for seat, one in enumerate(strange):
                one.update(*(odd(item, kind) for item in state.news(seat, chosen)))
            state = follow(plain, state, chosen)


@pytest.mark.parametrize("game", EVERY_VARIANT)
def test_two_players_in_one_process_do_not_touch_each_other(game):
    alone = [player(game, 0, nodes=NODES[game])]
    crowd = [player(game, seat, nodes=NODES[game]) for seat in (0, 1, 0)]
    for state, chosen in random_walk(game, "crowd", plies=10)[0]:
        seats = dict(zip(alone + crowd, (0, 0, 1, 0), strict=True))
        answers = [one.action() for one, seat in seats.items() if seat in state.to_act()]
        if 0 in state.to_act():
            assert answers[0] == answers[1] == answers[-1], f"in {state.text()}"
        for one, seat in seats.items():
            one.update(*state.news(seat, chosen))


@pytest.mark.parametrize("game", EVERY_VARIANT)
def test_silent_and_the_same_moves_twice_under_a_node_limit(game):
    walk, _ = middle(game, 0, "silent", least=4)
    with redirect_stdout(io.StringIO()) as printed:
        actions = {told(game, 0, walk, nodes=5 * NODES[game]).action() for _ in range(2)}
    assert len(actions) == 1 and printed.getvalue() == ""


@pytest.mark.parametrize("game", EVERY_VARIANT)
def test_position_set_up_from_the_rules_text_is_played_from(game):
    notation = importlib.import_module(f"{agent_of(game)}.notation")
    for seat in (0, 1):
        _, state = middle(game, seat, "set up", least=5)
        assert hash(notation.from_text(state.text())) is not None
        one = player(game, seat, nodes=NODES[game])
        one.set_up(state.text())
        assert one.action() in state.actions(seat), f"in {state.text()}"


@pytest.mark.parametrize("game", MEASURED)
def test_wrong_colour_or_variant_is_refused_in_a_sentence(game):
    cls = player_class(game)
    for arguments in (("purple",), (type(rules.start(game)).COLOURS[0], "no such variant")):
        with pytest.raises(ValueError) as refused:
            cls(*arguments)
        assert len(str(refused.value)) > 10


# --- What they are made of -------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_imports_only_the_standard_library_numpy_and_itself(game):
    for path in sorted((ROOT / agent_of(game)).rglob("*.py")):
        if "train" in path.parts:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and not node.level:
                names = [node.module]
            for name in names:
                top = name.partition(".")[0]
                assert top == "numpy" or top in sys.stdlib_module_names, f"{path.name} imports {name}"
                assert top not in ("threading", "multiprocessing", "subprocess", "socket"), path.name


@pytest.mark.parametrize("game", GAMES)
def test_import_calls_fewer_than_half_a_million_functions(game):
    # That is half a second on a usual machine: a slow start is the first thing that users meet.
    say = (
        "import importlib, numpy; from tests.support.machine import Machine;"
        f"print(Machine(1).takes(importlib.import_module, {agent_of(game)!r}))"
    )
    run = subprocess.run([sys.executable, "-c", say], cwd=ROOT, capture_output=True, text=True)
    assert float(run.stdout) < 500_000


@pytest.mark.parametrize("game", EVERY_VARIANT)
def test_beats_greedy_at_a_fraction_of_the_limits(game, capsys):
    """A short sample of the strength command in the README, which plays 20 games at a tenth."""
    words = ["--games", "2", "--json", "--nodes", str(few(2, 5) * NODES[game]), "-t", "0", "--seed", "5"]
    code = main(["play", game, str(ROOT / agent_of(game)), "greedy", *words])
    said = capsys.readouterr()
    assert code == 0, said
    summary = json.loads(said.out.splitlines()[-1])
    assert summary["points"][0] >= 1.5 and summary["faults"] == [0, 0], summary
