"""A human at the terminal: what may be typed, what mistakes are answered with, undo, hints, and leaving."""

import io
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from random import Random

import pytest

from referee import rules
from referee.__main__ import main
from referee.commands import replay
from referee.human import typed_actions
from referee.isolation.allowance import Allowance
from referee.isolation.process import PlayerProcess
from referee.players.names import resolve
from tests import ROOT

PLAYERS = ROOT / "tests" / "players"
GAMES = ["kalaha", "fanorona", "expendibots", "pentago", "ropasci"]


@pytest.fixture
def play(capsys, monkeypatch):
    """Runs `play` with these lines typed: the exit code, the lines of stdout, stderr."""

    def run(typed, *arguments):
        monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        code = main(["play", *map(str, arguments)])
        printed = capsys.readouterr()
        return code, printed.out.splitlines(), printed.err

    return run


def only_record(folder):
    (path,) = folder.iterdir()
    return path


# What may be typed


@pytest.mark.parametrize(
    "game, typed, action",
    [
        *[("kalaha", text, 3) for text in ("3", " 3 ", "a3", "A 3", "03", "3.")],
        *[
            ("fanorona", text, "F3-E2-A")
            for text in ("F3-E2-A", "f3-e2-a", "f3 e2 a", "F3E2A", "light f3-e2-a", "1")
        ],
        *[
            ("expendibots", text, ("MOVE", 1, (0, 1), (0, 2)))
            for text in (
                "MOVE 1 (0, 1) (0, 2)",
                "move 1 0 1 0 2",
                "('MOVE', 1, (0, 1), (0, 2))",
                "Move 1 from (0,1) to (0,2).",
                "move 1 0,1 0,2",
                "white move 1 0 1 0 2",
            )
        ],
        *[
            ("expendibots", text, ("BOOM", (0, 1)))
            for text in ("BOOM (0, 1)", "boom 0 1", "BOOM at (0, 1).", '("BOOM", (0, 1))', "2")
        ],
        *[
            ("ropasci", text, ("THROW", "s", (4, -2)))
            for text in ("THROW symbol s to (4, -2)", "throw s 4 -2", "throw s 4-2", "throw S (4, \u22122)")
        ],
        *[
            ("pentago", text, (1, 4, 3, 1))
            for text in ("1 4 3 1", "1 4 3 1 0", "(1, 4, 3, 1)", "1,4,3,1", "white 1 4 3 1")
        ],
    ],
)
def test_an_action_is_read_as_the_sheets_write_it_and_liberally(game, typed, action):
    state = rules.start(game)
    assert typed_actions.read(typed, state.actions(0), state.COLOURS[0], 0) == action


@pytest.mark.parametrize("game", [*GAMES, "pentago:classic", "fanorona:1100"])
def test_a_legal_action_can_be_typed_as_it_is_listed_shown_and_numbered(game):
    random, state = Random(f"typed {game}"), rules.start(game)
    for _ in range(30):
        if not state.to_act():
            break
        chosen = {}
        for player in state.to_act():
            legal, colour = state.actions(player), state.COLOURS[player]
            chosen[player] = action = random.choice(legal)
            listed = typed_actions.numbered(legal)[legal.index(action)]
            spelled = typed_actions.spell(action)
            for text in (spelled, repr(action), f"{colour} {spelled}", listed.partition(": ")[0]):
                assert typed_actions.read(text, legal, colour, player) == action, (game, text)
        state = state.after(chosen)


