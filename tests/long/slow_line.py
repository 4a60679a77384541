"""Does a comparison name the line that was made slower? `python -m tests.long.slow_line` tries it.

One of our agents is copied, and one of its lines is made so much slower that the turn takes a tenth longer.
Then the copy is compared with the agent, as `referee profile --compare` does, and that line has to stand
first, as a difference that is shown.  The lines are drawn among those that run: dear and cheap ones, run once
or a hundred thousand times, each of another function.  `--busy 3` runs beside three processes that compute.
"""

import argparse
import ast
import random
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from referee.match.openings import Openings
from referee.players.names import Spec, resolve
from referee.profile import compare
from referee.profile.measure import Effort, ProfiledTurn, measure, measure_both
from referee.rules import start
from tests import ROOT

NODES = {"expendibots": 20_000, "kalaha": 100_000, "fanorona": 20_000, "ropasci": 60, "pentago": 4_000}
PLIES = 5
WASTE = "sum(range({})); "  # what the line does besides


def slowable(profile: dict[str, Any], folder: Path) -> list[dict[str, Any]]:
    """The lines of a profile that are one whole statement, which something can be put in front of."""
    found = []
    simple: dict[str, set[int]] = {}
    for line in profile["lines"]:
        if line["library"] or not line["hits"]:
            continue
        file = line["file"]
        if file not in simple:
            tree = ast.parse((folder / file).read_text())
            bodies = [getattr(node, name, []) for node in ast.walk(tree) for name in ("body", "orelse")]
            statements = [one for body in bodies if isinstance(body, list) for one in body]
            simple[file] = {
                one.lineno
                for one in statements
                if one.lineno == one.end_lineno
                and not hasattr(one, "body")
                and not isinstance(one, (ast.Nonlocal, ast.Global))
            }
        if line["line"] in simple[file]:
            found.append(line)
    return found


def drawn(lines: list[dict[str, Any]], number: int, lots: random.Random) -> list[dict[str, Any]]:
    """So many of the lines, each of another function, while there are others."""
    lots.shuffle(lines)
    by_function = {(line["file"], line["function"]): line for line in lines}
    several = list(by_function.values())
    return (several + [line for line in lines if line not in several])[:number]


def made_slower(folder: Path, line: dict[str, Any], seconds: float) -> None:
    """Let the line take so much longer each time it runs."""
    path = folder / line["file"]
    lines = path.read_text().split("\n")
    text = lines[line["line"] - 1]
    indent = text[: len(text) - len(text.lstrip())]
    lines[line["line"] - 1] = indent + WASTE.format(_wasted(seconds)) + text.lstrip()
    path.write_text("\n".join(lines))


def _wasted(seconds: float) -> int:
    """How far to add up for that time."""
    most, took = 1, 0.0
    while took < min(seconds, 0.005):
        most *= 2
        rounds = max(1, 20_000 // most)
        begun = time.process_time()
        for _ in range(rounds):
            sum(range(most))
        took = (time.process_time() - begun) / rounds
    return max(1, round(most * seconds / took))


def first(spec: Spec, slower: Spec, turn: ProfiledTurn, effort: Effort) -> compare.Moved:
    """What the comparison names first."""
    return compare.moved(*measure_both(slower, spec, turn, effort))[0]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.long.slow_line")
    parser.add_argument("games", nargs="*", default=["expendibots"], help=f"of {', '.join(NODES)}")
    parser.add_argument("--lines", type=int, default=5, metavar="N", help="of each agent")
    parser.add_argument("--slower", type=float, default=0.1, metavar="PART", help="of the turn")
    parser.add_argument("--samples", type=int, default=2000)
    parser.add_argument("--busy", type=int, default=0, metavar="N", help="processes that compute beside it")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(options.busy)]
    try:
        missed = sum(_tried(game, options) for game in options.games)
    finally:
        for process in busy:
            process.kill()
            process.wait()
    print(f"{missed} of {len(options.games) * options.lines} lines were not named first")
    return 1 if missed else 0


def _past_the_book(game: str) -> ProfiledTurn:
    """A turn that is searched for, after some random plies."""
    state, earlier = start(game), []
    for chosen in Openings(game, PLIES, 1).of(1):
        earlier.append((state, chosen))
        state = state.after(chosen)
    return ProfiledTurn(game, state, state.to_act()[0], earlier, None, f"after {PLIES} random plies")


def _tried(game: str, options: argparse.Namespace) -> int:
    """How many lines of an agent were not named."""
    agent = f"{game}_agent"
    spec = resolve(str(ROOT / agent))
    turn = _past_the_book(game)
    effort = Effort(nodes=NODES[game], samples=options.samples)
    profile = measure(spec, turn, effort)
    missed = 0
    for line in drawn(slowable(profile, ROOT), options.lines, random.Random(options.seed)):
        with tempfile.TemporaryDirectory() as folder:
            shutil.copytree(ROOT / agent, Path(folder, agent), ignore=shutil.ignore_patterns("train"))
            made_slower(Path(folder), line, options.slower * profile["turn"]["cpu"] / line["hits"])
            found = first(spec, resolve(str(Path(folder, agent))), turn, effort)
        named = found.line or found.line_before
        is_named = (named["file"], named["line"]) == (line["file"], line["line"]) and found.is_shown
        missed += not is_named
        what = f"{line['file']}:{line['line']} ({line['own']:.1%} own, {line['hits']} hits)"
        more = f"{found.change:+.4f} +- {found.error:.4f} s of {profile['turn']['cpu']:.4f} s"
        said = "named first" if is_named else f"NOT named, but {named['file']}:{named['line']}"
        print(f"{what}: {said}, {more}: {line['source']}", flush=True)
    return missed


if __name__ == "__main__":
    sys.exit(main())
