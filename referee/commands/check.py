"""Find what a course's referee could object to in an agent, step by step.

The package is copied to an empty folder and played there, in processes of their own.  Steps that look
at the source come first, then those that run it, last what was seen while it ran.  A step passes, with
a remark or without; or it fails, where the course would refuse the package or a game could be lost by it;
or it is not tried, where an earlier one or the package's own nature does not let it.

--json prints one object: `game`, `agent`, `package`, `oldest` (CPython that it runs on), `objections`
(how many steps fail), `remarks` (how many pass with one), and `steps`, each with `step`, `state` (pass,
remark, fail, not tried), `found`, `advice` and `figures`.  Exit code 0: nothing to object to; 1: objections.
"""

import argparse
import json
import math
import os
import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from referee import rules
from referee.check import FAIL, NOT_TRIED, REMARK, Step, behaviour, files, language, not_tried
from referee.check.courses import OLDEST, course
from referee.check.handin import HandIn, handed_in
from referee.check.playing import Played, after_failure
from referee.check.sandbox import Copy, Visit
from referee.check.source import sources
from referee.players.names import Spec, resolve
from referee.players.text import printable

STEPS = (
    "name", "size", "language", "imports", "import", "class", "constructor", "course game", "limits", "news",
    "second game", "two at once", "renamed", "output", "files", "threads",
)  # fmt: skip
GAMES = STEPS[7:13]  # these play
WIDTH = 13  # of a step's name


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME", help="a game, or game:variant")
    parser.add_argument("agent", metavar="AGENT", help="a package, a file, package:Class or a zip")
    parser.add_argument("--share", type=share, default=1.0, metavar="X",
                        help="play at this share of the course's limits of time, 0.1 say (1)")  # fmt: skip
    parser.add_argument("--python", type=version, default=OLDEST, metavar="3.N",
                        help="the CPython on the course's machine (3.6)")  # fmt: skip
    parser.add_argument("--json", action="store_true", help="print one object with all steps")


def share(text: str) -> float:
    """A part of the limits, from the command line."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 < value <= 1:
        raise argparse.ArgumentTypeError(f"{text[:60]!r} should be above 0 and at most 1")
    return value


def version(text: str) -> tuple[int, int]:
    """A version of CPython, from the command line."""
    if not (found := re.fullmatch(r"3\.(\d{1,2})", text, re.ASCII)):
        raise argparse.ArgumentTypeError(f"{text[:60]!r} should be a version such as 3.6")
    return 3, int(found[1])


def run(options: argparse.Namespace) -> int:
    spec, handin = prepared(options.game, options.agent)
    shown = None if options.json else sys.stdout
    steps = []
    for step in walk(options.game, spec, handin, options.share, options.python):
        steps.append(step)
        if shown:
            print(written(step), flush=True)
    if options.json:
        print(json.dumps(summary(options.game, options.agent, handin, steps)))
    else:
        print(verdict(steps))
    return 1 if objections(steps) else 0


def prepared(game: str, agent: str) -> tuple[Spec, HandIn]:
    """The player that was named, and its files; UsageError where there is no such game or player."""
    rules.start(game)
    spec = resolve(agent)
    handin = handed_in(spec)
    before, _, below = f".{spec.module}.".partition(f".{handin.name}.")
    if before and os.path.isdir(spec.folder):  # folders that are no packages are not handed in
        folder = os.path.join(spec.folder, *before.strip(".").split("."))
        spec = replace(spec, folder=folder, module=f"{handin.name}.{below}".strip("."))
    return spec, handin


def walk(
    game: str, spec: Spec, handin: HandIn, part: float = 1.0, oldest: tuple[int, int] = OLDEST
) -> Iterator[Step]:
    """All steps, one after the other, as soon as each is done; `part` is that of the limits to play at."""
    parsed, accepts = sources(handin), course(game)
    yield files.name_step(handin)
    yield files.size_step(handin, accepts)
    yield language.step(parsed, oldest)
    imports = files.imports_step(handin, parsed, accepts)
    yield imports
    optional = any("where that is installed" in note for note in imports.found.splitlines())
    with Copy(handin, spec) as copy:
        with Visit(copy) as visit:
            step, seen = behaviour.import_step(visit, optional or imports.state == FAIL, accepts)
            yield step
            if seen is None:
                made, why = None, "it does not import"
                yield from (not_tried(one, why) for one in ("class", "constructor"))
            else:
                made = behaviour.class_step(seen, copy, rules.start(game), accepts)
                why = "it cannot be called as the course does"
                yield made
                if made.state != FAIL:
                    made = behaviour.constructor_step(visit, seen, rules.start(game), game.partition(":")[2])
                    why = "it cannot be made"
                else:
                    made = not_tried("constructor", why)
                yield made
        if made is None or made.state in (FAIL, NOT_TRIED):
            yield from (not_tried(one, why) for one in GAMES)
        else:
            played = Played(copy, game, seen["constructor"], part, seen["update"])
            yield from _games(played, files.absolute_imports(handin, parsed))
        yield behaviour.output_step(copy)
        yield behaviour.files_step(copy, accepts)
        yield behaviour.threads_step(copy)


def _games(played: Played, absolute: list[str]) -> Iterator[Step]:
    first = played.course_step()
    yield first
    if why := after_failure(first):
        yield from (not_tried(one, why) for one in GAMES[1:])
        return
    yield played.limits_step()
    yield played.news_step()
    yield from played.again_steps()
    yield played.renamed_step(absolute)


def objections(steps: list[Step]) -> list[str]:
    """The steps that fail."""
    return [step.step for step in steps if step.state == FAIL]


def remarks(steps: list[Step]) -> list[str]:
    """The steps that have something to say and pass all the same."""
    return [step.step for step in steps if step.state == REMARK]


def summary(game: str, agent: str, handin: HandIn, steps: list[Step]) -> dict[str, Any]:
    """The whole check as --json prints it."""
    oldest = [step.figures.get("oldest") for step in steps if step.step == "language"]
    return {
        "game": game,
        "agent": agent,
        "package": handin.name,
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
