"""Confinement: what a player at the level `full` cannot do, what it can, and how it is told; the levels.

The attacking players are in tests/players; what each tries and what stops it is a table in
referee/isolation/README.md.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from referee import RefereeTrouble
from referee.__main__ import main
from referee.isolation import child, confinement, levels, linux
from referee.isolation.allowance import Allowance
from referee.isolation.confinement import landlock, seccomp
from referee.isolation.process import CannotImport, Fault, PlayerProcess
from referee.players import names
from tests.referee.isolation.test_referee import HARMLESS, REFUSED, VERDICTS
from tests.support import attacks
from tests.support.arena import (  # noqa: F401
    ATTACKS,
    OPPONENT,
    PLAYERS,
    ROOT,
    actions,
    nothing_is_left_behind,
    play,
)

PAGE = (ROOT / "referee" / "isolation" / "README.md").read_text(encoding="utf-8")
HELPERS = {
    "attack",
    "attacks_in_every_way",
    "channel",
    *ATTACKS,
    "tells_its_keywords",
    "tells_its_surroundings",
}

CLASS = r'^class (\w+)\(Attack\):\n    """(.*?)"""\n\n(?:    (WILD) = True\n)?'

# Possible at the level `process` where nothing else forbids them: containers and distributions do forbid
# some, and Python and this folder may be somebody else's.
DEPENDS = set(
    """
    ReadsTheRefereesMemory ReadsTheOpponentsMemory ReadsMemoryByCall WritesMemoryByCall TakesDescriptors
    ComparesProcesses TakesFaults UsesKeys UsesTheRing AsksTheKernel ChangesItsPersonality EntersNamespaces
    SendsOverVersionSix CallsAsA32BitProgram ReadsInAThreadOfNumpys SharesPosixQueues FillsSharedMemory
    LabelsFiles LowersItsMark OpensATerminal TypesIntoTerminals TalksToServices MisusesAPair PlantsBytecode
    TakesALease ChangesModesByDescriptor TakesHugePages MergesMemory PagesOut CountsPages
    ReadsOnlyWhatIsThere SubmitsInput Renices PinsToAProcessor
    """.split()
)


def rows():
    """The page's tables of players: name, and the three cells behind it."""
    found = re.findall(r"^\| `(\w+)` \| (.*?) \| (.*?) \| (.*?) \|$", PAGE, re.M)
    assert len(found) == len({name for name, *_ in found})
    return {name: cells for name, *cells in found}


def attackers():
    """Each attack's docstring, and whether it is only tried confined."""
    found = {}
    for place in ATTACKS:
        text = (PLAYERS / f"{place}.py").read_text(encoding="utf-8")
        classes = re.findall(CLASS, text, re.M)
        assert len(classes) == text.count("(Attack):"), f"{place}: each attack says in a line what it tries"
        found.update((name, (said, bool(wild))) for name, said, wild in classes)
    return found


# Attacks


def attacked(player, level, user):
    """A game of an attacking player in a referee of its own, what was changed in its bait, and the record."""
    bait, copy = (Path(tempfile.mkdtemp(dir="/tmp", prefix=prefix)) for prefix in ("bait-", "players-"))
    try:
        copy.chmod(0o755)
        shutil.copytree(PLAYERS, copy / "players", ignore=shutil.ignore_patterns("__pycache__"))
        attacks.lay(bait, attackers())
        before = attacks.state(bait)
        run = subprocess.run(
            [
                sys.executable,
                "-m",
                "tests.support.attacks",
                player,
                level,
                str(bait),
                str(copy / "players"),
                user,
            ],
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=300,
        )
        assert run.returncode == 0, (
            f"{run.stderr}\nWhere root may not pass on the right to read Python's files, all must be: "
            "run the tests as an ordinary user, or have Python and this folder outside root's"
        )
        after = attacks.state(bait)
        changed = {path for path in {*before, *after} if before.get(path) != after.get(path)}
        return json.loads(run.stdout), changed, (bait / "written.txt").read_text(encoding="utf-8")
    finally:
        shutil.rmtree(bait)
        shutil.rmtree(copy)


def outcomes(told):
    """What came of each attack: its name, `did` or `refused`, and the rest of its line."""
    return {line.split()[0]: line.split(maxsplit=2)[1:] for line in told["printed"][1].splitlines()}


