"""Tournaments: the journal, the formats, resuming, jobs, sequential tests, and what is said at the end."""

import contextlib
import json
import os
import pickle
import pty
import re
import signal
import subprocess
import sys
import textwrap
import time
from collections import Counter
from concurrent.futures import Executor, Future
from dataclasses import replace
from html.parser import HTMLParser
from itertools import product
from pathlib import Path

import pytest

from referee import RefereeTrouble, UsageError, commands, rules
from referee.__main__ import main
from referee.commands.options import attached
from referee.commands.tournament import hypotheses
from referee.isolation import levels
from referee.isolation.allowance import Allowance
from referee.isolation.machine import cores
from referee.match.openings import Openings, ply, won_at_once
from referee.match.statistics import Sprt
from referee.match.texts import Texts
from referee.players import files
from referee.players.names import resolve
from referee.tournament import jobs
from referee.tournament.jobs import Local, run
from referee.tournament.journal import Journal, light
from referee.tournament.match_process import play
from referee.tournament.plan import Entrant, Pair, Plan, Slot, entrant_of, from_plain
from referee.tournament.played import pair_from
from referee.tournament.results import Meeting, Results
from referee.tournament.schedule import FORMATS, Gauntlet, Knockout, RoundRobin, Swiss
from referee.view import tables
from referee.view.report_games import folder
from tests import ROOT
from tests.long.kill_and_resume import OF_ONE_RUN, check, pairs_in, started_in, strip
from tests.support.samples import few

GAME = "kalaha:4x3"
SUMMARY = """
    summary games pairs standings pairings faults seconds busy resumed
    """.split()
STANDING = ["player", "games", "points", "wins", "draws", "losses", "faults"]


@pytest.fixture
def tournament(capsys):
    """Runs `tournament --json` with these words: exit code, pairs, summary, stderr.

    One pair after the other, where nothing else is said: each process for matches has players to start.
    """

    def run_it(*words):
        one = [] if "--jobs" in words else ["--jobs", "1"]
        code = main(["tournament", *map(str, words), *one, "--json"])
        printed = capsys.readouterr()
        *pairs, summary = map(json.loads, printed.out.splitlines())
        assert list(summary)[:6] == SUMMARY[:6] and set(SUMMARY) <= set(summary)
        assert all(list(one) == STANDING for one in summary["standings"])
        return code, pairs, summary, printed.err

    return run_it


@pytest.fixture
def player(tmp_path):
    """Writes a player's file; returns its path."""

    def write(name, action="0", first="pass"):
        path = tmp_path / f"{name}.py"
        path.write_text(
            textwrap.dedent(f"""
            class Player:
                def __init__(self, colour):
                    {first}
                def action(self):
                    return {action}
                def update(self, *news):
                    pass
        """)
        )
        return path

    return write


def lasting(summary):
    return {key: value for key, value in summary.items() if key not in OF_ONE_RUN}


# The journal

HEADER = {
    "game": "kalaha",
    "format": "round-robin",
    "opening": 2,
    "seed": 0,
    "isolation": "process",
    "players": [
        {
            "player": name,
            "module": name,
            "class": None,
            "arguments": [],
            "files": name * 20,
            "limits": {"action": 1.0, "megabytes": 100, "told": []},
        }
        for name in ("one", "two")
    ],
}


def fake_game(first, winner, reason=""):
    return {
        "number": 1,
        "first": first,
        "winner": winner,
        "ending": "finished",
        "at_fault": None,
        "reason": reason,
        "turns": 0,
        "cpu": [0.0, 0.0],
        "wall": [0.0, 0.0],
        "megabytes": [0.0, 0.0],
        "course_megabytes": [0.0, 0.0],
        "faults": [None, None],
        "moves": [],
        "action_cpu": [[], []],
        "action_megabytes": [[], []],
    }


def fake_pair(slot, winner, reason="", name="x"):
    return pair_from(
        {
            "pair": name,
            "players": list(slot[:2]),
            "number": slot[2],
            "opening": [],
            "seconds": 0.0,
            "cost": 0.0,
            "games": [fake_game(0, winner, reason), fake_game(1, winner, reason)],
        }
    )


PAIRS = [fake_pair((0, 1, number), None, "é", name) for number, name in enumerate(("a1", "b2", "c3"), 1)]


def journalled(path, header=HEADER):
    taken = []
    with Journal(path, header, taken.append) as journal:
        assert len(journal.ids) == len(taken) and all(pair.id in journal.ids for pair in taken)
        assert list(journal.pairs()) == taken
    return taken


def written(path, pairs=PAIRS):
    with Journal(path, HEADER, lambda pair: None) as journal:
        for pair in pairs:
            journal.append(pair)
    return path.read_bytes()


def test_a_journal_hands_out_what_was_written(tmp_path):
    path = tmp_path / "below" / "journal"
    assert written(path).count(b"\n") == 4
    assert journalled(path) == PAIRS


def test_a_journal_cut_off_anywhere_has_the_pairs_before_the_cut_and_takes_more(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "fsync", lambda file: None)  # a thousand times would take a while
    path = tmp_path / "journal"
    whole = written(path)
    ends = [place + 1 for place, byte in enumerate(whole) if byte == ord("\n")]
    # Everywhere in the last line and around the ends of lines; elsewhere now and then.
    for length in [
        n for n in range(len(whole)) if n % 10 == 0 or n > ends[-2] or {n - 1, n, n + 1} & {*ends}
    ]:
        path.write_bytes(whole[:length])
        there = max(0, sum(end <= length for end in ends) - 1)
        assert journalled(path) == PAIRS[:there], length
        assert written(path) == whole, length


def test_a_pair_that_is_there_twice_counts_once(tmp_path):
    path = tmp_path / "journal"
    whole = written(path, [*PAIRS, PAIRS[1]])
    assert whole.count(b"\n") == 4
    path.write_bytes(whole + whole.splitlines(keepends=True)[2])
    assert journalled(path) == PAIRS


def test_two_runs_do_not_write_the_same_journal(tmp_path):
    path = tmp_path / "journal"
    with Journal(path, HEADER, print), pytest.raises(UsageError, match="being written by another run"):
        Journal(path, HEADER, print)
    assert journalled(path) == []


@pytest.mark.parametrize(
    "text",
    [
        "no journal",
        "no journal\n",
        '{"a": 1}\n',
        "[]\n",
        "1\n",
        '{"journal": 2}\n',
        '{"journal": 1}\n',
        '{"journal": 1, "players": [1, 2]}\n',
        "[" * 5000 + "\n",
        "\0\n",
        "é\n",
    ],
)
def test_a_file_that_is_no_journal_is_refused_and_left_as_it_is(text, tmp_path):
    path = tmp_path / "notes"
    path.write_text(text)
    with pytest.raises(UsageError, match="line 1: this is no journal|of another tournament"):
        Journal(path, HEADER, print)
    assert path.read_text() == text


