"""The level for macOS and Windows, by psutil: limits, stopping and ending hold there too."""

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace

import psutil
import pytest

from referee import RefereeTrouble
from referee.isolation import allowance, guard, levels, portable, process
from referee.isolation.tree import ProcessTree
from tests.support.arena import (  # noqa: F401
    GAME,
    OPPONENT,
    PLAYERS,
    ROOT,
    USUAL,
    Printed,
    living,
    nothing_is_left_behind,
    one,
    play,
)
from tests.support.samples import few

LEVEL = "portable"
WIDE = replace(USUAL, action=0.5)
SHORT = replace(USUAL, action=0.2)  # of CPU time, for those who burn it until they are stopped


def ready(name, allowance=WIDE, arguments=()):
    """A player of that level, started and made."""
    player = one(name, replace(allowance, isolation=LEVEL), arguments)
    player.start()
    player.construct()
    return player


def await_state(processes, stopped):
    """Until all are stopped, or none is: a signal is not delivered at once."""
    deadline = time.monotonic() + 300
    while any((one.status() == psutil.STATUS_STOPPED) != stopped for one in processes):
        assert time.monotonic() < deadline, [one.status() for one in processes]
        time.sleep(0.01)


ENDINGS = [
    ("legal", "finished", None),
    ("loops", "out of time", "action"),
    ("burns_in_threads", "out of time", "action"),
    ("hangs_in_its_constructor", "out of time", "constructor"),
    ("hangs_in_update", "out of time", "update"),
    ("sleeps", "no answer", "action"),
    ("grows_in_a_child", "out of memory", "action"),
    ("grows_at_import", "out of memory", "import"),
    ("exits_at_once", "crashed", "action"),
    ("closes_the_channel_and_stays", "crashed", "action"),
    ("import_error", "crashed", "import"),
    ("returns:Long", "illegal action", "action"),
]
MORE = [  # of the same kinds, in the whole samples
    ("loops_in_c", "out of time", "action"),
    ("burns_at_import", "finished", None),
    ("stops_itself", "no answer", "action"),
    ("grows_at_once", "out of memory", "action"),
    ("grows_slowly", "out of memory", "action"),
    ("crashes_in_c", "crashed", "action"),
    ("raises", "crashed", "action"),
    ("closes_everything", "crashed", "action"),
    ("forges_without_end", "illegal action", "action"),
    ("lingers", "finished", None),
    ("floods", "out of time", "action"),
]


@pytest.mark.parametrize("name, ending, call", [*ENDINGS, *few([], MORE)])
def test_every_ending_is_told_by_polling_as_well(monkeypatch, name, ending, call):
    # Whoever waits is ended soon; whoever computes has all the time that a busy machine may need.
    monkeypatch.setattr(allowance, "BACKSTOP", (3.0, 1.0) if ending == "no answer" else (3.0, 300.0))
    monkeypatch.setattr(allowance, "BACKSTOP_ACTION", 300.0)
    result = play(name, SHORT if ending == "out of time" else WIDE, level=LEVEL)
    assert (result.ending, result.call) == (ending, call), result.reason
    assert result.at_fault == (() if call is None else (0,))


def test_the_level_says_what_polling_does_not_see():
    level, sentence = levels.with_warning(LEVEL)
    assert level == LEVEL
    assert "enforced by polling" in sentence and "read and write your files" in sentence


def test_where_psutil_is_missing_the_level_is_not_to_be_had_and_says_what_to_type(monkeypatch):
    monkeypatch.setattr(levels, "find_spec", lambda name: None)
    levels._by_psutil.cache_clear()
    try:
        with pytest.raises(RefereeTrouble, match="psutil is missing; run: python -m pip install psutil"):
            levels.kind(LEVEL)
        monkeypatch.setattr(levels, "_on_linux", lambda: ())
        with pytest.raises(RefereeTrouble, match="cannot be isolated here: psutil is missing"):
            levels.kind(None)
    finally:
        levels._by_psutil.cache_clear()


def test_a_helper_is_charged():
    with ready("burns_in_a_subprocess", replace(USUAL, action=None, game=0.5)) as player:
        with pytest.raises(process.Fault, match="out of time"):
            for _ in range(9):
                player.action()
                player.update("A", 1)
                player.update("B", 1)


def test_nobody_thinks_on_the_opponents_time_there():
    with ready("thinks_on_the_opponents_time", OPPONENT) as player:
        player.action()
        await_state(player._child._tree._living, stopped=True)
        used = player._child._tree.cpu()
        assert player._child._tree.cpu() == used


