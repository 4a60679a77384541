"""All turns of a recorded game, taken again by one player: which were slow, and where the time went."""

from collections.abc import Mapping, Sequence
from statistics import mean
from typing import Any

from referee import UsageError, rules
from referee.match import judging
from referee.match.record import Account
from referee.players.names import Spec
from referee.profile import shares
from referee.profile.child import NoProfile, asked
from referee.profile.measure import Effort, ProfiledTurn, laid_out, lines_of, request_of, stacks_found
from referee.profile.text import ROUGH, columns

SLOWEST = 10


def measure(spec: Spec, account: Account, player: int, effort: Effort) -> dict[str, Any]:
    """The player is told the game as it was played, and asked wherever it was to act.

    What it answers is not played.  `turns` has a row for each, `lines` the shares of all of them together.
    """
    start = account.start()
    position = None if start == rules.start(account.game) else start.text()
    turn = ProfiledTurn(account.game, start, player, [], position, "the game")
    steps, numbers = _steps(account, player)
    if not numbers:
        raise UsageError(f"{start.COLOURS[player]} is never to act in that game; name the other --colour")
    with laid_out(spec) as (laid,):
        games = [_watched(spec.name, request_of(laid, turn, effort), steps) for _ in range(effort.repeat)]
    counted = shares.counted(stacks_found([one["found"] for one in games]))
    rows = [
        {**times[0], "cpu": mean(row["cpu"] for row in times)}
        for times in zip(*(one["turns"] for one in games), strict=True)
    ]
    cpu = sum(row["cpu"] for row in rows)
    return {
        "agent": spec.name,
        "game": account.game,
        "colour": start.COLOURS[player],
        "cpu": cpu,
        "samples": counted.samples,
        "turns": [
            {"turn": number, **row, "share": row["cpu"] / cpu if cpu else 0.0}
            for number, row in zip(numbers, rows, strict=True)
        ],
        "lines": lines_of(counted, [], []),
    }


def _watched(name: str, request: dict[str, Any], steps: list[Any]) -> dict[str, Any]:
    try:
        return asked(name, request, "series", "stacks", steps)
    except NoProfile:  # it may be the sampling that ended the player
        return asked(name, request, "series", "careful stacks", steps)


def _steps(account: Account, player: int) -> tuple[list[Any], list[int]]:
    """What the player is told, None where it is to act; and the numbers of the turns of these."""
    steps: list[Any] = []
    numbers = []
    opening = len(account.opening)
    try:
        for at, (entry, state) in enumerate(judging.states(account)):
            if at >= opening and player in state.to_act():
                steps.append(None)
                numbers.append(at - opening + 1)
            steps.append(state.news(player, entry.chosen))
    except judging.Difference as difference:
        raise UsageError(f"the record differs from the rules, {difference}") from None
    return steps, numbers


def show(found: Mapping[str, Any], top: int) -> None:
    """Print it: every turn, the slowest first, and the lines that took longest in all of them."""
    turns = sorted(found["turns"], key=lambda row: -row["cpu"])
    whole = f"{len(turns)} turns, {found['cpu']:.3f} s of CPU"
    print(f"{found['agent']} ({found['colour']}), {found['game']}: {whole}")
    print("\nSlowest turns")
    head = ("turn", "CPU", "of the game", "nodes", "depth", "score", "action")
    for line in columns(head, [_row(row) for row in turns[:SLOWEST]]):
        print(line)
    rough = max((line["own_error"] for line in found["lines"]), default=0.0) > ROUGH
    more = "; --repeat 10 takes more" if rough else ""
    print(f"\nWhere the game's time went, from {found['samples']} samples{more}")
    rows = [
        (
            f"{line['file']}:{line['line']}",
            f"{line['own']:.1%}",
            f"{line['own_error']:.1%}",
            f"{line['total']:.1%}",
            line["source"],
        )
        for line in found["lines"][:top]
    ]
    for line in columns(("file:line", "own share", "+-", "total share", "source"), rows):
        print(line)


def _row(row: Mapping[str, Any]) -> Sequence[str]:
    figures = ("-" if row[name] is None else str(row[name]) for name in ("nodes", "depth", "score"))
    return (str(row["turn"]), f"{row['cpu']:.4f} s", f"{row['share']:.1%}", *figures, row["action"])