@pytest.mark.parametrize("line", ["x", "[]", "{}", "null", '{"pair": []}', "[" * 5000])
def test_a_damaged_line_is_named(line, tmp_path):
    path = tmp_path / "journal"
    whole = written(path).decode().splitlines(keepends=True)
    path.write_text("".join([*whole[:2], line + "\n", *whole[2:]]))
    with pytest.raises(UsageError, match="line 3: this is not a pair"):
        Journal(path, HEADER, print)


def changed(**changes):
    header = json.loads(json.dumps(HEADER))
    for key, value in changes.items():
        place = header
        *keys, last = key.split("__")
        for one in keys:
            place = place[int(one) if one.isdecimal() else one]
        place[last] = value
    return header


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"game": "pentago"}, "its game is kalaha, not pentago"),
        ({"seed": 7}, "its seed is 0, not 7"),
        ({"opening": 4}, "its opening is 2, not 4"),
        ({"format": "gauntlet"}, "its format is round-robin, not gauntlet"),
        ({"isolation": "full"}, "its isolation is process, not full"),
        ({"players": HEADER["players"] * 2}, "it has 2 players, not 4"),
        ({"players__1__module": "x", "players__1__player": "three"}, "its player is two, not three"),
        ({"players__0__arguments": [["depth", "4"]]}, "its player is one, not one"),
        ({"players__0__files": "abcdefghij"}, "files of one have changed (hash oneoneon then, abcdefgh now)"),
        (
            {"players__1__limits": {"action": 2.0, "megabytes": 100, "told": []}},
            "the limit 'action' of two is 1.0, not 2.0",
        ),
    ],
)
def test_a_journal_of_another_tournament_is_refused_with_what_differs(changes, said, tmp_path):
    written(tmp_path / "journal")
    with pytest.raises(UsageError, match=re.escape(said)) as refusal:
        Journal(tmp_path / "journal", changed(**changes), print)
    assert str(refusal.value).count(". ") == 0


def test_how_a_player_is_called_does_not_matter(tmp_path):
    written(tmp_path / "journal")
    assert journalled(tmp_path / "journal", changed(players__0__player="./one")) == PAIRS


# Openings


def test_openings_are_different_positions_and_nobody_wins_at_once():
    for game in rules.games():
        openings = Openings(game, 2, 5)
        had = set()
        for number in range(1, 16):
            state = rules.start(game)
            for chosen in openings.of(number):
                state = state.after(chosen)
            assert state.to_act() and not won_at_once(state), (game, number)
            had.add(state.text())
        assert len(had) == 15, game


def test_openings_do_not_depend_on_how_many_there_are_or_who_asks_first():
    forwards, backwards = Openings(GAME, 2, 1), Openings(GAME, 2, 1)
    assert [forwards.of(n) for n in range(1, 31)] == [backwards.of(n) for n in range(30, 0, -1)][::-1]
    assert forwards.of(3) != Openings(GAME, 2, 2).of(3) or forwards.of(4) != Openings(GAME, 2, 2).of(4)


def test_play_and_tournament_draw_the_same_openings_for_the_same_seed(tournament, capsys):
    words = (GAME, "random", "greedy", "--seed", "3")
    pairs = sorted(tournament(*words, "--pairs", 3)[1], key=lambda pair: pair["number"])
    assert main(["play", *words, "--games", "6", "--json"]) == 0
    *games, summary = map(json.loads, capsys.readouterr().out.splitlines())
    drawn = [game["opening"] for game in games]
    assert drawn[::2] == drawn[1::2] == [pair["opening"] for pair in pairs]
    assert summary["openings"] == 3