@pytest.mark.parametrize(
    "game, typed, answer",
    [
        ("kalaha", "7", "'7' is not legal here; legal are 1, 2, 3, 4, 5, 6"),
        ("kalaha", "b3", "'b3' is not legal here; legal are 1, 2, 3, 4, 5, 6"),
        ("kalaha", "3.5", "'3.5' is not legal here"),
        ("kalaha", "3 0", "'3 0' is not legal here"),
        ("kalaha", "\u0663", "is not legal here"),
        ("fanorona", "e3-e2", "'e3-e2' is not legal here; legal are 1: F3-E2-A"),
        ("fanorona", "6", "the numbers 1 to 5, not 6"),
        ("fanorona", "P", "'P' is not legal here"),
        ("expendibots", "boom 2 2", "nearest of the 50 legal ones are 1: BOOM (0, 0)"),
        ("expendibots", "move 1 3 1", "MOVE 1 (3, 1) ("),
        ("ropasci", "throw r 3 0", "THROW r (4, 0)"),
        ("pentago", "1 4 3 1 1", "1 4 3 1"),
        ("pentago", "289", "the numbers 1 to 288, not 289"),
        ("pentago", "9" * 300, "the numbers 1 to 288"),
        ("ropasci", "!", "nearest of the 15 legal ones"),
    ],
)
def test_a_mistake_is_answered_with_what_is_legal_and_near(game, typed, answer):
    state = rules.start(game)
    with pytest.raises(typed_actions.Mistake) as mistake:
        typed_actions.read(typed, state.actions(0), state.COLOURS[0], 0)
    assert answer in str(mistake.value) and "\n" not in str(mistake.value)
    assert len(str(mistake.value)) < 500


# Whole games


@pytest.mark.parametrize("game", [*GAMES, "fanorona:1100", "kalaha:2x2", "pentago:classic"])
def test_a_whole_game_is_typed_recorded_and_judged_the_same(game, play, tmp_path):
    players = ("random", "human") if game in ("ropasci", "kalaha:2x2") else ("human", "random")
    typed = "1\n2\n3\n4\n5\n6\n" * 400 if game.startswith("kalaha") else "1\n" * 400
    code, lines, errors = play(typed, game, *players, "--record", tmp_path)
    assert (code, errors) == (0, "")
    assert all(line.startswith("*") for line in lines)
    path = only_record(tmp_path)
    assert ": same, " in f": {replay.judge(replay.read(path))}"
    assert f"players: {players!r}" in path.read_text() and "'clock': 'wall'" in path.read_text()


def test_two_humans_share_a_terminal(play):
    code, lines, _ = play("1\n1\n2\n2\n1\n2\n1\n2\n1\n2\n" * 3, "kalaha:2x2", "human", "human")
    assert code == 0 and "human (" in lines[-2] and " beats " in lines[-2] or " draw" in lines[-2]


# Commands


def test_each_command_is_answered(play):
    typed = "help\nlist\nlist 5\nboard\n\nHINT\nundo\n9\nlist 77\n1\nquit\n"
    code, lines, errors = play(typed, "kalaha", "human", "kalaha_agent", "--nodes", "100")
    text = "\n".join(lines)
    assert code == 0 and errors == "referee: the human has left; the game stays unfinished\n"
    assert "* type an action, or one of: list, board, hint, undo, resign, quit, help" in lines
    assert "*   undo           take your last choice back, and what the agent played since" in lines
    assert lines.count("* legal: 1  2  3  4  5  6") == 2 and "* legal: 5" in lines
    assert text.count("B6") >= 2
    assert re.search(r"^\* hint: [1-6]$", text, re.M)
    assert "* there is nothing of yours to take back yet" in lines
    assert "* '9' is not legal here; legal are 1, 2, 3, 4, 5, 6" in lines
    assert "* no legal action has that; `list` alone shows all" in lines
    assert "* turn 1: human (A) plays 1" in lines and "* turn 2: human (A) to play" in lines


def test_many_legal_actions_are_listed_when_asked_and_by_their_words(play):
    _, lines, _ = play("list 5 5 3\nquit\n", "pentago", "human", "random")
    assert any(line.startswith("* 288 legal actions, such as 1: 0 0 0 0, ") for line in lines)
    assert "* legal: 287: 5 5 3 0  288: 5 5 3 1" in lines


