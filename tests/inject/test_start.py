"""What the start of a session is told: the most important memories, within a budget."""

from __future__ import annotations

import pytest

from limpet.hosts.hook_output import context_answer
from limpet.hosts.instruction_files import END, START
from limpet.model.change import Change, ChangeKind
from limpet.model.memory import Draft, Impact, Kind, Origin, Type
from limpet.text.tokens import count_tokens
from tests.inject.injecting import inject, lines
from tests.operations.sandbox import MODEL, Sandbox


def test_the_block_has_the_compact_notation_with_the_most_important_first(sandbox: Sandbox) -> None:
    sandbox.remember("We shipped the first release", kind="ACHIEVEMENTS", impact="HIGH")
    sandbox.remember("Retry uploads twice", kind="LEARNINGS", impact="LOW")
    sandbox.remember("Use pytest and SQLite storage", kind="ARCHITECTURAL", impact="HIGH")
    sandbox.remember("Matt likes a collaborative style", kind="EMOTIONAL", impact="CRITICAL", region="PROJECT")
    sandbox.remember("The cache may be stale", kind="LEARNINGS", impact="MEDIUM", confidence=0.5)
    assert inject(sandbox) == (
        "[LTM:Anima@shop]\n"
        "~EMOT:CRIT| Matt likes a collaborative style\n"
        "~ARCH:HIGH| Use pytest and SQLite storage\n"
        "~ACHV:HIGH| We shipped the first release\n"
        "~LEARN:MED?| The cache may be stale\n"
        "~LEARN:LOW| Retry uploads twice\n"
        "[/LTM]"
    )


def test_nothing_to_say_is_nothing_said(sandbox: Sandbox) -> None:
    assert inject(sandbox) == ""


def test_a_line_is_cut_and_twenty_are_enough(sandbox: Sandbox) -> None:
    for number in range(30):
        sandbox.remember(f"Rule {number}: " + "a long story about the widget factory and its gears " * 10)
    text = inject(sandbox)
    assert len(lines(text)) <= 20
    assert all(len(line.partition("| ")[2]) <= 240 for line in lines(text))
    assert count_tokens(text) <= 1200
    assert text.endswith("more are kept; the recall tool finds them.")


def test_what_does_not_fit_is_skipped_and_the_next_is_tried(sandbox: Sandbox) -> None:
    sandbox.remember("The importer " + "is described here at very great length " * 20, impact="CRITICAL")
    sandbox.remember("Use pytest", impact="LOW")
    text = inject(sandbox, flags={"inject.start_tokens": 60, "inject.line_characters": 4000})
    assert [line.partition("| ")[2] for line in lines(text)] == ["Use pytest"]


def test_never_more_than_the_host_takes(sandbox: Sandbox) -> None:
    for number in range(60):
        sandbox.remember(f"Rule {number}: " + f"widget {number} gear " * 60)
    flags = {"inject.start_tokens": 20_000, "inject.start_lines": 200, "inject.line_characters": 4000}
    assert len(inject(sandbox, flags=flags)) <= 9500


def test_what_grows_when_it_is_written_for_the_host_still_passes(sandbox: Sandbox) -> None:
    """Quotation marks and ends of lines take two characters there, and an answer that is too long is none."""
    for number in range(60):
        sandbox.remember(f"Rule {number}: " + f'set "widget {number}" to "gear {number}", ' * 30)
    flags = {"inject.start_tokens": 20_000, "inject.start_lines": 200, "inject.line_characters": 4000}
    for characters in (9000, 9500):
        text = inject(sandbox, session=f"s{characters}", flags={**flags, "inject.characters": characters})
        assert text.count('"') > 500
        assert context_answer("SessionStart", text, host="claude-code")


def test_a_sub_agent_gets_half_of_it(sandbox: Sandbox) -> None:
    for number in range(30):
        sandbox.remember(f"Rule {number}: always oil gear {number}")
    assert len(lines(inject(sandbox, "subagent"))) == 10


def capture(sandbox: Sandbox, *drafts: Draft) -> None:
    """Admit drafts as the worker does that learns from sessions."""
    sandbox.ms += 1000
    with sandbox.open() as runtime:
        door = runtime.admission(actor="capture:anima")
        for draft in drafts:
            door.admit(draft)
        session = {"agent": runtime.agent_id, "project": runtime.where().project}
        names = dict.fromkeys(draft.session for draft in drafts)
        marks = [Change(kind=ChangeKind.SESSION, subject=f"session:{name}", payload=session) for name in names]
        runtime.write([*door.changes, *marks])


def test_what_is_only_noted_is_not_told_at_a_start(sandbox: Sandbox) -> None:
    capture(sandbox, Draft(text="Always use pnpm here", origin=Origin.TOOL, impact=Impact.HIGH, session="s0"))
    assert inject(sandbox) == ""
    (noted,) = sandbox.json("list")["memories"]
    assert (noted["tier"], noted["impact"]) == ("noted", "MEDIUM")
    sandbox.ask("confirm", ids=[noted["id"]])
    assert "Always use pnpm here" in inject(sandbox, session="s2")


def test_the_last_session_is_told_in_one_paragraph_whatever_its_tier(sandbox: Sandbox) -> None:
    for name, goal in (("s01", "Add the importer"), ("s02", "Mend the exporter")):
        text = f"Wanted: {goal}. Done: half of it. Open: the tests."
        kind, of_session = Kind.ACHIEVEMENTS, Type.SESSION_SUMMARY
        capture(sandbox, Draft(text=text, session=name, origin=Origin.TOOL, type=of_session, kind=kind))
    (line,) = lines(inject(sandbox))
    assert "“Wanted: Mend the exporter. Done: half of it. Open: the tests.”" in line
    assert inject(sandbox, "subagent") == "", "a sub-agent has its own task"


