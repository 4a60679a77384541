"""Plays two versions of this agent, or settings of one, against each other: what is a change worth?

    python -m fanorona_agent.train.matches . .,tree.STORM=0 --pairs 100 --nodes 5000

A version is a folder with this package (. is this one), then assignments made in its modules
(`tree.STORM=0`, `tree.evaluate=@yardstick.static`) or on its player
(`self.alphabeta.quiet=None`); `.:yardstick` is the player in
yardstick.py, at its own budget.  Each version is a copy of the package of its own, in this process.  A
pair is one balanced opening played twice, colours exchanged.
"""

import argparse
import ast
import importlib
import importlib.util
import random
import sys
import time
from pathlib import Path
from types import ModuleType
from typing import Any, Collection, Dict, List, Tuple

from referee import UsageError, rules
from referee.commands.options import natural, positive, seconds
from referee.tournament.statistics import words

from .. import player
from ..notation import with_history

HERE = Path(__file__).resolve().parent.parent
VARIANTS = "1130", "1100"
# An opening counts as balanced if searches of so many nodes say no more than BALANCED of it: of 30 that
# those of 20 000 let pass, those of 200 000 called 10 balanced, and of 8 they said more than 140.
BALANCED = 60
SHORT, LONG = (2000, 20000), 200000
MEN = 36  # with fewer of the 44 it is no opening: random chains leave 20 men after two turns
TRIES = 20000  # draws for one opening, 7 seconds of CPU: at least every fifth has 36 men
MORE_NODES = 97  # from pair to pair, so that games from the start differ


class Version:
    """A copy of the package with something changed."""

    copies = 0

    def __init__(self, text: str) -> None:
        self.text = text
        place, *changes = text.split(",")
        folder, _, self.module = place.partition(":")
        Version.copies += 1
        self.name = "version%d" % Version.copies
        path = HERE if folder == "." else Path(folder).resolve()
        spec = importlib.util.spec_from_file_location(
            self.name, str(path / "__init__.py"), submodule_search_locations=[str(path)]
        )
        package = importlib.util.module_from_spec(spec)
        sys.modules[self.name] = package
        spec.loader.exec_module(package)
        self.on_player: List[Tuple[str, Any]] = []
        for change in changes:
            where, _, value = change.partition("=")
            module, _, attribute = where.rpartition(".")
            if not module or not value:
                raise ValueError("%s is neither module.NAME=value nor self.name=value" % change)
            if where.startswith("self."):
                self.on_player.append((where[5:], ast.literal_eval(value)))
            else:
                self._assign(importlib.import_module(self.name + "." + module), attribute, value)

    def _assign(self, module: ModuleType, attribute: str, value: str) -> None:
        getattr(module, attribute)  # what is not there yet would change nothing
        if value.startswith("@"):
            place, function = value[1:].split(".")
            setattr(module, attribute, getattr(importlib.import_module(self.name + "." + place), function))
        else:
            setattr(module, attribute, ast.literal_eval(value))

    def player(self, colour: str, options: Dict) -> Any:
        """A new player."""
        if self.module:
            chosen = importlib.import_module(self.name + "." + self.module)
            made = chosen.Player(colour, variant=options["variant"])
        else:
            made = sys.modules[self.name].Player(colour, **options)
        for path, value in self.on_player:
            *way, attribute = path.split(".")
            there = made
            for step in way:
                there = getattr(there, step)
            getattr(there, attribute)  # as in _assign
            setattr(there, attribute, value)
        return made


def version(text: str) -> Version:
    """A version from the command line, tried before any game is played."""
    try:
        found = Version(text)
        found.player("light", dict(variant="1130", nodes=1))
        return found
    except (AttributeError, ImportError, OSError, SyntaxError, TypeError, ValueError) as trouble:
        raise argparse.ArgumentTypeError("%s cannot be played: %s" % (text, trouble)) from None


