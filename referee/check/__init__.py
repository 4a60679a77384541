"""Checks a package before it is handed in, in 16 steps; this file has the form in which a step reports."""

from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field
from typing import Any

PASS, REMARK, FAIL, NOT_TRIED = "pass", "remark", "fail", "not tried"
SHOWN = 6  # findings of one kind; of more the rest is counted


@dataclass(frozen=True)
class Step:
    """A row of the report."""

    step: str
    state: str  # PASS, REMARK, FAIL or NOT_TRIED
    found: str  # sentences, one a line
    advice: str = ""  # what to do, where there is something to do
    figures: dict[str, Any] = field(default_factory=dict)

    def row(self) -> dict[str, Any]:
        """The step as --json prints it."""
        return asdict(self)


@dataclass
class Findings:
    """What one step comes across.

    Faults are what the course would refuse, or what could lose a game there; remarks are what should be
    thought of, and keep nobody from handing in; notes are only worth knowing.
    """

    step: str
    faults: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    advice: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    figures: dict[str, Any] = field(default_factory=dict)

    def object_to(self, fault: str, advice: str) -> None:
        """The course would refuse this, or a game be lost by it."""
        self._say(self.faults, fault, advice)

    def remark(self, said: str, advice: str) -> None:
        """The course takes this, but something is to be said about it."""
        self._say(self.remarks, said, advice)

    def _say(self, among: list[str], said: str, advice: str) -> None:
        if said not in among:
            among.append(said)
        if advice not in self.advice:
            self.advice.append(advice)

    def done(self, well: str) -> Step:
        """The step: `well` is what is said, unless it is nothing, where there is nothing to object to."""
        said = listed(self.faults) if self.faults else [well] if well else []
        state = FAIL if self.faults else REMARK if self.remarks else PASS
        lines = [*said, *listed(self.remarks), *self.notes]
        return Step(self.step, state, "\n".join(lines), "\n".join(self.advice), self.figures)


def listed(lines: Iterable[str]) -> list[str]:
    """The first lines, and how many more there are."""
    lines = list(lines)
    more = [f"and {len(lines) - SHOWN} more"] if len(lines) > SHOWN else []
    return lines[:SHOWN] + more


def not_tried(step: str, why: str) -> Step:
    """A step that another one's failure keeps from being tried."""
    return Step(step, NOT_TRIED, why)


Report = Callable[[Step], None]
