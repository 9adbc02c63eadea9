"""A purge leaves no byte of the text in any file, wherever it lay and whatever interrupts it."""

from __future__ import annotations

import shutil
from functools import partial
from pathlib import Path

import apsw
import pytest

from limpet import clock, system
from limpet.errors import StoreError
from limpet.model.change import Change, ChangeKind
from limpet.model.memory import Citation, Memory, Source
from limpet.store import purged_texts
from limpet.store.journal import erase
from limpet.store.journal import line as lines
from limpet.store.open import Store
from tests.model.making import admit, condensed, correction, fact, memory, on, state
from tests.store.acting import Clock, all_memories
from tests.store.homes import (
    assert_chained,
    files_holding,
    only_segment,
    open_store,
    remove_index,
    rewrite,
    rows,
    segments,
    touch_index,
)

# Words whose stems are their own, so that the full-text index would hold them as they are.
TEXT = "zyxomma kwashiork vibrissa told jumblequax about the obfuxite"
NEEDLES = ("zyxomma", "kwashiork", "vibrissa", "jumblequax", "obfuxit")


def secret() -> Memory:
    return memory(
        TEXT,
        title="Vibrissa jumblequax",
        subtitle="kwashiork",
        tags=("obfuxite",),
        files_read=("src/zyxomma.py",),
        citations=(Citation(path="docs/jumblequax.md", start=1, end=2, span_hash="h"),),
        source=Source(transcript="kwashiork.jsonl"),
        session="obfuxite-session",
        branch="zyxomma-branch",
    )


def others(count: int = 20) -> list[Memory]:
    return [memory(f"ordinary number {number} says little of note") for number in range(count)]


def store_with_traces(home: Path, one: Memory) -> Store:
    """Return a store in which the memory has left traces wherever it can."""
    store = open_store(home)
    many = others()
    store.append([admit(each) for each in many[:10]])
    store.append([admit(one, links=[("near", many[0].id)])])
    store.append([condensed(one, "vibrissa kwashiork", 1), on(one, ChangeKind.REFRESH, tags=["jumblequax-tag"])])
    store.append([admit(each) for each in many[10:]])
    store.append([state(fact("zyxomma", "is", "vibrissa", sources=(one.id,)))])
    store.append(
        [Change(kind=ChangeKind.RECEIPT, subject="r", payload={"ids": [one.id], "session": "s"})], durable=False
    )
    store.reading()
    return store


def test_before_a_purge_the_text_is_in_journal_and_index(home: Path) -> None:
    store = store_with_traces(home, secret())
    store.backup()
    store.close()
    touch_index(home)
    found = files_holding(home, *NEEDLES)
    assert {name.split("/")[0] for name in found} == {"journal", "backups", "index.db"}
    assert all(set(found["index.db"]) == set(NEEDLES) for _ in (0,))


@pytest.mark.parametrize("log", ["in the log", "in the file"])
def test_a_purge_leaves_no_byte_in_any_file(home: Path, log: str) -> None:
    one = secret()
    store = store_with_traces(home, one)
    if log == "in the file":
        touch_index(home)
    store.purge([on(one, ChangeKind.PURGE)])
    assert files_holding(home, *NEEDLES) == {}
    assert len(all_memories(store.reading())) == 20
    assert store.verify().problems == []
    assert_chained(only_segment(home))
    store.close()
    assert files_holding(home, *NEEDLES) == {}
    remove_index(home)
    again = open_store(home)
    assert len(all_memories(again.reading())) == 20
    assert again.verify().problems == []
    assert files_holding(home, *NEEDLES) == {}


def test_a_purge_reaches_corrections_and_what_was_made_of_it(home: Path) -> None:
    first = memory("plain enough")
    second = correction(first, TEXT)
    summary = memory(f"summary: {TEXT}", lineage=(second.id,))
    better = correction(summary, f"better: {TEXT}")
    store = open_store(home)
    store.append([admit(each) for each in (first, second, summary, better)])
    store.purge([on(first, ChangeKind.PURGE)])
    assert all_memories(store.reading()) == {}
    assert files_holding(home, *NEEDLES) == {}
    assert store.verify().problems == []


