"""Writes a game as text, line by line as it is played, and reads it back wherever it was cut off.

    record: 1
    game: 'kalaha'
    players: ('kalaha_agent', 'random')
    opening: A 3
    turn 1: A 1	cpu 0.5121 0.0003	megabytes 3.11 0.25
    search A: depth 9 score 14 nodes 40213
    output A: 'thinking...\\n'
    broken 2: A 1	cpu 0.0051 0.0000	megabytes 3.11 0.25
    ending: 'illegal action'
    scores: (0, 1)
    reason: 'turn 2: kalaha_agent (A) forfeits: action 1 is illegal; legal are 2, 4, 5, 6'
    end: 2

Each line is a word, a colon and a Python literal; those of a turn have parts separated by tabs, each
asked player's colour with its action (`-` for none) and two figures.  Whatever there are two of is by
seat; the header's `first` says which player of the command line has seat 0, and `position` where the
game began, if not at the start.  `broken` is a turn that was not carried out; `search` is what a
player's search said of its action; `warning` and `note` are sentences for people.  The last line says
how many turns there were: a record without it is one of an unfinished game.
"""

import ast
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TextIO

from referee import UsageError, rules
from referee.isolation.process import ENDINGS
from referee.isolation.replies import BadReply, search_figures, search_words
from referee.match.loop import Match, MatchResult, Turn, Watcher
from referee.rules import Action

FORMAT = 1
FIGURES = ("cpu", "wall", "megabytes", "course_megabytes")  # of each player, at the end
FIRST_LINE = f"record: {FORMAT}\n"
MAX_FILE = 64_000_000  # characters
MAX_LITERAL = 20_000  # characters; reading a literal costs hundreds of times its length in memory
STRING = r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\""""


@dataclass(frozen=True)
class Entry:
    """One line of play in a file: who was asked, and what came of it."""

    line: int
    players: tuple[int, ...]
    chosen: Mapping[int, Action]  # a player without an answer is missing
    played: bool = True  # carried out; False: an action was illegal or missing, and the game ended here
    cpu: tuple[float, ...] = ()  # two figures each, by seat, where the file has them
    megabytes: tuple[float, ...] = ()
    searches: dict[int, Mapping[str, float]] = field(default_factory=dict)  # by player: depth, score, nodes


@dataclass
class Verdict:
    """How a file says its game ended; None for what it does not say."""

    line: int
    ending: str
    at_fault: tuple[int, ...] = ()
    call: str | None = None
    scores: tuple[float, float] | None = None
    reason: str | None = None
    turns: int | None = None


@dataclass
class Account:
    """What a file says happened: a record of ours, or a course's log."""

    game: str = ""  # empty where the file was cut off before it says
    colours: tuple[str, ...] = ()
    header: dict[str, Any] = field(default_factory=dict)
    opening: list[Entry] = field(default_factory=list)
    turns: list[Entry] = field(default_factory=list)
    output: list[tuple[int, int, str]] = field(default_factory=list)  # after which turn, whose, and what
    verdict: Verdict | None = None  # None: unfinished

    def start(self) -> rules.State:
        """The state that the game began with: the game's first one, unless the header has another."""
        position = self.header.get("position")
        return rules.start(self.game) if position is None else rules.parse(self.game, position)


def new_file(path: Path) -> TextIO:
    """A file of that name, opened to be written; with a number where there is one already: `game-2.txt`."""
    name, number = path, 1
    while True:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            return name.open("x", encoding="utf-8", newline="\n")
        except FileExistsError:
            if not path.parent.is_dir():
                raise UsageError(f"cannot write {path}: {path.parent} is not a folder") from None
            number += 1
            name = path.with_name(f"{path.stem}-{number}{path.suffix}")
        except OSError as error:
            raise UsageError(f"cannot write {name}: {error.strerror or error}") from None


class TextFile(Watcher):
    """Keeps a text file of one match, opened when it begins; what is taken back is cut off again."""

    def __init__(self, opens: Callable[[], TextIO]):
        self.opens = opens
        self._places: dict[int, int] = {}  # where in the file each turn begins

    def begin(self, match: Match) -> None:
        self.file = self.opens()

    def ask(self, match: Match) -> None:
        if self.file.seekable():
            self._places[match.number] = self.file.tell()

    def taken_back(self, match: Match) -> None:
        if not self.file.seekable():
            raise UsageError("what goes to a pipe cannot be taken back; write the game to a file")
        self.file.seek(self._places[match.number + 1])
        self.file.truncate()


