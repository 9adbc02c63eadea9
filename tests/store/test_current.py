"""An index that is missing, damaged or old is rebuilt, and the user is told."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import apsw
import pytest

from limpet import system
from limpet.model.change import Change, ChangeKind
from limpet.store.current import CurrentView
from limpet.store.journal.files import FileJournal
from limpet.store.open import Store
from limpet.store.view import index_check
from limpet.store.view.open import View, connect
from tests.model.making import admit, memory
from tests.store.acting import Actor, Clock, all_memories
from tests.store.damage import (
    INDEX_DAMAGE,
    Damage,
    delete,
    empty,
    fill_home,
    halve,
    write_text_over,
    zero,
)
from tests.store.homes import (
    make_newer,
    open_store,
    remove_index,
    rewrite,
    tables,
    touch_index,
)


@pytest.mark.parametrize("damage", INDEX_DAMAGE)
@pytest.mark.parametrize("log", ["with its log", "without its log"])
def test_a_damaged_index_is_rebuilt_and_that_is_said(home: Path, damage: Damage, log: str) -> None:
    before = fill_home(home)
    if log == "without its log":
        for path in home.glob("index.db-*"):
            path.unlink()
    damage(home / "index.db")
    store = open_store(home)
    assert all_memories(store.reading()) == before
    assert any("rebuilt it from the journal" in notice and "nothing is lost" in notice for notice in store.notices)
    store.append([admit(memory("after"))])
    assert len(all_memories(store.reading())) == len(before) + 1
    assert store.verify().problems == []
    assert open_store(home).notices == []


def test_the_notice_of_a_rebuilt_index_counts_one_memory_as_one(home: Path) -> None:
    open_store(home).append([admit(memory("one"))])
    remove_index(home)
    store = open_store(home)
    store.reading()
    assert store.notices == ["the index was missing; rebuilt it from the journal with 1 memory, nothing is lost"]


@pytest.mark.parametrize("damage", INDEX_DAMAGE)
def test_an_index_damaged_under_an_open_store_is_rebuilt_too(home: Path, damage: Damage) -> None:
    before = fill_home(home)
    store = open_store(home)
    assert all_memories(store.reading()) == before
    damage(home / "index.db")
    assert all_memories(store.reading()) == before
    assert any("rebuilt it from the journal" in notice for notice in store.notices)
    store.append([admit(memory("after"))])
    assert len(all_memories(store.reading())) == len(before) + 1


@pytest.fixture(scope="module")
def scribbled(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, list[tuple[object, ...]]]]:
    """Return a home that was used for a while, and all that its index said."""
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
@pytest.mark.parametrize("damage", [delete, empty, halve, zero, write_text_over])
def test_a_damaged_log_of_the_index_loses_nothing(home: Path, suffix: str, damage: Damage) -> None:
    store = open_store(home)
    many = [memory(f"number {number}") for number in range(20)]
    for one in many:
        store.append([admit(one)])
    before = all_memories(store.reading())
    store.close()
    path = home / f"index.db{suffix}"
    if path.exists():
        damage(path)
    again = open_store(home)
    assert all_memories(again.reading()) == before
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
    assert len(all_memories(again.reading())) == 2
    assert again.verify().problems == []


def test_what_was_damaged_is_set_aside_under_its_date(home: Path) -> None:
    fill_home(home)
    halve(home / "index.db")
    wreck = (home / "index.db").read_bytes()
    open_store(home).reading()
    aside = [path for path in (home / "damaged").iterdir() if path.name.endswith("-index.db")]
    assert [path.read_bytes() for path in aside] == [wreck]
    assert aside[0].name.startswith("20260301T120000-")


def open_with_progress(home: Path, seen: list[tuple[str, int, int]]) -> Store:
    from limpet.settings import StoreSettings
    from limpet.store import open as stores

    return stores.open_store(
        str(home),
        settings=StoreSettings(),
        now_ms=Clock(),
        progress=lambda what, done, total: seen.append((what, done, total)),
    )


def test_rebuilding_tells_how_far_it_is(home: Path) -> None:
    fill_home(home)
    remove_index(home)
    seen: list[tuple[str, int, int]] = []
    open_with_progress(home, seen).reading()
    assert seen and all(0 <= done <= total for _, done, total in seen)
    assert seen[-1][1] == seen[-1][2]


def test_the_recent_state_holds_our_own_writes_even_while_another_process_has_the_index(home: Path) -> None:
    store = open_store(home)
    store.append([admit(memory("first"))])
    assert len(all_memories(store.reading(latest=False))) == 1
    lock = system.try_lock(str(home / "locks" / "apply"))
    assert lock is not None
    try:
        store.append([admit(memory("second"))])
        assert len(all_memories(store.reading(latest=False))) == 2
    finally:
        system.unlock(lock)


def test_the_recent_state_is_not_compared_with_the_journal(home: Path) -> None:
    store, other = open_store(home), open_store(home)
    store.append([admit(memory("first"))])
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(FileJournal, "survey", lambda *_: pytest.fail("the journal was surveyed"))
        assert len(all_memories(store.reading(latest=False))) == 1
    other.append([admit(memory("second"))])
    assert len(all_memories(store.reading())) == 2


def test_a_writer_follows_an_index_that_another_process_has_built_anew(home: Path) -> None:
    one = memory("the heron fishes at the ninth groyne")
    writer = open_store(home, segment_bytes=2000)
    writer.append([admit(one)])
    writer.append([admit(memory(f"number {number}")) for number in range(5)])
    other = open_store(home, segment_bytes=2000)
    remove_index(home)
    other.reading()
    writer.append([admit(memory("after the index was built anew"))])
    other.purge([Change(kind=ChangeKind.PURGE, subject=one.id, root=one.id, actor="user:anima")])
    writer.append([admit(memory("after the purge"))])
    # From an index that knows of no purge, the segment would be taken for damaged and written anew, with the text.
    assert not (home / "damaged").exists()
    assert not any("damaged" in notice for notice in writer.notices)
    assert len(all_memories(open_store(home).reading())) == 7


@pytest.fixture
def checks(monkeypatch: pytest.MonkeyPatch) -> list[View]:
    """Collect the indexes that are checked as a whole."""
    seen: list[View] = []
    whole = index_check.is_sound

    def count(view: View) -> bool:
        seen.append(view)
        return whole(view)

    monkeypatch.setattr(index_check, "is_sound", count)
    return seen


def copy_by_hand(home: Path) -> None:
    """Give the index the time of a copy, as a tool does that does not keep times."""
    touch_index(home)
    make_newer(home / "index.db", 0)


def test_a_hook_leaves_the_check_of_a_copied_index_to_the_next_command(home: Path, checks: list[View]) -> None:
    store = open_store(home)
    store.append([admit(memory("one")), admit(memory("two"))])
    store.close()
    copy_by_hand(home)
    hurried = open_store(home, hurried=True)
    assert len(all_memories(hurried.reading())) == 2
    hurried.append([admit(memory("three"))])
    assert len(all_memories(hurried.reading())) == 3
    hurried.close()
    assert checks == []
    again = open_store(home)
    assert len(all_memories(again.reading())) == 3
    assert len(checks) == 1


def test_a_copied_index_is_checked_once(home: Path, checks: list[View]) -> None:
    store = open_store(home)
    store.append([admit(memory("one"))])
    store.close()
    copy_by_hand(home)
    for _ in range(3):
        store = open_store(home)
        assert len(all_memories(store.reading())) == 1
        store.close()
    assert len(checks) == 1


def test_damage_that_a_hook_has_not_looked_for_is_found_by_the_next_command(home: Path) -> None:
    store = open_store(home)
    store.append([admit(memory("The port is 8080"))])
    store.close()
    connection = connect(str(home / "index.db"), create=False)
    connection.execute("UPDATE memory SET impact = 0")
    connection.close()
    copy_by_hand(home)
    hurried = open_store(home, hurried=True)
    hurried.append([admit(memory("another"))])
    hurried.reading()
    hurried.close()
    again = open_store(home)
    assert len(all_memories(again.reading())) == 2
    assert "the index was damaged" in again.notices[0]


@pytest.mark.parametrize(
    ("text", "reason"), [("not an error", "is the disk full?"), ("disk I/O error", "disk I/O error")]
)
def test_the_notice_of_an_index_that_cannot_be_used_has_a_reason(
    home: Path, monkeypatch: pytest.MonkeyPatch, text: str, reason: str
) -> None:
    open_store(home).append([admit(memory("one"))])
    store = open_store(home)

    def fail(current: CurrentView) -> View:
        raise apsw.IOError(text)

    monkeypatch.setattr(CurrentView, "_open", fail)
    assert len(all_memories(store.reading())) == 1
    assert [each for each in store.notices if f"cannot be used now ({reason})" in each]
