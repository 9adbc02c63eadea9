"""Machines that copy their journals to each other."""

from __future__ import annotations

import random
from pathlib import Path

from limpet.store.journal.writer import load_device_id
from limpet.store.open import Store
from tests.store.acting import Clock
from tests.store.homes import (
    make_known,
    open_store,
    rewrite,
    tables,
)


class Machine:
    def __init__(self, home: Path, clock: Clock) -> None:
        self.home = home
        self.clock = clock
        (home / "journal").mkdir(mode=0o700, parents=True, exist_ok=True)
        self.store: Store = open_store(home, clock)
        self.store.reading()

    def pull(self, other: Machine, *, cut: random.Random | None = None) -> None:
        """Copy the other's own segments here; with `cut`, only as far as the connection lasted."""
        device = load_device_id(str(self.home))
        make_known(other.home, self.home)
        for path in sorted((other.home / "journal").glob("*/*.jsonl")):
            if path.parent.name == device:
                continue
            place = self.home / "journal" / path.parent.name / path.name
            data = path.read_bytes()
            if cut is not None:
                data = data[: cut.randrange(len(data) + 1)]
            if place.exists() and place.stat().st_size > len(data):
                continue
            place.parent.mkdir(mode=0o700, exist_ok=True)
            rewrite(place, data)


def machines(folder: Path, count: int) -> list[Machine]:
    """Machines whose clocks differ by some hours."""
    return [Machine(folder / f"m{number}", Clock(Clock().ms + number * 7_200_000)) for number in range(count)]


def assert_same(group: list[Machine]) -> None:
    found = [tables(machine.store) for machine in group]
    for other in found[1:]:
        for name, rows in found[0].items():
            assert other[name] == rows, name
    for machine in group:
        assert machine.store.verify().problems == []
        assert machine.store.notices == []
