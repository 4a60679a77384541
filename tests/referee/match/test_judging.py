"""What each course's program takes for an action is taken here, as a plain literal, and noted once."""

import ast
import re
from dataclasses import replace

import numpy
import pytest

from referee import rules
from referee.__main__ import main
from referee.isolation import plain
from referee.isolation.allowance import Allowance
from referee.isolation.process import Fault
from referee.match.loop import is_legal
from referee.match.planned import PlannedGame
from referee.players.names import resolve
from tests import ROOT

STUDENTS = ROOT / "tests" / "players" / "handin"
EQUAL, WRITTEN = ["expendibots", "ropasci"], ["fanorona", "kalaha", "pentago"]

# What a student's program does to its action before it returns it: `form`, of source code
PARTS = """
import collections, enum, fractions, numpy, random
random.seed(7)

def parts(value, one, many=tuple):
    return many(parts(part, one, many) for part in value) if isinstance(value, tuple) else one(value)

def ints(kind):
    return lambda action: parts(action, lambda part: kind(part) if type(part) is int else part)

def texts(kind):
    return lambda action: parts(action, lambda part: kind(part) if type(part) is str else part)

def named(parts_of):
    values = tuple(parts_of)
    return collections.namedtuple("Named", list("abcd")[:len(values)])(*values)

class I(int): pass
class S(str): pass
class T(tuple): pass
Kind = enum.Enum("Kind", [(word, word) for word in ("THROW", "SLIDE", "SWING", "MOVE", "BOOM")], type=str)
"""
ALIKE = {
    "numpy integers": "ints(numpy.int64)",
    "small numpy integers": "ints(numpy.int8)",
    "numpy strings": "texts(numpy.str_)",
    "named tuples": "lambda action: parts(action, lambda part: part, named)",
    "subclasses": "lambda action: parts(action, lambda part: (I if type(part) is int else S)(part), T)",
    "enums": "texts(lambda text: Kind(text) if text in Kind.__members__ else text)",
}
EQUAL_ONLY = {
    "whole floats": "ints(float)",
    "numpy floats": "ints(numpy.float32)",
    "bools": "ints(lambda number: bool(number) if number in (0, 1) else number)",
    "numpy bools": "ints(lambda number: numpy.bool_(number) if number in (0, 1) else number)",
    "fractions": "ints(fractions.Fraction)",
    "complex numbers": "ints(complex)",
    "arrays of one": "ints(numpy.array)",
}
NEVER = {
    "lists": "lambda action: list(action) if type(action) is tuple else [action]",
    "inner lists": "lambda action: (*action[:-1], [*action[-1]]) if isinstance(action, tuple)"
    " and isinstance(action[-1], tuple) else (action, [])",
    "arrays": "lambda action: (*action[:-1], numpy.array(action[-1])) if isinstance(action, tuple)"
    " and isinstance(action[-1], tuple) else numpy.array([action, action])",
    "texts of it": "repr",
    "nothing": "lambda action: None",
}
LIARS = """
class Says(tuple):
    def __eq__(self, other): return True
    def __iter__(self): return iter(TRUTH)
    def __getitem__(self, index): return TRUTH[index]
    def __len__(self): return len(TRUTH)
    __hash__ = None
class SaysInt(int):
    def __eq__(self, other): return True
    def __index__(self): return 1
    def __int__(self): return 1
    __hash__ = None
class SaysStr(str):
    def __eq__(self, other): return True
    def __str__(self): return TRUTH
    __hash__ = None
def lie(action):
    global TRUTH
    TRUTH = action
    if type(action) is tuple: return Says((9,) * len(action))
    return SaysInt(99) if type(action) is int else SaysStr('A0-A0-A')
"""


