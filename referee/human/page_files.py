"""The files of the page on which a human plays: HTML, script, style, and the drawing of the board."""

from importlib.resources import files

from referee.human.server import Files
from referee.view import boards
from referee.view.shell import served


def of_game(game: str) -> Files:
    """By name, the kind and the content; "" is the page."""
    folder = files("referee.human")
    page, script, style = (
        folder.joinpath(f"page.{kind}").read_text(encoding="utf-8") for kind in ("html", "js", "css")
    )
    return {
        "": ("text/html", served("a game", page, ["board.css", "page.css"], ["board.js", "page.js"])),
        "page.js": ("text/javascript", script),
        "page.css": ("text/css", style),
        "board.js": ("text/javascript", boards.script(game)),
        "board.css": ("text/css", boards.style()),
    }
