"""A match on a terminal: drawn in place, its end left standing; and what is said of a player at fault."""

import io
import re

import pytest

from referee.__main__ import main
from referee.match.loop import MatchResult, _illegal
from referee.view.terminal import Redrawn, sentence
from tests.support.packages import player_file

TOKENS = re.compile(r"\x1b\[\d*[A-Za-z]|\x1b\[[0-9;]*m|\r|\n|[^\x1b\r\n]+")


class Screen(io.StringIO):
    """What a terminal would show of what is written to it."""

    encoding = "utf-8"

    def isatty(self):
        return True

    def rows(self):
        rows, row = [""], 0
        for token in TOKENS.findall(self.getvalue()):
            if token == "\n":
                row += 1
                rows += [""] * (row == len(rows))
            elif up := re.fullmatch(r"\x1b\[(\d+)A", token):
                row -= int(up[1])
                assert row >= 0, "the cursor left the screen"
            elif token == "\x1b[J":
                rows[row:] = [""]
            elif token[0] not in "\r\x1b":
                rows[row] += token
        return rows


@pytest.fixture
def played(monkeypatch):
    """The terminal of 30 lines on which a match was played."""
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("LINES", "30")
    monkeypatch.setenv("COLUMNS", "100")

    def play(*words):
        screen = Screen()
        screen.reconfigure = lambda **settings: None
        with monkeypatch.context() as patch:
            patch.setattr("sys.stdout", screen)
            main(["play", *words])
        return screen

    return play


def test_on_a_terminal_a_match_fits_the_screen_and_its_last_position_and_result_stay(played):
    screen = played("kalaha", "random", "random", "--seed", "3", "-C")
    rows = screen.rows()
    assert len(rows) <= 20 and sum("B6   B5" in row for row in rows) == 1
    assert rows[0] == "* random (A) against random (B)"
    assert re.match(r"\* turn \d+: random \(.\) plays", rows[1])
    assert re.search(r"random \(.\) beats random|draw", rows[-3]) and rows[-2].startswith("* score: ")
    assert screen.getvalue().count("B6   B5") > 20


def test_where_it_is_piped_every_turn_is_written(capsys):
    assert main(["play", "kalaha", "random", "random", "--seed", "3"]) == 0
    said = capsys.readouterr().out
    assert "\x1b" not in said and said.count("B6   B5") > 20


@pytest.mark.parametrize("words", [["-v", "1"], ["-d", "-1"], ["--debug", "P1"]], ids=" ".join)
def test_what_somebody_wants_to_read_again_is_not_drawn_over(played, monkeypatch, words):
    monkeypatch.setattr("sys.stdin", io.StringIO("\n" * 100))
    said = played("kalaha", "random", "random", "--seed", "3", "-C", *words).getvalue()
    assert "turn 9: random" in said and "\x1b[J" not in said


def test_a_dumb_terminal_is_not_drawn_over(played, monkeypatch):
    monkeypatch.setenv("TERM", "dumb")
    said = played("kalaha:2x2", "random", "random", "--seed", "3").getvalue()
    assert "turn 1: random" in said and "\x1b" not in said


def test_what_a_player_prints_stays_above_the_board(played, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    player_file(tmp_path, "print('thinking of it'); return 1")
    rows = played("kalaha", "player.py", "random").rows()
    assert sum("thinking of it" in row for row in rows) == 2  # it moves again, and then is illegal


def test_a_frame_higher_than_the_screen_scrolls_and_long_lines_count_as_they_wrap(monkeypatch):
    monkeypatch.setenv("LINES", "30")
    monkeypatch.setenv("COLUMNS", "100")
    screen = Screen()
    frame = Redrawn(screen)
    frame.draw(["x"] * 40)
    frame.draw(["y" * 250, "\x1b[1;31mz\x1b[0m"])
    assert "\x1b[J" not in screen.getvalue()
    frame.clear()
    assert screen.getvalue().endswith("\x1b[4A\r\x1b[J")  # three rows and one


# A player at fault


def test_the_legal_actions_of_the_same_kind_come_first():
    legal = [("BOOM", (0, 0)), ("MOVE", 1, (0, 0), (0, 1)), ("MOVE", 1, (3, 3), (3, 4)), ("BOOM", (3, 3))]
    said = _illegal(("MOVE", 1, (3, 3), (7, 7)), legal)
    assert said.partition("legal are ")[2].startswith("('MOVE', 1, (3, 3), (3, 4)), ('MOVE', 1, (0, 0)")
    assert _illegal(4, [1, 2, 6]) == "action 4 is illegal; legal are 1, 2, 6"


def test_an_illegal_action_is_shown_with_the_position_and_the_record_to_replay(tmp_path, capsys):
    path = player_file(tmp_path, "return 7")
    assert main(["play", "kalaha", path, "random", "-v", "1", "--record", str(tmp_path / "kept")]) == 1
    said = capsys.readouterr().out
    assert said.count("B6   B5") == 1
    (record,) = (tmp_path / "kept").iterdir()
    assert f"to look at it again: referee replay {record}" in said
    assert main(["replay", str(record)]) == 0
    capsys.readouterr()
    main(["play", "kalaha", path, "random", "-v", "1"])
    assert "with --record DIR" in capsys.readouterr().out


@pytest.mark.parametrize("verbosity", ["0", "1", "2"])
def test_a_crash_is_told_with_file_and_line_at_all_verbosities(tmp_path, capsys, verbosity):
    path = player_file(tmp_path, "import json\n        return json.loads('no')")
    assert main(["play", "kalaha", path, "random", "-v", verbosity]) == 1
    assert re.search(r"crashed in action: JSONDecodeError: .* \(.*player\.py:\d+\)", capsys.readouterr().out)


def test_a_crash_is_told_with_file_and_line_by_every_command(tmp_path, capsys):
    path = player_file(tmp_path, "raise ValueError('lost')")
    for command, *more in (
        ["play", "random", "--json"],
        ["tournament", "random", "--pairs", "1"],
        ["profile", "--samples", "1"],
        ["check"],
    ):
        code = main([command, "kalaha", path, *more])
        said = "".join(capsys.readouterr())
        assert code == 1 and re.search(r"ValueError: lost.*\(\S*player(/__init__)?\.py:\d+", said), (
            f"{command}: {said}"
        )


def test_where_no_class_has_the_name_those_there_are_told(tmp_path, capsys):
    path = player_file(tmp_path, "return 1")
    text = (tmp_path / "player.py").read_text()
    (tmp_path / "player.py").write_text(text.replace("class Player", "class Playr"))
    for command, *more in (["play", "random"], ["tournament", "random"], ["profile"]):
        assert main([command, "kalaha", path, *more]) == 2
        assert "it has Playr" in capsys.readouterr().err
    assert main(["play", "kalaha", path, "random"]) == 2
    assert "did you mean 'player:Playr'?" in capsys.readouterr().err


@pytest.mark.parametrize(
    "scores, reason, said",
    [
        ((0, 1), "B wins", "second beats first: B wins (1 turn, 2.00 and 1.00 s)"),
        ((1, 0), "A wins", "first beats second: A wins (1 turn, 1.00 and 2.00 s)"),
        ((0.5, 0.5), "draw: third time", "first and second draw: third time (1 turn, 1.00 and 2.00 s)"),
    ],
)
def test_the_result_tells_times_in_the_order_of_the_names_and_a_draw_once(scores, reason, said):
    two = (0.0, 0.0)
    result = MatchResult(scores, "finished", None, (), {}, reason, 1, (1.0, 2.0), two, two, two, (), (), ())
    assert sentence(("first", "second"), result) == said
