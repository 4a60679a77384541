"""Writes and reads the logs of actions that the courses' own referees write.

Expendibots and RoPaSci 360 have one each; of Pentago's server, logs are read.  In logs of games that
players with odd number types played, coordinates may be written `Hex(r=4, q=-2)`, `(4.0, -2.0)` or
`(np.int64(4), np.int64(-2))`: those courses' referees compare by equality and let them pass.
"""

import re
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TextIO

from referee import UsageError
from referee.match.loop import Match, MatchResult, Turn
from referee.match.record import Account, Entry, TextFile, Verdict, read_literal
from referee.rules import Action

MAX_LINE = 6000  # characters; an action has at most 4096 bytes


# Writing


class LogWriter(TextFile):
    """Writes one match as that course's referee does; a game that breaks off just stops."""

    def __init__(self, opens: Callable[[], TextIO]):
        super().__init__(opens)
        self.turns = 0

    def taken_back(self, match: Match) -> None:
        super().taken_back(match)
        self.turns = len(match.plies)

    def line(self, text: str) -> None:
        self.file.write(text + "\n")
        self.file.flush()

    def opened(self, match: Match, chosen: Mapping[int, Action]) -> None:
        self.played(match, chosen)

    def turn(self, match: Match, turn: Turn) -> None:
        if turn.played:
            self.played(match, turn.chosen)

    def end(self, match: Match, result: MatchResult) -> None:
        illegal = [player for player in result.at_fault if result.faults[player].ending == "illegal action"]
        if illegal:
            player = illegal[0]
            action = result.history[-1].chosen.get(player) if result.history else None
            self.illegal(match.state.COLOURS[player], repr(action))
        elif not result.at_fault:
            self.over(result.reason)

    def action(self, colour: str, action: Action) -> None:
        """Write an action."""
        raise NotImplementedError

    def illegal(self, colour: str, action: str) -> None:
        """Write that an action was refused."""
        raise NotImplementedError

    def over(self, reason: str) -> None:
        """Write how the game ended."""
        raise NotImplementedError

    def played(self, match: Match, chosen: Mapping[int, Action]) -> None:
        self.turns += 1
        for player, action in sorted(chosen.items()):
            self.action(match.state.COLOURS[player], action)


class ExpendibotsWriter(LogWriter):
    """[white] - MOVE 1 from (3, 1) to (4, 1)."""

    def begin(self, match: Match) -> None:
        super().begin(match)
        self.line(f"[game ] - Start game log at {time.asctime()}")

    def action(self, colour: str, action: Action) -> None:
        if action[0] == "BOOM":
            self.line(f"[{colour:<5}] - BOOM at {action[1]}.")
        else:
            self.line(f"[{colour:<5}] - MOVE {action[1]} from {action[2]} to {action[3]}.")

    def illegal(self, colour: str, action: str) -> None:
        self.line(f"[error] - illegal action detected ({colour}): {action}.")

    def over(self, reason: str) -> None:
        self.line(f"[over ] - {reason}")


class RopasciWriter(LogWriter):
    """turn 1: upper: THROW symbol s to (4, -2)"""

    def action(self, colour: str, action: Action) -> None:
        kind, source, end = action
        what = f"{kind} symbol {source} to {end}" if kind == "THROW" else f"{kind} from {source} to {end}"
        self.line(f"turn {self.turns}: {colour}: {what}")

    def illegal(self, colour: str, action: str) -> None:
        self.line(f"error: {colour}: illegal action {action}")

    def over(self, reason: str) -> None:
        self.line(reason)


WRITERS: Mapping[str, type[LogWriter]] = {"expendibots": ExpendibotsWriter, "ropasci": RopasciWriter}


# Reading


def expendibots(text: str) -> Account:
    """What a log of the Expendibots referee says."""
    account = Account("expendibots")
    for number, line in _lines(text, account):
        match = re.fullmatch(r"\[(game |white|black|over |error)\] - (.*)", line)
        if not match:
            raise _wrong(number, "expected `[game ]`, `[white]`, `[black]`, `[over ]` or `[error]`", line)
        who, what = match[1].strip(), match[2]
        if who == "over":
            account.verdict = Verdict(number, "finished", reason=what)
        elif who == "error":
            error = re.fullmatch(r"illegal action detected \((white|black)\): (.*)", what)
            if not error:
                raise _wrong(number, "expected `illegal action detected (colour): ...`", line)
            _refused(account, number, ("white", "black").index(error[1]), error[2])
        elif who != "game":
            player = ("white", "black").index(who)
            account.turns.append(Entry(number, (player,), {player: _expendibots_action(number, what)}))
    return account


def _expendibots_action(number: int, text: str) -> Action:
    if move := re.fullmatch(r"MOVE (\w+(?:\.0|\(\w+\))?) from (.+) to (.+?)\.?", text):
        (height,) = _numbers(number, move[1], 1)
        return "MOVE", height, _numbers(number, move[2], 2), _numbers(number, move[3], 2)
    if boom := re.fullmatch(r"BOOM at (.+?)\.?", text):
        return "BOOM", _numbers(number, boom[1], 2)
    raise _wrong(number, "expected `MOVE n from (x, y) to (x, y).` or `BOOM at (x, y).`", text)


