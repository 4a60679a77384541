"""Everything runs on a Python that lacks what Windows lacks: see tests/support/elsewhere.py."""

import builtins
import contextlib
import http.client
import importlib
import json
import os
import re
import subprocess
import sys
import types

import pytest

from referee.commands import replay
from referee.isolation import child
from referee.match import record
from referee.tournament import locks
from tests import ROOT
from tests.long.lab import FORM, Window
from tests.support import elsewhere
from tests.support.lab import RunningLab, awaited, own_port
from tests.support.samples import few

PLAYERS = ROOT / "tests" / "players"
GAME = "kalaha:4x3"
LIMITS = ("--action-time", "0.5", "-s", "100")
NOTE = re.compile(r"referee: (warning: )?isolation level portable: .*\n")


@pytest.fixture(scope="session")
def python(tmp_path_factory):
    return elsewhere.make(tmp_path_factory.mktemp("elsewhere") / "python")


@pytest.fixture
def run(python, tmp_path):
    """Runs the referee in an empty folder on a terminal of few letters; the exit code and what it says."""

    def run(*words, code=0, text=None):
        environment = {**os.environ, "PYTHONIOENCODING": "cp1252", "TMPDIR": str(tmp_path)}
        done = subprocess.run(
            [python, "-m", "referee", *map(str, words)],
            cwd=tmp_path,
            env=environment,
            input=text,
            capture_output=True,
            encoding="cp1252",
            timeout=600,
        )
        assert done.returncode == code, done.stdout + done.stderr
        assert "Traceback" not in done.stderr, done.stderr
        return done.stdout, NOTE.sub("", done.stderr)

    return run


def games(said):
    return [json.loads(line) for line in said.splitlines()]


def test_what_is_taken_away_is_gone_here_and_in_processes_that_are_started(python):
    script = (
        "import os, select, signal, subprocess, sys\n"
        "assert not any(hasattr(os, name) for name in ('fork', 'killpg', 'pidfd_open', 'setsid', 'getuid'))\n"
        "assert not hasattr(signal, 'SIGKILL') and not hasattr(select, 'poll')\n"
        "for name in ('fcntl', 'resource', 'termios', 'pwd', 'grp'):\n"
        "    try: __import__(name)\n"
        "    except ImportError: continue\n"
        "    raise SystemExit(name)\n"
        "for path, mode in (('/proc/self/stat', 'rb'), ('a:b.txt', 'wb'), ('Con.txt', 'wb')):\n"
        "    try: open(path, mode)\n"
        "    except OSError: continue\n"
        "    raise SystemExit(path)\n"
        "if len(sys.argv) == 2: subprocess.run([sys.executable, '-E', '-P', '-c', sys.argv[1]], check=True)\n"
    )
    subprocess.run([python, "-c", script, script], check=True, timeout=600)


MORE_ENDINGS = [("returns:Long", "illegal action"), ("grows_at_once", "out of memory"), ("raises", "crashed")]


@pytest.mark.parametrize(
    "player, ending",
    [
        ("legal", "finished"),
        ("loops_in_c", "out of time"),
        ("stops_itself", "no answer"),
        *few([], MORE_ENDINGS),
    ],
)
@pytest.mark.lengthy
def test_each_of_the_six_endings_is_played_recorded_replayed_and_shown(player, ending, run, tmp_path):
    name, _, cls = player.partition(":")
    path = tmp_path / "team.py"
    text = (PLAYERS / f"{name}.py").read_text(encoding="utf-8")
    if ending == "no answer":
        text = "import time\nfrom legal import Legal\nclass Player(Legal):\n    def action(self):\n"
        text += "        time.sleep(600)\n"
    path.write_text(text.replace("import ctypes.util", "import ctypes"), encoding="utf-8")
    (tmp_path / "legal.py").write_text((PLAYERS / "legal.py").read_text(encoding="utf-8"), encoding="utf-8")
    who = f"team.py:{cls}" if cls else "team.py"
    words = ["play", GAME, who, "random", *LIMITS, "--json", "--record", "records", "--html", "page.html"]
    said, _ = run(*words, code=int(ending != "finished"))
    game, summary = games(said)
    assert (game["ending"], summary["isolation"]) == (ending, "portable"), game["reason"]
    written = tmp_path / game["record"]
    assert re.fullmatch(r"kalaha_4x3-seed0-001-team\.py\w*-random\.txt", written.name)
    assert b"\r" not in written.read_bytes() and b"\r" not in (tmp_path / "page.html").read_bytes()
    said, _ = run("replay", game["record"], "--html", "again.html")
    assert ("same, A" in said or "same, B" in said or "draw" in said) == (ending == "finished"), said


