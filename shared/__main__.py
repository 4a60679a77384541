"""The agents' copies of the shared files: `python -m shared` refreshes them, `--check` compares them.

Whatever lies in an agent's `shared/` is a copy; the folder itself is the list.  To give an agent one
more of the files, create an empty one of that name there and refresh.  The templates of `referee new` have
copies too, for players that begin with a search.
"""

import argparse
import ast
import sys
from pathlib import Path
from typing import Iterator, List, Set

HERE = Path(__file__).resolve().parent
TEMPLATES = HERE.parent / "referee" / "players" / "templates" / "shared"


def folders() -> List[Path]:
    """The agents' `shared/` folders, in the order of the agents' names, and that of the templates."""
    found = sorted(HERE.parent.glob("*_agent/shared")) + [TEMPLATES]
    return [path for path in found if path.is_dir()]


def copies(folder: Path) -> List[Path]:
    """The copies in one of them; `__init__.py` belongs to all, even where it is still missing."""
    return sorted({folder / "__init__.py"} | set(folder.glob("*.py")))


def stale(folder: Path) -> List[Path]:
    """The copies that are not, byte for byte, what the original is now."""
    return [
        copy
        for copy in copies(folder)
        if (HERE / copy.name).is_file()
        and not (copy.is_file() and copy.read_bytes() == (HERE / copy.name).read_bytes())
    ]


def misplaced(folder: Path) -> Iterator[str]:
    """Sentences about files that should not be there or should: refreshing cannot decide that."""
    present = {copy.stem for copy in copies(folder)} - {"__init__"}
    needed = _imported(folder)
    for stem in sorted(present):
        copy = folder / (stem + ".py")
        if not (HERE / copy.name).is_file():
            yield "no such shared file: %s (there is no shared/%s; move it into the agent)" % (
                _name(copy),
                copy.name,
            )
        elif stem not in needed:
            yield "nothing imports %s (delete it)" % _name(copy)
    for stem in sorted(needed - present):
        if (HERE / (stem + ".py")).is_file():
            name = _name(folder / (stem + ".py"))
            yield "%s is imported and missing (create it empty and run: python -m shared)" % name


def _imported(folder: Path) -> Set[str]:
    """The shared files that an agent imports, those that they import themselves included."""
    found = set()  # type: Set[str]
    for path in folder.parent.rglob("*.py"):
        if folder not in path.parents:
            for node in ast.walk(ast.parse(path.read_bytes(), str(path))):
                if isinstance(node, ast.ImportFrom) and node.level:
                    package, _, module = (node.module or "").partition(".")
                    if package == "shared":
                        found.update([module] if module else [alias.name for alias in node.names])
    waiting = sorted(found)
    while waiting:
        original = HERE / (waiting.pop() + ".py")
        if original.is_file():
            for node in ast.walk(ast.parse(original.read_bytes(), str(original))):
                if isinstance(node, ast.ImportFrom) and node.level and node.module not in found:
                    found.add(str(node.module))
                    waiting.append(str(node.module))
    return found


def _name(path: Path) -> str:
    return path.relative_to(HERE.parent).as_posix()


def main() -> int:
    """Refresh or compare; 0 if all is well afterwards, else 1."""
    parser = argparse.ArgumentParser(prog="python -m shared", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="change nothing, say what differs, exit 1 if so")
    options = parser.parse_args()
    troubles = []  # type: List[str]
    for folder in folders():
        for copy in stale(folder):
            if options.check:
                troubles.append("shared copy differs: %s (run: python -m shared)" % _name(copy))
            else:
                copy.write_bytes((HERE / copy.name).read_bytes())
                print("refreshed %s" % _name(copy))
        troubles += misplaced(folder)
    for trouble in troubles:
        print(trouble, file=sys.stderr)
    return 1 if troubles else 0


if __name__ == "__main__":
    sys.exit(main())
