"""Memories that arrive together give the same rows as memories that arrive one after the other."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from limpet.model.change import Change, ChangeKind
from limpet.store.journal import line as lines
from limpet.store.journal.protocol import Cursor
from limpet.store.view.apply import ApplyResult, apply_rows
from limpet.store.view.index_check import STRAY
from limpet.store.view.open import open_in_memory
from limpet.store.view.rows import FROM, TEXT, decode_text
from tests.model.making import START_MS, admit, body, correction, fact, memory, on, state
from tests.store.acting import Clock, all_memories
from tests.store.homes import open_store, remove_index, tables


def many() -> list[Change]:
    return [
        admit(memory(f"number {number}", tags=("some", f"tag{number}"), session=f"s{number // 2}"))
        for number in range(7)
    ]


def twins() -> list[Change]:
    text = "the very same text"
    return [admit(memory(text)), admit(memory("another")), admit(memory(text)), *many(), admit(memory(text))]


def linked() -> list[Change]:
    first = memory("one")
    return [admit(first), admit(memory("two"), links=[("similar", first.id), ("similar", first.id)])]


def descendant_before_its_ancestor() -> list[Change]:
    ancestor = memory("a forgotten ancestor")
    made = memory("what was made of it", lineage=(ancestor.id,))
    return [admit(made), admit(memory("between")), admit(ancestor), on(ancestor, ChangeKind.FORGET)]


def ancestor_of_a_fact() -> list[Change]:
    ancestor = memory("the port is 8080")
    return [state(fact(sources=(ancestor.id,))), admit(ancestor), *many()]


def forgotten_fact() -> list[Change]:
    source = memory("the port is 8080")
    forgotten = fact(sources=(source.id,))
    return [admit(source), state(forgotten), Change(kind=ChangeKind.FORGET, subject=forgotten.id)]


def purged_in_between() -> list[Change]:
    first, second = memory("first"), memory("second")
    link = ("similar", first.id)
    return [admit(first), on(first, ChangeKind.PURGE), admit(second, links=[link]), admit(first), *many()]


def one_memory_in_two_lines() -> list[Change]:
    first = memory("first")
    second = correction(first, "second")
    return [admit(first), admit(second), admit(memory("second of another line", id=second.id)), *many()]


def changed_at_once() -> list[Change]:
    first, second = memory("first"), memory("second")
    return [admit(first), on(first, ChangeKind.PIN, pinned=True), admit(second), on(second, ChangeKind.FORGET), *many()]


def unreadable() -> list[Change]:
    broken = admit(memory("broken"))
    return [*many(), Change(kind=broken.kind, subject=broken.subject, payload={"memory": {"id": broken.subject}})]


@pytest.mark.parametrize(
    "story",
    [
        many,
        twins,
        linked,
        descendant_before_its_ancestor,
        ancestor_of_a_fact,
        forgotten_fact,
        purged_in_between,
        one_memory_in_two_lines,
        changed_at_once,
        unreadable,
    ],
)
def test_a_batch_gives_the_rows_of_single_changes(home: Path, story: Callable[[], list[Change]]) -> None:
    store = open_store(home, Clock())
    for change in story():
        store.append([change])
        store.reading()
    single = tables(store)
    store.close()
    remove_index(home)
    again = open_store(home, Clock())
    assert all_memories(again.reading())
    for name, rows in tables(again).items():
        assert rows == single[name], name
    purged = {subject for (subject,) in single["purged"]}
    assert purged.isdisjoint(target for _, _, target in single["link"])
    # Of a memory in two lines of corrections one line always disagrees.
    strays = [problem.what for problem in again.verify().problems if problem.fixable]
    assert strays == ([STRAY] if story is one_memory_in_two_lines else [])
    again.close()


@pytest.mark.parametrize("purged", [(), (ChangeKind.PURGE,)])
def test_two_versions_of_a_change_give_the_same_rows_in_a_batch(purged: tuple[ChangeKind, ...]) -> None:
    """Somebody has given the id of one change to another one, which brings another memory."""
    first, second = memory("first"), memory("second")
    before = [_encode(on(first, kind), 0) for kind in purged]
    versions = [_encode(admit(each), 1) for each in (first, second)]
    alone = _memories_after([*before, *versions], 1)
    assert len(alone) == 1
    for ordered in (versions, versions[::-1]):
        # Which of the two counts depends on their bytes, so one of these orders replaces the first version.
        assert _memories_after([*before, *ordered], 3) == alone


def _encode(change: Change, number: int) -> bytes:
    return lines.encode(
        id=body(START_MS, number),
        device="",
        actor=change.actor,
        verb=str(change.kind),
        subject=change.subject,
        root=change.root,
        lineage=change.lineage,
        payload=change.payload,
        previous="",
    )[0]


def _memories_after(rows: list[bytes], size: int) -> list[tuple[str, str]]:
    """Return the id and the text of each memory, after the rows were applied in batches of a size."""
    view, cursor = open_in_memory(), Cursor(name="d000000000000/0001.jsonl")
    for at in range(0, len(rows), size):
        with view.connection:
            apply_rows(view, cursor, [(0, row) for row in rows[at : at + size]], ApplyResult())
    found = view.run(f"SELECT {TEXT} {FROM} ORDER BY m.id").fetchall()
    return [(str(row[2]), decode_text(row)["content"]) for row in found]
