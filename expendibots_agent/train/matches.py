"""Paired games between two players in one process: a score with its error bar.

    python -m expendibots_agent.train.matches player yardstick --pairs 20 --seed 1
    python -m expendibots_agent.train.matches player,nodes=8000 sparring --pairs 40 --opening 4

A player is `player`, `yardstick`, `sparring`, `without` or `module:Class`, and may be followed by
arguments of its constructor.  Each pair is one opening of random moves, none of them a boom,
played from both seats; with `--check NODES` one in which a search of so many nodes sees nobody far
ahead.  The moves of games that the first player did not win are printed, as
position.py numbers them.
"""

import argparse
import ast
import importlib
import random
import time

from referee import UsageError
from referee.commands.options import natural, positive
from referee.tournament.statistics import counted, words

from .. import notation
from ..evaluate import evaluator
from ..player import Player
from ..position import LAST_PLY, START, moves, over, play

# An opening counts as balanced if the search says no more than this of it: one logit, 73 % of the points.  Of
# 40 of four random plies 100 000 nodes let 31 pass; of the set-up they say 20 to 590, by depth.
BALANCED = 1000
TRIES = 1000  # openings that are drawn for one

NAMES = {"player": "..player", "yardstick": "..yardstick", "sparring": ".sparring", "without": ".without"}


def build(text):
    """What makes a player from the words of the command line: a function of its colour, which is tried."""
    name, *words = text.split(",")
    module, _, kind = name.partition(":")
    made = getattr(importlib.import_module(NAMES.get(module, module), __package__), kind or "Player")
    arguments = {}
    for word in words:
        key, is_one, value = word.partition("=")
        if not is_one:
            raise ValueError("%s is no name=value" % word)
        try:
            arguments[key] = ast.literal_eval(value)
        except (ValueError, SyntaxError):
            arguments[key] = value
        limit = arguments[key]
        if key in ("nodes", "seconds") and not (isinstance(limit, (int, float)) and limit > 0):
            raise ValueError("%s should be above 0" % word)
    made(notation.COLOURS[0], **arguments)
    return lambda colour: made(colour, **arguments)


def opening(plies, dice, check=0):
    """Random moves from the start, none of them a boom; balanced ones if so many nodes are to check that."""
    for _ in range(TRIES):
        position, chosen = START, []
        while len(chosen) < plies:
            chosen.append(dice.choice([move for move in moves(position) if move > 63]))
            position = play(position, chosen[-1])
        if not check or is_balanced(position, check):
            return chosen
    raise UsageError("--check %d calls none of %d openings balanced: give it more nodes" % (check, TRIES))


def length(text):
    """The length of an opening from the command line."""
    if natural(text) >= LAST_PLY:
        raise argparse.ArgumentTypeError("should be less than the %d plies of a game" % LAST_PLY)
    return natural(text)


def is_balanced(position, nodes):
    """Whether a search that sees both players alike finds neither far ahead."""
    judge = Player(notation.COLOURS[position[0]], nodes=nodes)
    judge.tree.evaluate, judge.tree.contempt = evaluator(), 0
    judge.search.lots = None
    judge.search.best(position, judge.clock)
    return judge.search.score is not None and abs(judge.search.score) <= BALANCED


def stacks(position):
    """What makes a position come again; the names of late ones have the plies in them too."""
    return position[0], position[1][0], position[2][0]


def game(makers, start):
    """White's score, the moves, why it ended, and each player's CPU seconds and slowest action."""
    players = [make(colour) for make, colour in zip(makers, notation.COLOURS)]
    spent, slowest = [0.0, 0.0], [0.0, 0.0]
    position, todo, met, done = START, list(start), {stacks(START): 1}, []
    while not over(position) and met[stacks(position)] < 4:
        mover = position[0]
        begun = time.process_time()
        if todo:
            action = notation.to_action(position, todo.pop(0))
        else:
            action = players[mover].action()
        taken = time.process_time() - begun
        spent[mover] += taken
        slowest[mover] = max(slowest[mover], taken)
        done.append(notation.to_move(action))
        if done[-1] not in moves(position):
            raise SystemExit("illegal %r of %s in: %s" % (action, mover, notation.to_text(position)))
        colour = notation.COLOURS[mover]
        for number, player in enumerate(players):
            begun = time.process_time()
            player.update(colour, action)
            spent[number] += time.process_time() - begun
        position = notation.follow(position, {mover: action})
        met[stacks(position)] = met.get(stacks(position), 0) + 1
    white, black = position[1][4], position[2][4]
    if position[0]:
        white, black = black, white
    score = 0.5 if bool(white) == bool(black) else 1.0 if white else 0.0
    why = "tokens" if not (white and black) else "repetition" if met[stacks(position)] > 3 else "plies"
    return score, done, why, spent, slowest, (white, black)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("players", nargs=2)
    parser.add_argument("--pairs", type=positive, default=10)
    parser.add_argument("--first", type=natural, default=0, help="so many pairs are left out")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--opening", type=length, default=4, help="random plies at the start")
    parser.add_argument(
        "--check", type=natural, default=0, help="nodes that are to find it balanced; 0: any will do"
    )
    parser.add_argument("--quiet", action="store_true", help="the summary only")
    options = parser.parse_args()
    if options.first >= options.pairs:
        parser.error("--first leaves out all of the %d pairs" % options.pairs)
    try:
        makers = [build(text) for text in options.players]
    except (AttributeError, ImportError, TypeError, ValueError) as trouble:
        parser.error("no such player: %s" % trouble)
    dice = random.Random(options.seed)
    pairs, by_colour, draws, cpu, slowest, plies = [], [0.0, 0.0], {}, [0.0, 0.0], 0.0, 0
    for number in range(options.pairs):
        try:
            start = opening(options.opening, dice, options.check)
        except UsageError as trouble:
            parser.error(str(trouble))
        if number < options.first:
            continue
        points = 0.0
        for seat in (0, 1):
            white, done, why, spent, slow, tokens = game(makers[::-1] if seat else makers, start)
            score = 1 - white if seat else white
            points += score
            by_colour[seat] += score
            plies += len(done)
            slowest = max(slowest, slow[seat])
            for player in (0, 1):
                cpu[player] = max(cpu[player], spent[player ^ seat])
            if score == 0.5:
                draws[why] = draws.get(why, 0) + 1
            if not options.quiet:
                times = "%.1f %.1f s" % (spent[seat], spent[1 - seat])
                print(number, "WB"[seat], score, len(done), why, tokens, times, flush=True)
                if score < 1:
                    print("   ", *done, flush=True)
        pairs.append(points / 2)
    games = 2 * len(pairs)
    print(
        "%s against %s: %.1f of %d = %s; as White %.1f, as Black %.1f; draws %s; plies %d"
        % (
            *options.players, 2 * sum(pairs), games, words(counted(pairs)), *by_colour, draws or 0,
            plies // games,
        )
    )  # fmt: skip
    print("most CPU seconds a game: %.1f %.1f; slowest action of the first: %.2f" % (*cpu, slowest))


if __name__ == "__main__":
    main()
