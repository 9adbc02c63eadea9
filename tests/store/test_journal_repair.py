"""Damage to the journal is mended from the index, and the user is told.

Tampering with the journal while there is no index to compare it with is reported, and the memory is marked.
"""

from __future__ import annotations

import json
import random
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from limpet import clock, system
from limpet.model.change import Change, ChangeKind
from limpet.model.memory import Memory
from limpet.store.journal import line as lines
from limpet.store.open import Store
from limpet.store.view.apply import EDITED, TWICE
from limpet.store.view.folded_rows import UNREADABLE
from limpet.store.view.purged import ERASED
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


def journal_of(home: Path, count: int = 6) -> list[Memory]:
    """Write some memories and remove the index."""
    store = open_store(home)
    many = [memory(f"number {number} of limestone") for number in range(count)]
    for one in many:
        store.append([admit(one)])
    store.close()
    remove_index(home)
    return many


def suspicions_of(store: Store) -> set[str]:
    return {name for name, stored in all_memories(store.reading()).items() if stored.suspicions and stored.warned}


def reported_subjects(store: Store) -> set[str | None]:
    return {problem.subject for problem in store.verify().problems}


def put(home: Path, found: list[bytes]) -> None:
    rewrite(only_segment(home), b"".join(found))


class Mender:
    """Another process that has set a segment aside and holds the lock; it ends as soon as somebody waits for it."""

    def __init__(self, home: Path, patch: pytest.MonkeyPatch) -> None:
        self._path = only_segment(home)
        self._aside = home / "aside"
        self._lock = home / "locks" / "apply"
        self._fd: int | None = None
        self.waited = 0
        patch.setattr(clock, "pause", self._end)

    def begin(self) -> None:
        self._fd = system.try_lock(str(self._lock))
        assert self._fd is not None
        self._path.rename(self._aside)

    def _end(self, _: int) -> None:
        self.waited += 1
        if self._fd is not None:
            self._aside.rename(self._path)
            system.unlock(self._fd)
            self._fd = None


