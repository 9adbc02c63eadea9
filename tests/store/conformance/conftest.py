"""The journals that the suite is run against; a second backend is one more entry of `BACKENDS`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

import pytest

from limpet.model.keyring import NO_KEYS, KeyRing, key_id
from limpet.store.journal.files import FileJournal
from limpet.store.journal.protocol import Journal
from tests.store.acting import Clock


class Open(Protocol):
    """Returns another handle on the same journal, as another process would have it."""

    def __call__(self, keys: KeyRing = NO_KEYS) -> Journal: ...


def _open_files(home: Path, clock: Clock, keys: KeyRing) -> Journal:
    home.mkdir(mode=0o700, exist_ok=True)
    return FileJournal(str(home), segment_bytes=1 << 20, now_ms=clock, keys=lambda: keys)


BACKENDS: dict[str, Callable[[Path, Clock, KeyRing], Journal]] = {"files": _open_files}
KEY = b"k" * 32
RING = KeyRing(keys={key_id(KEY): KEY}, newest=key_id(KEY))


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture(params=BACKENDS)
def open_journal(request: pytest.FixtureRequest, home: Path, clock: Clock) -> Open:
    def open_one(keys: KeyRing = NO_KEYS) -> Journal:
        return BACKENDS[request.param](home, clock, keys)

    return open_one


@pytest.fixture
def journal(open_journal: Open) -> Journal:
    return open_journal()
