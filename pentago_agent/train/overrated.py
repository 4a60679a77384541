"""Positions that the search took for good and lost six plies later: collected, and what players choose there.

    python -m pentago_agent.train.overrated collect overrated.txt --positions 500 --seed 1
    python -m pentago_agent.train.overrated judge overrated.txt copy copy,leans=False --nodes 8000

`collect` plays the copy in C (engine.py) against itself.  Of a game that `--colour` loses it takes the turns
of his in the last six plies before his defeat is seen or happens, and keeps the first of them whose score is
even or better for him, contempt included.  A line is the position, that score in thousandths of a logit, and
the action that was chosen.

`judge` asks each player for a move in each position, and a copy with the nodes of `--judge` what it leaves:
how many of the moves are proven to lose, of those positions where one of the players holds, and the mean
chance.  The intervals are of the differences to the first player, at 95 %.
"""

import argparse
import math
import random
from typing import Dict, List, Optional, Sequence, Tuple

from referee.commands.options import new_file, positive
from referee.commands.train_matches import maker
from referee.view.progress import track

from .. import notation
from ..geometry import Geometry
from ..leaves import DECIDED
from ..position import START, Position, play, result
from .engine import Copy
from .matches import NAMES, opening
from .options import VARIANTS

Turn = Tuple[Position, float, int]  # with the score that was told, and the move

PLIES = 6  # from the score to the defeat
RANDOM_PLIES = 2  # an opening has at most so many


def overrated(
    seats: Sequence[Copy], colour: int, dice: random.Random
) -> Optional[Tuple[Position, float, int]]:
    """The overrated position of one game, its score and the move; None where there is none."""
    geometry = seats[0].geometry
    position: Position = START
    for move in opening(geometry, dice.randint(0, RANDOM_PLIES), dice):
        position = play(position, move, geometry)
    seen: List[Turn] = []
    while result(position) is None:
        mover = seats[position[0]]
        mover.position = position
        move = mover.choose()
        if position[0] == colour:
            seen.append((position, float(mover.figures[2]), move))
            if seen[-1][1] < -DECIDED:
                break
        position = play(position, move, geometry)
    else:
        if result(position) != (1 if position[0] != colour else -1):
            return None
    lost = len(seen) - 1 if seen and seen[-1][1] < -DECIDED else len(seen)
    good = [one for one in seen[max(0, lost - PLIES // 2) : lost] if 0 <= one[1] < DECIDED]
    return good[0] if good else None


def collect(options: argparse.Namespace) -> None:
    seats = [Copy(colour, options.variant, options.nodes) for colour in notation.COLOURS]
    colour, games = notation.COLOURS.index(options.colour), 0
    with open(options.file, "w") as out:
        for _ in track(range(options.positions), "positions"):
            kept = None
            while kept is None:
                games += 1
                dice = random.Random("%d %d" % (options.seed, games))
                for seat in seats:
                    seat.seed = dice.getrandbits(32)
                kept = overrated(seats, colour, dice)
            position, score, move = kept
            action = notation.to_action(move, seats[0].geometry)
            out.write("%s %d %s\n" % (notation.to_text(position), score, " ".join(map(str, action))))
    print("%d positions of %d games" % (options.positions, games))


def read(path: str) -> List[Position]:
    """The positions of a file of `collect`."""
    try:
        with open(path) as file:
            found = [notation.from_text(line[:38]) for line in file]
    except (OSError, UnicodeError, ValueError):
        raise argparse.ArgumentTypeError("%r is not there, or no file of `collect`" % path) from None
    if not found:
        raise argparse.ArgumentTypeError("%r has no positions" % path)
    return found


def worth_of(judge: Copy, position: Position, move: int, geometry: Geometry) -> float:
    """What a move is worth to the mover: his chance, or 0 where the other is proven to win."""
    after = play(position, move, geometry)
    ended = result(after)
    if ended is not None:
        return (1 - ended) / 2
    judge.position = after
    judge.choose()
    score = float(judge.figures[2])
    if abs(score) > DECIDED:
        return float(score < 0)
    return 1 / (1 + math.exp(score / 1000))


def interval(values: Sequence[float]) -> Tuple[float, float]:
    """A mean and how far it may be off."""
    mean = sum(values) / len(values)
    return mean, 1.96 * math.sqrt(sum((value - mean) ** 2 for value in values) / len(values) / len(values))


def judge(options: argparse.Namespace, parser: argparse.ArgumentParser) -> None:
    geometry = Geometry(options.variant)
    told = {"nodes": options.nodes, "variant": options.variant}
    makers = [
        maker(parser, text, NAMES, __package__, notation.COLOURS[0], **told) for text in options.players
    ]
    for make in makers:
        if not hasattr(make(notation.COLOURS[0], 1), "set_up"):
            parser.error("%s does not begin from a position" % make.text)
    referee = Copy("white", options.variant, options.judge, leans=False, margin=0)
    worths: List[List[float]] = []
    for position in track(options.file, "positions"):
        known: Dict[int, float] = {}
        row = []
        for make in makers:
            player = make(notation.COLOURS[position[0]], 1)
            player.set_up(notation.to_text(position))
            move = notation.from_action(player.action(), geometry)
            if move not in known:
                known[move] = worth_of(referee, position, move, geometry)
            row.append(known[move])
        worths.append(row)
    open_ones = [row for row in worths if max(row) > 0]
    print("%d positions; some player holds %d" % (len(worths), len(open_ones)))
    for number, make in enumerate(makers if open_ones else []):
        own = [row[number] for row in open_ones]
        line = "%s: %d lost, mean chance %.1f %%" % (make.text, own.count(0), 100 * sum(own) / len(own))
        if number:
            lost = interval([float(row[number] == 0) - float(row[0] == 0) for row in open_ones])
            mean = interval([row[number] - row[0] for row in open_ones])
            line += "; %+.1f +- %.1f %% lost, %+.1f +- %.1f" % tuple(100 * part for part in lost + mean)
        print(line)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    modes = parser.add_subparsers(dest="mode", required=True)
    collecting = modes.add_parser("collect", help="play games until there are so many positions")
    collecting.add_argument("file", type=new_file)
    collecting.add_argument("--positions", type=positive, default=500)
    collecting.add_argument("--seed", type=int, default=1)
    collecting.add_argument("--colour", choices=notation.COLOURS, default="black")
    judging = modes.add_parser("judge", help="see what players choose in them")
    judging.add_argument("file", type=read)
    judging.add_argument("players", nargs="+", metavar="PLAYER", help="as matches.py understands them")
    judging.add_argument("--judge", type=positive, default=150000, help="nodes of the judge, a move")
    for mode in (collecting, judging):
        mode.add_argument("--nodes", type=positive, default=8000, help="of the players, a move")
        mode.add_argument("--variant", choices=VARIANTS, default="")
    options = parser.parse_args()
    if options.mode == "collect":
        collect(options)
    else:
        judge(options, parser)


if __name__ == "__main__":
    main()
