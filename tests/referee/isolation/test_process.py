"""A player's process: what it is charged and told, what ends it, and that nothing is left of it."""

import contextlib
import io
import os
import re
import resource
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from referee import RefereeTrouble
from referee.isolation import allowance, child, launchers, levels, output, proc, process
from referee.isolation.allowance import Account, Allowance
from referee.isolation.process import CannotImport, PlayerProcess
from referee.match import record
from referee.players import names
from tests.support.arena import (  # noqa: F401
    GAME,
    OPPONENT,
    PLAYERS,
    ROOT,
    USUAL,
    Printed,
    actions,
    behaved,
    check_the_opponent_is_undisturbed,
    living,
    nothing_is_left_behind,
    one,
    play,
    ready,
)

# Time


def test_what_is_charged_is_what_was_used():
    allowance = replace(OPPONENT, action=60.0)
    with ready(one("burns", allowance, (("make", 0.1), ("act", 0.2), ("update", 0.05)))) as player:
        not_charged = player._child.cpu - player.cpu  # its start and import
        assert player.cpu >= 0.1 and not_charged > 0
        player.action()
        acted = player.cpu
        assert acted >= 0.3 and player.cpu_left == 60  # the next action's, all of it
        player.update("A", 1)
        assert player.cpu >= acted + 0.05
        # All that it has used since, and nothing else.  Its process may still be on its way to the next
        # request, so that each figure lies between what was read before it and after it.
        before, left, after = player.cpu, player.cpu_left, player.cpu
        assert 60 - (after - acted) - 1e-6 <= left <= 60 - (before - acted) + 1e-6
        before = proc.clock(player._child._player) - not_charged
        player._child.tick()
        charged = player.cpu
        after = proc.clock(player._child._player) - not_charged
        assert before - 1e-6 <= charged <= after + 1e-6


@pytest.mark.parametrize(
    "allowance, uses, call, actions",
    [
        (Allowance(action=0.2), {"make": 0.1, "act": 0.15}, "action", 0),
        (Allowance(action=0.2, first=0.4), {"make": 0.1, "act": 0.15, "update": 0.04}, "action", 1),
        (Allowance(action=0.2), {"act": 0.01, "update": 0.15}, "update", 1),
        (Allowance(game=0.5), {"act": 0.2}, "action", 2),
        (Allowance(game=0.5, action=0.3), {"act": 0.2}, "action", 2),
        (Allowance(game=0.5, first=0.1), {"make": 0.15}, "constructor", 0),
    ],
)
def test_limits_add_up_over_the_calls_they_are_for(allowance, uses, call, actions):
    player = one("burns", allowance, tuple(uses.items()))
    done = 0
    with player, pytest.raises(process.Fault) as caught:
        ready(player)
        while done < 9:
            player.action()
            done += 1
            player.update("A", 4)
            player.update("B", 4)
    assert (caught.value.ending, caught.value.call, done) == ("out of time", call, actions)


def test_waiting_for_a_core_of_a_busy_machine_is_not_held_against_a_player(monkeypatch):
    # More than all the time, since the referee itself may wait between two looks; and never.
    for starved in (lambda told: 1000 * time.monotonic(), lambda told: 0.0):
        monkeypatch.setattr(proc, "starved", starved)
        with ready(one("burns", Allowance(action=1.0), (("act", 0.25),))) as player:
            monkeypatch.setattr(player._account, "patience", lambda charged: 0.1)
            monkeypatch.setattr(allowance, "BACKSTOP_BUSY", 10_000)
            if starved(b""):
                assert player.action() == 4
            else:
                with pytest.raises(process.Fault, match="none within 0.1 s"):
                    player.action()


NAPS = 1.0  # seconds, before every action of this player: most of its time on any machine
NAPPING = "naps:Long"


def test_a_player_that_sleeps_through_the_game_has_a_wall_limit_for_all_its_calls():
    result = play(NAPPING, Allowance(action=5.0, game_wall=2.5 * NAPS))
    assert (result.ending, result.at_fault, result.call) == ("no answer", (0,), "action"), result.reason
    assert f"of the wall's {2.5 * NAPS:g} s for the game" in result.reason
    asked = sum(turn.players == (0,) for turn in result.history)
    assert asked <= 3 and result.wall[0] > 2.5 * NAPS > result.cpu[0]
    check_the_opponent_is_undisturbed(result, 0)


