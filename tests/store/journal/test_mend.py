"""Damage to any one copy is said aloud and mended from the other; to both, from the backup."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from limpet.model.change import Change, ChangeKind
from limpet.model.query import Stored
from limpet.store.journal.records import erase_row
from limpet.store.open import JournalStore
from tests.model.making import admit, correction, fact, memory, on, state
from tests.store.acting import Actor, Clock, held
from tests.store.homes import (
    assert_chained,
    only_segment,
    open_store,
    remove_index,
    rewrite,
    rows,
    segments,
    tables,
    touch_index,
)

Damage = Callable[[Path], None]


def filled(home: Path, count: int = 30) -> dict[str, Stored]:
    """A home with some memories, all of them in the index file itself; closed again."""
    store = open_store(home)
    many = [memory(f"number {number} speaks of limestone") for number in range(count)]
    store.append([admit(one) for one in many])
    store.append([admit(correction(many[0], "corrected")), on(many[1], ChangeKind.FORGET), state(fact("a", "b", "c"))])
    store.append([Change(kind=ChangeKind.AGENT, subject="agent:anima", payload={"name": "Anima"})])
    found = held(store.reading())
    store.close()
    touch_index(home)
    # How the index looks now is what a Limpet would have written down.
    again = open_store(home)
    again.append([Change(kind=ChangeKind.AGENT, subject="agent:anima", payload={"name": "Anima"})])
    again.close()
    touch_index(home)
    return found


def delete(path: Path) -> None:
    path.unlink()


def empty(path: Path) -> None:
    rewrite(path, b"")


def halve(path: Path) -> None:
    data = path.read_bytes()
    rewrite(path, data[: len(data) // 2])


def cut_a_page(path: Path) -> None:
    rewrite(path, path.read_bytes()[:-4096])


def zero(path: Path) -> None:
    rewrite(path, bytes(path.stat().st_size))


def text_over_it(path: Path) -> None:
    rewrite(path, b"this is not a database\n" * 100)


def header_gone(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[:100] = bytes(100)
    rewrite(path, bytes(data))


def word_in_a_row(path: Path) -> None:
    """One letter inside the text of a row: SQLite itself sees nothing wrong."""
    data = path.read_bytes()
    assert b"limestone" in data
    rewrite(path, data.replace(b"limestone", b"lemestone", 1))


def every_word(path: Path) -> None:
    rewrite(path, path.read_bytes().replace(b"limestone", b"lemestone"))


INDEX_DAMAGE = [delete, empty, halve, cut_a_page, zero, text_over_it, header_gone, word_in_a_row, every_word]


@pytest.mark.parametrize("damage", INDEX_DAMAGE)
@pytest.mark.parametrize("log", ["with its log", "without its log"])
def test_a_damaged_index_is_rebuilt_and_that_is_said(home: Path, damage: Damage, log: str) -> None:
    before = filled(home)
    if log == "without its log":
        for path in home.glob("index.db-*"):
            path.unlink()
    damage(home / "index.db")
    store = open_store(home)
    assert held(store.reading()) == before
    assert any("rebuilt it from the journal" in notice and "nothing is lost" in notice for notice in store.notices)
    store.append([admit(memory("after"))])
    assert len(held(store.reading())) == len(before) + 1
    assert store.verify().problems == []
    assert open_store(home).notices == []


@pytest.mark.parametrize("damage", INDEX_DAMAGE)
def test_an_index_damaged_under_an_open_store_is_rebuilt_too(home: Path, damage: Damage) -> None:
    before = filled(home)
    store = open_store(home)
    assert held(store.reading()) == before
    damage(home / "index.db")
    assert held(store.reading()) == before
    assert any("rebuilt it from the journal" in notice for notice in store.notices)
    store.append([admit(memory("after"))])
    assert len(held(store.reading())) == len(before) + 1


@pytest.fixture(scope="module")
def scribbled(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, list[tuple[object, ...]]]]:
    """A home with a life behind it, and all that its index said."""
    home, clock = tmp_path_factory.mktemp("scribbled") / "home", Clock()
    store = open_store(home, clock)
    Actor(store, clock, random.Random(3)).act(100)
    said = tables(store)
    store.close()
    touch_index(home)
    return home, said


@pytest.mark.parametrize("seed", range(25))
def test_an_index_scribbled_over_says_nothing_wrong_afterwards(
    home: Path, scribbled: tuple[Path, dict[str, list[tuple[object, ...]]]], seed: int
) -> None:
    template, before = scribbled
    shutil.copytree(template, home)
    chance = random.Random(seed)
    path = home / "index.db"
    data = bytearray(path.read_bytes())
    for _ in range(chance.randrange(1, 4)):
        start = chance.randrange(len(data))
        length = chance.choice([1, 4, 64, 4096])
        data[start : start + length] = chance.randbytes(len(data[start : start + length]))
    rewrite(path, bytes(data))
    after = tables(open_store(home, Clock(Clock().ms + 10_000_000)))
    # Counts of accesses and what is remembered of receipts are no memories; everything else must be right.
    for name in before.keys() - {"access", "receipt"}:
        assert after[name] == before[name], name


@pytest.mark.parametrize("suffix", ["-wal", "-shm"])
@pytest.mark.parametrize("damage", [delete, empty, halve, zero, text_over_it])
def test_a_damaged_log_of_the_index_loses_nothing(home: Path, suffix: str, damage: Damage) -> None:
    store = open_store(home)
    many = [memory(f"number {number}") for number in range(20)]
    for one in many:
        store.append([admit(one)])
    before = held(store.reading())
    store.close()
    path = home / f"index.db{suffix}"
    if path.exists():
        damage(path)
    again = open_store(home)
    assert held(again.reading()) == before
    assert again.verify().problems == []


def test_an_older_copy_of_the_index_catches_up(home: Path) -> None:
    store = open_store(home)
    store.append([admit(memory("one"))])
    store.close()
    touch_index(home)
    older = (home / "index.db").read_bytes()
    store = open_store(home)
    store.append([admit(memory("two"))])
    store.close()
    remove_index(home)
    (home / "index.db").write_bytes(older)
    again = open_store(home)
    assert len(held(again.reading())) == 2
    assert again.verify().problems == []


def test_what_was_damaged_is_set_aside_under_its_date(home: Path) -> None:
    filled(home)
    halve(home / "index.db")
    wreck = (home / "index.db").read_bytes()
    open_store(home).reading()
    aside = [path for path in (home / "damaged").iterdir() if path.name.endswith("-index.db")]
    assert [path.read_bytes() for path in aside] == [wreck]
    assert aside[0].name.startswith("20260301T120000-")


# The journal


def one_byte(path: Path) -> None:
    """A letter of a text in the middle: still a record, but its payload does not fit its hash."""
    data = path.read_bytes()
    place = data.index(b"limestone", len(data) // 3)
    rewrite(path, data[:place] + b"L" + data[place + 1 :])


def last_byte(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[-3] ^= 1
    rewrite(path, bytes(data))


def line_out(path: Path) -> None:
    found = rows(path)
    rewrite(path, b"".join(found[:5] + found[6:]))


JOURNAL_DAMAGE = [delete, empty, halve, zero, text_over_it, one_byte, last_byte, line_out, header_gone]


@pytest.mark.parametrize("damage", JOURNAL_DAMAGE)
@pytest.mark.parametrize("live", [False, True])
def test_a_damaged_segment_is_mended_from_the_index_and_that_is_said(home: Path, damage: Damage, live: bool) -> None:
    before = filled(home)
    store = open_store(home)
    if live:
        store.reading()
    path = only_segment(home)
    whole = path.read_bytes()
    damage(path)
    assert held(store.reading()) == before
    assert any(path.name in notice and "was damaged" in notice for notice in store.notices)
    assert path.read_bytes() == whole
    assert store.verify().problems == []
    if damage is not delete:
        assert list((home / "damaged").iterdir())
    store.append([admit(memory("after"))])
    assert_chained(path)
    assert len(held(open_store(home).reading())) == len(before) + 1


@pytest.mark.parametrize("damage", JOURNAL_DAMAGE)
def test_a_damaged_segment_is_noticed_by_a_writer_too(home: Path, damage: Damage) -> None:
    before = filled(home)
    damage(only_segment(home))
    store, after = open_store(home), memory("after")
    store.append([admit(after)])
    assert set(held(store.reading())) == {*before, after.id}
    assert any("was damaged" in notice for notice in store.notices)
    assert store.verify().problems == []
    assert not any(stored.warned for stored in held(store.reading()).values())


def test_a_change_of_any_single_byte_is_noticed_and_undone(home: Path) -> None:
    before = filled(home, 3)
    path = only_segment(home)
    whole = path.read_bytes()
    chance = random.Random(5)
    ends = [place for place, value in enumerate(whole) if value == 10]
    for place in (*ends, 0, 8, whole.index(b"\t"), *(chance.randrange(len(whole)) for _ in range(30))):
        rewrite(path, whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        store = open_store(home)
        assert held(store.reading()) == before
        assert path.read_bytes() == whole
        assert any("was damaged" in notice for notice in store.notices)
        store.close()


def test_what_was_written_after_the_damage_is_kept(home: Path) -> None:
    before = filled(home)
    hurried, after = open_store(home, hurried=True), [memory(f"after {number}") for number in range(3)]
    for one in after:
        hurried.append([admit(one)])
    # Nobody has read those three yet when an older line is damaged.
    one_byte(only_segment(home))
    store = open_store(home)
    assert set(held(store.reading())) == {*before, *(one.id for one in after)}
    # To compare the whole segment at each growth would cost too much; who asks is told.
    assert any(problem.fixable for problem in store.verify().problems)
    assert store.mend().problems == []
    assert not any(stored.warned for stored in held(store.reading()).values())
    remove_index(home)
    again = open_store(home)
    assert set(held(again.reading())) == {*before, *(one.id for one in after)}
    assert again.verify().problems == []


def test_a_segment_in_use_is_mended_when_it_is_free(home: Path) -> None:
    from limpet import system

    before = filled(home)
    path = only_segment(home)
    halve(path)
    lock = system.try_lock(str(home / "locks" / f"{path.parent.name}.000001"))
    assert lock is not None
    store = open_store(home)
    assert held(store.reading()) == before
    assert any("in use" in notice for notice in store.notices)
    system.unlock(lock)
    assert held(store.reading()) == before
    assert any("wrote" in notice for notice in store.notices)
    assert store.verify().problems == []


def test_a_folder_of_the_journal_that_is_gone_comes_back(home: Path) -> None:
    before = filled(home)
    path = only_segment(home)
    path.unlink()
    path.parent.rmdir()
    store = open_store(home)
    assert held(store.reading()) == before
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


# Both copies


def backed_up(home: Path) -> dict[str, Stored]:
    before = filled(home)
    store = open_store(home)
    assert store.backup() > 0
    store.close()
    return before


BOTH_GONE = [
    *((damage, "with marks") for damage in (delete, empty, halve, zero, one_byte, line_out, text_over_it)),
    *((damage, "without marks") for damage in (delete, empty, halve, one_byte, line_out)),
]


@pytest.mark.parametrize(("damage", "marks"), BOTH_GONE)
def test_with_both_copies_gone_the_backup_brings_them_back_and_says_so(home: Path, damage: Damage, marks: str) -> None:
    before = backed_up(home)
    remove_index(home)
    damage(only_segment(home))
    if marks == "without marks":
        (home / "marks.json").unlink()
    store = open_store(home)
    assert held(store.reading()) == before
    assert any("came back from the backup" in notice for notice in store.notices)
    assert store.verify().problems == []
    store.append([admit(memory("after"))])
    assert len(held(store.reading())) == len(before) + 1
    again = open_store(home)
    again.reading()
    assert again.notices == []


def test_what_is_newer_than_the_backup_and_lost_is_said_to_be_lost(home: Path) -> None:
    before = backed_up(home)
    store = open_store(home)
    store.append([admit(memory(f"newer {number}")) for number in range(3)])
    store.close()
    remove_index(home)
    only_segment(home).unlink()
    again = open_store(home)
    assert held(again.reading()) == before
    assert any("3 could not be found again" in notice for notice in again.notices)
    assert not any("nothing is lost" in notice for notice in again.notices)
    following = open_store(home)
    following.reading()
    assert following.notices == []


def test_without_a_backup_a_loss_is_said_aloud(home: Path) -> None:
    filled(home)
    remove_index(home)
    only_segment(home).unlink()
    store = open_store(home)
    assert held(store.reading()) == {}
    assert any("could not be found again" in notice for notice in store.notices)
    assert not any("nothing is lost" in notice for notice in store.notices)


def test_what_the_damaged_segment_still_had_beyond_the_backup_is_kept(home: Path) -> None:
    before = backed_up(home)
    after = memory("after the backup")
    store = open_store(home)
    store.append([admit(after)])
    store.close()
    remove_index(home)
    one_byte(only_segment(home))
    again = open_store(home)
    assert set(held(again.reading())) == {*before, after.id}
    assert again.verify().problems == []
    assert not any(stored.warned for stored in held(again.reading()).values())


# Backups


def backups(home: Path) -> dict[str, bytes]:
    folder = home / "backups"
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def test_a_backup_is_a_copy_of_every_segment(home: Path) -> None:
    store = open_store(home, segment_bytes=2048)
    for number in range(8):
        store.append([admit(memory(f"number {number} " + "x" * 300))])
    added = store.backup()
    copies = backups(home)
    assert added == sum(map(len, copies.values()))
    assert sorted(copies.values()) == sorted(path.read_bytes() for path in segments(home))


def test_a_backup_adds_only_what_is_new(home: Path) -> None:
    store = open_store(home)
    store.append([admit(memory("one"))])
    first = store.backup()
    assert first > 0
    assert store.backup() == 0
    before = only_segment(home).stat().st_size
    store.append([admit(memory("two"))])
    assert store.backup() == only_segment(home).stat().st_size - before
    (copy,) = backups(home).values()
    assert copy == only_segment(home).read_bytes()


def test_a_store_at_rest_backs_up_when_it_is_time(home: Path) -> None:
    clock = Clock()
    store = open_store(home, clock, backup_hours=1.0)
    store.append([admit(memory("one"))])
    store.rest()
    assert len(backups(home)) == 1
    first = backups(home)
    store.append([admit(memory("two"))])
    store.rest()
    assert backups(home) == first
    clock.forward(3_600_000)
    store.rest()
    assert list(backups(home).values()) == [only_segment(home).read_bytes()]


def test_a_store_that_shall_not_back_up_does_not(home: Path) -> None:
    store = open_store(home, backup_hours=0.0)
    store.append([admit(memory("one"))])
    store.rest()
    assert not (home / "backups").exists()


def test_a_store_at_rest_works_off_what_a_rebuild_left_behind(home: Path) -> None:
    before = filled(home)
    remove_index(home)
    store = open_store(home)
    if not store.reading().has_vectors:
        pytest.skip("this installation has no vectors")
    live = [name for name, stored in before.items() if stored.status == "live"]
    store.rest()
    assert all(store.reading().code_of(name) is not None for name in live)
    assert held(store.reading()) == before


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
    (copy,) = backups(home).values()
    assert copy == b"".join(found[:3])


def test_a_torn_tail_is_not_backed_up(home: Path) -> None:
    store = open_store(home)
    store.append([admit(memory("one"))])
    path = only_segment(home)
    whole = path.read_bytes()
    with path.open("ab") as file:
        file.write(whole[:50])
    store.backup()
    assert list(backups(home).values()) == [whole]


def test_a_backup_is_never_overwritten_by_a_journal_that_differs(home: Path) -> None:
    store = open_store(home)
    store.append([admit(memory("the first history")), admit(memory("of this segment"))])
    store.backup()
    (name,) = backups(home)
    old = backups(home)[name]
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
        assert old in backups(home).values()
    assert len(backups(home)) == 3
    assert len(set(backups(home).values())) == 3


def test_a_shorter_journal_leaves_the_backup_alone(home: Path) -> None:
    backed_up(home)
    before = backups(home)
    remove_index(home)
    (home / "marks.json").unlink()
    store = open_store(home)
    store.reading()
    path = only_segment(home)
    store.close()
    halve(path)
    remove_index(home)
    open_store(home).backup()
    assert before.items() <= backups(home).items()


def test_doctor_brings_back_from_the_backup_what_was_edited(home: Path) -> None:
    before = backed_up(home)
    (home / "backups").rename(home.parent / "backups")
    one_byte(only_segment(home))
    remove_index(home)
    store = open_store(home)
    assert any(stored.warned for stored in held(store.reading()).values())
    assert store.verify().problems
    (home.parent / "backups").rename(home / "backups")
    report = store.mend(from_backup=True)
    assert any("came back from the backup" in mended for mended in report.mended)
    assert report.problems == []
    assert held(store.reading()) == before


def test_doctor_brings_back_from_the_backup_what_was_blanked_as_if_purged(home: Path) -> None:
    before = backed_up(home)
    path = only_segment(home)
    data = path.read_bytes().split(b"\n")
    rewrite(path, b"\n".join([erase_row(data[0]), *data[1:]]))
    remove_index(home)
    store = open_store(home)
    assert any("erased without a purge" in problem.what for problem in store.verify().problems)
    report = store.mend(from_backup=True)
    assert report.problems == []
    assert held(store.reading()) == before


def test_mending_puts_back_rows_that_somebody_wrote_by_hand(home: Path) -> None:
    import apsw

    before = filled(home)
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
    assert held(store.reading()) == before


@pytest.mark.parametrize("table", ["fact", "agent"])
def test_rows_of_other_tables_written_by_hand_are_found_too(home: Path, table: str) -> None:
    import apsw

    before = filled(home)
    store = open_store(home)
    store.reading()
    connection = apsw.Connection(str(home / "index.db"))
    connection.execute(f"DELETE FROM {table}")
    connection.close()
    assert any(problem.fixable for problem in store.verify().problems)
    assert store.mend().problems == []
    assert held(store.reading()) == before
    assert tables(store)[table] != []


def test_a_healthy_store_has_nothing_to_mend(home: Path) -> None:
    filled(home)
    store = open_store(home)
    report = store.mend()
    assert (report.problems, report.mended) == ([], [])
    assert store.notices == []


def open_with_progress(home: Path, seen: list[tuple[str, int, int]]) -> JournalStore:
    from limpet.settings import StoreSettings
    from limpet.store import open as stores

    return stores.open_store(
        str(home),
        settings=StoreSettings(),
        now_ms=Clock(),
        progress=lambda what, done, total: seen.append((what, done, total)),
    )


def test_rebuilding_tells_how_far_it_is(home: Path) -> None:
    filled(home)
    remove_index(home)
    seen: list[tuple[str, int, int]] = []
    open_with_progress(home, seen).reading()
    assert seen and all(0 <= done <= total for _, done, total in seen)
    assert seen[-1][1] == seen[-1][2]
