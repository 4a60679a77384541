"""Which tests need a C compiler: those of the searches in the agents' train/engine.c."""

import shutil

import pytest

NEEDS_CC = pytest.mark.skipif(
    shutil.which("cc") is None, reason="no C compiler `cc`: train/engine.c is not tested"
)
