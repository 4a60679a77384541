"""Say what players would do at one place of a game: their actions, scores and lines of play side by side.

The place is the start, a turn of a recorded game, or a position.  Each player is brought there in a process
of its own, isolated as in `play`, and then has the time or the nodes that are given.  --json prints an object
a player as soon as it has answered, and then one that says where this is.
"""

import argparse
import json
from pathlib import Path

from referee import UsageError, rules
from referee.commands import limits
from referee.commands.options import positive, seconds
from referee.human.analysis import Opinion, opinion
from referee.isolation import levels
from referee.isolation.allowance import Allowance
from referee.match import places
from referee.players.names import resolve
from referee.view.tables import table

SECONDS = 1.0  # unless the course limits an action to another time, or nodes bound it
LONGEST = 60.0  # seconds of CPU, where nodes bound it
LINE = 6  # actions of a line that the table shows


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.usage = "referee analyse [options] GAME AGENT [AGENT ...]"
    parser.add_argument("game", metavar="GAME", help="a game, or game:variant")
    parser.add_argument("agents", nargs="+", metavar="AGENT", help="players, as in `play`")
    where = parser.add_mutually_exclusive_group()
    where.add_argument(
        "--record", type=Path, metavar="FILE", help="at a turn of this game; --turn, or its end"
    )
    where.add_argument("--position", metavar="TEXT", help="at a position in the rules' text form")
    parser.add_argument("--turn", type=positive, metavar="N", help="the turn of the record")
    parser.add_argument("--colour", metavar="COLOUR", help="whose action, where both act at once")
    parser.add_argument(
        "--time", type=seconds, metavar="S", help="seconds for the action (the course's, or 1)"
    )
    parser.add_argument(
        "--nodes", type=positive, metavar="N", help="nodes for the action, of who counts them"
    )
    limits.isolation_arguments(parser)
    parser.add_argument("--json", action="store_true", help="an object a player, and one on the place")


def run(options: argparse.Namespace) -> int:
    place = _place(options)
    player = place.player(options.colour)
    allowance = _allowance(options)
    specs = [resolve(agent) for agent in options.agents]
    opinions = []
    for spec in specs:
        opinions.append(opinion(spec, place, player, allowance))
        if options.json:
            print(json.dumps(opinions[-1].row()), flush=True)
    if options.json:
        about = {"place": True, "where": place.where, "position": place.state.text()}
        colour = place.state.COLOURS[player]
        print(json.dumps({**about, "colour": colour, "isolation": allowance.isolation}))
    else:
        print(
            f"{place.where}, {place.state.COLOURS[player]} to act; {levels.line(allowance.isolation or '')}"
        )
        heads = ["player", "action", "score", "depth", "nodes", "seconds", "expects"]
        print(table([heads, *map(_row, opinions)]))
    return 1 if any(one.fault for one in opinions) else 0


def _place(options: argparse.Namespace) -> places.Place:
    if options.turn and not options.record:
        raise UsageError("--turn goes with --record FILE")
    if options.position is not None:
        place = places.at_position(options.game, options.position)
    elif options.record:
        place = places.in_record(options.game, options.record, options.turn)
    else:
        place = places.at_start(options.game)
    if not place.state.to_act():
        raise UsageError(f"the game is over at {place.where}; name an earlier turn")
    return place


def _allowance(options: argparse.Namespace) -> Allowance:
    course = rules.start(options.game).LIMITS
    told: tuple[tuple[str, object], ...] = (("nodes", options.nodes),) if options.nodes else ()
    if options.nodes and not options.time:
        action = LONGEST
    else:
        action = options.time or course.action or SECONDS
    return Allowance(
        action=action,
        megabytes=course.megabytes,
        told=told,
        judging=rules.start(options.game).COURSE.judging,
        isolation=limits.isolation(options),
        readable=tuple(options.readable),
        cold=options.cold,
    )


def _row(one: Opinion) -> list[str]:
    if one.fault:
        return [one.agent, one.fault, "", "", "", "", ""]
    figures = ["" if value is None else f"{value:g}" for value in (one.score, one.depth, one.nodes, one.cpu)]
    return [one.agent, repr(one.action), *figures, "  ".join(one.line[:LINE])]