def test_a_purge_reaches_backups_old_ones_too(home: Path) -> None:
    one = secret()
    store = store_with_traces(home, one)
    store.backup()
    (copy,) = (home / "backups").rglob("0*.jsonl")
    shutil.copy(copy, copy.with_name(copy.name + ".123.old"))
    store.purge([on(one, ChangeKind.PURGE)])
    assert files_holding(home, *NEEDLES) == {}
    assert copy.read_bytes() == only_segment(home).read_bytes()[: copy.stat().st_size]
    store.append([admit(memory("after"))])
    store.backup()
    assert copy.read_bytes() == only_segment(home).read_bytes()


def test_a_purge_reaches_what_was_set_aside(home: Path) -> None:
    one = secret()
    store = store_with_traces(home, one)
    store.close()
    path = only_segment(home)
    # A damaged index and several damaged segments lie about: cut, scribbled over, with a broken header.
    touch_index(home)
    (home / "index.db").write_bytes((home / "index.db").read_bytes()[:-2000])
    open_store(home).reading()
    data = path.read_bytes()
    place = data.index(b"zyxomma")
    start = data.rindex(b"\n", 0, place) + 1
    for number, wreck in enumerate(
        (
            data[: place + 60],
            data[:start] + b"#" * 200 + data[start + 200 :],
            data.replace(one.id.encode(), b"mem_" + b"#" * 26),
            data.replace(b"\n", b"#"),
            data[:start].replace(b"\n", b" ") + data[start:],
        )
    ):
        rewrite(path, wreck)
        assert len(all_memories(open_store(home).reading())) == 21, number
    assert len(list((home / "damaged").iterdir())) > 5
    again = open_store(home)
    assert files_holding(home / "damaged", *NEEDLES) != {}
    again.purge([on(one, ChangeKind.PURGE)])
    assert files_holding(home, *NEEDLES) == {}
    assert again.verify().problems == []


def test_a_purge_reaches_a_torn_write_and_spares_its_neighbours(home: Path) -> None:
    one, after = memory("plain"), memory("after")
    late = correction(one, TEXT)
    elsewhere = open_store(home.parent / "elsewhere")
    elsewhere.append([admit(late)])
    (row,) = rows(only_segment(home.parent / "elsewhere"))
    tab = row.index(b"\t")
    for kept in (1, 5, 11, 12, 13, 40, len(row) - tab - 3):
        store = open_store(home)
        store.append([admit(one)])
        path = only_segment(home)
        with path.open("ab") as file:
            file.write(row[: tab + 1 + kept])
        store.append([admit(after)])
        store.purge([on(one, ChangeKind.PURGE)])
        assert set(all_memories(store.reading())) == {after.id}
        assert store.verify().problems == []
        assert files_holding(home, *NEEDLES) == {}
        assert_chained(path)
        store.close()
        remove_index(home)
        again = open_store(home)
        assert set(all_memories(again.reading())) == {after.id}
        assert again.verify().problems == []
        again.close()
        shutil.rmtree(home)


