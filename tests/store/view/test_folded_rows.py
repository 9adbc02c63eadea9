"""Lines of corrections, what was made of what, and how far a forget or a purge reaches."""

from __future__ import annotations

import pytest

from limpet.lean.record import replace
from limpet.model.change import Change, ChangeKind, Status
from limpet.model.memory import Memory
from limpet.model.scope import Scope
from limpet.store.protocol import Store
from tests.model.making import PROJECT, admit, correction, memory, on
from tests.store.acting import all_memories

HERE = Scope(agent="anima", project=PROJECT)


def status(store: Store, one: Memory) -> Status | None:
    found = store.reading().get(one.id)
    return None if found is None else found.status


def made_of(text: str, *members: Memory) -> Memory:
    return memory(text, lineage=tuple(member.id for member in members))


def test_versions_are_listed_from_the_first_to_the_last(store: Store) -> None:
    first = memory("one")
    second = correction(first, "two")
    third = correction(second, "three")
    store.append([admit(each) for each in (first, second, third)] + [admit(memory("noise"))])
    for asked in (first, second, third):
        found = store.reading().versions(asked.id)
        assert [stored.memory.id for stored in found] == [first.id, second.id, third.id]
        assert [stored.status for stored in found] == [Status.SUPERSEDED, Status.SUPERSEDED, Status.LIVE]
        assert [stored.memory.superseded_by for stored in found] == [second.id, third.id, None]


def test_the_original_text_of_every_version_can_be_got_back(store: Store) -> None:
    first = memory("one")
    second = correction(first, "two")
    store.append([admit(first), admit(second)])
    store.append([on(second, ChangeKind.CONDENSE, content="2", phase=2, token_count=1)])
    contents = [change.payload.get("memory", {}).get("content") for change in store.reading().history(second.id)]
    assert contents == ["two", None]
    found = store.reading().get(second.id)
    assert found is not None and (found.memory.content, found.memory.original_content) == ("2", "two")


def test_corrections_that_crossed_both_live_and_are_linked(store: Store) -> None:
    old = memory("old")
    here, there = correction(old, "here"), correction(old, "there")
    store.append([admit(old), admit(here)])
    store.append([admit(there)])
    assert status(store, here) is status(store, there) is Status.LIVE
    assert status(store, old) is Status.SUPERSEDED
    assert set(store.reading().links(HERE)) == {
        (here.id, "concurrent", there.id),
        (there.id, "concurrent", here.id),
    }


def test_the_correction_of_a_summary_supersedes_it(store: Store) -> None:
    members = [memory(f"member {number}") for number in range(3)]
    summary = made_of("summary", *members)
    better = correction(summary, "better summary")
    store.append([admit(each) for each in (*members, summary, better)])
    assert status(store, summary) is Status.SUPERSEDED
    assert status(store, better) is Status.LIVE
    assert [stored.memory.id for stored in store.reading().versions(better.id)] == [summary.id, better.id]
    assert set(store.reading().descendants(members[0].id)) == {summary.id, better.id}


@pytest.mark.parametrize("order", ["before", "after"])
def test_forgetting_a_member_hides_what_was_made_of_it_and_restoring_brings_it_back(store: Store, order: str) -> None:
    one, other = memory("one"), memory("other")
    summary = made_of("summary", one, other)
    again = made_of("summary of the summary", summary)
    births = [admit(summary), admit(again)]
    store.append([admit(one), admit(other)])
    for changes in (
        ([on(one, ChangeKind.FORGET)], births) if order == "after" else (births, [on(one, ChangeKind.FORGET)])
    ):
        store.append(changes)
    assert [status(store, each) for each in (one, summary, again)] == [Status.FORGOTTEN] * 3
    assert status(store, other) is Status.LIVE
    store.append([on(one, ChangeKind.RESTORE)])
    assert [status(store, each) for each in (one, summary, again)] == [Status.LIVE] * 3


def test_a_summary_arriving_before_its_forgotten_member_is_hidden_when_that_arrives(store: Store) -> None:
    one = memory("one")
    summary = made_of("summary", one)
    store.append([admit(summary)])
    assert status(store, summary) is Status.LIVE
    store.append([on(one, ChangeKind.FORGET), admit(one)])
    assert status(store, summary) is Status.FORGOTTEN


def test_superseding_a_member_leaves_the_summary_in_sight(store: Store) -> None:
    one = memory("one")
    summary = made_of("summary", one)
    store.append([admit(one), admit(summary), on(one, ChangeKind.SUPERSEDE, by=summary.id)])
    assert status(store, one) is Status.SUPERSEDED
    assert status(store, summary) is Status.LIVE


@pytest.mark.parametrize("when", ["first", "between", "last"])
def test_a_purge_reaches_all_that_descends_from_it_whenever_it_comes(store: Store, when: str) -> None:
    one, other = memory("one"), memory("other")
    version = correction(one, "one, better")
    summary = made_of("summary", version, other)
    corrected = correction(summary, "summary, better")
    again = made_of("summary of the summary", corrected)
    births = [admit(each) for each in (one, other, version, summary, corrected, again)]
    purge = on(one, ChangeKind.PURGE)
    match when:
        case "first":
            store.purge([purge])
            store.append(births)
        case "between":
            store.append(births[:4])
            store.purge([purge])
            store.append(births[4:])
        case _:
            store.append(births)
            store.purge([purge])
    assert set(all_memories(store.reading())) == {other.id}
    assert store.reading().descendants(one.id) == ()


def test_links_are_listed_for_a_scope(store: Store) -> None:
    one, other, foreign = memory("one"), memory("other"), memory("foreign", agent="other")
    store.append(
        [
            admit(one),
            admit(other, links=[("near", one.id)]),
            admit(foreign, links=[("near", one.id)]),
            on(one, ChangeKind.LINK, relation="contradicts", to=other.id),
        ]
    )
    expected = {(other.id, "near", one.id), (one.id, "contradicts", other.id)}
    assert set(store.reading().links(HERE)) == expected
    assert set(store.reading().links(Scope(agent="other", project=PROJECT))) == {(foreign.id, "near", one.id)}


@pytest.mark.parametrize("first", ["link", "purge"])
def test_no_link_leads_to_a_purged_memory(store: Store, first: str) -> None:
    one, other = memory("one"), memory("other")
    store.append([admit(one)])
    if first == "purge":
        store.purge([on(one, ChangeKind.PURGE)])
        store.append([admit(other, links=[("near", one.id)])])
    else:
        store.append([admit(other, links=[("near", one.id)])])
        store.purge([on(one, ChangeKind.PURGE)])
    assert store.reading().links(HERE) == ()
    store.append([on(other, ChangeKind.PIN, pinned=True)])
    assert store.reading().links(HERE) == ()


def test_a_change_cannot_replace_a_memory_of_another_line(store: Store) -> None:
    victim, stranger = memory("victim"), memory("stranger")
    store.append([admit(victim)])
    forged = replace(admit(stranger), payload=admit(replace(victim, content="forged")).payload)
    store.append([forged, Change(kind=ChangeKind.FORGET, subject=victim.id, root=stranger.id)])
    found = store.reading().get(victim.id)
    assert found is not None and found.memory == victim
    assert found.status is Status.LIVE
