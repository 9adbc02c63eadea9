"""Old receipts are added up: what they counted stays, and no index can tell whether it saw them or their tally."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from limpet.clock import DAY_MS
from limpet.model.change import Change, ChangeKind
from limpet.model.receipt import TALLY
from limpet.store.journal import line as lines
from limpet.store.journal.receipts import SLACK_DAYS
from limpet.store.journal.segments import segment_lock
from limpet.store.open import Store
from tests.model.making import START, admit, memory
from tests.store.acting import Clock, get_stored, receipt
from tests.store.homes import copy_journal, open_store, remove_index, rewrite, rows, segments, tables

ONE, OTHER = memory("one"), memory("other")
OLD = START + timedelta(days=50, hours=12)
"""Everything before this moment is to be added up."""


def use_for_months(home: Path) -> tuple[Store, Clock]:
    """Use one memory often for a hundred days, each time in another session, and another one now and then."""
    clock = Clock()
    store = open_store(home, clock)
    store.append([admit(ONE), admit(OTHER)])
    for day in range(100):
        clock.forward(DAY_MS)
        store.append([receipt(ONE.id, session=f"s{day}")], durable=False)
        if day % 10 == 0:
            store.append([receipt(OTHER.id, session=f"s{day}", counts=False), receipt(OTHER.id)], durable=False)
    return store, clock


def receipts_of(home: Path) -> Path:
    (found,) = segments(home, "r")
    return found


def standings(store: Store) -> list[object]:
    return [get_stored(store, each.id).standing for each in (ONE, OTHER)]


def test_what_old_receipts_counted_stays_and_they_go(home: Path) -> None:
    store, _ = use_for_months(home)
    before, size = standings(store), receipts_of(home).stat().st_size
    assert store.trim_receipts(OLD) == 50 + 2 * 5
    assert standings(store) == before
    assert receipts_of(home).stat().st_size < 0.55 * size
    found = store.reading().receipts(memory=ONE.id, limit=1000)
    assert len(found) == 50 and min(each.at for each in found) > OLD
    assert not store.verify().problems


def test_an_index_that_is_built_anew_says_the_same(home: Path) -> None:
    store, clock = use_for_months(home)
    store.trim_receipts(OLD)
    live = tables(store)
    store.close()
    remove_index(home)
    fresh = open_store(home, clock)
    assert tables(fresh) == live
    assert live["tally"] and live["access"]


def test_what_was_added_up_is_added_up_again(home: Path) -> None:
    store, clock = use_for_months(home)
    before = standings(store)
    store.trim_receipts(OLD)
    assert store.trim_receipts(START + timedelta(days=90)) == 40 + 2 * 4
    assert standings(store) == before
    assert len([row for row in rows(receipts_of(home)) if TALLY.encode() in row]) == 1
    store.append([receipt(ONE.id, session="last")], durable=False)
    expected = tables(store)
    remove_index(home)
    assert tables(open_store(home, clock)) == expected


def test_nothing_is_written_for_receipts_that_are_hardly_too_old(home: Path) -> None:
    store, _ = use_for_months(home)
    data = receipts_of(home).read_bytes()
    assert store.trim_receipts(START + timedelta(days=SLACK_DAYS)) == 0
    assert receipts_of(home).read_bytes() == data
    assert store.trim_receipts(OLD) > 0
    data = receipts_of(home).read_bytes()
    assert store.trim_receipts(OLD) == 0
    assert receipts_of(home).read_bytes() == data


def replace_and_die(path: str, data: bytes) -> None:
    """Put the file into its place and die before the index is brought up to date."""
    Path(path).write_bytes(data)
    raise KeyboardInterrupt


def test_an_index_that_was_not_told_of_the_trim_counts_nothing_twice(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, clock = use_for_months(home)
    before = standings(store)
    monkeypatch.setattr("limpet.store.journal.receipts.system.write_atomically", replace_and_die)
    with pytest.raises(KeyboardInterrupt):
        store.trim_receipts(OLD)
    monkeypatch.undo()
    store.close()
    again = open_store(home, clock)
    assert standings(again) == before
    assert len(again.reading().receipts(memory=ONE.id, limit=1000)) == 50


def test_a_segment_that_somebody_writes_to_is_left_alone(home: Path) -> None:
    store, _ = use_for_months(home)
    data = receipts_of(home).read_bytes()
    with segment_lock(str(home), f"{receipts_of(home).parent.name}/r000001.jsonl") as is_ours:
        assert is_ours
        assert store.trim_receipts(OLD) == 0
    assert receipts_of(home).read_bytes() == data


def test_another_device_that_had_counted_them_counts_nothing_twice(home: Path) -> None:
    store, clock = use_for_months(home)
    there = home.parent / "there"
    other = open_store(there, clock)
    copy_journal(home, there)
    before = standings(other)
    store.trim_receipts(OLD)
    copy_journal(home, there)
    assert standings(other) == before
    assert other.trim_receipts(START + timedelta(days=99)) == 0, "the receipts of a device are its own to trim"


@pytest.mark.parametrize("seen", [0, 20, 60])
def test_another_device_that_had_counted_only_some_counts_nothing_twice(home: Path, seen: int) -> None:
    there = home.parent / "there"
    clock = Clock()
    store, other = open_store(home, clock), open_store(there, clock)
    store.append([admit(ONE), admit(OTHER)])
    for day in range(100):
        clock.forward(DAY_MS)
        store.append([receipt(ONE.id, session=f"s{day}")], durable=False)
        if day == seen:
            copy_journal(home, there)
            assert get_stored(other, ONE.id).standing.access_count == seen + 1
    store.trim_receipts(OLD)
    copy_journal(home, there)
    assert get_stored(other, ONE.id).standing == get_stored(store, ONE.id).standing
    assert get_stored(other, ONE.id).standing.access_count == 100


def test_a_receipt_that_stands_there_twice_counts_once(home: Path) -> None:
    store, _ = use_for_months(home)
    before = standings(store)
    first, *rest = rows(receipts_of(home))
    rewrite(receipts_of(home), b"".join((first, first, *rest)))
    assert standings(store) == before
    assert store.trim_receipts(OLD) > 0
    assert standings(store) == before


def test_a_copy_that_a_sync_has_put_beside_them_counts_nothing(home: Path) -> None:
    store, clock = use_for_months(home)
    before = standings(store)
    path = receipts_of(home)
    path.with_name("r000001.sync-conflict-20261115.jsonl").write_bytes(b"".join(rows(path)[:31]))
    assert standings(store) == before
    assert store.trim_receipts(OLD) > 0
    assert standings(store) == before
    remove_index(home)
    assert standings(open_store(home, clock)) == before


def test_a_moment_in_the_past_is_told_with_the_tally(home: Path) -> None:
    store, _ = use_for_months(home)
    at = START + timedelta(days=70, hours=12)
    found = store.reading(at).get(ONE.id)
    store.trim_receipts(OLD)
    again = store.reading(at).get(ONE.id)
    assert found is not None and again is not None
    assert again.standing == found.standing
    assert again.standing.access_count == 70


def test_a_last_receipt_that_lacks_its_newline_is_not_lost(home: Path) -> None:
    store, clock = use_for_months(home)
    before = standings(store)
    rewrite(receipts_of(home), receipts_of(home).read_bytes()[:-1])
    assert store.trim_receipts(OLD) == 0
    store.append([receipt(OTHER.id)], durable=False)
    assert store.trim_receipts(OLD) > 0
    assert get_stored(store, ONE.id).standing == before[0]
    expected = tables(store)
    remove_index(home)
    assert tables(open_store(home, clock)) == expected


def test_a_clock_that_was_ahead_makes_nothing_count_twice(home: Path) -> None:
    store, clock = use_for_months(home)
    clock.forward(400 * DAY_MS)
    store.append([receipt(ONE.id)], durable=False)
    store.trim_receipts(START + timedelta(days=495))
    clock.forward(-380 * DAY_MS)
    again = open_store(home, clock)
    for _ in range(50):
        again.append([receipt(ONE.id)], durable=False)
    rewrite(receipts_of(home), receipts_of(home).read_bytes() + b"torn")
    assert get_stored(again, ONE.id).standing.access_count == 151
    rewrite(receipts_of(home), receipts_of(home).read_bytes()[: -len("torn")])
    assert get_stored(again, ONE.id).standing.access_count == 151
    again.close()
    remove_index(home)
    assert get_stored(open_store(home, clock), ONE.id).standing.access_count == 151


@pytest.mark.parametrize(
    "told",
    [
        7,
        [],
        {ONE.id: 3},
        {ONE.id: [1, 2]},
        {ONE.id: [10**30, 1, None, ""]},
        {ONE.id: [-5, 1, None, ""]},
        {ONE.id: None},
        {ONE.id: [3, 2**52, None, ""]},
    ],
    ids=repr,
)
def test_a_tally_that_makes_no_sense_is_passed_over(home: Path, told: object) -> None:
    store = open_store(home)
    store.append([admit(ONE)])
    nonsense = Change(kind=ChangeKind.RECEIPT, subject="receipt:tally", payload={"way": TALLY, TALLY: told})
    store.append([nonsense, receipt(ONE.id)], durable=False)
    assert get_stored(store, ONE.id).standing.access_count == 1


@pytest.mark.parametrize(
    "harm",
    [
        lambda data: data[: data.index(b"\n", len(data) // 3) + 1],
        lambda data: data[:200] + b"\0" * 50 + data[250:],
        lambda data: b"not a record\n" + data,
        lambda data: b"",
    ],
    ids=["cut short", "overwritten", "foreign line", "emptied"],
)
def test_a_damaged_file_of_receipts_is_trimmed_as_far_as_it_can_be_read(
    home: Path, harm: Callable[[bytes], bytes]
) -> None:
    store, clock = use_for_months(home)
    standings(store)
    rewrite(receipts_of(home), harm(receipts_of(home).read_bytes()))
    store.trim_receipts(OLD)
    for row in rows(receipts_of(home)):
        assert lines.is_whole(row[:-1]) and lines.parse(row[:-1])
    # One that the damage has taken from among those added up is not counted any more, here as in an index built anew.
    assert get_stored(store, ONE.id).standing.access_count >= 99
    store.close()
    open_store(home, clock).reading()


def test_a_disk_that_is_full_leaves_the_receipts_as_they_are(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store, clock = use_for_months(home)
    data = receipts_of(home).read_bytes()

    def full(*_: object) -> int:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", full)
        with pytest.raises(Exception, match="no space left"):
            store.trim_receipts(OLD)
    assert receipts_of(home).read_bytes() == data
    assert not list(home.rglob("*.tmp"))
    assert get_stored(open_store(home, clock), ONE.id).standing.access_count == 100