@pytest.mark.parametrize("game", GAMES)
def test_a_hint_is_a_legal_action_of_our_agent(game, play):
    code, lines, _ = play("1\nhint\nquit\n", game, "human", "random", "--opening", "2", "--seed", "3")
    hints = [line for line in lines if line.startswith("* hint: ")]
    assert code == 0 and len(hints) == 1, lines[-3:]


def test_resigning_gives_the_game_to_the_other_and_replays(play, tmp_path):
    code, lines, _ = play("3\nresign\n", "kalaha", "human", "random", "--record", tmp_path)
    assert code == 1 and "random (B) beats human (A): turn " in "\n".join(lines)
    assert "human (A) forfeits: resigned" in "\n".join(lines)
    assert "same, no answer by A" in replay.judge(replay.read(only_record(tmp_path)))


def test_the_end_of_input_leaves_the_game_unfinished_and_replayable(play, tmp_path):
    code, _, errors = play("3\n", "kalaha", "human", "random", "--record", tmp_path)
    assert code == 130 and errors == "referee: the input has ended; the game stays unfinished\n"
    assert "unfinished, legal as far as it goes" in replay.judge(replay.read(only_record(tmp_path)))


def test_what_is_typed_cannot_move_the_cursor_when_it_is_shown(play):
    _, lines, _ = play("\x1b[2J\nquit\n", "kalaha", "human", "random")
    assert "\x1b" not in "\n".join(lines) and any("x1b[2J' is not legal" in line for line in lines)


def test_bytes_that_are_no_text_and_a_closed_input_are_no_defect():
    command = [sys.executable, "-m", "referee", "play", "kalaha", "human", "random", "-v1"]
    told = subprocess.run(command, cwd=ROOT, input=b"\xff\xfe\n\x00\nquit\n", capture_output=True)
    assert told.returncode == 0 and told.stdout.count(b"is not legal here; legal are 1, 2") == 2
    closed = subprocess.run(["bash", "-c", '"$@" <&-', "bash", *command], cwd=ROOT, capture_output=True)
    assert closed.returncode == 130 and b"the input has ended" in closed.stderr


def test_json_stays_json_and_the_talk_goes_to_stderr(play):
    code, lines, errors = play("1\n2\n" * 40, "kalaha:2x2", "human", "random", "--json")
    assert code == 0 and all(line.startswith("{") for line in lines) and len(lines) == 2
    assert "human (A) to play" in errors


# Undo


@pytest.mark.parametrize("game", GAMES)
def test_undo_takes_back_the_own_choice_and_what_followed(game, play, tmp_path):
    first, second = {"kalaha": "6 4", "pentago": "1 9"}.get(game, "1 2").split()
    typed = f"{first}\nundo\n{second}\nquit\n"
    code, lines, said = play(typed, game, "human", f"{game}_agent", "--nodes", "20", "--record", tmp_path)
    assert code == 0 and "* taken back: turn 1 once more" in lines, (said, lines[-8:])
    account = replay.read(only_record(tmp_path))
    assert "legal as far as it goes" in replay.judge(account)
    state = rules.start(game)
    assert account.turns[0].chosen[0] == typed_actions.read(second, state.actions(0), state.COLOURS[0], 0)
    assert account.turns[0].players == state.to_act()


def test_undo_after_an_extra_move_takes_back_that_move_alone(play, tmp_path):
    # Pond 1 moves again; so the last choice is the second.
    code, lines, _ = play("1\n2\nundo\nquit\n", "kalaha", "human", "random", "--record", tmp_path)
    assert code == 0 and "* taken back: turn 2 once more" in lines
    (entry,) = replay.read(only_record(tmp_path)).turns
    assert entry.chosen == {0: 1}


def test_undo_does_not_reach_into_the_opening(play):
    _, lines, _ = play("undo\nquit\n", "pentago", "human", "random", "--opening", "4")
    assert "* there is nothing of yours to take back yet" in lines


