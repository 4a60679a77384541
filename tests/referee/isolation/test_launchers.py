"""Players forked from a launcher: as if started anew in all that counts, with new lots, and nothing left."""

import json
import os
import shutil
import signal
import subprocess
import sys
from dataclasses import replace

import numpy
import pytest

from referee.__main__ import main
from referee.isolation import child, launchers, levels, loaded, pages, proc
from referee.isolation.allowance import Allowance
from referee.isolation.process import PlayerProcess
from referee.isolation.requests import Requests, await_start
from referee.players import names, objects
from referee.tournament import jobs
from referee.tournament.plan import Entrant, Pair, entrant_of, from_plain
from tests import ROOT
from tests.support.arena import OPPONENT, living, nothing_is_left_behind, one, play, ready  # noqa: F401

WAYS = pytest.mark.parametrize("cold", [False, True], ids=["forked", "cold"])
LEVELS = pytest.mark.parametrize("level", ["full", "process"])


def player(folder, body, level="full", cold=False, name="team", top=""):
    """A player whose action is this code, started and made."""
    lines = "".join(f"        {line}\n" for line in body.splitlines())
    head = "class Player:\n    def __init__(self, colour): pass\n    def action(self):\n"
    (folder / f"{name}.py").write_text(f"{top}\n{head}{lines}")
    spec = names.resolve(str(folder / f"{name}.py"))
    return ready(PlayerProcess(spec, "A", "", Allowance(action=60.0, isolation=level, cold=cold)))


def answer(folder, body, **named):
    with player(folder, body, **named) as one_of_them:
        return one_of_them.action()


LOADS = """
import sys
from referee.isolation import loaded, proc
fork_once, is_loaded = loaded._fork_once, []
def noted():
    is_loaded.append("numpy" in sys.modules)
    fork_once()
loaded._fork_once = noted
loaded.Loaded()
print("numpy" in sys.modules, True in is_loaded, len(proc.names(loaded.TASKS)))
"""


def test_threads_of_numpys_library_are_ended_before_they_look_for_work_while_numpy_is_loaded():
    run = subprocess.run([sys.executable, "-c", LOADS], cwd=ROOT, capture_output=True, text=True)
    assert run.stdout == "True False 1\n", run.stderr  # on one core there are none


# The same both ways


USES = """
import numpy, numpy.fft
one = numpy.ones((300, 300))
total = int(PRODUCT[0, 0]) + len(numpy.fft.fft(one[0]))
self.kept = bytearray(b"x") * 30_000_000
return total
"""


@LEVELS
@pytest.mark.parametrize("product", ["one @ one", "300 * one"])
def test_memory_is_counted_alike_however_a_player_was_started(level, product, tmp_path):
    figures = []
    for cold in (False, True):
        with player(tmp_path, USES.replace("PRODUCT", f"({product})"), level, cold) as one_of_them:
            process = one_of_them._child
            before = process._growth.base, one_of_them.megabytes
            assert one_of_them.action() == 600
            figures.append((*before, one_of_them.megabytes, one_of_them.course_megabytes))
    (base, made, grown, space), (cold_base, cold_made, cold_grown, cold_space) = figures
    assert abs(base[0] - cold_base[0]) < 3000 and abs(base[1] - cold_base[1]) < 3000  # kilobytes
    assert abs(made - cold_made) < 1.5 and abs(grown - cold_grown) < 1.5 and grown > 28  # megabytes
    assert space > 28
    if "@" not in product:  # BLAS takes its buffer anew, or again, by how many cores there are
        assert abs(space - cold_space) < 3


@LEVELS
@WAYS
def test_all_that_is_used_after_the_import_is_charged_and_nothing_before(level, cold, tmp_path):
    burn = "import time\nend = time.process_time() + 0.1\nwhile time.process_time() < end: pass"
    with player(tmp_path, f"{burn}\nreturn 1", level, cold, top=burn) as one_of_them:
        pid = one_of_them._child._player
        free = proc.clock(pid) - one_of_them.cpu
        assert free > 0.1 > one_of_them.cpu  # its start and import
        one_of_them.action()
        assert one_of_them.cpu > 0.1
        before, charged, after = proc.clock(pid), one_of_them.cpu, proc.clock(pid)
        assert before - free - 0.01 <= charged <= after - free + 0.01


