"""Judge recorded games again by the rules, and say where and why a file differs from them.

Reads the records of `play --record` and the action logs of the courses' referees (Expendibots,
RoPaSci 360) and of Pentago's server.  What is judged is who acted, what was played, and how the game ended;
times and memory are as they were written down.
"""

from collections.abc import Iterator
from pathlib import Path

from referee import UsageError, rules
from referee.match import course_logs, record
from referee.match.adjudication import ADJUDICATED
from referee.match.loop import is_legal
from referee.match.record import Account, Entry, Verdict
from referee.players.text import shorten


class Difference(Exception):
    """Where a file and the rules part: the line, and what is wrong there."""

    def __init__(self, line: int, what: str):
        super().__init__(f"line {line}: {what}")


def read(path: Path) -> Account:
    """What a file says happened, whichever of the known forms it has."""
    text = record.read_text(path)
    reader = record.parse if record.is_record(text) else course_logs.kind(text)
    if not reader:
        if text.startswith('{"journal"'):
            raise UsageError(f"{path} is a tournament's journal: name games by --pair, --player or --faults")
        raise UsageError(f"{path} is neither a record nor a course's log")
    try:
        account = reader(text)
    except UsageError as error:
        raise UsageError(f"{path}: {error}") from None
    if not account.game:
        raise UsageError(f"{path} was cut off before it says which game it is")
    return account


def states(account: Account) -> Iterator[tuple[Entry, rules.State]]:
    """Each line of play that was carried out, with the state it was played in.

    Difference where the rules object.
    """
    state = account.start()
    for entry in account.opening + [entry for entry in account.turns if entry.played]:
        _check(entry, state)
        yield entry, state
        state = state.after(entry.chosen)


def judge(account: Account) -> str:
    """What the rules say of a game, in a sentence; Difference where the file says something else."""
    state = account.start()
    for entry, before in states(account):
        state = before.after(entry.chosen)
    verdict = account.verdict
    about = f"{account.game}, {len(account.turns)} {'turn' if len(account.turns) == 1 else 'turns'}"
    outcome = state.outcome()
    if not verdict:
        hint = f", though the rules say: {outcome[1]}" if outcome else ""
        return f"{about}: unfinished, legal as far as it goes{hint}"
    if verdict.turns not in (None, len(account.turns)):
        raise Difference(verdict.line, f"{verdict.turns} turns, but {len(account.turns)} are there")
    broken = [entry.line for entry in account.turns if not entry.played]
    if bool(broken) != (verdict.call == "action"):
        raise Difference((broken or [verdict.line])[0], "a turn is broken off by a fault in `action` alone")
    if verdict.at_fault:
        _check_fault(account, verdict, state)
        culprits = " and ".join(state.COLOURS[player] for player in verdict.at_fault)
        return f"{about}: same, {verdict.ending} by {culprits}"
    if outcome is None and verdict.ending == "finished" and str(verdict.reason).startswith(ADJUDICATED):
        return f"{about}: same as far as it goes, {shorten(str(verdict.reason))}"
    return f"{about}: same, {_checked_outcome(verdict, outcome)}"


def _check(entry: Entry, state: rules.State) -> None:
    if outcome := state.outcome():
        raise Difference(entry.line, f"play goes on, but the game was over: {outcome[1]}")
    if set(entry.chosen) != set(state.to_act()):
        expected = " and ".join(state.COLOURS[player] for player in state.to_act())
        raise Difference(entry.line, f"{expected} should have played")
    for player, action in sorted(entry.chosen.items()):
        if not is_legal(action, state.actions(player)):
            raise Difference(entry.line, _illegal(state, player, action))


def _checked_outcome(verdict: Verdict, outcome: tuple[tuple[float, float], str] | None) -> str:
    """The reason for which the game is over."""
    if outcome is None:
        raise Difference(verdict.line, f"{verdict.reason or 'over'!r}, but the game was still running")
    scores, reason = outcome
    if verdict.ending != "finished":
        raise Difference(verdict.line, f"{verdict.ending!r} and nobody at fault; the rules say {reason!r}")
    if verdict.reason not in (None, reason):
        raise Difference(verdict.line, f"{shorten(verdict.reason)!r}, but the rules say {reason!r}")
    if verdict.scores not in (None, scores):
        raise Difference(verdict.line, f"scores {verdict.scores}, but the rules say {scores}: {reason}")
    return reason


def _check_fault(account: Account, verdict: Verdict, state: rules.State) -> None:
    """A fault ends a running game against the one at fault; an illegal action is one indeed."""
    if verdict.ending == "finished":
        raise Difference(verdict.line, "'finished', though somebody was at fault")
    if outcome := state.outcome():
        raise Difference(verdict.line, f"a fault cannot undo what was decided: {outcome[1]}")
    point = {(0,): (0, 1), (1,): (1, 0), (0, 1): (0.5, 0.5)}[verdict.at_fault]
    if verdict.scores not in (None, point):
        raise Difference(verdict.line, f"scores {verdict.scores}, but the one at fault loses: {point}")
    if verdict.call and verdict.reason and verdict.ending != "illegal action":
        said = f"forfeits: {verdict.ending} in {verdict.call}: "
        if said not in verdict.reason and not verdict.reason.endswith("forfeits: resigned"):
            raise Difference(verdict.line, f"{verdict.ending!r}, but {shorten(verdict.reason)!r}")
    if verdict.call != "action":
        return
    for player in verdict.at_fault:
        if player not in state.to_act():
            raise Difference(verdict.line, f"{state.COLOURS[player]} was not to act")
    _check_refused(account.turns[-1], verdict, state)


def _check_refused(entry: Entry, verdict: Verdict, state: rules.State) -> None:
    for player, action in sorted(entry.chosen.items()):
        if player not in state.to_act():
            raise Difference(entry.line, f"{state.COLOURS[player]} was not to act")
        legal = is_legal(action, state.actions(player))
        if not legal and player not in verdict.at_fault:
            raise Difference(entry.line, _illegal(state, player, action))
        if legal and verdict.at_fault == (player,) and verdict.ending == "illegal action":
            raise Difference(entry.line, f"{_named(state, player, action)} was refused, but is legal")


def _named(state: rules.State, player: int, action: rules.Action) -> str:
    return f"{state.COLOURS[player]}'s action {shorten(repr(action))}"


def _illegal(state: rules.State, player: int, action: rules.Action) -> str:
    legal = ", ".join(repr(action) for action in state.actions(player))
    return f"{_named(state, player, action)} is illegal; legal are {shorten(legal)}"
