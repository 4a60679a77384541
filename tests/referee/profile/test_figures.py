"""What is made of a profile's figures: the tree, the graph, what moved, other formats, a game's turns."""

import json
import re

import pytest

from referee.__main__ import main
from referee.profile import compare, export, flame, page, series, text
from referee.profile.shares import Frame
from referee.profile.tree import rows, tree
from tests.long import profile_truth

ACTION = Frame("team/player.py", 3, "Player.action", 5, "best = search(3)")
SEARCH = Frame("team/search.py", 1, "search", 4, "return max(map(search, children))")
DEEPER = SEARCH._replace(line=6)
COPY = Frame("copy.py", 128, "deepcopy", 146, "y = copier(x, memo)", True)
STACKS = [
    (6, 3.0, [ACTION, SEARCH, DEEPER, SEARCH]),
    (2, 1.0, [ACTION, SEARCH, COPY]),
    (4, 2.0, [ACTION, SEARCH, SEARCH, COPY]),
    (2, 2.0, [ACTION]),
]
ERROR = 0.01


def test_the_tree_of_calls_has_each_function_once_on_each_way_down():
    root = tree(STACKS)
    found = [(depth, node.frame.function, node.own, node.total) for depth, node in rows(root, 0.0)]
    assert found == [
        (0, "the turn", 0.0, 8.0),
        (1, "Player.action", 2.0, 8.0),
        (2, "search", 3.0, 6.0),
        (3, "deepcopy", 3.0, 3.0),
    ]
    assert [depth for depth, _ in rows(root, 0.5)] == [0, 1, 2]


def test_a_flame_graph_is_as_wide_as_the_time_and_has_no_markup_of_a_players():
    hostile = [(1, 1.0, [ACTION._replace(function="<script>alert(1)</script>", file='"><b>')])]
    assert "<script" not in flame.svg(tree(hostile)) and "<b>" not in flame.svg(tree(hostile))
    graph = flame.svg(tree(STACKS))
    boxes = re.findall(r'aria-label="([^"]*): ([0-9.]+)% of the CPU time" x="([0-9.]+)%" y="(\d+)"', graph)
    assert [(name.partition(" ")[0], float(share), float(x), int(y)) for name, share, x, y in boxes] == [
        ("the", 100.0, 0.0, 0),
        ("Player.action", 100.0, 0.0, 20),
        ("search", 75.0, 0.0, 40),
        ("deepcopy", 37.5, 0.0, 60),
    ]
    assert "too short" in flame.svg(tree([]))


def test_speedscope_gets_each_stack_with_its_seconds():
    found = json.loads(export.speedscope("a turn", STACKS, 4.0))
    frames = found["shared"]["frames"]
    (profile,) = found["profiles"]
    named = [[frames[number]["name"] for number in sample] for sample in profile["samples"]]
    assert named[1] == ["Player.action", "search", "deepcopy"]
    assert profile["weights"] == [1.5, 0.5, 1.0, 1.0] and profile["endValue"] == 4.0


def test_collapsed_stacks_add_up_to_the_turn():
    lines = export.collapsed("a turn", STACKS, 4.0).splitlines()
    assert sum(int(line.rpartition(" ")[2]) for line in lines) == 4_000_000
    assert "Player.action (team/player.py:5);search (team/search.py:4);deepcopy (copy.py:146) 500000" in lines


def test_callgrind_has_own_time_by_line_and_what_was_called_from_there():
    found = export.callgrind("a turn", STACKS, 4.0)
    own = [int(line.split()[1]) for line in _own_lines(found)]
    assert sum(own) == 4_000_000
    assert "fl=team/search.py\nfn=search\n4 1500000\n" in found
    assert "cfl=copy.py\ncfn=deepcopy\ncalls=1 128\n4 1500000" in found
    assert found.endswith("\ntotals: 4000000\n")
    called = re.findall(r"cfn=search\ncalls=1 1\n5 (\d+)", found)
    assert called == ["3000000"] == re.findall(r"cfn=search\n.*\n\d+ (\d+)", found), "recursion is no call"


def _own_lines(text):
    """The lines with a number and a cost, but for those that follow a call."""
    return re.findall(r"(?<!\d)\n(\d+ \d+)$", re.sub(r"calls=.*\n.*", "", text), re.M)


def profile_of(sources, cpu=1.0):
    """A profile with these lines of one file; of each its source, its own share and its hits."""
    lines = [
        {
            "file": "team/a.py",
            "line": number,
            "function": "f",
            "library": False,
            "source": source,
            "own": own,
            "own_error": ERROR,
            "total": own,
            "hits": hits,
        }
        for number, (source, own, hits) in enumerate(sources, 1)
    ]
    return {"lines": lines, "turn": {"cpu": cpu, "cpu_error": None}}


