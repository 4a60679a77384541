"""A match that another program steers: lines of JSON say what happens, and lines of JSON say what to do.

Out, each an object with `event`: `begin`, `opened`, `ask`, `turn`, `printed`, `taken back`, `steered`,
`refused`, `waiting`, `end`; lab/programs.py reads them, for the lab's page.  In, each an object with `do`:

    {"do": "pause"}               before the next turn; {"do": "go"}: on
    {"do": "step"}                one turn, then pause; {"do": "back"}: take the last turn back, and pause
    {"do": "undo"}                take back the last turn that was a hand's, and what followed; on
    {"do": "take", "player": 0}   that seat is played by hand; {"do": "give", "player": 0}: no more
    {"do": "play", "player": 0, "turn": 3, "action": [1, 2]}        by hand; arrays for tuples
    {"do": "resign", "player": 0}       by hand

The end of the input, or Ctrl-C, leaves the game unfinished; its record can be gone on with (`play --from`).
"""

import json
import threading
from collections.abc import Mapping, Sequence
from typing import Any, TextIO

from referee.human.clicks import steps
from referee.human.person import NOTHING_TO_TAKE_BACK, Person, clocks
from referee.human.typed_actions import mistake, spell, words
from referee.isolation import plain
from referee.match.loop import Match, MatchResult, Resigned, Seat, TakeBack, Turn, Watcher, is_legal
from referee.match.planned import PlannedGame
from referee.match.record import Entry, Writer
from referee.players.interrupting import interrupt
from referee.players.names import HUMAN
from referee.players.text import shorten
from referee.rules import Action
from referee.view import page
from referee.view.boards import is_drawn
from referee.view.game import NAME
from referee.view.page import printable_lines
from referee.view.terminal import escaped, sentence

NOT_BY_HAND = "that seat is not to be played by hand now"
NO_REQUEST = "a request is a JSON object on one line, with no more arrays within each other than it needs"
LINE = 4096  # characters of one that comes in


