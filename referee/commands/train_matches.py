"""The options and the output of the agents' own `train/matches.py`; match/pairs.py plays the games."""

import argparse
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from referee import UsageError
from referee.commands.options import positive, seconds
from referee.commands.tournament import hypotheses
from referee.match import record, statistics
from referee.match.loop import Watcher
from referee.match.pairs import GameOfPair, Opened, Score, pairs
from referee.players.versions import Maker

UNMAKEABLE = (AttributeError, ImportError, IndexError, OSError, SyntaxError, TypeError, ValueError)


def arguments(parser: argparse.ArgumentParser, names: Sequence[str]) -> None:
    """Add what all of them understand."""
    parser.add_argument(
        "players",
        nargs=2,
        metavar="PLAYER",
        help=f"{', '.join(names)}, module:Class or folder, with ,name=value",
    )
    parser.add_argument("--pairs", type=positive, default=10, help="at most, with --sprt")
    parser.add_argument("--first", type=positive, default=1, help="the number of the first pair")
    parser.add_argument("--seed", type=int, default=1, help="of the openings and of the players' lots")
    parser.add_argument("--nodes", type=positive, help="an action, where the player has no own")
    parser.add_argument("--seconds", type=seconds, help="of CPU, of what the course limits, likewise")
    parser.add_argument("--sprt", type=hypotheses, metavar="E0,E1", help="normalised Elo; stop when decided")
    parser.add_argument("--record", type=Path, metavar="FOLDER", help="keep the games, for `referee replay`")
    parser.add_argument("--quiet", action="store_true", help="the result alone")


def makers(
    parser: argparse.ArgumentParser,
    options: argparse.Namespace,
    names: Mapping[str, str],
    package: str,
    colour: str,
    variant: str = "",
) -> tuple[Maker, Maker]:
    """What makes the two players, tried once each before any game is played."""
    told = {"nodes": options.nodes, "seconds": options.seconds, "variant": variant}
    told = {name: value for name, value in told.items() if value}
    one, other = (maker(parser, text, names, package, colour, **told) for text in options.players)
    return one, other


def maker(
    parser: argparse.ArgumentParser,
    text: str,
    names: Mapping[str, str],
    package: str,
    colour: str,
    **told: Any,
) -> Maker:
    """What makes the player that the words name; the parser refuses words that name none."""
    try:
        found = Maker(text, names, package, **told)
        found(colour, 0)
        return found
    except UNMAKEABLE as trouble:
        parser.error(f"no such player: {text}: {trouble}")


def play(
    parser: argparse.ArgumentParser,
    options: argparse.Namespace,
    game: str,
    two: tuple[Maker, Maker],
    opening: Callable[[int], Opened],
    seats: Sequence[int] = (0, 1),
) -> Score:
    """Play the pairs, a line a game, and print what they come to."""
    score = Score(len(seats), statistics.Sprt(*options.sprt) if options.sprt else None)
    numbers = range(options.first, options.first + options.pairs)

    def watch(pair: int, seat: int, line: str | None) -> Sequence[Watcher]:
        return [] if options.record is None else [_writer(options, game, pair, seat, line)]

    try:
        for played in pairs(game, two, opening, numbers, options.seed, seats, watch):
            score.add(played)
            if not options.quiet:
                print(_line(played), flush=True)
            if len(score.games) % len(seats) == 0 and score.decision():
                break
    except UsageError as trouble:
        if score.shares:
            print(score)
        parser.error(str(trouble))
    print(f"{options.players[0]} against {options.players[1]}: {score}", flush=True)
    return score


def _line(game: GameOfPair) -> str:
    colour = game.start.COLOURS[game.seat]
    cpu = f"{game.cpu[0]:.1f} and {game.cpu[1]:.1f} s"
    return f"{game.pair} {colour}: {game.points:g} in {len(game.plies)} plies, {game.reason}; {cpu}"


def _writer(options: argparse.Namespace, game: str, pair: int, seat: int, line: str | None) -> record.Writer:
    players = options.players if seat == 0 else options.players[::-1]
    header = {"game": game, "players": tuple(players), "pair": pair, "first": seat, "seed": options.seed}
    if line is not None:
        header["position"] = line
    return record.Writer(lambda: record.new_file(options.record / f"{pair:04}-{seat}.txt"), header)
