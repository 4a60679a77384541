"""Runs the steps of a check one after the other: what `referee check` shows, and `referee pack` waits for."""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from referee import rules
from referee.check import FAIL, REMARK, Step, file_steps, import_steps, language_step, not_tried
from referee.check.courses import OLDEST, course
from referee.check.game_steps import GameSteps, after_failure
from referee.check.handin import HandIn, handed_in
from referee.check.objected_games import ObjectedGames
from referee.check.sandbox import Copy, PackageProcess
from referee.check.source import Source, sources
from referee.players.names import Spec, resolve

BEFORE = ("name", "size", "language", "imports", "import", "class", "constructor")
GAMES = ("course game", "limits", "news", "second game", "two at once", "renamed")
AFTER = ("output", "files", "threads")
STEPS = (*BEFORE, *GAMES, *AFTER)
NEEDED = ("import", "class", "constructor")  # by all steps that come later


@dataclass(frozen=True)
class Wanted:
    """What is to be checked, and how."""

    part: float = 1.0  # of the course's limits of time, to play at
    oldest: tuple[int, int] = OLDEST  # CPython that it has to run on
    only: str | None = None  # the step that is wanted alone, with what it needs of the others
    on_turn: Callable[[int], None] = lambda number: None  # is told of each turn of each game
    keeper: ObjectedGames = field(default_factory=ObjectedGames)  # of the games of objections


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


def all_steps(game: str, spec: Spec, handin: HandIn, wanted: Wanted) -> Iterator[Step]:
    """The steps, one after the other, as soon as each is done.

    Before one that is wanted alone stands what failed that it needs: else a package that cannot even be
    imported would seem to have nothing to object to.
    """
    with Copy(handin, spec, wanted.on_turn, wanted.keeper) as copy:
        for step in _every_step(game, copy, wanted):
            is_needed = step.step in NEEDED and step.state == FAIL
            if wanted.only in (None, step.step) or is_needed:
                yield step
            if wanted.only == step.step:
                return


def _every_step(game: str, copy: Copy, wanted: Wanted) -> Iterator[Step]:
    handin, parsed, accepts = copy.handin, sources(copy.handin), course(game)
    yield file_steps.name_step(handin)
    yield file_steps.size_step(handin, accepts)
    yield language_step.step(parsed, wanted.oldest)
    imports = file_steps.imports_step(handin, parsed, accepts)
    yield imports
    optional = any("where that is installed" in note for note in imports.found.splitlines())
    with PackageProcess(copy) as process:
        is_excused, absolute = optional or imports.state == FAIL, file_steps.absolute_imports(handin, parsed)
        yield from _steps_that_run_it(game, process, parsed, is_excused, absolute, wanted)
    yield import_steps.output_step(copy)
    yield import_steps.files_step(copy, accepts)
    yield import_steps.threads_step(copy)


def _steps_that_run_it(
    game: str,
    process: PackageProcess,
    parsed: list[Source],
    is_excused: bool,
    absolute: list[str],
    wanted: Wanted,
) -> Iterator[Step]:
    start, accepts, copy = rules.start(game), course(game), process.copy
    step, seen = import_steps.import_step(process, is_excused, accepts)
    yield step
    if seen is None:
        why = "it does not import"
        yield from (not_tried(one, why) for one in ("class", "constructor"))
    else:
        called = import_steps.class_step(seen, copy, parsed, start, accepts)
        yield called
        if called.state != FAIL:
            made = import_steps.constructor_step(process, seen, start, accepts, game.partition(":")[2])
            yield made
            if made.state != FAIL:
                games = GameSteps(copy, game, seen["constructor"], wanted.part, seen["update"], process)
                yield from _games(games, absolute, wanted.only)
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