@pytest.mark.parametrize("plies", [0, 1, 3])
def test_the_games_of_play_have_the_openings_of_a_tournament_in_every_game(plies):
    for game in rules.games():
        plan = Plan(game, 4, (Entrant(resolve("random"), Allowance()),) * 2, Openings(game, plies, 4))
        openings = Openings(game, plies, 4)
        to_play = [planned for n in range(1, 6) for planned in plan.pair(Slot(0, 1, n)).games()]
        assert [one.opening for one in to_play] == [openings.of((n + 1) // 2) for n in range(1, 11)], game
        assert [(one.number, one.first) for one in to_play] == [(n, (n - 1) % 2) for n in range(1, 11)]


def test_openings_grow_where_those_of_their_length_are_used_up():
    openings = Openings(GAME, 1, 0)
    drawn = [openings.of(number) for number in range(1, 41)]
    assert [len(one) for one in drawn] == sorted(map(len, drawn)) and {1, 2} <= set(map(len, drawn))
    assert len(set(map(repr, drawn))) == 40


@pytest.mark.parametrize("game, plies", [(GAME, 2), ("kalaha:2x1", 2), ("ropasci", 1), (GAME, 0), (GAME, 1)])
def test_openings_known_from_a_journal_are_not_drawn_and_the_others_are_what_they_would_have_been(
    game, plies
):
    whole = Openings(game, plies, 4)
    drawn = [whole.of(number) for number in range(1, 25)]
    for missing in ({}, {24}, {1, 2}, {5, 11, 12, 20}, {3, 4, 23}, set(range(2, 24))):
        resumed = Openings(game, plies, 4)
        for number in sorted({*range(1, 25)} - {*missing}, reverse=True):
            resumed.remember(number, [ply(chosen) for chosen in drawn[number - 1]])
        assert [resumed.of(number) for number in range(1, 25)] == drawn, missing
        assert resumed.of(30) == Openings(game, plies, 4).of(30)
    with pytest.raises(ValueError, match="illegal"):
        Openings(GAME, 2, 4).remember(1, ["9"])


def test_what_is_kept_of_a_pair_takes_some_bytes_and_no_lists():
    """A million pairs fit into memory."""
    results, openings, ids = Results(["a", "b"]), Openings("kalaha", 2, 0), Texts()
    sizes = []
    for number in range(1, 3001):
        pair = replace(PAIRS[0], id=f"{number:024}", number=number)
        results.add(pair)
        ids.add(pair.id)
        openings.remember(number, ["3", "6"])
        if number % 1500 == 0:
            sizes.append(len(pickle.dumps([vars(one) for one in (results, openings, ids)])))
    assert results.pairs == len(ids) == 3000
    assert 0 < (sizes[1] - sizes[0]) / 1500 < 100


def test_without_plies_or_where_nothing_is_left_openings_are_had_again():
    assert {Openings(GAME, 0, 0).of(number) for number in (1, 2, 3)} == {()}
    openings = Openings("kalaha:2x1", 2, 0)
    drawn = [repr(openings.of(number)) for number in range(1, 31)]
    assert max(Counter(drawn).values()) - min(Counter(drawn).values()) <= 1 < len(set(drawn))


@pytest.mark.parametrize(
    ("game", "text", "won"),
    [
        ("kalaha", "A 0 0 0 0 0 1 36 1 0 0 0 0 0 34", True),
        ("kalaha", "A 6 6 6 6 6 6 0 6 6 6 6 6 6 0", False),
        # The last pebble in the own bank moves again, and that move wins: it is the same turn.
        ("kalaha", "A 0 0 0 0 1 1 36 1 0 0 0 0 0 33", True),
        ("pentago", "wwww.." + "." * 30 + " w", True),
        ("pentago", "ww.w.." + "." * 30 + " w", False),
    ],
)
def test_a_win_at_once_is_one_within_the_movers_turn(game, text, won):
    assert won_at_once(rules.parse(game, text)) is won


def test_where_both_choose_at_once_a_win_at_once_wins_whatever_the_other_does():
    class Coins(rules.State):
        """Player 0's 1 always wins, his 0 only against 0; or no action always wins."""

        def __init__(self, certain, over=None):
            self.certain, self.over = certain, over

        start = parse = text = None

        def to_act(self):
            return () if self.over else (0, 1)

        def actions(self, player):
            return [0, 1]

        def after(self, chosen):
            won = chosen[0] == 1 and self.certain or chosen == {0: 0, 1: 0}
            return Coins(self.certain, ((1, 0) if won else (0.5, 0.5), ""))

        def outcome(self):
            return self.over

    Coins.__abstractmethods__ = frozenset()
    assert won_at_once(Coins(certain=True))
    assert not won_at_once(Coins(certain=False))


# Formats


def stronger(slot):
    """Players with a greater index win."""
    return 1


def played_out(kind, players, pairs, winner=stronger, known=(), **more):
    """The rounds that were asked for, the schedule, and the entries; `known` were in a journal before."""
    results = Results([f"player {index}" for index in range(players)])
    for pair in known:
        results.add(pair)
    had = {(*pair.players, pair.number) for pair in known}
    schedule = kind(players, pairs, results, **more)
    rounds, entries = [], list(known)
    for slots in schedule.rounds():
        rounds.append(list(slots))
        for slot in rounds[-1]:
            if tuple(slot) not in had:
                entries.append(fake_pair(slot, winner(slot)))
                results.add(entries[-1])
    return rounds, schedule, entries


def test_a_round_robin_is_all_against_all_pair_by_pair():
    (slots,), schedule, _ = played_out(RoundRobin, 4, 3)
    assert len(slots) == len(set(slots)) == 18 == schedule.expected
    assert [slot.number for slot in slots] == [1] * 6 + [2] * 6 + [3] * 6
    assert schedule.order() == [3, 2, 1, 0]


def test_a_gauntlet_is_the_first_against_all_others():
    (slots,), schedule, _ = played_out(Gauntlet, 4, 2)
    assert {slot[:2] for slot in slots} == {(0, 1), (0, 2), (0, 3)} and len(slots) == 6 == schedule.expected
    assert schedule.order() == [1, 2, 3, 0]


def meetings(slots):
    return sorted({slot[:2] for slot in slots})


def test_a_knockout_keeps_the_best_seeds_apart_and_gives_them_the_byes():
    rounds, schedule, _ = played_out(Knockout, 6, 2, lambda slot: 0)
    assert [meetings(slots) for slots in rounds] == [[(2, 5), (3, 4)], [(0, 3), (1, 2)], [(0, 1)]]
    assert schedule.order()[:2] == [0, 1]
    rounds, schedule, _ = played_out(Knockout, 6, 2)
    assert [meetings(slots) for slots in rounds] == [[(2, 5), (3, 4)], [(0, 4), (1, 5)], [(4, 5)]]
    assert schedule.order()[:2] == [5, 4]


def test_two_who_are_level_in_a_knockout_play_on_and_then_the_better_seed_goes_on():
    rounds, schedule, _ = played_out(Knockout, 2, 3, lambda slot: 1 if slot.number == 5 else None)
    assert [[slot.number for slot in slots] for slots in rounds] == [[1, 2, 3], [4], [5]]
    assert schedule.order() == [1, 0]
    rounds, schedule, _ = played_out(Knockout, 2, 2, lambda slot: None)
    assert [[slot.number for slot in slots] for slots in rounds] == [[1, 2], [3], [4]]
    assert schedule.order() == [0, 1]


@pytest.mark.parametrize("players", [2, 3, 5, 8, 9])
def test_in_a_swiss_tournament_nobody_meets_or_rests_twice(players):
    rounds, schedule, _ = played_out(Swiss, players, 2)
    met = [two for slots in rounds for two in meetings(slots)]
    assert len(met) == len(set(met)) == len(rounds) * (players // 2)
    assert sum(schedule.byes) == len(rounds) * (players % 2) and max(schedule.byes) <= 1
    assert len(rounds) == max(1, (players - 1).bit_length())
    assert schedule.order()[0] == players - 1


def test_in_a_swiss_tournament_equals_meet():
    rounds, _, _ = played_out(Swiss, 4, 1)
    assert meetings(rounds[0]) == [(0, 1), (2, 3)]
    assert meetings(rounds[1]) == [(0, 2), (1, 3)]


def test_more_swiss_rounds_than_opponents_are_played_with_new_pairs():
    rounds, _, entries = played_out(Swiss, 3, 2, rounds=6)
    slots = [slot for one in rounds for slot in one]
    assert len(slots) == len(set(slots)) == 12 == len(entries)


@pytest.mark.parametrize("kind", FORMATS.values())
def test_a_schedule_taken_up_anywhere_asks_for_the_same_pairs(kind):
    def winner(slot):
        return (None, 0, 1)[(slot.first * 7 + slot.second * 3 + slot.number * 5) % 3]

    rounds, _, entries = played_out(kind, 7, 2, winner)
    for known in range(len(entries)):
        again, _, _ = played_out(kind, 7, 2, winner, known=entries[:known])
        assert again == rounds, known


# Pairs as plain data


def entrant(text, **limits):
    return entrant_of(resolve(str(text)), Allowance(**{"action": 1.0, **limits}))


def a_pair(first="random", second="greedy", number=1, game=GAME, seed=0, opening=None, **limits):
    opening = Openings(game, 2, seed).of(number) if opening is None else opening
    return Pair(game, seed, (0, 1), (entrant(first), entrant(second, **limits)), number, opening)


@pytest.mark.parametrize("game", rules.games())
def test_a_pair_survives_being_sent(game):
    limits = {"first": float("inf"), "game": 3.5, "wall": True, "told": (("nodes", 5),)}
    pair = a_pair(number=2, game=game)
    pair = replace(pair, entrants=(pair.entrants[0], entrant("greedy,seed='x'", **limits)))
    again = from_plain(json.loads(json.dumps(pair.plain())))
    assert again == pair and again.id == pair.id


def test_the_id_is_made_from_all_that_a_pair_is(player):
    path = player("one")
    pair = a_pair(path)
    elsewhere = replace(pair.entrants[0], spec=replace(pair.entrants[0].spec, name="x", folder="/elsewhere"))
    assert replace(pair, entrants=(elsewhere, pair.entrants[1])).id == pair.id
    others = [
        a_pair(path, number=2, opening=pair.opening),
        a_pair(path, opening=()),
        a_pair(path, seed=1, opening=pair.opening),
        a_pair(path, action=2.0),
        a_pair(path, "random"),
        a_pair(path, "greedy,seed=1"),
        replace(pair, indices=(0, 2)),
    ]
    path.write_text(path.read_text() + "# changed\n")
    others.append(a_pair(path))
    assert len({pair.id, *(other.id for other in others)}) == 9


def test_a_hash_of_files_is_of_names_and_contents_and_not_of_what_python_left(tmp_path):
    package = tmp_path / "team"
    (package / "data").mkdir(parents=True)
    (package / "__init__.py").write_text("x = 1\n")
    spec = resolve(str(package))
    seen = [files.digest(files.bundle(spec))]
    (package / "__pycache__").mkdir()
    (package / "__pycache__" / "x.pyc").write_bytes(b"1")
    assert files.digest(files.bundle(spec)) == seen[0]
    (package / "data" / "a.npy").write_bytes(b"1")
    seen.append(files.digest(files.bundle(spec)))
    (package / "data" / "a.npy").rename(package / "data" / "b.npy")
    seen.append(files.digest(files.bundle(spec)))
    (package / "__init__.py").write_text("x = 2\n")
    seen.append(files.digest(files.bundle(spec)))
    assert len(set(seen)) == 4


def test_files_unpacked_elsewhere_are_the_same_player(tmp_path, player):
    package = tmp_path / "here" / "team"
    (package / "sub").mkdir(parents=True)
    for name in ("__init__.py", "sub/__init__.py", "sub/more.py"):
        (package / name).write_text(f"# {name}\n")
    zipped = tmp_path / "team.zip"
    subprocess.run([sys.executable, "-m", "zipfile", "-c", zipped, package], check=True)
    texts = [str(package), f"{package}/sub/more.py", str(player("solo")), str(zipped), "random"]
    for place, text in enumerate(texts):
        spec = resolve(text)
        bundle = files.bundle(spec)
        there = files.unpack(bundle, spec, tmp_path / "there" / str(place))
        assert files.bundle(there) == bundle, text
        assert text == "random" or there.folder != spec.folder
        assert files.unpack(bundle, spec, tmp_path / "there" / str(place)) == there


# Match processes


def work(pair, **how):
    usual = {
        "isolation": levels.with_warning()[0],
        "must_import": False,
        "keep_records": False,
        "run": "a test",
    }
    return {**pair.plain(), **usual, **how}


def test_files_that_changed_meanwhile_are_noticed(player):
    path = player("one")
    pair = a_pair(path)
    path.write_text(path.read_text() + "# changed\n")
    with pytest.raises(RefereeTrouble, match="files of .*one.py have changed"):
        next(play(pair, must_import=False, keep_records=False))


def test_a_match_process_says_what_it_cannot_do(player):
    with pytest.raises(RefereeTrouble, match="isolated at the level 'better'"):
        run(work(a_pair(), isolation="better"))
    broken = player("broken")
    broken.write_text("import nothing_of_that_name\n")
    with pytest.raises(RefereeTrouble, match="nothing_of_that_name"):
        run(work(a_pair(broken), must_import=True))


def wait_for(condition, seconds=300):
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until, "it did not happen in time"
        time.sleep(0.02)


def test_a_match_process_and_its_players_end_when_its_input_closes(player, tmp_path):
    sleeper = player("sleeper", action="__import__('time').sleep(60)")
    process = subprocess.Popen(
        [sys.executable, "-m", "referee.tournament.match_process"],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        env={**os.environ, "TMPDIR": str(tmp_path)},
    )
    process.stdin.write(json.dumps(work(a_pair(sleeper, sleeper))).encode() + b"\n")
    process.stdin.flush()
    wait_for(lambda: len(started_in(tmp_path)) >= 5)  # itself, launchers if any, two keepers, two players
    time.sleep(0.2)
    process.stdin.close()
    assert process.wait(300) == 1
    wait_for(lambda: not started_in(tmp_path))


KILLER = """
    import os

    def kill_the_referee():
        with open(f"/proc/{os.getppid()}/stat") as keeper:
            os.kill(int(keeper.read().rpartition(")")[2].split()[1]), 9)

    class Player:
        def __init__(self, colour, only_once=None):
            if only_once is None:
                kill_the_referee()
            elif not os.path.exists(only_once):
                open(only_once, "x").close()
                kill_the_referee()

        def action(self):
            return 0

        def update(self, *news):
            pass
"""


def test_a_match_process_that_is_killed_is_nobodys_forfeit(tmp_path):
    """Its player kills the referee once: the pair is played again.  Always: there is no result."""
    path, mark = tmp_path / "killer.py", tmp_path / "killed"
    path.write_text(textwrap.dedent(KILLER))
    played = run(work(a_pair("random", f"{path}:Player,only_once={mark}"), isolation="process"))
    assert mark.exists() and len(played["games"]) == 2
    assert [game["ending"] for game in played["games"]] == ["illegal action"] * 2
    with pytest.raises(RefereeTrouble, match="could not be played: its match process ended with -9"):
        run(work(a_pair("random", path), isolation="process"))


def test_a_match_process_plays_many_pairs_and_is_renewed_now_and_then(monkeypatch):
    started = []
    started_as_usual = jobs.MatchProcess

    def starts(run):
        started.append(started_as_usual(run))
        return started[-1]

    monkeypatch.setattr(jobs, "MatchProcess", starts)
    monkeypatch.setattr(jobs, "RENEWED", 2)
    for number in (1, 2, 3):
        assert len(run(work(a_pair(number=number), run="renewed"))["games"]) == 2
    assert [process.pairs for process in started] == [2, 1]
    assert [process.is_there for process in started] == [False, True]
    jobs.end("renewed")
    jobs.end_spare()
    assert not started[1].is_there
    with pytest.raises(RefereeTrouble, match="was not started any more"):
        run(work(a_pair(), run="renewed"))


def spare():
    return [process for process in jobs._processes if not process.run]


def test_a_few_match_processes_wait_for_the_next_run_that_has_the_same_surroundings(monkeypatch):
    jobs.end_spare()
    monkeypatch.setattr(jobs, "SPARE", 1)
    two = [jobs._taken("first") for _ in range(2)]
    for process in two:
        jobs._give_back(process, is_well=True)
    jobs.end("first")
    (kept,) = spare()
    assert [process.is_there for process in two] == [process is kept for process in two]
    assert len(run(work(a_pair(), run="second"))["games"]) == 2
    assert (kept.run, kept.pairs, kept.is_there) == ("second", 1, True)
    jobs.end("second")
    assert spare() == [kept]
    monkeypatch.setenv("TZ", "UTC+5")
    other = jobs._taken("third")
    assert other is not kept
    jobs._give_back(other, is_well=True)
    jobs.end("third")
    assert spare() == [other] and [kept.is_there, other.is_there] == [False, True]
    jobs.end_spare()
    assert spare() == [] and not other.is_there


def test_one_that_is_killed_while_it_waits_costs_the_next_run_nothing():
    jobs.end_spare()
    process = jobs._taken("killed")
    jobs._give_back(process, is_well=True)
    jobs.end("killed")
    process._process.kill()
    process._process.wait()
    assert len(run(work(a_pair(), run="next"))["games"]) == 2
    assert process not in jobs._processes
    jobs.end("next")
    jobs.end_spare()


def test_a_match_process_that_ended_while_it_was_idle_costs_nobody_anything():
    run(work(a_pair(), run="idle"))
    (process,) = [one for one in jobs._processes if one.run == "idle"]
    process.end()
    process._process.wait()
    assert len(run(work(a_pair(number=2), run="idle"))["games"]) == 2
    jobs.end("idle")


class Inline(Executor):
    """Runs everything at once, in the thread that asks."""

    def __init__(self):
        self.submitted = 0

    def submit(self, function, /, *arguments, **named):
        self.submitted += 1
        future = Future()
        future.set_result(function(*arguments, **named))
        return future


def test_pairs_go_through_any_executor():
    executor = Inline()
    runner = Local(1, executor)
    played = runner.submit(work(a_pair())).result()
    runner.close()
    assert executor.submitted == 1 and [game["first"] for game in played["games"]] == [0, 1]
    assert played["cost"] > 0 and played["seconds"] > 0


# Tournaments


def test_results_do_not_change_with_the_number_of_jobs(tournament, tmp_path):
    words = (GAME, "random", "greedy", "--pairs", 4, "--seed", 2, "--journal")
    code, pairs, one = tournament(*words, tmp_path / "one", "--jobs", 1)[:3]
    three = tournament(*words, tmp_path / "three", "--jobs", 3)[2]
    assert code == 0 and lasting(one) == lasting(three)
    assert pairs_in(tmp_path / "one") == pairs_in(tmp_path / "three")
    assert [pair["number"] for pair in pairs] == [1, 2, 3, 4]
    assert all(pair["players"] == ["random", "greedy"] for pair in pairs)
    games = [game for pair in pairs for game in pair["games"]]
    points = [{0: 1, 1: 0, None: 0.5}[game["winner"]] for game in games]
    standings = {standing["player"]: standing for standing in one["standings"]}
    assert standings["random"]["points"] == sum(points) == 8 - standings["greedy"]["points"]
    assert standings["random"]["wins"] == points.count(1) == standings["greedy"]["losses"]
    assert (one["games"], one["pairs"], one["resumed"]) == (8, 4, 0)
    (pairing,) = one["pairings"]
    assert sum(pairing["pentanomial"]) == 4 and sum(pairing["trinomial"]) == 8
    assert pairing["different_openings"] == 4 and pairing["different_games"] == 8
    assert 0 <= one["busy"] <= 1 and one["seconds"] > 0


def test_taken_up_again_it_plays_what_is_missing_and_no_more(tournament, tmp_path):
    journal = tmp_path / "journal"
    words = (GAME, "random", "greedy", "random", "--format", "gauntlet", "--journal", journal, "--pairs")
    first = tournament(*words, 1)[2]
    code, pairs, more, _ = tournament(*words, 2)
    assert (code, first["pairs"], more["pairs"], more["resumed"], len(pairs)) == (0, 2, 4, 2, 2)
    again = tournament(*words, 2)
    assert again[1] == [] and again[2]["resumed"] == 4 and lasting(again[2]) == lasting(more)
    # Fewer pairs than the journal has: all of them count, since every total is the journal's.
    assert lasting(tournament(*words, 1)[2]) == lasting(more)
    # A last line that was torn off is played again, with the same result.
    whole = pairs_in(journal)
    journal.write_bytes(journal.read_bytes()[:-20])
    assert tournament(*words, 2)[2]["resumed"] == 3
    assert pairs_in(journal) == whole


def test_a_changed_line_of_a_journal_is_noticed(tournament, tmp_path, capsys):
    journal = tmp_path / "journal"
    words = (GAME, "random", "random", "--pairs", 1, "--journal", journal)
    tournament(*words)
    text = journal.read_text()
    header, line = text.splitlines()
    entry = json.loads(line)
    for change in (
        {"number": 2},
        {"number": 10**9},
        {"number": "1"},
        {"players": [1, 0]},
        {"players": [0, 5]},
        {"games": entry["games"][:1]},
        {"games": entry["games"][::-1]},
        {"opening": 5},
        {"pair": "0" * 24},
        {"games": [{**entry["games"][0], "winner": True}, entry["games"][1]]},
        {"games": [{**entry["games"][0], "faults": ["late", None]}, entry["games"][1]]},
        {"games": [{**entry["games"][0], "cpu": [float("nan"), 1]}, entry["games"][1]]},
    ):
        journal.write_text(f"{header}\n{json.dumps({**entry, **change})}\n")
        assert main(["tournament", *map(str, words)]) == 2, change
        assert "line 2: this is not a pair" in capsys.readouterr().err


def test_a_knockout_taken_up_anywhere_ends_alike(tournament, tmp_path):
    journal = tmp_path / "journal"
    words = ("kalaha:2x2", "random", "greedy", "random,seed=1", "--format", "knockout", "--pairs", 1)
    whole = tournament(*words, "--journal", journal)[2]
    pairs = pairs_in(journal)
    journal.write_text("".join(journal.read_text().splitlines(keepends=True)[:2]))
    assert lasting(tournament(*words, "--journal", journal)[2]) == lasting(whole)
    assert pairs_in(journal) == pairs


def test_killed_at_random_moments_nothing_is_lost_doubled_or_left_behind():
    kills = few(1, 5)
    assert check(kills, seed=int(os.environ.get("KILL_SEED", "1")), pairs=few(3, 4))[0] == kills


def test_interrupted_it_leaves_a_journal_and_no_process(tmp_path):
    journal = tmp_path / "journal"
    process = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "referee",
            "tournament",
            GAME,
            "random",
            "random",
            "--pairs",
            "500",
            "--jobs",
            "2",
            "--journal",
            journal,
        ],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "TMPDIR": str(tmp_path)},
        start_new_session=True,
    )
    wait_for(lambda: journal.exists() and len(journal.read_text().splitlines()) > 1)
    process.send_signal(signal.SIGINT)
    out, errors = process.communicate(timeout=300)
    assert process.returncode == 130 and "random (2)" in out and "points" in out
    assert errors.startswith("referee: interrupted; ") and errors.count("\n") == 1
    kept = len(pairs_in(journal))
    assert (
        kept >= 1
        and f"{kept} pair" in errors
        and f"kept in {journal}; to go on: referee tournament" in errors
    )
    wait_for(lambda: not started_in(tmp_path))


