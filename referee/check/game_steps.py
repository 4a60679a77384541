"""The steps of a check that play games: the course's way, under this referee's limits, two at once."""

import contextlib
import io
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import takewhile
from typing import Any, TextIO

from referee import rules
from referee.check import FAIL, Findings, Step, not_tried
from referee.check.course_game import NO_ACTION, CourseGame, keywords, names_a_limit, scaled
from referee.check.courses import course
from referee.check.import_steps import names_as_the_course
from referee.check.objected_games import LastState, shown
from referee.check.sandbox import RUNAWAY, Copy, PackageProcess, Trouble
from referee.isolation.allowance import Allowance
from referee.match import record
from referee.match.loop import Match, Watcher
from referee.match.planned import PlannedGame, record_header, record_name
from referee.players.names import resolve
from referee.rules import Action, Limits

SEED = 1
ODD_TURNS = 8  # told in each odd form
TURNS = 14  # of each game side by side
RENAMED_TURNS = 4
REPEATED = 4  # times that two games have to part as before, so that neither time nor lots are behind it
ALL = 10**6  # actions of a game
OTHER_HASHES = (1, 2)  # of strings, in processes where a player that draws lots should do otherwise
HURRY = 1 / 50  # of the limits, told where actions need not be good
NOT_NAMED = "its constructor names no `seconds`, so it plays at the course's own limits"
OTHER_NAME = "another_name"

Actions = list[tuple[int, Action]]  # in their order: a seat and what it did


@dataclass(frozen=True)
class Run:
    """A game alone, and the same with something before or beside it."""

    alone: CourseGame
    other: CourseGame
    drew: bool = False  # whether it drew lots that both games share

    def parted(self) -> int | None:
        """After how many of its actions the games differ, that one included; None: they do not."""
        return _parted(self.alone.played, self.other.played)


class _Turns(Watcher):
    """Tells the number of each turn."""

    def __init__(self, on_turn: Callable[[int], None]):
        self.on_turn = on_turn

    def ask(self, match: Match) -> None:
        self.on_turn(match.number)


def _same(file: TextIO) -> TextIO:
    return file


