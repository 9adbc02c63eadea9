"""The backup follows the journal, and brings back what journal and index have both lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from limpet.model.query import Stored
from limpet.store.context import HighWater, stamp_of
from limpet.store.journal.line import erase_row
from tests.model.making import admit, memory
from tests.store.acting import Clock, all_memories
from tests.store.damage import (
    Damage,
    change_a_letter,
    delete,
    empty,
    fill_home,
    halve,
    remove_a_line,
    write_text_over,
    zero,
)
from tests.store.homes import (
    only_segment,
    open_store,
    remove_index,
    rewrite,
    rows,
    segments,
)


def fill_and_back_up(home: Path) -> dict[str, Stored]:
    before = fill_home(home)
    store = open_store(home)
    assert store.backup() > 0
    store.close()
    return before


def test_a_backup_leaves_no_long_log_beside_the_index(home: Path) -> None:
    store = open_store(home)
    store.append([admit(memory("the harbour light is green"))])
    store.reading()
    log = home / "index.db-wal"
    assert log.stat().st_size > 0
    store.backup()
    assert log.stat().st_size == 0
    assert HighWater.load(str(home)).index == stamp_of(str(home / "index.db")), "or the next process checks every row"
    store.close()


BOTH_GONE = [
    *(
        (damage, "with marks")
        for damage in (delete, empty, halve, zero, change_a_letter, remove_a_line, write_text_over)
    ),
    *((damage, "without marks") for damage in (delete, empty, halve, change_a_letter, remove_a_line)),
]


@pytest.mark.parametrize(("damage", "marks"), BOTH_GONE)
def test_with_both_copies_gone_the_backup_brings_them_back_and_says_so(home: Path, damage: Damage, marks: str) -> None:
    before = fill_and_back_up(home)
    remove_index(home)
    damage(only_segment(home))
    if marks == "without marks":
        (home / "marks.json").unlink()
    store = open_store(home)
    assert all_memories(store.reading()) == before
    assert any("came back from the backup" in notice for notice in store.notices)
    assert store.verify().problems == []
    store.append([admit(memory("after"))])
    assert len(all_memories(store.reading())) == len(before) + 1
    again = open_store(home)
    again.reading()
    assert again.notices == []


def test_what_is_newer_than_the_backup_and_lost_is_said_to_be_lost(home: Path) -> None:
    before = fill_and_back_up(home)
    store = open_store(home)
    store.append([admit(memory(f"newer {number}")) for number in range(3)])
    store.close()
    remove_index(home)
    only_segment(home).unlink()
    again = open_store(home)
    assert all_memories(again.reading()) == before
    assert any("3 could not be found again" in notice for notice in again.notices)
    assert not any("nothing is lost" in notice for notice in again.notices)
    following = open_store(home)
    following.reading()
    assert following.notices == []


def test_without_a_backup_a_loss_is_said_aloud(home: Path) -> None:
    fill_home(home)
    remove_index(home)
    only_segment(home).unlink()
    store = open_store(home)
    assert all_memories(store.reading()) == {}
    assert any("could not be found again" in notice for notice in store.notices)
    assert not any("nothing is lost" in notice for notice in store.notices)


def test_what_the_damaged_segment_still_had_beyond_the_backup_is_kept(home: Path) -> None:
    before = fill_and_back_up(home)
    after = memory("after the backup")
    store = open_store(home)
    store.append([admit(after)])
    store.close()
    remove_index(home)
    change_a_letter(only_segment(home))
    again = open_store(home)
    assert set(all_memories(again.reading())) == {*before, after.id}
    assert again.verify().problems == []
    assert not any(stored.warned for stored in all_memories(again.reading()).values())


def read_backups(home: Path) -> dict[str, bytes]:
    folder = home / "backups"
    return {str(path.relative_to(folder)): b"".join(rows(path)) for path in sorted(folder.rglob("*")) if path.is_file()}


def test_a_backup_is_a_copy_of_every_segment(home: Path) -> None:
    store = open_store(home, segment_bytes=2048)
    for number in range(8):
        store.append([admit(memory(f"number {number} " + "x" * 300))])
    added = store.backup()
    copies = read_backups(home)
    assert added == sum(map(len, copies.values()))
    assert sorted(copies.values()) == sorted(b"".join(rows(path)) for path in segments(home))


def test_a_backup_adds_only_what_is_new(home: Path) -> None:
    store = open_store(home)
    store.append([admit(memory("one"))])
    first = store.backup()
    assert first > 0
    assert store.backup() == 0
    before = only_segment(home).stat().st_size
    store.append([admit(memory("two"))])
    assert store.backup() == only_segment(home).stat().st_size - before
    (copy,) = read_backups(home).values()
    assert copy == only_segment(home).read_bytes()


def test_a_store_at_rest_backs_up_when_it_is_time(home: Path) -> None:
    clock = Clock()
    store = open_store(home, clock, backup_hours=1.0)
    store.append([admit(memory("one"))])
    store.rest()
    assert len(read_backups(home)) == 1
    first = read_backups(home)
    store.append([admit(memory("two"))])
    store.rest()
    assert read_backups(home) == first
    clock.forward(3_600_000)
    store.rest()
    assert list(read_backups(home).values()) == [only_segment(home).read_bytes()]


def test_a_store_that_shall_not_back_up_does_not(home: Path) -> None:
    store = open_store(home, backup_hours=0.0)
    store.append([admit(memory("one"))])
    store.rest()
    assert not (home / "backups").exists()


def test_a_store_at_rest_works_off_what_a_rebuild_left_behind(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("limpet.store.catch_up._REST_MS", 60_000)
    before = fill_home(home)
    remove_index(home)
    store = open_store(home)
    if not store.reading().has_vectors:
        pytest.skip("this installation has no vectors")
    live = [name for name, stored in before.items() if stored.status == "live"]
    store.rest()
    assert all(store.reading().code_of(name) is not None for name in live)
    assert all_memories(store.reading()) == before


def test_only_whole_and_chained_records_are_backed_up(home: Path) -> None:
    store = open_store(home)
    store.append([admit(memory(f"number {number}")) for number in range(6)])
    store.close()
    path = only_segment(home)
    found = rows(path)
    edited = found[3].replace(b"number", b"nimber")
    rewrite(path, b"".join([*found[:3], edited, *found[4:]]))
    remove_index(home)
    again = open_store(home)
    again.reading()
    again.backup()
    (copy,) = read_backups(home).values()
    assert copy == b"".join(found[:3])


def test_a_torn_tail_is_not_backed_up(home: Path) -> None:
    store = open_store(home)
    store.append([admit(memory("one"))])
    path = only_segment(home)
    whole = path.read_bytes()
    with path.open("ab") as file:
        file.write(whole[:50])
    store.backup()
    assert list(read_backups(home).values()) == [whole]


def test_a_backup_is_never_overwritten_by_a_journal_that_differs(home: Path) -> None:
    store = open_store(home)
    store.append([admit(memory("the first history")), admit(memory("of this segment"))])
    store.backup()
    (name,) = read_backups(home)
    old = read_backups(home)[name]
    store.close()
    path = only_segment(home)
    for round_number in range(2):
        # Everything of the store is gone and another journal lies in its place.
        remove_index(home)
        (home / "marks.json").unlink()
        other = open_store(home.parent / f"other{round_number}")
        other.append([admit(memory(f"another history {number}")) for number in range(6 + round_number)])
        other.close()
        rewrite(path, only_segment(home.parent / f"other{round_number}").read_bytes())
        again = open_store(home)
        again.reading()
        again.backup()
        again.close()
        assert old in read_backups(home).values()
    assert len(read_backups(home)) == 3
    assert len(set(read_backups(home).values())) == 3


def test_a_shorter_journal_leaves_the_backup_alone(home: Path) -> None:
    fill_and_back_up(home)
    before = read_backups(home)
    remove_index(home)
    (home / "marks.json").unlink()
    store = open_store(home)
    store.reading()
    path = only_segment(home)
    store.close()
    halve(path)
    remove_index(home)
    open_store(home).backup()
    assert before.items() <= read_backups(home).items()


def test_doctor_brings_back_from_the_backup_what_was_edited(home: Path) -> None:
    before = fill_and_back_up(home)
    (home / "backups").rename(home.parent / "backups")
    change_a_letter(only_segment(home))
    remove_index(home)
    store = open_store(home)
    assert any(stored.warned for stored in all_memories(store.reading()).values())
    assert store.verify().problems
    (home.parent / "backups").rename(home / "backups")
    report = store.mend(from_backup=True)
    assert any("came back from the backup" in mended for mended in report.mended)
    assert report.problems == []
    assert all_memories(store.reading()) == before


def test_doctor_brings_back_from_the_backup_what_was_blanked_as_if_purged(home: Path) -> None:
    before = fill_and_back_up(home)
    path = only_segment(home)
    data = path.read_bytes().split(b"\n")
    rewrite(path, b"\n".join([erase_row(data[0]), *data[1:]]))
    remove_index(home)
    store = open_store(home)
    assert any("erased without a purge" in problem.what for problem in store.verify().problems)
    report = store.mend(from_backup=True)
    assert report.problems == []
    assert all_memories(store.reading()) == before
