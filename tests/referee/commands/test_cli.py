"""The command line of play: what is said, shown, kept and answered, with real players in their processes."""

import io
import json
import os
import re
import signal
import subprocess
import sys
import textwrap
import time
from argparse import Namespace
from ast import literal_eval
from pathlib import Path
from types import SimpleNamespace

import pytest

from referee import rules
from referee.__main__ import main
from referee.commands import human_seats, limits, parser
from referee.commands.options import attached
from referee.isolation.allowance import BY_CPU
from referee.match import record
from referee.match.loop import Match
from referee.players.names import resolve
from referee.rules import Limits
from referee.view.terminal import Terminal, painter
from tests import ROOT
from tests.referee.match.test_match import FakeSeat, crash

GAME_KEYS = """
    game number players first winner ending at_fault reason turns cpu wall megabytes course_megabytes
    opening record
    """.split()
SUMMARY_KEYS = """
    summary games points wins draws faults openings score error interval isolation
    """.split()


@pytest.fixture
def play(capsys):
    """Runs `play` with these words: the exit code, the lines of stdout, stderr."""

    def run(*words):
        code = main(["play", *map(str, words)])
        printed = capsys.readouterr()
        return code, printed.out.splitlines(), printed.err

    return run


@pytest.fixture
def play_json(play):
    """The games and the summary of `play --json`, and the exit code."""

    def run(*words):
        code, lines, errors = play(*words, "--json")
        assert errors == ""
        *games, summary = map(json.loads, lines)
        assert all(list(game) == GAME_KEYS for game in games)
        assert list(summary) == SUMMARY_KEYS and summary["summary"] is True
        return code, games, summary

    return run


@pytest.fixture
def player(tmp_path):
    """Writes a player's file; returns its path."""

    def write(name, body):
        path = tmp_path / f"{name}.py"
        path.write_text(textwrap.dedent(body))
        return path

    return write


FOLLOWER = """
    class Player:
        def __init__(self, colour, {keywords}):
            {first}
        def action(self):
            return {action}
        def update(self, *news):
            pass
"""


def follower(first="pass", action="2", keywords="unused=None"):
    return FOLLOWER.format(first=first, action=action, keywords=keywords)


# Commands


def test_alone_it_shows_what_can_be_done_in_ten_lines(capsys):
    assert main([]) == 0
    shown = capsys.readouterr().out
    assert "play" in shown and "replay" in shown and "perft" in shown
    assert shown.count("\n") <= 14