@dataclass
class GameSteps:
    """What these steps have in common."""

    copy: Copy
    game: str
    constructor: list[list[Any]] | None  # its parameters
    share: float  # of the course's limits
    update: list[list[Any]] | None = None  # its parameters
    process: PackageProcess | None = None  # in which it is imported already, for what needs none of its own

    def __post_init__(self) -> None:
        self.start = rules.start(self.game)
        self.variant = self.game.partition(":")[2]
        self.course = course(self.game)
        can_be_told = names_a_limit(self.constructor, self.start.LIMITS)
        self.limits = scaled(self.start.LIMITS, self.share if can_be_told else 1)
        told = self.limits if can_be_told and self.share != 1 else None
        self.keywords = keywords(self.constructor, self.variant, told)
        self.notes = [NOT_NAMED] if self.share != 1 and not can_be_told else []
        self.quick = keywords(self.constructor, self.variant, scaled(self.start.LIMITS, HURRY), quick=True)

    # In the course's manner

    def course_step(self) -> Step:
        """A game against lots in each seat, as the course's referee calls and accounts for it."""
        found = Findings("course game", notes=list(self.notes))
        said: list[str] = []
        for seat, colour in enumerate(self.start.COLOURS):
            with PackageProcess(self.copy) as process:
                game = CourseGame(process, self.game, (seat,), f"{SEED} course", self.keywords, self.limits)
                try:
                    process.load()
                    before = process.ask("", "loaded", self.course.libraries)
                    game.begin().play()
                    late = set(process.ask("", "loaded", self.course.libraries)) - set(before)
                except Trouble as trouble:
                    found.object_to(f"as {colour}: {trouble.told()}", _mend(trouble.message, self.limits))
                    continue
                self._account(found, colour, game, process, said)
                for name in sorted(late & set(self.course.libraries)):
                    found.notes.append(
                        f"{name} is first imported in the middle of a game, where it is charged"
                    )
                for name in sorted(game.types):
                    found.remark(
                        f"as {colour}: an action has {name} in it, which the course's program takes",
                        "return plain tuples of int and str: opponents are told the very objects"
                        if self.course.forwards
                        else "return plain tuples of int and str",
                    )
        return found.done("\n".join(said))

    def _account(
        self, found: Findings, colour: str, game: CourseGame, process: PackageProcess, said: list[str]
    ) -> None:
        spent, limits = game.spent, self.start.LIMITS
        _, result = game.state.outcome() or ((), "not finished")
        total, space = sum(map(sum, spent.values())), process.space / 1024
        made, acts, most = sum(spent["constructor"]), len(spent["action"]), max(spent["action"], default=0.0)
        mean, told = _mean(spent["action"]), _mean(spent["update"])
        found.figures[colour] = {
            "turns": game.turns,
            "result": result,
            "seconds": round(total, 4),
            "constructor": round(made, 4),
            "actions": acts,
            "action_mean": round(mean, 4),
            "action_most": round(most, 4),
            "update_mean": round(told, 4),
            "space_megabytes": round(space, 1),
            "resident_megabytes": round(process.resident / 1024, 1),
        }
        allowed = f" of 2 x {limits.megabytes:g} MB" if limits.megabytes else " MB"
        said += [
            f"as {colour}: {result}, {game.turns} turns; VmPeak +{space:.1f}{allowed};"
            f" CPU {total:.2f} s in all ({limits_text(self.limits)}):",
            f"  constructor {made:.3f} s, {acts} actions of {mean:.3f} s, at most {most:.3f} s,"
            f" updates of {told:.4f} s",
        ]
        if limits.megabytes and space > 2 * limits.megabytes:
            found.object_to(
                f"as {colour}: address space grew by {space:.1f} MB, of 2 x {limits.megabytes:g} MB for both",
                "import numpy at the top, bound your tables, start no threads: each takes 64 MB and more",
            )

    # Under this referee's limits

    def limits_step(self) -> Step:
        """A game against `random` in each seat, each player in its process."""
        found = Findings("limits", notes=list(self.notes))
        said = []
        limits = self.limits
        told = tuple(sorted(self.keywords.items())) if self.share != 1 else ()
        told = tuple((name, value) for name, value in told if name != "variant")
        own = Allowance(limits.game, limits.action, limits.first, limits.megabytes, told=told)
        other = Allowance(megabytes=None)
        for seat, colour in enumerate(self.start.COLOURS):
            players = (self.copy.to_play(), resolve("random"))
            planned = PlannedGame(self.game, players, (own, other), 1, 1, seat, SEED)
            written, last = io.StringIO(), LastState()
            writer = record.Writer(partial(_same, written), record_header(planned))
            result = planned.play([writer, last, _Turns(self.copy.on_turn)])
            if seat in result.at_fault:
                path = self.copy.keeper.keep(f"limits-{record_name(planned)}", written.getvalue())
                fault = f"as {colour}: {result.reason}\n{shown(last.state, path)}"
                found.object_to(fault, _mend(result.faults[seat].ending, limits))
            for warning in result.warnings:
                found.object_to(f"as {colour}: {warning}", "a course's referee would not count this game")
            found.figures[colour] = {
                "turns": result.turns,
                "ending": result.ending,
                "reason": result.reason,
                "seconds": round(result.cpu[seat], 4),
                "megabytes": round(result.megabytes[seat], 1),
            }
            said.append(
                f"as {colour}: {result.reason}, {result.turns} turns, {result.cpu[seat]:.2f} s "
                f"({limits_text(limits)}), {result.megabytes[seat]:.1f} MB of {limits.megabytes or 0:g} MB"
            )
        return found.done("\n".join(said))

    # With odd news

    def news_step(self) -> Step:
        """Whether it understands an opponent's action in other forms that are equal to a legal one."""
        found = Findings("news")
        told = []
        for odd, names in self._forms():
            wanted = odd or "by name"
            try:
                for seat in (0, 1):
                    self._begin(self.process, self.copy, seat, "news", ODD_TURNS, names=names, odd=odd)
                told.append(wanted)
            except Trouble as trouble:
                advice = "take each number with int(), each name with str()"
                if odd == "whole floats":
                    found.remark(f"told of {wanted}: {trouble} (hardly anybody sends these)", advice)
                else:
                    found.object_to(f"told of {wanted}: {trouble.told()}", advice)
        return found.done(f"understands {', '.join(told)}")

    def _forms(self) -> list[tuple[str, tuple[str, ...]]]:
        seat = self.start.to_act()[0]
        text = repr(self.start.actions(seat)[0])
        forms: list[tuple[str, tuple[str, ...]]] = [("numpy numbers", ())]
        if text.startswith("("):
            forms.insert(0, ("named tuples", ()))
        if any(letter.isdigit() for letter in text) and not text.startswith("'"):
            forms.append(("whole floats", ()))
        if self.course.update and names_as_the_course(self.update, self.course):
            forms.append(("", self.course.update))
        return forms

    def _begin(
        self, process: PackageProcess | None, copy: Copy, seat: int, label: str, turns: int, **told: Any
    ) -> None:
        """The beginning of a game, in a process where others were played.

        What fails there is tried again in a process of its own: what games share is another step's subject.
        """
        with contextlib.suppress(Trouble):
            if process:
                return self._play(process, seat, label, turns, **told)
        with PackageProcess(copy) as alone:
            alone.load()
            return self._play(alone, seat, label, turns, **told)

    def _play(self, process: PackageProcess, seat: int, label: str, turns: int, **told: Any) -> None:
        CourseGame(process, self.game, (seat,), f"{SEED} {label}", self.quick, **told).begin().play(turns)

    # Side by side, and under another name

    def second_game_step(self) -> Step:
        """A second game in one process."""
        found = Findings("second game")
        well = "a second game in the same process goes as the first"
        first = self._undisturbed(found, self._one_after_another, "in a second game in one process")
        if len(self.start.to_act()) == 2:
            well = "a second game with the same lots goes as the first; other lots bring other games"
            if first:
                self._expect_lots(found, first)
        return found.done("all its actions were legal" if found.notes else well)

    def two_at_once_step(self) -> Step:
        """Several games at once in one process."""
        found = Findings("two at once")
        self._undisturbed(found, self._side_by_side, "beside other games in one process")
        well = "four players in three games at once, two of them against each other, do not mix"
        return found.done("all its actions were legal" if found.notes else well)

    def _undisturbed(self, found: Findings, play: Callable[[int], Run], where: str) -> Actions | None:
        """See if it does the same in the same game with something else before or beside it; what it did."""
        try:
            run = play(ALL)
            parted = run.parted()
            if parted is not None and (run.drew or not self._again_so(play, run.alone.played[:parted])):
                found.notes.append("its actions depend on time or lots: only that they are legal was seen")
            elif parted is not None:
                parting = _parting(run.alone.played, run.other.played)
                found.object_to(f"{where} it played otherwise: {parting}\n{run.other.kept()}", FRESH)
            return run.alone.played
        except Trouble as trouble:
            found.object_to(f"{where}: {trouble.told()}", FRESH)
            return None

    def _again_so(self, play: Callable[[int], Run], alone: Actions) -> bool:
        """Whether the game alone always begins so, and the other never, in processes of their own.

        Where time or lots decide, the one varies, or the other is like it now and then.
        """
        for _ in range(REPEATED):
            run = play(len(alone))
            if run.alone.played[: len(alone)] != alone or run.other.played[: len(alone)] == alone:
                return False
        return True

    def _game(
        self, process: PackageProcess, seats: tuple[int, ...], label: str, seed: str = ""
    ) -> CourseGame:
        game = CourseGame(process, self.game, seats, f"{SEED} {seed or label}", self.quick)
        game.seed = label  # players are kept apart by it
        return game.begin()

    def _expect_lots(self, found: Findings, first: Actions) -> None:
        """Object to a seat in which it does the same, as in `first`, wherever strings have other hashes."""
        for seat, colour in enumerate(self.start.COLOURS):
            before = self._first_game(0, seat) if seat else first
            if all(self._first_game(hashes, seat) == before for hashes in OTHER_HASHES):
                found.object_to(
                    f"as {colour} it plays the same {len(before)} actions in every game in which the "
                    "opponent does so: a list of actions made beforehand beats it",
                    "draw lots among good actions, from random.SystemRandom() or a generator without a seed",
                )
                return

    def _first_game(self, hashes: int, seat: int) -> Actions:
        """What it does in a game alone, where strings have other hashes."""
        with PackageProcess(self.copy, hashes) as process:
            process.load()
            return self._game(process, (seat,), "first", "A").play(TURNS).played

    def _one_after_another(self, actions: int) -> Run:
        """One game, and the same again with the same lots, to so many actions."""
        with PackageProcess(self.copy) as process:
            process.load()
            process.ask("", "lots")
            first = self._game(process, (0,), "first", "A").play(TURNS)
            process.ask("", "lots")
            return Run(first, self._game(process, (0,), "second", "A").play(TURNS, actions))

    def _side_by_side(self, actions: int) -> Run:
        """One game alone, then the same beside two others; lots that they share would mix them."""
        with PackageProcess(self.copy) as process:
            process.load()
            process.ask("", "lots")
            alone = self._game(process, (0,), "alone", "A").play(TURNS)
            drew = process.ask("", "lots")
            games = [self._game(process, *one) for one in (((0,), "A"), ((1,), "B"), ((0, 1), "C"))]
            for _ in range(TURNS):
                if len(games[0].played) < actions:
                    for game in games:
                        game.turn()
        return Run(alone, games[0], drew)

    def renamed_step(self, absolute: list[str]) -> Step:
        """Whether it runs in a folder of another name."""
        if absolute:
            return not_tried(
                "renamed",
                f"it imports itself by its own name ({absolute[0]}), as a course may ask; keep the name",
            )
        found = Findings("renamed")
        name = OTHER_NAME if self.copy.handin.name != OTHER_NAME else f"{OTHER_NAME}_2"
        with Copy(self.copy.handin.renamed(name), self.copy.spec) as copy:
            try:
                with PackageProcess(copy) as process:
                    process.load()
                    for seat in (0, 1):
                        self._begin(process, copy, seat, "renamed", RENAMED_TURNS)
            except Trouble as trouble:
                found.object_to(
                    f"as {name}: {trouble.told()}", "find modules relatively, and files by __file__"
                )
        return found.done(f"runs as {name} too")


