"""The fold: changes of one line, in whatever order they arrive, make one state."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limpet.lean.record import replace
from limpet.model.change import CAPTURE, Change, ChangeKind, Status
from limpet.model.codec import decode_fact, decode_memory, encode_fact, encode_memory
from limpet.model.fold import (
    MemoryState,
    find_capture,
    fold_agent,
    fold_fact,
    fold_memories,
    fold_project,
    fold_session,
    sort_changes,
)
from limpet.model.memory import Concept, Impact, Memory, Phase, Region, Scale, Tier
from tests.model import strategies
from tests.model.making import (
    START,
    START_MS,
    admit,
    at,
    close,
    condensed,
    correction,
    fact,
    in_sequence,
    memory,
    on,
    stamped,
    state,
)


def states(changes: Sequence[Change]) -> dict[str, MemoryState]:
    return {each.memory.id: each for each in fold_memories(changes)}


def statuses(*changes: Change) -> dict[str, Status]:
    """Return the status of each memory after these changes, one after the other."""
    return {name: each.status for name, each in states(in_sequence(changes)).items()}


def only_memory(*changes: Change) -> Memory:
    """Return the one memory that these changes leave."""
    (found,) = fold_memories(in_sequence(changes))
    return found.memory


@st.composite
def histories(draw: st.DrawFn) -> list[Change]:
    """Draw changes of one line, stamped in any order: the clocks of different machines need not agree."""
    line = [memory("a first text")]
    made = [admit(line[0])]
    for number in range(draw(st.integers(0, 9))):
        one = draw(st.sampled_from(line))
        match draw(st.sampled_from(["correct"] * 3 + ["hide"] * 4 + ["alter"] * 3)):
            case "correct":
                line.append(correction(one, f"text {number}"))
                made.append(admit(line[-1]))
            case "hide":
                made.append(on(one, draw(st.sampled_from(["forget", "forget", "restore", "restore", "purge"]))))
            case _:
                made.append(
                    draw(
                        st.sampled_from(
                            [
                                condensed(one, f"short {number}", draw(st.integers(0, 3))),
                                on(one, ChangeKind.PIN, pinned=draw(st.booleans())),
                                on(one, ChangeKind.CONFIRM),
                                on(one, ChangeKind.DOUBT, confidence=draw(st.sampled_from([0.2, 0.6]))),
                                on(one, ChangeKind.REFRESH, tags=[f"t{number}"], files_read=["a.py"]),
                                on(one, ChangeKind.LINK, relation="near", to=line[0].id),
                                on(one, ChangeKind.MOVE, region="PROJECT", project=f"prj_{number}", impact="LOW"),
                                on(one, ChangeKind.MOVE, region="AGENT"),
                                on(one, ChangeKind.SUPERSEDE, by=line[-1].id),
                                on(one, "dream", of="sheep"),
                            ]
                        )
                    )
                )
    times = draw(st.permutations(range(len(made))))
    return [stamped(change, START_MS + ms, ms) for change, ms in zip(made, times, strict=True)]


@given(histories(), st.randoms(use_true_random=False))
def test_any_order_of_arrival_gives_the_same_state(history: list[Change], random: Any) -> None:
    arrived = list(history)
    random.shuffle(arrived)
    assert fold_memories(arrived) == fold_memories(sort_changes(history))


@given(histories())
def test_what_has_arrived_twice_counts_once(history: list[Change]) -> None:
    assert fold_memories([*history, *history]) == fold_memories(history)


@given(histories())
def test_nothing_that_descends_from_a_purged_memory_is_left(history: list[Change]) -> None:
    purged = {change.subject for change in history if change.kind == ChangeKind.PURGE}
    for found in fold_memories(history):
        assert purged.isdisjoint((found.memory.id, *found.memory.lineage))


@given(histories())
def test_nothing_that_descends_from_a_forgotten_memory_is_in_sight(history: list[Change]) -> None:
    last_restore = max((change.id for change in history if change.kind == ChangeKind.RESTORE), default="")
    hidden = {change.subject for change in history if change.kind == ChangeKind.FORGET and change.id > last_restore}
    for found in fold_memories(history):
        if not hidden.isdisjoint((found.memory.id, *found.memory.lineage)):
            assert found.status is Status.FORGOTTEN


@given(histories())
def test_what_every_history_leaves_can_be_written_and_read_again(history: list[Change]) -> None:
    for found in fold_memories(history):
        assert decode_memory(encode_memory(found.memory, sparse=True)) == found.memory


def test_an_admitted_memory_is_live_and_as_it_was_said() -> None:
    one = memory("The port is 8080", tags=("net",))
    changes = in_sequence([admit(one)])
    (found,) = fold_memories(changes)
    assert found == MemoryState(memory=one, status=Status.LIVE, birth=changes[0].id)


def test_a_memory_is_as_it_was_born_until_a_change_makes_another_of_it() -> None:
    one = memory("The port is 8080")
    changes = in_sequence([admit(one), on(one, ChangeKind.PIN, pinned=True), on(one, ChangeKind.PIN, pinned=False)])
    assert [fold_memories(changes[:count])[0].birth for count in (1, 2, 3)] == [changes[0].id, None, changes[0].id]


def test_a_correction_supersedes_and_both_stay() -> None:
    old = memory("The port is 8080")
    new = correction(old, "The port is 9090")
    found = states(in_sequence([admit(old), admit(new)]))
    assert found[old.id].status is Status.SUPERSEDED
    assert found[old.id].memory.superseded_by == new.id
    assert found[old.id].memory.content == "The port is 8080"
    assert (found[new.id].memory, found[new.id].status) == (new, Status.LIVE)


def test_a_forget_hides_and_a_restore_lifts_it() -> None:
    one = memory()
    assert statuses(admit(one), on(one, ChangeKind.FORGET)) == {one.id: Status.FORGOTTEN}
    assert statuses(admit(one), on(one, ChangeKind.FORGET), on(one, ChangeKind.RESTORE)) == {one.id: Status.LIVE}
    again = (admit(one), on(one, ChangeKind.FORGET), on(one, ChangeKind.RESTORE), on(one, ChangeKind.FORGET))
    assert statuses(*again) == {one.id: Status.FORGOTTEN}


def test_a_correction_made_after_the_forget_stays_hidden() -> None:
    old = memory("The port is 8080")
    new = correction(old, "The port is 9090")
    found = statuses(admit(old), on(old, ChangeKind.FORGET), admit(new))
    assert found == {old.id: Status.FORGOTTEN, new.id: Status.FORGOTTEN}


def test_a_correction_that_arrives_after_the_forget_stays_hidden_whatever_its_id() -> None:
    old = memory("The port is 8080")
    new = correction(old, "The port is 9090")
    for forgotten_at, corrected_at in ((1, 2), (2, 1)):
        changes = [
            stamped(admit(old), START_MS),
            stamped(on(old, ChangeKind.FORGET), START_MS + forgotten_at),
            stamped(admit(new), START_MS + corrected_at),
        ]
        assert {each.status for each in fold_memories(changes)} == {Status.FORGOTTEN}


def test_forgetting_a_later_version_leaves_the_earlier_one_superseded() -> None:
    old = memory("one")
    new = correction(old, "two")
    found = statuses(admit(old), admit(new), on(new, ChangeKind.FORGET))
    assert found == {old.id: Status.SUPERSEDED, new.id: Status.FORGOTTEN}


@pytest.mark.parametrize("which", [0, 1, 2])
def test_restoring_any_version_lifts_what_hid_it(which: int) -> None:
    first = memory("one")
    second = correction(first, "two")
    third = correction(second, "three")
    line = (first, second, third)
    made = [admit(each) for each in line]
    found = statuses(*made, on(first, ChangeKind.FORGET), on(line[which], ChangeKind.RESTORE))
    assert found == {first.id: Status.SUPERSEDED, second.id: Status.SUPERSEDED, third.id: Status.LIVE}


def test_purging_a_version_does_not_undo_the_restore_it_was_part_of() -> None:
    first = memory("one")
    second = correction(first, "two")
    made = in_sequence(
        [
            admit(first),
            admit(second),
            on(first, ChangeKind.FORGET),
            on(second, ChangeKind.RESTORE),
            on(second, ChangeKind.PURGE),
        ]
    )
    blank = [replace(change, payload={}) if change.subject == second.id else change for change in made]
    for history in (made, blank):
        assert [each.status for each in fold_memories(history)] == [Status.LIVE]


def test_concurrent_corrections_both_live_and_name_each_other() -> None:
    old = memory("The port is 8080")
    here, there = correction(old, "The port is 9090"), correction(old, "The port is 7070")
    found = states(in_sequence([admit(old), admit(here), admit(there)]))
    assert found[here.id].status is found[there.id].status is Status.LIVE
    assert found[old.id].memory.superseded_by == here.id
    assert found[here.id].links == (("concurrent", there.id),)
    assert found[there.id].links == (("concurrent", here.id),)


def test_corrections_that_follow_each_other_are_not_concurrent() -> None:
    first = memory("one")
    second = correction(first, "two")
    third = correction(second, "three")
    found = fold_memories(in_sequence([admit(first), admit(second), admit(third)]))
    assert [each.links for each in found] == [(), (), ()]


def test_a_purge_removes_a_memory_and_its_corrections_whole() -> None:
    old = memory("one")
    new = correction(old, "two")
    assert statuses(admit(old), on(old, ChangeKind.PURGE), admit(new)) == {}
    assert statuses(on(old, ChangeKind.PURGE), admit(old)) == {}


def test_nothing_lifts_a_purge() -> None:
    one = memory()
    assert (
        statuses(admit(one), on(one, ChangeKind.PURGE), on(one, ChangeKind.RESTORE), admit(one, kind=ChangeKind.IMPORT))
        == {}
    )


def test_a_purged_correction_gives_the_older_version_back() -> None:
    old = memory("one")
    new = correction(old, "two")
    assert statuses(admit(old), admit(new), on(new, ChangeKind.PURGE)) == {old.id: Status.LIVE}


def test_a_supersession_from_another_line_retires_and_a_restore_revives() -> None:
    one, other = memory("same"), memory("same")
    found = states(in_sequence([admit(one), on(one, ChangeKind.SUPERSEDE, by=other.id)]))
    assert (found[one.id].status, found[one.id].memory.superseded_by) == (Status.SUPERSEDED, other.id)
    revived = (admit(one), on(one, ChangeKind.SUPERSEDE, by=other.id), on(one, ChangeKind.RESTORE))
    assert statuses(*revived) == {one.id: Status.LIVE}


def test_condensing_shortens_what_is_shown_and_keeps_the_original() -> None:
    one = memory("The port is 8080 because 80 was taken")
    shorter = only_memory(admit(one), condensed(one, "Port 8080", 1), condensed(one, "8080", 2, signature="s"))
    assert (shorter.content, shorter.phase, shorter.signature) == ("8080", Phase.ABSTRACT, "s")
    assert shorter.original_content == one.original_content
    assert shorter.updated_at == one.updated_at
    assert only_memory(admit(one), condensed(one, "8080", 2), condensed(one, one.content, 0)) == one


def test_confirming_makes_it_certain_and_a_later_doubt_counts_again() -> None:
    one = memory(confidence=0.5)
    sure = only_memory(admit(one), on(one, ChangeKind.CONFIRM))
    assert (sure.confirmed, sure.confidence) == (True, 1.0)
    doubted = only_memory(admit(one), on(one, ChangeKind.CONFIRM), on(one, ChangeKind.DOUBT, confidence=0.3))
    assert (doubted.confirmed, doubted.confidence) == (True, 0.3)


def test_a_noted_memory_is_kept_by_a_change_that_says_why_and_noted_again_by_another() -> None:
    one = memory(tier=Tier.NOTED)
    kept = only_memory(admit(one), on(one, ChangeKind.KEEP, earned="chosen in the inbox"))
    assert (kept.tier, kept.earned) == (Tier.KEPT, "chosen in the inbox")
    again = only_memory(admit(one), on(one, ChangeKind.KEEP, earned="used"), on(one, ChangeKind.NOTE))
    assert (again.tier, again.earned) == (Tier.NOTED, "")


def test_a_note_takes_a_confirmation_back_only_if_it_says_so() -> None:
    one = memory(tier=Tier.NOTED, confidence=0.5)
    sure = (admit(one), on(one, ChangeKind.CONFIRM))
    assert only_memory(*sure, on(one, ChangeKind.NOTE, confirmed=False, confidence=0.5)) == one
    assert only_memory(*sure, on(one, ChangeKind.NOTE)).confirmed


def test_what_a_person_confirms_or_pins_is_kept() -> None:
    one = memory(tier=Tier.NOTED)
    confirmed = only_memory(admit(one), on(one, ChangeKind.CONFIRM))
    assert (confirmed.tier, confirmed.earned) == (Tier.KEPT, "confirmed")
    pinned = only_memory(admit(one), on(one, ChangeKind.PIN, pinned=True))
    assert (pinned.tier, pinned.earned) == (Tier.KEPT, "pinned")


def test_a_keep_without_a_reason_changes_nothing() -> None:
    one = memory(tier=Tier.NOTED)
    assert only_memory(admit(one), on(one, ChangeKind.KEEP)) == one


def test_what_is_dropped_is_out_of_sight_until_it_is_restored() -> None:
    one = memory(tier=Tier.NOTED)
    assert statuses(admit(one), on(one, ChangeKind.DROP)) == {one.id: Status.FORGOTTEN}
    assert statuses(admit(one), on(one, ChangeKind.DROP), on(one, ChangeKind.RESTORE)) == {one.id: Status.LIVE}


@pytest.mark.parametrize(("given_confidence", "left"), [(0.4, 0.4), (0.9, 0.8), (-3, 0.0), (float("nan"), 0.8)])
def test_a_doubt_only_ever_lowers_confidence(given_confidence: float, left: float) -> None:
    one = memory(confidence=0.8)
    assert only_memory(admit(one), on(one, ChangeKind.DOUBT, confidence=given_confidence)).confidence == left


def test_pins_follow_the_last_word() -> None:
    one = memory()
    assert only_memory(admit(one), on(one, ChangeKind.PIN, pinned=True)).pinned
    assert not only_memory(
        admit(one), on(one, ChangeKind.PIN, pinned=True), on(one, ChangeKind.PIN, pinned=False)
    ).pinned


def test_a_refresh_adds_and_takes_nothing_away() -> None:
    one = memory(tags=("a",), concepts=(Concept.GOTCHA,), files_read=("x.py",))
    more = only_memory(
        admit(one),
        on(one, ChangeKind.REFRESH, tags=["a", "b"], concepts=["pattern"], files_modified=["y.py"]),
    )
    assert more.tags == ("a", "b")
    assert more.concepts == (Concept.GOTCHA, Concept.PATTERN)
    assert (more.files_read, more.files_modified) == (("x.py",), ("y.py",))
    assert more.updated_at == one.updated_at


def test_a_scale_only_ever_rises_whatever_the_order_of_promotions() -> None:
    one = memory(scale=Scale.TASK)
    promotions = [on(one, ChangeKind.REFRESH, scale=name) for name in ("session", "project", "immediate", "galactic")]
    for order in (promotions, promotions[::-1]):
        assert only_memory(admit(one), *order).scale is Scale.PROJECT


def test_links_given_at_birth_and_later_are_kept_once() -> None:
    one, other = memory("one"), memory("other")
    (found,) = fold_memories(
        in_sequence(
            [
                admit(one, links=[("near", other.id)]),
                on(one, ChangeKind.LINK, relation="near", to=other.id),
                on(one, ChangeKind.LINK, relation="contradicts", to=other.id),
            ]
        )
    )
    assert found.links == (("near", other.id), ("contradicts", other.id))


def test_the_first_birth_of_an_id_counts() -> None:
    one = memory("first")
    again = replace(one, content="second", original_content="second")
    assert only_memory(admit(one), admit(again, kind=ChangeKind.IMPORT)) == one


@pytest.mark.parametrize(
    "kind", ["dream", "", "ADMIT", "admitted", ChangeKind.RECEIPT, ChangeKind.FEEDBACK, ChangeKind.FACT]
)
def test_kinds_that_say_nothing_about_a_memory_are_ignored(kind: str) -> None:
    one = memory()
    assert only_memory(admit(one), on(one, kind, content="x", phase=3, memory={}, pinned=True)) == one


def test_changes_without_the_memory_they_speak_of_make_nothing() -> None:
    one = memory()
    assert fold_memories(in_sequence([on(one, ChangeKind.FORGET), on(one, ChangeKind.PIN, pinned=True)])) == ()


def test_a_change_may_not_bring_a_memory_of_another_id_or_line() -> None:
    victim, stranger = memory("victim"), memory("stranger")
    forged = replace(admit(stranger), payload=admit(victim).payload)
    assert fold_memories(in_sequence([forged])) == ()
    moved = replace(admit(stranger), root=victim.root)
    assert set(states(in_sequence([admit(victim), moved]))) == {victim.id}


PAYLOAD_NAMES = (
    *("memory", "links", "content", "phase", "token_count", "signature", "pinned", "confidence", "tags", "concepts"),
    *("files_read", "files_modified", "by", "relation", "to", "fact", "valid_to", "name", "keys", "agent"),
    *("definition", "key_id", "project", "successes", "failures", "tokens", "compacted", "branch", "commit"),
)


@given(
    st.sampled_from(list(ChangeKind)),
    st.dictionaries(st.sampled_from(PAYLOAD_NAMES), strategies.json_values, max_size=8),
)
def test_no_payload_however_strange_breaks_the_fold(kind: ChangeKind, payload: dict[str, Any]) -> None:
    one, held = memory(), fact()
    for found in fold_memories(in_sequence([admit(one), on(one, kind, **payload)])):
        assert decode_memory(encode_memory(found.memory)) == found.memory
    folded = fold_fact(in_sequence([state(held), Change(kind=kind, subject=held.id, payload=payload)]))
    assert folded is None or decode_fact(encode_fact(folded)) == folded
    (odd,) = in_sequence([Change(kind=kind, subject="s", payload=payload)])
    for fold in (fold_project, fold_agent, fold_session):
        fold([odd])


def test_a_fact_is_closed_with_less_confidence_by_what_overtook_it() -> None:
    held = fact()
    changes = [state(held), close(held, at(60), confidence=0.6, by="fact_x")]
    found = fold_fact(in_sequence(changes))
    assert found == replace(held, valid_to=at(60), confidence=0.6, closed_by="fact_x")
    assert fold_fact(list(reversed(in_sequence(changes)))) == found


@pytest.mark.parametrize("kind", [ChangeKind.FORGET, ChangeKind.PURGE])
def test_a_fact_can_be_put_out_of_sight(kind: ChangeKind) -> None:
    held = fact()
    assert fold_fact(in_sequence([state(held), Change(kind=kind, subject=held.id)])) is None


def test_a_project_gathers_its_keys_and_keeps_its_last_name() -> None:
    def said(**payload: Any) -> Change:
        return Change(kind=ChangeKind.PROJECT, subject="prj_a", payload=payload)

    found = fold_project(
        in_sequence([said(name="old", keys=["git:x"]), said(name="new", keys=["dir:/y", "git:x"]), said(agent="bo")])
    )
    assert found is not None
    assert (found.id, found.name, found.keys, found.agent) == ("prj_a", "new", ("git:x", "dir:/y"), "bo")
    assert fold_project([]) is None


def test_an_agent_is_first_seen_when_it_was_first_spoken_of() -> None:
    first, second = in_sequence(
        [
            Change(kind=ChangeKind.AGENT, subject="agent:bo", payload={"name": "Bo"}),
            Change(kind=ChangeKind.AGENT, subject="agent:bo", payload={"key_id": "k1", "definition": "AGENT.md"}),
        ]
    )
    found = fold_agent([second, first])
    assert found is not None
    assert (found.id, found.name, found.first_seen) == ("bo", "Bo", first.id)
    assert (found.key_id, found.definition) == ("k1", "AGENT.md")
    assert fold_agent([]) is None


def test_a_session_adds_up_what_was_counted() -> None:
    def seen(**payload: Any) -> Change:
        return Change(kind=ChangeKind.SESSION, subject="session:s1", payload=payload)

    made = [
        stamped(seen(agent="bo", project="prj_a", branch="main"), START_MS),
        stamped(seen(successes=2, failures=1, tokens=100), START_MS + 1000),
        stamped(seen(successes=1, compacted=True, commit="abc"), START_MS + 2000),
        stamped(seen(compacted=2), START_MS + 3000),
    ]
    found = fold_session(reversed(made))
    assert found is not None
    assert (found.id, found.agent, found.project) == ("s1", "bo", "prj_a")
    assert (found.successes, found.failures, found.tokens, found.compactions) == (3, 1, 100, 3)
    assert (found.branch, found.commit) == ("main", "abc")
    assert (found.started_at, found.last_seen) == (START, START + timedelta(seconds=3))
    assert fold_session([]) is None


def test_a_move_puts_a_memory_into_a_project_and_back() -> None:
    one = memory("a first text", region=Region.AGENT, project=None, impact=Impact.HIGH)
    there = on(one, ChangeKind.MOVE, region="PROJECT", project="prj_1", impact="MEDIUM", importance=0.5)
    found = only_memory(admit(one), there)
    assert (found.region, found.project) == (Region.PROJECT, "prj_1")
    assert (found.impact, found.importance) == (Impact.MEDIUM, 0.5)
    found = only_memory(admit(one), there, on(one, ChangeKind.MOVE, region="AGENT"))
    assert (found.region, found.project) == (Region.AGENT, None)


@pytest.mark.parametrize("payload", [{}, {"region": "PROJECT"}, {"region": "MOON"}, {"region": "AGENT", "impact": 7}])
def test_a_move_that_cannot_be_understood_changes_nothing(payload: dict[str, Any]) -> None:
    one = memory("a first text")
    assert only_memory(admit(one), on(one, ChangeKind.MOVE, **payload)) == one


def test_a_memory_was_captured_if_the_change_that_introduced_it_says_so() -> None:
    captured = replace(admit(memory()), actor=f"{CAPTURE}:anima")
    pinned = replace(on(memory(), ChangeKind.PIN, pinned=True), actor="user:anima")
    assert find_capture([captured, pinned]) is captured
    assert find_capture([replace(captured, actor="user:anima"), replace(pinned, actor=CAPTURE)]) is None
    assert find_capture([pinned]) is None
