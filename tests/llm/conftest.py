"""A scripted endpoint."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.llm.scripted import Server, serve


@pytest.fixture
def server() -> Iterator[Server]:
    with serve() as made:
        yield made
