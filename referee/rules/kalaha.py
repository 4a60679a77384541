"""Kalaha: two players sow pebbles round a ring of ponds; the fuller bank wins.

             B6 B5 B4 B3 B2 B1
    bank B                      bank A      sowing runs counter-clockwise:
             A1 A2 A3 A4 A5 A6              along the own ponds, into the own bank, on through theirs

A position on one line is `A 6 6 6 6 6 6 0 6 6 6 6 6 6 0`: who is to move (A, B, or F for finished),
A's ponds 1 to 6 and bank, B's ponds 1 to 6 and bank.  `kalaha:4x3` is the game with 4 ponds a side
and 3 pebbles in each.  An action is the number of one of the mover's ponds.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from referee import rules

A, B = 0, 1
FINISHED = None  # nobody is to move
LETTERS = {A: "A", B: "B", FINISHED: "F"}

# Far more than anybody plays with; they keep a slip of the keyboard from filling the memory.
MOST_PONDS = 100  # a side
MOST_PEBBLES = 1000  # in each pond at the start
MOST_ON_BOARD = 1_000_000  # in a position that is set up


@dataclass(frozen=True)
class State(rules.State):
    """One position: who is to move, and both players' pebbles, each player's pond 1 first."""

    COLOURS = ("A", "B")
    LIMITS = rules.Limits(action=1.0, megabytes=100)
    COURSE = rules.Course(judging=rules.WRITTEN)  # a program in Haskell, a server that reads lines
    VARIANTS = ("4x3",)
    PLANES = (
        "pebbles in the own ponds, pond 1 first",
        "pebbles in the other's ponds, pond 1 first",
        "the own bank, in each cell",
        "the other's bank, in each cell",
    )

    mover: int | None
    ponds: tuple[tuple[int, ...], tuple[int, ...]]
    banks: tuple[int, int]

    @classmethod
    def start(cls, variant: str) -> "State":
        size = re.fullmatch("([1-9][0-9]{0,3})x([1-9][0-9]{0,3})", variant or "6x6")
        ponds, pebbles = map(int, size.groups()) if size else (0, 0)
        if not (1 <= ponds <= MOST_PONDS and 1 <= pebbles <= MOST_PEBBLES):
            raise ValueError(
                f"kalaha has no variant {variant[:20]!r}; expected kalaha:MxN with 1 to {MOST_PONDS} ponds "
                f"a side and 1 to {MOST_PEBBLES} pebbles in each, as in 'kalaha:4x3'"
            )
        return cls(mover=A, ponds=((pebbles,) * ponds,) * 2, banks=(0, 0))

    @classmethod
    def parse(cls, line: str, variant: str) -> "State":
        start = cls.start(variant)
        size = len(start.ponds[A])
        turn, *numbers = line.split() or [""]
        plain = all(re.fullmatch("0|[1-9][0-9]{0,6}", number) for number in numbers)
        if turn not in LETTERS.values() or len(numbers) != 2 * (size + 1) or not plain:
            raise ValueError(
                f"expected A, B or F and {2 * (size + 1)} whole numbers ({size} ponds and the bank of A, "
                f"then of B), as in {start.text()!r}"
            )
        counts = tuple(map(int, numbers))
        if sum(counts) > MOST_ON_BOARD:
            raise ValueError(f"expected at most {MOST_ON_BOARD} pebbles in all")
        ponds = counts[:size], counts[size + 1 : -1]
        if turn == "F" and (any(ponds[A]) or any(ponds[B])):
            raise ValueError("expected empty ponds in a finished game (F): what was left goes to the banks")
        if turn != "F" and not (any(ponds[A]) and any(ponds[B])):
            raise ValueError(f"expected F, not {turn}: the game is over when a side's ponds are all empty")
        mover = {letter: mover for mover, letter in LETTERS.items()}[turn]
        return cls(mover, ponds, banks=(counts[size], counts[-1]))

    def to_act(self) -> tuple[int, ...]:
        return () if self.mover is FINISHED else (self.mover,)

    def actions(self, player: int) -> list[int]:
        """A move starts from any of the mover's own ponds that is not empty."""
        if player not in self.to_act():
            return []
        return [pond for pond, pebbles in enumerate(self.ponds[player], start=1) if pebbles]

    def after(self, chosen: Mapping[int, int]) -> "State":
        ((mover, pond),) = chosen.items()
        other = 1 - mover
        bank = len(self.ponds[mover])  # its place in the ring, which leaves out the other's bank
        ring = [*self.ponds[mover], self.banks[mover], *self.ponds[other]]

        # 1. Lift all pebbles of one pond.
        place = pond - 1
        pebbles, ring[place] = ring[place], 0

        # 2. Sow them one by one; the pond they came from is not skipped.
        for _ in range(pebbles):
            place = (place + 1) % len(ring)
            ring[place] += 1

        # 3. The last pebble fell into the own bank: the same player moves again.
        moves_again = place == bank

        # 4. It fell into an own pond that was empty: it goes to the bank with the opposite pond's,
        #    if there are any; if there are none it stays.
        opposite = 2 * bank - place
        if place < bank and ring[place] == 1 and ring[opposite]:
            ring[bank] += ring[place] + ring[opposite]
            ring[place] = ring[opposite] = 0

        # 5. In all other cases the turn passes.
        next_mover: int | None = mover if moves_again else other

        # 6. One side's ponds are all empty, whoever is to move: each banks what is left, the game is over.
        ponds = tuple(ring[:bank]), tuple(ring[bank + 1 :])
        banks = ring[bank], self.banks[other]
        if not (any(ponds[0]) and any(ponds[1])):
            banks = banks[0] + sum(ponds[0]), banks[1] + sum(ponds[1])
            ponds = ((0,) * bank,) * 2
            next_mover = FINISHED

        if mover == B:  # the ring began with the mover's ponds, a State begins with A's
            ponds, banks = ponds[::-1], banks[::-1]
        return State(next_mover, ponds, banks)

    def outcome(self) -> tuple[tuple[float, float], str] | None:
        """More pebbles in the bank wins; there is no early stop when a bank holds more than half."""
        if self.mover is not FINISHED:
            return None
        a, b = self.banks
        if a == b:
            return (0.5, 0.5), f"draw {a}-{b}"
        return ((1, 0), f"A wins {a}-{b}") if a > b else ((0, 1), f"B wins {a}-{b}")

    def every_action(self) -> tuple[int, ...]:
        return tuple(range(1, len(self.ponds[A]) + 1))

    def planes(self, player: int) -> rules.Planes:
        size, sides = len(self.ponds[A]), (player, 1 - player)
        banks = [[[float(self.banks[side])] * size] for side in sides]
        return [[list(map(float, self.ponds[side]))] for side in sides] + banks

    def text(self) -> str:
        counts = (*self.ponds[A], self.banks[A], *self.ponds[B], self.banks[B])
        return " ".join([LETTERS[self.mover], *map(str, counts)])

    def draw(
        self, unicode: bool = False, large: bool = False, paint: Callable[[str, int], str] = rules.plain
    ) -> str:
        """The board as A sees it: B's ponds above, A's below, each player's bank at the right hand."""
        size = len(self.ponds[A])
        counts = [*self.ponds[A], *self.ponds[B], *self.banks]
        width = max(len(str(content)) for content in [*counts, f"A{size}"]) + (4 if large else 2)
        nw, n, ne, w, x, e, sw, s, se, h, v = "┌┬┐├┼┤└┴┘─│" if unicode else "+++++++++-|"
        wall, gap = h * width, " " * width

        def cell(content, player):
            return paint(str(content).rjust(width - 1), player) + " "

        names = [[cell(f"{LETTERS[player]}{pond + 1}", player) for pond in range(size)] for player in (A, B)]
        ponds = [[cell(count, player) for count in self.ponds[player]] for player in (A, B)]
        banks = [cell(self.banks[player], player) for player in (A, B)]
        lines = [
            " ".join(["", gap, *reversed(names[B])]),
            nw + n.join([wall] * (size + 2)) + ne,
            v + v.join([gap, *reversed(ponds[B]), gap]) + v,
            v + banks[B] + w + x.join([wall] * size) + e + banks[A] + v,
            v + v.join([gap, *ponds[A], gap]) + v,
            sw + s.join([wall] * (size + 2)) + se,
            " ".join(["", gap, *names[A]]),
        ]
        return "\n".join(line.rstrip() for line in lines)
