"""The suite, or what is named of it, with whole samples in place of small ones.

python -m tests.long.whole -n auto                        everything
python -m tests.long.whole tests/agents/test_fanorona_agent.py
"""

import os
import sys

import referee  # noqa: F401  # first: it says in one sentence where this Python is too old

# isort: split
import pytest

from tests.support.samples import SWITCH


def main():
    """Runs pytest with the words that were typed."""
    os.environ[SWITCH] = "1"
    return pytest.main(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
