"""`import referee`: games and series between names, paths, classes and functions, and how they are shown."""

import inspect
import re
import subprocess
import sys

import pytest

import referee
from referee import UsageError, rules
from referee.players.baseline import Function
from tests import ROOT

PAGE = ROOT / "referee" / "README.md"


def last(state, legal):
    """The last of the legal actions."""
    return legal[-1]


class Last:
    """The same as a class."""

    made = []

    def __init__(self, colour, seed=None, action_seconds=None, variant="6x6"):
        self.state = rules.start(f"kalaha:{variant or '6x6'}")
        self.player = "AB".index(colour)
        self.made.append((colour, action_seconds, variant))

    def action(self):
        return self.state.actions(self.player)[-1]

    def update(self, colour, action):
        self.state = self.state.after({"AB".index(colour): action})


class Crashes(Last):
    """The same, but for its first action."""

    def action(self):
        raise ValueError("no idea")


# Players


def test_a_name_a_path_a_class_and_a_function_play_each_other(tmp_path):
    (tmp_path / "team.py").write_text("from base import Last as Player\n")
    (tmp_path / "team").mkdir()
    (tmp_path / "team" / "__init__.py").write_text(
        "class Player:\n    def __init__(self, colour): pass\n    def action(self): return 1\n"
        "    def update(self, colour, action): pass\n"
    )
    ended = referee.play("kalaha", tmp_path / "team", last)
    assert (ended.players, ended.ending, ended.winner) == (
        (str(tmp_path / "team"), "last"),
        "illegal action",
        1,
    )
    alike = [referee.play("kalaha", *two, seed=2) for two in ((last, "random"), (Last, "random"))]
    assert alike[0].scores == alike[1].scores and alike[0].turns == alike[1].turns
    assert [result.players[0] for result in alike] == ["last", "Last"]


def test_a_class_is_told_the_limits_and_the_variant_that_it_names():
    Last.made.clear()
    referee.play("kalaha:4x3", Last, last, action_seconds=(0.2, 5))
    referee.play("kalaha", last, Last, action_seconds=0)
    assert Last.made == [("A", 0.2, "4x3"), ("B", None, "")]


def test_a_crash_of_a_class_is_told_with_file_and_line_and_keeps_what_was_raised():
    result = referee.play("kalaha", last, Crashes)
    line = inspect.getsourcelines(Crashes.action)[1] + 1
    assert (result.ending, result.winner, result.at_fault) == ("crashed", 0, (1,))
    assert f"{__file__}:{line} in action" in str(result)
    assert isinstance(result.faults[1].__cause__, ValueError)


@pytest.mark.parametrize(
    ("action", "said"),
    [(lambda self: sys.exit(4), "SystemExit: 4"), (None, "'NoneType' object is not callable")],
)
def test_a_player_that_exits_or_cannot_be_asked_loses_and_the_program_goes_on(action, said):
    result = referee.play("kalaha", type("Odd", (Last,), {"action": action}), last)
    assert (result.ending, result.at_fault) == ("crashed", (0,)) and said in result.reason


def test_one_path_to_be_read_is_taken_whole(tmp_path, monkeypatch):
    class Stop(Exception):
        """The limits are made: no game is needed."""

    def seen(options, limits):
        assert options.readable == [str(tmp_path)]
        raise Stop

    monkeypatch.setattr("referee.api.limits.allowances", seen)
    for readable in (str(tmp_path), tmp_path, [tmp_path]):
        with pytest.raises(Stop):
            referee.play("kalaha", last, last, readable=readable)


def test_a_limit_that_is_passed_in_this_process_is_a_warning_alone(monkeypatch):
    readings = iter(range(10**6))
    monkeypatch.setattr("referee.match.local.time.process_time", lambda: next(readings) / 100)
    result = referee.play("kalaha", last, "random", action_seconds=(0.001, 1))
    assert result.ending == "finished"
    assert len(result.warnings) == 1 and "last (A): used 0.0" in result.warnings[0]


