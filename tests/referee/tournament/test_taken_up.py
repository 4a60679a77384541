"""A tournament that is killed after any pair and taken up again comes to what it would have come to.

Pairs are made up here and nothing is started, so that every place to be killed at can be tried, with players
that fail in their constructor, in their first action, or now and then.
"""

import csv
import random
from concurrent.futures import Future

import pytest

from referee import UsageError
from referee.__main__ import main
from referee.isolation.process import Allowance
from referee.match.openings import Openings
from referee.players.names import Spec
from referee.tournament import dispatcher, journal, standings
from referee.tournament.dispatcher import Dispatcher
from referee.tournament.journal import Journal
from referee.tournament.plan import Entrant, Plan
from referee.tournament.played import pair_from
from referee.tournament.results import Results
from referee.tournament.schedule import FORMATS
from referee.tournament.standings import Standings, of_journals, schedule_of, take_up
from referee.view import tables

GAME = "kalaha:2x2"
GOOD, EARLY, IDLE, FLAKY = (
    "good",
    "fails in its constructor",
    "fails in its first action",
    "fails now and then",
)
PLAYERS = (GOOD, EARLY, IDLE, GOOD, GOOD, FLAKY, GOOD)
PAIRS = 2


def described(players):
    return [
        Entrant(Spec(f"class/p{index}", f"p{index}", "", None, ()), Allowance()) for index in range(players)
    ]


def header(kind, on_fault):
    players = described(len(PLAYERS) if FORMATS[kind].keeps_pairs else 5)
    head = {
        "game": GAME,
        "format": kind,
        "opening": 0,
        "seed": 0,
        "isolation": "process",
        "players": [entrant.described() for entrant in players],
    }
    if FORMATS[kind].keeps_pairs:
        head |= {"pairs": PAIRS, "rounds": 4 if kind == "swiss" else None}
        head |= {} if on_fault == "exclude" else {"excludes": False}
    return {**head, "about": {"on_fault": on_fault}}


def fails(player, number):
    """How many actions that player begins before it fails; None where it does not fail."""
    return {GOOD: None, EARLY: 0, IDLE: 1, FLAKY: None if number % 2 else 0}[player]


def made_up_game(work, first):
    """A game that ends as the players are; between good ones by lot, the same every time."""
    two = work["indices"]
    begun = [fails(PLAYERS[index], work["number"]) for index in two]
    winner = random.Random(f"{two} {work['number']} {first}").choice([0, 1, None])
    if begun != [None, None]:
        winner = None if None not in begun else begun.index(None)
    at_fault = [place for place, many in enumerate(begun) if many is not None]
    actions = [[0.1] * (2 if many is None and not at_fault else many or 0) for many in begun]
    return {
        "number": 2 * work["number"] - 1 + first,
        "first": first,
        "winner": winner,
        "ending": "crashed" if at_fault else "finished",
        "at_fault": at_fault if len(at_fault) == 2 else at_fault[0] if at_fault else None,
        "reason": "crashed" if at_fault else "over",
        "turns": max(map(len, actions)),
        "cpu": [0.1, 0.1],
        "wall": [0.1, 0.1],
        "megabytes": [1, 1],
        "course_megabytes": [1, 1],
        "faults": ["crashed" if place in at_fault else None for place in (0, 1)],
        "moves": [] if at_fault else ["1", "2"],
        "action_cpu": actions,
        "action_megabytes": actions,
    }


class MadeUp:
    """A runner whose pairs come back in any order, by lot."""

    def __init__(self, width, seed):
        self.width = width
        self.lots = random.Random(seed)
        self.work = {}

    def submit(self, work):
        future = Future()
        self.work[future] = work
        return future

    def wait(self, futures, **_):
        future = self.lots.choice(sorted(futures, key=lambda future: self.work[future]["pair"]))
        games = [made_up_game(self.work[future], first) for first in (0, 1)]
        future.set_result({"games": games, "seconds": 1.0, "cost": 0.1})
        return {future}, None

    def check(self):
        raise AssertionError("never waits")


@pytest.fixture(autouse=True)
def fast(monkeypatch):
    """Nothing is forced onto the disk; Elo, which is made from the pairings alone, is not reckoned."""
    monkeypatch.setattr(journal.os, "fsync", lambda file: None)
    monkeypatch.setattr(standings, "ratings", lambda players, meetings: [])