def test_updates_and_the_constructor_count_for_the_wall_limit_of_the_game_too():
    for name, call in (("hangs_in_its_constructor", "constructor"), ("hangs_in_update", "update")):
        player = one(f"{name}:Asleep", Allowance(game_wall=1.0))
        with pytest.raises(process.Fault) as caught, player:
            ready(player)
            player.update("B", 4)
        assert (caught.value.ending, caught.value.call) == ("no answer", call)


def test_calls_too_short_to_be_looked_at_meanwhile_count_for_the_wall_limit_of_the_game_too():
    with one("legal", Allowance(game_wall=1.0)) as player:
        ready(player)
        player._account.wall = 1000.0  # of earlier calls; none is so long that this machine waited for a core
        with pytest.raises(process.Fault, match="its calls took .* s of the wall's 1 s") as caught:
            player.action()
    assert (caught.value.ending, caught.value.call) == ("no answer", "action")


def test_the_wall_limit_of_a_game_grows_with_the_cpu_time_that_a_player_may_have_used():
    for allowed, asked, seconds in (
        (Allowance(game=60), 0, 300),
        (Allowance(game=300), 7, 1500),
        (Allowance(action=1), 0, 300),
        (Allowance(action=1), 99, 500),
        (Allowance(action=2, first=30), 0, 300),
        (Allowance(action=2, first=30), 50, 650),
        (Allowance(action=2, first=float("inf")), 3, float("inf")),
        (Allowance(action=1, game=60), 1000, 300),
        (Allowance(), 10, float("inf")),
        (Allowance(game=60, game_wall=7.5), 10, 7.5),
        (Allowance(action=1, game_wall=None), 10, float("inf")),
        (Allowance(game_wall=9.0), 0, 9.0),
    ):
        account = Account(allowed)
        for _ in range(asked):
            account.act(0.0)
        assert account.game_wall() == seconds, (allowed, asked)


def test_waiting_for_a_core_is_not_held_against_a_player_over_the_whole_game_either():
    player = one("legal", Allowance(action=1.0, game_wall=2.0))
    player._child, player._account.wall = Clock(), 5.0  # three seconds too many
    player._check_game_wall("action", starved=3.5)
    player._account.wall = 2.0 + 19 * 2.0 - 0.1
    player._check_game_wall("action", starved=1000.0)
    for wall, starved in ((5.0, 2.5), (2.0 + 19 * 2.0, 1000.0)):
        player._account.wall = wall
        with pytest.raises(process.Fault, match="its calls took .* s of the wall's 2 s for the game"):
            player._check_game_wall("action", starved)


def test_the_kernel_tells_how_long_a_process_has_waited_for_a_core():
    def told():
        return float(proc.read("/proc/self/schedstat").split()[1]) / 1e9

    before = told()
    assert before <= proc.starved(proc.read("/proc/self/schedstat")) <= told()
    assert proc.starved(b"") == 0.0  # where it does not


def test_a_player_without_limits_is_not_stopped():
    with ready(one("burns", Allowance(), (("act", 0.2),))) as player:
        assert player.cpu_left is None
        assert player.action() == 4


@pytest.mark.parametrize("name", ["loops", "loops_in_c", "burns_in_threads"])
def test_a_player_that_burns_is_looked_at_before_it_can_be_past_its_limit_and_then_killed(name, monkeypatch):
    """However many threads burn: the referee sleeps no longer than they need for what is left."""
    slept, limits = [], replace(USUAL, action=0.1)
    with ready(one(name, limits)) as player:
        player.action()
        player.action()
        child, free, used = player._child, player._child.cpu - player.cpu, player.cpu
        wait = child.wait

        def watched(seconds):
            slept.append((seconds, child.cpu, child.parallel))
            wait(seconds)

        monkeypatch.setattr(child, "wait", watched)
        with pytest.raises(process.Fault, match="used .* s of 0.1 s"):
            player.action()
    left = [(limits.action - (cpu - free - used), seconds * parallel) for seconds, cpu, parallel in slept]
    before = [(of_limit, sleeps) for of_limit, sleeps in left if of_limit > 0]
    assert before and all(sleeps <= of_limit + 1e-6 for of_limit, sleeps in before)


def test_a_subprocess_is_charged_to_the_game():
    result = play("burns_in_a_subprocess", Allowance(game=0.75), level="process")
    assert (result.ending, result.call, result.at_fault) == ("out of time", "action", (0,))
    assert len(result.history) > 2  # not in its first action


