"""Makes text that came from a player, a file or a server safe to show."""

import re

SHOWN = 200  # characters of anything of a player's that goes into a verdict
QUOTED_PATH = re.compile(r"""(['"])((?:[^'"]*/)([^'"/]+))\1""")


def printable(text: str) -> str:
    """The text, safe to show: what is no letter, space or end of line is written as an escape.

    So that a player's text cannot move the cursor, ring the bell or end a line of the referee's
    where only one is expected.
    """
    return "".join(
        letter if letter.isprintable() or letter in "\n\t" else ascii(letter)[1:-1] for letter in text
    )


def on_one_line(text: object) -> str:
    """The same of a name, whose ends of line are no more than letters: files may be called anything."""
    return printable(str(text)).replace("\n", "\\n").replace("\t", "\\t")


def shorten(text: str, length: int = SHOWN) -> str:
    """The text on one line; of what is too long the folders of a path go first, and then the end."""
    text = text.replace("\n", " ")
    if len(text) > length and (path := QUOTED_PATH.search(text)):
        room = len(path[2]) - 3 - (len(text) - length)
        kept = path[2][-max(room, len(path[3]) + 1) :]
        text = f"{text[: path.start(2)]}...{kept}{text[path.end(2) :]}"
    return text if len(text) <= length else text[: length - 3] + "..."