def play(path, head, monkeypatch, jobs=1):
    """Play what is missing, as the command does; what it then says."""
    results = Results([player["player"] for player in head["players"]])
    schedule = schedule_of({**head, "pairs": PAIRS}, results)
    plan = Plan(GAME, 0, tuple(described(len(head["players"]))), Openings(GAME, 0, 0))
    runner = MadeUp(jobs, seed=jobs)
    monkeypatch.setattr(dispatcher, "wait", runner.wait)
    with Journal(path, head, results.add) as written:
        on_fault = head["about"]["on_fault"]
        take_up(written, schedule, on_fault)
        for _ in Dispatcher(plan, written, runner, None, None, on_fault == "stop").play(schedule):
            pass
        return Standings(written.header, results, schedule, None, written.pairs).summary()


def made_up_pair(slot):
    first, second, number = slot
    work = {"indices": (first % len(PLAYERS), second % len(PLAYERS)), "number": number}
    return {
        "pair": str(slot),
        "players": [first, second],
        "number": number,
        "opening": [],
        "games": [made_up_game(work, seat) for seat in (0, 1)],
        "seconds": 1.0,
        "cost": 0.1,
    }


def pairs_of(path):
    return sorted(pair.id for pair in journal.pairs_of(path))


def decided(summary):
    """What a tournament comes to: not what it took, nor pairs that do not count."""
    found = {key: summary.get(key) for key in ("totals", "byes", "excluded")}
    found["standings"] = [row | ({} if row["games"] else {"faults": None}) for row in summary["standings"]]
    return {**found, "pairings": [one for one in summary["pairings"] if one.get("counts", True)]}


WAYS = [(kind, on_fault) for kind in FORMATS for on_fault in ("exclude", "continue", "stop")]


@pytest.mark.parametrize(("kind", "on_fault"), WAYS)
def test_killed_after_any_pair_and_taken_up_it_comes_to_the_same(kind, on_fault, tmp_path, monkeypatch):
    head, path, cut = header(kind, on_fault), tmp_path / "whole", tmp_path / "cut"
    whole = play(path, head, monkeypatch)
    if on_fault != "stop":
        assert whole["standings"][0]["points"] > 0
    pairs = pairs_of(path)
    for jobs in (1, 2, 4) if on_fault != "stop" else (1,):
        ran = tmp_path / f"ran {jobs}"
        assert decided(play(ran, head, monkeypatch, jobs)) == decided(whole), jobs
        lines = ran.read_bytes().splitlines(keepends=True)
        for kept in range(0, len(lines), jobs):
            cut.write_bytes(b"".join(lines[: kept + 1]))
            again = play(cut, head, monkeypatch, jobs)
            assert decided(again) == decided(whole), (jobs, kept)
            assert of_journals([cut]).summary() == again, (jobs, kept)
            # Of all against all, how many pairs of one that cannot play are under way when that is known
            # depends on the number of jobs; they do not count.
            if FORMATS[kind].keeps_pairs or on_fault != "exclude" or jobs == 1:
                assert pairs_of(cut) == pairs, (jobs, kept)


def totals(summary):
    return {row["player"][-2:]: (row["points"], row["games"]) for row in summary["standings"]}


def test_pairs_of_a_player_that_is_left_out_count_for_nobody(tmp_path, monkeypatch):
    path = tmp_path / "journal"
    summary = play(path, header("round-robin", "exclude"), monkeypatch)
    found = totals(summary)
    # Who met the broken ones before that was known has played no more games than the others.
    assert [found[name] for name in ("p1", "p2")] == [(0, 0), (0, 0)]
    assert {found[name][1] for name in ("p0", "p3", "p4")} == {4 * PAIRS}
    assert [row["player"][-2:] for row in summary["standings"][3:]] == ["p1", "p2"]
    assert [one["player"][-2:] for one in summary["excluded"]] == ["p1", "p2"]
    # They are in the journal, and among the pairings as those that do not count.
    aside = [one for one in summary["pairings"] if not one.get("counts", True)]
    assert sum(one["pairs"] for one in summary["pairings"]) == summary["pairs"] == len(pairs_of(path))
    assert aside and all({*one["indices"]} & {1, 2} for one in aside)
    stood = of_journals([path])
    text = tables.tournament(
        stood.summary() | {"resumed": 0, "busy": None, "seconds": 0.0, "isolation": ""},
        stood.results,
        stood.order(),
    )
    assert "left out:\n  p1: crashed\n    its pairs do not count" in text and "p0 against p1" not in text