def test_an_import_has_a_wall_limit_of_its_own(monkeypatch):
    assert process.IMPORTING == 30
    monkeypatch.setattr(process, "IMPORTING", 1.0)
    result = play("slow_import")
    assert (result.ending, result.call, result.at_fault) == ("no answer", "import", (0,))
    assert "none within 1.0 s" in result.reason


def test_wall_time_is_charged_where_that_is_asked_for():
    result = play("sleeps", Allowance(action=1.0, wall=True))
    assert (result.ending, result.call, result.at_fault) == ("out of time", "action", (0,))
    result = play(NAPPING, Allowance(game=2.5 * NAPS, wall=True))
    assert (result.ending, result.call) == ("out of time", "action") and result.cpu[0] > 2.5 * NAPS


@pytest.mark.parametrize("name", ["thinks_on_the_opponents_time", "helper_thinks_on_the_opponents_time"])
def test_nobody_thinks_on_the_opponents_time(name, tmp_path):
    with ready(one(name, replace(OPPONENT, action=60.0, isolation="process"))) as player:
        player.action()
        burning = [player._child._player, *descendants(player._child._player)]
        assert len(burning) == 2 if name.startswith("helper") else 1
        for _ in range(2):
            wait_until_stopped(burning)
            used = [proc.clock(pid) for pid in burning]
            time.sleep(0.3)  # the opponent's turn
            assert [proc.clock(pid) for pid in burning] == used
            player.update("A", 4)  # now they may go on
            assert [proc.clock(pid) for pid in burning] > used


def descendants(pid):
    children = [int(child) for child in proc.read(f"/proc/{pid}/task/{pid}/children").split()]
    return [*children, *(other for child in children for other in descendants(child))]


def wait_until_stopped(processes):
    """How they are stopped is the kernel's affair: those that burn are running, or want to, until then."""
    until, quiet = time.monotonic() + 300, 0
    while quiet < 3:  # looks; one may fall on a moment in which they wait for each other
        quiet = 0 if any(map(is_runnable, processes)) else quiet + 1
        assert time.monotonic() < until, "they are not stopped"
        time.sleep(0.01)


def is_runnable(pid):
    stats = Path(f"/proc/{pid}/task").glob("*/stat")
    return any(stat.read_text().rpartition(")")[2].split()[0] == "R" for stat in stats)


class Clock:
    """Stands for the process where only its clock is looked at."""

    stolen = 0.0

    def __init__(self, cpu=0.0):
        self.cpu = cpu

    def kill(self):
        pass


@pytest.mark.parametrize(
    "allowance, used, seconds",
    [
        (Allowance(game=60), 0, 185),
        (Allowance(game=60), 58, 11),
        (Allowance(action=1), 0, 8),
        (Allowance(action=1), 0.5, 6.5),
        (Allowance(action=20), 0, 30),
        (Allowance(action=2, first=8), 0, 29),
        (Allowance(game=60, action=1), 0, 8),
        (Allowance(action=1, first=float("inf")), 100, 600),
        (Allowance(), 0, 600),
        (Allowance(game=60, wall=True), 0, float("inf")),
    ],
)
def test_the_wall_backstop_is_thrice_the_time_left_and_five_seconds(allowance, used, seconds):
    assert Account(allowance).patience(used) == pytest.approx(seconds)


@pytest.mark.parametrize(
    ("limits", "told"),
    [
        ({"game_wall": 10.0}, {"game_seconds": 9.0}),
        ({"game_wall": 10.0, "game": 60.0, "action": 2.0}, {"game_seconds": 9.0, "action_seconds": 2.0}),
        ({"game_wall": 10.0, "game": 3.0}, {"game_seconds": 3.0}),
        ({"game_wall": None, "action": 2.0}, {"action_seconds": 2.0}),
        ({"action": 2.0}, {"action_seconds": 2.0}),
    ],
)
def test_a_wall_limit_for_the_game_is_told_as_the_time_that_it_leaves(limits, told):
    assert Allowance(**limits).keywords() == told


@pytest.mark.lengthy
def test_a_referee_that_was_stopped_itself_does_not_hold_it_against_the_player(tmp_path):
    with referee_at_work(tmp_path, "naps", "legal", "--action-time", "5", "--wall") as referee:
        os.kill(referee.pid, signal.SIGSTOP)
        time.sleep(7)
        os.kill(referee.pid, signal.SIGCONT)
        said = referee.communicate(timeout=300)[0]
    assert referee.returncode == 0, said


# Memory and output


