"""A sparring partner: the first rule that applies decides, nothing is random, nothing is searched.

Capture what can be captured safely; get away from hunters (onto prey, onto an enemy of the same
symbol, or into the open); throw onto prey; throw what is needed where nothing can reach it;
close in on prey.  A state that has been there twice is never entered if the enemy stands still.
"""

from typing import Any, Callable, Iterator, List, Tuple

from .. import notation
from ..position import BEATEN_BY, BEATS, DISTANCE, FIRST_STEP, START, THROWS, ZONES, moves_of, occupied, play

FEW = 3  # tokens to have on board before the rest of the throws is held back


class Player:
    def __init__(self, colour: str, variant: str = "", **limits: Any) -> None:
        """Whatever limits there are, each action takes milliseconds."""
        self.player = notation.COLOURS.index(colour)
        self.position = START
        self.seen = {}

    def set_up(self, line: str) -> None:
        """Go on from another position, in the referee's text form."""
        self.position = notation.from_text(line)

    def update(self, opponent_action: tuple, player_action: tuple) -> None:
        pair = notation.to_move(player_action), notation.to_move(opponent_action)
        self.position = play(self.position, pair if self.player == 0 else pair[::-1])
        self.seen[self.position[1:]] = self.seen.get(self.position[1:], 0) + 1

    def action(self) -> tuple:
        self._look()
        for rule in self.rules() + [self.anything]:
            for *_, move in sorted(rule()):
                if self.fresh(move):
                    return notation.to_action(move)
        return notation.to_action(self.moves[0])

    def rules(self) -> List[Callable[[], Iterator[Tuple[Any, ...]]]]:
        return [self.captures, self.escapes, self.throw_captures, self.careful_throws, self.approaches]

    def _look(self):
        """What stands where, what can move where, and where a token of each symbol would be in danger."""
        position, me = self.position, self.player
        self.own = {h: s for s in range(3) for h in occupied(position[3 + 3 * me + s])}
        self.enemy = {h: s for s in range(3) for h in occupied(position[6 - 3 * me + s])}
        self.moves = moves_of(position, me)
        self.throws_left = THROWS - position[1 + me]
        self.danger = [set(), set(), set()]  # by own symbol: hexes that a hunter on board can move to
        for move in moves_of(position, 1 - me):
            if move >= FIRST_STEP:
                g, h = divmod(move - FIRST_STEP, 61)
                self.danger[BEATS[self.enemy[g]]].add(h)
        self.zone = set(ZONES[1 - me][position[2 - me]])  # where the enemy can throw
        steps = [divmod(move - FIRST_STEP, 61) for move in self.moves if move >= FIRST_STEP]
        self.steps = [(self.own[g], g, h) for g, h in steps]

    def fresh(self, move: int) -> bool:
        """Whether the move, with the enemy standing still, enters no state that was there twice."""
        after = list(self.position[1:])
        first = 2 + 3 * self.player
        if move < FIRST_STEP:
            return True
        g, h = divmod(move - FIRST_STEP, 61)
        after[first + self.own[g]] += (1 << 4 * h) - (1 << 4 * g)
        return self.seen.get(tuple(after), 0) < 2

    def suicidal(self, symbol: int, h: int) -> bool:
        return self.enemy.get(h) == BEATEN_BY[symbol] or self.own.get(h) == BEATEN_BY[symbol]

    def kills_own(self, symbol: int, h: int) -> bool:
        return self.own.get(h) == BEATS[symbol]

    def away(self, symbol: int, h: int) -> List[int]:
        """The distances of the enemy's tokens of that symbol."""
        return [DISTANCE[h][e] for e, s in self.enemy.items() if s == symbol]

    def risk(self, symbol: int, h: int) -> float:
        return 2 * (h in self.danger[symbol]) + (h in self.zone and self.enemy.get(h) != symbol) * 0.5

    def captures(self) -> Iterator[Tuple[Any, ...]]:
        """Safe captures by tokens on board; those by tokens in danger first."""
        for symbol, g, h in self.steps:
            if self.enemy.get(h) == BEATS[symbol] and h not in self.danger[symbol]:
                yield -(g in self.danger[symbol]), self.risk(symbol, h), FIRST_STEP + 61 * g + h

    def escapes(self) -> Iterator[Tuple[Any, ...]]:
        """A token that a hunter can reach gets away: by capturing, hiding, or to the safest hex."""
        for symbol, g, h in self.steps:
            if g in self.danger[symbol] and not self.suicidal(symbol, h) and not self.kills_own(symbol, h):
                if self.enemy.get(h) == BEATS[symbol]:
                    rank = 0
                elif self.enemy.get(h) == symbol:
                    rank = 1
                elif h in self.danger[symbol]:
                    continue
                else:
                    rank = 2
                hunters = self.away(BEATEN_BY[symbol], h)
                yield rank, self.risk(symbol, h), -min(hunters), FIRST_STEP + 61 * g + h

    def throw_captures(self) -> Iterator[Tuple[Any, ...]]:
        for move in self.moves:
            if move < FIRST_STEP:
                symbol, h = divmod(move, 61)
                if self.enemy.get(h) == BEATS[symbol] and not self.kills_own(symbol, h):
                    yield self.risk(symbol, h), move

    def careful_throws(self) -> Iterator[Tuple[Any, ...]]:
        """Few tokens on board: throw the symbol that is missing most to where nothing reaches it."""
        if len(self.own) >= FEW and self.throws_left or not self.throws_left:
            return
        own = list(self.own.values())
        for move in self.moves:
            if move < FIRST_STEP:
                symbol, h = divmod(move, 61)
                if self.suicidal(symbol, h) or self.kills_own(symbol, h) or h in self.danger[symbol]:
                    continue
                hunters, prey = self.away(BEATEN_BY[symbol], h), self.away(BEATS[symbol], h)
                need = 2 * own.count(symbol) - len(prey) + 0.5 * len(hunters)
                yield need, min(prey, default=4) - 0.5 * min(hunters, default=8), self.risk(symbol, h), move

    def approaches(self) -> Iterator[Tuple[Any, ...]]:
        """Towards the nearest prey, never into danger."""
        for symbol, g, h in self.steps:
            if h in self.danger[symbol] or self.suicidal(symbol, h) or self.kills_own(symbol, h):
                continue
            targets = [e for e, s in self.enemy.items() if s == BEATS[symbol]]
            nearer = [1.1 * DISTANCE[h][e] - DISTANCE[g][e] for e in targets]
            hunters = self.away(BEATEN_BY[symbol], h)
            rank = min(nearer, default=1.0) - 0.05 * min(hunters, default=8)
            yield rank, self.risk(symbol, h), FIRST_STEP + 61 * g + h

    def anything(self) -> Iterator[Tuple[Any, ...]]:
        for move in self.moves:
            g, h = divmod(move - FIRST_STEP, 61)
            symbol, h = divmod(move, 61) if move < FIRST_STEP else (self.own[g], h)
            yield self.suicidal(symbol, h), h in self.danger[symbol], self.kills_own(symbol, h), move
