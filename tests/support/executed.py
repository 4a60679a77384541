"""Which statements of an agent's shared files are executed by its bench positions and one game.

    python -m tests.support.executed kalaha

It prints a line of JSON: for each file how many statements it has, and the lines of those not executed.
"""

import ast
import importlib
import json
import sys
from collections.abc import Callable
from itertools import accumulate, count
from types import SimpleNamespace

from referee import rules
from referee.commands import bench
from referee.match.pairs import pairs
from tests import ROOT
from tests.support.agents import agent_of, named

NODES = 2000  # a position, where the agent has no smaller figure of its own
# Of the game: several limits at once, and the seconds from one look at the clock to the next.
LIMITS = {"game_seconds": 20.0, "action_seconds": 1.0, "first_seconds": 2.0, "megabytes": 40}
LOOK, SOON = 0.007, 0.0001
SEED = 8


def statements(text: str) -> set[int]:
    """The lines on which statements begin, docstrings left out."""
    nodes = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.stmt) and _runs(node)]
    docstrings = (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) for node in nodes)
    return {node.lineno for node, is_text in zip(nodes, docstrings, strict=True) if not is_text}


def _runs(node: ast.stmt) -> bool:
    """Whether there is something to execute: not in `nonlocal a`, nor in `a: int`."""
    if isinstance(node, ast.AnnAssign):
        return node.value is not None
    return not isinstance(node, (ast.Global, ast.Nonlocal))


def traced(folder: str, work: Callable[[], None]) -> dict[str, set[int]]:
    """The lines of the files in the folder that are executed by the work."""
    lines: dict[str, set[int]] = {}

    def call(frame, event, argument):
        name = frame.f_code.co_filename
        if not name.startswith(folder):
            return None
        seen = lines.setdefault(name, set())

        def line(frame, event, argument):
            seen.add(frame.f_lineno)
            return line

        seen.add(frame.f_lineno)
        return line

    sys.settrace(call)
    try:
        work()
    finally:
        sys.settrace(None)
    return lines


def play(game: str) -> None:
    """Search the bench positions, and play a game by a clock that counts looks."""
    cls = importlib.import_module(agent_of(game)).Player
    limit = min(NODES, getattr(cls, "bench_nodes", NODES))
    for line, seat in bench.fixed_positions(game):
        player = cls(rules.parse(game, line).COLOURS[seat], nodes=limit, seed=SEED)
        player.set_up(line)
        player.action()
    looks = count()
    seconds = accumulate(SOON if number % 50 == 49 else LOOK for number in looks)
    clock = SimpleNamespace(process_time=lambda: next(seconds), perf_counter=None)
    sys.modules[f"{agent_of(game)}.shared.clock"].time = clock

    def make(colour, seed):
        return cls(colour, seed=seed, **named(game, LIMITS))

    for _ in pairs(game, (make, make), lambda pair: (), [1], SEED, seats=[0]):
        pass


def main() -> None:
    """Trace the agent of the game that the command line names."""
    game = sys.argv[1]
    folder = ROOT / agent_of(game) / "shared"
    lines = traced(f"{folder}/", lambda: play(game))
    report = {}
    for path in sorted(folder.glob("*.py")):
        every = statements(path.read_text(encoding="utf-8"))
        report[path.name] = [len(every), sorted(every - lines.get(str(path), set()))]
    print(json.dumps(report))


if __name__ == "__main__":
    main()