def test_idle_threads_take_address_space_but_no_memory():
    result = play("idle_threads", OPPONENT)
    assert result.megabytes[0] < 5
    assert result.course_megabytes[0] > 60


@pytest.mark.parametrize("level", ["full", "process"])
def test_threads_without_end_are_stopped_for_the_memory_that_the_kernel_keeps_for_them(level):
    result = play("starts_threads_without_end", replace(USUAL, action=9.0), level=level)
    assert (result.ending, result.at_fault, result.call) == ("out of memory", (0,), "action"), result.reason
    check_the_opponent_is_undisturbed(result, 0)


def test_memory_is_looked_at_after_every_call():
    with ready(one("grows_with_each_action", replace(USUAL, action=60.0, megabytes=30))) as player:
        with pytest.raises(process.Fault, match="out of memory in action|grew by 3[01]"):
            for _ in range(31):
                player.action()


def test_memory_is_looked_at_while_a_call_lasts():
    result = play("grows_slowly", replace(USUAL, action=60.0))
    assert (result.ending, result.call, result.at_fault) == ("out of memory", "action", (0,))


def test_output_by_the_hundred_megabytes_passes_through_a_referee_that_stays_small():
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    printed = Printed()
    result = play("floods", Allowance(game=300, megabytes=100), watchers=[printed])
    assert result.ending == "finished", result.reason
    assert actions(result) == behaved(0)
    assert "bytes are left out here" in printed.text[0] and len(printed.text[0]) < 200_000
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 20_000  # kilobytes


def recorded(*arguments, **named):
    """A game, what its players printed, and its record."""
    kept, printed = io.StringIO(), Printed()
    header = {"game": named.get("game", GAME), "players": ("one", "two")}
    result = play(*arguments, **named, watchers=[printed, record.Writer(lambda: kept, header)])
    return result, printed.text, kept.getvalue()


def test_what_is_kept_of_a_players_output_has_a_bound_in_each_call_and_in_the_game(monkeypatch):
    monkeypatch.setattr(output, "OUTPUT_GAME", 40_000)
    result, text, written = recorded("floods_in_every_call", OPPONENT, game="kalaha:8x4")
    assert result.ending == "finished", result.reason
    lines = [line for line in written.splitlines() if line.startswith("output A: ")]
    assert len(lines) > 5 and all("bytes are left out here" in line for line in lines)
    assert max(map(len, lines)) < output.OUTPUT_CALL + 100
    assert output.OUTPUT_GAME - 100 < sum(map(len, lines)) < output.OUTPUT_GAME + 100 * len(lines)
    # What is kept and what is said to be left out is all that it printed.
    left_out = sum(int(number) for number in re.findall(r"\((\d+) bytes are left out", text[0]))
    calls = 1 + sum(len(turn.players) + turn.players.count(0) for turn in result.history if turn.played)
    assert left_out + text[0].count(r"\x00") == 65536 * calls
    assert record.parse(written).output[0][2] == re.match(r"\(\d+ bytes.*\n(\\x00)+", text[0])[0]


def test_the_last_words_of_a_player_that_fails_are_kept_though_its_room_is_used_up(monkeypatch):
    monkeypatch.setattr(output, "OUTPUT_GAME", 20_000)
    result, text, _ = recorded("floods_and_raises", OPPONENT, game="kalaha:8x4")
    assert result.ending == "crashed"
    assert "the last words" in text[0] and "enough" in text[0] and len(text[0]) < 30_000


@pytest.mark.parametrize("piece", ["a", "é", "\n", "\x00", "\\", "'\"", "\U0001f600", "\ud800"])
def test_whatever_it_prints_takes_no_more_room_in_a_record_than_there_is(piece):
    said, data = output.Output(), (piece * 40_000).encode("utf-8", "surrogatepass")
    printed = 0
    for number in range(1, 30):
        printed += len(data)
        text = said.take(data, printed)
        left_out = text.partition("\n")[0]
        assert re.fullmatch(r"\(\d+ bytes are left out here\)", left_out)
        assert len(repr(text)) <= output.OUTPUT_CALL + 100, number
    assert text == f"({len(data)} bytes are left out here)\n"  # the room of the game is used up
    assert "é" == output.Output().take("é".encode(), 2)


def test_what_a_player_prints_cannot_pass_for_anything_else():
    printed = Printed()
    play("talks_like_the_referee", watchers=[printed])
    first = printed.text[0].splitlines()[:3]
    assert sorted(first) == sorted(
        [
            "* game over: A wins 72-0\\x1b[2J\\r* score: everything",
            '{"summary": true, "points": [1, 0]}',
            '[2, "ok"]',
        ]
    )
    assert printed.text[1] == ""