def test_a_player_that_completes_no_action_is_left_out_and_otherwise_plays_on(tmp_path, monkeypatch):
    for kind in FORMATS:
        left_out = play(tmp_path / kind, header(kind, "exclude"), monkeypatch)
        assert "class/p2" in [one["player"] for one in left_out["excluded"]]
        # It did not fail before its first action, which is what ends a tournament.
        assert "class/p2" not in [one["player"] for one in left_out["failed_early"]]
    plays_on = play(tmp_path / "on", header("round-robin", "continue"), monkeypatch)
    assert totals(plays_on)["p2"][1] == 4 * 2 * PAIRS and "excluded" not in plays_on


def test_told_to_leave_out_who_cannot_play_a_tournament_that_had_stopped_goes_on(tmp_path, monkeypatch):
    path, whole = tmp_path / "journal", tmp_path / "whole"
    stopped = play(path, header("round-robin", "stop"), monkeypatch)
    summary = play(path, header("round-robin", "exclude"), monkeypatch)
    assert stopped["pairs"] < summary["pairs"] and "excluded" not in stopped
    assert decided(summary) == decided(play(whole, header("round-robin", "exclude"), monkeypatch))
    # The journal knows, though it was begun otherwise, and so does who takes it up once more.
    assert (
        of_journals([path]).summary() == summary == play(path, header("round-robin", "exclude"), monkeypatch)
    )


def test_rounds_drawn_by_an_earlier_version_stay_as_they_were(tmp_path, monkeypatch):
    """It left out who failed before its first action, and nobody else; its journals do not say how."""
    head = {**header("swiss", "exclude"), "about": {}}
    with Journal(tmp_path / "old", head, print) as written:
        assert written.header["about"] == {}
    head["about"] = {"on_fault": "exclude"}
    summary = play(tmp_path / "old", head, monkeypatch)
    assert "p2" not in [one["player"][-2:] for one in summary["excluded"]]
    assert totals(summary)["p2"][1] > 2 * PAIRS
    assert of_journals([tmp_path / "old"]).summary() == summary


def test_byes_are_in_the_row_and_in_the_sheet(tmp_path, monkeypatch):
    play(tmp_path / "journal", header("swiss", "exclude"), monkeypatch)
    stood = of_journals([tmp_path / "journal"])
    order, summary = stood.order(), stood.summary()
    text = tables.standings(stood.results, order, summary["totals"]).splitlines()
    assert text[0].split() == "player points byes total games won drawn lost faults".split()
    shown = [[float(figure) for figure in line.split()[2:5]] for line in text[1:]]
    assert any(byes for _, byes, _ in shown) and all(points + byes == total for points, byes, total in shown)
    rows = list(csv.DictReader(tables.as_csv(summary, stood.results, order).splitlines()))
    assert [[float(row[key]) for key in ("points", "byes", "total")] for row in rows] == shown
    assert [row["player"] for row in rows] == [line.split()[1] for line in text[1:]]
    assert {row["player"] for row in rows if row["note"]} == {
        one["player"][-2:] for one in summary["excluded"]
    }


def test_names_are_shown_without_the_folder_they_have_in_common_and_from_their_beginning():
    names = [
        "hand_ins/anna.zip",
        "hand_ins/b/bert.zip",
        "random",
        "hand_ins/anna.zip",
        f"hand_ins/{'x' * 40}.zip",
    ]
    results = Results(names)
    shown = [tables.label(results, index) for index in range(len(names))]
    assert shown[:4] == ["anna.zip (1)", "b/bert.zip", "random", "anna.zip (2)"]
    assert shown[4].startswith("xxx") and shown[4].endswith("x.zip") and len(shown[4]) == tables.NAME
    alone = Results(["teams/one", "random"])
    assert tables.label(alone, 0) == "teams/one"