class Control(Watcher):
    """Tells of one match at a time, and holds its seats until they may go on."""

    def __init__(self, heard: TextIO, said: TextIO, paused: bool = False):
        self._heard, self._said = heard, said
        self._change = threading.Condition()
        self._paused = paused
        self._steps = 0  # turns that may be played though it is paused
        self._back = ""  # `back` or `undo`, where that is asked and not done yet
        self._hands: set[int] = set()
        self._wish: dict[int, tuple[str, Action]] = {}  # by player, what was done by hand
        self._match: Match | None = None
        self._awaited: int | None = None  # whose action by hand
        self._is_over = self._is_left = False
        self._saying = threading.Lock()
        threading.Thread(target=self._listen, daemon=True).start()

    def seat(self, seat: Seat, player: int) -> "Held":
        """A seat that waits until it may go on; a human's is played by hand from the start."""
        if isinstance(seat, Hand):
            self._hands.add(player)
        return Held(seat, player, self)

    def person(self, planned: PlannedGame, player: int) -> "Hand":
        """The seat of a human."""
        return Hand(planned, player, self)

    # What the match waits for

    def gate(self, player: int) -> None:
        """Before a turn: wait while it is paused; TakeBack where that is asked."""
        match = self._match
        assert match
        if player != match.state.to_act()[0]:
            return
        with self._change:
            while not self._back and self._paused and not self._steps:
                self._tell_waiting()
                self._change.wait()
            self._take_back(match)
            self._steps = max(0, self._steps - 1)

    def by_hand(self, player: int, seconds: float | None = None) -> tuple[str, Action] | None:
        """What somebody does for the player; None where the seat is not played by hand, or not any more."""
        match = self._match
        assert match
        with self._change:
            self._wish.clear()
            said = False
            while player in self._hands and not self._back:
                if not said:
                    self._tell_waiting(player)
                    said = True
                self._awaited = player
                if player in self._wish:
                    self._awaited = None
                    return self._wish.pop(player)
                if not self._change.wait(seconds):
                    self._awaited = None
                    return "late", None
            self._awaited = None
            self._take_back(match)
            return None

    def _take_back(self, match: Match) -> None:
        """TakeBack, if that is asked and there is a turn."""
        asked, self._back = self._back, ""
        if not asked or not match.history:
            return
        last = self._by_hands(match) if asked == "undo" else None
        raise TakeBack(match.history[-1].players[0] if last is None else last)

    def _by_hands(self, match: Match) -> int | None:
        """Who of those played by hand acted last; None where none of them did."""
        turns = reversed(match.history)
        return next((one for turn in turns for one in turn.players if one in self._hands), None)

    def _tell_waiting(self, by_hand: int | None = None) -> None:
        self._tell(
            "waiting",
            hands=sorted(self._hands),
            paused=self._paused,
            by_hand=by_hand,
            legal=self._legal(by_hand),
        )

    def _legal(self, player: int | None) -> list[Any]:
        match = self._match
        if player is None or match is None:
            return []
        return [[action, way] for action, way in steps(self._game, match.state, player)]

    # What comes in

    def _listen(self) -> None:
        for line in iter(lambda: self._heard.readline(LINE), ""):
            try:
                request = json.loads(line)
                sentence = self._do(request) if type(request) is dict else NO_REQUEST
            except (ValueError, RecursionError):
                sentence = NO_REQUEST
            if sentence:
                self._tell("refused", sentence=sentence)
        self._is_left = True
        if not self._is_over:
            interrupt()

    def _do(self, request: Mapping[str, Any]) -> str:
        """Do it; a sentence if that cannot be."""
        what, player = request.get("do"), request.get("player", 0)
        if type(player) is not int or player not in (0, 1):
            return "`player` is 0 or 1"
        with self._change:
            match what:
                case "pause":
                    self._paused, self._steps = True, 0
                case "go":
                    self._paused = False
                case "step":
                    self._paused, self._steps = True, self._steps + 1
                case "back":
                    if not (self._match and self._match.history):
                        return "there is no turn to take back yet"
                    self._paused, self._steps, self._back = True, 0, "back"
                case "undo":
                    if not self._match or self._by_hands(self._match) is None:
                        return NOTHING_TO_TAKE_BACK
                    self._paused, self._steps, self._back = False, 0, "undo"
                case "take":
                    self._hands.add(player)
                case "give":
                    if self._match and isinstance(getattr(self._match.seats[player], "seat", None), Hand):
                        return "there is no program to give the seat back to"
                    self._hands.discard(player)
                case "resign":
                    if self._awaited != player:
                        return NOT_BY_HAND
                    self._wish[player] = "resign", None
                case "play":
                    if refusal := self._untimely(player, request):
                        return refusal
                    self._wish[player] = "play", plain.tuples(request.get("action"))
                case _:
                    return f"there is nothing called {str(what)[:40]!r} to do"
            self._tell("steered", hands=sorted(self._hands), paused=self._paused)
            self._change.notify_all()
        return ""

    def _untimely(self, player: int, request: Mapping[str, Any]) -> str:
        match = self._match
        if match is None or self._awaited != player:
            return NOT_BY_HAND
        if request.get("turn") != match.number:
            return "that was meant for another turn"
        action, legal = plain.tuples(request.get("action")), match.state.actions(player)
        if not is_legal(action, legal):
            spelled = spell(action)[:60]
            return mistake(spelled, words(spelled), legal)
        return ""

    # What goes out

    def begin(self, match: Match) -> None:
        if self._is_left:
            raise KeyboardInterrupt
        self._match, self._is_over = match, False
        names = [f"{shorten(escaped(match.names[seat]), NAME)}" for seat in (0, 1)]
        self._tell(
            "begin",
            game=self._game,
            drawn=is_drawn(self._game),
            colours=match.state.COLOURS,
            names=names,
            hands=sorted(self._hands),
            humans=sorted(self._hands),
            paused=self._paused,
            record=self._recorders[0].file.name if self._recorders else None,
            number=self._number,
            state=self._state(match),
        )

    def prepare(self, planned: PlannedGame, recorders: Sequence[Writer]) -> None:
        """What is played next, and what keeps it."""
        self._game, self._recorders, self._number = planned.game, recorders, planned.number
        self._hands = {player for player in (0, 1) if planned.seated(planned.players)[player].module == HUMAN}

    def opened(self, match: Match, chosen: Mapping[int, Action]) -> None:
        entry = Entry(0, tuple(sorted(chosen)), chosen)
        self._tell("opened", step=page.step(entry), state=self._state(match))

    def ask(self, match: Match) -> None:
        for seat in match.seats:
            if isinstance(own := getattr(seat, "seat", None), Hand):
                own.ask(match)
        self._tell("ask", turn=match.number, players=match.state.to_act(), clocks=clocks(match))

    def turn(self, match: Match, turn: Turn) -> None:
        entry = Entry(
            0, turn.players, turn.chosen, turn.played, turn.cpu, turn.megabytes, dict(turn.searches)
        )
        self._tell("turn", step=page.step(entry), state=self._state(match), clocks=clocks(match))

    def taken_back(self, match: Match) -> None:
        self._tell("taken back", turns=len(match.history), clocks=clocks(match))

    def printed(self, match: Match, player: int, text: str) -> None:
        turns = len(match.history)
        self._tell("printed", turn=turns, player=player, text=printable_lines(text)[-page.OUTPUT_TURN :])

    def end(self, match: Match, result: MatchResult) -> None:
        self._is_over = True
        scores, fault = result.scores, list(result.at_fault)
        self._tell(
            "end",
            sentence=sentence(match.titles, result),
            scores=scores,
            at_fault=fault,
            clocks=clocks(match),
            warnings=[escaped(one) for one in result.warnings],
        )

    def _state(self, match: Match) -> str:
        return page.shown(self._game, match.state)

    def _tell(self, event: str, **about: Any) -> None:
        with self._saying:
            self._said.write(json.dumps({"event": event, **about}, separators=(",", ":")) + "\n")
            self._said.flush()


class Held:
    """A seat that is asked when it may be, and played by hand while somebody has taken it."""

    def __init__(self, seat: Seat, player: int, control: Control):
        self.seat, self._player, self._control = seat, player, control

    def __getattr__(self, name: str) -> Any:
        return getattr(self.seat, name)

    def action(self) -> Action:
        self._control.gate(self._player)
        if not isinstance(self.seat, Hand):
            if done := self._control.by_hand(self._player):
                return _carried_out(*done)
        return self.seat.action()

    def again(self, cpu: float) -> "Held":
        return Held(self.seat.again(cpu), self._player, self._control)


class Hand(Person):
    """A human, who plays by what comes in."""

    def __init__(self, planned: PlannedGame, player: int, control: Control):
        super().__init__(planned, player)
        self._control = control

    def choose(self, match: Match) -> Action:
        done = self._control.by_hand(self.player, self.cpu_left)
        if done is None or done[0] == "late":
            raise self.out_of_time()
        return _carried_out(*done)


def _carried_out(what: str, action: Action) -> Action:
    if what == "resign":
        raise Resigned
    return action