def test_a_tournament_is_played_continued_and_reported(run, tmp_path):
    words = ["tournament", GAME, "random", "greedy", "--jobs", "2", "--journal", "games.jsonl", "--json"]
    words += ["--report", "report.html", "--record", "records", "--seed", "5"]
    run(*words, "--pairs", "1")
    said, _ = run(*words, "--pairs", "2")
    summary = games(said)[-1]
    assert (summary["pairs"], summary["resumed"], summary["isolation"]) == (2, 1, "portable")
    assert len(list((tmp_path / "records").iterdir())) == 4
    assert len(list(tmp_path.glob("report*/004.html"))) == 1
    said, _ = run("standings", "games.jsonl", "--json", "--report", "again.html")
    assert games(said)[-1]["pairs"] == 2 and (tmp_path / "again.html").exists()
    run("replay", "games.jsonl", "--pair", "2")
    run("replay", *(tmp_path / "records").iterdir())


def test_a_turn_is_profiled(run, tmp_path):
    said, _ = run(
        "profile",
        "kalaha",
        "kalaha_agent",
        "--nodes",
        "300",
        "--samples",
        "1",
        "--json",
        "--html",
        "page.html",
    )
    assert json.loads(said)["functions"]
    assert (tmp_path / "page.html").stat().st_size > 1000


@pytest.mark.lengthy
def test_a_package_is_checked_and_packed_and_plays_from_its_zip(run, tmp_path):
    package = tmp_path / "team"
    package.mkdir()
    student = (PLAYERS / "handin" / "kalaha.py").read_text(encoding="utf-8")
    (package / "__init__.py").write_text(student, encoding="utf-8")
    said, _ = run("check", "kalaha", "team", "--share", "0.1", "--only", "constructor")
    assert "nothing to object to" in said
    run("pack", "kalaha", "team", "team.zip")  # after all steps
    said, _ = run("play", "kalaha", "team.zip", "random", "--json")
    assert games(said)[0]["ending"] == "finished"


def test_a_human_plays_at_the_terminal_and_on_the_page(python, run, tmp_path):
    said, _ = run("play", GAME, "human", "random", "--record", "records", text="help\n1\nquit\n")
    assert "A: " in said
    command = [python, "-m", "referee", "play", GAME, "human", "random", "--web"]
    environment = {**os.environ, "BROWSER": "true", "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(
        command,
        cwd=tmp_path,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
    ) as referee:
        try:
            lines = iter(referee.stdout.readline, "")
            address = (re.search(r"http://([0-9.:]+)/([^/]+)/", line) for line in lines)
            host, token = next(filter(None, address)).groups()

            def asked(method, path, body=None):
                link = http.client.HTTPConnection(host, timeout=600)
                headers = {"Content-Type": "application/json", "Origin": f"http://{host}"}
                link.request(method, f"/{token}/{path}", body and json.dumps(body), headers)
                reply = link.getresponse()
                content = reply.read().decode("utf-8")
                link.close()
                assert reply.status == 200, content
                return content

            assert "<!doctype html" in asked("GET", "").lower()
            shown = {"version": -1}
            while not shown.get("legal"):
                shown = json.loads(asked("GET", f"state?since={shown['version']}"))
            play = {"do": "play", "action": shown["legal"][0][0]}
            asked("POST", "do", {**play, "number": shown["number"], "turn": shown["turn"]})
            asked("POST", "do", {"do": "quit"})
            referee.stdout.read()
            assert referee.wait(600) == 0
        finally:
            referee.kill()


@contextlib.contextmanager
def serving(python, folder, *words):
    """What asks the page that this command serves; it ends with it."""
    environment = {**os.environ, "BROWSER": "true", "PYTHONUNBUFFERED": "1", "TMPDIR": str(folder)}
    command = [python, "-m", "referee", *words]
    with subprocess.Popen(
        command,
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
    ) as process:
        try:
            lines = iter(process.stdout.readline, "")
            found = (re.search(r"http://([0-9.:]+)(/\S*)", line) for line in lines)
            address = next(filter(None, found))

            def asked():
                link = http.client.HTTPConnection(address[1], timeout=600)
                link.request("GET", address[2])
                reply = link.getresponse()
                with contextlib.closing(link):
                    return reply.status, reply.read().decode("utf-8").lower()

            yield asked
        finally:
            process.kill()


def test_a_tournament_is_served(python, tmp_path):
    words = ["tournament", GAME, "random", "random", "--pairs", "1", "--jobs", "1", "--serve"]
    with serving(python, tmp_path, *words) as asked:
        status, page = asked()
    assert status == 200 and "<!doctype html" in page


