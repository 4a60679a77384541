"""Games at the course's limits through the referee, each player a process, from balanced openings.

    python -m expendibots_agent.train.limits expendibots_agent expendibots_agent.yardstick \\
        -t 60,900 -s 100,900 --pairs 20 --check 100000

Openings and their options are those of matches.py; `referee play` would draw others, which may
begin with booms.  A line a game and a last one are what `play --json` prints, the last also with the
largest figures of each player: CPU seconds, megabytes of memory and of address space.
"""

import argparse
import json
import random
from pathlib import Path

from referee import UsageError, rules
from referee.commands import limits
from referee.commands.options import natural, positive
from referee.isolation import levels
from referee.match import record
from referee.match.planned import PlannedGame, record_header, record_name
from referee.players.names import resolve
from referee.tournament.tally import Tally

from .. import notation
from ..position import START, play
from .matches import length, opening

GAME = "expendibots"


def told(moves):
    """An opening as the referee tells it."""
    position, found = START, []
    for move in moves:
        found.append({position[0]: notation.to_action(position, move)})
        position = play(position, move)
    return tuple(found)


def planned_games(options):
    """The games to be played."""
    players = resolve(options.first), resolve(options.second)
    allowances = limits.allowances(options, rules.start(GAME).LIMITS)
    dice = random.Random(options.seed)
    for pair in range(1, options.pairs + 1):
        start = told(opening(options.opening, dice, options.check))
        for first in (0, 1):
            number = 2 * pair - 1 + first
            yield PlannedGame(GAME, players, allowances, number, pair, first, options.seed, start)


def played(planned, folder):
    """The result of a game, and where its record is."""
    if folder is None:
        return planned.play(), None
    path = folder / record_name(planned)
    with path.open("w", encoding="utf-8") as file:
        return planned.play([record.Writer(lambda: file, record_header(planned))]), path


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("first", help="a player, as `referee play` names it")
    parser.add_argument("second", help="another")
    parser.add_argument("--pairs", type=positive, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--opening", type=length, default=4, help="random plies at the start")
    parser.add_argument("--check", type=natural, default=0, help="nodes that are to find it balanced")
    parser.add_argument("--record", type=Path, help="a folder for a record of each game")
    limits.arguments(parser)
    options = parser.parse_args()
    tally = Tally((options.first, options.second))
    most = {"cpu": (0, 0), "megabytes": (0, 0), "course_megabytes": (0, 0)}
    if options.record:
        try:
            options.record.mkdir(parents=True, exist_ok=True)
        except OSError as trouble:
            parser.error(str(trouble))
    try:
        for planned in planned_games(options):
            result, path = played(planned, options.record)
            tally.add(planned, result)
            line = tally.game(planned, result, path)
            most = {key: tuple(map(max, value, line[key])) for key, value in most.items()}
            print(json.dumps(line), flush=True)
    except UsageError as trouble:
        parser.error(str(trouble))
    print(json.dumps({**tally.summary(), "most": most, "isolation": levels.chosen(options)}))


if __name__ == "__main__":
    main()
