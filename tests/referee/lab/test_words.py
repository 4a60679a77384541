"""Each action of the lab is a command line: typing the line that is shown does the same, and nothing else."""

import json
import os
import shlex
import zipfile

import pytest

from referee import UsageError, commands
from referee.__main__ import main
from referee.lab import shown, words
from referee.lab.found import as_listed, found, inside
from referee.match.record import Account, Entry
from tests.support.lab import write_player

PLAYER = "./my_team"
FORMS = {
    "play": {"game": "kalaha", "first": PLAYER, "second": "random", "nodes": "50", "paused": "", "seed": 1},
    "play_on": {"game": "kalaha:4x3", "first": "greedy", "second": "random", "games": "4", "seed": "2"},
    "analyse": {"game": "kalaha", "agents": ["greedy", "random"], "seconds": "0.5"},
    "profile": {"game": "kalaha", "agent": PLAYER, "samples": "1"},
    "tournament": {
        "game": "kalaha:4x3",
        "players": ["greedy", "random"],
        "pairs": "1",
        "jobs": "1",
        "journal": "tournaments/one.jsonl",
    },
    "check": {"game": "kalaha", "agent": PLAYER, "only": "size"},
    "pack": {"game": "kalaha", "agent": "./nothing", "out": "team.zip"},
}


@pytest.fixture
def folder(tmp_path):
    write_player(tmp_path)
    return tmp_path


@pytest.mark.parametrize("action", words.ACTIONS)
def test_the_line_that_is_shown_is_one_that_the_command_understands(action):
    run = words.words(action, FORMS[action])
    referee, name, *typed = shlex.split(words.line(run))
    assert referee == "referee"
    typed, run = [vars(commands.parser(name).read(one)) for one in (typed, run[1:])]
    spoken = {option.removeprefix("--") for option in words.SPOKEN}
    assert {option for option in run if run[option] != typed[option]} - {"words"} <= spoken
    assert not any(typed.get(option) for option in spoken), "what somebody types is said in words"


def test_typing_the_lines_leaves_what_the_lab_shows(folder, monkeypatch, capsys):
    monkeypatch.chdir(folder)
    codes = {}
    for action in ("play_on", "analyse", "profile", "tournament", "check", "pack"):
        codes[action] = main(shlex.split(words.line(words.words(action, FORMS[action])))[1:])
    assert codes == {"play_on": 0, "analyse": 0, "profile": 0, "tournament": 0, "check": 0, "pack": 2}
    said = capsys.readouterr().out
    assert "\n{" not in said and "greedy (A) beats random" in said and "expects" in said
    assert "points  games  won" in said and "pass   size" in said
    rows = found(folder)
    assert [row["path"] for row in rows["journal"]] == ["tournaments/one.jsonl"]
    assert [row["agent"] for row in rows["profile"]] == [PLAYER] == [row["agent"] for row in rows["check"]]
    assert len(rows["record"]) == 2 and all(row["is_over"] for row in rows["record"])
    assert shown.profiled(folder, rows["profile"][0]["path"])["agent"] == PLAYER
    assert [step["step"] for step in shown.checked(folder, "kalaha", PLAYER)["steps"]] == ["size"]
    now = shown.standings(folder, "tournaments/one.jsonl")
    assert now["pairs"] == now["expected"] == 1 and now["is_over"] and now["stopped_by"] == []


def test_a_tournament_goes_on_with_the_words_of_its_journal(folder, monkeypatch):
    monkeypatch.chdir(folder)
    form = {**FORMS["tournament"], "journal": "tournaments/two.jsonl"}
    assert main(words.words("tournament", form)) == 0
    again = shown.going_on(folder, "tournaments/two.jsonl")
    assert sorted(again) == sorted(words.words("tournament", form))
    assert main([*again, "--pairs", "2"]) == 0
    now = shown.standings(folder, "tournaments/two.jsonl")
    assert now["pairs"] == 2 > now["expected"] and now["is_over"], "more were played than was asked for"


@pytest.mark.parametrize(
    "option", ["--report=/etc/x.html", "--record=/root", "--isolation=process", "--workers=tcp://elsewhere:1"]
)
def test_a_journal_from_elsewhere_does_not_choose_what_a_click_does(option, folder, monkeypatch):
    monkeypatch.chdir(folder)
    form = {**FORMS["tournament"], "journal": "tournaments/three.jsonl"}
    main(words.words("tournament", form))
    path = folder / "tournaments" / "three.jsonl"
    header, rest = path.read_text().split("\n", 1)
    about = json.loads(header)
    about["about"]["command"] += f" {option}"
    path.write_text(json.dumps(about) + "\n" + rest)
    with pytest.raises(UsageError, match="for a terminal"):
        shown.going_on(folder, "tournaments/three.jsonl")
    path.unlink()


@pytest.mark.parametrize("value", ["--record=/etc", "-v", "", None, 7, ["a"], "x" * 5000])
def test_no_value_of_a_form_becomes_an_option(value):
    with pytest.raises(UsageError):
        words.words("play", {"game": "kalaha", "first": value, "second": "random"})
    made = words.words("play", {"game": "kalaha", "first": "greedy", "second": "random", "seed": "--web"})
    assert "--seed=--web" in made and "--web" not in made


@pytest.mark.parametrize(
    "path", ["../secret.txt", "/etc/passwd", "a\0b", "records/../../x", 7, "link.txt", "circle.txt", ""]
)
def test_nothing_is_shown_that_lies_outside_the_folder(path, tmp_path):
    home = tmp_path / "home"
    home.mkdir()
    (tmp_path / "secret.txt").write_text("record: 1\n")
    (home / "link.txt").symlink_to(tmp_path / "secret.txt")
    (home / "circle.txt").symlink_to(home / "circle.txt")
    with pytest.raises(UsageError):
        inside(home, path)


