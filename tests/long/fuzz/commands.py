"""Command lines with mistakes in them, in this process: one sentence and an exit code, never a traceback.

Games are played without players' processes, by whatever is legal first.  What would take long is
interrupted, as by Ctrl-C.
"""

import contextlib
import io
import os
import signal
import sys
import tempfile
from pathlib import Path

from referee.__main__ import INTERRUPTED, main
from referee.match import planned
from referee.match.loop import Match
from referee.tournament import imports, jobs, match_process
from referee.tournament.plan import from_plain
from tests.long.fuzz.damage import damaged
from tests.referee.match.test_match import FakeSeat

PATIENCE = 0.5  # seconds
NOTES = ("referee: warning: ", "referee: isolation of players")  # may stand before what is wrong
EXAMPLES = (
    "play kalaha:1x2 random greedy --games 3 --seed 7",
    "play expendibots team/ solo.py:Player -t 60 -s 100 -d -v 3 -l game.log -c -u --opening 4",
    "play pentago random,depth=3 ./team -v1 -C -a --action-time 1,60 --first-time 9 --nodes 5 --wall --json",
    "play ropasci greedy team:Player,book=None --record records -D",
    "tournament kalaha:1x2 random greedy team --pairs 2 --jobs 2 --journal games.jsonl --report page.html",
    "tournament fanorona:1100 random solo.py --format swiss --rounds 2 --pairs 1 --record records",
    "tournament kalaha random greedy --sprt 0,20,0.05,0.05 --sprt-model logistic --pairs 3 --json",
    "replay record.txt game.log games.jsonl",
    "perft kalaha:4x3 2 --divide",
    "perft pentago 1 --seed 3",
    "bench kalaha --nodes 50",
    "profile kalaha team --nodes 200 --record record.txt --turn 2",
    "check kalaha team",
    "pack kalaha team out.zip",
    "--help",
    "help",
    "play --help",
    "completion bash",
    "join pentago 127.0.0.1:9 random --time 1 --margin 0.1 --patience 1 --name me --record records",
    "join kalaha ws://127.0.0.1:9/socket team --mode verify --token t",
    "join ropasci [::1]:9 --channel c",
    "host fanorona 0 random --listen 127.0.0.1 --seat dark --first-time 1",
    "replay record.txt --html page",
    "play kalaha human random --isolation process --require-isolation full --readable .",
)
WORDS = """
    - -- --- -x --no-such --help=3 -t -s -d -l --games 0 1 -1 2 1e3 nan inf -inf 1,2 1,2,3 , ١ 0x10 1_0
    kalaha kalaha: : a:b:c KALAHA chess random random:Greedy greedy, greedy,=1 greedy,x=( human
    team: team:1 team,colour=1 . .. / /dev/null /dev/full /proc/self/mem /proc/1/x team/no.py ~ broken.zip
    folder secret * @file %s {} --journal= --report=folder --record=solo.py --workers=nowhere --sprt=1,0
    --seed=x
    """.split()
WORDS += ["", " ", "9" * 30, "\x00", "a\nb", "\x1b[2J", "\udcff", "é" * 300, "x" * 5000]


@contextlib.contextmanager
def prepared():
    """A folder to be in, with some files, and the players replaced."""
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        stack.enter_context(contextlib.chdir(folder))
        files(Path(folder))
        # Not in process.py: modules that are imported only now would keep what they find there.
        for module in (planned, imports):
            stack.enter_context(replaced(module, "player_process", Quick))
        stack.enter_context(replaced(jobs, "_attempt", attempt))
        yield try_one


def files(folder):
    """What the examples name, and what should not be named."""
    (folder / "team").mkdir()
    (folder / "team" / "__init__.py").write_text("class Player: pass\n")
    (folder / "solo.py").write_text("class Player: pass\n")
    (folder / "broken.zip").write_bytes(b"PK\3\4 and no more")
    (folder / "folder").mkdir()
    (folder / "record.txt").write_text("record: 1\ngame: 'kalaha'\n")
    (folder / "game.log").write_text("winner: upper\n")
    (folder / "games.jsonl").write_text('{"journal": 1}\n')


@contextlib.contextmanager
def replaced(module, name, value):
    before = getattr(module, name)
    setattr(module, name, value)
    try:
        yield
    finally:
        setattr(module, name, before)


class Quick(FakeSeat):
    """A seat that answers with what is legal first, which the match loop of a `Match` is asked for."""

    def __init__(self, *_):
        super().__init__([])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def action(self):
        match = next(frame for frame in _callers() if isinstance(frame, Match))
        return match.state.actions(match.seats.index(self))[0]


def _callers():
    frame = sys._getframe(1)
    while frame:
        yield frame.f_locals.get("self")
        frame = frame.f_back


def attempt(work):
    """A pair played here instead of in a process of its own."""
    games = list(match_process.play(from_plain(work), work["must_import"], work["keep_records"]))
    return [*games, {"cost": 0.0}], ""


def try_one(random):
    """A command line with some words left out, exchanged, damaged or added."""
    words = random.choice(EXAMPLES).split()
    for _ in range(random.choice((0, 1, 1, 2, 3))):
        place = random.randrange(len(words) + 1)
        word = random.choice(WORDS)
        if random.random() < 0.2:
            word = damaged(random.choice(EXAMPLES[0].split()), random)
        words[place : place + random.randrange(3)] = random.choice(((), (word,), (word,), (word, word)))
    ends_as_promised([word[:100_000].replace("\0", "0") for word in words], PATIENCE)  # as a shell would


def ends_as_promised(words, seconds, interruptible=True):
    """AssertionError where this command line gets anything but what is promised, or takes too long."""
    out, err = Kept(), Kept()
    interrupted = []

    def interrupt(*_):
        interrupted.append(True)
        raise KeyboardInterrupt

    usual = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), nothing_to_read():
            try:
                code = main(list(words))
            except SystemExit as end:  # of --help
                code = end.code
    except KeyboardInterrupt:  # it came when all was done
        code = INTERRUPTED
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, usual)
    said = err.text().splitlines()
    shown = [word[:80] for word in words], code, said[:5]
    assert code in ((0, 1, 2, 3, INTERRUPTED) if interrupted and interruptible else (0, 1, 2, 3)), shown
    assert all(line.startswith("referee: ") for line in said), shown
    assert not any("defect" in line or "Traceback" in line for line in said), shown
    if code in (2, 3):
        wrong = [line for line in said if not line.startswith(NOTES)]
        assert len(wrong) == 1 or words[0] in ("replay", "join") and wrong, shown
        assert all(len(line) < 3000 for line in said), shown


class Kept(io.TextIOWrapper):
    """What is printed, as a terminal would take it."""

    def __init__(self):
        super().__init__(io.BytesIO(), encoding="utf-8", errors="backslashreplace")

    def text(self):
        self.flush()
        return self.buffer.getvalue().decode()


@contextlib.contextmanager
def nothing_to_read():
    """Standard input at its end: nobody presses Enter."""
    usual = sys.stdin
    with open(os.devnull) as sys.stdin:
        try:
            yield
        finally:
            sys.stdin = usual
