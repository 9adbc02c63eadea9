"""A purge reaches every copy of a text, on every machine, whenever it arrives."""

from __future__ import annotations

import shutil
from pathlib import Path

from limpet.lean.record import replace
from limpet.model.change import Change, ChangeKind
from tests.model.making import admit, correction, fact, memory, on, state
from tests.store.acting import Clock, all_memories
from tests.store.homes import (
    copy_journal,
    files_holding,
    make_known,
    open_store,
    remove_index,
    rewrite,
    segments,
    tables,
)
from tests.store.view.machines import Machine, assert_same

SECRET = "zephyrine marmalade quixotry"
NEEDLES = ("zephyrin", "marmalad", "quixot")


def test_a_purge_erases_the_copies_of_every_machine_that_hears_of_it(pair: list[Machine]) -> None:
    here, there = pair
    one = memory(SECRET)
    there.store.append([admit(one), state(fact("x", "is", "quixotry", sources=(one.id,)))])
    here.pull(there)
    here.store.reading()
    here.store.purge([on(one, ChangeKind.PURGE)])
    assert files_holding(here.home, *NEEDLES) == {}
    assert files_holding(there.home, *NEEDLES) != {}
    there.pull(here)
    there.store.reading()
    assert files_holding(there.home, *NEEDLES) == {}
    assert_same(pair)


def test_a_purge_reaches_a_forgotten_fact_after_a_rebuild(home: Path) -> None:
    one = memory("harmless")
    forgotten = fact("x", "is", SECRET, sources=(one.id,))
    store = open_store(home, Clock())
    store.append([admit(one), state(forgotten), Change(kind=ChangeKind.FORGET, subject=forgotten.id)])
    store.close()
    remove_index(home)
    again = open_store(home, Clock())
    again.purge([on(one, ChangeKind.PURGE)])
    assert files_holding(home, *NEEDLES) == {}
    assert again.verify().problems == []
    again.close()


def test_a_text_that_arrives_after_its_purge_is_erased_at_once(pair: list[Machine]) -> None:
    here, there = pair
    one = memory("harmless")
    better = correction(one, SECRET)
    here.store.append([admit(one)])
    there.pull(here)
    here.store.purge([on(one, ChangeKind.PURGE)])
    there.store.append([admit(better)])
    here.pull(there)
    assert files_holding(here.home, *NEEDLES) != {}
    assert all_memories(here.store.reading()) == {}
    assert files_holding(here.home, *NEEDLES) == {}
    assert here.store.verify().problems == []


def test_an_older_copy_cannot_bring_a_purged_text_back(pair: list[Machine]) -> None:
    """The other machine has not heard of the purge, and its segment is copied here once more."""
    here, there = pair
    one = memory(SECRET)
    there.store.append([admit(one)])
    here.pull(there)
    here.store.reading()
    here.store.purge([on(one, ChangeKind.PURGE)])
    for number in range(3):
        here.pull(there)
        assert files_holding(here.home, *NEEDLES) != {}
        here.store.reading()
        assert files_holding(here.home, *NEEDLES) == {}
        there.store.append([admit(memory(f"more {number}"))])
    assert here.store.notices == []
    assert len(all_memories(here.store.reading())) == 2
    assert here.store.verify().problems == []


def test_an_older_copy_of_our_own_segment_cannot_bring_a_purged_text_back(pair: list[Machine]) -> None:
    here, there = pair
    one, other = memory(SECRET), memory("other")
    here.store.append([admit(one), admit(other)])
    copy_journal(here.home, there.home)
    here.store.purge([on(one, ChangeKind.PURGE)])
    copy_journal(there.home, here.home)
    assert files_holding(here.home, *NEEDLES) != {}
    assert set(all_memories(here.store.reading())) == {other.id}
    assert files_holding(here.home, *NEEDLES) == {}
    assert here.store.verify().problems == []


def test_an_erased_copy_that_arrives_before_its_purge_is_not_suspicious_afterwards(pair: list[Machine]) -> None:
    here, there = pair
    one = memory(SECRET)
    here.store.append([admit(one)])
    there.pull(here)
    there.store.purge([on(one, ChangeKind.PURGE)])
    shutil.rmtree(here.home)
    fresh = Machine(here.home, here.clock)
    # The erased segment comes first, the purge that explains it later.
    for path in sorted((there.home / "journal").glob("*/*.jsonl"), key=lambda path: "purge" in path.read_text()):
        place = fresh.home / "journal" / path.parent.name / path.name
        place.parent.mkdir()
        rewrite(place, path.read_bytes())
        make_known(there.home, fresh.home)
        fresh.store.reading()
    assert all_memories(fresh.store.reading()) == {}
    assert fresh.store.verify().problems == []
    assert tables(fresh.store)["suspicion"] == []


def test_a_memory_may_be_made_of_more_memories_than_a_statement_has_values(pair: list[Machine]) -> None:
    here, _ = pair
    one = memory(SECRET)
    others = tuple(f"mem_{number}" for number in range(40_000))
    made = replace(memory(f"all of it: {SECRET}"), lineage=(*others, one.id))
    here.store.append([admit(one)])
    here.store.purge([on(one, ChangeKind.PURGE)])
    here.store.append([admit(made), admit(memory("harmless"))])
    assert {each.memory.content for each in all_memories(here.store.reading()).values()} == {"harmless"}
    assert not any(b"marmalade" in path.read_bytes() for path in segments(here.home))
