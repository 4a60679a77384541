"""A match that is steered by lines of JSON: paused, stepped, taken over, given back, taken back, ended."""

import json
import os
import re
import subprocess
import sys

import pytest

from referee.match import judging


class Steered:
    """`play ... --control --paused` in a process of its own."""

    def __init__(self, folder, *words):
        command = [
            sys.executable,
            "-m",
            "referee",
            "play",
            *words,
            "--control",
            "--paused",
            "--record",
            str(folder),
        ]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        self.turns = 0

    def do(self, **request):
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()

    def until(self, event):
        """The next such event."""
        for line in self.process.stdout:
            said = json.loads(line)
            if said.get("event") == event:
                return said
        raise AssertionError(f"it ended without {event}: {self.process.stderr.read()}")

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.process.stdin.close()
        code = self.process.wait(300)
        self.process.stdout.close()
        self.process.stderr.close()
        self.code = code


def test_a_match_is_stepped_taken_over_given_back_and_taken_back(tmp_path):
    with Steered(tmp_path, "kalaha", "random", "greedy", "--seed", "1") as match:
        begin = match.until("begin")
        assert begin["paused"] and begin["names"] == ["random", "greedy"] and begin["hands"] == []
        match.do(do="step")
        first = match.until("turn")
        assert match.until("waiting")["paused"], "one step is one turn"
        match.do(do="take", player=0)
        match.do(do="take", player=1)
        match.do(do="step")
        while (waiting := match.until("waiting"))["by_hand"] is None:
            pass
        turn = {"player": waiting["by_hand"], "turn": 2}
        match.do(do="play", action=99, **turn)
        assert "99" in match.until("refused")["sentence"]
        match.do(do="play", action=waiting["legal"][0][0], player=turn["player"], turn=7)
        assert "another turn" in match.until("refused")["sentence"]
        match.do(do="play", action=waiting["legal"][-1][0], **turn)
        second = match.until("turn")
        assert second["step"]["chosen"] == {str(turn["player"]): waiting["legal"][-1][0]}
        match.do(do="back")
        assert match.until("taken back")["turns"] == 1
        match.do(do="give", player=0)
        match.do(do="give", player=1)
        match.do(do="go")
        assert match.until("end")["scores"] in ([1, 0], [0, 1], [0.5, 0.5])
    assert match.code == 0
    (path,) = tmp_path.iterdir()
    account = judging.read(path)
    assert ": same" in f": {judging.judge(account)}"
    assert account.turns[0].chosen == {int(player): one for player, one in first["step"]["chosen"].items()}


def test_who_steers_goes_away_and_the_game_stays_unfinished(tmp_path):
    with Steered(tmp_path, "kalaha", "random", "greedy") as match:
        match.until("begin")
        match.do(do="step")
        match.until("turn")
    assert match.code == 130
    (path,) = tmp_path.iterdir()
    assert "unfinished" in judging.judge(judging.read(path))


def test_a_human_is_played_by_what_comes_in(tmp_path):
    with Steered(tmp_path, "pentago", "human", "random") as match:
        begin = match.until("begin")
        assert begin["hands"] == begin["humans"] == [0]
        match.do(do="undo")
        assert "nothing of yours" in match.until("refused")["sentence"]
        match.do(do="go")
        for _ in ("played", "played again, since it was taken back with the answer to it"):
            while (waiting := match.until("waiting"))["by_hand"] is None:
                pass
            match.do(do="play", player=0, turn=1, action=waiting["legal"][3][0])
            assert match.until("turn")["step"]["chosen"] == {"0": waiting["legal"][3][0]}
            while match.until("waiting")["by_hand"] is None:
                pass
            match.do(do="undo")
            assert match.until("taken back")["turns"] == 0
        while (waiting := match.until("waiting"))["by_hand"] is None:
            pass
        assert not waiting["paused"]
        match.do(do="give", player=0)
        assert "no program" in match.until("refused")["sentence"]
        match.do(do="resign", player=0)
        assert match.until("end")["at_fault"] == [0]
    assert match.code == 1


@pytest.mark.parametrize(
    "line", ["", "[]", "{", "7", '{"do": "fly"}', '{"do": "take", "player": 2}', '{"do": "back"}', "[" * 4000]
)
def test_what_is_no_request_is_answered_with_a_sentence(line, tmp_path):
    with Steered(tmp_path, "kalaha", "random", "greedy") as match:
        match.until("begin")
        match.process.stdin.write(f"{line}\n")
        match.process.stdin.flush()
        assert re.match("[a-z`]", match.until("refused")["sentence"])


def test_bytes_that_are_no_text_are_refused_and_the_match_goes_on(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONIOENCODING", "utf-8:strict")
    with Steered(tmp_path, "kalaha:2x2", "greedy", "greedy") as match:
        match.until("begin")
        match.process.stdin.buffer.write(b'\xff\xfe{"do": "go"}\n')
        match.process.stdin.flush()
        assert "JSON object" in match.until("refused")["sentence"]
        match.do(do="go")
        assert match.until("end")


def test_options_that_say_otherwise_are_refused_in_a_sentence(tmp_path):
    run = [sys.executable, "-m", "referee", "play", "kalaha", "random", "greedy", "--control", "-v", "2"]
    done = subprocess.run(run, capture_output=True, text=True, stdin=subprocess.DEVNULL, env=os.environ)
    assert done.returncode == 2 and "--verbosity is not for --control" in done.stderr
