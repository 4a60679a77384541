"""Sparring partners that hide: they wait for free captures and never attack.  Who is ahead of one has to win.

    Turtle    keeps one token on board, out of reach, and its throws in hand
    Fortress  stays where it can throw, and throws onto whoever comes there
    Shadow    stands on enemy tokens of its own symbol, where a capture costs the enemy one as well
    Block     keeps four tokens side by side, and takes who takes one of them
    Runner    is as far as can be from everybody, and throws only when its last token is lost
    Mirror    makes the move that the enemy made before, seen from its own side of the board
    Corner    is where few hexes are near, three steps from all hunters or more if it can be

Lots decide between equal moves; a state that was there twice is entered only if nothing else is left.
"""

import random
from typing import Any, Callable, Iterator, List, Tuple

from .. import notation
from ..position import BEATS, DISTANCE, FIRST_STEP, NEIGHBOURS
from . import cascade


class Turtle(cascade.Player):
    FEW = 1  # tokens to have on board: only with fewer it throws

    def __init__(self, colour: str, variant: str = "", seed: int = 0, **limits: Any) -> None:
        super().__init__(colour)
        self.random = random.Random("{} {}".format(seed, colour))

    def rules(self) -> List[Callable[[], Iterator[Tuple[Any, ...]]]]:
        return [self.free_captures, self.hidden_throws, self.hides]

    def free_captures(self) -> Iterator[Tuple[Any, ...]]:
        """By tokens on board or by throws, where no hunter can follow."""
        for symbol, h, move in self.own_moves():
            if self.enemy.get(h) == BEATS[symbol] and self.is_safe(symbol, h):
                yield move < FIRST_STEP, self.random.random(), move

    def hidden_throws(self) -> Iterator[Tuple[Any, ...]]:
        """With too few tokens on board, or none that can be saved: as far from all hunters as can be."""
        lost = all(g in self.danger[symbol] for g, symbol in self.own.items())
        escapes = any(self.is_safe(symbol, h) for symbol, _, h in self.steps)
        if len(self.own) >= self.FEW and not (lost and not escapes):
            return
        for symbol, h, move in self.own_moves():
            if move < FIRST_STEP and self.is_safe(symbol, h):
                yield -self.room(symbol, h), self.random.random(), move

    def hides(self) -> Iterator[Tuple[Any, ...]]:
        """A token in danger first; to where the nearest hunter is far away and cannot be thrown."""
        threatened = any(g in self.danger[symbol] for g, symbol in self.own.items())
        for symbol, g, h in self.steps:
            if self.is_safe(symbol, h):
                rescues = threatened and g in self.danger[symbol]
                yield -rescues, self.cost(symbol, h), self.random.random(), FIRST_STEP + 61 * g + h

    def cost(self, symbol: int, h: int) -> float:
        return -min(self.room(symbol, h), 4) + (h in self.zone)

    def own_moves(self) -> Iterator[Tuple[int, int, int]]:
        """(symbol, where it lands, move) of every move."""
        for move in self.moves:
            if move < FIRST_STEP:
                yield divmod(move, 61) + (move,)
            else:
                g, h = divmod(move - FIRST_STEP, 61)
                yield self.own[g], h, move

    def is_safe(self, symbol: int, h: int) -> bool:
        return not (h in self.danger[symbol] or self.suicidal(symbol, h) or self.kills_own(symbol, h))

    def room(self, symbol: int, h: int) -> int:
        """How far the nearest hunter is."""
        hunters = [s for s in range(3) if BEATS[s] == symbol]
        return min(self.away(hunters[0], h), default=8)


class Fortress(Turtle):
    FEW = 2

    def cost(self, symbol: int, h: int) -> float:
        home = self.throws_zone(h)
        return 3 * (not home) - min(self.room(symbol, h), 3) + (h in self.zone)

    def throws_zone(self, h: int) -> bool:
        return any(move < FIRST_STEP and move % 61 == h for move in self.moves) or not self.throws_left

    def rules(self) -> List[Callable[[], Iterator[Tuple[Any, ...]]]]:
        return [self.captures, self.throw_captures, self.hidden_throws, self.hides]


class Shadow(Turtle):
    FEW = 2

    def rules(self) -> List[Callable[[], Iterator[Tuple[Any, ...]]]]:
        return [self.free_captures, self.shadows, self.hidden_throws, self.hides]

    def shadows(self) -> Iterator[Tuple[Any, ...]]:
        """Onto an enemy token of the same symbol; not with one that stands on one, if another can move."""
        for symbol, h, move in self.own_moves():
            throws = move < FIRST_STEP
            if throws and len(self.own) >= self.FEW:
                continue
            if self.enemy.get(h) == symbol and not self.kills_own(symbol, h):
                leaves = not throws and self.enemy.get((move - FIRST_STEP) // 61) == symbol
                yield throws + 2 * leaves, h in self.danger[symbol], self.random.random(), move

    def cost(self, symbol: int, h: int) -> float:
        nearest = min((DISTANCE[h][e] for e, s in self.enemy.items() if s == symbol), default=4)
        return nearest - min(self.room(symbol, h), 2)


class Block(Turtle):
    FEW = 4

    def rules(self) -> List[Callable[[], Iterator[Tuple[Any, ...]]]]:
        return [self.captures, self.throw_captures, self.throws_beside, self.hidden_throws, self.hides]

    def throws_beside(self) -> Iterator[Tuple[Any, ...]]:
        """With too few tokens on board: beside the others, of a symbol that they lack."""
        for symbol, h, move in self.own_moves():
            if move < FIRST_STEP and 0 < len(self.own) < self.FEW and self.is_safe(symbol, h):
                alike = sum(own == symbol for own in self.own.values())
                yield -self.beside(h), alike, h in self.zone, self.random.random(), move

    def beside(self, h: int) -> int:
        return sum(DISTANCE[h][g] == 1 for g in self.own)

    def cost(self, symbol: int, h: int) -> float:
        return -2 * self.beside(h) - min(self.room(symbol, h), 3) + (h in self.zone)


class Runner(Turtle):
    def rules(self) -> List[Callable[[], Iterator[Tuple[Any, ...]]]]:
        return [self.hidden_throws, self.hides]

    def cost(self, symbol: int, h: int) -> float:
        return -2 * self.room(symbol, h) - min((DISTANCE[h][e] for e in self.enemy), default=8)


class Mirror(Turtle):
    theirs = -1  # the enemy's last move

    def update(self, opponent_action: tuple, player_action: tuple) -> None:
        super().update(opponent_action, player_action)
        self.theirs = notation.to_move(opponent_action)

    def rules(self) -> List[Callable[[], Iterator[Tuple[Any, ...]]]]:
        return [self.free_captures, self.mirrors, self.hidden_throws, self.hides]

    def mirrors(self) -> Iterator[Tuple[Any, ...]]:
        """The enemy's last move with the board turned by half a turn, where nothing is lost by it."""
        if self.theirs < FIRST_STEP:
            symbol, h = divmod(self.theirs, 61)
            mirrored = 61 * symbol + 60 - h
        else:
            g, h = divmod(self.theirs - FIRST_STEP, 61)
            mirrored = FIRST_STEP + 61 * (60 - g) + 60 - h
        for symbol, h, move in self.own_moves():
            if move == mirrored and self.is_safe(symbol, h):
                yield (move,)


class Corner(Turtle):
    def cost(self, symbol: int, h: int) -> float:
        return len(NEIGHBOURS[h]) - min(self.room(symbol, h), 3)