def test_lines_are_matched_through_edits():
    before = profile_of([("a = 1", 0.2, 1), ("b = slow(a)", 0.5, 1), ("return b", 0.3, 1)])
    new = ("# a note", 0.0, 0), ("a = 1", 0.2, 1), ("b = slower(a)", 0.5, 1), ("c = 2", 0.1, 1)
    now = profile_of([*new, ("return b", 0.2, 1)])
    pairs = [
        (line and line["source"], old and old["source"])
        for line, old in compare.matched(now["lines"], before["lines"])
    ]
    assert pairs == [
        ("a = 1", "a = 1"),
        ("return b", "return b"),
        ("# a note", None),
        ("b = slower(a)", "b = slow(a)"),
        ("c = 2", None),
    ]


def test_lines_are_matched_though_functions_were_moved_and_files_renamed():
    def lines(file, functions):
        rows = [(name, source) for name, sources in functions for source in sources]
        return [
            {"file": file, "line": number, "function": name, "library": False, "source": source}
            for number, (name, source) in enumerate(rows, 1)
        ]

    one, other = ("one", ["a = 1", "return a"]), ("other", ["b = 2", "c = slow(b)", "return c"])
    before = lines("team/board.py", [one, other]) + lines("team/same.py", [("f", ["pass"])])
    now = lines("club/bits.py", [other, one]) + lines("club/same.py", [("f", ["pass"])])
    found = {
        line and (line["function"], line["source"]): old and (old["function"], old["source"])
        for line, old in compare.matched(now, before)
    }
    assert len(found) == 6 and all(line == old for line, old in found.items())
    renamed = lines("team/board.py", [one, ("another", ["b = 3", "c = slow(b)", "return c"])])
    pairs = [(line["source"], old["source"]) for line, old in compare.matched(renamed, before[:5])]
    texts = ["a = 1", "return a", "b = 3", "c = slow(b)", "return c"]
    assert sorted(pairs) == sorted((text, text.replace("3", "2")) for text in texts)


def test_a_difference_within_the_errors_is_none_that_is_shown():
    before = profile_of([("a = 1", 0.2, 1), ("b = 2", 0.8, 1)], cpu=1.0)
    now = profile_of([("a = 1", 0.2, 1), ("b = 2", 0.8, 1)], cpu=1.012)
    assert not any(one.is_shown for one in compare.moved(now, before))
    slower = profile_of([("a = 1", 0.27, 1), ("b = 2", 0.73, 1)], cpu=1.09)
    first, second = compare.moved(slower, before)
    assert first.line["source"] == "a = 1" and first.is_shown and not second.is_shown
    assert first.change == pytest.approx(0.0943)
    assert first.error == pytest.approx((0.0109**2 + 0.01**2) ** 0.5)


def test_c_functions_stand_below_the_line_that_spends_its_time_in_them():
    natives = [
        {"name": "sorted", "calls": 7, "seconds": 0.3},
        {"name": "list.append", "calls": 7, "seconds": 0.01},
    ]
    line = {**profile_of([("found.append(sorted(some))", 0.5, 7)])["lines"][0], "natives": natives}
    profile = {"lines": [line], "turn": {"cpu": 1.0}, "cost": {"same_turn": True}}
    first, second = text.lines(profile, top=5)
    assert (
        first[-1] == "found.append(sorted(some))" and second[-1].strip() == "in sorted" and second[1] == "7"
    )
    ((*_, source),) = page._folded([first, second])
    assert source.splitlines() == ["found.append(sorted(some))", "    in sorted: 7 calls"]


TEAM = """
import time

class Player:
    def __init__(self, colour, nodes=None):
        self.ponds = [1, 2, 3]

    def action(self):
        found = []
        for number in range(5_000):
            found.append(sorted(self.ponds))
        self.kept = [bytes(1000) for _ in range(3000)]
        until = time.process_time() + 0.05
        while time.process_time() < until:
            pass
        return 3

    def update(self, colour, action):
        pass
"""
GAME = "record: 1\ngame: 'kalaha'\n" + "".join(
    f"turn {number}: {turn}\tcpu 0.1 0.1\tmegabytes 1.0 1.0\n"
    for number, turn in enumerate(("A 3", "B 3", "A 2"), 1)
)


@pytest.fixture
def team(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "team.py").write_text(TEAM)
    (tmp_path / "game.txt").write_text(GAME)
    return tmp_path


def test_c_functions_memory_and_all_formats_come_with_the_profile_of_a_turn(team, capsys):
    more = "--samples 20 --memory --html page.html --export turn.speedscope.json --json"
    assert main(["profile", "kalaha", "team", *more.split()]) == 0
    profile = json.loads(capsys.readouterr().out)
    assert json.loads((team / "turn.speedscope.json").read_text())["profiles"][0]["endValue"] > 0
    (line,) = (line for line in profile["lines"] if line["source"] == "found.append(sorted(self.ponds))")
    called = {native["name"]: native["calls"] for native in line["natives"]}
    assert called == {"sorted": 5_000, "list.append": 5_000}
    most = profile["memory"]["lines"][0]
    assert most["source"].startswith("self.kept =") and most["megabytes"] > 2.5
    assert profile["memory"]["peak"] >= most["megabytes"]
    written = (team / "page.html").read_text()
    assert (
        "found.append(sorted(self.ponds))" in written and 'class="flame"' in written and "heat10" in written
    )


