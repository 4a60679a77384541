"""Players in any language: what is spoken with a program, its limits and verdicts, and where it is taken."""

import json
import re
import shutil
import subprocess
from dataclasses import replace

import pytest

from referee import UsageError, rules
from referee.__main__ import main
from referee.isolation.levels import LEVELS, kinds
from referee.isolation.process import CannotImport
from referee.isolation.program_process import ProgramProcess, player_process
from referee.match.planned import PlannedGame
from referee.players import files, names, programs
from referee.players.names import Spec
from tests import ROOT
from tests.support.arena import (  # noqa: F401
    GAME,
    OPPONENT,
    PLAYERS,
    USUAL,
    Printed,
    nothing_is_left_behind,
)

PROGRAM = PLAYERS / "programs" / "program.py"
EXAMPLES = ROOT / "referee" / "players" / "examples"
PROTOCOL = (ROOT / "referee" / "players" / "PROTOCOL.md").read_text()
SESSIONS = re.findall(r"```\n(-> .*?)```", PROTOCOL, re.DOTALL)
HERE = [level.level for level in kinds() if level.level in LEVELS]
COMPILED = {
    "C": (["cc", "-O2", "-o", "out", "random_kalaha.c"], "./out"),
    "Java": (
        ["javac", "-J-XX:TieredStopAtLevel=1", "-d", ".", "RandomKalaha.java"],  # which starts sooner
        "java -XX:+UseSerialGC -Xmx64m -cp . RandomKalaha",
    ),
    "Node": (["node", "--check", "random_kalaha.js"], "node random_kalaha.js"),
    "Rust": (["rustc", "-o", "out", "random_kalaha.rs"], "./out"),
}


def program(*words):
    """The program of tests/players that does what the words say."""
    return names.resolve(" ".join(["exec:python3 -S -E", str(PROGRAM), *words]))


def play(spec, allowance=USUAL, level=None, opponent="random"):
    """A game of it against a player; the result, and what both printed."""
    printed = Printed()
    planned = PlannedGame(
        GAME,
        (spec, names.resolve(opponent)),
        tuple(replace(one, isolation=level) for one in (allowance, OPPONENT)),
        number=1,
        pair=1,
        first=0,
        seed=1,
        is_repeatable=True,
    )
    return planned.play([printed]), printed.text


# What is spoken


@pytest.mark.parametrize("session", SESSIONS, ids=lambda text: text[18:24])
def test_each_line_of_the_sessions_is_what_is_spoken(session):
    lines = [(line[:2], json.loads(line[3:])) for line in session.splitlines()]
    told = lines[0][1][1]
    state = rules.start(told["game"])
    spec, own = program(), state.COLOURS.index(told["colour"])
    extra = (("game", told["game"]), ("seed", told["seed"]))
    allowance = replace(USUAL, **vars(state.LIMITS))
    player = ProgramProcess(spec, told["colour"], "", allowance, extra)
    assert json.dumps(["new", player._game()]) == session.splitlines()[0][3:]
    chosen = None
    for way, (word, *contents) in lines[2:]:
        if word == "action" and contents:
            action = tuples(contents[0])
            assert action in state.actions(own)
        if word == "update":
            news = tuples(contents[0])
            mover = state.to_act()[0]
            chosen = {1 - own: news[0], own: news[1]} if len(state.to_act()) > 1 else {mover: news[1]}
            assert all(one in state.actions(who) for who, one in chosen.items())
            assert news == state.news(own, chosen)
            assert own not in chosen or chosen[own] == action
            state = state.after(chosen)
        assert (way, word) in {("->", "action"), ("<-", "action"), ("->", "update"), ("<-", "ok")}
    assert chosen


def tuples(value):
    return tuple(map(tuples, value)) if isinstance(value, list) else value


@pytest.mark.parametrize("level", HERE)
def test_a_program_plays_a_game_and_is_told_how_it_ended(level):
    result, (said, _) = play(program(), level=level)
    assert result.ending == "finished"
    assert f"end {result.reason}" in said
    assert "told ['action_seconds', 'colour', 'game', 'megabytes', 'seed', 'variant']" in said
    assert [turn.searches[0] for turn in result.history if 0 in turn.players][0] == {"depth": 1.0}


