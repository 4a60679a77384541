"""Find what a course's referee could object to in an agent, step by step.

The package is copied to an empty folder and played there, in processes of their own.  Steps that look
at the source come first, then those that run it, last what was seen while it ran.  A step passes, with
a remark or without; or it fails, where the course would refuse the package or a game could be lost by it;
or it is not tried, where an earlier one or the package's own nature does not let it.

Of several players each is checked, and told in a line with its objections; one that cannot even be read, as a
zip without a package, has that for an objection.

--json prints one object a player: `game`, `agent`, `package`, `oldest` (CPython that it runs on),
`objections` (how many steps fail), `remarks` (how many pass with one), and `steps`, each with `step`,
`state` (pass, remark, fail, not tried), `found`, `advice` and `figures`.  Exit code 0:
nothing to object to; 1: objections; 2: there is no such player, or no such game.
"""

import argparse
import json
import os
import re
from pathlib import Path
from typing import Any

from referee import UsageError
from referee.check import FAIL, REMARK, Step
from referee.check.all_steps import STEPS, Wanted, all_steps, objections, prepared, remarks
from referee.check.courses import OLDEST
from referee.check.handin import HandIn
from referee.check.objected_games import ObjectedGames
from referee.commands.options import number
from referee.players.text import printable
from referee.view import shell
from referee.view.progress import Steps

WIDTH = 13  # of a step's name


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME", help="a game, or game:variant")
    parser.add_argument(
        "agent", nargs="+", metavar="AGENT", help="a package, a file, package:Class or a zip; or several"
    )
    parser.add_argument(
        "--share",
        type=share,
        default=1.0,
        metavar="X",
        help="play at this share of the course's limits of time, 0.1 say (1)",
    )
    parser.add_argument(
        "--python",
        type=version,
        default=OLDEST,
        metavar="3.N",
        help="the CPython on the course's machine (3.6)",
    )
    parser.add_argument("--only", metavar="STEP", type=step_name, help="repeat this step alone")
    parser.add_argument(
        "--record", type=Path, metavar="DIR", help="keep the games of objections there (a temporary folder)"
    )
    parser.add_argument("--json", action="store_true", help="print one object a player with all steps")
    parser.add_argument("--stream", action="store_true", help="each step as an object first, as it is done")
    parser.add_argument("--save", type=Path, metavar="FILE", help="also write the object there, or several")


def step_name(text: str) -> str:
    """The name of a step, from the command line: `course game`, or course-game."""
    name = text.replace("-", " ").replace("_", " ").strip().lower()
    if name not in STEPS:
        raise argparse.ArgumentTypeError(f"{text[:60]!r} is no step; the steps are {', '.join(STEPS)}")
    return name


def share(text: str) -> float:
    """A part of the limits, from the command line."""
    value = number(text)
    if not 0 < value <= 1:
        raise argparse.ArgumentTypeError(f"{text[:60]!r} should be above 0 and at most 1")
    return value


def version(text: str) -> tuple[int, int]:
    """A version of CPython, from the command line."""
    if not (found := re.fullmatch(r"3\.(\d{1,2})", text, re.ASCII)):
        raise argparse.ArgumentTypeError(f"{text[:60]!r} should be a version such as 3.6")
    return 3, int(found[1])


def run(options: argparse.Namespace) -> int:
    several = len(options.agent) > 1
    if options.save:
        shell.check_writable(options.save)
    keeper = ObjectedGames(options.record)
    found, objected = [], 0
    for agent in options.agent:
        try:
            handin, steps = _checked(options, agent, keeper, quiet=several)
        except UsageError as error:
            if not several or not os.path.exists(agent):
                raise
            handin, steps = (
                None,
                [Step("name", FAIL, str(error), "hand in one package, as a folder or a zip")],
            )
        objected += bool(objections(steps))
        found.append(json.dumps(summary(options.game, agent, handin, steps)))
        if options.json or options.stream:
            print(found[-1], flush=True)
        elif several:
            print("\n".join([f"{agent}: {verdict(steps)}", *map(written, objected_to(steps))]), flush=True)
        else:
            print(verdict(steps))
    if options.save:
        shell.write(options.save, "\n".join(found) + "\n")
    if several and not (options.json or options.stream):
        print(f"{len(found) - objected} of {len(found)} players have nothing to object to")
    return 1 if objected else 0


def _checked(
    options: argparse.Namespace, agent: str, keeper: ObjectedGames, quiet: bool
) -> tuple[HandIn, list[Step]]:
    """One player's steps, which are told as they are done unless that is to be quiet."""
    spec, handin = prepared(options.game, agent)
    steps = []
    with Steps(STEPS, options.json or options.stream) as bar:
        wanted = Wanted(options.share, options.python, options.only, bar.turn, keeper)
        for step in all_steps(options.game, spec, handin, wanted):
            bar.done(step.step)
            steps.append(step)
            if options.stream:
                print(json.dumps(step.row()), flush=True)
            elif not (options.json or quiet):
                print(written(step), flush=True)
    return handin, steps


def objected_to(steps: list[Step]) -> list[Step]:
    """Those that fail, or pass with a remark."""
    return [step for step in steps if step.state in (FAIL, REMARK)]


def summary(game: str, agent: str, handin: HandIn | None, steps: list[Step]) -> dict[str, Any]:
    """The whole check as --json prints it."""
    oldest = [step.figures.get("oldest") for step in steps if step.step == "language"]
    return {
        "game": game,
        "agent": agent,
        "package": handin and handin.name,
        "oldest": oldest[0] if oldest else None,
        "objections": len(objections(steps)),
        "remarks": len(remarks(steps)),
        "steps": [step.row() for step in steps],
    }


def written(step: Step) -> str:
    """A step as people read it: what was found, and below it what to do."""
    state = {"pass": "pass", "remark": "remark", "fail": "FAIL"}.get(step.state, "-")
    head = f"{state:<6} {step.step:<{WIDTH}}"
    advice = [f"-> {line}" for line in step.advice.splitlines()]
    return head + f"\n{'':{len(head)}}".join([*printable(step.found).splitlines(), *map(printable, advice)])


def verdict(steps: list[Step]) -> str:
    """The last line."""
    said = _counted("objection", objections(steps)) or "nothing to object to"
    return "; ".join(filter(None, [said, _counted("remark", remarks(steps))]))


def _counted(what: str, steps: list[str]) -> str:
    return f"{len(steps)} {what}{'s' * (len(steps) > 1)}: {', '.join(steps)}" if steps else ""
