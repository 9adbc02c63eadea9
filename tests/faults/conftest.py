"""A fresh home for each test, outside any agent and any repository, and a place for measured numbers."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from limpet.environment import _CLIENT_VARIABLES
from tests.faults.processes import Nursery, reachable_folder
from tests.faults.processes import nursery as the_nursery


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return a home in an environment that commands and writers started by the test inherit."""
    for name in [*_CLIENT_VARIABLES, *os.environ]:
        if name in _CLIENT_VARIABLES or (name.startswith("LIMPET_") and name != "LIMPET_TEST_FAULTS"):
            monkeypatch.delenv(name, raising=False)
    place = tmp_path / "home"
    monkeypatch.setenv("LIMPET_HOME", str(place))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("LIMPET_STORE__PROJECT_CAP", "0")
    monkeypatch.setenv("LIMPET_STORE__AGENT_CAP", "0")
    folder = tmp_path / "work"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return str(place)


@pytest.fixture
def open_folder(home: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Yield a folder with a home that every user can reach, unlike the folders of pytest."""
    with reachable_folder() as folder:
        monkeypatch.setenv("LIMPET_HOME", str(folder / "home"))
        work = folder / "work"
        work.mkdir()
        work.chmod(0o755)
        monkeypatch.chdir(work)
        yield folder


@pytest.fixture
def nursery() -> Nursery:
    return the_nursery()


@pytest.fixture
def measured(record_property: Callable[[str, object], None]) -> Callable[[str], None]:
    """Return a function that collects numbers to print after the tests."""
    return lambda text: record_property("measured", text)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    reports = [report for kind in ("passed", "failed") for report in terminalreporter.stats.get(kind, [])]
    told = [text for report in reports for name, text in report.user_properties if name == "measured"]
    if told:
        terminalreporter.write_sep("-", "measured")
    for text in told:
        terminalreporter.write_line(str(text))