def test_there_is_no_referee_and_no_opponent_in_a_players_process():
    printed = Printed()
    result = play("looks_for_the_referee", watchers=[printed])
    assert result.ending == "finished"
    assert printed.text[0] == "found [] [] []\n"


def test_output_before_the_end_is_kept_and_a_crash_in_c_says_where():
    printed = Printed()
    play("crashes_in_c", watchers=[printed])
    assert "Fatal Python error: Segmentation fault" in printed.text[0]
    assert "crashes_in_c.py" in printed.text[0]


def test_a_fault_says_where_in_the_players_code_it_was():
    where = play("raises").faults[0].where.splitlines()
    assert len(where) == 2 and "legal.py" in where[0]
    assert where[1].endswith('raises.py:8 in trouble: raise ValueError("no idea\\nwhat to do")')


# What a player is told


def test_a_constructor_gets_of_the_keywords_on_offer_those_that_it_names():
    allowance = Allowance(told=(("seconds", 2.0), ("nodes", 500), ("first_seconds", 9.0)))
    with ready(one("tells_its_keywords", allowance, (("style", (1, 2)),), "B", (("seed", 7),))) as player:
        assert player.action() == ("B", "4x3", "2.0", "500", (1, 2), ())
        player.update("A", ("SLIDE", (0, -1), (0, 0)))
        assert player.action() == ("A", ("SLIDE", (0, -1), (0, 0)))
        player.update(opponent_action=1, player_action=2)
        assert player.action() == (("opponent_action", 1), ("player_action", 2))
    with ready(one("tells_its_keywords:Bare", allowance)) as player:
        assert player.action()[:3] == ("A", "was not asked for", "None")


@pytest.mark.parametrize("wall", [False, True])
def test_a_player_that_names_wall_is_told_which_time_is_charged(wall):
    with ready(one("tells_its_keywords:Watch", Allowance(game=60, wall=wall))) as player:
        assert player.action()[1] == str(wall)


def test_a_player_sees_a_fresh_interpreter_and_nothing_of_the_referees(monkeypatch):
    monkeypatch.setenv("SECRET_TOKEN", "not for players")
    monkeypatch.setenv("PYTHONSTARTUP", "nor this")
    with ready(one("tells_its_surroundings")) as player, ready(one("tells_its_surroundings")) as other:
        environment, folder, first, channels, descriptors, stdin, own_session, modules = player.action()
        assert set(environment) <= set(child.INHERITED)
        assert folder == first == str(PLAYERS)
        assert (channels, descriptors, stdin, own_session, modules) == (2, 14, "/dev/null", 1, ())
        assert other.action()[3:5] == (2, 14)  # nothing of the other player's was inherited


def test_an_argument_that_the_constructor_does_not_have_is_the_players_fault():
    player = one("tells_its_keywords:Bare", USUAL, (("depth", 3),))
    with player, pytest.raises(process.Fault) as caught:
        ready(player)
    assert (caught.value.ending, caught.value.call) == ("crashed", "constructor")
    assert caught.value.message.endswith("argument 'depth'; it has none")


def test_a_package_is_imported_with_its_own_relative_imports_and_data(tmp_path, monkeypatch):
    package = tmp_path / "team" / "inner"
    package.mkdir(parents=True)
    (tmp_path / "team" / "__init__.py").write_text("")
    (package / "__init__.py").write_text("from .player import Player as ExamplePlayer\n")
    (package / "table.txt").write_text("7")
    (package / "player.py").write_text(
        "import pkgutil\n"
        "class Player:\n"
        "    def __init__(self, colour):\n"
        "        with open('team/inner/table.txt') as file:\n"
        "            self.table = int(pkgutil.get_data(__package__, 'table.txt')), int(file.read())\n"
        "    def action(self):\n"
        "        return self.table\n"
    )
    monkeypatch.chdir(tmp_path)
    with ready(PlayerProcess(names.resolve("team/inner/"), "A", "", USUAL)) as player:
        assert player.action() == (7, 7)


def test_a_player_named_like_a_module_of_python_is_told_to_be_renamed(tmp_path):
    (tmp_path / "json.py").write_text("class Player:\n    pass\n")
    with PlayerProcess(names.resolve(f"{tmp_path}/json.py"), "A", "", USUAL) as player:
        with pytest.raises(CannotImport, match="rename the player"):
            player.start()


