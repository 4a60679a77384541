"""Search fixed positions under a fixed limit of nodes: how fast an agent is, and whether its search changed.

The signature is made of what each search came to: nodes, depth and action.  It is the same on every
machine and changes only when the search does; tests/bench.txt keeps those of all agents.

An agent takes part whose Player has `set_up(line)` and `search`, with `nodes`, `depth` and
`first_move_cuts` (None where there is nothing to cut) after `action()`.  Its `bench_nodes`, if it
has them, are the limit for a position; a node is what the agent counts as one.
"""

import argparse
import gc
import hashlib
import importlib
import inspect
import json
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from numbers import Real
from typing import Any

from referee import UsageError, rules
from referee.players.names import resolve
from referee.players.text import shorten
from referee.start import command

POSITIONS = 6
NODES = 20_000  # for each position, unless the agent has a figure of its own
SEED = 360  # of players that draw lots and can be told one
SIGNATURE_LENGTH = 12


class TakesNoPart(Exception):
    """The agent takes no part: what it does or lacks, as a sentence that begins behind its name."""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME", nargs="?", help="one game, or game:variant (default: all)")
    parser.add_argument("--json", action="store_true", help="one JSON object a line")


def run(options: argparse.Namespace) -> int:
    games = [options.game] if options.game else [name for name in rules.games() if _agent(name)]
    for game in games:
        rules.start(game)
        if not _agent(game):
            raise UsageError(f"there is no package {_agent_name(game)} here to search {game}'s positions")
    if not games:
        raise UsageError("there is no agent here: run this in a folder with packages like kalaha_agent")
    failed = False
    for game in games:
        # Each agent in a process of its own: what one imports or caches is not another's gain.
        child = subprocess.run(command("commands.bench", game), stdout=subprocess.PIPE, text=True)
        lines = child.stdout.splitlines()
        figures = json.loads(lines[-1]) if not child.returncode and lines else {}
        if "nodes" not in figures:
            why = figures.get("unfit", f"ended with exit code {child.returncode}; what it said is above")
            print(f"referee: {_agent_name(game)} {why}", file=sys.stderr)
            failed = True
            continue
        print(json.dumps(figures) if options.json else _sentence(figures), flush=True)
    return 1 if failed else 0


def main() -> None:
    """Measure the agent of the game that the command line names; one line of JSON says what came of it."""
    try:
        print(json.dumps(measure(sys.argv[1])))
    except TakesNoPart as why:
        print(json.dumps({"unfit": str(why)}))


def measure(game: str) -> dict[str, Any]:
    """What one agent makes of its game's fixed positions; TakesNoPart where it takes no part."""
    cls = player_class(_agent_name(game))
    limit = getattr(cls, "bench_nodes", NODES)
    nodes, seconds, depths, cuts, marks = 0, 0.0, [], [], hashlib.sha256()
    lines = fixed_positions(game)
    for line, seat in lines:
        player = None
        gc.collect()  # the memory of the last player is for the next, as it would be in a process of its own
        player = set_up(cls, game, line, seat, limit)
        start = time.process_time()
        with _unfit_if_it_raises("action"):
            action = player.action()
        seconds += time.process_time() - start
        search = _account(player)
        nodes += search.nodes
        depths.append(search.depth)
        if search.first_move_cuts is not None:
            cuts.append(search.first_move_cuts)
        marks.update(repr((line, search.nodes, search.depth, action)).encode())
    return {
        "game": game,
        "positions": len(lines),
        "nodes": nodes,
        "seconds": round(seconds, 3),
        "nodes_per_second": round(nodes / max(seconds, 1e-6)),
        "depth": round(sum(depths) / len(depths), 2),
        "first_move_cuts": round(sum(cuts) / len(cuts), 4) if cuts else None,
        "signature": marks.hexdigest()[:SIGNATURE_LENGTH],
    }


def player_class(name: str) -> Any:
    """The class of a player that can be put into a position."""
    spec = resolve(name)
    sys.path.insert(0, spec.folder)
    with _unfit_if_it_raises("import"):
        module = importlib.import_module(spec.module)
    cls = getattr(module, "Player", None)
    if not callable(cls):
        raise TakesNoPart("has no class Player, so its search cannot be measured")
    if not callable(getattr(cls, "set_up", None)):
        raise TakesNoPart(
            "has no method set_up(line), which puts its Player into a position that is measured"
        )
    return cls


def set_up(cls: Any, game: str, line: str, seat: int, limit: int) -> Any:
    """The agent's player in a position, with so many nodes for its action."""
    variant = game.partition(":")[2]
    keywords = {"nodes": limit, **({"variant": variant} if variant else {})}
    if "seed" in inspect.signature(cls).parameters:
        keywords["seed"] = SEED
    with _unfit_if_it_raises(f"constructor with {' and '.join(keywords)}"):
        player = cls(rules.parse(game, line).COLOURS[seat], **keywords)
    with _unfit_if_it_raises("set_up"):
        player.set_up(line)
    if getattr(getattr(player, "search", None), "lots", None):
        player.search.lots = None  # equal moves in their order: what is signed is the search
    return player


def _account(player: Any) -> Any:
    """The player's `search`, which has to tell what is measured."""
    search = getattr(player, "search", None)
    for name, kinds in (("nodes", int), ("depth", Real), ("first_move_cuts", (Real, type(None)))):
        if not isinstance(getattr(search, name, "none"), kinds):
            raise TakesNoPart(
                f"does not tell `search.{name}` after its action, so its search cannot be measured"
            )
    return search


@contextmanager
def _unfit_if_it_raises(call: str) -> Iterator[None]:
    try:
        yield
    except Exception as error:
        said = " ".join(f"{type(error).__name__}: {error}".split())
        raise TakesNoPart(f"fails in its {call}: {shorten(said)}") from None


def fixed_positions(game: str) -> list[tuple[str, int]]:
    """Lines of text, and who is to act there: from random games, spread over the first half of each."""
    found = []
    for number in range(POSITIONS):
        lots, states = random.Random(f"bench {number}"), [rules.start(game)]
        while players := states[-1].to_act():
            chosen = {player: lots.choice(states[-1].actions(player)) for player in players}
            states.append(states[-1].after(chosen))
        at = len(states) * number // (2 * POSITIONS)
        while len(states[at].actions(states[at].to_act()[0])) == 1:  # nothing to search
            at -= 1
        found.append((states[at].text(), states[at].to_act()[0]))
    return found


def _sentence(figures: dict[str, Any]) -> str:
    cuts = figures["first_move_cuts"]
    share = "no cut-offs" if cuts is None else f"{cuts:.1%} of cut-offs by the first move"
    return (
        f"{figures['game']}: {figures['nodes']} nodes in {figures['positions']} positions, "
        f"{figures['seconds']:.2f} s of CPU, {figures['nodes_per_second']} a second, "
        f"depth {figures['depth']:.1f}, {share}, signature {figures['signature']}"
    )


def _agent_name(game: str) -> str:
    return f"{game.partition(':')[0]}_agent"


def _agent(game: str) -> bool:
    try:
        return bool(resolve(_agent_name(game)))
    except UsageError:
        return False
