"""The steps of a check that import a package, make its player, and tell what it wrote and started."""

import ast
import re
from typing import Any

from referee.check import Findings, Step
from referee.check.course_game import keywords
from referee.check.file_steps import STANDARD
from referee.check.sandbox import RUNAWAY, Copy, PackageProcess, Trouble
from referee.check.source import Source
from referee.rules import Course, State

SLOW_IMPORT = 10.0  # seconds: no course charges an import, but somebody waits for it
POSITIONAL = ("POSITIONAL_ONLY", "POSITIONAL_OR_KEYWORD")


def import_step(
    process: PackageProcess, guarded_only: bool, course: Course
) -> tuple[Step, dict[str, Any] | None]:
    """The import, alone in an empty folder, and what it brought; None where that is nothing."""
    found = Findings("import")
    try:
        seen = process.load()
        loaded = process.ask("", "loaded", course.libraries)
    except Trouble as trouble:
        found.object_to(str(trouble), _what_is_missing(trouble, course))
        return found.done(""), None
    home = str(process.copy.place)
    if not seen["origin"].startswith(home):
        found.object_to(
            f"`import {process.copy.module}` brings another module: {seen['origin'] or 'one of Python'}",
            "rename the package",
        )
        return found.done(""), None
    found.figures["seconds"] = round(seen["wall"], 3)
    if seen["wall"] > SLOW_IMPORT:
        found.remark(
            f"it takes {seen['wall']:.1f} s, which no course charges",
            "load large tables from a file, and make none at import",
        )
    known = {*STANDARD, *course.libraries, process.copy.handin.name}
    strangers = [name for name in loaded if name not in known]
    if strangers and not guarded_only:
        has = " and ".join(course.libraries)
        found.object_to(
            f"it loads {', '.join(strangers)}", f"do without: the course's machine has {has} and nothing else"
        )
    return found.done(f"{seen['wall']:.2f} s, alone in an empty folder"), seen


def _what_is_missing(trouble: Trouble, course: Course) -> str:
    """What to do about an import that failed."""
    missing = re.search(r"No module named '(\w+)", trouble.message)
    if missing and missing[1] in course.libraries:
        name = missing[1]
        return f"the course's machine has {name}, this one has not: pip install {name}, and check again"
    if trouble.ending in ("no answer", "out of time"):
        return "an import only defines what is there: let nothing run at the top of a file that does not end"
    if "SyntaxError" in trouble.message:
        return "mend the file"
    return "the package has to work alone, in a folder that holds nothing else"


def class_step(seen: dict[str, Any], copy: Copy, parsed: list[Source], start: State, course: Course) -> Step:
    """The class and the parameters of what is called."""
    found = Findings("class")
    wanted, package = copy.classes, copy.module
    if seen["class"] is None:
        has = f"; it has {', '.join(seen['has'][:8])}" if seen["has"] else ""
        found.object_to(
            f"{package} has no class {' or '.join(wanted)}{has}", _how_it_is_found(package, wanted, parsed)
        )
        return found.done("")
    if seen["class"] == "ExamplePlayer":
        found.remark(
            "a course's referee looks for Player", f"say {package}:ExamplePlayer there, or rename the class"
        )
    both = len(start.to_act()) == 2
    _judge_call(found, "the constructor", seen["constructor"], 1, f"{seen['class']}({start.COLOURS[0]!r})")
    for method, given, call in (
        ("action", 0, "action()"),
        ("update", 2, f"update({'opponent_action, player_action' if both else 'colour, action'})"),
    ):
        if not seen["is_class"]:
            continue  # a function that makes players: the games will show
        if seen[method] == "missing":
            found.object_to(f"{seen['class']} has no {method}", f"write the method {call}")
        else:
            _judge_call(found, method, seen[method] and seen[method][1:], given, call)
    _judge_names(found, seen["update"], course)
    return found.done(
        f"{seen['class']} has a constructor, action and update that can be called as the course does"
    )


def _how_it_is_found(package: str, wanted: list[str], parsed: list[Source]) -> str:
    """What to do about a class that is not where the course looks for it, by where the package has one."""
    folder, name = package.replace(".", "/") + "/", wanted[0]
    players = [
        (found.name not in wanted, source.path.count("/"), source.path, found.name)
        for source in parsed
        for found in source.tree.body
        if source.path.startswith(folder)
        and isinstance(found, ast.ClassDef)
        and (found.name in wanted or {"action", "update"} <= _methods(found))
    ]
    if not players:
        return f"write the class {name}, with a constructor, action and update"
    _, _, path, own_name = min(players)
    module = path[len(folder) :].removesuffix(".py").removesuffix("__init__").strip("/").replace("/", ".")
    if not module:
        return f"rename the class {own_name} to {name}"
    called = own_name if own_name in wanted else f"{own_name} as {name}"
    advice = f"let {folder}__init__.py import it: from .{module} import {called}"
    inner = folder + module.partition(".")[0]
    if any(source.path == f"{inner}/__init__.py" for source in parsed):
        advice = f"name the folder {inner}, if that is the package; else {advice}"
    return advice


def _methods(found: ast.ClassDef) -> set[str]:
    return {part.name for part in found.body if isinstance(part, ast.FunctionDef)}


def names_as_the_course(rows: Any, course: Course) -> bool:
    """Whether `update`, with these parameters, can be called by the course's names for them."""
    if not isinstance(rows, list) or any(kind == "VAR_KEYWORD" for _, kind, _ in rows):
        return True
    return set(course.update) <= {name for name, kind, _ in rows if kind != "POSITIONAL_ONLY"}