BUSY = """
import subprocess, sys
import numpy

NUMBERS = numpy.ones((8, 8))


class Player:
    def __init__(self, colour):
        self.asked = 0

    def action(self):
        self.asked += 1
        for _ in range(self.asked):
            numpy.dot(NUMBERS, NUMBERS)
        NUMBERS @ numpy.sqrt(NUMBERS)
        list(map(str, super().__repr__()))
        from . import late
        late.counts(3)
        given_back = bytearray(5_000_000)
        del given_back
        subprocess.run([sys.executable, "-c", "for _ in range(10 ** 6): pass"])
        return 1

    def update(self, colour, action):
        pass
"""
LATE = """
def counts(number):
    for _ in range(number):
        number + 1
"""


@pytest.fixture
def busy(team):
    (team / "busy").mkdir()
    (team / "busy" / "__init__.py").write_text(BUSY)
    (team / "busy" / "late.py").write_text(LATE)
    return team


def test_what_a_turn_calls_imports_gives_back_and_starts_is_all_told(busy, capsys):
    turn = "--record game.txt --turn 3 --samples 1".split()
    assert main(["profile", "kalaha", "busy", *turn, "--earlier", "--memory", "--stream", "--json"]) == 0
    *steps, profile = map(json.loads, capsys.readouterr().out.splitlines())
    assert [(step["number"], step["of"]) for step in steps] == [(number, 6) for number in range(1, 7)]
    lines = {line["source"]: line for line in profile["lines"]}
    called = {
        source: {native["name"]: native["calls"] for native in line["natives"]}
        for source, line in lines.items()
    }
    assert called["numpy.dot(NUMBERS, NUMBERS)"] == {"numpy.dot": 2}, "it was asked once before"
    assert called["NUMBERS @ numpy.sqrt(NUMBERS)"] == {"numpy.sqrt": 1, "operator.matmul": 1}
    assert called["list(map(str, super().__repr__()))"].keys() >= {"list", "map"}
    assert lines["number + 1"]["hits"] == 3 and lines["late.counts(3)"]["hits"] == 1
    (memory,) = (row for row in profile["memory"]["lines"] if row["source"].startswith("given_back ="))
    assert memory["megabytes"] < 0.1 and 4.7 < memory["most_megabytes"] < 5
    turn = profile["turn"]
    assert (turn["earlier"], turn["earlier_asked"]) == (1, True) and turn["others_cpu"] > 0
    said = dict(text.account(profile))
    assert "it was asked for its earlier action, too" in said["before it"]
    assert "processes that it started took" in said["others"]
    turn["earlier_asked"] = False
    assert "it was told its earlier action and not asked for it" in dict(text.account(profile))["before it"]


def test_all_turns_of_a_game_are_measured_in_one_go(team, capsys, monkeypatch):
    games, watched = [], series._watched
    monkeypatch.setattr(series, "_watched", lambda *asked: games.append(asked) or watched(*asked))
    game = ["profile", "kalaha", "team", "--record", "game.txt", "--series"]
    assert main([*game, "--repeat", "2", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [row["turn"] for row in found["turns"]] == [1, 3] and found["colour"] == "A"
    assert sum(row["share"] for row in found["turns"]) == pytest.approx(1)
    assert found["turns"][0]["action"] == "3"
    assert len(games) == 2, "--repeat takes the game again"
    assert main([*game, "--colour", "B"]) == 0
    said = capsys.readouterr().out
    assert "team (B), kalaha: 1 turns" in said and "Slowest turns" in said
    assert any(
        line.strip() in said for line in TEAM.splitlines()[9:14]
    )  # which of them: a busy machine's lot


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--series"], "give it --record FILE"),
        (["--series", "--record", "game.txt", "--turn", "1"], "no --turn"),
        (["--series", "--record", "game.txt", "--html", "page.html"], "name one --turn"),
        (["--series", "--record", "game.txt", "--colour", "white"], "A and B do"),
        (["--export", "turn.txt"], "one of these endings"),
        (["--repeat", "0"], "above 0"),
        (["--earlier"], "the actions before a --turn"),
    ],
)
def test_what_does_not_go_together_is_said(team, capsys, words, said):
    assert main(["profile", "kalaha", "team", *words]) == 2
    assert said in capsys.readouterr().err


def test_the_shares_of_known_costs_are_the_truth(tmp_path):
    found = profile_truth.shares(tmp_path, samples=50, each=0.004)
    assert set(found) == set(profile_truth.PARTS)
    assert profile_truth.off(found, times=2) == []