@pytest.mark.parametrize("language", COMPILED)
def test_the_examples_play_whole_games(language, tmp_path):
    compiling, command = COMPILED[language]
    if not shutil.which(compiling[0]):
        pytest.skip(f"{compiling[0]} is not on this machine, so that {language}'s example is not tried")
    shutil.copytree(EXAMPLES, tmp_path, dirs_exist_ok=True)
    subprocess.run(compiling, cwd=tmp_path, check=True)
    spec = Spec(language, "", str(tmp_path), None, program=tuple(command.split()))
    result, said = play(spec, replace(USUAL, action=10.0))
    assert result.ending == "finished", (result.reason, said)


def test_the_examples_are_under_80_lines():
    for path in EXAMPLES.iterdir():
        assert len(path.read_text().splitlines()) < 80, path


# Verdicts


VERDICTS = [
    ("ends action", "crashed", "ended with exit status 3"),
    ("raises action", "crashed", "ended with exit status 1"),
    ("sleeps action", "no answer", "; does it flush its output after every line?"),
    ("burns action", "out of time", "used"),
    ("burns update", "out of time", "used"),
    ("floods action", "illegal action", "no line of JSON: 'xxx"),
    ("grows action", "out of memory", "grew by"),
    ("closes action", "crashed", "closed its connection"),
    ("says action nonsense", "illegal action", "no line of JSON: 'nonsense'"),
    ("says action '[]'", "illegal action", "no array with a word first"),
    ("says action '[1, 2]'", "illegal action", "no array with a word first"),
    ("says action '[\"ok\"]'", "illegal action", 'the reply is not ["action", ...]'),
    ("says action '[\"action\"]'", "illegal action", 'the reply is not ["action", ...]'),
    ("says action '[\"action\", null]'", "illegal action", "made of int, str and array, not NoneType"),
    ("says action '[\"action\", {}]'", "illegal action", "made of int, str and array, not dict"),
    ("says action '[\"action\", 1, 2]'", "illegal action", "is an object"),
    ('says action \'["action", "1"]\'', "illegal action", "action '1' is illegal"),
    ("says action '[\"action\", 99]'", "illegal action", "action 99 is illegal"),
    ("says action '[\"action\", 1.0]'", "illegal action", "not float"),
    ("says action '[\"action\", 1e999]'", "illegal action", "not float"),
    ("says action '[\"action\", NaN]'", "illegal action", "no line of JSON"),
    ("says update '[\"action\", 1]'", "illegal action", 'the reply is not ["ok"]'),
    ("says new '[\"no\"]'", "illegal action", 'the reply is not ["ok"]'),
]


@pytest.mark.parametrize(("words", "ending", "message"), VERDICTS)
def test_a_program_gets_the_verdict_of_a_player_in_python(words, ending, message):
    allowance = replace(USUAL, game_wall=1.0) if "sleeps" in words else USUAL
    result, _ = play(program(*words.split(" ", 2)), allowance)
    assert (result.ending, result.at_fault) == (ending, (0,)), result.reason
    assert message in result.reason, result.reason


@pytest.mark.parametrize("text", ['\'["ok"]\n["ok"]\'', "'[\"ok\"]\n'"])
def test_more_than_one_line_is_a_reply_that_nobody_asked_for(text):
    result, _ = play(program("says", "update", text))
    assert result.ending == "illegal action"
    assert "nobody had asked for" in result.reason


def test_numbers_are_taken_as_the_games_course_does():
    for reply, judged in ((1.0, rules.EQUAL), (True, rules.EQUAL)):
        spec = program("says", "action", f"'{json.dumps(['action', reply])}'")
        with player_process(spec, "A", "4x3", replace(USUAL, judging=judged)) as player:
            player.start()
            player.construct()
            assert player.action() == 1 and type(player.action()) is int
            assert player.turned == type(reply).__name__


@pytest.mark.parametrize("fault", ["forks", "writes", "reads"])
def test_a_confined_program_starts_no_process_and_sees_nothing_but_its_own_files(fault):
    result, (said, _) = play(program(fault, "action", "/etc/passwd"), level="full")
    assert result.ending == "crashed" and "PermissionError" in said, (result.reason, said)


@pytest.mark.parametrize("fault", ["sleeps", "burns", "floods", "grows", "ends"])
def test_what_it_does_when_the_game_is_over_changes_nothing(fault):
    result, _ = play(program(fault, "end"))
    assert (result.ending, result.warnings) == ("finished", ())


# What names a program


