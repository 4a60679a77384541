"""Games between our own agents at a share of the courses' limits: played here, and what each took."""

from referee import rules
from referee.isolation.allowance import Allowance
from referee.match import record
from referee.match.openings import Openings
from referee.match.planned import PlannedGame, record_header
from referee.players.names import resolve
from referee.tournament.played import by_action
from tests import ROOT

GAMES = ("expendibots", "fanorona", "kalaha", "pentago", "ropasci")
PLIES, SEED = 3, 12  # of openings: pair by pair the same wherever these games are played


def planned(game, number, share=1.0, wall=False):
    """Game `number` of an agent against itself, with that share of the course's time."""
    agent = resolve(str(ROOT / f"{game}_agent"))
    pair, second = (number + 1) // 2, number % 2 == 0
    drawn = Openings(game, PLIES, SEED).of(pair)
    two = (allowance(game, share, wall),) * 2
    return PlannedGame(game, (agent, agent), two, number, pair, int(second), SEED, drawn)


def allowance(game, share, wall):
    """The share of the course's limits; the player is told, unless they are the course's own."""
    limits = rules.start(game).LIMITS
    times = {name: getattr(limits, name) for name in ("game", "action", "first")}
    scaled = {name: share * seconds for name, seconds in times.items() if seconds}
    told = {"seconds": scaled.get("game", scaled.get("action")), "first_seconds": scaled.get("first")}
    told = tuple((name, value) for name, value in told.items() if value and share != 1)
    return Allowance(**scaled, megabytes=limits.megabytes, wall=wall, told=told)


def play(planned, file=None):
    """Play it, keep its record in the file, and say in terms of JSON what came of it."""
    header = record_header(planned)
    watchers = [record.Writer(lambda: file, header)] if file else []
    result = planned.play(watchers)
    return {
        "ending": result.ending,
        "reason": result.reason,
        "turns": result.turns,
        "warnings": result.warnings,
        "used": [_used(planned.allowances[0], result, seat) for seat in (0, 1)],
    }


def _used(allowed, result, seat):
    """The largest part of a limit that the player in that seat used, in any action or in the game."""
    cpu, _ = by_action(result, seat)
    parts = [result.cpu[seat] / allowed.game] if allowed.game else []
    if allowed.action:
        first = allowed.first or allowed.action
        parts += [seconds / (allowed.action if number else first) for number, seconds in enumerate(cpu)]
    return round(max(parts, default=0.0), 4)
