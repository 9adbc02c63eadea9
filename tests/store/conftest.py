"""A store in a fresh home, which can be opened as often as wanted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from limpet.settings import StoreSettings
from limpet.store.open import Store, open_store
from tests.store.acting import Clock


@dataclass
class Opener:
    """Opens handles on one store, as several processes would have them."""

    folder: str
    clock: Clock = field(default_factory=Clock)
    opened: list[Store] = field(default_factory=list)

    def open(self) -> Store:
        self.opened.append(open_store(self.folder, settings=StoreSettings(), now_ms=self.clock))
        return self.opened[-1]


@pytest.fixture
def opener(home: Path) -> Iterator[Opener]:
    opener = Opener(str(home))
    yield opener
    for store in opener.opened:
        store.close()


@pytest.fixture
def store(opener: Opener) -> Store:
    return opener.open()


@pytest.fixture
def clock(opener: Opener) -> Clock:
    return opener.clock