@pytest.mark.parametrize("user", ["this", "ordinary"])
def test_confined_no_attack_gets_through_and_the_game_goes_its_usual_way(user, tmp_path):
    told, changed, record = attacked("attacks_in_every_way", "full", user)
    assert (told["user"] == 0) == (user == "this" and os.getuid() == 0)
    found = outcomes(told)
    assert found.keys() == attackers().keys()
    through = {name: outcome for name, outcome in found.items() if outcome[0] != "refused:"}
    assert not through
    # Two are told that there is no such call; another error would be a mistake of the attack's own.
    other = {name for name, outcome in found.items() if outcome[1] != "PermissionError"}
    assert other == {"ForksTheNewWay", "CallsWithLongNumbers"}
    assert changed == {"written.txt"}
    check_the_game(told, record, tmp_path)


@pytest.mark.parametrize("user", ["this", "ordinary"])
def test_confined_no_attack_of_a_program_gets_through_but_to_become_another_and_to_end(user, tmp_path):
    told, changed, record = attacked("programs/attacks", "full", user)
    found = outcomes(told)
    assert found.keys() == attackers().keys()
    through = {name for name, outcome in found.items() if outcome[0] != "refused:"}
    assert through == {"BecomesAProgram", "WakesAtItsEnd"}
    assert changed == {"written.txt"}
    check_the_game(told, record, tmp_path)


@pytest.mark.parametrize("user", ["this", "ordinary"])
def test_unconfined_many_attacks_get_through_and_the_game_goes_its_usual_way_all_the_same(user, tmp_path):
    told, changed, record = attacked("attacks_in_every_way", "process", user)
    found = outcomes(told)
    assert found.keys() == {name for name, (_, wild) in attackers().items() if not wild}
    through = {name for name, outcome in found.items() if outcome[0] == "did:"}
    possible = {name for name, (_, at_process, _) in rows().items() if at_process == "possible"}
    assert possible - DEPENDS <= through
    assert not through & {
        name for name, (_, at_process, _) in rows().items() if at_process == "the system refuses"
    }
    assert {"WritesARecord/record.txt", "ReplacesTheOpponent/opponent.py"} <= changed  # it is a real bait
    check_the_game(told, record, tmp_path)


def check_the_game(told, record, tmp_path):
    """Finished as without attacks, at the opponent's usual cost, and with a record that replays."""
    assert told["ending"] == "finished" and told["at_fault"] == []
    behaving = play("legal", OPPONENT, seat=1)
    assert told["actions"] == [[player, repr(action)] for player, action in actions(behaving)]
    cpu, megabytes = told["opponent"]
    assert cpu < 1.0 and megabytes < 20
    (tmp_path / "written.txt").write_text(record)
    assert main(["replay", str(tmp_path / "written.txt")]) == 0


@pytest.mark.parametrize("user", ["this", "ordinary"])
def test_confined_nobody_reads_in_ropasci_what_the_opponent_has_chosen(user):
    told, _, _ = attacked("reads_the_hidden_choice", "full", user)
    looks = told["printed"][1].splitlines()
    assert len(looks) > 3 and set(looks) == {"refused: PermissionError"}


# The page


def test_the_page_has_each_player_that_attacks_and_says_of_it_what_its_code_says():
    assert len(attackers()) >= 40
    for name, (said, wild) in attackers().items():
        assert name in rows(), f"referee/isolation/README.md has no row for {name}"
        tries, at_process, at_full = rows()[name]
        assert tries == said
        assert (at_process == "not tried") == wild
        assert at_process in ("possible", "only root", "the system refuses", "not tried")
        assert at_full in ("Landlock", "seccomp", "both")


def test_the_page_has_each_player_at_fault_and_says_of_it_how_it_ends():
    faulty = {path.stem for path in PLAYERS.glob("*.py")} - HELPERS
    assert rows().keys() == faulty | attackers().keys()
    endings = {name: "finished" for name in HARMLESS}
    endings.update((name.partition(":")[0], ending) for name, ending, *_ in VERDICTS)
    for name, ending in endings.items():
        _, at_process, at_full = rows()[name]
        assert at_process.startswith(f"{ending}: "), name
        assert at_full == ("crashed: seccomp refuses" if name in REFUSED else "the same"), name


# What a confined player can do all the same


def team(folder, **files):
    """A package of these files below the folder, as a player at the level `full`."""
    package = folder / "team"
    package.mkdir()
    (package / "__init__.py").write_text("from .player import Player\n")
    for name, content in files.items():
        (package / f"{name}.py").write_text(content)
    return PlayerProcess(names.resolve(str(package)), "A", "", Allowance(action=20.0, isolation="full"))


