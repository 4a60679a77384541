"""The terms on which we play on somebody's server, in one frozen dataclass."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from referee.isolation.process import Allowance
from referee.players.names import Spec
from referee.rules import Limits

if TYPE_CHECKING:
    from referee.servers.server_game import Notes


@dataclass(frozen=True)
class Terms:
    """Who plays there, as what, within which limits, and what is shown and kept of it."""

    game: str
    spec: Spec
    name: str  # what we are called there
    limits: Limits  # the server's: wall time
    allowance: Allowance
    notes: "Notes"  # says things as they happen
    server: str  # its address
    margin: float = 0.1  # seconds of each action that are kept back for the network
    patience: float = 60.0  # seconds beyond all limits that a silent server is waited for
    record: Path | None = None  # a folder for records
    verbosity: int = 2
    unicode: bool | None = None  # None: as the terminal can
    colour: bool | None = None
    channel: str = ""  # expendibots, ropasci: whom to meet
    mode: str = "freeplay"  # kalaha
    token: str | None = None  # kalaha
    seat: str = "dark"  # fanorona

    @property
    def longest(self) -> float:
        """Seconds of the longest limit: no turn takes longer by the server's clock."""
        limits = self.limits
        return max(seconds for seconds in (limits.game, limits.action, limits.first) if seconds is not None)
