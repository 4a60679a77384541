"""How the referee starts processes of its own: with this very code, whatever lies in the current folder."""

import sys

from referee.players.names import ROOT


def command(module: str, *arguments: str) -> list[str]:
    """The words that run `main` of referee.MODULE, of this package and of no other that is called so."""
    return [sys.executable, "-P", str(ROOT / "board_game_referee.py"), module, *arguments]
