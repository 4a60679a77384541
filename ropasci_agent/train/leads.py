"""Positions with a lead of two or three, from recorded games and from games of our own.

    python -m ropasci_agent.train.leads tests/records/ropasci/tournament_2021.jsonl.gz

Each game gives one position of each kind at most: a turn, drawn by lot, at which the lead was there for
two turns already.  The leader has player 0's side in all of them.  Left out are positions in which the
other has a token that nothing can beat: the leader can no longer win those.
"""

import argparse
import gzip
import json
import random
from typing import Dict, Iterator, List, Optional, Tuple

from referee.commands.options import positive

from .. import notation
from ..position import START, THROWS, Position, hopeless, lead, material, play, result
from . import cascade, habits, hiders, onestage
from .matches import opening, turned

LEADS = (2, 3)
# By whether the leader has throws left, and whether the other has.
THROWS_LEFT = {(1, 1): "both", (1, 0): "the leader", (0, 1): "the other", (0, 0): "neither"}
LATEST = 160  # turn: a game that has this many behind it leaves enough to win
LONGEST = 150  # turns of our own games
Kind = Tuple[int, str]  # the lead, and whose throws are left
OTHERS = (cascade.Player, hiders.Turtle, hiders.Fortress, hiders.Shadow)  # against one-stage equilibria


def kind(position: Position, leader: int) -> Optional[Kind]:
    """(lead, whose throws are left), or None if that is no lead of ours."""
    ahead = lead(position, leader)
    if ahead not in LEADS or result(position) is not None or hopeless(material(position), leader):
        return None
    left = position[1 + leader] < THROWS, position[2 - leader] < THROWS
    return ahead, THROWS_LEFT[left]


def recorded(path: str) -> Iterator[List[Position]]:
    with gzip.open(path, "rt") as lines:
        for line in lines:
            game = [START]
            for actions in json.loads(line)["actions"]:
                game.append(play(game[-1], [notation.to_move(action) for action in actions]))
            yield game


def own_games(seed: int) -> Iterator[List[Position]]:
    """Games of the one-stage player against the rule cascade and those that hide, without end."""
    dice = random.Random(seed)
    while True:
        makers = [onestage.Player, dice.choice(OTHERS)]
        dice.shuffle(makers)
        players = [make(colour, seed=dice.random()) for make, colour in zip(makers, notation.COLOURS)]
        game = [START]
        for pair in opening(dice.randint(1, 12), dice):
            game.append(play(game[-1], pair))
        for player in players:
            player.position = game[-1]
        while result(game[-1]) is None and game[-1][0] < LONGEST:
            actions = [player.action() for player in players]
            for side, player in enumerate(players):
                player.update(actions[1 - side], actions[side])
            game.append(players[0].position)
        yield game


def found(game: List[Position], dice: random.Random) -> Dict[Kind, Position]:
    """A position of each kind that the game has, the leader's side turned to be player 0's."""
    kinds = {}
    for leader in (0, 1):
        for before, position in zip(game, game[2:]):
            here = kind(position, leader)
            if here and here == kind(before, leader) and position[0] <= LATEST:
                kinds.setdefault(here, []).append(turned(position) if leader else position)
    return {here: dice.choice(positions) for here, positions in sorted(kinds.items())}


def collect(number: int, path: Optional[str] = None, seed: int = 1) -> Dict[Kind, List[Position]]:
    """So many positions of each kind, half of them from recorded games where those have so many."""
    dice = random.Random(seed)
    kinds = {(ahead, left): [] for ahead in LEADS for left in THROWS_LEFT.values()}
    sources = [(recorded(path), (number + 1) // 2)] if path else []
    for games, most in sources + [(own_games(seed), number)]:
        while any(len(positions) < most for positions in kinds.values()):
            game = next(games, None)
            if game is None:
                break
            for here, position in found(game, dice).items():
                if len(kinds[here]) < most:
                    kinds[here].append(position)
    return kinds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("recorded", type=habits.recorded, help="a file of recorded games (.jsonl.gz)")
    parser.add_argument("--number", type=positive, default=200, help="of positions of each kind")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    for (ahead, left), positions in collect(options.number, options.recorded, options.seed).items():
        for position in positions:
            print(ahead, left, position, sep="\t")


if __name__ == "__main__":
    main()
