"""A house to keep for each test."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.operations.desk import leave_no_trace_of_the_tester
from tests.upkeep.house import House


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> House:
    leave_no_trace_of_the_tester(monkeypatch, tmp_path)
    return House(tmp_path)