def balanced_opening(
    chance: random.Random, game: str, known: Collection[str] = (), longest: int = LONG, men: int = MEN
) -> Any:
    """A state a few random hops from the start, none of those known, in which searches see nobody ahead."""
    refused = set()
    for _ in range(TRIES):
        state = rules.start(game)
        hops = chance.randint(3, 12)
        while state.legal and (hops > 0 or state.chain):
            state = state.after({state.mover: chance.choice(state.legal)})
            hops -= 1
        line = state.text()
        if len(state.legal) < 2 or line in known or line in refused or 45 - state.board.count(".") < men:
            continue
        if all(is_balanced(state, game, nodes) for nodes in sorted({*SHORT, longest})):
            return state
        refused.add(line)
    raise UsageError(
        "%d draws gave no new balanced opening with %d men: lower --men, or raise --check" % (TRIES, men)
    )


def is_balanced(state: Any, game: str, nodes: int) -> bool:
    """Whether a search sees nobody ahead."""
    judge = player.Player("light", variant=game.partition(":")[2], nodes=nodes, book=False)
    judge.search.lots = None
    judge.position, judge.seen = with_history(state.text())
    judge.think()
    return judge.search.score is not None and abs(judge.search.score) <= BALANCED


def play_game(state: Any, seats: List[Any]) -> Tuple[Tuple[float, float], int]:
    """The scores of a game from a state, and its hops."""
    for seat in seats:
        seat.set_up(state.text())
    hops = 0
    while state.legal:
        hop = seats[state.mover].action()
        for seat in seats:
            seat.update(*state.news(0, {state.mover: hop}))
        state = state.after({state.mover: hop})
        hops += 1
    return state.outcome()[0], hops


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("first", type=version)
    parser.add_argument("second", type=version)
    parser.add_argument("--pairs", type=positive, default=50)
    parser.add_argument(
        "--first", dest="left_out", type=natural, default=0, help="so many pairs are left out"
    )
    parser.add_argument("--nodes", type=positive, default=None, help="nodes an action")
    parser.add_argument("--seconds", type=seconds, default=None, help="seconds an action")
    parser.add_argument("--variant", choices=VARIANTS, default="1130")
    parser.add_argument(
        "--start", action="store_true", help="begin at the start, with some nodes more in each pair"
    )
    parser.add_argument("--check", type=positive, default=LONG, help="nodes to check openings with")
    parser.add_argument("--men", type=natural, default=MEN, help="openings have at least so many")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--verbose", action="store_true", help="a line after each pair")
    options = parser.parse_args()
    if options.left_out >= options.pairs:
        parser.error("--first leaves out all of the %d pairs" % options.pairs)
    if options.start and not options.nodes:
        parser.error("--start needs --nodes, which make its games differ")
    versions = [options.first, options.second]
    limits = dict(variant=options.variant, nodes=options.nodes, seconds=options.seconds)
    pairs = [0] * 5
    results = {1.0: 0, 0.5: 0, 0.0: 0}
    openings = set()
    for number in range(options.left_out, options.pairs):
        chance = random.Random("%d %d" % (options.seed, number))
        game = "fanorona:" + options.variant
        if options.start:
            opening = rules.start(game)
            limits["nodes"] = options.nodes + MORE_NODES * number
        else:
            try:
                opening = balanced_opening(chance, game, openings, options.check, options.men)
            except UsageError as trouble:
                if openings:
                    print(describe(results, pairs))
                parser.error("pair %d: %s" % (number + 1, trouble))
            openings.add(opening.text())
        points = 0.0
        for light in (0, 1):
            seats = [versions[light].player("light", limits), versions[1 - light].player("dark", limits)]
            scores, hops = play_game(opening, seats)
            points += scores[light]
            results[scores[light]] += 1
        pairs[int(2 * points)] += 1
        if options.verbose:
            print(number + 1, describe(results, pairs), flush=True)
    print(describe(results, pairs), "%.0f s" % time.process_time())


def describe(results: Dict[float, int], pairs: List[int]) -> str:
    """A match in a line: wins, draws and losses of the first, its share of the points and the interval."""
    return "+%d =%d -%d, %s" % (results[1.0], results[0.5], results[0.0], words(pairs))


if __name__ == "__main__":
    main()