def test_faults_are_told_by_player_and_kind(tournament, player):
    bad = player("bad", action="9")
    code, pairs, summary, _ = tournament(GAME, "random", bad, "--pairs", 2, "--opening", 0)
    assert code == 1
    assert summary["faults"] == [{"player": str(bad), "kind": "illegal action", "games": 4}]
    assert [one["faults"] for one in summary["standings"]] == [0, 4]
    assert all(game["at_fault"] == 1 and game["faults"][0] is None for one in pairs for game in one["games"])


def test_constructor_arguments_of_any_kind_reach_the_player(tournament, tmp_path):
    path = tmp_path / "told.py"
    path.write_text(
        "class Player:\n"
        "    def __init__(self, colour, given):\n"
        "        assert given == {'a': [1, (2.5, None)], 'b': {3}}\n"
        "    def action(self):\n"
        "        return 0\n"
        "    def update(self, *news):\n"
        "        pass\n"
    )
    player = f"{path},given={{'a': [1, (2.5, None)], 'b': {{3}}}}"
    summary = tournament(GAME, "random", player, "--pairs", 1)[2]
    assert [(one["player"], one["kind"]) for one in summary["faults"]] == [(player, "illegal action")]


def test_games_that_repeat_are_counted_and_warned_of(tournament):
    legal = ROOT / "tests" / "players" / "legal.py"
    _, _, summary, errors = tournament(GAME, legal, legal, "--pairs", 2, "--opening", 0)
    (pairing,) = summary["pairings"]
    assert (pairing["different_openings"], pairing["different_games"], pairing["games"]) == (1, 1, 4)
    assert "3 of 4 games repeat" in errors