HEAD = "class Player:\n    def __init__(self, colour):\n        pass\n\n    def action(self):\n"


def answers(folder, code, **files):
    """What such a player's action returns, whose code is this."""
    lines = "".join(f"        {line}\n" for line in code.splitlines())
    files["player"] = f"{HEAD}{lines}"
    with team(folder, **files) as player:
        player.start()
        player.construct()
        return player.action()


def test_it_reads_its_own_package_python_and_itself(tmp_path, monkeypatch):
    libraries = tmp_path / "libraries"
    libraries.mkdir()
    (libraries / "library.so").write_text("9")
    monkeypatch.setenv("LD_LIBRARY_PATH", f":{libraries}")
    code = (
        "import os, random, decimal, sqlite3, numpy.polynomial, numpy.fft\n"
        "from . import late\n"
        "here = os.path.dirname(__file__)\n"
        "with open(here + '/late.py') as file: own = len(file.read())\n"
        "with open('/proc/self/status') as file: status = 'VmHWM' in file.read()\n"
        "with open(os.devnull, 'w') as file: file.write('x')\n"
        "with open('libraries/library.so') as file: library = file.read()\n"
        "return sorted(os.listdir(here))[0], own, late.VALUE, int(status), len(os.urandom(4)), library"
    )
    assert answers(tmp_path, code, late="VALUE = 7\n") == ("__init__.py", 10, 7, 1, 4, "9")


def test_its_threads_and_numpys_work_and_are_charged(tmp_path):
    code = (
        "import numpy, threading, time\n"
        "from concurrent.futures import ThreadPoolExecutor\n"
        "one = numpy.ones((900, 900))\n"
        "total = int((one @ one).sum())\n"
        "def burn():\n"
        "    until = time.thread_time() + 0.2\n"
        "    while time.thread_time() < until: pass\n"
        "threads = [threading.Thread(target=burn) for _ in range(2)]\n"
        "for one in threads: one.start()\n"
        "for one in threads: one.join()\n"
        "with ThreadPoolExecutor(2) as pool: more = sum(pool.map(int, ['1', '2']))\n"
        "return total, more"
    )
    lines = "".join(f"        {line}\n" for line in code.splitlines())
    with team(tmp_path, player=f"{HEAD}{lines}") as player:
        player.start()
        player.construct()
        assert player.action() == (900**3, 3)
        assert player.cpu > 0.4


def test_event_loops_pipes_timers_and_its_own_signals_work(tmp_path):
    code = (
        "import asyncio, os, resource, signal, socket, threading\n"
        "got = []\n"
        "async def main():\n"
        "    await asyncio.sleep(0.01)\n"
        "    return 5\n"
        "got.append(asyncio.run(main()))\n"
        "near, far = socket.socketpair()\n"
        "near.sendall(b'abc')\n"
        "got.append(len(far.recv(9)))\n"
        "signal.signal(signal.SIGUSR1, lambda *_: got.append(6))\n"
        "os.kill(os.getpid(), signal.SIGUSR1)\n"
        "signal.raise_signal(signal.SIGUSR1)\n"
        "resource.setrlimit(resource.RLIMIT_STACK, resource.getrlimit(resource.RLIMIT_STACK))\n"
        "return tuple(got)"
    )
    assert answers(tmp_path, code) == (5, 3, 6, 6)


def test_a_zip_plays_confined(tmp_path):
    (tmp_path / "team").mkdir()
    (tmp_path / "team" / "__init__.py").write_text("class Player:\n    def __init__(self, colour): pass\n")
    shutil.make_archive(str(tmp_path / "handed"), "zip", tmp_path, "team")
    shutil.rmtree(tmp_path / "team")
    spec = names.resolve(str(tmp_path / "handed.zip"))
    with PlayerProcess(spec, "A", "", Allowance(isolation="full")) as player:
        player.start()
        player.construct()


# What it is told


