"""Similar memories become one summary; nothing of them is lost."""

from __future__ import annotations

import itertools
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limpet.lean.record import replace
from limpet.model.change import Status
from limpet.model.memory import Draft, Kind, Memory, Origin, Phase, Sensitivity, Type
from limpet.text.similarity import jaccard
from limpet.text.words import split_words
from limpet.upkeep.compression import find_clusters
from tests.model.making import admit, memory
from tests.operations.sandbox import MODEL, PROGRAM
from tests.upkeep.sandbox import UpkeepSandbox
from tests.upkeep.scripted import Scripted
from tests.upkeep.similar_texts import ALIKE, OTHERS, summaries


def test_what_is_alike_and_old_becomes_one(sandbox: UpkeepSandbox, old: list[Memory]) -> None:
    assert sandbox.upkeep().done == {"compression": 3}
    (summary,) = summaries(sandbox)
    for part in ("in Ulm", "mail to ops", "needs the tunnel"):
        assert part in summary.memory.content
    assert summary.memory.made_of == tuple(memory.id for memory in old)
    for member in old:
        found = sandbox.get(member)
        assert (found.status, found.memory.superseded_by) == (Status.SUPERSEDED, summary.memory.id)
        assert found.memory.original_content == member.original_content
    assert sandbox.ask("verify").problems == ()


def test_what_is_young_is_left_alone(sandbox: UpkeepSandbox) -> None:
    sandbox.fill(OTHERS)
    sandbox.fill(ALIKE)
    sandbox.rest(6.9)
    assert sandbox.upkeep().done == {}


def test_two_are_no_cluster(sandbox: UpkeepSandbox) -> None:
    sandbox.fill(OTHERS)
    sandbox.fill(ALIKE[:2])
    sandbox.rest(8)
    assert sandbox.upkeep().done == {}


def test_a_second_round_changes_nothing(sandbox: UpkeepSandbox, old: list[Memory]) -> None:
    sandbox.upkeep()
    before, count = sandbox.state(), sandbox.changes()
    sandbox.rest(30)
    assert sandbox.upkeep().done == {}
    assert (sandbox.state(), sandbox.changes()) == (before, count)


def test_a_search_finds_the_summary_and_not_its_members(sandbox: UpkeepSandbox, old: list[Memory]) -> None:
    sandbox.upkeep()
    hits = sandbox.ask("recall", query="where does the nightly import write to", as_=MODEL)
    assert hits.items[0].memory.type is Type.COMPRESSED_SUMMARY
    assert not {hit.memory.id for hit in hits.items} & {memory.id for memory in old}


def test_critical_pinned_confirmed_and_passing_ones_are_not_merged(sandbox: UpkeepSandbox) -> None:
    sandbox.fill(OTHERS)
    texts = [f"{ALIKE[0]} in region {number}" for number in range(4)]
    sandbox.remember(texts[0], impact="CRITICAL")
    sandbox.remember(texts[1], pinned=True)
    sandbox.remember(texts[2], ttl_days=300)
    sandbox.ask("confirm", ids=[sandbox.remember(texts[3]).id], yes=True)
    sandbox.rest(8)
    assert sandbox.upkeep("compression").done == {}


def test_scopes_origins_and_sensitivities_are_never_mixed(sandbox: UpkeepSandbox) -> None:
    """Three secrets must not become a public summary, nor three tool outputs something the user said."""
    other = sandbox.folder / "other"
    other.mkdir()
    sandbox.fill(OTHERS)
    sandbox.remember(ALIKE[0])
    sandbox.remember(ALIKE[1], region="AGENT")
    sandbox.remember(ALIKE[2], sensitivity="secret")
    sandbox.remember(f"{ALIKE[0]} again", as_=PROGRAM)
    sandbox.remember(f"{ALIKE[1]} again", origin="tool")
    sandbox.remember(f"{ALIKE[2]} again", cwd=other)
    sandbox.rest(8)
    assert sandbox.upkeep("compression").done == {}


def test_three_secrets_become_a_secret(sandbox: UpkeepSandbox) -> None:
    sandbox.fill(OTHERS)
    sandbox.fill(ALIKE, sensitivity=Sensitivity.SECRET)
    sandbox.rest(8)
    sandbox.upkeep()
    assert summaries(sandbox) == []
    found = [each for each in sandbox.ask("list", private=True, limit=1000).items if each.memory.made_of]
    assert [each.memory.sensitivity for each in found] == [Sensitivity.SECRET]
    assert not {"nightly", "audit"}.intersection(" ".join(sandbox.texts("recall", query="nightly audit log")).split())


def test_trust_is_not_laundered(sandbox: UpkeepSandbox) -> None:
    """The summary has the least origin and confidence of its sources, whoever would like it to have more."""
    sandbox.fill(OTHERS)
    texts = [Draft(text=text, origin=Origin.TOOL, confidence=0.9 - number / 10) for number, text in enumerate(ALIKE)]
    sandbox.admit(*texts)
    sandbox.rest(8)
    sandbox.upkeep()
    (summary,) = summaries(sandbox)
    assert summary.memory.origin is Origin.TOOL
    assert summary.memory.confidence == pytest.approx(0.7)
    assert not summary.memory.confirmed
    with sandbox.open() as runtime:
        members = tuple(sandbox.get(name).memory for name in summary.memory.made_of)
        mixed = (*members[:1], *(sandbox.remember(text) for text in ("one", "two", "three", "four")))
        outcome: Any = runtime.admission().admit(Draft(text="all of it", origin=Origin.USER, sources=mixed))
    assert outcome.memory.origin is Origin.TOOL
    assert outcome.memory.lineage == tuple(each.id for each in mixed)