def test_two_players_with_the_same_luck_play_every_game_twice(tournament):
    """`random` is seeded by pair and seat: against itself the second game of a pair is the first again."""
    _, _, summary, errors = tournament(GAME, "random", "random", "--pairs", 3)
    (pairing,) = summary["pairings"]
    assert pairing["pentanomial"] == [0, 0, 3, 0, 0] and pairing["error"] > 0.05
    assert (pairing["different_openings"], pairing["different_games"]) == (3, 3)
    assert "3 of 6 games repeat" in errors


def test_a_swiss_tournament_says_who_had_a_bye(tournament, capsys):
    words = ("kalaha:2x2", "random", "greedy", "random,seed=1", "--format", "swiss", "--pairs", 1)
    summary = tournament(*words)[2]
    assert summary["pairs"] == 2 and len(summary["byes"]) == 2 == len(set(summary["byes"]))
    assert main(["tournament", *map(str, words)]) == 0
    assert f"byes: {', '.join(summary['byes'])}\n" in capsys.readouterr().out


def test_a_sequential_test_stops_after_the_same_pair_with_any_number_of_jobs(tournament, player, tmp_path):
    bad = player("bad", action="9")
    words = (GAME, "random", bad, "--sprt", "0,100,.3,.3", "--pairs", 100, "--journal")
    found = [tournament(*words, tmp_path / f"{jobs}", "--jobs", jobs)[2] for jobs in (1, 3)]
    assert lasting(found[0]) == lasting(found[1])
    assert found[0]["sprt"]["decision"] == "H1" and found[0]["sprt"]["pairs"] == found[0]["pairs"] < 20
    assert found[0]["sprt"]["llr"] >= found[0]["sprt"]["upper"]
    assert pairs_in(tmp_path / "1") == pairs_in(tmp_path / "3")
    code, pairs, again, _ = tournament(*words, tmp_path / "1")
    assert (code, pairs) == (1, []) and lasting(again) == lasting(found[0])


