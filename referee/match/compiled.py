"""Compiles a search that an agent's train/ has in C, so that many games are cheap, and hands arrays to it."""

import ctypes
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy

OPTIMIZED = "-O3"


def compiler(*words: str) -> None:
    """Run the C compiler; where there is none this process ends with a sentence, as by a usage error."""
    try:
        subprocess.run(["cc", *words], check=True)
    except FileNotFoundError:
        print("this needs the C compiler `cc`: apt-get install gcc libc6-dev", file=sys.stderr)
        sys.exit(2)


def library(source: Path, options: Sequence[str]) -> ctypes.CDLL:
    """The compiled file, loaded; what was written for that is gone again."""
    with tempfile.TemporaryDirectory() as folder:
        compiled = str(Path(folder) / "engine.so")
        named = "-shared", "-fPIC", "-o", compiled, str(source), "-lm"
        compiler(OPTIMIZED, "-march=native", *options, *named)
        return ctypes.CDLL(compiled)


def pointer(values: Any, kind: Any) -> ctypes.c_void_p:
    """A pointer to numbers of that kind, to the array's own if it has it; they live as long as it does."""
    array = numpy.ascontiguousarray(values, kind)
    found = ctypes.c_void_p(array.ctypes.data)
    found.kept = array  # type: ignore[attr-defined]
    return found
