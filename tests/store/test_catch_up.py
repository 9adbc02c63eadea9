"""A change can be read by every process as soon as it is appended, and stays as it was written."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from limpet.lean.record import replace
from limpet.model.change import Change, ChangeKind, Status
from limpet.model.memory import Citation, Concept, Source
from limpet.store.context import ApplyLock
from limpet.store.journal.segments import segment_lock
from limpet.store.protocol import Store
from limpet.text.embedding import load_embedding_table
from tests.model.making import START, START_MS, admit, condensed, correction, memory, on
from tests.store.acting import Clock, all_memories
from tests.store.conftest import Opener
from tests.store.homes import only_segment, open_store, rewrite, tables


def test_a_memory_is_read_back_as_it_was_given(store: Store) -> None:
    one = memory(
        'Line one\nline "two"\t\\ 🐚 naïve 数据\x00\x1f',
        title="A title",
        concepts=(Concept.GOTCHA, Concept.PATTERN),
        tags=("b", "a"),
        source=Source(transcript="t.jsonl", line=3),
        citations=(Citation(path="src/a.py", start=1, end=9, span_hash="h", commit="c"),),
        files_read=("x y.py",),
        expires_at=START.replace(year=2040),
    )
    store.append([admit(one)])
    found = store.reading().get(one.id)
    assert found is not None
    assert found.memory == one
    assert found.status is Status.LIVE
    assert not found.warned


def test_an_unknown_id_is_not_found(store: Store) -> None:
    assert store.reading().get(memory().id) is None
    assert store.reading().history(memory().id) == ()
    assert store.reading().versions(memory().id) == ()


def test_appending_nothing_does_nothing(store: Store) -> None:
    assert store.append([]) == ()
    assert all_memories(store.reading()) == {}


def test_appended_changes_come_back_stamped_and_in_order(store: Store) -> None:
    one, other = memory("one"), memory("other")
    kept = store.append([admit(one), admit(other), on(one, ChangeKind.PIN, pinned=True)])
    assert [change.subject for change in kept] == [one.id, other.id, one.id]
    assert [change.id for change in kept] == sorted({change.id for change in kept})
    assert all(change.device for change in kept)
    assert kept[0].at == START


def test_history_holds_every_change_of_a_memory_as_it_was_kept(store: Store) -> None:
    one = memory("The port is 8080")
    kept = store.append([admit(one), admit(memory("noise"))])[:1]
    kept += store.append([on(one, ChangeKind.FORGET, reason="wrong"), condensed(one, "8080", 2)])
    assert store.reading().history(one.id) == kept


def test_history_of_a_correction_is_its_own(store: Store) -> None:
    old = memory("one")
    new = correction(old, "two")
    kept = store.append([admit(old), admit(new), on(new, ChangeKind.PIN, pinned=True)])
    assert store.reading().history(old.id) == kept[:1]
    assert store.reading().history(new.id) == kept[1:]


def test_what_one_handle_writes_the_other_reads_at_once(opener: Opener) -> None:
    here, there = opener.open(), opener.open()
    for number in range(5):
        one = memory(f"from here {number}")
        here.append([admit(one)])
        assert there.reading().get(one.id) is not None
        other = memory(f"from there {number}")
        there.append([admit(other)])
        assert here.reading().get(other.id) is not None
    assert all_memories(here.reading()) == all_memories(there.reading())
    assert len(all_memories(here.reading())) == 10


def test_what_was_written_is_there_when_the_store_is_opened_again(opener: Opener) -> None:
    one = memory()
    first = opener.open()
    first.append([admit(one)])
    first.close()
    found = opener.open().reading().get(one.id)
    assert found is not None and found.memory == one


def test_a_reading_that_was_taken_can_still_be_asked_after_a_write(store: Store) -> None:
    one, other = memory("one"), memory("other")
    store.append([admit(one)])
    before = store.reading()
    store.append([admit(other)])
    assert before.get(one.id) is not None
    assert store.reading().get(other.id) is not None


def test_ids_rise_even_when_the_clock_stands_still_or_goes_back(opener: Opener) -> None:
    opener.clock.ms = START_MS
    first, second = opener.open(), opener.open()
    kept = list(first.append([admit(memory(f"m{number}")) for number in range(3)]))
    opener.clock.ms -= 3_600_000
    kept += first.append([admit(memory("after"))])
    kept += second.append([admit(memory("elsewhere"))])
    kept += opener.open().append([admit(memory("opened anew"))])
    ids = [change.id for change in kept]
    assert ids == sorted(set(ids))


def test_a_rest_changes_nothing_that_can_be_read(store: Store) -> None:
    store.append([admit(memory(f"number {number}")) for number in range(5)])
    before = all_memories(store.reading())
    store.rest()
    assert all_memories(store.reading()) == before
    assert store.verify().problems == []


def test_a_large_batch_is_kept_whole(store: Store) -> None:
    many = [memory(f"number {number}") for number in range(400)]
    store.append([admit(one) for one in many])
    assert set(all_memories(store.reading())) == {one.id for one in many}


def test_a_text_of_a_megabyte_is_kept_whole(store: Store) -> None:
    long = memory("wort " * 200_000)
    store.append([admit(long)])
    found = store.reading().get(long.id)
    assert found is not None and found.memory == long


@pytest.mark.parametrize("text", ["", " ", "\t\n\r", "\x00", "a\tb\nc", "\u2028\u2029\x85", "}\t{", "\ufeff"])
def test_no_character_confuses_the_store(store: Store, text: str) -> None:
    one, other = memory(text), memory("other")
    store.append([admit(one), admit(other)])
    found = store.reading().get(one.id)
    assert found is not None and found.memory == one
    assert store.reading().get(other.id) is not None


def test_half_a_character_does_not_break_the_store(store: Store) -> None:
    torn, other = memory("half \ud83d a character"), memory("other")
    store.append([admit(torn)])
    store.append([admit(other)])
    found = store.reading().get(torn.id)
    assert found is not None and found.memory.content.startswith("half ")
    assert store.reading().get(other.id) is not None
    assert store.verify().problems == []


def test_verbs_of_a_later_day_are_kept_and_ignored(store: Store) -> None:
    one = memory()
    kept = store.append([admit(one), on(one, "dream", of="sheep")])
    found = store.reading().get(one.id)
    assert found is not None and found.memory == one
    assert store.reading().history(one.id) == kept


def test_every_alteration_is_seen_in_the_next_reading(store: Store, clock: Clock) -> None:
    one = memory("The port is 8080 because 80 was taken", confidence=0.9)
    store.append([admit(one)])
    expected = one
    for change, fields in (
        (on(one, ChangeKind.PIN, pinned=True), {"pinned": True}),
        (on(one, ChangeKind.DOUBT, confidence=0.5), {"confidence": 0.5}),
        (on(one, ChangeKind.CONFIRM), {"confirmed": True, "confidence": 1.0, "earned": "confirmed"}),
        (on(one, ChangeKind.REFRESH, tags=["net"]), {"tags": ("net",)}),
        (on(one, ChangeKind.SIGN, signature="s"), {"signature": "s"}),
    ):
        clock.forward()
        store.append([change])
        expected = replace(expected, **fields)
        found = store.reading().get(one.id)
        assert found is not None and found.memory == expected


@pytest.mark.parametrize(
    "change",
    [
        Change(kind=ChangeKind.ADMIT, subject="mem_x", payload={"memory": {"id": "mem_x"}}),
        Change(kind=ChangeKind.ADMIT, subject="mem_y", payload={"memory": "text", "simhash": "x", "links": 5}),
        Change(kind=ChangeKind.FACT, subject="fact_x", payload={"fact": {"id": 5}}),
        Change(kind=ChangeKind.FACT, subject="fact_y", payload={}),
        Change(kind=ChangeKind.PROJECT, subject="prj_x", payload={"keys": 5, "name": ["x"], "agent": {}}),
        Change(kind=ChangeKind.AGENT, subject="agent:x", payload={"name": 5, "key_id": []}),
        Change(
            kind=ChangeKind.SESSION, subject="session:x", payload={"successes": "many", "project": 5, "tokens": 10**30}
        ),
        Change(kind=ChangeKind.RECEIPT, subject="receipt:x", payload={"ids": [5, None, "mem_x"], "session": {}}),
        Change(kind=ChangeKind.RECEIPT, subject="receipt:y", payload={"ids": 7}),
        Change(kind=ChangeKind.FORGET, subject="", payload={}),
        Change(kind=ChangeKind.SUPERSEDE, subject="mem_z", payload={"by": 5}),
        Change(kind=ChangeKind.ADMIT, subject="mem_w", lineage=("",), payload={"simhash": -1}),
    ],
    ids=lambda change: f"{change.kind}-{change.subject}",
)
def test_one_change_that_cannot_be_understood_hides_no_other(opener: Opener, change: Change) -> None:
    store = opener.open()
    one, other = memory("before"), memory("after")
    store.append([admit(one), change])
    store.append([change], durable=False)
    store.append([admit(other)])
    assert set(all_memories(store.reading())) == {one.id, other.id}
    assert set(all_memories(opener.open().reading())) == {one.id, other.id}


def test_the_journal_is_surveyed_once_if_nobody_else_applies(opener: Opener, monkeypatch: pytest.MonkeyPatch) -> None:
    here, there = opener.open(), opener.open()
    here.append([admit(memory("from here"))])
    one = memory("from there")
    there.append([admit(one)], durable=False)
    surveys = count_surveys(here, monkeypatch)
    assert here.reading().get(one.id) is not None
    assert len(surveys) == 1


def test_the_journal_is_surveyed_again_if_another_process_applied_meanwhile(
    opener: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = opener.open(), opener.open()
    here.append([admit(memory("from here"))])
    one = memory("from there")
    there.append([admit(one)], durable=False)
    surveys = count_surveys(here, monkeypatch, after_first=there.reading)
    assert here.reading().get(one.id) is not None
    assert len(surveys) == 2
    assert len(all_memories(here.reading())) == 2


def test_a_write_is_applied_without_reading_the_journal(opener: Opener, monkeypatch: pytest.MonkeyPatch) -> None:
    store, one = opener.open(), memory("second")
    store.append([admit(memory("first"))])
    surveys = count_surveys(store, monkeypatch)
    monkeypatch.setattr(store._context.journal, "read", lambda *_: pytest.fail("the journal was read"))
    store.append([admit(one)])
    assert surveys == []
    assert store.reading(latest=False).get(one.id) is not None


def test_a_write_after_one_that_nobody_applied_applies_both(opener: Opener, home: Path) -> None:
    here, there = opener.open(), open_store(home, opener.clock, hurried=True)
    one, other = memory("a hook applies nothing of its own"), memory("what comes next in the segment")
    here.append([admit(memory("first"))])
    there.append([admit(one)])
    here.append([admit(other)])
    assert {one.id, other.id} <= set(all_memories(here.reading(latest=False)))


def test_a_write_after_half_a_line_is_applied(opener: Opener, home: Path) -> None:
    store, one = opener.open(), memory("whole")
    store.append([admit(memory("first"))])
    with only_segment(home).open("ab") as file:
        file.write(b"0123abcd half a line")
    store.append([admit(one)])
    assert store.reading(latest=False).get(one.id) is not None
    assert tables(store) == tables(opener.open())


def test_a_record_that_was_damaged_before_a_write_is_mended(opener: Opener, home: Path) -> None:
    store = opener.open()
    store.append([admit(memory("first"))])
    whole = only_segment(home).read_bytes()
    rewrite(only_segment(home), b"x" * (len(whole) - 1) + b"\n")
    store.append([admit(memory("second"))])
    assert only_segment(home).read_bytes().startswith(whole)
    assert store.verify().problems == []


def test_a_write_leaves_another_segment_to_the_next_reading(opener: Opener, home: Path) -> None:
    here, there = opener.open(), open_store(home, opener.clock, hurried=True)
    one, other = memory("from there"), memory("from here")
    here.append([admit(memory("first"))])
    with segment_lock(str(home), f"{here._context.journal.device}/000001.jsonl") as is_ours:
        assert is_ours
        there.append([admit(one)])
    here.append([admit(other)])
    assert {one.id, other.id} <= set(all_memories(here.reading()))


def test_a_write_after_an_own_one_that_was_not_applied_applies_both(opener: Opener, home: Path) -> None:
    """The view may have all of the segment of the second write, and nothing of the first."""
    store = opener.open()
    one, other = memory("while the index is locked"), memory("in another segment")
    store.append([admit(memory("first"))])
    with (
        segment_lock(str(home), f"{store._context.journal.device}/000001.jsonl") as is_ours,
        ApplyLock(str(home), 0).hold() as is_locked,
    ):
        assert is_ours and is_locked
        store.append([admit(one)])
    store.append([admit(other)])
    assert {one.id, other.id} <= set(all_memories(store.reading(latest=False)))


def test_a_memory_and_its_vector_are_stored_in_one_transaction(opener: Opener) -> None:
    store, one = opener.open(), memory("the port is 5433")
    store.append([admit(memory("first"))])
    view, commits = store._current.shared, list[int]()
    assert view is not None

    def note() -> bool:
        commits.append(1)
        return False

    view.connection.set_commit_hook(note)
    store.append([admit(one)])
    view.connection.set_commit_hook(None)
    assert len(commits) == 1
    assert store.reading(latest=False).code_of(one.id) == load_embedding_table().encode(one.content)


def count_surveys(
    store: Store, monkeypatch: pytest.MonkeyPatch, after_first: Callable[[], object] | None = None
) -> list[int]:
    """Return a list that gets an item for each survey of the journal; `after_first` is called after the first one."""
    journal = store._context.journal
    survey, surveys = journal.survey, []

    def count(cursors: Any) -> Any:
        found = survey(cursors)
        surveys.append(len(cursors))
        if after_first is not None and len(surveys) == 1:
            after_first()
        return found

    monkeypatch.setattr(journal, "survey", count)
    return surveys