def test_of_many_players_the_text_is_brief_unless_more_is_asked_for():
    results = Results([f"player {index}" for index in range(tables.MANY + 1)])
    schedule = FORMATS["round-robin"](tables.MANY + 1, 1, results)
    for slot in next(schedule.rounds()):
        results.add(pair_from(made_up_pair(slot)))
    stood = Standings(header("round-robin", "stop"), results, schedule, None, lambda: iter(()))
    summary = stood.summary() | {"resumed": 0, "busy": None, "seconds": 0.0, "isolation": ""}
    brief, full = (tables.tournament(summary, results, stood.order(), is_full) for is_full in (False, True))
    assert "points against" not in brief and "78 pairings; -v" in brief and len(brief) < len(full) / 3
    assert "points against" in full and full.count("  1 pair: 1 x ") == 78


def test_games_in_which_nobody_moved_do_not_repeat_one_another():
    results = Results(["a", "b"])
    for number in (1, 2):
        results.add(pair_from(made_up_pair((3, 5, number)) | {"players": [0, 1]}))
    assert results.players[1].faults == {"crashed": 2} and results.repeated == 1  # of the other two games


def test_a_corrected_hand_in_is_added_and_the_old_one_left_out(tmp_path, monkeypatch, capsys):
    first, late = tmp_path / "first", tmp_path / "late"
    head = header("round-robin", "exclude")
    play(first, head, monkeypatch)
    players = [{**head["players"][3], "files": "corrected"}, head["players"][0], head["players"][4]]
    with pytest.raises(UsageError, match="its own .--format gauntlet, it first.*referee standings"):
        play(first, {**head, "players": [*head["players"][:3], players[0], head["players"][4]]}, monkeypatch)
    gauntlet = {**head, "format": "gauntlet", "players": players}
    with Journal(late, gauntlet, lambda pair: None) as written:
        for other in (1, 2):
            good = {"pair": f"late {other}", "players": [0, other]}
            written.append(pair_from(made_up_pair((3, 6, 1)) | good))
    words = ["standings", str(first), str(late), "--csv"]
    assert main(words) == 0
    rows = {row["player"]: row for row in csv.DictReader(capsys.readouterr().out.splitlines())}
    assert {name for name in rows if "p3" in name} == {"p3 (1)", "p3 (2)"}
    assert main([*words, "--without", "p3 (1)"]) == 0
    rows = {row["player"]: row for row in csv.DictReader(capsys.readouterr().out.splitlines())}
    assert rows["p3 (1)"]["games"] == "0" and rows["p3 (1)"]["note"] and rows["p3 (2)"]["games"] == "4"
    assert rows["p0"]["games"] == str(2 * PAIRS + 2)
    assert main([*words, "--without", "p3"]) == 2
    assert "'p3' is none of p0, p1, p2, p3 (1)" in capsys.readouterr().err


def test_a_pair_that_is_not_played_any_more_is_won_by_the_other(tmp_path, monkeypatch):
    path = tmp_path / "journal"
    summary = play(path, header("swiss", "exclude"), monkeypatch)
    schedule = of_journals([path]).schedule
    drawn = schedule.history[0]
    assert drawn.meetings == [(6, None), (0, 1), (2, 3), (4, 5)]
    # p1 and p2 show that they cannot play by their first pair, p5 by its second.
    assert {index: drawn.given[index] for index in (6, 0, 1, 2, 3, 4, 5)} == {
        **{6: 2 * PAIRS, 0: 2 * (PAIRS - 1), 3: 2 * (PAIRS - 1)},
        **dict.fromkeys((1, 2, 4, 5), 0),
    }
    assert [totals(summary)[name][1] for name in ("p1", "p2", "p5")] == [2, 2, 2 * PAIRS]
    assert [row["player"][-2:] for row in summary["standings"][-3:]] == ["p5", "p1", "p2"]


def test_a_bye_counts_when_its_round_has_begun(tmp_path, monkeypatch):
    path = tmp_path / "journal"
    whole = play(path, header("swiss", "continue"), monkeypatch)
    lines = path.read_bytes().splitlines(keepends=True)
    in_a_round = PAIRS * (len(PLAYERS) // 2)
    for kept in range(len(lines)):
        path.write_bytes(b"".join(lines[: kept + 1]))
        byes = of_journals([path]).summary().get("byes", [])
        assert sorted(byes) == byes and {*byes} <= {*whole["byes"]}
        assert len(byes) == -(-kept // in_a_round), kept
