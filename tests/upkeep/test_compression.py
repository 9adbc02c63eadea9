"""Memories that say much the same become one; nothing of them is lost, and every merge can be undone."""

from __future__ import annotations

import itertools
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limpet.model.change import ChangeKind, Status
from limpet.model.memory import Draft, Memory, Origin, Phase, Sensitivity, Type
from limpet.model.query import Stored
from limpet.text.similarity import jaccard
from limpet.text.words import words
from limpet.upkeep.clusters import find_clusters
from tests.operations.desk import MODEL, PROGRAM
from tests.upkeep.house import House

ALIKE = (
    "The nightly import of the customer table writes to the audit log in Ulm",
    "The nightly import of the customer table writes to the audit log and sends a mail to ops",
    "The nightly import of the customer table writes to the audit log and needs the tunnel",
)
_chance = random.Random("others")
OTHERS = tuple(
    " ".join("".join(_chance.choices("bdfghklmnprstvz", k=2)) + _chance.choice(("ora", "uni", "eba")) for _ in range(9))
    for _ in range(20)
)


@pytest.fixture
def old(house: House) -> list[Memory]:
    """Three that are alike, among many others, eight days old."""
    house.fill(OTHERS)
    found = house.fill(ALIKE)
    house.rest(8)
    return found


def summaries(house: House) -> list[Stored]:
    return [each for each in house.ask("list", limit=1000).items if each.memory.type is Type.COMPRESSED_SUMMARY]


def test_what_is_alike_and_old_becomes_one(house: House, old: list[Memory]) -> None:
    assert house.upkeep().done == {"compression": 3}
    (summary,) = summaries(house)
    for part in ("in Ulm", "mail to ops", "needs the tunnel"):
        assert part in summary.memory.content
    assert summary.memory.made_of == tuple(memory.id for memory in old)
    for member in old:
        found = house.get(member)
        assert (found.status, found.memory.superseded_by) == (Status.SUPERSEDED, summary.memory.id)
        assert found.memory.original_content == member.original_content
    assert house.ask("verify").problems == ()


def test_what_is_young_is_left_alone(house: House) -> None:
    house.fill(OTHERS)
    house.fill(ALIKE)
    house.rest(6.9)
    assert house.upkeep().done == {}


def test_two_are_no_cluster(house: House) -> None:
    house.fill(OTHERS)
    house.fill(ALIKE[:2])
    house.rest(8)
    assert house.upkeep().done == {}


def test_a_second_round_changes_nothing(house: House, old: list[Memory]) -> None:
    house.upkeep()
    before, count = house.state(), house.changes()
    house.rest(30)
    assert house.upkeep().done == {}
    assert (house.state(), house.changes()) == (before, count)


def test_a_search_finds_the_summary_and_not_its_members(house: House, old: list[Memory]) -> None:
    house.upkeep()
    hits = house.ask("recall", query="where does the nightly import write to", as_=MODEL)
    assert hits.items[0].memory.type is Type.COMPRESSED_SUMMARY
    assert not {hit.memory.id for hit in hits.items} & {memory.id for memory in old}


def test_critical_pinned_confirmed_and_passing_ones_are_not_merged(house: House) -> None:
    house.fill(OTHERS)
    texts = [f"{ALIKE[0]} in region {number}" for number in range(4)]
    house.remember(texts[0], impact="CRITICAL")
    house.remember(texts[1], pinned=True)
    house.remember(texts[2], ttl_days=300)
    house.ask("confirm", ids=[house.remember(texts[3]).id], yes=True)
    house.rest(8)
    assert house.upkeep("compression").done == {}


def test_scopes_origins_and_sensitivities_are_never_mixed(house: House) -> None:
    """Three secrets must not become a public summary, nor three tool outputs something the user said."""
    other = house.folder / "other"
    other.mkdir()
    house.fill(OTHERS)
    house.remember(ALIKE[0])
    house.remember(ALIKE[1], region="AGENT")
    house.remember(ALIKE[2], sensitivity="secret")
    house.remember(f"{ALIKE[0]} again", as_=PROGRAM)
    house.remember(f"{ALIKE[1]} again", origin="tool")
    house.remember(f"{ALIKE[2]} again", cwd=other)
    house.rest(8)
    assert house.upkeep("compression").done == {}


def test_three_secrets_become_a_secret(house: House) -> None:
    house.fill(OTHERS)
    house.fill(ALIKE, sensitivity=Sensitivity.SECRET)
    house.rest(8)
    house.upkeep()
    assert summaries(house) == []
    found = [each for each in house.ask("list", private=True, limit=1000).items if each.memory.made_of]
    assert [each.memory.sensitivity for each in found] == [Sensitivity.SECRET]
    assert house.texts("recall", query="nightly import audit log") == []


