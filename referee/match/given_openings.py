"""Openings from a file, and openings that a search calls even."""

import ast
import json
from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from random import Random

from referee import UsageError, rules
from referee.isolation.allowance import Allowance
from referee.isolation.process import Fault
from referee.isolation.program_process import player_process
from referee.match import course_logs, judging, record
from referee.match.loop import follow, is_legal
from referee.match.openings import Opening, Openings, ply
from referee.players.names import BASELINE, Spec, resolve
from referee.players.text import shorten
from referee.rules import State

LOOKED_AT = 20_000  # states in search of the actions that lead to a position
DRAWN = 200  # openings in a row of which the search calls none even
ORDERS = ("random", "sequential")


class ListedOpenings:
    """Openings of a list, one after another or in an order that the seed draws, and then again."""

    def __init__(self, openings: Sequence[Opening], order: str, seed: int):
        self.openings = openings
        self.order = order
        self.seed = seed

    def __str__(self) -> str:
        named = sha256(repr(self.openings).encode()).hexdigest()[:12]
        return f"{len(self.openings)} of a file ({named}), {self.order}"

    def of(self, pair: int) -> Opening:
        """The opening of the pair of that number."""
        turn, place = divmod(pair - 1, len(self.openings))
        if self.order == "random":
            shuffled = list(range(len(self.openings)))
            Random(f"openings {self.seed} {turn}").shuffle(shuffled)
            place = shuffled[place]
        return self.openings[place]

    def remember(self, pair: int, plies: Sequence[str]) -> None:
        """Nothing is drawn here."""


def read(path: Path, game: str, plies: int) -> list[Opening]:
    """The openings in a file, or in the files of a folder; UsageError, with the line, where one is none.

    A recorded game, or a course's log, gives its first `plies`; a tournament's journal its pairs' openings.
    Else each line is an opening: a list of actions, as --json prints them, or a position in the game's
    text form, which random play could lead to.  Empty lines, and those that begin with #, are left out.
    """
    if path.is_dir():
        found = [opening for one in sorted(path.iterdir()) for opening in read(one, game, plies)]
    else:
        found = _of_text(record.read_text(path), path, game, plies)
    different = list({repr(opening): opening for opening in found}.values())
    if not different:
        raise UsageError(f"there is no opening in {path}")
    return different


def _of_text(text: str, path: Path, game: str, plies: int) -> list[Opening]:
    lines = text.splitlines()
    if record.is_record(text) or course_logs.kind(text):
        return [_of_record(path, game, plies)]
    is_journal = text.startswith('{"journal"')
    found = []
    for number, line in enumerate(lines[is_journal:], 1 + is_journal):
        if not line.strip() or line.startswith("#"):
            continue
        try:
            if is_journal and line.startswith('{"about":'):  # a line that is no pair
                continue
            actions = json.loads(line)["opening"] if is_journal else _literals(line)
            found.append(_reached(game, line) if actions is None else _played(game, actions))
        except (ValueError, LookupError, TypeError) as error:
            raise UsageError(f"{path}, line {number}: no opening of {game}: {shorten(str(error))}") from None
    return found


def _of_record(path: Path, game: str, plies: int) -> Opening:
    account = judging.read(path)
    if account.game != game or "position" in account.header:
        raise UsageError(f"{path} is no game of {game} from its start")
    played = [entry.chosen for entry, _ in judging.states(account)]
    return tuple(played[:plies])


def _literals(line: str) -> list[str] | None:
    """The actions that a line lists; None where it is something else."""
    try:
        value = ast.literal_eval(line.strip())
    except (ValueError, SyntaxError):
        return None
    return [one if type(one) is str else repr(one) for one in value] if type(value) is list else None


def _played(game: str, actions: Sequence[str]) -> Opening:
    """The opening of these actions, each in its text form; where both choose at once, a pair of them."""
    state = rules.start(game)
    opening = []
    for text in actions:
        players = state.to_act()
        try:
            action = record.read_literal(text)
        except ValueError:  # a string that was not quoted twice
            action = text
        given = action if len(players) > 1 else (action,)
        chosen = dict(zip(players, given, strict=True))
        if not players or not all(is_legal(one, state.actions(player)) for player, one in chosen.items()):
            raise ValueError(f"action {text} is illegal there")
        opening.append(chosen)
        state = state.after(chosen)
    if not state.to_act():
        raise ValueError("the game is over behind it")
    return tuple(opening)


