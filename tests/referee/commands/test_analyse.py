"""What players would do at a place of a game, and games that begin there."""

import json
import re

import pytest

from referee import rules
from referee.__main__ import main
from referee.match import judging


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    """A recorded game of Kalaha."""
    folder = tmp_path_factory.mktemp("recorded")
    words = "play kalaha kalaha_agent greedy --nodes 100 --seed 3 -v0 --record"
    assert main([*words.split(), str(folder)]) == 0
    (path,) = folder.iterdir()
    return path


@pytest.mark.parametrize("game", rules.games())
def test_agents_say_their_action_score_depth_and_line(game, capsys):
    agent = f"{game}_agent"
    assert main(["analyse", game, agent, "random", "--nodes", "300", "--json"]) == 0
    one, other, place = map(json.loads, capsys.readouterr().out.splitlines())
    start = rules.start(game)
    legal = list(map(repr, start.actions(0)))
    assert one["agent"] == agent and one["action"] in legal and other["action"] in legal
    assert place["position"] == start.text() and place["colour"] == start.COLOURS[0]
    assert one["fault"] == "" and (not one["line"] or one["line"][0] == one["action"])


def test_a_turn_of_a_record_is_looked_at_where_it_was_to_be_played(recorded, capsys):
    account = judging.read(recorded)
    before = [state for _, state in judging.states(account)][6]
    words = ["analyse", "kalaha", "greedy", "--record", str(recorded), "--turn", "7", "--json"]
    assert main(words) == 0
    said, place = map(json.loads, capsys.readouterr().out.splitlines())
    (player,) = before.to_act()
    assert place["position"] == before.text() and int(said["action"]) in before.actions(player)


def test_a_player_that_fails_says_so_beside_the_others(tmp_path, capsys):
    (tmp_path / "bad.py").write_text(
        "class Player:\n    def __init__(self, colour):\n        raise ValueError('no')\n"
    )
    assert main(["analyse", "kalaha", str(tmp_path / "bad.py"), "greedy", "--json"]) == 1
    bad, good, _ = map(json.loads, capsys.readouterr().out.splitlines())
    assert "ValueError: no" in bad["fault"] and bad["action"] is None and not good["fault"]


def test_who_played_a_record_goes_on_with_the_time_that_was_left(recorded, tmp_path):
    text = recorded.read_text()
    turns = [line for line in text.split("\n") if line.startswith("turn ")]
    cut = tmp_path / "cut.txt"
    cut.write_text(text[: text.index("turn 9:")])
    words = ["play", "kalaha", "kalaha_agent", "greedy", "--nodes", "100", "--from", str(cut), "-v0"]
    assert main([*words, "--record", str(tmp_path / "on")]) == 0
    (path,) = (tmp_path / "on").iterdir()
    account = judging.read(path)
    assert [line for line in path.read_text().split("\n") if line.startswith("turn ")][:8] == turns[:8]
    assert ": same" in f": {judging.judge(account)}" and len(account.turns) > 8
    assert account.header["begun"] == f"the end of {cut}"
    assert account.header["seeds"] == judging.read(recorded).header["seeds"]
    used = [sum(turn.cpu[seat] for turn in account.turns) for seat in (0, 1)]
    total = re.search(r"^cpu: \((.*), (.*)\)", path.read_text(), re.M)
    assert [float(one) for one in total.groups()] == pytest.approx(used, abs=1e-4)


def test_others_begin_at_a_turn_of_it_with_all_their_time(recorded, tmp_path):
    words = ["play", "kalaha", "random", "greedy", "--from", str(recorded), "--turn", "5", "-v0", "--record"]
    assert main([*words, str(tmp_path)]) == 0
    (path,) = tmp_path.iterdir()
    account = judging.read(path)
    assert len(account.opening) == 4 and ": same" in f": {judging.judge(account)}"


def test_games_from_a_position_keep_their_seats_where_that_is_asked(capsys):
    text = "B 0 6 6 6 6 6 3 6 6 6 6 6 6 9"
    words = [
        "play",
        "kalaha",
        "random",
        "greedy",
        "--position",
        text,
        "--games",
        "4",
        "--keep-seats",
        "--json",
    ]
    assert main(words) == 0
    *games, summary = map(json.loads, capsys.readouterr().out.splitlines())
    assert [game["first"] for game in games] == [0] * 4 and summary["interval"]
    assert len({game["reason"] + str(game["turns"]) for game in games}) > 1, "each game has its own lots"


@pytest.mark.parametrize(
    "words, sentence",
    [
        (["--turn", "3"], "--turn goes with --from"),
        (["--position", "nonsense"], "expected A, B or F"),
        (
            ["--position", "A 6 6 6 6 6 6 0 6 6 6 6 6 6 0", "--opening", "2"],
            "--opening is for games from the start",
        ),
        (["--from", "nothing.txt"], "cannot read nothing.txt"),
    ],
)
def test_places_that_are_none_are_refused_in_a_sentence(words, sentence, capsys):
    assert main(["play", "kalaha", "random", "greedy", *words]) == 2
    assert sentence in capsys.readouterr().err


def test_a_player_that_cannot_be_set_up_is_named(tmp_path, capsys):
    (tmp_path / "plain.py").write_text("class Player:\n    def __init__(self, colour):\n        pass\n")
    text = "A 6 6 6 6 6 6 0 6 6 6 6 6 6 0"
    assert main(["play", "kalaha", str(tmp_path / "plain.py"), "greedy", "--position", text]) == 2
    assert "cannot begin from a position: it has no method set_up" in capsys.readouterr().err