def ropasci(text: str) -> Account:
    """What a log of the RoPaSci 360 referee says."""
    account = Account("ropasci")
    colours = "upper", "lower"
    first: int | None = None
    half: dict[int, Action] = {}
    for number, line in _lines(text, account):
        if played := re.fullmatch(r"turn ([0-9]{1,6}): (upper|lower): (.+)", line):
            turn, player = int(played[1]), colours.index(played[2])
            first = turn if first is None else first
            if turn - first != len(account.turns) or player != len(half):
                raise _wrong(number, "turns are counted up, upper's line before lower's", line)
            half[player] = _ropasci_action(number, played[3])
            if len(half) == 2:
                account.turns.append(Entry(number, (0, 1), half))
                half = {}
        elif error := re.fullmatch(r"error: (upper|lower): illegal action ?(.*)", line):
            _refused(account, number, colours.index(error[1]), error[2], half)
            half = {}
        elif re.match(r"(winner|draw): ", line):
            account.verdict = Verdict(number, "finished", reason=line)
        else:
            raise _wrong(number, "expected `turn N: upper: ...`, `error: `, `winner: ` or `draw: `", line)
    if half:
        account.turns.append(Entry(number, (0, 1), half, played=False))
    return account


def _ropasci_action(number: int, text: str) -> Action:
    if throw := re.fullmatch(r"THROW symbol ([rps]) to (.+)", text):
        return "THROW", throw[1], _numbers(number, throw[2], 2)
    if move := re.fullmatch(r"(SLIDE|SWING) from (.+) to (.+)", text):
        return move[1], _numbers(number, move[2], 2), _numbers(number, move[3], 2)
    raise _wrong(number, "expected `THROW symbol s to (r, q)`, `SLIDE from ... to ...` or `SWING ...`", text)


def pentago(text: str) -> Account:
    """What a log of the Pentago-Twist server says."""
    account = Account("pentago")
    over = r"GAMEOVER (?:(.*) )?(?:WINNER ([01])|(DRAW)|UNDECIDED)"
    for number, line in _lines(text, account, done=lambda line: line.startswith("# Game ended")):
        line = line.removeprefix("% ")
        if line.startswith(("#", "START")):
            continue
        if move := re.fullmatch(r"([0-9]+) ([0-9]+) ([0-9]+) ([0-9]+) ([01])", line):
            *action, player = (int(part) for part in move.groups())
            account.turns.append(Entry(number, (player,), {player: tuple(action)}))
        elif end := re.fullmatch(over, line):
            account.verdict = _pentago_verdict(account, number, *end.groups())
        else:
            raise _wrong(number, "expected five numbers, `START`, `GAMEOVER` or a line with `#`", line)
    return account


def _pentago_verdict(
    account: Account, number: int, cause: str | None, winner: str | None, draw: str | None
) -> Verdict | None:
    if draw:
        return Verdict(number, "finished", scores=(0.5, 0.5))
    if not winner:
        return None  # a game that the server gave up
    scores = (1, 0) if winner == "0" else (0, 1)
    if not cause:
        return Verdict(number, "finished", scores=scores)
    loser = 1 - int(winner)
    pair = r"\((-?\d+), (-?\d+)\)"
    illegal = re.fullmatch(rf"ILLEGAL MOVE: Player [01], Move: {pair}, R/F: {pair}", cause)
    if not illegal:
        ending = "out of time" if cause == "TIMEOUT" else "crashed"
        account.turns.append(Entry(number, (loser,), {}, played=False))
        return Verdict(number, ending, (loser,), "action", scores)
    action = tuple(int(part) for part in illegal.groups())
    account.turns.append(Entry(number, (loser,), {loser: action}, played=False))
    return Verdict(number, "illegal action", (loser,), "action", scores)


# The first characters of each kind of log
KINDS: tuple[tuple[str, Callable[[str], Account]], ...] = (
    (r"\[game \] - ", expendibots),
    (r"\[(white|black|over |error)\] - ", expendibots),
    (r"turn [0-9]+: upper: |error: (upper|lower): |(winner|draw): ", ropasci),
    (r"(% )?# Server version ", pentago),
)


def kind(text: str) -> Callable[[str], Account] | None:
    """What reads this text, or None where it is no course's log."""
    return next((read for start, read in KINDS if re.match(start, text.lstrip())), None)


def _lines(
    text: str, account: Account, done: Callable[[str], bool] = lambda line: False
) -> Iterator[tuple[int, str]]:
    """Numbered lines with something on them; after the verdict none may come but those that are `done`."""
    for number, line in enumerate(text.split("\n"), 1):
        line = line.rstrip("\r")
        if not line.strip():
            continue
        if len(line) > MAX_LINE:
            raise _wrong(number, f"expected a line of at most {MAX_LINE} characters", line)
        if account.verdict and not done(line.removeprefix("% ")):
            raise _wrong(number, "nothing follows the result", line)
        yield number, line


def _refused(
    account: Account, number: int, player: int, text: str, others: Mapping[int, Action] | None = None
) -> None:
    """The last line of a log with an illegal action; what others chose may stand before it."""
    chosen = dict(others or {})
    for candidate in (text, text.removesuffix(".")):
        try:
            chosen[player] = read_literal(candidate)
            break
        except ValueError:
            continue
    players = (0, 1) if account.game == "ropasci" else (player,)
    account.turns.append(Entry(number, players, chosen, played=False))
    account.verdict = Verdict(number, "illegal action", (player,), "action")


def _numbers(number: int, text: str, count: int) -> tuple[int, ...]:
    """The integers in a coordinate, however its number types write themselves."""
    text = re.sub(r"\bTrue\b", "1", re.sub(r"\bFalse\b", "0", text[:200]))
    found = re.findall(r"(?<![\w.])-?\d+(?:\.0*)?(?![\w.])", text)
    if len(found) != count:
        raise _wrong(number, f"expected {count} whole numbers", text)
    return tuple(int(part.partition(".")[0]) for part in found)


def _wrong(number: int, expected: str, found: Any) -> UsageError:
    return UsageError(f"line {number}: {expected}, not {str(found)[:60]!r}")