SURROUNDINGS = """
import faulthandler, os, resource, signal, sys, threading
ours = ("isolation", "further", "referee", "confinement")
def is_open(descriptor):
    try:
        return os.fstat(descriptor)
    except OSError:
        return False
seen = [
    [os.readlink(f"/proc/self/fd/{name}").partition(":")[0] for name in range(64) if is_open(name)],
    [resource.getrlimit(one) for one in (resource.RLIMIT_CORE, resource.RLIMIT_NOFILE)],
    sorted(name for name in sys.modules if name.startswith(ours)),
    [(one.encoding, one.errors, one.line_buffering, one.isatty(), one.seekable())
     for one in (sys.stdin, sys.stdout, sys.stderr)],
    [os.getcwd(), sys.path[0], sys.argv, sorted(os.environ), os.getsid(0) == os.getpid()],
    [str(signal.getsignal(one)) for one in (signal.SIGINT, signal.SIGCHLD)], signal.pthread_sigmask(0, []),
    [threading.active_count(), faulthandler.is_enabled(), "numpy" in sys.modules, str(sys.flags)],
]
return repr(seen).replace(str(os.getpid()), "PID")
"""


@LEVELS
def test_a_player_sees_the_same_around_it_both_ways(level, tmp_path):
    seen = answer(tmp_path, SURROUNDINGS, level=level)
    assert seen == answer(tmp_path, SURROUNDINGS, level=level, cold=True)


def test_one_that_is_forked_is_confined_before_its_first_line(tmp_path):
    top = "try:\n    open('/etc/hostname').close()\n    SEEN = 1\nexcept PermissionError:\n    SEEN = 0"
    body = "import os, threading\nfound = [SEEN]\n" + (
        "def look():\n    found.append(os.access('/etc/hostname', os.R_OK) and 2)\n"
        "    try: open('/etc/hostname')\n    except PermissionError: found.append(0)\n"
        "thread = threading.Thread(target=look)\nthread.start()\nthread.join()\nreturn tuple(map(int, found))"
    )
    assert answer(tmp_path, body, top=top)[::2] == (0, 0)


def last(state, legal):
    return legal[-1]


@LEVELS
@WAYS
def test_the_referees_own_players_are_started_without_numpy_and_a_programs_function_with_it(level, cold):
    own = names.resolve("greedy")
    function, readable = objects.importable(last)
    assert function.module == own.module
    for spec in own, function:
        allowance = Allowance(action=60.0, isolation=level, cold=cold, readable=readable)
        with ready(PlayerProcess(spec, "A", "", allowance, (("game", "kalaha:4x3"),))) as player_:
            assert player_.action() in range(1, 5)
            with open(f"/proc/{player_._child._player}/maps") as file:
                assert ("numpy" in file.read()) == (spec is function)


# New in each


def test_random_numbers_are_new_in_each_that_is_forked(tmp_path):
    body = "import random, numpy\nreturn repr((random.random(), float(numpy.random.random())))"
    assert len({answer(tmp_path, body) for _ in range(3)}) == 3


def test_generators_that_a_launcher_had_loaded_are_seeded_again():
    copy = loaded.Loaded.__new__(loaded.Loaded)
    copy._runs = []
    states = []
    for _ in range(2):
        numpy.random.seed(5)
        copy.renew()
        states.append(numpy.random.random())
    assert states[0] != states[1]


def test_players_at_one_time_have_launchers_of_their_own_and_later_ones_share_them_up_to_a_number(
    monkeypatch,
):
    monkeypatch.setattr(launchers, "STARTS", 3)
    launchers.end_idle()
    used = []
    for _ in range(4):
        with ready(one("legal")) as first, ready(one("legal")) as second:
            assert first._child._launcher is not second._child._launcher
            used.append(frozenset((first._child._launcher, second._child._launcher)))
    assert used[0] == used[1] == used[2] and not used[2] & used[3]
    assert all(not launcher.lives() for launcher in used[0])


def own(name):
    """One of the referee's own players, started and made."""
    return ready(PlayerProcess(names.resolve(name), "A", "", OPPONENT, (("game", "kalaha:4x3"),)))


