"""Openings from files of every kind, and those that a search calls even."""

import json
from collections import Counter

import pytest

from referee import UsageError, rules
from referee.__main__ import main
from referee.match import given_openings
from referee.match.given_openings import BalancedOpenings, Judge, ListedOpenings, read
from referee.match.loop import follow
from referee.match.openings import Openings, ply
from referee.players.names import resolve

GAME = "kalaha:4x3"


def as_text(opening):
    return [ply(chosen) for chosen in opening]


def test_lists_of_actions_and_positions_are_openings(tmp_path):
    path = tmp_path / "openings.txt"
    position = follow(rules.start(GAME), [{0: 2}, {0: 1}]).text()
    path.write_text(f"# two of one kind, one of another\n['2', '3']\n[1]\n\n{position}\n[1]\n")
    found = [as_text(opening) for opening in read(path, GAME, 2)]
    assert found[:2] == [["2", "3"], ["1"]] and len(found) == 3
    reached = follow(rules.start(GAME), read(path, GAME, 2)[2])
    assert reached.text() == position


@pytest.mark.parametrize("game", rules.games())
def test_what_json_prints_of_an_opening_is_read_in_every_game(game, tmp_path):
    drawn = [Openings(game, 3, 1).of(number) for number in (1, 2, 3)]
    path = tmp_path / "openings.txt"
    path.write_text("".join(f"{json.dumps(as_text(opening))}\n" for opening in drawn))
    assert read(path, game, 2) == drawn


def test_recorded_games_give_their_first_plies_and_a_journal_its_openings(tmp_path):
    journal, records = tmp_path / "journal", tmp_path / "records"
    words = ["tournament", GAME, "random", "greedy", "--pairs", "2", "--record", str(records)]
    assert main([*words, "--journal", str(journal)]) == 0
    drawn = [Openings(GAME, 2, 0).of(number) for number in (1, 2)]
    assert sorted(map(repr, read(journal, GAME, 2))) == sorted(map(repr, drawn))  # whichever ended first
    of_records = read(records, GAME, 4)
    assert {len(one) for one in of_records} == {4} and {repr(one[:2]) for one in of_records} == set(
        map(repr, drawn)
    )


@pytest.mark.parametrize("line", ["[9]", "nothing", "[1, 1, 1]", "['x']", "A 0 0", "{1: 2}"])
def test_a_line_that_is_no_opening_is_named(line, tmp_path):
    path = tmp_path / "openings.txt"
    path.write_text(f"[1]\n{line}\n")
    with pytest.raises(UsageError, match="line 2: no opening of kalaha:4x3"):
        read(path, GAME, 2)


def test_a_file_without_openings_is_refused(tmp_path):
    (tmp_path / "none.txt").write_text("# nothing\n")
    with pytest.raises(UsageError, match="there is no opening in"):
        read(tmp_path / "none.txt", GAME, 2)


def test_openings_come_in_the_order_asked_for_each_once_before_any_comes_again():
    openings = [({0: number},) for number in range(1, 5)]
    in_order = ListedOpenings(openings, "sequential", 1)
    assert [in_order.of(n) for n in range(1, 10)] == [openings[(n - 1) % 4] for n in range(1, 10)]
    at_random = ListedOpenings(openings, "random", 1)
    drawn = [at_random.of(n) for n in range(1, 9)]
    assert set(Counter(map(repr, drawn)).values()) == {2} and drawn != [in_order.of(n) for n in range(1, 9)]
    assert set(map(repr, drawn[:4])) == set(map(repr, openings))
    assert drawn == [ListedOpenings(openings, "random", 1).of(n) for n in range(1, 9)]


def test_a_tournament_plays_the_openings_of_a_file_and_goes_on_with_no_other(tmp_path, capsys):
    path, journal = tmp_path / "openings.txt", tmp_path / "journal"
    path.write_text("['3']\n['4']\n")
    words = [
        "tournament",
        "kalaha:4x3",
        "random",
        "greedy",
        "--pairs",
        "2",
        "--json",
        "--journal",
        str(journal),
    ]
    assert main([*words, "--openings", str(path), "--order", "sequential"]) == 0
    *pairs, _ = map(json.loads, capsys.readouterr().out.splitlines())
    assert {pair["number"]: pair["opening"] for pair in pairs} == {1: ["3"], 2: ["4"]}
    path.write_text("['3']\n['2']\n")
    assert main([*words, "--openings", str(path)]) == 2
    assert "journal of another tournament: its openings" in capsys.readouterr().err
    assert main([*words, "--order", "random"]) == 2 and "--order goes with" in capsys.readouterr().err


class Scored(Judge):
    """Scores openings by a rule, and counts how often it is asked."""

    def __init__(self):
        super().__init__(GAME, resolve("kalaha_agent"), 100, 0)
        self.asked = 0

    def score(self, opening):
        self.asked += 1
        return 0 if opening[0][0] in (1, 3) else 50


def test_balanced_openings_are_those_within_the_margin_found_once_and_kept(tmp_path):
    path = tmp_path / "kept"
    judge = Scored()
    first = BalancedOpenings(GAME, 2, 1, judge, path)
    drawn = [first.of(number) for number in range(1, 6)]
    assert {opening[0][0] for opening in drawn} == {1, 3} and len(set(map(repr, drawn))) == 5
    asked = judge.asked
    again = BalancedOpenings(GAME, 2, 1, judge, path)
    assert [again.of(number) for number in range(1, 6)] == drawn and judge.asked == asked
    assert again.of(6) not in drawn and judge.asked > asked
    assert BalancedOpenings(GAME, 2, 1, Scored()).of(6) == again.of(6)
    # Other words bring others: what was kept is not taken for them.
    assert BalancedOpenings(GAME, 2, 2, Scored(), path).of(1) is not None and "seed 2" in path.read_text()


def test_where_none_is_even_a_sentence_says_what_to_do(monkeypatch):
    monkeypatch.setattr(given_openings, "DRAWN", 3)
    judge = Scored()
    judge.score = lambda opening: 99
    with pytest.raises(UsageError, match="ask for a larger margin"):
        BalancedOpenings(GAME, 2, 1, judge).of(1)


@pytest.mark.parametrize("more", ["", ",nodes=0,margin=1", ",nodes=5,margin=x"])
def test_what_balances_says_its_nodes_and_margin(more):
    with pytest.raises(UsageError, match="nodes=N,margin=M"):
        given_openings.judge_of(f"kalaha_agent{more}", GAME)


def test_a_player_that_does_not_search_cannot_balance():
    with pytest.raises(UsageError, match="does not search"):
        given_openings.judge_of("greedy,nodes=5,margin=5", GAME)


def test_an_agent_s_search_balances_the_openings_of_a_tournament(tmp_path, capsys):
    journal = tmp_path / "journal"
    words = ["tournament", GAME, "random", "greedy", "--pairs", "1", "--json", "--journal", str(journal)]
    assert main([*words, "--balanced", "kalaha_agent,nodes=200,margin=3"]) == 0
    (opening,) = read(tmp_path / "journal.openings", GAME, 2)
    pair = json.loads(capsys.readouterr().out.splitlines()[0])
    assert pair["opening"] == as_text(opening)
    assert abs(given_openings.judge_of("kalaha_agent,nodes=200,margin=3", GAME).score(opening)) <= 3