def test_a_purge_that_is_killed_half_way_is_finished_by_the_next_command(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = secret()
    store = store_with_traces(home, one)
    store.backup()
    honest = erase.erase_in_files
    calls: list[int] = []

    def die_once(place: str, subjects: set[str]) -> None:
        calls.append(1)
        if len(calls) == 1:
            raise KeyboardInterrupt
        honest(place, subjects)

    monkeypatch.setattr(erase, "erase_in_files", die_once)
    with pytest.raises(KeyboardInterrupt):
        store.purge([on(one, ChangeKind.PURGE)])
    assert files_holding(home, *NEEDLES) != {}
    store.close()
    again = open_store(home)
    assert one.id not in all_memories(again.reading())
    assert files_holding(home, *NEEDLES) == {}
    assert again.verify().problems == []


@pytest.mark.parametrize("step", ["erase_in_view", "load_cursors"])
def test_a_purge_may_be_killed_at_any_of_its_steps(home: Path, monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    one = secret()
    store = store_with_traces(home, one)

    def die(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(purged_texts, step, die)
        with pytest.raises(KeyboardInterrupt):
            store.purge([on(one, ChangeKind.PURGE)])
    store.close()
    again = open_store(home)
    assert one.id not in all_memories(again.reading())
    again.append([admit(memory("after"))])
    assert files_holding(home, *NEEDLES) == {}
    assert again.verify().problems == []
    assert again.notices == []


def test_a_purge_decided_while_the_store_is_busy_is_finished_later(home: Path) -> None:
    one = secret()
    store = store_with_traces(home, one)
    lock = system.try_lock(str(home / "locks" / "apply"))
    assert lock is not None
    hurried = open_store(home, hurried=True)
    hurried.append([on(one, ChangeKind.PURGE)])
    assert files_holding(home, *NEEDLES) != {}
    system.unlock(lock)
    assert one.id not in all_memories(store.reading())
    assert files_holding(home, *NEEDLES) == {}


def test_a_purge_waits_for_a_process_that_is_at_work(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one = secret()
    store_with_traces(home, one).close()
    impatient = open_store(home, apply_wait_ms=0)
    locks = [system.try_lock(str(home / "locks" / "apply"))]

    def pause(_: int) -> None:
        if locks and (lock := locks.pop()) is not None:
            system.unlock(lock)

    monkeypatch.setattr(clock, "pause", pause)
    impatient.purge([on(one, ChangeKind.PURGE)])
    assert files_holding(home, *NEEDLES) == {}


def test_a_reader_in_the_middle_of_a_question_delays_the_last_trace_and_that_is_said(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(purged_texts, "finish_purges", partial(purged_texts.finish_purges, tries=1))
    one = secret()
    store = store_with_traces(home, one)
    reader = apsw.Connection(str(home / "index.db"))
    cursor = reader.execute("SELECT body FROM memory")
    next(cursor)
    store.append([on(one, ChangeKind.PURGE)])
    assert any("leaves its log when that process ends" in notice for notice in store.notices)
    assert set(files_holding(home, *NEEDLES)) == {"index.db-wal"}
    cursor.close()
    reader.close()
    again = open_store(home)
    again.reading()
    assert files_holding(home, *NEEDLES) == {}
    assert again.notices == []


def test_the_hash_of_a_purged_text_tells_nothing_about_it(home: Path) -> None:
    one = secret()
    store = store_with_traces(home, one)
    store.purge([on(one, ChangeKind.PURGE)])
    blank = [row for row in rows(only_segment(home)) if b'"purged":1' in row]
    assert len(blank) == 4
    for row in blank:
        head, payload = lines.split(row[:-1])
        assert lines.is_erased(payload)
        assert one.content_hash.encode() not in head


def test_purging_costs_nobody_else_a_byte(home: Path) -> None:
    one = secret()
    store = store_with_traces(home, one)
    before = rows(only_segment(home))
    store.purge([on(one, ChangeKind.PURGE)])
    after = rows(only_segment(home))
    assert len(after) == len(before) + 1
    for old, new in zip(before, after, strict=False):
        assert len(old) == len(new)
        if one.id.encode() not in old:
            assert old == new


def test_a_purge_of_many_is_one_purge(home: Path) -> None:
    store = open_store(home)
    many = [memory(f"{TEXT} {number}") for number in range(30)]
    kept = others()
    store.append([admit(each) for each in (*many, *kept)])
    store.purge([on(each, ChangeKind.PURGE) for each in many])
    assert set(all_memories(store.reading())) == {each.id for each in kept}
    assert files_holding(home, *NEEDLES) == {}
    assert store.verify().problems == []


def test_a_purge_in_one_of_many_segments_finds_it(home: Path) -> None:
    clock = Clock()
    store = open_store(home, clock, segment_bytes=2048)
    one = secret()
    for each in (*others(8), one, *others(8)):
        store.append([admit(each)])
    assert len(segments(home)) > 3
    store.purge([on(one, ChangeKind.PURGE)])
    assert files_holding(home, *NEEDLES) == {}
    assert store.verify().problems == []
    assert store.notices == []


def test_a_file_that_cannot_be_erased_is_named(home: Path) -> None:
    one = secret()
    store = store_with_traces(home, one)

    def refuse(*_: object) -> list[str]:
        raise PermissionError(13, "Permission denied", "somewhere")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(erase, "erase_in_files", refuse)
        with pytest.raises(StoreError, match=r"next command will try again: .*somewhere"):
            store.purge([on(one, ChangeKind.PURGE)])
        assert any("somewhere" in notice for notice in store.notices)
    assert one.id not in all_memories(open_store(home).reading())
    assert files_holding(home, *NEEDLES) == {}