def _judge_names(found: Findings, rows: Any, course: Course) -> None:
    if not isinstance(rows, list) or not course.update:
        return
    names = [name for name, kind, _ in rows[1:] if kind in POSITIONAL]
    wanted = ", ".join(course.update)
    if set(course.update) <= set(names) and names[: len(course.update)] != list(course.update):
        found.object_to(f"update takes {', '.join(names)}", f"the course calls it by position: take {wanted}")
    elif not names_as_the_course(rows, course):
        found.remark(
            f"update takes {', '.join(names)}: the course's referee calls it by position, and so it is here",
            f"name them as the course does, whose other programs may call by name: {wanted}",
        )


def _judge_call(found: Findings, what: str, rows: list[list[Any]] | None, given: int, call: str) -> None:
    """Whether something with these parameters takes so many arguments by position."""
    if rows is None:
        return  # written in C: the games will show
    needed = [name for name, kind, default in rows if kind in POSITIONAL and not default]
    most = sum(kind in POSITIONAL for _, kind, _ in rows)
    forced = [name for name, kind, default in rows if kind == "KEYWORD_ONLY" and not default]
    takes_any = any(kind == "VAR_POSITIONAL" for _, kind, _ in rows)
    if len(needed) > given or forced or (most < given and not takes_any):
        listing = ", ".join(name for name, _, _ in rows) or "nothing"
        found.object_to(
            f"{what} takes {listing}", f"it is called as {call}; give further parameters a default"
        )


def constructor_step(
    process: PackageProcess, seen: dict[str, Any], start: State, course: Course, variant: str
) -> Step:
    """The constructor with each colour."""
    found = Findings("constructor")
    named = keywords(seen["constructor"], variant)
    limit = start.LIMITS.game or start.LIMITS.first or start.LIMITS.action
    for colour in start.COLOURS:
        try:
            process.ask(colour, "new", colour, colour, named, course.judging, limit=limit)
        except Trouble as trouble:
            enough = {
                "out of memory": f"{start.LIMITS.megabytes or RUNAWAY:g} MB are all there is for a player",
                "out of time": "what takes long is done in its actions, by the clock, or kept in a file",
            }
            usual = "it is called with either colour, before the first turn"
            found.object_to(f"{colour!r}: {trouble}", enough.get(trouble.ending, usual))
    if variant and not named:
        found.notes.append("its constructor names no `variant`, so it is not told of this one")
    seconds = [process.cpu.get(colour, 0.0) for colour in start.COLOURS]
    found.figures["seconds"] = [round(one, 4) for one in seconds]
    made = " and ".join(
        f"{colour} in {one:.3f} s" for colour, one in zip(start.COLOURS, seconds, strict=True)
    )
    return found.done(made)


# What was seen in all processes that ran up to here


def output_step(copy: Copy) -> Step:
    """Whether it printed."""
    found = Findings("output")
    for call, text in dict.fromkeys(copy.printed):
        first, *more = text.splitlines() or [""]
        shown = f"{first[:100]!r}" + (f" and {len(more)} more lines" if more else "")
        found.remark(f"printed in {call}: {shown}", "print little: it stands among the referee's own lines")
    return found.done("" if found.remarks else "nothing was printed")


FORBIDDEN = {
    "write": ("writes {what}", "keep it in memory: a player may write no files"),
    "relative": (
        "reads {what}, relative to the working directory",
        "start from os.path.dirname(__file__): the working directory is the referee's",
    ),
    "outside": (
        "reads {what}, which is not in the package",
        "put it into the package, and start from __file__",
    ),
}
LATE = "read all files at import: the course allows reading in the first turn only"


def files_step(copy: Copy, course: Course) -> Step:
    """Whether it wrote files, or read what will not be there."""
    found = Findings("files")
    for event in copy.events:
        if event["event"] in FORBIDDEN:
            said, advice = FORBIDDEN[event["event"]]
            found.object_to(
                f"{said.format(what=event['what'])} in {event['call']} ({event['where']})", advice
            )
        elif event["event"] == "read" and not course.reads_late and event["call"] == "update":
            found.object_to(f"reads {event['what']} in update ({event['where']})", LATE)
    written = [event["what"] for event in copy.events if event["event"] == "write"]
    for name in copy.new_files():
        if not any(name.rpartition("/")[2] in one for one in written):
            found.object_to(f"left {name}", FORBIDDEN["write"][1])
    return found.done("nothing was written, and nothing read from outside the package")


STARTED = {
    "thread": ("starts a thread", "think in one thread: its time is charged to whoever is to act"),
    "process": ("starts a process ({what})", "play in one process"),
    "socket": ("opens a socket", "use no network: it is against every course's rules"),
}


def threads_step(copy: Copy) -> Step:
    """Whether it started threads or processes, or reached for the network."""
    found = Findings("threads")
    for event in copy.events:
        if event["event"] in STARTED:
            said, advice = STARTED[event["event"]]
            found.object_to(
                f"{said.format(what=event['what'])} in {event['call']} ({event['where']})", advice
            )
    if copy.threads > 0 and not any(event["event"] == "thread" for event in copy.events):
        found.object_to(
            f"{copy.threads} more threads than after the import, which no line of Python started",
            "import numpy, and what else starts threads when it is imported, at the top of the package",
        )
    if copy.left:
        found.object_to(
            f"{copy.left} processes were still there when the player's had ended", STARTED["process"][1]
        )
    return found.done("no threads, no processes, no network")