ECHO = "change the board in `update` alone: it is told of your own actions too"
FRESH = "keep what belongs to a game in the player: nothing that changes in the class or the module"


def after_failure(step: Step) -> str:
    """Why further games are not tried, or ""."""
    ended = len(step.figures)  # of the two games
    return "both course games have to end first" if step.state == FAIL and ended < 2 else ""


def limits_text(limits: Limits) -> str:
    """`60 s a game`, or what else the time limits are."""
    if limits.game is not None:
        return f"{limits.game:g} s a game"
    if limits.first is not None and limits.first != limits.action:
        return f"{limits.first:g} s for the first action, {limits.action:g} s for others"
    return f"{limits.action:g} s an action" if limits.action is not None else "no limit of time"


def _mend(said: str, limits: Limits) -> str:
    """What to do about a fault in a game."""
    if NO_ACTION in said:
        return "return one of the rules' own actions, in plain tuples of int and str"
    if "illegal" in said:
        return f"play the rules' own actions, in plain tuples of int and str; {ECHO}"
    if "update raised" in said:
        return f"mend the line named; {ECHO}"
    if any(one in said for one in ("out of time", "no answer", "of CPU", "did not come back")):
        return f"look at the clock while thinking, and plan with nine tenths of {limits_text(limits)}"
    if "out of memory" in said or "grew beyond" in said:
        return f"bound your tables: {limits.megabytes or RUNAWAY:g} MB are all there is"
    return "a player that fails in a call forfeits: mend the line named, or catch what it raises"


def _mean(values: list[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def _parted(one: Actions, other: Actions) -> int | None:
    """How many actions until two games differ, that one included; None: they do not."""
    if one == other:
        return None
    pairs = zip(one, other, strict=False)
    return 1 + len(list(takewhile(lambda pair: pair[0] == pair[1], pairs)))


def _parting(one: Actions, other: Actions) -> str:
    """Where two games part."""
    for number, (first, second) in enumerate(zip(one, other, strict=False), 1):
        if first != second:
            return f"its action {number} was {second[1]!r}, alone {first[1]!r}"
    return f"{len(other)} actions, alone {len(one)}"
