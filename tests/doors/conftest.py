"""A desk for every test."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.operations.desk import Desk, leave_no_trace_of_the_tester


@pytest.fixture(autouse=True)
def nobody(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    leave_no_trace_of_the_tester(monkeypatch, tmp_path)


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)