def test_files_that_are_not_what_they_look_like_are_left_out(tmp_path):
    hostile = {
        "record.txt": b"record: 1\ngame: 'kalaha'\nplayers: __import__('os')\n",
        "cut.txt": b"record: 1\ngam",
        "journal.jsonl": b'{"journal": {"nested": ' + b"[" * 5000,
        "profile.json": b'{"profile": 3, "turn": 7}',
        "check.json": b'{"game": "kalaha", "oldest": ',
        "zip.zip": b"PK\x03\x04 nothing",
        "-rf.py": b"class Player:\n    pass\n",
        "<b>bold & 'quoted'.py": b"class Player:\n    pass\n",
        "\u202eyp.evil.py": b"class Player:\n    pass\n",  # reads as another name
        "two\nlines.py": b"class Player:\n    pass\n",
    }
    for name, content in hostile.items():
        (tmp_path / name).write_bytes(content)
    rows = found(tmp_path)
    assert {row["player"] for row in rows["player"]} == {"./-rf.py", "./<b>bold & 'quoted'.py"}
    assert {row["path"] for row in rows["record"]} == {"record.txt", "cut.txt"}
    assert [row["players"] for row in rows["record"]] == [[], []]
    assert rows["profile"] == rows["check"] == []


def test_a_zip_is_listed_with_the_game_of_its_sources(tmp_path):
    with zipfile.ZipFile(tmp_path / "team.zip", "w") as packed:
        packed.writestr("team/__init__.py", 'class Player:\n    """Plays Pentago."""\n')
        packed.writestr("team/tables.bin", b"kalaha")
    assert [(row["what"], row["game"]) for row in found(tmp_path)["player"]] == [("a zip", "pentago")]


def test_of_very_many_records_the_newest_are_listed(tmp_path, monkeypatch):
    monkeypatch.setattr("referee.lab.found.OF_ONE", 5)
    for number in range(9):
        path = tmp_path / f"{9 - number}.txt"
        path.write_text("record: 1\ngame: 'kalaha'\n")
        os.utime(path, (number, number))
    newest, seen = ["1.txt", "2.txt", "3.txt", "4.txt", "5.txt"], {}
    assert [row["path"] for row in found(tmp_path, seen)["record"]] == newest
    (tmp_path / "0.txt").write_text("record: 1\ngame: 'kalaha'\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("referee.lab.found._kind", lambda path, *_: ("record", {**ABOUT, "is": path[-5:]}))
        rows = found(tmp_path, seen)["record"]
    assert [row["path"] for row in rows] == ["0.txt", *newest[:4]] and len(seen) == 5
    assert [row.get("is") for row in rows] == ["0.txt", None, None, None, None], "only this one was looked at"


ABOUT = {"begun": "", "players": [], "game": "kalaha"}


def test_a_player_is_listed_once_with_the_game_that_it_plays(folder):
    assert {
        as_listed(folder, one) for one in ("my_team", "./my_team", "my_team/", str(folder / "my_team"))
    } == {PLAYER}
    assert as_listed(folder, "my_team,depth=3") == f"{PLAYER},depth=3"
    for other in ("random", "kalaha_agent", "exec:./my_team", "../my_team", "", "x\0y"):
        assert as_listed(folder, other) == other
    (row,) = (row for row in found(folder)["player"] if row["player"] == PLAYER)
    assert row["game"] == "kalaha", "the one that its source speaks of"


def turn(player, score=None, cpu=(0.0, 0.0)):
    return Entry(
        0, (player,), {player: 1}, cpu=cpu, searches={} if score is None else {player: {"score": score}}
    )


def test_the_turns_where_a_score_fell_most_come_first():
    turns = [turn(0, 5), turn(1, 1), turn(0, 3), turn(1, -9), turn(0, 7), turn(1, 2), turn(0, -20)]
    fell = [(one["turn"], one["player"], one["by"]) for one in shown.falls(Account(turns=turns))]
    assert fell == [(7, 0, 0), (4, 1, 1), (3, 0, 0)]


def test_of_a_player_that_tells_no_score_what_the_others_rose_by_is_shown_at_the_turn_before():
    turns = [turn(0), turn(1, 1), turn(0), turn(0), turn(1, 4), turn(1, 6), turn(0), turn(1, 2)]
    fell = [(one["turn"], one["player"], one["by"]) for one in shown.falls(Account(turns=turns))]
    assert fell == [(8, 1, 1), (4, 0, 1)], "between turns 5 and 6 it did not play"


def test_the_slowest_turn_of_each_player_is_the_first_of_those_that_took_it_longest():
    turns = [
        turn(0, cpu=(0.1, 0.9)),
        turn(1, cpu=(9.0, 0.2)),
        turn(0, cpu=(0.3, 0.0)),
        turn(0, cpu=(0.3, 0.0)),
    ]
    assert [(one["turn"], one["player"]) for one in shown.slowest(Account(turns=turns))] == [(3, 0), (2, 1)]
    assert shown.slowest(Account()) == shown.falls(Account()) == []


def test_what_a_human_has_no_limit_of_is_no_limit_of_who_plays_on_there():
    course, own = {"game": 60.0, "megabytes": 100.0}, {"game": 5.0, "megabytes": 100.0}
    assert shown.options("expendibots", [{}, course], {0}) == {}
    assert (
        shown.options("expendibots", [{}, own], {0})
        == shown.options("expendibots", [own] * 2)
        == {"time": "5"}
    )
    assert shown.options("expendibots", [{"game": 9.0}, own], {0}) == {"time": "9,5"}
    assert shown.options("expendibots", [{}, course]) == {"time": "0,60", "space": "0,100"}