def test_helpers_are_stopped_and_go_on_with_their_player():
    with ready("helper_thinks_on_the_opponents_time", OPPONENT) as player:
        player.action()
        helpers = player._child._tree.helpers
        assert helpers
        await_state(helpers, stopped=True)
        player._child.resume()
        await_state(helpers, stopped=False)
        player._child.pause()
    assert not any(one.is_running() and one.status() != psutil.STATUS_ZOMBIE for one in helpers)


def test_a_helper_that_left_its_parents_is_found_at_the_end_by_its_environment(tmp_path):
    script = (
        "import os, sys, time\n"
        "if os.fork() == 0:\n"
        "    os.setsid()\n"
        "    if os.fork() == 0:\n"
        "        time.sleep(600)\n"
        "    os._exit(0)\n"
        "os.wait(); print('gone', flush=True); time.sleep(600)\n"
    )
    env = {**os.environ, portable.MARK: "a mark", "TMPDIR": str(tmp_path)}
    parent = subprocess.Popen([sys.executable, "-c", script], env=env, stdout=subprocess.PIPE)
    with parent:
        assert parent.stdout.readline() == b"gone\n"
        tree = ProcessTree(parent.pid, "a mark")
        tree.find()
        assert tree.helpers == []
        assert tree.kill() == 1
    assert living(str(tmp_path)) == []


def test_what_ended_between_two_looks_is_charged_once():
    """In a process of its own: the tests' has other children, that may end at any time."""
    program = """if True:
        import os, subprocess, sys, time
        from referee.isolation.tree import ProcessTree
        tree = ProcessTree(os.getpid(), "no mark")
        before = tree.cpu()
        burn = "import time\\nwhile time.process_time() < 0.4: pass\\nprint(flush=True); input()"
        helper = subprocess.Popen([sys.executable, "-c", burn], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        helper.stdout.readline()
        tree.find()
        burnt, own = tree.cpu(), time.process_time()
        assert burnt - before >= 0.3  # the kernel counts hundredths
        helper.communicate(b"\\n")
        tree.find()
        more, own = tree.cpu() - burnt, time.process_time() - own
        assert 0 <= more < 0.3 + own, (more, own)
    """
    subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=True)


def test_a_process_that_is_gone_is_no_error():
    helper = subprocess.Popen([sys.executable, "-c", ""])
    helper.wait()
    tree = ProcessTree(helper.pid, "no mark")
    tree.find()
    tree.stop()
    tree.resume()
    assert (tree.cpu(), tree.megabytes(), tree.threads(), tree.kill()) == (0.0, (0.0, 0.0), 0, 0)


def test_a_player_without_limits_may_use_what_it_likes_and_wall_time_can_be_charged_there():
    result = play("sleeps", replace(USUAL, action=1.0, wall=True), level=LEVEL)
    assert (result.ending, result.call) == ("out of time", "action")


def test_printing_is_kept_with_the_turn_in_which_it_was_done():
    printed = Printed()
    play("crashes_in_c", WIDE, watchers=[printed], level=LEVEL)
    assert "Fatal Python error: Segmentation fault" in printed.text[0]


def test_players_stopped_in_the_middle_of_a_game_are_ended_when_their_referee_is_killed(tmp_path):
    two = [f"{PLAYERS / name}.py" for name in ("leaves_children", "sleeps")]
    command = [sys.executable, "-m", "referee", "play", GAME, *two, "--isolation", LEVEL]
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    nowhere = subprocess.DEVNULL
    referee = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=nowhere, stderr=nowhere)
    deadline = time.monotonic() + 300
    # It, two players, three children; of these one is started by a fourth, which may be there for a moment.
    while len(found := living(str(tmp_path))) < 6 and time.monotonic() < deadline:
        time.sleep(0.05)
    assert len(found) >= 6
    referee.send_signal(signal.SIGKILL)
    referee.wait()
    while living(str(tmp_path)) and time.monotonic() < deadline + 300:
        time.sleep(0.05)
    assert living(str(tmp_path)) == []


def test_the_guard_ends_what_it_was_told_of_and_nothing_that_was_taken_back(monkeypatch, tmp_path):
    sleeper = [sys.executable, "-c", "import time; time.sleep(600)"]
    ended, spared = subprocess.Popen(sleeper), subprocess.Popen(sleeper)
    folders = [tmp_path / "one", tmp_path / "two"]
    for folder in folders:
        folder.mkdir()
    try:
        told = [("+", ended, 0), ("+", spared, 1), ("-", spared, 1)]
        lines = [json.dumps([sign, of.pid, f"mark {place}", str(folders[place])]) for sign, of, place in told]
        monkeypatch.setattr(sys, "stdin", lines)
        guard.main()
        assert ended.wait(600) == -signal.SIGKILL
        assert spared.poll() is None
        assert [folder.exists() for folder in folders] == [False, True]
    finally:
        for process_ in (ended, spared):
            process_.kill()
            process_.wait()
