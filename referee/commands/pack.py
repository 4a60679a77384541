"""Make the zip to hand in of an agent, and try it before it is there.

It holds the package alone: no train/, yardstick.py, EXPERIMENTS.md, tests, caches, hidden files, nor what
links lead to elsewhere; a README stays.  The same files give the same bytes, whatever their dates, order and
rights.
What is tried is the zip itself: unpacked in an empty folder under its new name it goes through `check`,
games included, at a tenth of the course's limits.  With any objection no zip is written, but for those of
steps that are named with --despite.  Where the course asks for absolute imports, `from .board import Board`
is `from NAME.board import Board` in the zip, and nothing else of the sources is another.

--json prints one object: `zip`, `package`, `bytes`, `sha256`, `files` (path and bytes of each), `packed`
(whether it was written), `left_out` (links, and what stood beside it in a zip), `rewritten` (files whose
imports were made absolute), `despite`, and `check`, as `check --json` prints it.
"""

import argparse
import hashlib
import json
import os
import zipfile
from dataclasses import replace
from keyword import iskeyword
from pathlib import Path

from referee import UsageError
from referee.check import FAIL, NOT_TRIED, REMARK, Step, listed
from referee.check.absolute_imports import written_out
from referee.check.all_steps import STEPS, Wanted, all_steps, objections, prepared
from referee.check.courses import OLDEST, course
from referee.check.file_steps import absolute_imports
from referee.check.handin import HandIn, archive, handed_in
from referee.check.objected_games import ObjectedGames
from referee.check.source import sources
from referee.commands import check
from referee.players import temporary
from referee.players.names import Spec
from referee.players.text import on_one_line
from referee.view.progress import Steps

SHARE = 0.1  # of the course's limits, for the games that try it


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME", help="a game, or game:variant")
    parser.add_argument("agent", metavar="AGENT", help="a package, a file, package:Class or a zip")
    parser.add_argument("out", metavar="OUT.zip", type=Path, help="what to write; an older zip is replaced")
    parser.add_argument("--name", help="the package's name in the zip (its own)")
    parser.add_argument(
        "--despite",
        action="append",
        default=[],
        metavar="STEP",
        type=check.step_name,
        help="write it in spite of this step's objection; may be said again",
    )
    parser.add_argument(
        "--python",
        type=check.version,
        default=OLDEST,
        metavar="3.N",
        help="the CPython on the course's machine (3.6)",
    )
    parser.add_argument(
        "--record", type=Path, metavar="DIR", help="keep the games of objections there (a temporary folder)"
    )
    parser.add_argument("--json", action="store_true", help="print one object")
    parser.add_argument("--stream", action="store_true", help="each step as an object first, as it is done")


def run(options: argparse.Namespace) -> int:
    spec, handin = prepared(options.game, options.agent)
    name = handin.name if options.name is None else options.name
    if not (name.isidentifier() and name.isascii()) or iskeyword(name):
        raise UsageError(
            f"no package can be called {name[:60]!r}: give it a --name of letters from a to z, digits and _"
        )
    _refuse_place(options.out, spec, handin)
    absolute = absolute_imports(handin, sources(handin)) if name != handin.name else []
    rewritten: list[str] = []
    if absolute:
        said = (
            f"{handin.name} imports itself by that name ({', '.join(listed(absolute))}): it cannot be {name}"
        )
        packed, steps = b"", [Step("renamed", FAIL, said, _way_out(options.game))]
    else:
        handin, rewritten = _as_the_course_asks(handin.renamed(name), options.game)
        packed = archive(handin.files)
        steps = _tried(options, spec, name, packed)
    is_good = bool(packed) and set(objections(steps)) <= set(options.despite)
    if is_good:
        _write(options.out, packed)
    _report(options, handin, packed, steps, is_good, rewritten)
    return 0 if is_good else 1


def _as_the_course_asks(handin: HandIn, game: str) -> tuple[HandIn, list[str]]:
    """The package as it goes into the zip, and the files that are changed for it."""
    return written_out(handin) if course(game).absolute_imports else (handin, [])


def _way_out(game: str) -> str:
    """What to do about a package that imports itself by another name than it is to have."""
    more = ", which is made absolute in the zip" if course(game).absolute_imports else ""
    return f"import relatively{more}; or leave out --name"


