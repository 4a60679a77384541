"""What a thorough search in C says of positions: labels.c, compiled and run.

It takes no position for good enough as it stands, and evaluates by the numbers for single ponds.
"""

import subprocess
import tempfile
from pathlib import Path
from typing import Iterable, Tuple

import numpy

from referee.match.compiled import compiler
from referee.view.progress import track

from ..evaluate import MINE, THEIRS
from .endgames import DATA as ENDGAMES

SOURCE = Path(__file__).resolve().parent / "labels.c"
LABEL = numpy.dtype([("ponds", "i1", 12), ("score", "<i2")])
TOGETHER = 100  # positions that one process looks at: how often progress is told


def of_games(games: int, seeds: Iterable[int]) -> Tuple[numpy.ndarray, numpy.ndarray]:
    """The ponds of positions from so many games a seed, and their scores above bank difference."""
    return labels([(games, seed) for seed in seeds])


def of_positions(ponds: numpy.ndarray, nodes: int) -> numpy.ndarray:
    """The scores above bank difference of positions with more pebbles than the tables of endgames know."""
    parts = [ponds[start : start + TOGETHER] for start in range(0, len(ponds), TOGETHER)]
    _, scores = labels([(nodes,) for _ in parts], parts)
    assert len(scores) == len(ponds)
    return scores


def labels(runs, parts=None):
    """What the program writes, run with each of the given arguments and positions: ponds and scores."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "labels"
        compiler("-O2", "-o", str(program), str(SOURCE))
        for number, arguments in enumerate(track(runs, "labels")):
            given = MINE + THEIRS + (tuple(map(tuple, parts[number])) if parts else ())
            found.append(
                subprocess.run(
                    [str(program), str(ENDGAMES), *map(str, arguments)],
                    input="\n".join(" ".join(map(str, row)) for row in given).encode(),
                    stdout=subprocess.PIPE,
                    check=True,
                ).stdout
            )
    read = numpy.frombuffer(b"".join(found), LABEL)
    return read["ponds"].astype(int), read["score"].astype(int)
