"""The changes of a root are found in the journal, with those of the facts that rest on it."""

from __future__ import annotations

from pathlib import Path

from limpet.model.change import ChangeKind
from limpet.store.view.positions import places_of
from tests.model.making import admit, fact, memory, on, state
from tests.store.homes import open_store, segments


def test_the_lines_of_a_memory_and_of_its_facts_are_found(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    one, other = memory("The tide turns at six"), memory("The harbour closes at nine")
    resting = fact("tide", "turns", "six", sources=(one.id,))
    store.append([admit(one), admit(other), state(resting), on(one, ChangeKind.PIN, pinned=True)])
    store.append([state(fact("harbour", "closes", "nine", sources=(other.id,)))])
    store.reading()
    data = segments(tmp_path)[0].read_bytes()
    places = places_of(store._current.get(), [one.id])
    rows = [data[start:].split(b"\n")[0] for _, start in places]
    assert len(rows) == 3
    assert sum(one.id.encode() in row.partition(b"\t")[0] for row in rows) == 3
    assert sum(resting.id.encode() in row for row in rows) == 1
