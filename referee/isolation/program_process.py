"""A player that is a program of any language: limits and verdicts are the same, its process speaks otherwise.

PROTOCOL.md, beside the modules of players, says what is spoken.  What Python's import is to a package, the
program's start and its answer to the first `new` are here: they take wall time only.
"""

import json
import math
import time
from typing import Any

from referee.isolation.allowance import Allowance
from referee.isolation.child import Child, Start
from referee.isolation.process import SAMPLING, Fault, PlayerProcess
from referee.isolation.replies import BadReply, program_action, program_figures, read_program
from referee.players import programs
from referee.players.names import Spec
from referee.players.text import printable, shorten
from referee.rules import EXACT, Action

ENDING = 0.5  # wall seconds for a program to end by itself when the game is over
NOT_TOLD = ("tell", "wall")  # of what is offered to a player's constructor: they are for Python


class ProgramProcess(PlayerProcess):
    """One program, in one game or in several, one after the other."""

    starts = "start"
    silent = "; does it flush its output after every line?"
    _said: dict[str, float]  # of its search, with its last action

    def _run(self, run: type[Child]) -> Child:
        words, folder = self.spec.program, self.spec.folder
        places = [*programs.own_places(words, folder), *programs.runtime(words, folder)]
        return run(Start(folder, (*places, *self._allowance.readable), program=tuple(words)))

    def _load(self) -> None:
        self._child.send(b"\n")  # it becomes the program
        self._told = self._game()
        self._ask("import", "new", self._told)

    def _refuse_unasked(self, call: str) -> None:
        if call != "import":  # why it cannot start is said as soon as it is known
            super()._refuse_unasked(call)

    def construct(self) -> None:
        """The game begins, if it was not announced already when the program started."""
        game = self._game()
        if game != self._told:
            self._ask("constructor", "new", game)
        self._told = {}

    def dismiss(self, verdict: str) -> None:
        """Tell it how the game ended, and let it end by itself; it need not."""
        if self._fault or not self._is_spawned:
            return
        try:
            self._send("update", "end", (verdict,))
        except OSError:
            return
        deadline = time.monotonic() + ENDING
        while not (self._child.ended or self._child.closed) and (left := deadline - time.monotonic()) > 0:
            self._child.wait(min(left, SAMPLING))
            self._child.measure()
            if self._child.megabytes > (self._allowance.megabytes or math.inf):
                break

    def set_up(self, line: str) -> None:
        """Programs are told games from their start."""
        raise Fault("crashed", "set_up", "programs have no such request")

    def expected(self) -> list[str]:
        """Programs have no such request."""
        return []

    def update(self, *news: Action, **named: Action) -> None:
        """Tell it what happened: what the course's `update` gets, in its order."""
        self._ask("update", "update", [*news, *named.values()])

    def _game(self) -> dict[str, object]:
        told = {name: value for name, value in self._offered.items() if name not in NOT_TOLD}
        game = str(told.pop("game", "")).partition(":")[0]
        variant = told.pop("variant", "")
        return {"game": game, "variant": variant, "colour": self._colour, **told}

    def _encoded(self, request: str, arguments: tuple[Any, ...]) -> bytes:
        return json.dumps([request, *arguments]).encode()

    def _judge(self, call: str, line: bytes) -> tuple[Action, ...]:
        try:
            word, contents = read_program(line)
            match word, contents:
                case "ok", [] if call != "action":
                    return ()
                case "action", [value, *said] if call == "action" and len(said) <= 1:
                    action, turned = program_action(value, self._allowance.judging or EXACT)
                    self._said = program_figures(*said) if said else {}
                    return action, turned, ""
                case "cannot start", [str(why)] if call == "import":
                    self._fail("crashed", call, shorten(printable(why)))
        except BadReply as bad:
            self._fail("illegal action", call, str(bad))
        wanted = '["action", ...]' if call == "action" else '["ok"]'
        self._fail("illegal action", call, f"the reply is not {wanted}: {shorten(printable(line.decode()))}")

    def action(self) -> Action:
        """Its action, and in `searched` what it said of its search."""
        self._said = {}
        action = super().action()
        self.searched = self._said
        return action


def player_process(
    spec: Spec,
    colour: str,
    variant: str,
    allowance: Allowance,
    extra: tuple[tuple[str, object], ...] = (),
) -> PlayerProcess:
    """The process of a player, a package in Python or a program."""
    kind = ProgramProcess if spec.program else PlayerProcess
    return kind(spec, colour, variant, allowance, extra)
