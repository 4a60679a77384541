"""Write a first player: a package that plays legally at once, to read and to make better.

It has `player.py`, which the course calls, `position.py`, the board, and `test_player.py`; --with search adds
alpha-beta (for ropasci the matrix of a turn) and the clock that goes with it, in copies of the agents'
shared files.  A folder that is there already is left as it is.
"""

import argparse
import importlib.util
import shlex
from pathlib import Path

from referee import rules
from referee.players import template
from referee.players.text import on_one_line


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME", help="a game, or game:variant")
    parser.add_argument(
        "folder", type=Path, metavar="FOLDER", help="where to write it; its name is the player's"
    )
    parser.add_argument(
        "--with",
        dest="more",
        choices=(template.SEARCH,),
        metavar="search",
        help="begin with our search instead of one action ahead",
    )


def run(options: argparse.Namespace) -> int:
    rules.start(options.game)
    folder = Path(options.folder)
    template.refuse_name(folder.absolute())
    found = template.files(options.game, options.more == template.SEARCH)
    template.write(folder, found)
    game, name = options.game, shlex.quote(str(folder))
    print(
        f"{on_one_line(folder)}: a player of {game}: {', '.join(path for path in found if '/' not in path)}"
    )
    print("type next, here:")
    lacks_pytest = importlib.util.find_spec("pytest") is None
    steps = (
        (f"referee play {game} {name} random", "see it play"),
        *([("python -m pip install pytest", "for its tests: it is not installed")] if lacks_pytest else []),
        (f"python -m pytest {name}", "its tests"),
        (f"referee check {game} {name}", "what its course could object to"),
    )
    width = max(len(typed) for typed, _ in steps)
    for typed, what in steps:
        print(f"  {typed:<{width}}   {what}")
    return 0
