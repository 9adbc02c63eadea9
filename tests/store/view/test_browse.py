"""Browsing: each filter lets exactly its own through, and pages fit together."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from limpet.lean.record import replace
from limpet.model.change import Change, ChangeKind, Status
from limpet.model.memory import (
    Citation,
    Concept,
    Impact,
    Kind,
    Memory,
    Origin,
    Phase,
    Region,
    Sensitivity,
    Type,
)
from limpet.model.query import EVERY_STATUS, OPEN, Query
from limpet.model.scope import Scope
from limpet.store.protocol import Store
from tests.model.making import PROJECT, START, admit, at, condensed, correction, memory, on
from tests.store.acting import find_ids

HERE = Scope(agent="anima", project=PROJECT)
QUERY = Query(scope=HERE, now=START + timedelta(days=1))


def find(store: Store, **asked: Any) -> list[str]:
    return [stored.memory.id for stored in store.reading().browse(replace(QUERY, **asked)).items]


def append_all(store: Store, *memories: Memory) -> None:
    store.append([admit(one) for one in memories])


def test_everything_in_scope_is_listed_newest_first(store: Store) -> None:
    many = [memory(f"number {number}", created_at=at(number // 2)) for number in range(9)]
    append_all(store, *many[4:], *many[:4])
    newest_first = sorted(many, key=lambda one: (one.created_at, one.id), reverse=True)
    assert find(store) == [one.id for one in newest_first]


def test_the_total_is_the_number_of_memories_whatever_happens_to_them(store: Store) -> None:
    many = [memory(f"number {number}") for number in range(8)]
    twin = memory("number 0")
    ending = memory("until tomorrow", expires_at=START + timedelta(days=2))
    ended = memory("until now", expires_at=START + timedelta(hours=1))
    private = memory("a number of mine", sensitivity=Sensitivity.PRIVATE)
    new = correction(many[6], "another number 6")
    story: list[list[Change]] = [
        [admit(one) for one in (*many, ending, ended, private)],
        [admit(twin)],
        [on(many[1], ChangeKind.FORGET), on(ending, ChangeKind.PIN, pinned=True)],
        [on(many[1], ChangeKind.RESTORE), on(many[0], ChangeKind.FORGET)],
        [condensed(many[2], "2", int(Phase.ARCHIVED)), on(many[3], ChangeKind.MOVE, region="AGENT")],
        [admit(new), on(many[4], ChangeKind.SUPERSEDE, by=many[5].id)],
        [on(many[7], ChangeKind.PURGE), on(private, ChangeKind.PURGE)],
    ]
    asked = [
        replace(QUERY, limit=100, sensitivity=sensitivity, statuses=statuses, expired=every, archived=every)
        for sensitivity in (OPEN, tuple(Sensitivity))
        for statuses in ((Status.LIVE,), (Status.FORGOTTEN,), EVERY_STATUS)
        for every in (False, True)
    ]
    for changes in story:
        store.append(changes)
        for query in asked:
            page = store.reading().browse(query)
            assert page.total == len(page.items)
            assert store.reading().browse(replace(query, limit=1)).total == page.total


def test_pages_fit_together_and_count_the_whole(store: Store) -> None:
    many = [memory(f"number {number}", created_at=START) for number in range(23)]
    append_all(store, *many)
    listed: list[str] = []
    for offset in range(0, 30, 5):
        page = store.reading().browse(replace(QUERY, limit=5, offset=offset))
        assert page.total == 23
        assert page.offset == offset
        assert page.has_more == (offset + 5 < 23)
        listed += [stored.memory.id for stored in page.items]
    assert listed == sorted((one.id for one in many), reverse=True)


def test_a_new_memory_does_not_shift_what_was_paged_before_it(store: Store) -> None:
    append_all(store, *(memory(f"number {number}", created_at=at(number)) for number in range(10)))
    before = find(store, limit=5)
    append_all(store, memory("newest", created_at=at(100)))
    assert find(store, limit=5, offset=1) == before


FILTERS: list[tuple[dict[str, Any], dict[str, Any], dict[str, Any]]] = [
    ({"kind": Kind.EMOTIONAL}, {"kind": Kind.EMOTIONAL}, {"kind": Kind.LEARNINGS}),
    ({"type": Type.BUGFIX}, {"type": Type.BUGFIX}, {"type": Type.FEATURE}),
    ({"impact": Impact.HIGH}, {"impact": Impact.HIGH}, {"impact": Impact.CRITICAL}),
    ({"concept": Concept.GOTCHA}, {"concepts": (Concept.GOTCHA, Concept.PATTERN)}, {"concepts": (Concept.PATTERN,)}),
    ({"tag": "net"}, {"tags": ("db", "net")}, {"tags": ("network",)}),
    ({"tag": "NET"}, {"tags": ("net",)}, {"tags": ()}),
    ({"tag": "net"}, {"tags": ("Net",)}, {"tags": ("ne",)}),
    ({"file": "a.py"}, {"files_read": ("src/a.py",)}, {"files_read": ("src/ba.py",)}),
    ({"file": "src/a.py"}, {"files_modified": ("/home/me/src/a.py",)}, {"files_modified": ("lib/a.py",)}),
    ({"file": "a_b%.py"}, {"files_read": ("a_b%.py",)}, {"files_read": ("axbyy.py",)}),
    ({"file": "c.py"}, {"citations": (Citation(path="c.py", start=1, end=2, span_hash="h"),)}, {"citations": ()}),
    ({"session": "s1"}, {"session": "s1"}, {"session": "s2"}),
    ({"session": "s1"}, {"session": "s1"}, {"session": None}),
    ({"since": at(100)}, {"created_at": at(100)}, {"created_at": at(99.999)}),
    ({"until": at(100)}, {"created_at": at(99.999)}, {"created_at": at(100)}),
    ({"phase": Phase.HINT}, {"phase": Phase.HINT}, {"phase": Phase.FULL}),
    ({"origin": Origin.TOOL}, {"origin": Origin.TOOL}, {"origin": Origin.AGENT}),
    ({"branch": "main"}, {"branch": "main"}, {"branch": "main2"}),
    ({"pinned": True}, {"pinned": True}, {"pinned": False}),
    ({"pinned": False}, {"pinned": False}, {"pinned": True}),
    ({}, {"sensitivity": Sensitivity.PUBLIC}, {"sensitivity": Sensitivity.PRIVATE}),
    ({}, {"sensitivity": Sensitivity.PUBLIC}, {"sensitivity": Sensitivity.SECRET}),
    ({}, {"sensitivity": Sensitivity.PUBLIC}, {"sensitivity": Sensitivity.UNKNOWN}),
    ({"sensitivity": (Sensitivity.SECRET,)}, {"sensitivity": Sensitivity.SECRET}, {"sensitivity": Sensitivity.PUBLIC}),
    ({}, {"expires_at": QUERY.now + timedelta(milliseconds=1)}, {"expires_at": QUERY.now}),
    ({"expired": True, "tag": "x"}, {"expires_at": START, "tags": ("x",)}, {"tags": ()}),
    ({"kind": Kind.EMOTIONAL, "tag": "x"}, {"kind": Kind.EMOTIONAL, "tags": ("x",)}, {"tags": ("x",)}),
]


@pytest.mark.parametrize(("asked", "fits", "fails"), FILTERS, ids=[str(list(each[0])) for each in FILTERS])
def test_a_filter_lets_exactly_its_own_through(
    store: Store, asked: dict[str, Any], fits: dict[str, Any], fails: dict[str, Any]
) -> None:
    good, bad = memory("the wanted one", **fits), memory("the other one", **fails)
    append_all(store, good, bad)
    assert find(store, **asked) == [good.id]
    page = store.reading().browse(replace(QUERY, **asked))
    assert page.total == 1 and not page.has_more
    assert find_ids(store.reading(), replace(QUERY, **asked), "wanted") == [good.id]
    assert find_ids(store.reading(), replace(QUERY, **asked), "other") == []


def test_a_keyword_is_looked_for_in_all_that_is_said_and_as_words(store: Store) -> None:
    one = memory("Redis keeps the sessions", tags=("cache",), files_read=("src/app.py",))
    other = memory("Sessions are kept for a day")
    append_all(store, one, other)
    assert set(find(store, keyword="session")) == {one.id, other.id}
    for word in ("redis", "REDIS sessions", "cache", "src/app.py"):
        assert find(store, keyword=word) == [one.id], word
    for word in ("red", "redis day", "", "!!", 'a"b', "\0", "NOT"):
        assert find(store, keyword=word) == [], word
    assert find(store, keyword="redis", tag="other") == []
    assert find_ids(store.reading(), replace(QUERY, keyword="redis"), "sessions") == [one.id]


def test_statuses_are_told_apart(store: Store) -> None:
    live, old, forgotten, purged = (memory(name) for name in ("live", "old", "forgotten", "purged"))
    new = correction(old, "new")
    append_all(store, live, old, forgotten, purged, new)
    store.append([on(forgotten, ChangeKind.FORGET)])
    store.purge([on(purged, ChangeKind.PURGE)])
    assert set(find(store)) == {live.id, new.id}
    assert find(store, statuses=(Status.SUPERSEDED,)) == [old.id]
    assert find(store, statuses=(Status.FORGOTTEN,)) == [forgotten.id]
    every = (Status.LIVE, Status.SUPERSEDED, Status.FORGOTTEN, Status.PURGED)
    assert set(find(store, statuses=every)) == {live.id, new.id, old.id, forgotten.id}


def test_a_filter_follows_what_changes_later(store: Store) -> None:
    one = memory("a longer text that will be shortened", tags=("a",))
    append_all(store, one)
    store.append(
        [on(one, ChangeKind.PIN, pinned=True), on(one, ChangeKind.REFRESH, tags=["b"]), condensed(one, "short", 2)]
    )
    assert find(store, pinned=True) == find(store, tag="b") == find(store, phase=Phase.ABSTRACT) == [one.id]
    assert find(store, phase=Phase.FULL) == find(store, pinned=False) == []


def test_an_id_is_found_by_its_beginning(store: Store) -> None:
    one, other = memory("one", created_at=START), memory("other", created_at=START)
    append_all(store, one, other)
    reading = store.reading()
    assert reading.ids_with_prefix(one.id) == (one.id,)
    assert reading.ids_with_prefix("mem_") == tuple(sorted((one.id, other.id)))
    common = one.id[:14]
    assert other.id.startswith(common)
    assert reading.ids_with_prefix(common, limit=1) == (min(one.id, other.id),)
    assert reading.ids_with_prefix(one.id + "0") == ()
    assert reading.ids_with_prefix("mem_%") == reading.ids_with_prefix("mem__") == ()


def test_the_beginning_of_an_id_is_looked_for_in_scope_only(store: Store) -> None:
    here = memory("here")
    elsewhere = memory("elsewhere", project="prj_elsewhere")
    wide = memory("wide", region=Region.AGENT)
    foreign = memory("foreign", agent="other")
    append_all(store, here, elsewhere, wide, foreign)
    reading = store.reading()
    assert set(reading.ids_with_prefix("mem_", scope=HERE)) == {here.id, wide.id}
    assert set(reading.ids_with_prefix("mem_", scope=Scope(agent="other", project=PROJECT))) == {foreign.id}
    assert len(reading.ids_with_prefix("mem_")) == 4


def test_counts_say_how_many_of_each_there_are(store: Store) -> None:
    one = memory("one", kind=Kind.EMOTIONAL, impact=Impact.CRITICAL)
    two = memory("two", sensitivity=Sensitivity.PRIVATE, expires_at=START)
    gone = memory("three")
    append_all(store, one, two, gone, memory("foreign", project="prj_elsewhere"))
    store.append([on(gone, ChangeKind.FORGET)])
    counts = store.reading().counts(HERE, QUERY.now)
    assert counts["status"] == {"live": 2, "forgotten": 1}
    assert counts["kind"] == {"EMOTIONAL": 1, "LEARNINGS": 1}
    assert counts["impact"] == {"CRITICAL": 1, "MEDIUM": 1}
    assert counts["sensitivity"] == {"public": 1, "private": 1}
    assert counts["phase"] == {"0": 2}
    assert counts["region"] == {"PROJECT": 2}
    assert counts["expired"] == 1
    assert counts["changes"] == 5