def test_the_referees_own_players_share_a_launcher_that_is_there_until_all_are_gone(
    monkeypatch,
):
    monkeypatch.setattr(launchers, "STARTS", 3)
    launchers.end_idle()
    with own("random") as first:
        launcher = first._child._launcher
        with own("greedy") as second:
            assert second._child._launcher is launcher and second.action() in range(1, 5)
        assert launcher.lives() and launcher not in launchers._idle
        with own("random") as third, own("random") as fourth:
            assert third._child._launcher is launcher is not fourth._child._launcher
        assert launcher.lives() and first.action() in range(1, 5)
    assert not launcher.lives() and launcher.pid not in launchers.sessions()


def test_where_a_shared_launcher_is_ended_too_early_its_other_players_play_on_and_new_ones_get_another():
    launchers.end_idle()
    with own("random") as first:
        launcher = first._child._launcher
        launcher.end(at_once=True)
        assert launcher.pid in launchers.sessions()  # since a keeper is there
        with own("random") as second:
            assert second._child._launcher is not launcher
            assert second.action() in range(1, 5) and first.action() in range(1, 5)
    assert launcher.pid not in launchers.sessions()


def test_variables_are_there_at_the_import_and_not_for_the_next_player_of_the_same_launcher(tmp_path):
    (tmp_path / "team.py").write_text(
        "import os\nPLACE = os.path.expanduser('~')\n"
        "class Player:\n    def __init__(self, colour): pass\n    def action(self): return PLACE\n"
    )
    seen, used = [], []
    for variables in ({"HOME": "/nowhere"}, {}):
        process = levels.unconfined()(child.Start(str(tmp_path), is_plain=True, variables=variables))
        try:
            await_start(process)
            asked = Requests(process)
            asked.ask("load", str(tmp_path), "team", ["Player"])
            asked.ask("make", "A", "{}", "{}")
            seen.append(asked.ask("action")[1])
            used.append(process._launcher)
        finally:
            process.kill()
            process.close()
    assert seen == ["/nowhere", os.path.expanduser("~")] and used[0] is used[1]


SECRET = "the secret of the first player"
LOOKS = """
import re
found = 0
with open("/proc/self/maps") as maps, open("/proc/self/mem", "rb", 0) as memory:
    for line in maps:
        place, rights = line.split()[:2]
        begin, end = (int(number, 16) for number in place.split("-"))
        if rights.startswith("rw"):
            memory.seek(begin)
            try:
                found += len(re.findall(rb"the.secret.of.the.first.pl[a]yer", memory.read(end - begin)))
            except OSError:
                pass
return found
"""


def test_nothing_of_an_earlier_player_is_in_the_memory_of_a_later_one(tmp_path):
    launchers.end_idle()
    place = tmp_path / "one" / SECRET.replace(" ", "_")  # the folder's name is nothing for others either
    other = tmp_path / "other"
    place.mkdir(parents=True)
    other.mkdir()
    with player(place, LOOKS, "process", top=f"SECRET = {SECRET!r}") as first:
        launcher = first._child._launcher
        assert first.action() > 1
    with player(other, LOOKS, "process") as second:
        assert second._child._launcher is launcher
        assert second.action() == 0


# Launchers


def test_a_launcher_that_has_ended_is_replaced(monkeypatch):
    with ready(one("legal")) as player_:
        launcher = player_._child._launcher
    os.kill(launcher.pid, signal.SIGKILL)
    launcher._process.wait()
    with ready(one("legal")) as player_:
        assert player_._child._launcher not in (None, launcher)


def test_a_launcher_that_a_player_has_stopped_is_replaced():
    with ready(one("stops_its_launcher", replace(OPPONENT, isolation="process"))) as player_:
        launcher = player_._child._launcher
        for _ in range(3):
            player_.action()
        while proc.state(launcher.pid) != "T":  # a signal takes its time
            pass
    with ready(one("legal")) as player_:
        assert player_._child._launcher not in (None, launcher)
    assert proc.state(launcher.pid) == ""