class Record:
    """Writes the record of one game into an open file, a line at a time, each flushed."""

    def __init__(self, file: TextIO, header: Mapping[str, Any], colours: Sequence[str]):
        self.file, self.colours = file, colours
        self.file.write(FIRST_LINE + "".join(f"{key}: {value!r}\n" for key, value in header.items()))
        self.file.flush()

    def opening(self, chosen: Mapping[int, Action]) -> None:
        """A set ply that both players were told."""
        colours = self.colours
        self._line("opening", "\t".join(f"{colours[player]} {chosen[player]!r}" for player in sorted(chosen)))

    def turn(self, turn: Turn) -> None:
        """A turn that was played, or broken off."""
        actions = [f"{self.colours[player]} {_written(turn, player)}" for player in turn.players]
        cpu = "cpu " + " ".join(f"{seconds:.6f}" for seconds in turn.cpu)
        megabytes = "megabytes " + " ".join(f"{size:.3f}" for size in turn.megabytes)
        word = "turn" if turn.played else "broken"
        self._line(f"{word} {turn.number}", "\t".join([*actions, cpu, megabytes]))
        for player, said in sorted(turn.searches.items()):
            self._line(f"search {self.colours[player]}", search_words(said))

    def printed(self, player: int, text: str) -> None:
        """What a player printed."""
        self._line(f"output {self.colours[player]}", repr(text))

    def end(self, result: MatchResult) -> None:
        """The result, without which the game counts as unfinished."""
        for warning in result.warnings:
            self._line("warning", repr(warning))
        for note in result.notes:
            self._line("note", repr(note))
        for key in ("ending", "call", "at_fault", "scores", "reason", *FIGURES):
            self._line(key, repr(getattr(result, key)))
        self._line("end", repr(result.turns))

    def _line(self, key: str, value: str) -> None:
        self.file.write(f"{key}: {value}\n")
        self.file.flush()


class Writer(TextFile):
    """Keeps the record of a match while it is played."""

    def __init__(self, opens: Callable[[], TextIO], header: Mapping[str, Any]):
        super().__init__(opens)
        self.header = header

    def begin(self, match: Match) -> None:
        super().begin(match)
        self.record = Record(self.file, self.header, match.state.COLOURS)

    def opened(self, match: Match, chosen: Mapping[int, Action]) -> None:
        self.record.opening(chosen)

    def turn(self, match: Match, turn: Turn) -> None:
        self.record.turn(turn)

    def printed(self, match: Match, player: int, text: str) -> None:
        self.record.printed(player, text)

    def end(self, match: Match, result: MatchResult) -> None:
        self.record.end(result)


def _written(turn: Turn, player: int) -> str:
    return repr(turn.chosen[player]) if player in turn.chosen else "-"


# Reading


def read_text(path: Path) -> str:
    """What is in a file, whatever its bytes; UsageError where it cannot be read."""
    try:
        with path.open("rb") as file:
            content = file.read(MAX_FILE + 1)
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror or error}") from None
    if len(content) > MAX_FILE:
        raise UsageError(f"{path} is longer than {MAX_FILE // 1_000_000} MB: not the record of one game")
    return content.decode("utf-8", "replace").replace("\r\n", "\n")  # as editors on Windows write lines


def is_record(text: str) -> bool:
    """Whether this is a record of ours, or the beginning of one."""
    return text.startswith("record:") or bool(text) and FIRST_LINE.startswith(text)


def parse(text: str) -> Account:
    """What a record says; UsageError, with the line, for what is no record.

    A record that was cut off anywhere is read up to there, without a verdict.
    """
    account = Account()
    closing: dict[str, Any] = {}
    lines = text.split("\n")[:-1]  # what stands behind the last line end was cut off in the middle
    for number, line in enumerate(lines, 1):
        if account.verdict:
            raise _wrong(number, "nothing follows the line `end`")
        key, colon, value = line.partition(": ")
        if not colon:
            raise _wrong(number, f"expected `word: value`, not {line[:60]!r}")
        word, _, about = key.partition(" ")
        if number == 1:
            if line + "\n" != FIRST_LINE:
                raise _wrong(number, f"expected {FIRST_LINE.strip()!r}, not {line[:60]!r}")
        elif word in ("turn", "broken"):
            account.turns.append(_turn(account, number, word == "turn", about, value))
        elif word == "opening":
            account.opening.append(Entry(number, *_actions(account, number, value.split("\t"))))
        elif word == "search":
            _search(account, number, about, value)
        elif word == "output":
            text = _string(number, value)
            account.output.append((len(account.turns), _player(account, number, about), text))
        elif word in ("warning", "note"):
            _string(number, value)
        elif word == "end":
            account.verdict = _verdict(number, closing, _literal(number, value))
        elif word in ("ending", "call", "at_fault", "scores", "reason"):
            closing[word] = _literal(number, value)
        elif not account.turns and not account.opening and not closing:
            account.header[key] = _literal(number, value)
            if key == "game":
                account.game = account.header[key]
                account.colours = _colours(number, account.game)
            if key == "position":
                _check_position(account, number)
        elif word not in FIGURES:
            raise _wrong(number, f"a record has no line {key[:60]!r} here")
    return account