@pytest.fixture
def ask(tmp_path):
    """The first action of a game's student whose program returns it in another form, and the types turned."""

    def ask(game, form, judging=None, before=""):
        path = tmp_path / f"{game}_team.py"
        text = (STUDENTS / f"{game}.py").read_text()
        path.write_text(
            f"{text}\n{PARTS}\n{before}\nform = {form}\n\nclass Formed(Player):\n"
            "    def action(self):\n        return form(super().action())\n"
        )
        spec = resolve(f"{path}:Formed")
        allowance = Allowance(action=60.0, judging=judging)
        planned = PlannedGame(game, (spec, resolve("random")), (allowance, allowance), 1, 1, 0, 1)
        with planned.seats()[0] as seat:
            seat.start()
            seat.construct()
            return seat.action(), seat.turned

    return ask


def test_our_games_say_how_their_courses_judge_and_a_new_one_is_judged_by_equality():
    assert {rules.start(game).COURSE.judging for game in EQUAL} == {"equal"}
    assert {rules.start(game).COURSE.judging for game in WRITTEN} == {"written"}
    assert rules.State.COURSE.judging == "equal"


@pytest.mark.parametrize("form", ALIKE)
@pytest.mark.parametrize("game", EQUAL + WRITTEN)
def test_what_is_written_alike_is_taken_as_the_plain_action_in_every_game(game, form, ask):
    usual, nothing = ask(game, "lambda action: action")
    action, turned = ask(game, ALIKE[form])
    assert repr(action) == repr(usual) and nothing == ""
    assert is_legal(action, rules.start(game).actions(0))
    has = repr(usual)
    changed = {"numpy integers": any(letter.isdigit() for letter in has) and game != "fanorona"}
    assert turned or not changed.get(form, False)


@pytest.mark.parametrize("form", EQUAL_ONLY)
@pytest.mark.parametrize("game", EQUAL)
def test_what_is_equal_is_taken_where_the_courses_program_compares_so(game, form, ask):
    usual, _ = ask(game, "lambda action: action")
    action, turned = ask(game, EQUAL_ONLY[form])
    assert repr(action) == repr(usual)
    assert turned or (game, form[-5:]) == ("ropasci", "bools")  # which has neither 0 nor 1 here


@pytest.mark.parametrize("form", ["whole floats", "bools", "fractions", "arrays of one"])
def test_what_is_only_equal_is_illegal_where_the_courses_program_reads_text(form, ask):
    with pytest.raises(Fault, match="illegal action in action: an action is made of int, str and tuple, not"):
        ask("kalaha", EQUAL_ONLY[form])


@pytest.mark.parametrize("form", NEVER)
@pytest.mark.parametrize("game", EQUAL + WRITTEN)
def test_what_no_course_takes_stays_illegal(game, form, ask):
    try:
        action, _ = ask(game, NEVER[form])
    except Fault as fault:
        assert fault.ending == "illegal action"
    else:
        assert not is_legal(action, rules.start(game).actions(0))


@pytest.mark.parametrize("form", {**ALIKE, **EQUAL_ONLY})
def test_strict_takes_plain_literals_alone(form, ask):
    with pytest.raises(Fault, match="an action is made of int, str and tuple, not"):
        ask("expendibots", {**ALIKE, **EQUAL_ONLY}[form], judging=rules.EXACT)


@pytest.mark.parametrize("game", EQUAL + WRITTEN)
def test_subclass_that_calls_itself_equal_is_judged_by_what_it_holds(game, ask):
    action, turned = ask(game, "lambda action: lie(action)", before=LIARS)
    assert action in ((9,) * len(action) if isinstance(action, tuple) else (), 99, "A0-A0-A")
    assert not is_legal(action, rules.start(game).actions(0))
    assert "Says" in turned


@pytest.mark.parametrize(
    ("value", "found"),
    [
        (numpy.float64(-0.0), 0),
        (numpy.uint64(2**63), 2**63),
        (numpy.array([[5]]), 5),
        (True, 1),
        (1e300, int(1e300)),
        (numpy.complex128(2), 2),
    ],
)
def test_numbers_of_every_kind_become_the_int_that_they_equal(value, found):
    action, turned = plain.literal(value, rules.EQUAL)
    assert type(action) is int and action == found and len(turned) == 1


