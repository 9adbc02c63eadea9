"""After a purge, the unused parts of the pages of the index hold nothing."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import apsw

from limpet.model.change import ChangeKind
from tests.faults.writer import sentence
from tests.model.making import admit, memory, on
from tests.store.homes import open_store

PAGE = 4096


def gaps(index: Path) -> Iterator[bytes]:
    """Yield what lies between the list of cells and the cells of each page of a B-tree."""
    data = index.read_bytes()
    for start in range(0, len(data), PAGE):
        page = data[start : start + PAGE]
        at = 100 if start == 0 else 0
        if page[at] in (2, 5, 10, 13):
            cells, first = (int.from_bytes(page[at + each : at + each + 2], "big") for each in (3, 5))
            yield page[at + (12 if page[at] < 10 else 8) + 2 * cells : first]


def test_a_purge_leaves_nothing_between_the_rows(tmp_path: Path) -> None:
    chance = random.Random("scrub")
    store = open_store(tmp_path / "home")
    kept = [memory(sentence(chance, chance.choice((6, 40, 120)))) for _ in range(120)]
    for start in range(0, len(kept), 6):
        store.append([admit(each) for each in kept[start : start + 6]])
        store.reading()
    index = tmp_path / "home" / "index.db"
    for number in range(0, 60, 3):
        store.purge([on(kept[number], ChangeKind.PURGE)])
        found = [gap.strip(b"\0") for gap in gaps(index)]
        assert len(found) > 20 and not any(found)
    store.append([admit(memory("one more"))])
    store.close()
    with apsw.Connection(str(index)) as connection:
        assert connection.execute("PRAGMA integrity_check").get == "ok"
    again = open_store(tmp_path / "home")
    assert again.verify().problems == []
    assert again.reading().get(kept[1].id) is not None and again.reading().get(kept[0].id) is None