@pytest.mark.parametrize("place", ["before", "after it was listed"])
def test_a_segment_that_another_process_is_mending_is_no_problem(
    home: Path, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = fill_home(home)
    store = open_store(home)
    store.reading()
    mender = Mender(home, monkeypatch)
    if place == "before":
        mender.begin()
    waiting = [] if place == "before" else [mender.begin]

    def begin_once(what: str, *_: int) -> None:
        if what == "checking the journal" and waiting:
            waiting.pop()()

    assert store.verify(begin_once).problems == []
    assert mender.waited == 1
    assert all_memories(store.reading()) == before
    assert store.notices == []


def test_a_segment_that_is_gone_is_reported_although_a_process_holds_the_lock(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill_home(home)
    store = open_store(home)
    store.reading()
    path = only_segment(home)
    path.rename(home / "aside")
    now = [0]
    monkeypatch.setattr(clock, "monotonic_ms", lambda: now[0])
    monkeypatch.setattr(clock, "pause", lambda ms: now.__setitem__(0, now[0] + ms))
    fd = system.try_lock(str(home / "locks" / "apply"))
    assert fd is not None
    assert path.name in str(store.verify().problems)
    system.unlock(fd)


def test_an_honest_journal_is_not_suspected(home: Path) -> None:
    many = journal_of(home)
    store = open_store(home)
    assert suspicions_of(store) == set()
    assert store.verify().problems == []
    assert store.verify().records == len(many)


def test_an_edited_payload_is_reported_and_marks_its_memory(home: Path) -> None:
    many = journal_of(home)
    found = rows(only_segment(home))
    put(home, [*found[:2], found[2].replace(b"limestone", b"sandstone"), *found[3:]])
    store = open_store(home)
    assert suspicions_of(store) == {many[2].id}
    assert reported_subjects(store) == {many[2].id}
    stored = store.reading().get(many[2].id)
    assert stored is not None and stored.suspicions == (EDITED,)


def test_an_edited_payload_whose_hash_was_made_to_fit_breaks_the_chain(home: Path) -> None:
    many = journal_of(home)
    found = rows(only_segment(home))
    head, payload = lines.split(found[2][:-1])
    payload = payload.replace(b"limestone", b"sandstone")
    header = json.dumps({**json.loads(head), "ph": lines.short_hash(payload)}).encode()
    put(home, [*found[:2], b"%08x %s\t%s\n" % (zlib.crc32(header), header, payload), *found[3:]])
    store = open_store(home)
    assert suspicions_of(store) == reported_subjects(store) == {many[3].id}


@pytest.mark.parametrize("place", [0, 2, 4])
def test_a_removed_line_is_reported_at_the_one_that_followed(home: Path, place: int) -> None:
    many = journal_of(home)
    found = rows(only_segment(home))
    put(home, [*found[:place], *found[place + 1 :]])
    store = open_store(home)
    assert suspicions_of(store) == {many[place + 1].id}
    assert many[place + 1].id in reported_subjects(store)
    assert any("had lost 1 of 6" in notice for notice in store.notices)


def test_a_removed_last_line_is_said_to_be_lost(home: Path) -> None:
    journal_of(home)
    put(home, rows(only_segment(home))[:-1])
    store = open_store(home)
    assert len(all_memories(store.reading())) == 5
    assert any("1 could not be found again" in notice for notice in store.notices)


def test_two_lines_that_changed_places_are_reported(home: Path) -> None:
    many = journal_of(home)
    found = rows(only_segment(home))
    put(home, [*found[:2], found[3], found[2], *found[4:]])
    store = open_store(home)
    assert suspicions_of(store) == {many[2].id, many[3].id, many[4].id}
    assert reported_subjects(store) >= suspicions_of(store)


@pytest.mark.parametrize("place", [2, 6])
def test_a_line_that_was_replayed_is_reported(home: Path, place: int) -> None:
    many = journal_of(home)
    found = rows(only_segment(home))
    put(home, [*found[:place], found[0], *found[place:]])
    store = open_store(home)
    assert many[0].id in suspicions_of(store)
    assert many[0].id in reported_subjects(store)
    assert set(all_memories(store.reading())) == {one.id for one in many}


def test_a_line_of_another_journal_is_reported(home: Path) -> None:
    many = journal_of(home)
    other = journal_of(home.parent / "other")
    put(home, [*rows(only_segment(home)), rows(only_segment(home.parent / "other"))[3]])
    store = open_store(home)
    assert suspicions_of(store) == reported_subjects(store) == {other[3].id}
    assert len(all_memories(store.reading())) == len(many) + 1


def test_a_change_in_two_versions_is_reported_and_the_whole_one_counts(home: Path) -> None:
    many = journal_of(home)
    path = only_segment(home)
    copy = path.with_name("000009.jsonl")
    for data in (path.read_bytes().replace(b"limestone", b"sandstone", 1), path.read_bytes()):
        remove_index(home)
        (home / "marks.json").unlink(missing_ok=True)
        copy.write_bytes(path.read_bytes())
        path.write_bytes(data)
        store = open_store(home)
        stored = store.reading().get(many[0].id)
        assert stored is not None and stored.memory == many[0]
        assert (TWICE in stored.suspicions) == (copy.read_bytes() != path.read_bytes())
        store.close()
        data, _ = copy.read_bytes(), None


def test_a_text_erased_without_a_purge_is_reported(home: Path) -> None:
    many = journal_of(home)
    found = rows(only_segment(home))
    put(home, [*found[:2], lines.erase_row(found[2][:-1]) + b"\n", *found[3:]])
    store = open_store(home)
    assert many[2].id not in all_memories(store.reading())
    assert [problem.what for problem in store.verify().problems if problem.subject == many[2].id] == [ERASED]


def test_a_copy_erased_elsewhere_without_a_purge_does_not_blank_ours(home: Path) -> None:
    many = journal_of(home)
    path = only_segment(home)
    blank = b"".join(lines.erase_row(row[:-1]) + b"\n" for row in rows(path))
    for name in ("000000.jsonl", "000009.jsonl"):
        remove_index(home)
        (home / "marks.json").unlink(missing_ok=True)
        for old in segments(home):
            if old != path:
                old.unlink()
        path.with_name(name).write_bytes(blank)
        store = open_store(home)
        assert {stored.memory.content for stored in all_memories(store.reading()).values()} == {
            one.content for one in many
        }
        assert store.verify().problems
        store.close()


def test_a_memory_that_cannot_be_read_is_reported_and_hides_no_other(home: Path) -> None:
    many = journal_of(home)
    found = rows(only_segment(home))
    put(home, [*found[:2], found[2].replace(b'"LEARNINGS"', b'"LEARNING5"'), *found[3:]])
    store = open_store(home)
    assert set(all_memories(store.reading())) == {one.id for one in many} - {many[2].id}
    assert {problem.what for problem in store.verify().problems if problem.subject == many[2].id} == {
        EDITED,
        UNREADABLE,
    }


def test_tampering_beside_an_index_is_undone_and_said(home: Path) -> None:
    many = journal_of(home)
    store = open_store(home)
    before = all_memories(store.reading())
    store.close()
    found = rows(only_segment(home))
    tricks: list[Callable[[], list[bytes]]] = [
        lambda: [*found[:2], found[2].replace(b"limestone", b"sandstone"), *found[3:]],
        lambda: [*found[:2], *found[3:]],
        lambda: [*found[:2], found[3], found[2], *found[4:]],
    ]
    for trick in tricks:
        put(home, trick())
        again = open_store(home)
        assert all_memories(again.reading()) == before
        assert any("was damaged" in notice for notice in again.notices)
        assert again.verify().problems == []
        assert suspicions_of(again) == set()
        again.close()
    assert len(many) == len(before)


def test_suspicions_are_there_in_the_past_too(home: Path) -> None:
    many = journal_of(home)
    found = rows(only_segment(home))
    put(home, [*found[:2], found[2].replace(b"limestone", b"sandstone"), *found[4:]])
    store = open_store(home)
    now = {name: stored.suspicions for name, stored in all_memories(store.reading()).items()}
    then = {
        name: stored.suspicions
        for name, stored in all_memories(store.reading(many[-1].created_at.replace(year=2090))).items()
    }
    assert then == now
    assert sum(map(bool, now.values())) == 2