def test_undo_against_another_person_is_refused(play):
    _, lines, _ = play("2\nundo\nquit\n", "kalaha", "human", "human")
    assert "* undo is for games against an agent; another person would have to agree" in lines


def test_the_whole_turn_is_taken_back_where_both_choose_at_once(play, tmp_path):
    typed = "throw r 4 -2\nthrow p 4 0\nundo\nundo\nthrow s 4 -1\nquit\n"
    _, lines, _ = play(typed, "ropasci", "human", "random", "--record", tmp_path)
    (entry,) = replay.read(only_record(tmp_path)).turns
    assert entry.chosen[0] == ("THROW", "s", (4, -1)) and set(entry.chosen) == {0, 1}


def test_the_course_log_forgets_what_was_taken_back(play, tmp_path):
    log = tmp_path / "game.log"
    play("move 1 0 1 0 2\nundo\nboom 0 0\nquit\n", "expendibots", "human", "random", "-l", log)
    lines = log.read_text().splitlines()
    assert lines[1] == "[white] - BOOM at (0, 0)." and "[white] - MOVE" not in log.read_text()


def test_the_agents_clock_goes_back_and_setting_up_is_not_charged(play, tmp_path):
    legal, burns = ((PLAYERS / name).read_text() for name in ("legal.py", "burns.py"))
    (tmp_path / "burns.py").write_text("import time\n" + legal + burns.partition("import Legal")[2])
    # Made in 0.2 s, 0.05 s for each news, 0.2 s an action: 0.5 s a try, of which the limit allows but one.
    slow = f"{tmp_path / 'burns.py'},make=0.2,act=0.2,update=0.05"
    typed = "6\nundo\n6\nundo\n6\nundo\n4\nresign\n"
    code, lines, said = play(typed, "kalaha", "human", slow, "-t", "0,0.9", "--record", tmp_path / "kept")
    assert code == 1 and "resigned" in lines[-2], said
    account = replay.read(only_record(tmp_path / "kept"))
    assert "same" in replay.judge(account) and len(account.turns) == 3
    of_agent = [entry.cpu[1] for entry in account.turns]
    assert 0.4 < sum(of_agent) < 0.9
    assert sum("took it back" in line for line in lines) == 3


def test_an_agent_that_is_made_anew_is_told_what_is_left_of_its_time():
    spec = resolve(str(PLAYERS / "tells_its_keywords.py"))
    first = PlayerProcess(spec, "A", "", Allowance(game=60.0))
    first.start()
    first.construct()
    assert first.action()[2] == "None"
    with first.again(20.0) as second:
        second.start()
        second.construct()
        second.resume(20.0, 3)
        assert second.action()[2] == "40.0"
        assert second.cpu > 20.0 and second.cpu_left == pytest.approx(60.0 - second.cpu)
        # Made anew from this one it is told of the whole again.
        with second.again(0.0) as third:
            third.start()
            third.construct()
            assert third.cpu_left is None  # not limited while it is told what was played
            third.resume(0.0, 0)
            assert third.action()[2] == "None" and third.cpu_left < 60.0


