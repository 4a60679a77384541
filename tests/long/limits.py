"""Our agents under every combination of limits: `python -m tests.long.limits` plays them as `play` would.

Each combination of a time for the game, for each action, for the first, nodes, memory, wall time and an
opening is played against `random`, in every game and variant.  A player that has 20 ms an action and 50 MB
may not forfeit.  `--sample 20` plays so many combinations of each game, drawn by `--seed`.
"""

import argparse
import itertools
import random
import sys
from argparse import Namespace

from referee import rules
from referee.commands import limits
from referee.match.openings import Openings
from referee.match.planned import PlannedGame
from referee.players.names import resolve
from tests.support.our_games import ROOT

ACTION = 0.02  # seconds: with less, nothing is promised
SPACE = 50  # megabytes: some 25 are taken by tables before a player is told of any limit
# Own actions that a game may have against `random`: what a budget for the game has to pay for.
ACTIONS = {"expendibots": 250, "fanorona": 120, "kalaha": 60, "pentago": 18, "ropasci": 360}
GAMES = [
    f"{game}{variant}"
    for game, variants in {
        "expendibots": ("",),
        "fanorona": ("", ":1100"),
        "kalaha": ("", ":4x3", ":12x10", ":40x4"),
        "pentago": ("", ":classic"),
        "ropasci": ("",),
    }.items()
    for variant in variants
]
NONE = ("time", "action_time", "first_time", "nodes", "space", "game_wall")


def combinations(game):
    """The options of `play` that set limits: all but those under which a game would take minutes."""
    whole = ACTION * ACTIONS[game.partition(":")[0]] * (4 if ":40" in game or ":12" in game else 1)
    every = itertools.product(
        (None, whole, 3 * whole),
        (None, ACTION, 0.1),
        (None, ACTION, 0.3, 0),
        (None, 100, 10**7),
        (None, SPACE),
        (False, True),
        (None, 2 * whole),
        (0, 5),
    )
    for time, action, first, nodes, space, wall, game_wall, plies in every:
        if time or action or nodes == 100:
            yield {
                "time": time,
                "action_time": action,
                "first_time": first,
                "nodes": nodes,
                "space": space,
                "wall": wall,
                "game_wall": game_wall,
                "opening": plies,
            }


def allowance(game, options, isolation=None):
    """What the agent may use, as the command line has it."""
    given = {name: None if options[name] is None else (options[name],) for name in NONE}
    plain = {"isolation": isolation, "require_isolation": None, "readable": []}
    whole = Namespace(**given, wall=options["wall"], **plain)
    return limits.allowances(whole, type(rules.start(game)).LIMITS)[0]


def planned(game, options, number):
    """A game of our agent against `random`, who has no limits."""
    agent = resolve(str(ROOT / f"{game.partition(':')[0]}_agent"))
    none = {name: 0 for name in NONE}
    both = allowance(game, options), allowance(game, {**none, "wall": False})
    drawn = Openings(game, options["opening"], 20).of(number % 8 + 1)
    return PlannedGame(game, (agent, resolve("random")), both, number, number, number % 2, 20, drawn)


def words(options):
    """The options as they are typed."""
    given = {name.replace("_", "-"): value for name, value in options.items() if value not in (None, False)}
    return " ".join(f"--{name} {value}" for name, value in given.items())


def main():
    """Exit status 1 if a game was lost by a limit."""
    parser = argparse.ArgumentParser(description=__doc__.partition(":")[0])
    parser.add_argument("--sample", type=int, help="so many of each game (default: all)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--games", nargs="*", default=GAMES)
    parser.add_argument("--without", nargs="*", default=[], help="options that are not to be set, as wall")
    chosen = parser.parse_args()
    lost = 0
    for game in chosen.games:
        every = [one for one in combinations(game) if not any(one[name] for name in chosen.without)]
        if chosen.sample:
            every = random.Random(f"{chosen.seed} {game}").sample(every, min(chosen.sample, len(every)))
        for number, options in enumerate(every, 1):
            result = planned(game, options, number).play()
            if result.at_fault:
                lost += 1
                print(f"{game} {words(options)}: {result.reason}", flush=True)
        print(f"{game}: {len(every)} combinations", flush=True)
    print(f"{lost} games were lost by a limit")
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())