def test_a_launcher_that_stops_when_it_is_to_start_a_player_is_replaced_then(monkeypatch):
    with ready(one("legal")) as player_:
        launcher, take = player_._child._launcher, launchers.take
    os.kill(launcher.pid, signal.SIGSTOP)
    launchers._idle.remove(launcher)
    launcher.serving = 1  # as one that was taken
    taken = [launcher]
    monkeypatch.setattr(launchers, "take", lambda *made_of: (taken or [take(*made_of)]).pop())
    with ready(one("legal")) as player_:
        assert player_._child._launcher not in (None, launcher)
    assert proc.state(launcher.pid) == "" and launchers._failed == []


def test_where_launchers_end_before_they_start_anybody_players_start_cold(monkeypatch, tmp_path):
    copy = shutil.copytree(ROOT / "referee" / "isolation", tmp_path / "isolation")
    (copy / "loaded.py").write_text("import os\nclass Loaded:\n    def __init__(self): os._exit(1)\n")
    monkeypatch.setattr(child, "LAUNCHER", str(copy / "launcher.py"))
    monkeypatch.setattr(launchers, "_failed", [])
    for _ in range(2):
        result = play("legal", OPPONENT)
        assert result.ending == "finished"
        assert len(launchers._failed) in (1, 2)  # both players may have found out
    with ready(one("legal")) as player_:
        assert player_._child._launcher is None


def test_a_launcher_has_the_environment_that_its_players_are_to_have(monkeypatch, tmp_path):
    body = "import os\nreturn os.environ.get('TZ', '')"
    for zone in ("UTC", "Europe/Paris", "UTC"):
        monkeypatch.setenv("TZ", zone)
        assert answer(tmp_path, body) == zone


def test_few_launchers_wait_and_none_is_left_where_they_are_ended():
    launchers.end_idle()
    many = [one("legal") for _ in range(launchers.IDLE + 2)]
    for player_ in many:
        player_.spawn()
    for player_ in many:
        player_.close()
    assert len(launchers.sessions()) <= launchers.IDLE
    launchers.end_idle()
    assert launchers.sessions() == set() and living(os.environ["TMPDIR"]) == []


def test_a_copy_of_the_referees_process_has_no_launchers_of_the_referees():
    with ready(one("legal")):
        pass
    assert launchers._idle
    copy = os.fork()
    if copy == 0:
        os._exit(len(launchers._idle))
    assert os.waitpid(copy, 0)[1] == 0


def test_files_pages_of_this_process_are_found_and_had():
    runs = pages.present()
    assert sum(size for _, size, _ in runs) > 2**20
    copy = os.fork()
    if copy == 0:
        before = proc.sizes("/proc/self/status")["RssFile"]
        pages.have(runs)
        os._exit(proc.sizes("/proc/self/status")["RssFile"] <= before)
    assert os.waitpid(copy, 0)[1] == 0


def test_a_match_process_that_ends_leaves_nothing_to_whoever_started_it(monkeypatch):
    entrant = entrant_of(names.resolve("random"), OPPONENT)
    pair = Pair("kalaha:4x3", 1, (0, 1), (entrant, entrant), 1, ())
    how = {"isolation": levels.with_warning()[0], "must_import": False, "keep_records": False}
    before = set(proc.children(os.getpid()))
    runner = jobs.Local(1)
    try:
        assert len(runner.submit({**pair.plain(), **how}).result()["games"]) == 2
    finally:
        runner.close()
        jobs.end_spare()
    assert set(proc.children(os.getpid())) <= before


# The option


def test_cold_starts_a_new_interpreter_for_each_player(monkeypatch, capsys):
    monkeypatch.setattr(launchers, "take", lambda *made_of: pytest.fail("a launcher was taken"))
    assert main(["play", "kalaha:4x3", "random", "random", "--cold", "--json"]) == 0
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["games"] == 1


def test_a_pair_travels_with_how_its_players_are_started_and_is_the_same_pair():
    pairs = []
    for cold in (False, True):
        entrant = Entrant(names.resolve("random"), Allowance(cold=cold), "0")
        pairs.append(Pair("kalaha", 1, (0, 1), (entrant, entrant), 1, ()))
    assert pairs[0].id == pairs[1].id
    travelled = [from_plain(json.loads(json.dumps(pair.plain()))) for pair in pairs]
    assert [pair.entrants[0].allowance.cold for pair in travelled] == [False, True]
