"""A tournament as a TOML file: read in the place of words, and written back."""

import json
import tomllib

import pytest

from referee import UsageError
from referee.__main__ import main
from referee.commands import parser
from referee.commands.command_file import expanded, written

NIGHT = """
game = "kalaha:2x2"
players = ["alpha=random", "greedy,seed=1"]
pairs = 2
time = true
action_time = [1, 2.5]
wall = false
strict = true
"""


@pytest.fixture
def night(tmp_path):
    path = tmp_path / "night.toml"
    path.write_text(NIGHT)
    return path


def options(words):
    tournament = parser("tournament")
    return tournament.read(expanded(tournament, list(map(str, words))))


def test_a_file_stands_for_its_words_and_what_is_typed_besides_wins(night):
    plain, more = options([night]), options(["--pairs", 5, night, "--seed", "-3"])
    assert (plain.game, plain.players) == ("kalaha:2x2", ["alpha=random", "greedy,seed=1"])
    assert (plain.pairs, plain.time, plain.action_time) == (2, (60.0,), (1.0, 2.5))
    assert plain.strict and not plain.wall
    assert (more.pairs, more.seed) == (5, -3)


def test_players_may_be_a_table_of_labels(tmp_path):
    path = tmp_path / "night.toml"
    path.write_text('game = "kalaha"\n[players]\nold = "./team,depth=3"\nnew = "./team"\n')
    assert options([path]).players == ["old=./team,depth=3", "new=./team"]


def test_what_was_typed_is_written_and_read_back(tmp_path):
    words = [
        "kalaha",
        "a=./team,depth=3",
        'we"ird',
        "--sprt",
        "-5,5",
        "-t",
        "--seed=-1",
        "--readable",
        "/",
        "--readable",
        "/tmp",
        "--json",
    ]
    before = options(words)
    written(before.words, tmp_path / "saved.toml")
    after = options([tmp_path / "saved.toml"])
    first, second = ({**vars(one), "words": None} for one in (before, after))
    assert first == second
    assert tomllib.loads((tmp_path / "saved.toml").read_text())["seed"] == -1


def test_a_tournament_is_played_from_a_file_and_saved(night, tmp_path, capsys):
    saved = tmp_path / "saved.toml"
    assert main(["tournament", str(night), "--pairs", "1", "--json", "--save", str(saved)]) == 0
    summary = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert summary["pairs"] == 1 and {one["player"] for one in summary["standings"]} == {
        "alpha",
        "greedy,seed=1",
    }
    assert tomllib.loads(saved.read_text())["pairs"] == 1


@pytest.mark.parametrize(
    "text, problem",
    [
        ("pears = 3", "there is no option 'pears'; did you mean 'pairs'?"),
        ("pairs = ", "is not TOML"),
        ("pairs = 0", "1 or more"),
        ('format = "cup"', "invalid choice"),
    ],
)
def test_a_mistake_in_the_file_is_a_sentence(text, problem, night, capsys):
    night.write_text(f'game = "kalaha"\nplayers = ["random", "greedy"]\n{text}\n')
    assert main(["tournament", str(night)]) == 2
    printed = capsys.readouterr()
    assert problem in printed.err and printed.err.count("\n") == 1


def test_a_file_that_is_not_there_is_a_sentence(tmp_path):
    with pytest.raises(UsageError, match="cannot read"):
        options([tmp_path / "none.toml"])
