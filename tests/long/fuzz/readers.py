"""Damaged files: records, the courses' logs and journals are read, or refused in a sentence with the line.

What is refused stays as it is on the disk.
"""

import contextlib
import json
import tempfile
from functools import cache
from pathlib import Path

from referee import UsageError, rules
from referee.commands import replay
from referee.match import course_logs
from referee.tournament.journal import Journal
from tests.long.fuzz.damage import damaged, damaged_bytes
from tests.referee.match.test_record import GAMES_TO_CUT, GIFT, pentago_log, played, random_game
from tests.referee.tournament.test_tournament import fake_pair

HEADER = {"game": "kalaha", "format": "round-robin", "players": [], "opening": 2, "seed": 0}
LONGEST = 2000  # characters of a refusal, where each of 200 is an escape


@contextlib.contextmanager
def prepared():
    """A folder for the files."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "file"

        def try_one(random):
            random.choice((lambda: try_text(path, random), lambda: try_journal(path, random)))()

        yield try_one


def try_text(path, random):
    """A record or a log, as `replay` reads it."""
    text = damaged(random.choice(whole_texts()), random)
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    try:
        said = replay.judge(replay.read(path))
    except (UsageError, replay.Difference) as refusal:
        said = str(refusal)
    assert said.isprintable() and 10 < len(said) < LONGEST, said


@cache
def whole_texts():
    """Records and logs of all kinds; each begins so that it is taken for one when it is damaged behind."""
    texts = [make() for make in GAMES_TO_CUT.values()]
    texts += [played(game, random_game(game, 2)) for game in rules.games()]
    texts += [played(game, random_game(game, 1), writer=of) for game, of in course_logs.WRITERS.items()]
    return [text[:30_000] for text in [*texts, pentago_log(GIFT, "GAMEOVER WINNER 0")]]


def try_journal(path, random):
    """A journal, taken up again."""
    lines = [json.dumps({"journal": 1, **HEADER}, separators=(",", ":"))]
    pairs = [fake_pair((0, 1, n), None, name=f"{n:024x}") for n in range(1, 6)]
    lines += [json.dumps(pair.plain(), separators=(",", ":")) for pair in pairs]
    before = damaged_bytes("".join(f"{line}\n" for line in lines).encode(), random)
    path.write_bytes(before)
    taken = []
    try:
        with Journal(path, HEADER, taken.append) as journal:
            assert len(journal.ids) == len(taken)
            assert all(pair.id in journal.ids for pair in journal.pairs())
    except UsageError as refusal:
        assert str(refusal).startswith(str(path)) and len(str(refusal)) < LONGEST, refusal
        assert path.read_bytes() == before, "a journal that was refused has changed"
    else:
        after = path.read_bytes()
        kept = before[: before.rfind(b"\n") + 1]
        assert after == kept or not kept and after.count(b"\n") == 1, "whole lines were lost"
