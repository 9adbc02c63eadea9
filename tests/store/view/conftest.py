"""Two machines, for every test that needs them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.store.view.machines import Machine, machines


@pytest.fixture
def pair(home: Path) -> list[Machine]:
    return machines(home.parent, 2)
