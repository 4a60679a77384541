"""Pairs of games between two players in this process: a score with its error bar, and what was given away.

    python -m ropasci_agent.train.matches player,nodes=30 cascade --pairs 20 --seed 1
    python -m ropasci_agent.train.matches player,nodes=30 player,nodes=30,forecasts=False --pairs 30
    python -m ropasci_agent.train.matches player,nodes=30 onestage --ahead 2

A player is one of NAMES below, `module:Class` or a folder with this package
(referee/players/versions.py), and may be followed by arguments of its constructor.  Each pair is one
random opening, or with `--ahead` one random board on which the second is behind, played from both seats.
With `nodes` nothing depends on the machine: the same command plays the same games.
"""

import argparse
import random
from typing import List, Sequence, Tuple

from referee import rules
from referee.commands import train_matches
from referee.commands.options import natural
from referee.match.pairs import GameOfPair

from .. import notation
from ..position import START, THROWS, UNIT, Position, lead, moves_of, occupied, play, result

GAME = "ropasci"
NAMES = {
    "player": "..player",
    "copy": ".engine:Copy",
    "yardstick": "..yardstick:Yardstick",
    "cascade": ".cascade",
    "onestage": ".onestage",
    "passive": ".passive",
    "turtle": ".hiders:Turtle",
    "fortress": ".hiders:Fortress",
    "shadow": ".hiders:Shadow",
    "block": ".hiders:Block",
    "runner": ".hiders:Runner",
    "mirror": ".hiders:Mirror",
    "corner": ".hiders:Corner",
    "exploiter": ".exploiter",
    "knower": ".engine:Exploiter",
}
LONGEST = 100  # turns of an opening: four of ten random games are not over by then
FURTHEST = 4  # tokens and throws ahead: with more the first would need more than the nine there are


def opening(turns: int, dice: random.Random) -> List[Tuple[int, int]]:
    """Pairs of random moves from the start, made anew if they end the game."""
    position, pairs = START, []
    while len(pairs) < turns or result(position) is not None:
        if result(position) is not None:
            position, pairs = START, []
        pairs.append(tuple(dice.choice(moves_of(position, side)) for side in (0, 1)))
        position = play(position, pairs[-1])
    return pairs


def length(text: str) -> int:
    """The turns of an opening from the command line."""
    if natural(text) > LONGEST:
        raise argparse.ArgumentTypeError("should be {} turns or less".format(LONGEST))
    return natural(text)


def leading(ahead: int, dice: random.Random) -> Position:
    """A board at turn 100 on which player 0 has so many tokens and throws more."""
    while True:
        theirs, their_throws, my_throws = dice.randint(1, 3), dice.randint(0, 2), dice.randint(0, 5)
        mine = theirs + their_throws + ahead - my_throws
        if mine < 1:
            continue
        boards = [0] * 6
        for place, tokens in ((0, mine), (3, theirs)):
            for _ in range(tokens):
                boards[place + dice.randrange(3)] += UNIT[dice.randrange(61)]
        position = (100, THROWS - my_throws, THROWS - their_throws) + tuple(boards)
        hexes = [h for tokens in boards for h in occupied(tokens)]
        if len(set(hexes)) == len(hexes) and result(position) is None:
            return position


def turned(position: Position) -> Position:
    """The same with the players exchanged."""
    boards = [sum((tokens >> 4 * h & 15) << 4 * (60 - h) for h in range(61)) for tokens in position[3:]]
    return (position[0], position[2], position[1]) + tuple(boards[3:] + boards[:3])


def told(chosen: List[Tuple[int, int]]) -> Tuple:
    """Pairs of moves, as the referee tells them."""
    return tuple({side: notation.to_action(move) for side, move in enumerate(pair)} for pair in chosen)


def states(position: Position) -> Tuple:
    """A position in which player 0 leads as the referee's states: for either seat of who leads."""
    upper, lower = (rules.parse(GAME, notation.to_text(one)) for one in (position, turned(position)))
    return upper, lower


def given_away(games: Sequence[GameOfPair]) -> int:
    """How many were drawn while the first player was ahead, and the other was not invincible."""
    return sum(
        game.points == 0.5
        and "invincible" not in game.reason
        and lead(notation.from_text(game.end.text()), game.seat) > 0
        for game in games
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    train_matches.arguments(parser, NAMES)
    parser.add_argument("--opening", type=length, default=1, help="random turns at the start")
    ahead = range(FURTHEST + 1)
    parser.add_argument("--ahead", type=int, choices=ahead, help="so much more the first begins with")
    options = parser.parse_args()
    makers = train_matches.makers(parser, options, NAMES, __package__, notation.COLOURS[0])

    def drawn(pair: int) -> Tuple:
        dice = random.Random("{} {}".format(options.seed, pair - 1))
        if options.ahead is None:
            return told(opening(options.opening, dice))
        return states(leading(options.ahead, dice))

    score = train_matches.play(parser, options, GAME, makers, drawn)
    print("drawn while the first was ahead: {}".format(given_away(score.games)))


if __name__ == "__main__":
    main()