@pytest.mark.parametrize(
    "value",
    [
        4.5,
        float("nan"),
        float("inf"),
        1j,
        numpy.array([1, 2]),
        numpy.array([]),
        numpy.datetime64(3, "s"),
        numpy.array([None]),
        b"4",
        {1},
        [1],
        object(),
        10.0**308 * 10,
    ],
)
def test_numbers_that_are_no_int_and_all_else_are_refused(value):
    with pytest.raises(plain.Refused):
        plain.literal(value, rules.EQUAL)


def numpy_student(tmp_path, game="ropasci"):
    path = tmp_path / "team.py"
    text = (STUDENTS / f"{game}.py").read_text()
    path.write_text(
        f"{text}\n{PARTS}\nform = {ALIKE['numpy integers']}\n"
        "usual = Player.action\nPlayer.action = lambda self: form(usual(self))\n"
    )
    return path


@pytest.mark.parametrize("game", EQUAL)
def test_game_of_odd_numbers_is_finished_noted_once_and_recorded_in_plain_literals(game, tmp_path, capsys):
    path = numpy_student(tmp_path, game)
    words = ["play", game, str(path), "random", "--record", str(tmp_path / "records"), "--time", "600"]
    assert main(words) == 0
    shown = capsys.readouterr().out
    assert shown.count("returned numpy.int64: taken for the plain action") == 1
    (record,) = (tmp_path / "records").iterdir()
    text = record.read_text()
    assert text.count("\nnote: ") == 1 and text.count("numpy") == 1
    for line in text.splitlines():
        if line.startswith("turn "):
            for part in line.partition(": ")[2].split("\t")[:-2]:
                ast.literal_eval(part.partition(" ")[2])
    assert main(["replay", str(record)]) == 0


def test_strict_on_the_command_line_makes_odd_numbers_forfeit(tmp_path, capsys):
    path = numpy_student(tmp_path)
    assert main(["play", "ropasci", str(path), "random", "--strict"]) == 1
    assert "an action is made of int, str and tuple, not numpy.int64" in capsys.readouterr().out


def test_tournament_takes_them_too_and_its_journal_says_when_it_is_strict(tmp_path, capsys):
    path = numpy_student(tmp_path, "kalaha")
    words = ["tournament", "kalaha", str(path), "random", "--pairs", "1", "--jobs", "1", "--journal"]
    assert main([*words, str(tmp_path / "a.jsonl")]) == 0
    assert main([*words, str(tmp_path / "b.jsonl"), "--strict"]) == 1
    usual, strict = ((tmp_path / f"{name}.jsonl").read_text() for name in "ab")
    assert "illegal action" not in usual and "numpy" not in usual and '"judging"' not in usual
    assert "not numpy.int64" in strict and '"judging":"exact"' in strict
    assert main([*words, str(tmp_path / "a.jsonl"), "--strict"]) == 2
    assert main([*words, str(tmp_path / "b.jsonl")]) == 2
    said = capsys.readouterr().err
    assert "'judging'" in said and "is null, not exact" in said and "is exact, not null" in said


def test_profile_judges_as_the_course_does(tmp_path, capsys):
    assert main(["profile", "ropasci", str(numpy_student(tmp_path)), "--samples", "1", "--json"]) == 0
    assert re.search(r'"action": "\(\'THROW\', \'[rps]\', \(4, -1\)\)"', capsys.readouterr().out)


def test_news_reach_players_by_position_whatever_they_call_them(tmp_path):
    text = (STUDENTS / "ropasci.py").read_text()
    text = text.replace("opponent_action, player_action)", "theirs, mine)").replace(
        "player_action), (1, opponent_action)", "mine), (1, theirs)"
    )
    (tmp_path / "team.py").write_text(text)
    allowance = Allowance(game=600.0)
    players = resolve(str(tmp_path / "team.py")), resolve("random")
    for first in (0, 1):
        result = PlannedGame("ropasci", players, (allowance, replace(allowance)), 1, 1, first, 1).play()
        assert result.ending == "finished" and result.notes == ()