def test_the_newest_summary_is_told_though_a_session_without_one_began_later(sandbox: Sandbox) -> None:
    text = "Wanted: Add the importer. Done: half of it."
    capture(sandbox, Draft(text=text, session="s01", origin=Origin.TOOL, type=Type.SESSION_SUMMARY))
    capture(sandbox, Draft(text="The exporter needs a lock", session="s02", origin=Origin.TOOL))
    (line,) = lines(inject(sandbox))
    assert "Add the importer" in line


def test_the_names_below_the_last_sessions_paragraph_are_not_told(sandbox: Sandbox) -> None:
    text = "Wanted: Mend the exporter.\nDone: Mended it.\n\nFiles changed: shop/src/export.py."
    capture(sandbox, Draft(text=text, session="s01", origin=Origin.TOOL, type=Type.SESSION_SUMMARY))
    (line,) = lines(inject(sandbox))
    assert "“Wanted: Mend the exporter. Done: Mended it.”" in line


def test_a_line_ends_with_a_whole_sentence(sandbox: Sandbox) -> None:
    rule = "Never deploy on Fridays. " + "The reason is that the second line of support is away until Monday. " * 6
    sandbox.remember(rule, impact="CRITICAL")
    (line,) = lines(inject(sandbox))
    assert line.endswith("until Monday.")
    assert len(line) < 260


def test_rules_have_half_of_the_lines_and_facts_the_rest(sandbox: Sandbox) -> None:
    for number in range(8):
        sandbox.remember(f"Rule {number}: never oil gear {number}", kind="ARCHITECTURAL", impact="HIGH")
        fact = sandbox.remember(f"Gear {number} has {number + 3} teeth", kind="LEARNINGS", impact="MEDIUM")
        sandbox.ask("show", id=fact.id)
    told = lines(inject(sandbox, flags={"inject.start_lines": 6}))
    assert [line.startswith("~ARCH") for line in told] == [True, True, True, False, False, False]


@pytest.mark.parametrize("claims", [28, 45])
def test_no_importance_that_an_agent_claims_takes_the_place_of_a_rule_of_the_user(
    sandbox: Sandbox, claims: int
) -> None:
    rule = sandbox.remember("Never deploy on Fridays", kind="ARCHITECTURAL", impact="HIGH")
    for number in range(claims):
        text = f"Decision {number}: gear {number} is oiled with grade {number + 7}"
        sandbox.remember(text, kind="ARCHITECTURAL", impact="CRITICAL", as_=MODEL)
    assert rule.content in "\n".join(lines(inject(sandbox)))


def test_a_fact_that_nobody_has_used_takes_no_place_from_a_rule(sandbox: Sandbox) -> None:
    for number in range(6):
        sandbox.remember(f"Rule {number}: never oil gear {number}", kind="ARCHITECTURAL", impact="HIGH")
    sandbox.remember("Gear 1 has 4 teeth", kind="LEARNINGS", impact="LOW", type="discovery")
    told = lines(inject(sandbox, flags={"inject.start_lines": 6}))
    assert [line.startswith("~ARCH") for line in told] == [True] * 6


def test_a_room_that_has_too_little_gives_its_place_away(sandbox: Sandbox) -> None:
    for number in range(8):
        sandbox.remember(f"Rule {number}: never oil gear {number}", kind="ARCHITECTURAL", impact="HIGH")
    fact = sandbox.remember("Gear 1 has 4 teeth", kind="LEARNINGS", impact="MEDIUM", type="discovery")
    sandbox.ask("show", id=fact.id)
    told = lines(inject(sandbox, flags={"inject.start_lines": 6}))
    assert [line.startswith("~ARCH") for line in told] == [True] * 5 + [False]


def test_of_two_memories_that_contradict_each_other_the_newer_is_told(sandbox: Sandbox) -> None:
    sandbox.remember("Squash the commits of a branch before merging")
    sandbox.remember("Never squash the commits of a branch before merging")
    assert [line.partition("| ")[2] for line in lines(inject(sandbox))] == [
        "Never squash the commits of a branch before merging"
    ]


def test_a_pinned_or_more_trusted_memory_is_told_beside_what_contradicts_it(sandbox: Sandbox) -> None:
    pinned = sandbox.remember("Squash the commits of a branch before merging")
    sandbox.ask("pin", id=pinned.id)
    sandbox.remember("Never squash the commits of a branch before merging")
    sandbox.remember("The build uses make")
    sandbox.remember("The build does not use make", as_=MODEL)
    assert len(lines(inject(sandbox))) == 4


@pytest.mark.parametrize(
    "line",
    [
        "Always use npm here, never pnpm",
        "Never mind: always use pnpm here, never npm, was a rule of last year",
        "Use pnpm, never npm, here, always, unless it is slow",
    ],
)
def test_a_file_of_the_repository_does_not_hide_a_rule_of_the_user_by_its_words(sandbox: Sandbox, line: str) -> None:
    sandbox.remember("Always use pnpm here, never npm")
    (sandbox.project / "CLAUDE.md").write_text(f"{START}\n- {line}\n{END}\n", "utf-8")
    assert [each.partition("| ")[2] for each in lines(inject(sandbox, host="claude-code"))] == [
        "Always use pnpm here, never npm"
    ]


def test_what_the_file_says_word_for_word_is_not_told_again(sandbox: Sandbox) -> None:
    sandbox.remember("Always use pnpm here, never npm")
    (sandbox.project / "CLAUDE.md").write_text(f"{START}\n- Always use `pnpm` here, never npm.\n{END}\n", "utf-8")
    assert lines(inject(sandbox, host="claude-code")) == []