def test_a_program_that_cannot_be_started_is_a_sentence(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "notes.txt").write_text("no program")
    (tmp_path / "folder").mkdir()
    (tmp_path / "my folder").mkdir()
    (tmp_path / "my folder" / "player").write_text("")
    for text, said in (
        ("exec:", "names no program"),
        ("exec:   ", "names no program"),
        ("exec:'unclosed", "no closing quotation"),
        ("exec:./missing", "there is no file './missing'"),
        ("exec:no_such_program_here", "there is no program on the PATH called 'no_such_program_here'"),
        ("exec:./notes.txt", "is not executable; run: chmod +x ./notes.txt"),
        ("exec:notes.txt", "for the file here write ./notes.txt"),
        ("exec:./folder", "is a folder"),
        ("exec:my folder/player 3", "quote what has blanks: exec:'my folder/player'"),
    ):
        with pytest.raises(UsageError, match=re.escape(said)):
            names.resolve(text)


@pytest.mark.parametrize("said_first", [False, True], ids=["asked at once", "said before"])
def test_a_file_that_no_system_can_run_does_not_start(tmp_path, monkeypatch, said_first):
    monkeypatch.chdir(tmp_path)
    nonsense = tmp_path / "nonsense"
    nonsense.write_bytes(b"\x7fELFnonsense")
    nonsense.chmod(0o755)
    with player_process(names.resolve("exec:./nonsense"), "A", "", USUAL) as player:
        game = player._game()

        def of_the_game():
            while said_first and not player._child.inbox:
                player._child.wait(0.1)
            return game

        monkeypatch.setattr(player, "_game", of_the_game)
        with pytest.raises(CannotImport, match="does not start: ./nonsense: Exec format error"):
            player.start()


def test_its_files_are_those_that_its_words_name(tmp_path):
    (tmp_path / "build").mkdir()
    (tmp_path / "build" / "Bot.class").write_bytes(b"class")
    (tmp_path / "book.bin").write_bytes(b"book")
    spec = replace(names.resolve("exec:true"), folder=str(tmp_path))
    spec = replace(spec, program=("java", "-cp", "build:lib", "Bot", "--book=book.bin", "7"))
    assert files.bundle(spec) == {"./build/Bot.class": b"class", "./book.bin": b"book"}
    before = files.digest(files.bundle(spec))
    (tmp_path / "book.bin").write_bytes(b"another")
    assert files.digest(files.bundle(spec)) != before


def test_the_systems_files_are_nobodys():
    assert programs.named(("sh", "/bin/sh", "/etc/passwd"), "/") == []


def test_it_is_said_that_a_program_does_not_travel(tmp_path):
    spec = program()
    assert files.unpack(files.bundle(spec), spec, tmp_path / "there") == spec
    with pytest.raises(UsageError, match="does not travel to other machines"):
        files.unpack({}, spec, tmp_path / "there")


# Where it is taken


def test_its_profile_is_the_time_of_each_call(capsys):
    spoken = f"exec:python3 -S -E {PROGRAM}"
    assert main(["profile", "kalaha", spoken, "--json"]) == 0
    profile = json.loads(capsys.readouterr().out)
    assert [call["call"] for call in profile["calls"]] == ["start and new", "action"]
    assert all(call["cpu"] >= 0 and call["wall"] > 0 for call in profile["calls"])
    assert (profile["turn"]["action"], profile["search"]) == ("1", {"depth": 1.0})
    assert main(["profile", "kalaha", f"{spoken} ends action"]) == 1
    assert "crashed in action: ended with exit status 3" in capsys.readouterr().err


def test_what_is_for_packages_in_python_says_so(capsys):
    spoken = f"exec:python3 -S -E {PROGRAM}"
    for words in (["check", "kalaha", spoken], ["pack", "kalaha", spoken, "team.zip"]):
        assert main(words) == 2
        assert "check and pack are for packages in Python" in capsys.readouterr().err
    assert main(["profile", "kalaha", spoken, "--html", "page.html"]) == 2
    assert "--html is for packages in Python" in capsys.readouterr().err


def test_it_plays_a_tournament_that_is_taken_up_again(tmp_path, capsys):
    journal, spoken = str(tmp_path / "journal.jsonl"), f"exec:python3 -S -E {PROGRAM}"
    words = [
        "tournament",
        "kalaha:4x3",
        spoken,
        "random",
        "--journal",
        journal,
        "--json",
    ]
    assert main([*words, "--pairs", "1"]) == 0
    capsys.readouterr()
    assert main([*words, "--pairs", "2"]) == 0
    summary = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert (summary["pairs"], summary["resumed"]) == (2, 1)