def test_isolated_a_class_and_a_function_of_a_file_play_in_processes_of_their_own(tmp_path, monkeypatch):
    (tmp_path / "mine.py").write_text(
        "import os\nfrom referee import rules\n\n"
        "def first(state, legal):\n    print('in', os.getpid())\n    return legal[0]\n\n"
        "class Burns:\n    def __init__(self, colour): pass\n"
        "    def action(self):\n        while True: pass\n    def update(self, *news): pass\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    import mine

    result = referee.play("kalaha", mine.first, mine.Burns, isolated=True, action_seconds=0.05)
    assert (result.ending, result.at_fault, result.players) == ("out of time", (1,), ("first", "Burns"))
    assert "output A: 'in " in result.record


@pytest.mark.parametrize(
    "function", [lambda: 1, lambda state: 1, lambda a, b, c, d: 1, lambda a, b, *, c: 1, id]
)
def test_a_function_that_cannot_be_called_with_what_players_get_is_refused_in_a_sentence(function):
    for isolated in (False, True):
        with pytest.raises(
            UsageError, match="is called with the state and the legal actions, and with the number"
        ):
            referee.play("kalaha", function, "random", isolated=isolated)


@pytest.mark.parametrize(
    "function, told",
    [(lambda a, b, c: c, (1,)), (lambda a, b, c=3: c, ()), (lambda *given: given, ()), (max, ())],
)
def test_a_function_gets_the_number_of_its_player_where_it_asks_for_a_third_argument(function, told):
    assert Function("B", "kalaha", function=function).told == told


def test_what_cannot_be_isolated_or_is_no_player_is_refused_in_a_sentence():
    with pytest.raises(UsageError, match="define it at the top of a file"):
        referee.play("kalaha", lambda state, legal: legal[0], "random", isolated=True)
    with pytest.raises(UsageError, match="a name, a path, a class or a function"):
        referee.play("kalaha", 7, "random")
    with pytest.raises(UsageError, match="did you mean 'kalaha'"):
        referee.play("kalaah", "random", "random")
    with pytest.raises(UsageError, match="action_seconds should be a number"):
        referee.play("kalaha", "random", "random", action_seconds="1")
    with pytest.raises(UsageError, match="no file or folder"):
        referee.play("kalaha", "random", "random", readable="/no/such")
    with pytest.raises(UsageError, match="isolation should be full or process or portable, not 'ful'"):
        referee.play("kalaha", "random", "random", isolation="ful")
    with pytest.raises(UsageError, match="opening should be a number of plies"):
        referee.play("kalaha", "random", "random", opening=-1)
    with pytest.raises(UsageError, match="seed should be a whole number, not 'one'"):
        referee.play("kalaha", "random", "random", seed="one")
    with pytest.raises(UsageError, match="a game is a name"):
        referee.play(None, "random", "random")


# A series


def test_a_series_is_the_same_in_this_process_and_apart(tmp_path, monkeypatch):
    (tmp_path / "lasting.py").write_text(inspect.getsource(last))
    monkeypatch.syspath_prepend(tmp_path)
    from lasting import last as apart_too

    here = referee.match("kalaha", "random", last, pairs=3, seed=5)
    apart = referee.match("kalaha", "random", apart_too, pairs=3, seed=5, jobs=2, isolated=True)
    assert (here.score, here.error, here.elo, here.points) == (
        apart.score,
        apart.error,
        apart.elo,
        apart.points,
    )
    assert [game.number for game in here.games] == [game.number for game in apart.games] == [1, 2, 3, 4, 5, 6]
    assert [game.moves for game in here.games] == [game.moves for game in apart.games]
    assert 0 < here.score < 1 and sum(here.points) == 6 and here.pairs == 3


def test_a_series_of_nothing_is_refused():
    for wrong in ({"pairs": 0}, {"jobs": 0}, {"pairs": "2"}):
        with pytest.raises(UsageError, match="one pair or more"):
            referee.match("kalaha", last, last, **wrong)


def test_the_room_of_that_name_can_still_be_imported_from():
    from referee.match import loop

    assert referee.match.loop is loop and callable(referee.match)


# How they show themselves


def test_a_result_shows_its_last_position_and_sentence_and_its_page_in_a_frame():
    result = referee.play("kalaha", last, last, opening=2, seed=1)
    assert result.state.draw() in str(result) and result.reason in repr(result)
    assert result._repr_html_().startswith("<iframe srcdoc=") and result.html().startswith("<!doctype html>")
    drawn = referee.play("pentago", last, last)
    assert drawn.state.outcome() == (drawn.scores, drawn.reason)


def test_a_series_shows_its_table():
    series = referee.match("kalaha", last, "random", pairs=1, seed=1)
    assert "last against random" in str(series) and "<table>" in series._repr_html_()


# What is public


def test_all_that_is_public_is_there_documented_and_typed():
    page = PAGE.read_text(encoding="utf-8")
    rows = re.findall(
        r"^\| `(\w+)(?:\(.*?\))?` \|", page.partition("## From a program")[2].partition("###")[0], re.M
    )
    assert sorted(rows) == sorted(referee.__all__)
    assert set(referee.__all__) <= set(dir(referee))
    for name in referee.__all__:
        found = getattr(referee, name)
        assert isinstance(found, str) or inspect.getdoc(found), name
    from referee import api

    for function in (api.play, api.match):
        signature = inspect.signature(function)
        assert signature.return_annotation is not inspect.Signature.empty
        assert all(one.annotation is not one.empty for one in signature.parameters.values())
        for keyword in list(signature.parameters)[3:]:
            assert f"`{keyword}" in page or f"{keyword}=" in page, f"{keyword} is not on the page"
    for cls in (referee.Result, referee.Series):
        for name, member in vars(cls).items():
            if not name.startswith("__") and (inspect.isfunction(member) or isinstance(member, property)):
                getter = member.fget if isinstance(member, property) else member
                assert "return" in getter.__annotations__, f"{cls.__name__}.{name} is not typed"


@pytest.mark.parametrize(
    "example", re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.S)
)
def test_the_examples_of_the_page_run(example, capsys):
    exec(example, {"__name__": "example"})


def test_importing_the_referee_costs_nothing_and_an_unknown_name_is_said():
    said = "import sys, referee; print(sorted(name for name in sys.modules if name.startswith('referee')))"
    run = subprocess.run([sys.executable, "-c", said], capture_output=True, text=True, cwd=ROOT)
    assert run.stdout.strip() == "['referee']"
    with pytest.raises(AttributeError, match="no attribute 'plya'"):
        referee.plya  # noqa: B018


def test_a_game_of_two_programs_loads_neither_the_pages_server_nor_what_linux_does_without():
    words = ["play", "kalaha:2x1", "random", "random", "-v0", "--isolation", "process"]
    said = f"import sys; from referee.__main__ import main; print(main({words})); "
    said += "print(sorted({'tornado', 'psutil'} & {*sys.modules}))"
    run = subprocess.run([sys.executable, "-c", said], capture_output=True, text=True, cwd=ROOT)
    assert run.stdout.splitlines()[-2:] == ["0", "[]"], run.stdout + run.stderr
