"""The backends that the conformance suite is run against, and a home for the tests of the files."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

import pytest

from limpet.settings import StoreSettings
from limpet.store.open import JournalStore, open_store
from limpet.store.protocol import Store
from tests.store.acting import Clock


class Backend(Protocol):
    clock: Clock

    def open(self) -> Store:
        """Another handle on the same store, as another process would have it."""
        ...


@dataclass
class Files:
    folder: str
    clock: Clock = field(default_factory=Clock)
    opened: list[JournalStore] = field(default_factory=list)

    def open(self) -> JournalStore:
        self.opened.append(open_store(self.folder, settings=StoreSettings(), now_ms=self.clock))
        return self.opened[-1]


@pytest.fixture(params=["files"])
def backend(request: pytest.FixtureRequest, home: Path) -> Iterator[Backend]:
    assert request.param == "files"
    files = Files(str(home))
    yield files
    for store in files.opened:
        store.close()


@pytest.fixture
def store(backend: Backend) -> Store:
    return backend.open()


@pytest.fixture
def clock(backend: Backend) -> Clock:
    return backend.clock