def test_the_lab_plays_a_match_stops_a_tournament_and_begins_again_and_goes_on_with_it(python, tmp_path):
    async def play(address):
        window = await Window.on(address)
        match = await window.play(FORM)
        form = {"game": GAME, "players": ["greedy", "random"], "pairs": "10000", "jobs": "1"}
        return match, await stopped(window, "tournament", form), await window.ask("there")

    async def go_on(address):
        window = await Window.on(address)
        return await stopped(window, "go on", {"journal": f"tournaments/{GAME.replace(':', '-')}-1.jsonl"})

    async def stopped(window, action, form):
        """Its exit code, when it was stopped after a pair."""
        program = await window.ask("start", action=action, form=form)
        state = await window.ask("watch", program=program)
        while "pair" not in (await window.read()).get("event", {}) and not state["events"]:
            pass
        await window.ask("stop", program=program)
        while (event := (await window.read()).get("event", {})).get("event") != "ended":
            pass
        return event["code"]

    with RunningLab(tmp_path, python, port=own_port()) as lab:
        match, code, there = awaited(play(lab.address))
        assert lab.end() == 0
    assert match["code"] == 0 and (tmp_path / match["record"]).is_file() and code == 130
    assert there["record"] and there["journal"][0]["pairs"]
    with RunningLab(tmp_path, python, again=lab.address) as other:
        assert other.address == lab.address and awaited(go_on(other.address)) == 130
        assert other.end() == 0


def test_a_new_player_is_written_and_plays(run):
    run("new", GAME, "my_team")
    said, _ = run("play", GAME, "my_team", "random", "--json")
    assert games(said)[0]["ending"] == "finished"


def test_other_commands_run_too(run):
    assert run("perft", "kalaha", "3")[0]
    assert "complete" in run("completion", "bash")[0]
    run("bench", "kalaha")


def test_every_module_is_imported_there_but_those_for_linux(python):
    of_linux = ("linux", "keeper", "keepers", "cgroup", "growth", "opened")
    linux = {f"referee.isolation.{name}" for name in of_linux}
    linux |= {"referee.__main__"}  # it runs when it is imported
    linux |= {"referee.tournament.cluster"}  # needs what `--workers` installs
    names = {
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        for folder in ("referee", "shared", *(path.name for path in ROOT.glob("*_agent")))
        for path in (ROOT / folder).rglob("*.py")
    }
    written = ("__main__", ".train", ".templates.")  # run, for the files here alone, text of `new`
    names = sorted(name for name in names - linux if not any(part in name for part in written))
    script = "import importlib, sys\nfor name in sys.argv[1:]: importlib.import_module(name)"
    done = subprocess.run([python, "-c", script, *names], capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr


# What differs by system


def test_records_whose_lines_end_as_on_windows_are_read(tmp_path):
    for path in sorted((ROOT / "tests" / "records").rglob("*.txt"))[:20]:
        copy = tmp_path / "copy.txt"
        copy.write_bytes(path.read_bytes().replace(b"\r\n", b"\n").replace(b"\n", b"\r\n"))
        assert record.read_text(copy) == record.read_text(path)
        assert replay.judge(replay.read(copy)) == replay.judge(replay.read(path))


def test_processes_are_set_apart_in_the_way_of_each_system(monkeypatch):
    assert child.apart() == {"start_new_session": True}
    monkeypatch.setattr(child.subprocess, "CREATE_NEW_PROCESS_GROUP", 512, raising=False)
    monkeypatch.setattr(sys, "platform", "win32")
    assert child.apart() == child.bound() == {"creationflags": 512}
    monkeypatch.setattr(sys, "platform", "darwin")
    assert child.bound() == {"start_new_session": True}
    monkeypatch.setattr(sys, "platform", "linux")
    assert callable(child.bound()["preexec_fn"])


def test_a_journal_is_locked_by_what_the_system_has(monkeypatch, tmp_path):
    original, taken = builtins.__import__, []

    def locking(descriptor, how, size):
        taken.append((how, size))
        raise OSError

    def imported(name, *more):
        if name == "fcntl":
            raise ImportError
        if name == "msvcrt":
            return types.SimpleNamespace(LK_NBLCK=2, locking=locking)
        return original(name, *more)

    path = tmp_path / "games.jsonl"
    try:
        monkeypatch.setattr(builtins, "__import__", imported)
        importlib.reload(locks)
        with path.open("w+b") as file, pytest.raises(OSError):
            locks.lock(file)
        assert taken == [(2, 1)]
        with path.open("w+b") as file:
            monkeypatch.setattr(locks, "locking", lambda *how: None)
            file.write(b"first")
            locks.lock(file)
            file.write(b" line")
        assert path.read_bytes() == b"first line"
    finally:
        monkeypatch.undo()
        importlib.reload(locks)