def _tried(options: argparse.Namespace, spec: Spec, name: str, packed: bytes) -> list[Step]:
    """The check of the zip itself; its objections are shown as they come."""
    _, dot, below = spec.module.partition(".")
    steps = []
    with temporary.folder("pack") as folder:
        path = folder / "packed.zip"
        path.write_bytes(packed)
        spec = replace(spec, folder=str(path), module=f"{name}{dot}{below}")
        with Steps(STEPS, options.json or options.stream) as bar:
            handin, keeper = handed_in(spec), ObjectedGames(options.record)
            wanted = Wanted(SHARE, options.python, on_turn=bar.turn, keeper=keeper)
            for step in all_steps(options.game, spec, handin, wanted):
                bar.done(step.step)
                steps.append(step)
                if options.stream:
                    print(json.dumps(step.row()), flush=True)
                elif step.state in (FAIL, REMARK) and not options.json:
                    print(check.written(step), flush=True)
    return steps


def _report(
    options: argparse.Namespace,
    handin: HandIn,
    packed: bytes,
    steps: list[Step],
    is_good: bool,
    rewritten: list[str],
) -> None:
    sizes = {path: len(content) for path, content in handin.files.items()}
    digest = hashlib.sha256(packed).hexdigest()
    if options.json or options.stream:
        found = {
            "zip": str(options.out),
            "package": handin.name,
            "packed": is_good,
            "bytes": len(packed),
            "sha256": digest,
            "files": [{"path": path, "bytes": size} for path, size in sizes.items()],
            "left_out": [*handin.links, *handin.strangers],
            "rewritten": rewritten,
            "despite": sorted(set(options.despite)),
            "check": check.summary(options.game, options.agent, handin, steps),
        }
        print(json.dumps(found))
        return
    if not is_good:
        if not packed:
            print(check.written(steps[0]))
        print(f"{on_one_line(options.out)} is not written: {check.verdict(steps)}")
        return
    for path, size in sizes.items():
        print(f"{size:>10,} {on_one_line(path)}".replace(",", " "))
    for link in handin.links:
        print(f"{'left out':>10} {on_one_line(link)}: a link that leads elsewhere")
    for stranger in handin.strangers:
        print(f"{'left out':>10} {on_one_line(stranger)}: it stands beside the package")
    if rewritten:
        print(f"relative imports are absolute in the zip: {on_one_line(', '.join(listed(rewritten)))}")
    (played,) = (step for step in steps if step.step == "limits")
    if played.state == NOT_TRIED:
        print(f"not played from: {played.found}")
    else:
        print(f"checked, and played from, as {handin.name} in a folder that holds nothing else:")
        print(f"  {played.found}".replace("\n", "\n  "))
    if ignored := objections(steps):
        print(f"written in spite of {', '.join(ignored)}")
    count = f"{len(sizes)} file{'s' * (len(sizes) > 1)}"
    print(f"{on_one_line(options.out)}: {count}, {len(packed) / 10**6:.2f} MB, sha256 {digest}")


def _refuse_place(out: Path, spec: Spec, handin: HandIn) -> None:
    """A place where no zip can or should be written: found before the games, not after them."""
    if out.suffix != ".zip":
        raise UsageError(f"{out} should end in .zip")
    if out.is_dir() or out.exists() and not zipfile.is_zipfile(out):
        raise UsageError(f"{out} is there and is no zip; remove it, or name another file")
    folder = out.absolute().parent
    if not folder.is_dir() or not os.access(folder, os.W_OK):
        raise UsageError(f"{out} cannot be written: there is no folder {folder} that can be written to")
    package = Path(spec.folder, handin.name)
    if package.is_dir() and folder.resolve().is_relative_to(package.resolve()):
        raise UsageError(
            f"{out} lies in the package itself and would be packed next time; name another place"
        )


def _write(out: Path, packed: bytes) -> None:
    """Aside first, so that there is a whole zip or the one that was there before."""
    aside = out.with_name(f".{out.name}.{os.getpid()}")
    try:
        aside.write_bytes(packed)
        os.replace(aside, out)
    except OSError as error:
        aside.unlink(missing_ok=True)
        raise UsageError(f"cannot write {out}: {error.strerror or error}") from None
