"""The journals that the suite is run against; a second backend is one more entry of `BACKENDS`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from limpet.store.journal.files import FileJournal
from limpet.store.journal.protocol import Journal
from tests.store.acting import Clock

Open = Callable[[], Journal]
"""Returns another handle on the same journal, as another process would have it."""


def _open_files(home: Path, clock: Clock) -> Journal:
    home.mkdir(mode=0o700, exist_ok=True)
    return FileJournal(str(home), segment_bytes=1 << 20, now_ms=clock)


BACKENDS: dict[str, Callable[[Path, Clock], Journal]] = {"files": _open_files}


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture(params=BACKENDS)
def open_journal(request: pytest.FixtureRequest, home: Path, clock: Clock) -> Open:
    return lambda: BACKENDS[request.param](home, clock)


@pytest.fixture
def journal(open_journal: Open) -> Journal:
    return open_journal()
