"""Counts sampled call stacks: which part of the CPU time each function and each line has, own and in all.

A stack is its frames, outermost first, in how many samples it was met, and their weight: CPU time in
any unit.  Own is what a function or a line does itself, C code that it calls included; total is that
with all Python code below it.  However often a function or a line stands in a stack, by recursion, it is
counted once.  So own shares add up to 1, and no total is above 1.
"""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any, NamedTuple

# Of 95 % intervals of twenty rows, as many as are shown, that all hold at once: for one row by itself it
# would be 1.96, and one row of twenty would be off by more than is said.
Z = 3.0183


class Frame(NamedTuple):
    """One call in a stack: the function, by file, first line and name, and the line that it is at."""

    file: str
    first: int
    function: str
    line: int
    source: str = ""
    library: bool = False  # not the player's own code


Stack = tuple[int, float, Sequence[Frame]]  # samples, their weight, frames


@dataclass
class Share:
    """The parts, from 0 to 1, of one function or line; the errors are of 95 %, see Z."""

    frame: Frame  # for a function, one that it was seen in
    own: float
    own_error: float
    total: float
    total_error: float


@dataclass
class Shares:
    """What all stacks together say; of no stacks, nothing."""

    functions: list[Share]
    lines: list[Share]
    samples: int


def counted(stacks: Iterable[Stack]) -> Shares:
    """The shares of all functions and lines, those with most own time first."""
    stacks = [(samples, weight, frames) for samples, weight, frames in stacks if weight > 0 and frames]
    samples = sum(samples for samples, _, _ in stacks)
    return Shares(_shares(stacks, function, samples), _shares(stacks, line, samples), samples)


def function(frame: Frame) -> tuple[str, int, str]:
    """What tells one function from another."""
    return frame.file, frame.first, frame.function


def line(frame: Frame) -> tuple[str, int, str]:
    """What tells one line from another; code that was made by `exec` has no file that would."""
    return frame.file, frame.line, frame.function if frame.file.startswith("<") else ""


def error(share: float, samples: int) -> float:
    """How far Wilson's interval reaches from a share; its middle is nearer to a half than the share is."""
    if not samples:
        return 1.0
    z = Z * Z / samples
    half = sqrt(z * share * (1 - share) + z * z / 4)
    return (half + z * abs(0.5 - share)) / (1 + z)


def _shares(stacks: list[Stack], key: Any, samples: int) -> list[Share]:
    whole = sum(weight for _, weight, _ in stacks)
    own: defaultdict[Hashable, float] = defaultdict(float)
    total: defaultdict[Hashable, float] = defaultdict(float)
    seen: dict[Hashable, Frame] = {}
    for _, weight, frames in stacks:
        own[key(frames[-1])] += weight
        for one, frame in {key(frame): frame for frame in frames}.items():
            total[one] += weight
            seen.setdefault(one, frame)
    found = []
    for one, frame in seen.items():
        of_own, of_all = own[one] / whole, min(1.0, total[one] / whole)
        found.append(Share(frame, of_own, error(of_own, samples), of_all, error(of_all, samples)))
    return sorted(found, key=lambda share: (-share.own, -share.total, share.frame[:4]))
