"""A profile's samples in the formats of other tools: speedscope, collapsed stacks, callgrind.

Weights are seconds of CPU time of the turn, whatever the samples themselves weighed.
"""

import json
from collections import defaultdict
from collections.abc import Callable, Sequence

from referee.profile.shares import Frame, Stack

MICROSECONDS = 1_000_000


def speedscope(name: str, stacks: Sequence[Stack], seconds: float) -> str:
    """For https://www.speedscope.app, in its own JSON: each stack as often as it weighs."""
    numbers: dict[tuple[str, str, int], int] = {}
    samples, weights = [], []
    for weight, frames in _weighed(stacks, seconds):
        keys = [(frame.function, frame.file, frame.line) for frame in frames]
        samples.append([numbers.setdefault(key, len(numbers)) for key in keys])
        weights.append(round(weight, 9))
    return json.dumps(
        {
            "$schema": "https://www.speedscope.app/file-format-schema.json",
            "name": name,
            "exporter": "referee profile",
            "activeProfileIndex": 0,
            "shared": {
                "frames": [{"name": name, "file": file, "line": line} for name, file, line in numbers]
            },
            "profiles": [
                {
                    "type": "sampled",
                    "name": name,
                    "unit": "seconds",
                    "startValue": 0,
                    "endValue": round(sum(weights), 9),
                    "samples": samples,
                    "weights": weights,
                }
            ],
        }
    )


def collapsed(name: str, stacks: Sequence[Stack], seconds: float) -> str:
    """A line a stack, `outer;inner 1234`, in microseconds: for flamegraph.pl, pprof's and other readers."""
    found: defaultdict[str, float] = defaultdict(float)
    for weight, frames in _weighed(stacks, seconds):
        found[";".join(_plain(f"{frame.function} ({frame.file}:{frame.line})") for frame in frames)] += weight
    lines = [f"{stack} {round(weight * MICROSECONDS)}" for stack, weight in found.items()]
    return "\n".join(sorted(lines)) + "\n"


def callgrind(name: str, stacks: Sequence[Stack], seconds: float) -> str:
    """For KCachegrind and callgrind_annotate: own time by line, and what was called from there."""
    own: defaultdict[tuple[Frame, int], float] = defaultdict(float)
    called: defaultdict[tuple[Frame, int, Frame], float] = defaultdict(float)
    for weight, frames in _weighed(stacks, seconds):
        way = _without_recursion(frames)
        own[_function(way[-1]), way[-1].line] += weight
        for outer, inner in zip(way, way[1:], strict=False):
            called[_function(outer), outer.line, _function(inner)] += weight
    lines = [
        "# callgrind format",
        "version: 1",
        f"creator: referee profile, {name}",
        "events: Microseconds",
        "",
    ]
    for function in sorted({function for function, _ in own} | {outer for outer, _, _ in called}):
        lines += [f"fl={function.file}", f"fn={function.function}"]
        lines += [
            f"{line} {round(weight * MICROSECONDS)}"
            for (of, line), weight in sorted(own.items())
            if of == function
        ]
        for (outer, line, inner), weight in sorted(called.items()):
            if outer == function:
                lines += [f"cfl={inner.file}", f"cfn={inner.function}", f"calls=1 {inner.first}"]
                lines.append(f"{line} {round(weight * MICROSECONDS)}")
        lines.append("")
    whole = sum(round(weight * MICROSECONDS) for weight in own.values())
    return "\n".join([*lines, f"totals: {whole}\n"])


FORMATS: dict[str, Callable[[str, Sequence[Stack], float], str]] = {
    ".speedscope.json": speedscope,
    ".collapsed": collapsed,
    ".callgrind": callgrind,
}


def _weighed(stacks: Sequence[Stack], seconds: float) -> list[tuple[float, Sequence[Frame]]]:
    """The stacks with their parts of so many seconds."""
    whole = sum(weight for _, weight, frames in stacks if frames)
    return [(seconds * weight / whole, frames) for _, weight, frames in stacks if frames and weight > 0]


def _function(frame: Frame) -> Frame:
    """The function of a frame, whatever line it is at."""
    return Frame(frame.file, frame.first, frame.function, frame.first)


def _without_recursion(frames: Sequence[Frame]) -> list[Frame]:
    """The way down in which each function is once: readers add up what is called."""
    way: list[Frame] = []
    for frame in frames:
        places = [at for at, one in enumerate(way) if _function(one) == _function(frame)]
        way = [*way[: places[0] if places else len(way)], frame]
    return way


def _plain(text: str) -> str:
    return text.replace(";", ":").replace("\n", " ")