def test_a_sequential_test_counts_every_pair_of_the_journal_whoever_asks_when(tournament, tmp_path, capsys):
    journal = tmp_path / "journal"
    words = (GAME, "random", "greedy", "--journal", journal, "--sprt=-150,0")
    whole = tournament(*words)[2]["sprt"]
    assert whole["decision"] and whole["pairs"] > 3
    n, lines = whole["pairs"], journal.read_text().splitlines(keepends=True)

    # The journal has all: with as many pairs asked for, with fewer, with more, nothing is played.
    for pairs in (n, 1, n + 1):
        code, played, summary, _ = tournament(*words, "--pairs", pairs)
        assert (played, summary["sprt"], summary["pairs"]) == ([], whole, n), pairs
    report = tmp_path / "report.html"
    assert main(["tournament", *map(str, words), "--pairs", "1", "--report", str(report)]) == 0
    assert f"accepted after {n} pairs" in capsys.readouterr().out
    assert f"accepted</b> after {n} pairs" in report.read_text()

    # All but the last, which decides: it is played and counts.
    journal.write_text("".join(lines[:-1]))
    summary = tournament(*words, "--pairs", n)[2]
    assert (summary["sprt"], summary["resumed"]) == (whole, n - 1)
    # All but the last, and it is not asked for: those that are there count, undecided.
    journal.write_text("".join(lines[:-1]))
    summary = tournament(*words, "--pairs", n - 1)[2]
    asked, counts = summary["sprt"], summary["pairings"][0]["pentanomial"]
    assert (asked["pairs"], asked["decision"], sum(counts)) == (n - 1, None, n - 1)
    assert asked["llr"] == Sprt(-150, 0).llr(counts)
    # One in the middle is missing, as where pairs were played at once and killed, and not asked for.
    journal.write_text("".join([*lines[:2], *lines[3:-1]]))
    asked = tournament(*words, "--pairs", 1)[2]["sprt"]
    assert (asked["pairs"], asked["decision"]) == (n - 2, None)


@pytest.mark.parametrize("how", [("swiss", "--rounds", 2, "--pairs", 2), ("knockout", "--pairs", 4)])
def test_a_sequential_test_of_any_format_counts_the_pairs_of_a_complete_journal(how, tournament, tmp_path):
    kind, *more = how
    words = (GAME, "random", "greedy", "--sprt=-20,20", "--format", kind, *more, "--journal", tmp_path / "j")
    first = tournament(*words)[2]
    assert first["sprt"]["pairs"] == first["pairs"] >= 4
    code, played, again, _ = tournament(*words)
    assert played == [] and lasting(again) == lasting(first)


def test_a_sequential_test_that_is_not_decided_says_so(tournament):
    summary = tournament(GAME, "random", "random", "--sprt=-1,1", "--sprt-model", "logistic", "--pairs", 1)[2]
    assert summary["sprt"]["decision"] is None and summary["sprt"]["model"] == "logistic"


