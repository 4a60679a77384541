"""The tests, in the same rooms as what they test; a package so that they can share their helpers."""

from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
