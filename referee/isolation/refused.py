"""What a confined player is told besides, where it ran into its confinement: why, and what to do about it."""

import os
import re

from referee.players.text import SHOWN, shorten

LONG = 80  # characters of what it was told, so that there is room for why
REFUSALS = r"PermissionError|Permission denied|not permitted|No usable temporary directory"
WHY = (
    "(confined, see --isolation: it reads its own package and Python, "
    "writes no files, has no processes and no network)"
)
WHY_BRIEFLY = "(confined, see --isolation: it reads its own files only)"


def explained(said: str, folder: str) -> str:
    """What it raised, with that; `folder` is the one that it was imported from."""
    if missing := re.search(r"No module named '(\w+)", said):
        beside = os.path.join(folder, missing[1])
        if os.path.isdir(beside) or os.path.isfile(f"{beside}.py"):
            why = "is not in the player's own package: move it there, or use --readable"
            return f"{shorten(said, LONG)} ({missing[1]} {why})"
    if not re.search(REFUSALS, said):
        return said
    long, brief = (f"{shorten(said, SHOWN - len(why) - 1)} {why}" for why in (WHY, WHY_BRIEFLY))
    # The file's name is what matters.
    return brief if "... (" in long and "... (" not in brief else long
