"""Games at the course's limits through the referee, each player a process, from balanced openings.

    python -m expendibots_agent.train.limits expendibots_agent expendibots_agent.yardstick \\
        -t 60,900 -s 100,900 --pairs 20 --check 100000

Openings and their options are those of matches.py; `referee play` would draw others, which may
begin with booms.  A line a game and a last one are what `play --json` prints, the last also with the
largest figures of each player: CPU seconds, megabytes of memory and of address space.
"""

import argparse
import json
from pathlib import Path
from typing import Optional

from referee import UsageError, rules
from referee.commands import limits
from referee.commands.options import natural, positive
from referee.commands.play import as_json, summary
from referee.match import record
from referee.match.planned import PlannedGame, record_header, record_name
from referee.players.names import resolve
from referee.tournament.plan import Entrant, Plan, Slot
from referee.tournament.played import PlayedGame, PlayedPair
from referee.tournament.results import Results

from .matches import GAME, Openings, length


def played(planned: PlannedGame, folder: Optional[Path]) -> PlayedGame:
    """What came of a game, whose record is kept in the folder."""
    if folder is None:
        return PlayedGame.of(planned, planned.play())
    with record.new_file(folder / record_name(planned)) as file:
        result = planned.play([record.Writer(lambda: file, record_header(planned))])
    return PlayedGame.of(planned, result, file.name)


def main() -> None:
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
    most = {"cpu": (0, 0), "megabytes": (0, 0), "course_megabytes": (0, 0)}
    if options.record:
        try:
            options.record.mkdir(parents=True, exist_ok=True)
        except OSError as trouble:
            parser.error(str(trouble))
    try:
        specs = resolve(options.first), resolve(options.second)
        allowances = limits.allowances(options, rules.start(GAME).LIMITS)
        openings = Openings(options.opening, options.seed, options.check)
        plan = Plan(GAME, options.seed, tuple(map(Entrant, specs, allowances)), openings)
        results = Results([spec.name for spec in specs])
        for number in range(1, options.pairs + 1):
            pair = plan.pair(Slot(0, 1, number))
            games = []
            for planned in pair.games():
                games.append(played(planned, options.record))
                most = {key: tuple(map(max, value, getattr(games[-1], key))) for key, value in most.items()}
                print(json.dumps(as_json(planned, games[-1])), flush=True)
            results.add(PlayedPair(pair.id, (0, 1), number, tuple(pair.plies), tuple(games), 0.0, 0.0))
    except UsageError as trouble:
        parser.error(str(trouble))
    print(json.dumps({**summary(results), "most": most, "isolation": limits.isolation(options)}))


if __name__ == "__main__":
    main()
