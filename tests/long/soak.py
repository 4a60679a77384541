"""Our agents for hours: `python -m tests.long.soak --journal soak.jsonl`, which the same words take up again.

200 games a game at a twentieth of the course's limits and 6 at the whole of them, one after another in
one process.  After each, its record must replay to the same result, no process of a player may be left,
and the referee's descriptors and memory must be what they were.  The summary counts all games of the
journal; the exit status is 1 if anything was not as it should.
"""

import argparse
import io
import json
import os
import sys
import time
from collections import Counter
from pathlib import Path

from referee.commands import replay
from referee.isolation import launchers
from referee.isolation.proc import children
from referee.match import record
from tests.long.fuzz import resident
from tests.support import our_games

ENOUGH = 20  # games of a run, after which its memory is taken for what it should stay at
GROWTH = 20.0  # megabytes that the referee may grow by from then on


def schedule(twentieth, whole):
    """All games in the order in which they are played: the five in turn, the long ones spread among them."""
    plan = [(0.05, number, game) for number in range(1, twentieth + 1) for game in our_games.GAMES]
    long = [(1.0, number, game) for number in range(1, whole + 1) for game in our_games.GAMES]
    every = max(1, len(plan) // max(1, len(long)))
    for place, one in enumerate(long, 1):
        plan.insert(min(len(plan), place * (every + 1) - 1), one)
    return plan


def soak(journal, plan, until, say):
    """Play what the journal has not; a game that is broken off is played again."""
    played = read(journal)
    done = {(row["share"], row["number"], row["game"]) for row in played}
    with journal.open("a", encoding="utf-8") as file:
        for share, number, game in plan:
            if (share, number, game) in done:
                continue
            if time.monotonic() > until:
                break
            row = {"share": share, "number": number, "game": game, **one(game, number, share)}
            file.write(json.dumps(row) + "\n")
            file.flush()
            played.append(row)
            say(f"{game} {number} at {share:g}: {row['ending']}, {row['turns']} turns, {row['seconds']} s")
    return played


def one(game, number, share):
    """Play a game; what came of it, and how the referee is afterwards."""
    text = io.StringIO()
    others = set(children(os.getpid()))
    begun = time.monotonic()
    try:
        result = our_games.play(our_games.planned(game, number, share), text)
        judged = replay.judge(record.parse(text.getvalue()))
    except Exception as error:  # the next game shall be played nevertheless
        result = {"ending": "trouble", "reason": repr(error), "turns": 0, "warnings": [], "used": [0, 0]}
        judged = ""
    return {
        **result,
        "replays": ": same, " in judged,
        "seconds": round(time.monotonic() - begun, 2),
        "run": os.getpid(),
        "processes": len(set(children(os.getpid())) - others - launchers.sessions()),
        "descriptors": len(os.listdir("/proc/self/fd")),
        "megabytes": round(resident(), 2),
    }


def read(journal):
    """The games of a journal; a last line without an end is dropped from it."""
    if not journal.exists():
        return []
    whole = journal.read_bytes()
    whole = whole[: whole.rfind(b"\n") + 1]
    os.truncate(journal, len(whole))
    return [json.loads(line) for line in whole.splitlines()]


def summary(played):
    """What is to be said of all games, and what of it is wrong."""
    said, wrong = [], []
    for share, game in sorted({(row["share"], row["game"]) for row in played}):
        rows = [row for row in played if (row["share"], row["game"]) == (share, game)]
        endings = Counter(row["ending"] for row in rows)
        most = max(max(row["used"]) for row in rows)
        said.append(
            f"{game} at {share:g}: {len(rows)} games, {dict(endings)}, "
            f"{sum(row['turns'] for row in rows)} turns, {sum(row['seconds'] for row in rows):.0f} s, "
            f"at most {100 * most:.1f} % of a limit used"
        )
    for row in played:
        where = f"{row['game']} {row['number']} at {row['share']:g}"
        if row["ending"] != "finished" or row["warnings"]:
            wrong.append(f"{where}: {row['reason']} {' '.join(row['warnings'])}")
        if not row["replays"]:
            wrong.append(f"{where}: its record does not replay to the same result")
        if row["processes"]:
            wrong.append(f"{where}: {row['processes']} processes are left")
    for run in sorted({row["run"] for row in played}):
        rows = [row for row in played if row["run"] == run]
        later = rows[ENOUGH:] or rows[-1:]
        grown = later[-1]["megabytes"] - later[0]["megabytes"]
        said.append(
            f"a run of {len(rows)} games: {rows[0]['descriptors']} descriptors, then "
            f"{rows[-1]['descriptors']}; {later[0]['megabytes']} MB, then {later[-1]['megabytes']} MB"
        )
        if grown > GROWTH:
            wrong.append(f"the referee grew by {grown:.1f} MB in a run of {len(rows)} games")
        if max(row["descriptors"] for row in rows) > rows[0]["descriptors"]:
            wrong.append("descriptors were left open")
    return said, wrong


def main():
    """Exit status 1 if anything was wrong."""
    parser = argparse.ArgumentParser(prog="python -m tests.long.soak", description=__doc__.partition("\n")[0])
    parser.add_argument("--journal", type=Path, default=Path("soak.jsonl"))
    parser.add_argument("--twentieth", type=int, default=200, help="games a game at a twentieth (200)")
    parser.add_argument("--whole", type=int, default=6, help="games a game at the course's limits (6)")
    parser.add_argument("--minutes", type=float, default=10_000, help="stop after a game that ends later")
    options = parser.parse_args()
    plan = schedule(options.twentieth, options.whole)
    until = time.monotonic() + 60 * options.minutes
    played = soak(options.journal, plan, until, lambda text: print(text, flush=True))
    said, wrong = summary(played)
    print("\n".join([*said, *wrong]))
    print(f"{len(played)} of {len(plan)} games are played, {len(wrong)} things are wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