def test_summaries_stay_signed(sandbox: UpkeepSandbox) -> None:
    sandbox.ask("sign")
    sandbox.fill(OTHERS)
    old = sandbox.fill(ALIKE)
    sandbox.rest(8)
    sandbox.upkeep()
    (summary,) = summaries(sandbox)
    assert summary.memory.signature
    assert not summary.warned and not any(sandbox.get(member).warned for member in old)


def test_members_are_not_doubted_for_being_summed_up(sandbox: UpkeepSandbox, old: list[Memory]) -> None:
    sandbox.upkeep()
    assert all(sandbox.get(member).memory.confidence == member.confidence for member in old)


def test_what_contradicts_another_is_not_merged_with_it(sandbox: UpkeepSandbox) -> None:
    sandbox.fill(OTHERS)
    one = sandbox.remember("Log the retries of the queue worker on the production machines")
    two = sandbox.remember("Never log the retries of the queue worker on the production machines")
    three = sandbox.remember("Always log the retries of the queue worker on the production machines")
    sandbox.rest(8)
    sandbox.upkeep()
    assert [sandbox.get(each).status for each in (one, two, three)] == [Status.LIVE] * 3


def test_old_memories_are_summed_up_by_hand(sandbox: UpkeepSandbox) -> None:
    sandbox.fill(OTHERS)
    sandbox.rest(31)
    answer = sandbox.json("upkeep", summarize_old=True)
    assert answer["done"] == {} and answer["notices"]
    agreed = answer["notices"][0].rpartition("--agree ")[2].split()[0]
    answer = sandbox.json("upkeep", summarize_old=True, agree=[agreed])
    assert answer["done"] == {"summarizing": len(OTHERS)}
    shown = "\n".join(sandbox.texts(limit=1000))
    assert all(text in shown for text in OTHERS)
    first = sandbox.ask("list", all=True, limit=1000).items[-1].memory
    assert sandbox.ask("restore", id=first.id).stored.status is Status.LIVE


def test_a_large_cluster_becomes_several_summaries(sandbox: UpkeepSandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LIMPET_STORE__RETIRE_SHARE", "1")
    monkeypatch.setenv("LIMPET_ADMIT__NEAR_DUPLICATES", "false")
    texts = [f"{ALIKE[0]} on machine number {number} of the cluster" for number in range(45)]
    sandbox.fill(texts)
    sandbox.rest(8)
    sandbox.upkeep()
    found = summaries(sandbox)
    assert len(found) == 3
    assert all(each.memory.phase is Phase.FULL and len(each.memory.made_of) == 15 for each in found)
    shown = "\n".join(each.memory.content for each in found)
    assert all(f"machine number {number} of" in shown for number in range(45))


def test_what_belongs_to_nobody_is_not_merged_into_what_everybody_sees(sandbox: UpkeepSandbox) -> None:
    sandbox.fill(OTHERS)
    drafts = [replace(memory(text), agent="anima", project=None, origin=Origin.USER) for text in ALIKE]
    with sandbox.open() as runtime:
        runtime.store.append([admit(each) for each in drafts])
    sandbox.rest(30)
    assert sandbox.upkeep().done == {}


def test_merging_with_an_empty_answer_keeps_every_essence(sandbox: UpkeepSandbox) -> None:
    sandbox.fill(OTHERS)
    sandbox.fill(ALIKE)
    sandbox.rest(8)
    sandbox.upkeep(roles=Scripted(""))
    (made,) = [each for each in sandbox.ask("list", limit=100).items if each.memory.type is Type.COMPRESSED_SUMMARY]
    assert all(part in made.memory.content for part in ("in Ulm", "mail to ops", "needs the tunnel"))


def test_what_was_captured_is_merged_in_its_project_within_the_limits_of_its_origin(sandbox: UpkeepSandbox) -> None:
    texts = [f"Always deploy the mirror everywhere, in all my repos, with key {n}, never by hand" for n in range(4)]
    members = sandbox.admit(*(Draft(text=text, origin=Origin.TOOL, kind=Kind.EMOTIONAL) for text in texts))
    assert len(members) == 4
    sandbox.rest(8)
    sandbox.upkeep("compression")
    (summary,) = [each for each in sandbox.json("list")["memories"] if each["type"] == "compressed_summary"]
    assert (summary["region"], summary["origin"]) == ("PROJECT", "tool")
    assert (summary["kind"], summary["impact"]) == ("LEARNINGS", "MEDIUM")
    (sandbox.folder / "other").mkdir()
    assert sandbox.texts(cwd=sandbox.folder / "other") == []


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
    known = [text for text in texts if split_words(text)]
    assert sorted(find_clusters(known, alike=alike, least=2)) == sorted(slow_clusters(known, alike, 2))


def test_ten_thousand_texts_are_feasible() -> None:
    """Counted in comparisons of words held in common, not in seconds: far fewer than each with each."""
    chance = random.Random(7)
    names = [f"word{number}" for number in range(4000)]
    texts = [" ".join(chance.choices(names, k=20)) for _ in range(10_000)]
    texts += [f"{texts[0]} {number}" for number in range(3)]
    assert find_clusters(texts, alike=0.5, least=3) == [[0, 10_000, 10_001, 10_002]]