def test_trust_is_not_laundered(house: House) -> None:
    """The summary has the least origin and confidence of its sources, whoever would like it to have more."""
    house.fill(OTHERS)
    texts = [Draft(text=text, origin=Origin.TOOL, confidence=0.9 - number / 10) for number, text in enumerate(ALIKE)]
    house.admit(*texts)
    house.rest(8)
    house.upkeep()
    (summary,) = summaries(house)
    assert summary.memory.origin is Origin.TOOL
    assert summary.memory.confidence == pytest.approx(0.7)
    assert not summary.memory.confirmed
    with house.open() as runtime:
        members = tuple(house.get(name).memory for name in summary.memory.made_of)
        mixed = (*members[:1], *(house.remember(text) for text in ("one", "two", "three", "four")))
        outcome: Any = runtime.admission().admit(Draft(text="all of it", origin=Origin.USER, sources=mixed))
    assert outcome.memory.origin is Origin.TOOL
    assert outcome.memory.lineage == tuple(each.id for each in mixed)


def test_forgetting_one_member_retires_the_summary_and_revives_the_others(house: House, old: list[Memory]) -> None:
    house.upkeep()
    (summary,) = summaries(house)
    house.ask("forget", ids=[old[1].id])
    assert house.get(summary.memory).status is Status.FORGOTTEN
    assert [house.get(member).status for member in old] == [Status.LIVE, Status.FORGOTTEN, Status.LIVE]
    assert not any("mail" in text for text in house.texts(limit=1000))
    before = house.state()
    house.rest(30)
    house.upkeep()
    assert house.state() == before
    house.ask("restore", id=old[1].id)
    assert [house.get(member).status for member in old] == [Status.LIVE] * 3
    assert house.get(summary.memory).status is Status.FORGOTTEN


def test_forgetting_the_summary_forgets_what_it_says(house: House, old: list[Memory]) -> None:
    house.upkeep()
    (summary,) = summaries(house)
    house.ask("forget", ids=[summary.memory.id])
    house.upkeep()
    assert not any("nightly import" in text for text in house.texts(limit=1000))
    house.ask("restore", id=summary.memory.id)
    assert [each.memory.id for each in summaries(house)] == [summary.memory.id]


def test_purging_one_member_takes_the_summary_along_and_revives_the_others(house: House, old: list[Memory]) -> None:
    house.upkeep()
    (summary,) = summaries(house)
    house.ask("purge", ids=[old[1].id], yes=True)
    assert summaries(house) == []
    assert [house.get(member).status for member in (old[0], old[2])] == [Status.LIVE] * 2
    assert house.files_with("sends a mail") == []
    assert house.ask("verify").problems == ()
    assert summary.memory.id not in house.state()


def test_forgetting_a_session_reaches_what_was_merged(house: House) -> None:
    house.fill(OTHERS)
    kept = house.fill([*ALIKE[:2], f"{ALIKE[0]} too"])
    bad = house.remember(ALIKE[2], session="bad")
    house.rest(8)
    house.upkeep()
    house.ask("forget", source="session:bad")
    assert house.get(bad).status is Status.FORGOTTEN
    assert [house.get(member).status for member in kept] == [Status.LIVE] * 3
    assert not any("tunnel" in text for text in house.texts(limit=1000))


def test_restoring_a_member_undoes_the_merge_and_it_is_not_done_again(house: House, old: list[Memory]) -> None:
    house.upkeep()
    (summary,) = summaries(house)
    restored = house.ask("restore", id=old[0].id)
    assert restored.stored.memory.content == old[0].content
    assert [house.get(member).status for member in old] == [Status.LIVE] * 3
    assert house.get(summary.memory).status is Status.SUPERSEDED
    before = house.state()
    house.rest(30)
    assert house.upkeep().done == {}
    assert house.state() == before


def test_correcting_a_member_keeps_what_the_others_say(house: House, old: list[Memory]) -> None:
    house.upkeep()
    better = house.ask("correct", id=old[1].id, text=ALIKE[1].replace("mail", "letter")).memory
    house.upkeep()
    shown = house.texts(limit=1000)
    assert sum("letter" in text for text in shown) == 1
    assert not any("mail" in text for text in shown)
    assert any("Ulm" in text for text in shown) and any("tunnel" in text for text in shown)
    assert house.get(better).memory.version == 2


def test_a_merge_that_was_cut_short_is_completed(house: House, old: list[Memory]) -> None:
    """The summary is written first: whoever is killed behind it leaves too much in sight, never too little."""
    with house.open() as runtime:
        from limpet.operations.upkeep import means_of
        from limpet.upkeep.compression import compress

        (plan,) = compress(means_of(runtime))
        (part,) = plan.parts
        assert [change.kind for change in part] == [ChangeKind.ADMIT, *[ChangeKind.SUPERSEDE] * 3]
        runtime.store.append(part[:2])
    assert [house.get(member).status for member in old] == [Status.SUPERSEDED, Status.LIVE, Status.LIVE]
    assert house.upkeep().done == {"repair": 2}
    assert [house.get(member).status for member in old] == [Status.SUPERSEDED] * 3
    assert len(summaries(house)) == 1


