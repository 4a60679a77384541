"""What a player would do in a state of a game, asked in a process of its own, with its line of play."""

import time
from dataclasses import asdict, dataclass, field

from referee.isolation.allowance import Allowance
from referee.isolation.process import Fault
from referee.isolation.program_process import player_process
from referee.match.loop import follow, is_legal
from referee.match.places import Place
from referee.players.names import Spec
from referee.rules import Action


@dataclass(frozen=True)
class Opinion:
    """What came of asking one player."""

    agent: str
    action: Action = None
    depth: float | None = None
    score: float | None = None
    nodes: float | None = None
    cpu: float | None = None
    seconds: float | None = None
    line: list[str] = field(default_factory=list)  # of actions that it expects, as far as it can tell
    fault: str = ""  # what kept it from an answer

    def row(self) -> dict[str, object]:
        """In terms of JSON."""
        return {**asdict(self), "action": None if self.fault else repr(self.action)}


def opinion(spec: Spec, place: Place, player: int, allowance: Allowance, seed: int = 0) -> Opinion:
    """What that player would choose there: it is brought there without a limit, then has what is allowed."""
    colour, variant = place.state.COLOURS[player], place.game.partition(":")[2]
    told: tuple[tuple[str, object], ...] = (("seed", seed),)
    if spec.is_told_the_game:
        told = (("game", place.game), *told)
    process = player_process(spec, colour, variant, allowance, told).again(0.0)
    with process:
        try:
            process.start()
            process.construct()
            if place.position is not None:
                process.set_up(place.position)
            start = place.earlier[0][0] if place.earlier else place.state
            follow(start, place.plies, process, player)
            process.resume(0.0, 1)
            before, begun = process.cpu, time.monotonic()
            action = process.action()
            cpu, seconds = process.cpu - before, time.monotonic() - begun
            said = dict(process.searched)
            if not is_legal(action, place.state.actions(player)):
                return Opinion(spec.name, fault=f"it would play {action!r}, which is not legal there")
            line = process.expected()
        except Fault as fault:
            return Opinion(spec.name, fault=str(fault))
    depth, score, nodes = (said.get(name) for name in ("depth", "score", "nodes"))
    return Opinion(spec.name, action, depth, score, nodes, round(cpu, 4), round(seconds, 4), line)
