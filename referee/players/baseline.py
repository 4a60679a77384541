"""Players for any game, to measure against: `random`, and `greedy`, which sees one turn ahead.

They follow the game by the referee's own rules, and are seeded, so that a match can be repeated.  So does
what plays for a function that a program gave as a player.
"""

import importlib
import inspect
import sys
import time
from collections.abc import Callable
from random import Random as Generator

from referee import rules
from referee.rules import Action, State

CANDIDATES = 24  # actions that greedy looks at
REPLIES = 16  # of the opponent's, where both choose at once
SHARE_OF_ACTION = 1 / 4  # of its time, after which greedy looks no further
SHARE_OF_GAME = 1 / 400


class Random:
    """Any legal action, each as likely as another."""

    def __init__(self, colour: str, game: str, seed: object = 0):
        self.game = game
        self.state = rules.start(game)
        self.player = self.state.COLOURS.index(colour)
        self.random = Generator(str(seed))

    def set_up(self, line: str) -> None:
        """Go on from another state, in its text form."""
        self.state = rules.parse(self.game, line)

    def action(self) -> Action:
        return self.random.choice(self.state.actions(self.player))

    def update(self, *news: object) -> None:
        """A colour and its action; or, where both choose at once, the opponent's action and the own."""
        if len(self.state.to_act()) == 2:
            theirs, mine = news
            chosen = {self.player: mine, 1 - self.player: theirs}
        else:
            colour, action = news
            chosen = {self.state.COLOURS.index(colour): action}
        self.state = self.state.after(chosen)


class Greedy(Random):
    """Wins at once if it can, and avoids what loses at once or lets the opponent win at once.

    Where both choose at once it plays for the State's `tokens` instead.
    """

    def __init__(
        self,
        colour: str,
        game: str,
        seed: object = 0,
        action_seconds: float | None = None,
        game_seconds: float | None = None,
    ):
        super().__init__(colour, game, seed)
        shares = []
        if action_seconds:
            shares.append(action_seconds * SHARE_OF_ACTION)
        if game_seconds:
            shares.append(game_seconds * SHARE_OF_GAME)
        self.seconds = min(shares, default=float("inf"))

    def action(self) -> Action:
        stop = time.process_time() + self.seconds
        actions = self.state.actions(self.player)
        both_choose = len(self.state.to_act()) == 2
        if not both_choose:
            for action in actions:
                if self._wins(self.state.after({self.player: action}), self.player):
                    return action
        candidates = self.random.sample(actions, min(CANDIDATES, len(actions)))
        if both_choose:
            return self._richest(candidates, stop)
        # In the random order they were drawn in: the first that is safe is any of the safe ones.
        for action in candidates:
            if time.process_time() > stop or self._safe(self.state.after({self.player: action})):
                return action
        return candidates[0]

    def _wins(self, state: State, player: int) -> bool:
        outcome = state.outcome()
        return outcome is not None and outcome[0][player] == 1

    def _safe(self, state: State) -> bool:
        """Neither lost nor, the opponent being next, lost in one action."""
        opponent = 1 - self.player
        if self._wins(state, opponent):
            return False
        replies = state.actions(opponent)
        return not any(self._wins(state.after({opponent: reply}), opponent) for reply in replies)

    def _richest(self, candidates: list[Action], stop: float) -> Action:
        """The candidate after which the balance of tokens is best on average over random replies."""
        opponent = 1 - self.player
        replies = self.random.choices(self.state.actions(opponent), k=REPLIES)
        best, best_balance = candidates[0], -float("inf")
        for action in candidates:
            balance = 0
            for reply in replies:
                state = self.state.after({self.player: action, opponent: reply})
                balance += state.tokens(self.player) - state.tokens(opponent)
            if balance > best_balance:
                best, best_balance = action, balance
            if time.process_time() > stop:
                break
        return best


class Function(Random):
    """Plays what `function(state, legal)` returns, given the state before its action and the legal ones.

    One that takes a third argument is told which player it is, 0 or 1.
    """

    def __init__(
        self,
        colour: str,
        game: str,
        seed: object = 0,
        function: Callable[[State, list[Action]], Action] | str = "",  # or its name in the module
        module: str = "",
        folder: str = "",  # to import it from
    ):
        super().__init__(colour, game, seed)
        if isinstance(function, str):
            sys.path.insert(0, folder)
            self.choose = getattr(importlib.import_module(module), function)
        else:
            self.choose = function
        self.told = (self.player,) if takes(self.choose, 3) and not takes(self.choose, 2) else ()

    def action(self) -> Action:
        return self.choose(self.state, self.state.actions(self.player), *self.told)


def takes(function: Callable[..., object], count: int) -> bool:
    """Whether it can be called with so many arguments; yes, where Python cannot tell."""
    try:
        inspect.signature(function).bind(*range(count))
    except ValueError:  # of some that are written in C
        return True
    except TypeError:
        return False
    return True