REFUSALS = {
    "open('notes.txt', 'w')": "[Errno 13] Permission denied: 'notes.txt' (confined, see --isolation: ",
    "open(99 * 'x', 'w')": "PermissionError: [Errno 13] Permission denied: 'xxx",
    "open(__file__, 'a')": "(confined, see --isolation: it reads its own package and Python, writes no files",
    "import subprocess; subprocess.run(['ls'])": "has no processes and no network)",
    "import multiprocessing; multiprocessing.Pool(2)": "(confined, see --isolation: ",
    "import socket; socket.create_connection(('127.0.0.1', 9))": "has no processes and no network)",
    "import tempfile; tempfile.mkdtemp()": "(confined, see --isolation: ",
    "import os; os.listdir(os.path.expanduser('/'))": "(confined, see --isolation: ",
    "import helper": "(helper is not in the player's own package: move it there, or use --readable)",
}


@pytest.mark.parametrize("code", REFUSALS)
def test_what_is_refused_is_a_crash_that_says_why(tmp_path, code):
    (tmp_path / "helper.py").write_text("VALUE = 3\n")
    with pytest.raises(Fault) as caught:
        answers(tmp_path, code)
    assert (caught.value.ending, caught.value.call) == ("crashed", "action")
    assert REFUSALS[code] in caught.value.message
    assert len(caught.value.message) <= 200  # all of it is shown in a verdict
    assert sorted(path.name for path in tmp_path.iterdir()) == ["helper.py", "team"]


def test_an_error_that_is_not_confinements_is_not_put_down_to_it(tmp_path):
    for code in ("import nothing_of_that_name", "open('team/nothing.txt')", "raise ValueError('no')"):
        with pytest.raises(Fault) as caught:
            answers(tmp_path, code)
        assert "confined" not in caught.value.message and "--" not in caught.value.message
        shutil.rmtree(tmp_path / "team")


def test_a_module_beside_the_player_can_be_read_where_that_is_allowed(tmp_path):
    (tmp_path / "solo.py").write_text(
        "import helper\nclass Player:\n    def __init__(self, colour): pass\n"
        "    def action(self): return helper.VALUE\n"
    )
    (tmp_path / "helper.py").write_text("VALUE = 3\n")
    spec = names.resolve(str(tmp_path / "solo.py"))
    with PlayerProcess(spec, "A", "", Allowance(isolation="full")) as player:
        with pytest.raises(CannotImport, match="helper is not in the player's own package"):
            player.start()
    allowed = Allowance(isolation="full", readable=(str(tmp_path / "helper.py"),))
    with PlayerProcess(spec, "A", "", allowed) as player:
        player.start()
        player.construct()
        assert player.action() == 3


def test_a_package_whose_init_is_a_link_that_leads_out_of_it_is_told_so(tmp_path):
    (tmp_path / "elsewhere.py").write_text(f"{HEAD}        return 3\n")
    (tmp_path / "team").mkdir()
    (tmp_path / "team" / "__init__.py").symlink_to(tmp_path / "elsewhere.py")
    spec = names.resolve(str(tmp_path / "team"))
    with PlayerProcess(spec, "A", "", Allowance(isolation="full")) as player:
        with pytest.raises(CannotImport, match="its __init__.py cannot be read; where that is a link"):
            player.start()


# Levels


def test_the_level_is_shown_and_kept(tmp_path, capsys):
    for level in ("full", "process"):
        words = ["play", "kalaha:4x3", "random", "random", "-v", "1", "--isolation", level]
        assert main([*words, "--record", str(tmp_path / level)]) == 0
        shown = capsys.readouterr()
        assert f"isolation level {level}" in shown.out
        assert ("they can read and write your files" in shown.err) == (level == "process")
        (record,) = (tmp_path / level).iterdir()
        assert f"\nisolation: '{level}'\n" in record.read_text()
        assert main([*words, "--json"]) == 0
        assert json.loads(capsys.readouterr().out.splitlines()[-1])["isolation"] == level


def test_a_tournament_keeps_its_level_and_does_not_mix_them(tmp_path, capsys):
    words = ["tournament", "kalaha:4x3", "random", "random", "--jobs", "1", "--journal", str(tmp_path / "j")]
    assert main([*words, "--pairs", "1", "--isolation", "process"]) == 0
    assert "isolation level process" in capsys.readouterr().out
    assert json.loads((tmp_path / "j").read_text().splitlines()[0])["isolation"] == "process"
    assert main([*words, "--pairs", "2"]) == 2
    assert "its isolation is process, not full" in capsys.readouterr().err


COMMANDS = (["play", "kalaha:4x3", "random", "random"], ["tournament", "kalaha:4x3", "random", "random"])