def test_a_wall_limit_of_the_game_ends_it_and_is_part_of_the_journal(tournament, player, tmp_path, capsys):
    sleeper = player("sleeper", action="__import__('time').sleep(60) or 0")
    words = (GAME, sleeper, "random", "--pairs", 1, "--journal", tmp_path / "journal")
    code, _, summary, _ = tournament(*words, "--game-wall", "1,60")
    assert (code, summary["faults"]) == (1, [{"player": str(sleeper), "kind": "no answer", "games": 2}])
    assert tournament(*words, "--game-wall", "1,60")[2]["resumed"] == 1
    for other in (["--game-wall", "0.2"], ["--game-wall", "0"], []):
        assert main(["tournament", *map(str, words), *other]) == 2
        assert "the limit 'game_wall'" in capsys.readouterr().err


def test_limits_of_two_values_are_the_first_ones_and_all_others_in_a_gauntlet(tournament, player):
    slow = player("slow", first="sum(range(10_000_000))")
    words = (GAME, slow, "random", "random", "--format", "gauntlet", "--action-time", "0.02,20", "--pairs", 1)
    words += ("--on-fault", "continue")
    assert tournament(*words)[2]["faults"] == [{"player": str(slow), "kind": "out of time", "games": 4}]
    assert main(["tournament", GAME, "random", "random", "random", "-t", "1,2"]) == 2


# What is said


def test_who_completes_no_action_is_told_once_with_the_line_and_plays_on(tournament, player):
    crashing = player("crashing", action="1 // 0")
    code, pairs, _, said = tournament(GAME, crashing, "random", "--pairs", 3)
    assert (code, len(pairs), said.count("crashing.py completes no action: ")) == (1, 3, 1)
    assert "ZeroDivisionError" in said and "crashing.py:6" in said and "--on-fault exclude" in said
    said = tournament(GAME, crashing, "random", "greedy", "--pairs", 1, "--on-fault", "exclude")[3]
    assert said.count("completes no action") == 1 and "it is left out" in said


def test_the_tables_say_how_far_to_believe_the_score(capsys):
    assert main(["tournament", GAME, "random", "greedy", "random", "--pairs", "2", "--jobs", "2"]) == 0
    shown = capsys.readouterr().out
    assert shown.isascii() and "\x1b" not in shown
    assert re.search(r"^ +player +points +games +won +drawn +lost +faults$", shown, re.M)
    assert re.search(r"^1 .*\n2 .*\n3 .*$", shown, re.M) and "random (2)" in shown
    assert re.search(r"^points against +1 +2 +3\n1 \S+.* - +[0-4.]+ of 4 ", shown, re.M)
    assert re.search(
        r"^random \(1\) against greedy: [0-9.]+ % \([0-9.]+ to [0-9.]+\), LOS .*\n  Elo .*, normalised Elo ",
        shown,
        re.M,
    )
    assert re.search(r"^  2 pairs: [12] x [0-9.]+ points?.*; games: \d won, \d drawn, \d lost$", shown, re.M)
    assert shown.count("  2 different openings, 4 different games of 4\n") == 2  # not the third
    assert re.search(r"^6 pairs, 12 games; [0-9.]+ s; the machine's cores were busy \d+% of", shown, re.M)


def test_on_a_terminal_a_bar_shows_how_it_goes():
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "referee",
            "tournament",
            GAME,
            "random",
            "greedy",
            "--pairs",
            "3",
            "--sprt",
            "0,5",
        ],
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        stderr=theirs,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "150"},
    )
    os.close(theirs)
    shown = b""
    with contextlib.suppress(OSError):  # at its end, on Linux
        while more := os.read(ours, 65536):
            shown += more
    os.close(ours)
    assert process.wait(300) == 0
    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown.decode())
    assert "6/6 games" in text and "LLR" in text and "LOS" in text and "%" in text


def test_wall_time_with_more_jobs_than_cores_is_warned_of(tournament):
    jobs = cores() + 1
    words = ("kalaha:2x2", "random", "random", "--pairs", 1, "--jobs")
    assert "wall time is charged while" in tournament(*words, jobs, "--wall")[3]
    assert "wall time" not in tournament(*words, jobs)[3]


@pytest.mark.parametrize("counts", [c for c in product(range(2), repeat=5) if any(c)], ids=str)
def test_whatever_the_counts_their_line_can_be_written(counts):
    meeting = Meeting(pairs=list(counts))
    line = tables.pairing(meeting.described(), ("one", "two"))
    assert line.startswith("one against two: ") and "None" not in line and "nan" not in line
    assert json.loads(json.dumps(meeting.described(), allow_nan=False))["pentanomial"] == list(counts)


class Reader(HTMLParser):
    """Checks that every element is closed, and collects words, classes and addresses."""

    def __init__(self, page):
        super().__init__()
        self.open, self.words, self.addresses = [], [], []
        self.feed(page)
        assert not self.open

    def handle_starttag(self, tag, attributes):
        self.addresses += [value for name, value in attributes if name in ("src", "href", "xlink:href")]
        if tag != "meta":
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        pass

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.words.append(data)


def test_the_report_is_one_page_with_everything_in_it(tournament, player, tmp_path, capsys):
    bad = player("bad<b>&", action="9")
    report, records = tmp_path / "out" / "report.html", tmp_path / "records"
    words = (GAME, "random", "greedy", bad, "--pairs", 1, "--report", report, "--record", records)
    _, pairs, summary, _ = tournament(*words)
    page = report.read_text()
    reader = Reader(page)
    text = " ".join(reader.words)
    headings = ["Standings", "Cross table", "Elo against", "Pairings", "Time an action", "Memory by action"]
    assert [heading for heading in [*headings, "How games ended", "Games"] if heading not in text] == []
    assert "bad<b>&" in text and "bad<b>" not in page
    assert "illegal action: 4 (66.7 %)" in text and "prefers-color-scheme: dark" in page
    assert not re.search(r"https?://|url\(|@import|<script src", page)
    kept = sorted(path.name for path in records.iterdir())
    assert len(kept) == summary["games"] == 6
    pages = [str(report.parent / "report_games" / f"{number:03}.html") for number in range(1, 7)]
    games = json.loads(page.partition('id="data">')[2].partition("</script>")[0])
    linked = [*games["pages"], *(one["record"] for one in games["first"])]
    assert sorted(os.path.normpath(report.parent / one) for one in linked) == sorted(
        [*(str(records / name) for name in kept), *pages]
    )
    assert reader.addresses == []
    assert sum("action 9 is illegal" in Path(one).read_text() for one in pages) == 4
    assert sorted(Path(game["record"]).name for pair in pairs for game in pair["games"]) == kept
    assert main(["replay", *(str(records / name) for name in kept)]) == 0