def test_more_than_a_fifth_of_a_scope_is_asked_about_first(house: House) -> None:
    house.fill(OTHERS[:8])
    house.fill(ALIKE)
    house.rest(8)
    before = house.state()
    answer = house.upkeep()
    assert answer.done == {} and "would retire 3 of 11" in answer.notices[0]
    assert house.state() == before
    assert house.json("upkeep", yes=True)["done"] == {"compression": 3}


def test_only_a_person_may_agree(house: House) -> None:
    from limpet.errors import Refused

    with pytest.raises(Refused):
        house.ask("upkeep", yes=True, as_=MODEL)


def test_summaries_stay_signed(house: House) -> None:
    house.ask("sign")
    house.fill(OTHERS)
    old = house.fill(ALIKE)
    house.rest(8)
    house.upkeep()
    (summary,) = summaries(house)
    assert summary.memory.signature
    assert not summary.warned and not any(house.get(member).warned for member in old)


def test_members_are_not_doubted_for_being_summed_up(house: House, old: list[Memory]) -> None:
    house.upkeep()
    assert all(house.get(member).memory.confidence == member.confidence for member in old)


def test_what_contradicts_another_is_not_merged_with_it(house: House) -> None:
    house.fill(OTHERS)
    one = house.remember("The retry limit of the queue worker is 5 on the production machines")
    two = house.remember("The retry limit of the queue worker is 9 on the production machines")
    three = house.remember("The retry limit of the queue worker is not 9 on the production machines")
    house.rest(8)
    house.upkeep()
    assert [house.get(each).status for each in (one, two, three)] == [Status.LIVE] * 3


def test_old_memories_are_summed_up_by_hand(house: House) -> None:
    house.fill(OTHERS)
    house.rest(31)
    answer = house.json("upkeep", summarize_old=True)
    assert answer["done"] == {} and answer["notices"]
    answer = house.json("upkeep", summarize_old=True, yes=True)
    assert answer["done"] == {"summarizing": len(OTHERS)}
    shown = "\n".join(house.texts(limit=1000))
    assert all(text in shown for text in OTHERS)
    first = house.ask("list", all=True, limit=1000).items[-1].memory
    assert house.ask("restore", id=first.id).stored.status is Status.LIVE


def slow_clusters(texts: list[str], alike: float, least: int) -> list[list[int]]:
    """Each with each."""
    group = list(range(len(texts)))
    for one, other in itertools.combinations(range(len(texts)), 2):
        if jaccard(texts[one], texts[other]) >= alike:
            low, high = sorted((group[one], group[other]))
            group = [low if each == high else each for each in group]
    found = [[at for at, each in enumerate(group) if each == name] for name in sorted(set(group))]
    return [members for members in found if len(members) >= least]


@given(
    st.lists(st.lists(st.sampled_from("abcdefghij"), max_size=8).map(" ".join), max_size=14),
    st.sampled_from((0.3, 0.5, 0.75, 1.0)),
)
def test_no_pair_is_missed_though_few_are_compared(texts: list[str], alike: float) -> None:
    known = [text for text in texts if words(text)]
    assert sorted(find_clusters(known, alike=alike, least=2)) == sorted(slow_clusters(known, alike, 2))


def test_ten_thousand_texts_are_feasible() -> None:
    """Counted in comparisons of words held in common, not in seconds: far fewer than each with each."""
    chance = random.Random(7)
    names = [f"word{number}" for number in range(4000)]
    texts = [" ".join(chance.choices(names, k=20)) for _ in range(10_000)]
    texts += [f"{texts[0]} {number}" for number in range(3)]
    assert find_clusters(texts, alike=0.5, least=3) == [[0, 10_000, 10_001, 10_002]]


def test_a_large_cluster_becomes_several_summaries(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LIMPET_STORE__RETIRE_SHARE", "1")
    monkeypatch.setenv("LIMPET_ADMIT__NEAR_DUPLICATES", "false")
    texts = [f"{ALIKE[0]} on machine number {number} of the cluster" for number in range(45)]
    house.fill(texts)
    house.rest(8)
    house.upkeep()
    found = summaries(house)
    assert len(found) == 3
    assert all(each.memory.phase is Phase.FULL and len(each.memory.made_of) == 15 for each in found)
    shown = "\n".join(each.memory.content for each in found)
    assert all(f"machine number {number} of" in shown for number in range(45))