@pytest.mark.parametrize("command", COMMANDS, ids=["play", "tournament"])
def test_less_isolation_than_required_is_exit_3_and_nothing_is_played(command, tmp_path, capsys, monkeypatch):
    kept = tmp_path / "kept"
    required = [*command, "--record", str(kept), "--require-isolation"]
    assert main([*required, "full", "--isolation", "process"]) == 3
    said = "--require-isolation full: players would be isolated at the level 'process' only"
    assert said in capsys.readouterr().err
    monkeypatch.setattr(landlock, "version", lambda library: 0)
    monkeypatch.setattr(levels, "_on_linux", levels._on_linux.__wrapped__)
    assert main([*required, "full"]) == 3
    assert "the kernel has no Landlock: it is older than Linux 5.13" in capsys.readouterr().err
    monkeypatch.setattr(linux, "works", lambda: False)
    assert main([*required, "process"]) == 3
    assert main([*command, "--isolation", "full"]) == 3
    assert "cannot be isolated at the level 'full' here" in capsys.readouterr().err
    assert main([*command, "--require-isolation", "best"]) == 2
    assert not kept.exists()


def test_enough_isolation_is_enough(capsys):
    for required in levels.LEVELS:
        assert main([*COMMANDS[0], "-v", "0", "--require-isolation", required]) == 0


@pytest.mark.parametrize(
    "system, sentence",
    [
        ({"version": 0}, "the kernel has no Landlock"),
        ({"works": False}, "the kernel takes no seccomp filters"),
        ({"machine": "riscv64"}, "there is no table of the system calls of riscv64"),
        ({"platform": "darwin"}, "the system is not Linux"),
    ],
)
def test_a_system_that_cannot_confine_says_why_and_plays_at_the_next_level(monkeypatch, system, sentence):
    monkeypatch.setattr(levels, "_on_linux", levels._on_linux.__wrapped__)
    if "version" in system:
        monkeypatch.setattr(landlock, "version", lambda library: 0)
    if "works" in system:
        monkeypatch.setattr(seccomp, "works", lambda library, machine: False)
    if "machine" in system:
        monkeypatch.setattr(os, "uname", lambda: os.uname_result(("Linux", "", "6.1", "", system["machine"])))
    if "platform" in system:
        monkeypatch.setattr(confinement.sys, "platform", "darwin")
        monkeypatch.setattr(linux, "works", lambda: True)
    level, said = levels.with_warning()
    assert level == "process" and sentence in said and "they can read and write your files" in said
    with pytest.raises(RefereeTrouble, match=re.escape(sentence)):
        levels.kind("full")


# The far end


def test_a_confinement_without_effect_is_the_referees_trouble(monkeypatch, tmp_path):
    copy = shutil.copytree(ROOT / "referee" / "isolation", tmp_path / "isolation")
    place = copy / "confinement" / "__init__.py"
    source = place.read_text()
    place.write_text(source.replace("    seccomp.install(", "    print("))
    assert place.read_text() != source
    monkeypatch.setattr(child, "LAUNCHER", str(copy / "launcher.py"))
    spec = names.resolve(str(PLAYERS / "legal.py"))
    with PlayerProcess(spec, "A", "", Allowance(isolation="full")) as player:
        with pytest.raises(RefereeTrouble, match="has no effect.*--isolation process"):
            player.start()


def test_a_player_in_the_middle_of_a_home_reads_only_its_own_folder(tmp_path):
    (tmp_path / "letters.txt").write_text("private")
    (tmp_path / "records").mkdir()
    (tmp_path / "records" / "a.txt").write_text("seed: 7")
    (tmp_path / "team").mkdir()
    (tmp_path / "team" / "table.txt").write_text("5")
    code = (
        "import os\n"
        "found = []\n"
        "for path in ('letters.txt', 'records/a.txt', '.', 'records', '..', 'team/table.txt'):\n"
        "    try: found.append(len(os.listdir(path)) if os.path.isdir(path) else open(path).read())\n"
        "    except PermissionError: found.append('refused')\n"
        "return tuple(found)"
    )
    lines = "".join(f"        {line}\n" for line in code.splitlines())
    (tmp_path / "team" / "__init__.py").write_text(f"{HEAD}{lines}")
    spec = names.resolve(str(tmp_path / "team"))
    with PlayerProcess(spec, "A", "", Allowance(isolation="full")) as player:
        player.start()
        player.construct()
        assert player.action() == ("refused",) * 5 + ("5",)