def _turn(account: Account, number: int, played: bool, about: str, value: str) -> Entry:
    if account.turns and not account.turns[-1].played:
        raise _wrong(number, "no turn follows one that was broken off")
    if about != str(len(account.turns) + 1):
        raise _wrong(number, f"turn {len(account.turns) + 1} should come next, not {about[:20]!r}")
    parts = value.split("\t")
    figure = r"-?[0-9]{1,9}\.[0-9]{1,9}"
    figures = rf"(cpu|megabytes) {figure} {figure}"
    if len(parts) < 3 or not all(re.fullmatch(figures, part) for part in parts[-2:]):
        raise _wrong(number, "a turn ends with `cpu` and `megabytes`, two figures each, behind tabs")
    cpu, megabytes = (tuple(map(float, part.split(" ")[1:])) for part in parts[-2:])
    return Entry(number, *_actions(account, number, parts[:-2]), played, cpu, megabytes)


def _actions(account: Account, number: int, parts: list[str]) -> tuple[tuple[int, ...], dict[int, Action]]:
    players, chosen = [], {}
    for part in parts:
        colour, _, text = part.partition(" ")
        player = _player(account, number, colour)
        if player in players:
            raise _wrong(number, f"{colour} is there twice")
        players.append(player)
        if text != "-":
            chosen[players[-1]] = _literal(number, text)
    return tuple(players), chosen


def _player(account: Account, number: int, colour: str) -> int:
    if not account.game:
        raise _wrong(number, "a line `game` should come before the first action")
    if colour not in account.colours:
        expected = " and ".join(account.colours)
        raise _wrong(number, f"expected one of the colours {expected}, not {colour[:20]!r}")
    return account.colours.index(colour)


def _search(account: Account, number: int, colour: str, value: str) -> None:
    player = _player(account, number, colour)
    if not account.turns or player not in account.turns[-1].players:
        raise _wrong(number, f"{colour} had not to act in the turn before")
    try:
        account.turns[-1].searches[player] = search_figures(value)
    except BadReply as error:
        raise _wrong(number, str(error)) from None


def _string(number: int, value: str) -> str:
    try:
        if re.fullmatch(STRING, value):
            return ast.literal_eval(value)
    except (SyntaxError, ValueError):  # an escape that there is not
        pass
    raise _wrong(number, f"not a string: {value[:60]!r}")


def _verdict(number: int, closing: Mapping[str, Any], turns: Any) -> Verdict:
    try:
        verdict = Verdict(number, **closing, turns=turns)
    except TypeError:
        raise _wrong(number, "`ending`, `at_fault`, `scores` and `reason` come before `end`") from None
    shapes = [
        verdict.ending in ENDINGS if type(verdict.ending) is str else False,
        repr(verdict.at_fault) in ("()", "(0,)", "(1,)", "(0, 1)"),
        verdict.scores in ((1, 0), (0, 1), (0.5, 0.5)),
        type(verdict.reason) is str,
        type(verdict.turns) is int,
        verdict.call is None or type(verdict.call) is str,
    ]
    if not all(shapes):
        raise _wrong(number, "one of `ending`, `call`, `at_fault`, `scores`, `reason` and `end` is odd")
    return verdict


def _check_position(account: Account, number: int) -> None:
    try:
        account.start()
    except (ValueError, TypeError, AttributeError):
        raise _wrong(number, f"no position of {account.game or 'a game'}") from None


def _colours(number: int, game: Any) -> tuple[str, str]:
    try:
        return rules.start(game if type(game) is str else repr(game)).COLOURS
    except ValueError as error:
        raise _wrong(number, str(error)) from None


def read_literal(text: str) -> Any:
    """The value of a Python literal that can be written again; ValueError for anything else."""
    if len(text) > MAX_LITERAL:
        raise ValueError("too long")
    try:
        value = ast.literal_eval(text)
        repr(value)  # which fails for a number of very many digits
    except (SyntaxError, TypeError, MemoryError, RecursionError):
        raise ValueError("not a literal") from None
    return value


def _literal(number: int, text: str) -> Any:
    try:
        return read_literal(text)
    except ValueError:
        raise _wrong(number, f"not a Python literal: {text[:60]!r}") from None


def _wrong(number: int, problem: str) -> UsageError:
    return UsageError(f"line {number}: {problem}")