@pytest.mark.parametrize("command", ["play", "replay", "perft"])
def test_help_fits_a_screen_and_shows_an_example(command, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    with pytest.raises(SystemExit) as end:
        main([command, "--help"])
    shown = capsys.readouterr().out
    assert end.value.code == 0
    assert f"example: referee {command} " in shown
    assert shown.count("\n") <= 40


WRONG = [
    (["pley"], "did you mean 'play'?"),
    (["kalaha:4x3", "random", "random"], "the command comes first, as in `referee play kalaha:4x3 ...`"),
    (["play"], "required: GAME, P1, P2"),
    (["play", "random", "greedy"], "there is no game 'random'"),
    (["play", "kalaha", "random", "random", "--game", "3"], "did you mean --games?"),
    (["play", "kalaha", "random"], "required: P2"),
    (["play", "kalaha", "random", "random", "random"], "unrecognized arguments: random"),
    (["play", "kalah", "random", "random"], "did you mean 'kalaha'?"),
    (["play", "kalaha:x", "random", "random"], "kalaha"),
    (["play", "kalaha", "randon", "random"], "did you mean 'random'?"),
    (["play", "kalaha", "./nowhere", "random"], "there is no file or folder './nowhere'"),
    (["play", "kalaha", "random", "random", "--bogus"], "--bogus"),
    (["play", "kalaha", "random", "random", "-t", "abc"], "--time takes a number, not 'abc'"),
    (["play", "-t", "abc", "kalaha", "random", "random"], "--time takes a number, not 'abc'"),
    *[
        (["play", "kalaha", "random", "random", option, value], repr(value))
        for option in ("-t", "-s", "--action-time", "--first-time", "--nodes")
        for value in ("-1", "nan", "inf", "1,2,3", "1,", "-1,2", "1e999")
    ],
    (["play", "kalaha", "random", "random", "--nodes", "1.5"], "'1.5'"),
    (["play", "kalaha", "random", "random", "--games", "0"], "1 or more"),
    (["play", "kalaha", "random", "random", "--games", "-2"], "'-2'"),
    (["play", "kalaha", "random", "random", "--opening", "x"], "'x'"),
    (["play", "kalaha", "random", "random", "--seed", "x"], "'x'"),
    (["play", "kalaha", "random", "random", "-v", "4"], "invalid choice"),
    (["play", "kalaha", "random", "random", "-v", "1", "-D"], "not allowed with"),
    (["play", "kalaha", "random", "random", "-c", "-C"], "not allowed with"),
    (["play", "kalaha", "random", "random", "-u", "-a"], "not allowed with"),
    (["play", "kalaha", "random", "random", "-d", "nan"], "'nan'"),
    (["play", "kalaha", "random", "random", "-d", "1e10"], "'1e10' should be a number of seconds"),
    (["play", "kalaha", "random", "random", "-l", "a.html", "--html", "a.html"], "overwrite --logfile"),
    (["play", "kalaha", "random", "random", "--opening", "500"], "no opening of 500 random plies"),
]


@pytest.mark.parametrize(("words", "said"), WRONG, ids=lambda value: str(value)[-40:])
def test_wrong_usage_is_one_sentence_and_exit_2(words, said, capsys):
    assert main(words) == 2
    printed = capsys.readouterr()
    assert said in printed.err
    assert printed.err.startswith("referee: ") and printed.err.count("\n") == 1 and not printed.out


def test_a_player_that_does_not_import_is_exit_2_with_the_reason(play, player, tmp_path):
    broken = player("broken", "import nothing_of_that_name\n")
    records = tmp_path / "records"
    code, lines, errors = play("kalaha", "random", broken, "--record", records)
    assert (code, lines) == (2, [])
    assert "nothing_of_that_name" in errors and errors.count("\n") == 1
    assert not records.exists()


def test_a_class_that_is_not_there_is_exit_2(play, player):
    code, _, errors = play("kalaha", f"{player('good', follower())}:Other", "random")
    assert code == 2 and "Other" in errors and errors.count("\n") == 1


def test_a_directory_that_cannot_be_written_is_exit_2(play, tmp_path):
    (tmp_path / "file").write_text("")
    code, _, errors = play("kalaha", "random", "random", "--record", tmp_path / "file" / "below")
    assert code == 2 and "cannot write" in errors and errors.count("\n") == 1


# Options


@pytest.mark.parametrize(
    ("words", "ready"),
    [
        ("-t kalaha a b", "kalaha a b --time"),
        ("-t 3 -s kalaha a b", "--time=3 kalaha a b --space"),
        ("kalaha -t 1,2 a -v b -d", "kalaha --time=1,2 a b --verbosity --delay"),
        ("-d -1 kalaha a b", "--delay=-1 kalaha a b"),
        ("-l kalaha a b", "kalaha a b --logfile"),
        ("-l my.log kalaha a b", "--logfile=my.log kalaha a b"),
        ("kalaha a b -l my.log -t", "kalaha a b --logfile=my.log --time"),
        ("kalaha a b -l", "kalaha a b --logfile"),
        ("kalaha a b -l -v 1", "kalaha a b --verbosity=1 --logfile"),
        ("kalaha a b --time=5 -D", "kalaha a b --time=5 --debug"),
        ("kalaha --debug P1 a b", "kalaha --debug=P1 a b"),
        ("kalaha a b --action-time -1,2", "kalaha a b --action-time=-1,2"),
        ("kalaha a b --record --json", "kalaha a b --record --json"),
    ],
)
def test_a_bare_option_may_stand_before_a_game_or_a_player(words, ready):
    assert attached(parser("play"), words.split()) == ready.split()


PLAIN = {"isolation": None, "require_isolation": None, "readable": []}


def allowed(game_limits, **given):
    none = dict.fromkeys(("time", "space", "action_time", "first_time", "nodes"))
    return limits.allowances(Namespace(**{**none, "wall": False, **PLAIN, **given}), game_limits)


ACTIONS = Limits(action=2.0, first=30.0, megabytes=500)
GAME = Limits(game=60.0, megabytes=100)


def test_without_options_the_limits_are_the_games():
    for allowance in allowed(ACTIONS):
        assert (allowance.game, allowance.action, allowance.first) == (None, 2.0, 30.0)
        assert allowance.megabytes == 500
        assert allowance.told == () and not allowance.wall


def test_an_option_sets_its_own_limit_for_both_or_for_each():
    first, second = allowed(
        ACTIONS, action_time=limits.seconds_each("1,60"), space=limits.megabytes_each("7")
    )
    assert (first.action, second.action) == (1.0, 60.0)
    assert (first.first, second.first, first.game) == (30.0, 30.0, None)
    assert first.megabytes == second.megabytes == 7.0


def test_a_limit_of_0_is_lifted_and_not_told():
    first, second = allowed(GAME, time=limits.seconds_each("0,5"), space=limits.megabytes_each("0"))
    assert (first.game, second.game, first.megabytes) == (None, 5.0, None)
    assert (first.told, second.told) == ((), (("seconds", 5.0),))
    assert allowed(ACTIONS, first_time=limits.seconds_each("0"))[0].first == float("inf")


SLEEPER = """
    import time

    class Player:
        def __init__(self, colour):
            pass

        def action(self):
            time.sleep(60)
            return 1

        def update(self, *news):
            pass
"""


def test_the_wall_limit_of_a_game_is_by_the_cpu_time_unless_it_is_set_or_lifted():
    assert [one.game_wall for one in allowed(GAME)] == [BY_CPU, BY_CPU]
    assert [one.game_wall for one in allowed(GAME, game_wall=limits.seconds_each("7.5,0"))] == [7.5, None]


def test_a_game_that_takes_too_long_by_the_wall_is_no_answer_in_json_and_record(play_json, player, tmp_path):
    sleeper = player("sleeper", SLEEPER)
    words = ("kalaha", sleeper, "random", "--game-wall", "1.0,60", "--record", tmp_path)
    code, (game,), _ = play_json(*words)
    assert (code, game["ending"], game["at_fault"], game["turns"]) == (1, "no answer", 0, 1)
    assert "of the wall's 1 s for the game" in game["reason"]
    assert game["wall"][0] > 1.0 > game["cpu"][0]
    written = Path(game["record"]).read_text()
    assert "'game_wall': 1.0" in written and "'game_wall': 60.0" in written and "\nwall: (" in written
    assert main(["replay", game["record"]]) == 0


def test_a_player_is_told_the_seconds_of_its_games_kind():
    both = {"time": limits.seconds_each("60"), "action_time": limits.seconds_each("3")}
    assert allowed(GAME, **both)[0].told == (("seconds", 60.0),)
    assert allowed(ACTIONS, **both)[0].told == (("seconds", 3.0),)
    more = allowed(ACTIONS, first_time=limits.seconds_each("9"), nodes=limits.nodes_each("1000,2000"))
    assert more[1].told == (("first_seconds", 9.0), ("nodes", 2000))


OF_GAME = {"game_seconds": 60.0, "megabytes": 100}


@pytest.mark.parametrize(
    "game, options, told",
    [
        ("kalaha", "", {"action_seconds": 1.0, "megabytes": 100}),
        ("pentago", "", {"action_seconds": 2.0, "first_seconds": 30.0, "megabytes": 500}),
        ("expendibots", "", OF_GAME),
        ("expendibots", "--action-time 0.3 -s 30", {**OF_GAME, "action_seconds": 0.3, "megabytes": 30.0}),
        ("kalaha", "-t 3,4", {"game_seconds": 3.0, "action_seconds": 1.0, "megabytes": 100}),
        ("pentago", "--first-time 0 --action-time 5", {"seconds": 5, "action_seconds": 5, "megabytes": 500}),
        ("ropasci", "-t 0 -s 0", {}),
    ],
)
def test_a_player_is_told_of_the_limits_in_force_whatever_set_them(play, player, game, options, told):
    names = ("seconds", "game_seconds", "action_seconds", "first_seconds", "megabytes")
    says = "print({name: value for name, value in vars().items() if value and name[-3:] in ('nds', 'tes')})"
    one = player("told", follower(says, "0", ", ".join(f"{name}=None" for name in names)))
    _, lines, _ = play(game, one, "random", "-v", 1, *options.split())
    (said,) = [line.partition(": ")[2] for line in lines if line.startswith("  | ")]
    assert literal_eval(said) == told


def test_one_value_of_a_limit_is_for_programs_and_a_human_s_is_given_with_the_comma():
    none = dict.fromkeys(("time", "space", "action_time", "first_time", "nodes"))
    human, agent = resolve("human", person=True), resolve("random")

    def of_human(**given):
        options = Namespace(**{**none, "wall": False, **PLAIN, **given})
        allowed = human_seats.allowances(options, (human, agent), ACTIONS)[0]
        assert allowed.wall and allowed.megabytes is None and not allowed.told
        return allowed.game, allowed.action, allowed.first

    one = {"time": (9.0,), "action_time": limits.seconds_each("0.1"), "first_time": (8.0,), "space": (3.0,)}
    assert of_human(**one) == (None, None, None)
    assert of_human(time=limits.seconds_each("60,0")) == (60.0, None, None)
    assert of_human(**one | {"action_time": limits.seconds_each("20,0.1")}) == (None, 20.0, None)


def test_a_player_gets_what_its_constructor_names_and_nothing_else(play, player):
    keywords = "variant=None, seconds=None, first_seconds=None, nodes=None, seed=None, game=None"
    says = "print(variant, seconds, first_seconds, nodes, type(seed).__name__, game)"
    told = player("told", follower(says, "0", keywords))
    _, lines, _ = play("kalaha:4x3", told, told, "-v", 1, "--action-time", "1,2", "--nodes", 50)
    said = [line.rpartition(": ")[2] for line in lines if line.startswith("  | ")]
    assert said == ["4x3 1.0 None 50 int None", "4x3 2.0 None 50 int None"]


def test_limits_are_the_players_and_follow_them_to_the_other_seat(play_json, player):
    slow = player("slow", follower("sum(range(10_000_000))"))
    code, games, summary = play_json("kalaha", slow, slow, "--games", 2, "--action-time", "0.02,20")
    assert code == 1
    assert [game["at_fault"] for game in games] == [0, 0] and [game["first"] for game in games] == [0, 1]
    assert [game["ending"] for game in games] == ["out of time"] * 2
    assert summary["faults"] == [2, 0] and summary["wins"] == [0, 2]


# Games


def test_one_game_has_no_opening_and_no_error_bar(play_json):
    code, (game,), summary = play_json("kalaha", "random", "greedy")
    assert code == 0
    assert (game["game"], game["number"], game["first"]) == ("kalaha", 1, 0)
    assert game["players"] == ["random", "greedy"]
    assert (game["ending"], game["at_fault"], game["opening"], game["record"]) == ("finished", None, [], None)
    assert re.fullmatch(r"A wins \d+-\d+|B wins \d+-\d+|draw 36-36", game["reason"])
    assert len(game["cpu"]) == len(game["megabytes"]) == len(game["course_megabytes"]) == 2
    assert summary["games"] == 1 and summary["openings"] == 1 and summary["error"] is None


def test_games_come_in_pairs_from_one_opening_with_seats_swapped(play_json):
    _, games, summary = play_json("kalaha", "greedy", "random", "--games", 5, "--seed", 7)
    assert [game["number"] for game in games] == [1, 2, 3, 4, 5]
    assert [game["first"] for game in games] == [0, 1, 0, 1, 0]
    openings = [game["opening"] for game in games]
    assert openings[0] == openings[1] and openings[2] == openings[3]
    assert all(len(one) == 2 for one in openings)
    assert summary["openings"] == len({tuple(one) for one in openings}) > 1
    points = [{0: 1, 1: 0, None: 0.5}[game["winner"]] for game in games]
    assert summary["points"] == [sum(points), 5 - sum(points)]
    assert summary["score"] == sum(points) / 5
    assert summary["wins"] == [points.count(1), points.count(0)] and summary["draws"] == points.count(0.5)
    assert summary["error"] is not None


def without_figures(games):
    figures = ("cpu", "wall", "megabytes", "course_megabytes")
    return [{key: value for key, value in game.items() if key not in figures} for game in games]


def test_the_same_seed_plays_the_same_games_and_another_seed_others(play_json):
    once, again, other = (
        without_figures(play_json("kalaha:3x2", "greedy", "random", "--games", 2, "--seed", seed)[1])
        for seed in (1, 1, 2)
    )
    assert once == again != other


def test_at_fault_and_cpu_are_by_player_also_from_the_other_seat(play_json, player):
    bad = player("bad", follower(action="0"))
    code, games, summary = play_json("kalaha", "random", bad, "--games", 2, "--opening", 0)
    assert code == 1
    assert [(game["at_fault"], game["winner"]) for game in games] == [(1, 0), (1, 0)]
    assert games[1]["first"] == 1 and games[1]["turns"] == 1
    reason = f"turn 1: {bad} (A) forfeits: action 0 is illegal; legal are 1, 2, 3, 4, 5, 6"
    assert games[1]["reason"] == reason
    assert summary["faults"] == [0, 2] and summary["points"] == [2, 0] and summary["score"] == 1


def test_both_at_fault_are_both_named(play_json, player):
    bad = player("bad", follower(action="7"))
    code, (game,), summary = play_json("ropasci", bad, bad)
    assert code == 1
    assert (game["at_fault"], game["winner"], game["ending"]) == ([0, 1], None, "illegal action")
    assert summary["points"] == [0.5, 0.5] and summary["faults"] == [1, 1]


def test_the_opening_of_a_simultaneous_game_has_pairs(play_json):
    _, (game,), _ = play_json("ropasci", "random", "greedy", "--opening", 1)
    (ply,) = (eval(text, {}) for text in game["opening"])
    assert ply[0] in rules.start("ropasci").actions(0) and ply[1] in rules.start("ropasci").actions(1)


def test_records_are_kept_and_replay(play_json, tmp_path, capsys):
    _, games, _ = play_json("kalaha:3x2", "random", "greedy", "--games", 3, "--seed", 5, "--record", tmp_path)
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == [
        "kalaha_3x2-seed5-001-random-greedy.txt",
        "kalaha_3x2-seed5-002-greedy-random.txt",
        "kalaha_3x2-seed5-003-random-greedy.txt",
    ]
    assert [Path(game["record"]).name for game in games] == names
    assert main(["replay", *(game["record"] for game in games)]) == 0
    assert capsys.readouterr().out.count(": same, ") == 3
    header = record.parse(Path(games[1]["record"]).read_text()).header
    assert (header["players"], header["first"], header["seed"]) == (("greedy", "random"), 1, 5)


def test_a_record_that_is_there_is_never_overwritten(play_json, tmp_path):
    names = set()
    for _ in range(3):
        _, (game,), _ = play_json("kalaha:2x2", "random", "random", "--record", tmp_path)
        names.add(game["record"])
        assert record.parse(Path(game["record"]).read_text()).verdict.turns == game["turns"]
    assert (
        {Path(name).name for name in names}
        == {path.name for path in tmp_path.iterdir()}
        == {f"kalaha_2x2-seed0-001-random-random{more}.txt" for more in ("", "-2", "-3")}
    )


def test_a_bare_option_means_what_its_course_means_by_it():
    options = parser("play").read("-l -d kalaha -v a -t b -s".split())
    assert (options.logfile, options.delay, options.verbosity) == (Path("game.log"), 0.5, 3)
    assert (options.time, options.space) == ((60.0,), (100.0,))
    assert (options.game, options.first, options.second) == ("kalaha", "a", "b")


@pytest.mark.parametrize("game", ["ropasci", "expendibots", "kalaha:3x2"])
def test_a_log_replays(game, play, tmp_path, capsys):
    log = tmp_path / "game.log"
    assert play(game, "greedy", "random", "-l", log, "-v", 0)[0] == 0
    starts = {"ropasci": "turn 1: upper: THROW", "expendibots": "[game ] - Start", "kalaha:3x2": "record: 1"}
    assert log.read_text().startswith(starts[game])
    assert main(["replay", str(log)]) == 0
    assert ": same, " in capsys.readouterr().out


def test_logs_of_several_games_are_numbered(play, tmp_path):
    play("kalaha:2x1", "random", "random", "--games", 2, "--opening", 0, "-l", tmp_path / "game.log")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["game-001.log", "game-002.log"]


# What is shown


def test_verbosity_0_shows_the_result_alone(play):
    _, lines, _ = play("kalaha", "random", "greedy", "-v", 0)
    assert len(lines) == 1
    assert re.match(r"\* (random \(A\)|greedy \(B\)|random \(A\) and greedy \(B\)) (beats|draw)", lines[0])


def test_several_games_are_a_line_each_and_the_score(play):
    _, lines, _ = play("kalaha:3x2", "random", "greedy", "--games", 3)
    assert [line.partition(":")[0] for line in lines] == ["* game 1", "* game 2", "* game 3", "* score"]
    assert lines[-1].endswith("the last pair is half")


def test_verbosity_shows_more_and_more(play):
    shown = [play("kalaha:3x2", "random", "greedy", "-v", level)[1] for level in (1, 2, 3)]
    assert len(shown[0]) < len(shown[1]) < len(shown[2]) or len(shown[1]) == len(shown[2])
    assert shown[1] != shown[2]
    assert any("random (A) to play" in line for line in shown[0])
    usage = r"\*   random \(A\): \d\.\d\d s used, \d\.\d\d s left, \d+\.\d MB"
    assert any(re.fullmatch(usage, line) for line in shown[0])
    assert all(line.startswith("*") for lines in shown for line in lines)


def test_ascii_unicode_and_colour_are_as_asked(play):
    ascii_lines = play("kalaha:3x2", "random", "greedy", "-a", "--opening", 2)[1]
    assert "".join(ascii_lines).isascii() and "\x1b" not in "".join(ascii_lines)
    unicode_lines = play("kalaha:3x2", "random", "greedy", "-u")[1]
    assert not "".join(unicode_lines).isascii()
    assert "\x1b[" in "".join(play("kalaha:3x2", "random", "greedy", "-c")[1])


class FakeTerminal(io.StringIO):
    encoding = "utf-8"

    def isatty(self):
        return True


def test_colours_are_for_terminals_that_show_them(monkeypatch):
    for name in ("NO_COLOR", "FORCE_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    assert "\x1b[" in painter(FakeTerminal())("x", 0)
    assert painter(FakeTerminal())("x", 0) != painter(FakeTerminal())("x", 1)
    assert painter(io.StringIO())("x", 0) == "x"
    assert painter(FakeTerminal(), wanted=False)("x", 0) == "x"
    assert "\x1b[" in painter(io.StringIO(), wanted=True)("x", 0)
    monkeypatch.setenv("TERM", "dumb")
    assert painter(FakeTerminal())("x", 0) == "x"
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("NO_COLOR", "1")
    assert painter(FakeTerminal())("x", 0) == "x"
    assert "\x1b[" in painter(io.StringIO(), wanted=True)("x", 0)


def shown(seats, verbosity, printed=""):
    file = io.StringIO()
    seats[0].printed = [printed]
    Match(rules.start("kalaha"), seats, ("one", "two"), (), [Terminal(verbosity, file=file)]).play()
    return file.getvalue()


def test_what_a_player_prints_cannot_be_taken_for_the_referees():
    text = shown((FakeSeat([9]), FakeSeat()), 1, "* winner: one\n\x1b[2J\x9b1m\u2028* x\r* y\n")
    assert "  | one (A): * winner: one\n" in text
    assert not set(text) & set("\x1b\x9b\u2028\r")
    referees = [line for line in text.splitlines() if line.startswith("*")]
    assert not any("winner" in line or line in ("* x", "* y") for line in referees)


def test_what_a_player_prints_is_not_shown_at_verbosity_0():
    assert "hello" not in shown((FakeSeat([9]), FakeSeat()), 0, "hello\n")


def test_a_flood_of_output_is_cut_short():
    text = shown((FakeSeat([9]), FakeSeat()), 1, "x" * 5000 + "\n" + "y\n" * 500)
    assert len(text) < 3000 and "more lines" in text


def test_a_warning_is_shown_with_the_result():
    legal = ("A 0 0 0 0 0 1 30 1 0 0 0 0 0 40", 6)
    file = io.StringIO()
    seats = FakeSeat([legal[1]], updates={1: crash("update")}), FakeSeat()
    Match(rules.parse("kalaha", legal[0]), seats, ("one", "two"), (), [Terminal(0, file=file)]).play()
    assert "* warning: after the last turn: one (A): crashed in update" in file.getvalue()


# Ends that are not the game's


def command(*words, env=None):
    return subprocess.Popen(
        [sys.executable, "-m", "referee", *map(str, words)],
        cwd=ROOT,
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def wait_for(condition, seconds=300):
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until, "it did not happen in time"
        time.sleep(0.02)


def begun(folder):
    """Whether a game has begun there: its record is made empty, and then gets its first lines all at once."""
    return any(path.stat().st_size for path in folder.glob("*.txt"))


def is_running(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


SLOW = follower(first="import os; print('pid', os.getpid())", action="__import__('time').sleep(60)")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_interrupted_it_leaves_a_readable_record_and_no_player(number, player, tmp_path):
    records = tmp_path / "records"
    slow = player("slow", SLOW)
    process = command("play", "kalaha", "random", slow, "--record", records, "-v", 0)
    wait_for(lambda: records.exists() and any("turn 1: " in path.read_text() for path in records.iterdir()))
    below = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    assert len(below) == 4  # two keepers, and the launchers that they were forked from
    process.send_signal(number)
    _, errors = process.communicate(timeout=300)
    if number != signal.SIGKILL:
        assert process.returncode == {signal.SIGINT: 130, signal.SIGTERM: 143}[number]
        assert errors.count("\n") == 1 and errors.startswith("referee: interrupted")
    (path,) = records.iterdir()
    account = record.parse(path.read_text())
    assert account.verdict is None and len(account.turns) >= 1
    assert main(["replay", str(path)]) == 0
    wait_for(lambda: not any(is_running(pid) for pid in below))


@pytest.mark.parametrize("words", [["--json", "-d", "-1"], ["-d", "-1"], ["--games", "2"]])
def test_with_everything_closed_it_plays_all_the_same(words, tmp_path):
    records = tmp_path / "records"
    play = ["play", "kalaha:2x1", "random", "random", *words, "--record", str(records)]
    close = ["sh", "-c", 'exec "$@" <&- >&- 2>&-', "sh"]
    assert subprocess.run([*close, sys.executable, "-m", "referee", *play], cwd=ROOT).returncode == 0
    assert all(record.parse(path.read_text()).verdict for path in records.iterdir())


def test_a_tournament_whose_complaints_nobody_takes_keeps_its_exit_code():
    words = [sys.executable, "-m", "referee", "tournament", "kalaha:2x1", "random"]
    with open("/dev/full", "w") as full:
        assert subprocess.run([*words, "nobody"], cwd=ROOT, stderr=full).returncode == 2
    close = ["sh", "-c", 'exec "$@" 2>&-', "sh"]
    run = subprocess.run([*close, *words, "greedy", "--pairs", "1"], cwd=ROOT, stdout=subprocess.PIPE)
    assert run.returncode == 0


def test_an_interruption_while_a_class_is_made_is_no_defect(capsys, monkeypatch):
    class Interrupts:
        def __set_name__(self, owner, name):
            raise KeyboardInterrupt

    def parser(name):
        return type("Made", (), {"field": Interrupts()})

    monkeypatch.setattr("referee.commands.parser", parser)
    assert main(["play"]) == 130
    assert capsys.readouterr().err.startswith("referee: interrupted")


@pytest.fixture
def signals():
    """None of the two that end a process is ignored, as these tests themselves may be started."""
    before = {number: signal.signal(number, signal.SIG_DFL) for number in (signal.SIGTERM, signal.SIGHUP)}
    yield
    for number, usual in before.items():
        signal.signal(number, usual)


def test_it_ends_by_the_first_of_several_signals_but_by_none_that_is_to_be_ignored(
    capsys, monkeypatch, signals
):
    came = []

    def run(options):
        try:
            signal.raise_signal(options)
            came.append("not ended")
        finally:  # what it does to clean up is not broken into
            signal.raise_signal(signal.SIGTERM)
            came.append("cleaned up")
        return 0

    monkeypatch.setattr("referee.commands.module", lambda name: SimpleNamespace(run=run))
    for number, code in ((signal.SIGTERM, 143), (signal.SIGHUP, 129)):
        parser = SimpleNamespace(read=lambda words, number=number: number)
        monkeypatch.setattr("referee.commands.parser", lambda name, parser=parser: parser)
        assert main(["play"]) == code
        assert capsys.readouterr().err == "referee: interrupted; no player is left running\n"
    assert came == ["cleaned up"] * 2
    assert signal.getsignal(signal.SIGTERM) == signal.getsignal(signal.SIGHUP) == signal.SIG_DFL
    monkeypatch.setattr(
        "referee.commands.parser", lambda name: SimpleNamespace(read=lambda words: signal.SIGHUP)
    )
    signal.signal(signal.SIGHUP, signal.SIG_IGN)  # as `nohup` does
    came.clear()
    assert main(["play"]) == 143  # by the one that comes when all is done
    assert came == ["not ended"]


def test_a_check_leaves_no_folder_when_it_is_ended_and_removes_those_of_one_that_was_killed(player, tmp_path):
    temporary, begun = tmp_path / "temporary", tmp_path / "begun"
    temporary.mkdir()
    slow = player("slow", f"import time\nopen({str(begun)!r}, 'w').close()\ntime.sleep(600)\n")
    for number, code, left in ((signal.SIGKILL, -signal.SIGKILL, 1), (signal.SIGTERM, 143, 0)):
        process = command("check", "kalaha", slow, env={**os.environ, "TMPDIR": str(temporary)})
        wait_for(begun.exists)
        process.send_signal(number)
        process.communicate(timeout=300)
        assert (process.returncode, len(list(temporary.iterdir()))) == (code, left)
        begun.unlink()


def test_a_reader_that_goes_away_ends_it_quietly():
    process = command("play", "kalaha", "random", "random", "--games", 50, "-v", 2)
    process.stdout.readline()
    process.stdout.close()
    assert process.wait(timeout=300) == 141
    assert process.stderr.read() == ""
    process.stderr.close()


# Names that files may have, and Python's ways to start

HOSTILE = "e\x1b[31mvil\nreferee: all is well\t"


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    """A folder of that name, with a player, packages, and what is no record."""
    folder = tmp_path_factory.mktemp("names") / HOSTILE
    for name, more in (("good", ""), ("bad", "import no_such_module_anywhere\n")):
        (folder / name).mkdir(parents=True)
        legal = ROOT / "tests" / "players" / "legal.py"
        (folder / name / "__init__.py").write_text(more + legal.read_text())
    (folder / "good" / f"{HOSTILE}.py").write_text("def f(:\n")
    (folder / "junk.txt").write_text("no record\n")
    return folder


@pytest.mark.parametrize(
    "words",
    [
        "play kalaha:4x3 {0}/good random --record {0}/records --html {0}/page.html",
        "play kalaha:4x3 {0}/bad random",
        "play kalaha:4x3 {0}/none random",
        "play kalaha:4x3 random random --record {0}/junk.txt",
        "play kalaha:4x3 random random --readable {0}/none",
        "play {0} random random",
        "tournament kalaha:4x3 {0}/good random --pairs 1 --jobs 1 --journal {0}/journal --report {0}/r.html",
        "tournament kalaha:4x3 {0}/bad random --pairs 1 --jobs 1",
        "tournament kalaha:4x3 random random --journal {0}/junk.txt",
        "replay {0}/junk.txt {0}/none.txt",
        "replay {0}/records/* --html {0}/again.html",
        "check kalaha {0}/good",
        "pack kalaha {0}/good {0}/out.zip",
        "profile kalaha {0}/bad --nodes 10",
        "bench {0}",
        "{0}",
    ],
)
def test_names_of_files_reach_the_terminal_as_letters_and_on_their_line(words, hostile, capfd):
    found = [word.format(hostile) for word in words.split()]
    if words.startswith("replay {0}/records"):
        main(["play", "kalaha:4x3", f"{hostile}/good", "random", "--record", f"{hostile}/records"])
        capfd.readouterr()
        found[1:2] = map(str, sorted((hostile / "records").iterdir()))
    main(found)
    said = "".join(capfd.readouterr())
    assert said and not set(said) & {"\x1b", "\x9b", "\r"}
    assert not re.search("^referee: all is well", said, re.M)


@pytest.mark.parametrize("level", ["1", "2"])
def test_without_docstrings_and_assertions_every_command_says_what_it_does(level):
    code = (
        "import sys\n"
        "from referee import commands\n"
        "from referee.__main__ import main\n"
        "for name in commands.available():\n"
        "    text = commands.parser(name).format_help()\n"
        "    if 'usage: ' not in text or text.count(chr(10)) < 4: sys.exit(name)\n"
        "sys.exit(main(['play', 'kalaha:4x3', 'random', 'random', '--json']))\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={"PATH": "/usr/bin:/bin", "PYTHONOPTIMIZE": level},
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stderr
    assert json.loads(run.stdout.splitlines()[-1])["summary"]
