"""What is purged cannot be read by any question, now or as of any date, from any handle."""

from __future__ import annotations

import pytest

from limpet.lean.record import replace
from limpet.model.change import Change, ChangeKind, Status
from limpet.model.memory import Memory
from limpet.model.scope import Scope, token_of
from limpet.store.protocol import Store
from limpet.text.similarity import simhash
from tests.model.making import PROJECT, START, admit, condensed, correction, memory, on
from tests.store.acting import all_memories, everything, find_ids
from tests.store.conftest import Opener

HERE = Scope(agent="anima", project=PROJECT)


def assert_unreadable(store: Store, one: Memory) -> None:
    reading = store.reading()
    token = token_of(one)
    assert reading.get(one.id) is None
    assert reading.key_of(one.id) is None
    assert reading.code_of(one.id) is None
    assert reading.ids_with_prefix(one.id) == ()
    assert one.id not in all_memories(reading)
    assert find_ids(reading, everything(), one.original_content) == []
    assert reading.same_text(token, one.content_hash) == ()
    assert reading.recent_with_words(token, [one.original_content.split()[0]], each=10) == ()
    assert reading.near_duplicates(token, simhash(one.original_content)) == ()
    assert reading.newest(token, one.kind) != one.id
    assert reading.versions(one.id) == ()
    assert all(one.id not in link for link in reading.links(Scope(agent="anima", every_project=True)))
    assert all(stored.memory.id != one.id for stored in (*reading.twins(), *reading.over_cap(None, "anima", 0)))
    assert all(change.payload == {} for change in reading.history(one.id))
    then = store.reading(START.replace(year=2100))
    assert then.get(one.id) is None and all(change.payload == {} for change in then.history(one.id))


def test_a_purged_memory_can_be_read_by_no_question(opener: Opener) -> None:
    store, elsewhere = opener.open(), opener.open()
    one, other = memory("quartz vein in the cliff"), memory("another text")
    store.append([admit(one, links=[("near", other.id)]), admit(other, links=[("near", one.id)])])
    store.append([condensed(one, "quartz", 2), on(one, ChangeKind.REFRESH, tags=["secret-tag"])])
    store.append([Change(kind=ChangeKind.RECEIPT, subject="r", payload={"ids": [one.id]})], durable=False)
    assert elsewhere.reading().get(one.id) is not None
    store.purge([on(one, ChangeKind.PURGE)])
    for handle in (store, elsewhere, opener.open()):
        assert_unreadable(handle, one)
        assert set(all_memories(handle.reading())) == {other.id}
    assert store.reading().counts(HERE, START)["status"] == {"live": 1}
    assert store.verify().problems == []


def test_purging_one_version_of_a_line_purges_what_follows_from_it(store: Store) -> None:
    first = memory("quartz one")
    second = correction(first, "feldspar two")
    third = correction(second, "mica three")
    store.append([admit(each) for each in (first, second, third)])
    store.purge([on(second, ChangeKind.PURGE)])
    assert_unreadable(store, second)
    assert_unreadable(store, third)
    found = store.reading().get(first.id)
    assert found is not None and found.status is Status.LIVE
    assert found.memory == replace(first)


def test_a_correction_that_arrives_after_the_purge_is_never_readable(store: Store) -> None:
    one = memory("quartz one")
    late = correction(one, "feldspar two")
    store.append([admit(one)])
    store.purge([on(one, ChangeKind.PURGE)])
    store.append([admit(late), on(late, ChangeKind.PIN, pinned=True), condensed(late, "feldspar", 1)])
    assert_unreadable(store, late)
    assert store.verify().problems == []


def test_that_it_was_purged_and_by_whom_stays_known(store: Store) -> None:
    old = memory("quartz")
    new = correction(old, "feldspar")
    store.append([admit(old), admit(new)])
    store.purge([replace(on(each, ChangeKind.PURGE), actor="user:anima") for each in (old, new)])
    for each, birth in ((old, "admit"), (new, "correct")):
        history = store.reading().history(each.id)
        assert [change.kind for change in history] == [birth, "purge"]
        assert history[1].actor == "user:anima"


@pytest.mark.parametrize("verb", [ChangeKind.RESTORE, ChangeKind.IMPORT, ChangeKind.ADMIT])
def test_nothing_brings_a_purged_memory_back(store: Store, verb: ChangeKind) -> None:
    one = memory("quartz vein")
    store.append([admit(one)])
    store.purge([on(one, ChangeKind.PURGE)])
    store.append([admit(one, kind=verb) if verb is not ChangeKind.RESTORE else on(one, verb)])
    assert_unreadable(store, one)


def test_the_same_text_may_be_remembered_anew_under_another_id(store: Store) -> None:
    one, again = memory("quartz vein"), memory("quartz vein")
    store.append([admit(one)])
    store.purge([on(one, ChangeKind.PURGE)])
    store.append([admit(again)])
    found = store.reading().get(again.id)
    assert found is not None and found.status is Status.LIVE
    assert not found.warned


def test_purging_a_twin_shows_the_other(store: Store) -> None:
    one, other = memory("quartz"), memory("quartz")
    store.append([admit(one), admit(other)])
    store.purge([on(one, ChangeKind.PURGE)])
    assert store.reading().twins() == ()
    assert find_ids(store.reading(), replace(everything(), statuses=(Status.LIVE,)), "quartz") == [other.id]


def test_an_access_to_a_purged_memory_counts_for_nothing(store: Store) -> None:
    one, other = memory("quartz"), memory("mica")
    store.append([admit(one), admit(other)])
    store.purge([on(one, ChangeKind.PURGE)])
    store.append([Change(kind=ChangeKind.RECEIPT, subject="r", payload={"ids": [one.id, other.id]})], durable=False)
    assert store.reading().get(one.id) is None
    assert store.reading().counts(HERE, START)["accesses"] == 1
