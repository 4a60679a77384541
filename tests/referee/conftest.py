"""What the tests of pages share: a browser takes longer to start than most pages to try."""

import pytest

from tests.support.browser import chromium


@pytest.fixture(scope="session")
def browser():
    with chromium() as started:
        yield started
