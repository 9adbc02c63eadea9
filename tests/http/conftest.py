"""One server for all tests of a module: starting one takes seconds."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.http.served import PERSON, Served, serve


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serve(tmp_path_factory.mktemp("served"), person=PERSON) as one:
        yield one
