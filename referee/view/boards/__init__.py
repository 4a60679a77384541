"""Boards drawn in a browser: one JavaScript file for each game, found by the game's name, and their style.

A page has `style()` in a style element and `script(game)` in a script element.  In that script is

    drawBoard(svg, game, text, change)

which empties the svg element and draws one state into it.  `game` is the name with its variant
(`kalaha:4x3`), `text` is the line of the state (`line(state)`, or what the rules' `text()` writes).
`change` is null, or what led here, to be marked:

    {before: text, chosen: {"0": action}, still: true}

`chosen` has each player's action in JSON's terms (arrays for tuples); with `still` nothing moves.

What can be clicked is a group with `data-place`: the place as the game's actions name it, in Python's
words: "(4, -2)" of RoPaSci, "(0, 7)" of Expendibots, "E3" of Fanorona, "(2, 5)" of Pentago (row and
column), and for Kalaha a colour and a number, "A3" ("A" is its bank).  Pentago's quadrants are groups
with `data-quadrant`, 0 to 3, around the cells.  So `event.target.closest("[data-place]")` is where
somebody clicked, and `placeOf(svg, name)` finds a place.  Where an action is one place (a column, a cell),
a click on the place of that name plays it.  A group with the class `able` is shown as one that may be
clicked, with `picked` as the one that was.

A game without such a file is shown by the text that its rules draw: `is_drawn(game)` says which it is.
"""

from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from referee.rules import State


def is_drawn(game: str) -> bool:
    """Whether there is a drawing for a game, variants included."""
    return _file(f"{_name(game)}.js").is_file()


def script(game: str) -> str:
    """The JavaScript that draws a game's states."""
    parts = ["board.js"] + ([f"{_name(game)}.js"] if is_drawn(game) else [])
    return "\n".join(_read(part) for part in parts)


def style() -> str:
    """The boards' style, in light and dark."""
    return _read("board.css")


def line(state: State) -> str:
    """The state's line without the history that some games' have and no board shows."""
    return state.without_history().text()


def _name(game: str) -> str:
    return game.partition(":")[0]


def _file(name: str) -> Traversable:
    return files(__name__).joinpath(name)


@cache
def _read(name: str) -> str:
    return _file(name).read_text(encoding="utf-8")
