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
import os
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from referee import rules
from referee.check import FAIL, REMARK, Step, file_steps, import_steps, language_step, not_tried
from referee.check.courses import OLDEST, course
from referee.check.game_steps import GameSteps, after_failure
from referee.check.handin import HandIn, handed_in
from referee.check.objected_games import ObjectedGames
from referee.check.sandbox import Copy, PackageProcess
from referee.check.source import sources
from referee.commands.options import number
from referee.players.names import Spec, resolve
from referee.players.text import printable
from referee.view import shell
from referee.view.progress import Steps

STEPS = (
    "name",
    "size",
    "language",
    "imports",
    "import",
    "class",
    "constructor",
    "course game",
    "limits",
    "news",
    "second game",
    "two at once",
    "renamed",
    "output",
    "files",
    "threads",
)
GAMES = STEPS[7:13]  # these play
WIDTH = 13  # of a step's name


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME", help="a game, or game:variant")
    parser.add_argument("agent", metavar="AGENT", help="a package, a file, package:Class or a zip")
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
    parser.add_argument("--json", action="store_true", help="print one object with all steps")
    parser.add_argument("--stream", action="store_true", help="each step as an object first, as it is done")
    parser.add_argument("--save", type=Path, metavar="FILE", help="also write the object there")


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
    spec, handin = prepared(options.game, options.agent)
    steps = []
    with Steps(STEPS, options.json or options.stream) as bar:
        how = {"on_turn": bar.turn, "keeper": ObjectedGames(options.record), "only": options.only}
        for step in walk(options.game, spec, handin, options.share, options.python, **how):
            bar.done(step.step)
            steps.append(step)
            if options.stream:
                print(json.dumps(step.row()), flush=True)
            elif not options.json:
                print(written(step), flush=True)
    found = json.dumps(summary(options.game, options.agent, handin, steps))
    if options.save:
        shell.write(options.save, found + "\n")
    if options.json or options.stream:
        print(found)
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
    game: str,
    spec: Spec,
    handin: HandIn,
    part: float = 1.0,
    oldest: tuple[int, int] = OLDEST,
    only: str | None = None,
    on_turn: Callable[[int], None] = lambda number: None,
    keeper: ObjectedGames | None = None,
) -> Iterator[Step]:
    """All steps, one after the other, as soon as each is done; `part` is that of the limits to play at.

    With `only` that one, and of the others what it needs.  `on_turn` is told of each turn of each game.
    """
    with Copy(handin, spec, on_turn, keeper) as copy:
        for step in _walk(game, copy, part, oldest, only):
            if only in (None, step.step):
                yield step
            if only == step.step:
                return


def _walk(game: str, copy: Copy, part: float, oldest: tuple[int, int], only: str | None) -> Iterator[Step]:
    handin, parsed, accepts = copy.handin, sources(copy.handin), course(game)
    yield file_steps.name_step(handin)
    yield file_steps.size_step(handin, accepts)
    yield language_step.step(parsed, oldest)
    imports = file_steps.imports_step(handin, parsed, accepts)
    yield imports
    optional = any("where that is installed" in note for note in imports.found.splitlines())
    with PackageProcess(copy) as process:
        is_excused, absolute = optional or imports.state == FAIL, file_steps.absolute_imports(handin, parsed)
        yield from _played(game, process, is_excused, part, absolute, only)
    yield import_steps.output_step(copy)
    yield import_steps.files_step(copy, accepts)
    yield import_steps.threads_step(copy)


def _played(
    game: str,
    process: PackageProcess,
    is_excused: bool,
    part: float,
    absolute: list[str],
    only: str | None,
) -> Iterator[Step]:
    """The steps that run the package."""
    start, accepts, copy = rules.start(game), course(game), process.copy
    step, seen = import_steps.import_step(process, is_excused, accepts)
    yield step
    if seen is None:
        why = "it does not import"
        yield from (not_tried(one, why) for one in ("class", "constructor"))
    else:
        called = import_steps.class_step(seen, copy, start, accepts)
        yield called
        if called.state != FAIL:
            made = import_steps.constructor_step(process, seen, start, accepts, game.partition(":")[2])
            yield made
            if made.state != FAIL:
                games = GameSteps(copy, game, seen["constructor"], part, seen["update"], process)
                yield from _games(games, absolute, only)
                return
            why = "it cannot be made"
        else:
            why = "it cannot be called as the course does"
            yield not_tried("constructor", why)
    yield from (not_tried(one, why) for one in GAMES)


def _games(played: GameSteps, absolute: list[str], only: str | None) -> Iterator[Step]:
    """The steps that play; of one game step that is wanted alone no other is needed."""
    steps = {
        "course game": played.course_step,
        "limits": played.limits_step,
        "news": played.news_step,
        "second game": played.second_game_step,
        "two at once": played.two_at_once_step,
        "renamed": lambda: played.renamed_step(absolute),
    }
    if only in steps:
        yield steps[only]()
        return
    why = ""
    for name, play in steps.items():
        step = not_tried(name, why) if why else play()
        yield step
        if name == "course game":
            why = after_failure(step)


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
