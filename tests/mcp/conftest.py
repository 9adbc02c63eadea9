"""One server for all tests of a module: starting one takes a second."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.mcp.client import Client, connect


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    with connect(tmp_path_factory.mktemp("mcp"), "--tools", "all") as one:
        yield one
