"""Paired games between two players in one process: a score with its error bar, and what was drawn from ahead.

    python -m ropasci_agent.train.matches player,nodes=30 cascade --pairs 20 --seed 1
    python -m ropasci_agent.train.matches player,nodes=30 player,nodes=30,forecasts=False --pairs 30
    python -m ropasci_agent.train.matches player,nodes=30 onestage --ahead 2

A player is one of NAMES below, or `module:Class`, and may be followed by arguments of its constructor.
Each pair is one random opening, or with `--ahead` one random board on which the second is behind, played
from both seats; every player that draws lots is given a seed of the pair's own.  With `nodes` nothing
depends on the machine: the same command plays the same games.
"""

import argparse
import ast
import importlib
import inspect
import random
import time

from referee.commands.options import natural, positive
from referee.tournament.statistics import counted, words

from .. import notation
from ..position import START, THROWS, UNIT, lead, material, moves_of, occupied, play, result

NAMES = {
    "player": "..player", "yardstick": "..yardstick:Yardstick",
    "cascade": ".cascade", "onestage": ".onestage", "passive": ".passive",
    "turtle": ".hiders:Turtle", "fortress": ".hiders:Fortress", "shadow": ".hiders:Shadow",
    "exploiter": ".exploiter",
}  # fmt: skip
LONGEST = 100  # turns of an opening: four of ten random games are not over by then
FURTHEST = 4  # tokens and throws ahead: with more the first would need more than the nine there are


def build(text):
    """What makes a player from the words of the command line: a function of its colour and a seed."""
    name, *words = text.split(",")
    module, _, kind = NAMES.get(name, name).partition(":")
    made = getattr(importlib.import_module(module, __package__), kind or "Player")
    arguments = {}
    for word in words:
        key, _, value = word.partition("=")
        try:
            arguments[key] = limit = ast.literal_eval(value)
        except (ValueError, SyntaxError):
            arguments[key] = limit = value
        if key in ("nodes", "seconds") and not (isinstance(limit, (int, float)) and limit > 0):
            raise ValueError("{} should be above 0".format(word))
    seeded = "seed" in inspect.signature(made).parameters and "seed" not in arguments
    return lambda colour, seed: made(colour, **dict(arguments, **({"seed": seed} if seeded else {})))


def game(makers, first, start, seed):
    """(Upper's points, why it ended, the positions, each player's CPU seconds).

    From the position `first`, the pairs of moves in `start` played for both.
    """
    players = [make(colour, seed) for make, colour in zip(makers, notation.COLOURS)]
    spent = [0.0, 0.0]
    history, seen = [first], {first[1:]: 1}
    for player in players:
        player.position = first
    while result(history[-1]) is None:
        position, actions = history[-1], []
        for side, player in enumerate(players):
            begun = time.process_time()
            if len(history) <= len(start):
                actions.append(notation.to_action(start[len(history) - 1][side]))
            else:
                actions.append(player.action())
            spent[side] += time.process_time() - begun
            if notation.to_move(actions[side]) not in moves_of(position, side):
                raise SystemExit("illegal {} by player {}: {}".format(actions[side], side, position))
        for side, player in enumerate(players):
            begun = time.process_time()
            player.update(actions[1 - side], actions[side])
            spent[side] += time.process_time() - begun
        position = play(position, [notation.to_move(action) for action in actions])
        history.append(position)
        seen[position[1:]] = seen.get(position[1:], 0) + 1
        if seen[position[1:]] == 3 and result(position) is None:
            return 0.5, "repetition", history, spent
    points = result(history[-1])
    sides = [sum(material(history[-1])[3 * side : 3 * side + 3]) for side in (0, 1)]
    if points != 0.5:
        why = "decided"
    elif min(history[-1][1:3]) < THROWS or min(sides) > 0 and history[-1][0] >= 360:
        why = "cap"
    else:
        why = "both invincible"
    return points, why, history, spent


def opening(turns, dice):
    """Pairs of random moves from the start, made anew if they end the game."""
    position, pairs = START, []
    while len(pairs) < turns or result(position) is not None:
        if result(position) is not None:
            position, pairs = START, []
        pairs.append(tuple(dice.choice(moves_of(position, side)) for side in (0, 1)))
        position = play(position, pairs[-1])
    return pairs


def length(text):
    """The turns of an opening from the command line."""
    if natural(text) > LONGEST:
        raise argparse.ArgumentTypeError("should be {} turns or less".format(LONGEST))
    return natural(text)


def leading(ahead, dice):
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


def turned(position):
    """The same with the players exchanged."""
    boards = [sum((tokens >> 4 * h & 15) << 4 * (60 - h) for h in range(61)) for tokens in position[3:]]
    return (position[0], position[2], position[1]) + tuple(boards[3:] + boards[:3])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("players", nargs=2)
    parser.add_argument("--pairs", type=positive, default=10)
    parser.add_argument("--first", type=natural, default=0, help="the number of the first pair")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--opening", type=length, default=1, help="random turns at the start")
    ahead = range(FURTHEST + 1)
    parser.add_argument("--ahead", type=int, choices=ahead, help="so much more the first begins with")
    options = parser.parse_args()
    try:
        makers = [build(text) for text in options.players]
        for make in makers:
            make(notation.COLOURS[0], "tried")
    except (AttributeError, ImportError, IndexError, TypeError, ValueError) as trouble:
        parser.error("no such player: {}".format(trouble))
    pairs, draws, cpu, turns, different = [], {}, [], [], set()
    led = 0
    for number in range(options.first, options.first + options.pairs):
        seed = "{} {}".format(options.seed, number)
        dice = random.Random(seed)
        first, start = START, []
        if options.ahead is None:
            start = opening(options.opening, dice)
        else:
            first = leading(options.ahead, dice)
        both = 0.0
        for seat in (0, 1):
            order = makers[::-1] if seat else makers
            upper, why, history, spent = game(order, turned(first) if seat else first, start, seed)
            points = 1 - upper if seat else upper
            ahead = lead(history[-1], seat)
            both += points / 2
            turns.append(history[-1][0])
            cpu.append((spent[seat], spent[1 - seat]))
            different.add(tuple(history))
            if points == 0.5:
                draws[why] = draws.get(why, 0) + 1
                led += ahead > 0 and why != "both invincible"
            counts = material(history[-1])
            print(
                number, notation.COLOURS[seat], points, why, turns[-1], "turns; ahead by", ahead, counts,
                "%.1f %.1f s" % cpu[-1], flush=True,
            )  # fmt: skip
        pairs.append(both)
    mean, games = sum(pairs) / len(pairs), 2 * len(pairs)
    print("{} against {}: {} of {} = {}".format(*options.players, mean * games, games, words(counted(pairs))))
    print("draws {}; of them by repetition or cap while the first was ahead: {}".format(draws or 0, led))
    print(
        "{} different games; turns {} to {}, mean {:.0f}".format(
            len(different), min(turns), max(turns), sum(turns) / games
        )
    )
    for side in (0, 1):
        used = [seconds[side] for seconds in cpu]
        print(
            "CPU seconds of {}: mean {:.1f}, most {:.1f}".format(
                options.players[side], sum(used) / games, max(used)
            )
        )


if __name__ == "__main__":
    main()
