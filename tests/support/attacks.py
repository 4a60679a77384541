"""One game of an attacking player, in a referee of its own, as the user who asks or as an ordinary one.

    python -m tests.support.attacks PLAYER LEVEL BAIT PLAYERS [ordinary]

PLAYER may be `programs/attacks`, which is all of them as a program; PLAYERS is a copy of the folder of
players that every user may read, as that program must.  Prints JSON: how the game went, what it cost the
opponent, and what the player printed.
"""

import ctypes
import json
import os
import shlex
import sys
from dataclasses import replace
from pathlib import Path

from referee.match import record
from referee.match.planned import PlannedGame, record_header
from referee.players.names import resolve
from tests.support.arena import GAME, OPPONENT, Printed, actions, let_read, spec

PROGRAM = "programs/attacks"
NOBODY = 65534
KEEP_CAPS, DUMPABLE, AMBIENT, RAISE = 8, 4, 47, 2  # to prctl
CAP_DAC_READ_SEARCH = 2
VERSION = 0x20080522  # of what capset is told
FILES = {
    "record.txt": "record: 1\ngame: 'kalaha'\nseed: 7\n",
    "games.jsonl": '{"journal":1}\n',
    "opponent.py": "SECRET = 'what it will choose'\n",
}


def become_ordinary():
    """No longer root; the right to read everything stays, since this Python may lie in root's folder.

    That an ordinary user would not have, so that it is confinement alone that keeps a player from reading.
    """
    library = ctypes.CDLL(None, use_errno=True)
    library.prctl(KEEP_CAPS, 1, 0, 0, 0)
    os.setgroups([])
    os.setgid(NOBODY)
    os.setuid(NOBODY)
    right = 1 << CAP_DAC_READ_SEARCH
    library.capset((ctypes.c_uint32 * 2)(VERSION, 0), (ctypes.c_uint32 * 6)(right, right, right, 0, 0, 0))
    library.prctl(AMBIENT, RAISE, CAP_DAC_READ_SEARCH, 0, 0)
    library.prctl(DUMPABLE, 1, 0, 0, 0)


def lay(bait, names):
    """A folder with the files above for each name, below the bait; whoever attacks owns them."""
    for name in names:
        folder = bait / name
        (folder / "empty").mkdir(parents=True)
        for file, content in FILES.items():
            (folder / file).write_text(content)
    if os.getuid() == 0:
        for path in [bait, *bait.rglob("*")]:
            os.chown(path, NOBODY, NOBODY)
            os.chmod(path, 0o755 if path.is_dir() else 0o644)


def state(bait):
    """What an attack could have changed there."""
    found = {}
    for path in sorted(bait.rglob("*")):
        known = path.lstat()
        content = path.read_bytes() if path.is_file() else b""
        labels = os.listxattr(path, follow_symlinks=False)
        figures = known.st_mode, known.st_uid, known.st_nlink, known.st_mtime_ns
        found[str(path.relative_to(bait))] = content, labels, *figures
    return found


def program(bait, players):
    """All attacks as a program of its own, run by a Python that this user may run."""
    python = sys.executable if os.access(sys.executable, os.X_OK) else "/usr/bin/python3"
    # In hex, since it may read what its words name.
    words = [python, str(players / f"{PROGRAM}.py"), str(players), str(bait).encode().hex(), str(os.getpid())]
    return resolve(f"exec:{shlex.join(words)}")


def main(player, level, bait, players, ordinary=False):
    """Play the game and tell of it."""
    if ordinary and os.getuid() == 0:
        become_ordinary()
    game = "ropasci" if player == "reads_the_hidden_choice" else GAME
    arguments = [("referee", os.getpid())]
    if game == GAME:
        arguments += [("bait", str(bait)), ("wild", level == "full")]
    attacker = (
        program(bait, players) if player == PROGRAM else replace(spec(player), arguments=tuple(arguments))
    )
    allowance = replace(let_read(OPPONENT), isolation=level)
    planned = PlannedGame(
        game, (resolve("random"), attacker), (allowance, allowance), number=1, pair=1, first=0, seed=1
    )
    printed = Printed()
    written = bait / "written.txt"
    with written.open("w") as file:
        result = planned.play([printed, record.Writer(lambda: file, record_header(planned))])
    told = {
        "user": os.getuid(),
        "ending": result.ending,
        "reason": result.reason,
        "at_fault": result.at_fault,
        "actions": [[player, repr(action)] for player, action in actions(result)],
        "opponent": [result.cpu[0], result.megabytes[0]],
        "printed": printed.text,
    }
    print(json.dumps(told))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], Path(sys.argv[3]), Path(sys.argv[4]), "ordinary" in sys.argv[5:])