def test_a_pipe_cannot_be_written_anew(play, tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = subprocess.Popen(["cat", str(pipe)], stdout=subprocess.DEVNULL)
    try:
        code, _, errors = play("3\nundo\n", "kalaha", "human", "random", "-l", pipe)
    finally:
        reader.terminate()
        reader.wait()
    assert code == 2 and "what goes to a pipe cannot be taken back" in errors


# The keyboard


class Keyboard:
    """`play` at a terminal of its own."""

    def __init__(self, *words):
        command = [sys.executable, "-m", "referee", "play", *map(str, words), "-C", "-a"]
        self.master, slave = pty.openpty()
        environment = {**os.environ, "TERM": "vt100", "COLUMNS": "80", "INPUTRC": os.devnull}
        self.process = subprocess.Popen(
            command, cwd=ROOT, stdin=slave, stdout=slave, stderr=slave, env=environment, process_group=0
        )
        os.close(slave)
        self.shown = ""

    def until(self, text, seconds=300):
        """What is shown up to and with the text, since this was last asked."""
        deadline = time.monotonic() + seconds
        while text not in self.shown:
            assert select.select([self.master], [], [], max(0, deadline - time.monotonic()))[0], self.shown
            try:
                self.shown += os.read(self.master, 65536).decode()
            except OSError:  # nobody is at the other end any more
                raise AssertionError(f"no {text!r} in {self.shown}") from None
        before, _, self.shown = self.shown.partition(text)
        return before + text

    def type(self, text):
        os.write(self.master, text.encode())

    def interrupt(self):
        """What the key does at one's own terminal; input() now and then sees it with the next only."""
        for _ in range(5):
            os.killpg(self.process.pid, signal.SIGINT)
            if select.select([self.master], [], [], 6)[0]:
                return

    def wait(self):
        """The exit code, and what was shown last."""
        try:
            while select.select([self.master], [], [], 30)[0]:
                self.shown += os.read(self.master, 65536).decode()
        except OSError:
            pass
        return self.process.wait(300), self.shown

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self.master)


def test_the_tab_key_completes_actions_and_commands():
    with Keyboard("fanorona", "human", "random") as keyboard:
        keyboard.until("light: ")
        keyboard.type("f3\t\n")
        assert "F3-E2-A" in keyboard.until("turn 1: human (light) plays 'F3-E2-A'")
        keyboard.until("light: ")
        keyboard.type("q\t\n")
        assert keyboard.wait()[0] == 0


def test_the_end_key_leaves_and_the_interrupt_key_interrupts():
    for key, said, code in (("\x04", "the input has ended", 130), ("\x03", "interrupted", 130)):
        with Keyboard("kalaha", "human", "random") as keyboard:
            keyboard.until("A: ")
            if key == "\x03":
                keyboard.interrupt()
            else:
                keyboard.type(key)
            ended, shown = keyboard.wait()
            assert ended == code and f"\nreferee: {said}" in shown and "Traceback" not in shown


def test_a_limit_that_was_asked_for_ends_the_question():
    with Keyboard("kalaha", "human", "random", "-t", "0.5,0") as keyboard:
        keyboard.until("A: ")
        keyboard.type("3")  # but no Enter
        ended, shown = keyboard.wait()
        assert ended == 1 and "out of time in action: the time was up, 0.5 s" in shown


def test_at_one_terminal_the_first_choice_in_ropasci_is_not_shown():
    with Keyboard("ropasci", "human", "human") as keyboard:
        keyboard.until("not shown, as both choose at once) ")
        keyboard.type("throw s 4 -2\n")
        hidden = keyboard.until("lower: ")
        assert "throw" not in hidden and "4 -2" not in hidden
        keyboard.type("throw p -4 2\n")
        assert "throw p -4 2" in keyboard.until("human (upper) plays ('THROW', 's', (4, -2))")
        keyboard.until("not shown, as both choose at once) ")
        keyboard.type("quit\n")
        assert keyboard.wait()[0] == 0


# Where there is no seat for a human


@pytest.mark.parametrize(
    "command",
    [
        ["tournament", "kalaha", "human", "random", "--pairs", "1"],
        ["profile", "kalaha", "human"],
    ],
)
def test_elsewhere_a_human_is_refused_in_a_sentence(command, capsys):
    assert main(command) == 2
    said = capsys.readouterr().err
    assert said == "referee: a human plays in `play` alone, where somebody waits; name an agent here\n"


@pytest.mark.parametrize("name", ["human:Player", "human,name=Ann"])
def test_a_human_takes_no_arguments(name, capsys):
    assert main(["play", "kalaha", name, "random"]) == 2
    assert "a human takes no class and no arguments" in capsys.readouterr().err