def test_a_report_can_be_written_from_a_finished_journal(tournament, tmp_path):
    words = ("ropasci", "random", "greedy", "--pairs", 1, "--journal", tmp_path / "journal", "--sprt", "0,9")
    tournament(*words)
    code, pairs, summary, _ = tournament(*words, "--report", tmp_path / "report.html")
    assert (code, pairs, summary["resumed"]) == (0, [], 1)
    text = " ".join(Reader((tmp_path / "report.html").read_text()).words)
    assert "Sequential test" in text and "upper ('THROW'" in text and "lower ('THROW'" in text


@pytest.mark.parametrize("game, player_", [(GAME, "random"), ("ropasci", "greedy")])
def test_a_line_read_without_what_each_action_took_comes_to_the_same_results(
    game, player_, tournament, tmp_path
):
    path = tmp_path / "journal"
    tournament(game, "random", player_, "--pairs", 1, "--journal", path, "--seed", 1)
    line = path.read_bytes().splitlines(keepends=True)[1]
    assert len(light(line)) < len(line)
    whole, short = [Results(["a", "b"]) for _ in range(2)]
    whole.add(pair_from(json.loads(line)))
    short.add(pair_from(json.loads(light(line))))
    assert vars(whole.players[0]) == vars(short.players[0]) and whole.endings == short.endings
    assert len(whole.meetings[0, 1].played) == len(short.meetings[0, 1].played)
    # Whether a player has acted at all is kept; so is a line that is written in another way.
    early = {**json.loads(line), "games": [fake_game(0, 1), fake_game(1, 1)]}
    compact = json.dumps(early, separators=(",", ":")).encode()
    assert (
        light(compact) == compact
        and light(json.dumps(early, indent=1).encode()) == json.dumps(early, indent=1).encode()
    )


# Wrong usage

WRONG = [
    ([GAME, "random"], "takes two players or more"),
    ([GAME, "/proc/sys"], "takes two players or more; for all that are in this folder: /proc/sys/*"),
    ([GAME], "required: PLAYER"),
    (["kalah", "random", "random"], "did you mean 'kalaha'?"),
    ([GAME, "randon", "random"], "did you mean 'random'?"),
    ([GAME, "random", "random", "--format", "cup"], "invalid choice: 'cup'"),
    ([GAME, "random", "random", "--rounds", "2"], "--rounds is for --format swiss"),
    ([GAME, "random", "random", "random", "--sprt", "0,5"], "--sprt takes two players"),
    ([GAME, "random", "random", "--sprt", "5,0"], "ELO0 should be less than ELO1"),
    ([GAME, "random", "random", "--sprt", "0,999"], "from -200 to 200"),
    ([GAME, "random", "random", "--sprt", "0"], "should be ELO0,ELO1"),
    ([GAME, "random", "random", "--sprt", "0,5,0,0"], "between 0 and 0.5"),
    ([GAME, "random", "random", "--sprt", "0,nan"], "should be ELO0,ELO1"),
    ([GAME, "random", "random", "--pairs", "0"], "1 or more"),
    ([GAME, "random", "random", "--jobs", "x"], "'x'"),
    ([GAME, "random", "random", "random", "--time", "1,2"], "two values of a limit"),
    ([GAME, "random", "random", "--journal", "/dev/null"], "/dev/null is not a file"),
    ([GAME, "random", "random", "--journal", "/proc/none/journal"], "cannot write"),
    ([GAME, "random", "random", "--report", "/proc/none/report.html"], "cannot write"),
    ([GAME, "random", "random", "--report", "/proc"], "cannot write /proc: Is a directory"),
    ([GAME, "random", "random", "--report", ""], "cannot write .: Is a directory"),
    ([GAME, "random", "random", "--report", "a.x", "--journal", "a.x"], "would overwrite the journal"),
    (
        [GAME, "random", "random", "--report", "a.x", "--journal", "a_games/001.x"],
        "would overwrite the journal",
    ),
    ([GAME, "random", "random", "--record", "/dev/null"], "cannot write /dev/null"),
    ([GAME, "random", "random", "--workers", "nowhere"], "such as tcp://host:8786"),
    ([GAME, "random", "random", "--opening", "500"], "no opening of 500 random plies"),
]


@pytest.mark.parametrize(("words", "said"), WRONG, ids=lambda value: str(value)[-40:])
def test_wrong_usage_is_one_sentence_and_exit_2(words, said, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # what is not refused writes there
    assert main(["tournament", *words]) == 2
    printed = capsys.readouterr()
    assert said in printed.err
    assert printed.err.startswith("referee: ") and printed.err.count("\n") == 1 and not printed.out


def test_a_player_that_does_not_import_is_exit_2_before_anything_is_played(player, tmp_path, capsys):
    broken = player("broken")
    broken.write_text("import nothing_of_that_name\n")
    assert main(["tournament", GAME, "random", str(broken), "--record", str(tmp_path / "records")]) == 2
    assert "nothing_of_that_name" in capsys.readouterr().err
    assert not (tmp_path / "records").exists()


@pytest.mark.parametrize(
    ("words", "ready"),
    [
        ("-t kalaha a b", "kalaha a b --time"),
        ("-t 3,4 kalaha a b -s", "--time=3,4 kalaha a b --space"),
        ("kalaha a b --sprt -5,5 --seed -1", "kalaha a b --sprt=-5,5 --seed=-1"),
        ("--pairs 7 kalaha a b", "--pairs=7 kalaha a b"),
    ],
)
def test_a_value_may_begin_with_a_minus_and_a_bare_limit_may_stand_anywhere(words, ready):
    assert attached(commands.parser("tournament"), words.split()) == ready.split()


def test_the_hypotheses_have_the_usual_errors_where_none_are_given():
    assert hypotheses("-5,5") == (-5, 5, 0.05, 0.05)
    assert hypotheses("0,10,.01,.1") == (0, 10, 0.01, 0.1)


def test_help_fits_a_screen_and_shows_an_example(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    with pytest.raises(SystemExit) as end:
        main(["tournament", "--help"])
    shown = capsys.readouterr().out
    assert end.value.code == 0 and "example: referee tournament " in shown
    assert shown.count("\n") <= 50


def test_figures_of_one_machine_are_left_out_at_any_depth():
    assert strip({"a": [{"cpu": 1, "b": 2}], "seconds": 3}) == {"a": [{"b": 2}]}


def test_file_names_that_are_no_text_are_names_like_others(tournament, player, tmp_path):
    team = tmp_path / "team"
    team.mkdir()
    player("legal").rename(team / "__init__.py")
    (team / os.fsdecode(b"f\xfcr.txt")).write_text("")
    report = tmp_path / os.fsdecode(b"\xfc.html")
    words = (GAME, "random", f"{team}/", "--pairs", 1, "--report", report)
    assert tournament(*words)[2]["games"] == 2
    assert "%FC_games/001.html" in report.read_text()
    assert "../%FC.html" in (folder(report) / "001.html").read_text()
