"""A server for the tests that only talk: starting one costs a second."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.mcp.talk import Talk, talking


@pytest.fixture(scope="module")
def talk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Talk]:
    with talking(tmp_path_factory.mktemp("mcp"), "--tools", "all") as one:
        yield one