def test_a_syntax_error_is_a_reason_not_to_import(tmp_path):
    (tmp_path / "broken.py").write_text("class Player\n")
    with PlayerProcess(names.resolve(f"{tmp_path}/broken.py"), "A", "", USUAL) as player:
        with pytest.raises(
            CannotImport, match="broken.py' does not import: SyntaxError: expected ':'$"
        ) as caught:
            player.start()
    assert "broken.py:1 in <module>: class Player" in caught.value.where


# The end


@contextlib.contextmanager
def referee_at_work(marker, *arguments, processes=7):
    """A referee of its own in the middle of a game, when it has so many processes; and the end of it."""
    two = [f"{PLAYERS / name}.py" for name in arguments[:2]]
    referee = subprocess.Popen(
        [sys.executable, "-m", "referee", "play", GAME, *two, *arguments[2:], "--isolation", "process"],
        cwd=ROOT,
        env={**os.environ, "TMPDIR": str(marker)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    try:
        deadline = time.monotonic() + 300
        while len(seen := living(str(marker))) < processes and time.monotonic() < deadline:
            time.sleep(0.05)
        assert len(seen) >= processes
        time.sleep(0.5)  # now it waits for an action
        yield referee
    finally:
        if referee.poll() is None:
            os.killpg(referee.pid, signal.SIGKILL)
        referee.communicate()


def test_nothing_is_left_of_a_match_that_is_killed(tmp_path):
    with referee_at_work(tmp_path, "leaves_children", "sleeps", processes=10) as referee:
        # The referee, two launchers, two keepers, two players, three children.
        os.killpg(referee.pid, signal.SIGKILL)
    deadline = time.monotonic() + 300
    while living(str(tmp_path)) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert living(str(tmp_path)) == []


def test_nothing_is_left_of_a_match_that_is_interrupted(tmp_path):
    with referee_at_work(tmp_path, "leaves_children", "sleeps", processes=10) as referee:
        os.killpg(referee.pid, signal.SIGINT)
        said = referee.communicate(timeout=300)[0]
        assert referee.returncode == 130, said
        assert "Traceback" not in said
    assert living(str(tmp_path)) == []


def test_closing_is_allowed_at_any_time_and_twice():
    never_started = one("legal")
    never_started.close()
    spawned = one("legal")
    spawned.spawn()
    spawned.close()
    spawned.close()
    with ready(one("legal")) as player:
        player.close()


def test_a_player_at_fault_stays_at_fault():
    with ready(one("raises")) as player:
        player.action()
        player.action()
        with pytest.raises(process.Fault, match="ValueError") as first:
            player.action()
        with pytest.raises(process.Fault) as second:
            player.update("A", 1)
        assert second.value is first.value


def test_a_python_that_does_not_start_is_the_referees_trouble(monkeypatch):
    for executable in ("/no/such/python", "/bin/false"):
        monkeypatch.setattr(sys, "executable", executable)
        with one("legal") as player, pytest.raises(RefereeTrouble, match="a player's process"):
            player.start()


def test_many_players_at_once_take_few_descriptors_and_give_them_back():
    launchers.end_idle()
    before = len(os.listdir("/proc/self/fd"))
    many = [one("legal") for _ in range(5)]
    for player in many:
        player.spawn()
    for player in many:
        ready(player)
    assert len(os.listdir("/proc/self/fd")) - before <= 8 * len(many)
    for player in many:
        player.close()
    launchers.end_idle()
    assert len(os.listdir("/proc/self/fd")) == before


def test_running_out_of_descriptors_is_the_referees_trouble_and_leaves_nothing(monkeypatch):
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with ready(one("burns", USUAL, (("act", 0.2),))) as player:
        spare = [os.open(os.devnull, os.O_RDONLY)]
        resource.setrlimit(resource.RLIMIT_NOFILE, (spare[0] + 1, hard))
        try:
            with contextlib.suppress(OSError):
                while True:
                    spare.append(os.open(os.devnull, os.O_RDONLY))
            with pytest.raises(RefereeTrouble, match="Too many open files"):
                player.action()
            with pytest.raises(RefereeTrouble, match="cannot be started: .*Too many open files"):
                one("legal").start()
            player.close()
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
            for descriptor in spare:
                os.close(descriptor)


def test_here_everything_is_enforced():
    assert levels.with_warning() == ("full", "")
