"""Damage to the journal is mended from the index, and the user is told."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from limpet.model.change import Change, ChangeKind
from tests.model.making import admit, memory
from tests.store.acting import all_memories
from tests.store.damage import (
    JOURNAL_DAMAGE,
    Damage,
    change_a_letter,
    delete,
    fill_home,
    halve,
)
from tests.store.homes import (
    assert_chained,
    only_segment,
    open_store,
    remove_index,
    rewrite,
    rows,
    segments,
    tables,
)


@pytest.mark.parametrize("damage", JOURNAL_DAMAGE)
@pytest.mark.parametrize("live", [False, True])
def test_a_damaged_segment_is_mended_from_the_index_and_that_is_said(home: Path, damage: Damage, live: bool) -> None:
    before = fill_home(home)
    store = open_store(home)
    if live:
        store.reading()
    path = only_segment(home)
    whole = path.read_bytes()
    damage(path)
    assert all_memories(store.reading()) == before
    assert any(path.name in notice and "was damaged" in notice for notice in store.notices)
    assert path.read_bytes() == whole
    assert store.verify().problems == []
    if damage is not delete:
        assert list((home / "damaged").iterdir())
    store.append([admit(memory("after"))])
    assert_chained(path)
    assert len(all_memories(open_store(home).reading())) == len(before) + 1


@pytest.mark.parametrize("damage", JOURNAL_DAMAGE)
def test_a_damaged_segment_is_noticed_by_a_writer_too(home: Path, damage: Damage) -> None:
    before = fill_home(home)
    damage(only_segment(home))
    store, after = open_store(home), memory("after")
    store.append([admit(after)])
    assert set(all_memories(store.reading())) == {*before, after.id}
    assert any("was damaged" in notice for notice in store.notices)
    assert store.verify().problems == []
    assert not any(stored.warned for stored in all_memories(store.reading()).values())


def test_a_change_of_any_single_byte_is_noticed_and_undone(home: Path) -> None:
    before = fill_home(home, 3)
    path = only_segment(home)
    whole = path.read_bytes()
    chance = random.Random(5)
    ends = [place for place, value in enumerate(whole) if value == 10]
    for place in (*ends, 0, 8, whole.index(b"\t"), *(chance.randrange(len(whole)) for _ in range(30))):
        rewrite(path, whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        store = open_store(home)
        assert all_memories(store.reading()) == before
        assert path.read_bytes() == whole
        assert any("was damaged" in notice for notice in store.notices)
        store.close()


def test_what_was_written_after_the_damage_is_kept(home: Path) -> None:
    before = fill_home(home)
    hurried, after = open_store(home, hurried=True), [memory(f"after {number}") for number in range(3)]
    for one in after:
        hurried.append([admit(one)])
    # Nobody has read those three yet when an older line is damaged.
    change_a_letter(only_segment(home))
    store = open_store(home)
    assert set(all_memories(store.reading())) == {*before, *(one.id for one in after)}
    # To compare the whole segment at each growth would cost too much; who asks is told.
    assert any(problem.fixable for problem in store.verify().problems)
    assert store.mend().problems == []
    assert not any(stored.warned for stored in all_memories(store.reading()).values())
    remove_index(home)
    again = open_store(home)
    assert set(all_memories(again.reading())) == {*before, *(one.id for one in after)}
    assert again.verify().problems == []


def test_a_segment_in_use_is_mended_when_it_is_free(home: Path) -> None:
    from limpet import system

    before = fill_home(home)
    path = only_segment(home)
    halve(path)
    lock = system.try_lock(str(home / "locks" / f"{path.parent.name}.000001"))
    assert lock is not None
    store = open_store(home)
    assert all_memories(store.reading()) == before
    assert any("in use" in notice for notice in store.notices)
    system.unlock(lock)
    assert all_memories(store.reading()) == before
    assert any("wrote" in notice for notice in store.notices)
    assert store.verify().problems == []


def test_a_folder_of_the_journal_that_is_gone_comes_back(home: Path) -> None:
    before = fill_home(home)
    path = only_segment(home)
    path.unlink()
    path.parent.rmdir()
    store = open_store(home)
    assert all_memories(store.reading()) == before
    assert path.exists()


def test_shortened_receipts_cost_counts_and_nothing_else(home: Path) -> None:
    one = memory()
    store = open_store(home)
    store.append([admit(one)])
    receipt = Change(kind=ChangeKind.RECEIPT, subject="r", payload={"ids": [one.id]})
    for _ in range(4):
        store.append([receipt], durable=False)
    store.reading()
    (path,) = segments(home, "r")
    rewrite(path, b"".join(rows(path)[:2]))
    store.append([receipt], durable=False)
    found = store.reading().get(one.id)
    assert found is not None and found.standing.access_count == 5
    path.unlink()
    store.append([receipt], durable=False)
    found = store.reading().get(one.id)
    assert found is not None and found.standing.access_count == 6
    assert not found.warned
    assert store.notices == []
    assert store.verify().problems == []


def test_mending_puts_back_rows_that_somebody_wrote_by_hand(home: Path) -> None:
    import apsw

    before = fill_home(home)
    store = open_store(home)
    store.reading()
    connection = apsw.Connection(str(home / "index.db"))
    connection.execute("UPDATE memory SET status = 'live' WHERE status = 'forgotten'")
    connection.execute("DELETE FROM memory WHERE key = 7")
    connection.close()
    assert any(problem.fixable for problem in store.verify().problems)
    report = store.mend()
    assert report.problems == []
    assert report.mended
    assert all_memories(store.reading()) == before


@pytest.mark.parametrize("table", ["fact", "agent"])
def test_rows_of_other_tables_written_by_hand_are_found_too(home: Path, table: str) -> None:
    import apsw

    before = fill_home(home)
    store = open_store(home)
    store.reading()
    connection = apsw.Connection(str(home / "index.db"))
    connection.execute(f"DELETE FROM {table}")
    connection.close()
    assert any(problem.fixable for problem in store.verify().problems)
    assert store.mend().problems == []
    assert all_memories(store.reading()) == before
    assert tables(store)[table] != []


def test_a_healthy_store_has_nothing_to_mend(home: Path) -> None:
    fill_home(home)
    store = open_store(home)
    report = store.mend()
    assert (report.problems, report.mended) == ([], [])
    assert store.notices == []