def _reached(game: str, line: str) -> Opening:
    """The shortest way to a position, as far as it is found among so many states."""
    wanted = rules.parse(game, line).text()
    ways: list[tuple[State, Opening]] = [(rules.start(game), ())]
    had = {ways[0][0].text()}
    for state, opening in ways:
        if state.text() == wanted:
            return opening
        players = state.to_act()
        if len(players) != 1:
            continue
        for action in state.actions(players[0]):
            chosen = {players[0]: action}
            after = state.after(chosen)
            if after.text() not in had and len(ways) < LOOKED_AT:
                had.add(after.text())
                ways.append((after, (*opening, chosen)))
    raise ValueError(f"no actions that lead to this position were found among {LOOKED_AT} states")


class BalancedOpenings(Openings):
    """Random openings that a search calls even; with a path they are kept there, and not searched again."""

    def __init__(self, game: str, plies: int, seed: int, judge: "Judge", path: Path | None = None):
        super().__init__(game, plies, seed)
        self.judge = judge
        self.path = path
        self._head = f"# {game}, {plies} plies, seed {seed}, called even by {judge}\n"
        self._even: list[Opening] = []
        self._looked = 0
        if path and path.is_file() and path.read_text(encoding="utf-8").startswith(self._head):
            self._even = read(path, game, plies) if path.read_text(encoding="utf-8") != self._head else []
            self._looked = self._place_of_last()
        else:
            self._write("w", self._head)

    def __str__(self) -> str:
        return f"called even by {self.judge}"

    def of(self, pair: int) -> Opening:
        """The opening of the pair of that number."""
        while len(self._even) < pair:
            self._even.append(self._next_even())
            self._write("a", f"{[ply(chosen) for chosen in self._even[-1]]!r}\n")
        return self._even[pair - 1]

    def remember(self, pair: int, plies: Sequence[str]) -> None:
        """They are kept in a file of their own."""

    def _next_even(self) -> Opening:
        for _ in range(DRAWN):
            self._looked += 1
            opening = super().of(self._looked)
            if opening not in self._even and self.judge.is_even(opening):
                return opening
        raise UsageError(
            f"of {DRAWN} openings in a row none is called even by {self.judge}; "
            "ask for a larger margin, or --opening for other lengths"
        )

    def _place_of_last(self) -> int:
        """How many were drawn until the last of those that are known."""
        number = 0
        for known in self._even:
            while super().of(number := number + 1) != known:
                if number > DRAWN * (len(self._even) + 1):
                    raise UsageError(f"{self.path} has openings that are not drawn here; remove it")
        return number

    def _write(self, mode: str, text: str) -> None:
        if self.path is None:
            return
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open(mode, encoding="utf-8") as file:
                file.write(text)
        except OSError as error:
            raise UsageError(f"cannot write {self.path}: {error.strerror or error}") from None


class Judge:
    """What a player's search says of an opening, in so many nodes."""

    def __init__(self, game: str, spec: Spec, nodes: int, margin: float):
        self.game = game
        self.spec = spec
        self.nodes = nodes
        self.margin = margin
        if spec.module == BASELINE:
            raise UsageError(f"{spec.name} does not search; name an agent that tells its search's score")

    def __str__(self) -> str:
        return f"{self.spec.name},nodes={self.nodes},margin={self.margin:g}"

    def is_even(self, opening: Opening) -> bool:
        """Whether its score is within the margin."""
        return abs(self.score(opening)) <= self.margin

    def score(self, opening: Opening) -> float:
        """Behind the opening, for who moves; UsageError where the player tells none."""
        start = rules.start(self.game)
        state = follow(start, opening)
        mover = state.to_act()[0]
        allowance = Allowance(told=(("nodes", self.nodes),))
        variant = self.game.partition(":")[2]
        extra = (("game", self.game), ("seed", 0))
        player = player_process(self.spec, state.COLOURS[mover], variant, allowance, extra)
        with player:
            try:
                player.start()
                player.construct()
                follow(start, opening, player, mover)
                player.action()
            except Fault as fault:
                raise UsageError(f"{self.spec.name} cannot judge an opening: {fault}") from None
        if "score" not in player.searched:
            raise UsageError(f"{self.spec.name} does not tell the score of its search; name another agent")
        return player.searched["score"]


def judge_of(text: str, game: str) -> Judge:
    """What `AGENT,nodes=N,margin=M` names."""
    spec = resolve(text)
    given = dict(spec.arguments)
    nodes, margin = given.pop("nodes", None), given.pop("margin", None)
    if type(nodes) is not int or nodes < 1 or type(margin) not in (int, float) or margin < 0:
        raise UsageError(f"--balanced takes AGENT,nodes=N,margin=M, not {shorten(text)!r}")
    name = text.partition(",")[0]
    return Judge(game, replace(spec, name=name, arguments=tuple(given.items())), nodes, margin)
