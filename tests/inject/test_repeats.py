"""One event is told once: the summary of a session leaves out what stands beside it as a memory or a note."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from limpet.model.memory import Draft, Kind, Origin, Tier, Type
from tests.cli.hooks import Host
from tests.inject.injecting import inject, lines
from tests.inject.test_start import capture
from tests.operations.sandbox import Sandbox


def summarise(sandbox: Sandbox, text: str, *, session: str = "s01", tier: Tier | None = None) -> None:
    """Store a summary of a session. If it is kept, each start may tell it, as when all that it says is kept."""
    earned = "made of what is kept" if tier is Tier.KEPT else ""
    what = {"type": Type.SESSION_SUMMARY, "kind": Kind.ACHIEVEMENTS, "tier": tier, "earned": earned}
    capture(sandbox, Draft(text=text, session=session, origin=Origin.TOOL, **what))  # type: ignore[arg-type]


def told_ids(sandbox: Sandbox) -> list[str]:
    """Return the ids in the newest receipt."""
    return [each["id"] for each in sandbox.json("why")["receipts"][0]["memories"]]


@pytest.mark.parametrize(
    ("typed", "event"),
    [
        ("Please remember: use uv here, never pip.", "use uv here, never pip"),
        ("Please remember that the staging port is 8443.", "staging port is 8443"),
        ("From now on we deploy on Tuesdays only.", "deploy on Tuesdays only"),
    ],
)
def test_what_was_asked_to_be_remembered_is_told_once(tmp_path: Path, typed: str, event: str) -> None:
    host = Host(tmp_path)
    host.fire("SessionStart", source="startup")
    message = {"role": "user", "content": typed}
    transcript = host.record({"type": "user", "message": message, "origin": {"kind": "human"}})
    host.fire("UserPromptSubmit", prompt=typed, transcript_path=transcript)
    host.fire("Stop", transcript_path=transcript, last_assistant_message="I will.")
    host.fire("SessionEnd", transcript_path=transcript)
    host.limpet("upkeep")
    assert host.context("SessionStart", source="startup", session_id="next").casefold().count(event.casefold()) == 1
    (receipt,) = json.loads(host.limpet("why", "--json", "--limit", "1"))["receipts"]
    ids = [each["id"] for each in receipt["memories"]]
    assert len(ids) == len(set(ids)) == 1


@pytest.mark.parametrize("tier", [Tier.NOTED, Tier.KEPT])
def test_the_last_session_is_told_without_what_has_its_own_line(sandbox: Sandbox, tier: Tier) -> None:
    sandbox.remember("Use `uv` here, never pip.")
    summarise(sandbox, "Wanted: Mend the exporter.\nDecided: Use uv here, never pip. Release on Monday.", tier=tier)
    rule, paragraph = lines(inject(sandbox))
    assert rule.endswith("Use `uv` here, never pip.")
    assert "“Wanted: Mend the exporter. Decided: Release on Monday.”" in paragraph
    assert len(told_ids(sandbox)) == len(set(told_ids(sandbox))) == 2


@pytest.mark.parametrize("tier", [Tier.NOTED, Tier.KEPT])
def test_a_summary_that_says_nothing_else_is_not_told(sandbox: Sandbox, tier: Tier) -> None:
    memory = sandbox.remember("Use uv here, never pip.")
    summarise(sandbox, "Learnt: Use uv here, never pip.\n\nFiles changed: shop/src/export.py.", tier=tier)
    (line,) = lines(inject(sandbox))
    assert line.startswith("~ARCH") and told_ids(sandbox) == [memory.id]


def test_what_is_still_open_and_what_says_the_opposite_stay(sandbox: Sandbox) -> None:
    sandbox.remember("Round the tax per order, not per line.")
    summarise(sandbox, "Decided: Round the tax per line.\nOpen: Round the tax per order, not per line.")
    _, paragraph = lines(inject(sandbox))
    assert "Decided: Round the tax per line. Open: Round the tax per order, not per line." in paragraph


def test_summaries_of_two_sessions_tell_the_same_event_once(sandbox: Sandbox) -> None:
    summarise(sandbox, "Done: Mended the exporter.\nLearnt: The proxy drops idle links.", session="s01", tier=Tier.KEPT)
    summarise(sandbox, "Done: Wrote the docs.\nLearnt: The proxy drops idle links.", session="s02", tier=Tier.KEPT)
    text = inject(sandbox)
    assert text.count("The proxy drops idle links") == 1
    assert "Wrote the docs" in text and "Mended the exporter" in text


def test_a_note_on_trial_is_not_repeated_by_the_last_session(sandbox: Sandbox) -> None:
    note = Draft(text="Always use pnpm in this repository.", origin=Origin.USER, session="s01", importance=0.8)
    capture(sandbox, note)
    summarise(sandbox, "Wanted: Mend the exporter.\nDecided: Always use pnpm in this repository.")
    text = inject(sandbox)
    assert text.count("Always use pnpm") == 1 and "on trial" in str(sandbox.json("why")["receipts"][0])
    assert "“Wanted: Mend the exporter.”" in text


def test_a_line_that_was_cut_does_not_silence_the_summary(sandbox: Sandbox) -> None:
    story = "The importer reads the ledger page by page. " * 8
    sandbox.remember(f"{story}The export runs on Monday.", impact="HIGH")
    summarise(sandbox, "Learnt: The export runs on Monday.")
    rule, paragraph = lines(inject(sandbox))
    assert "Monday" not in rule and "The export runs on Monday" in paragraph


def test_a_prompt_is_given_the_event_once(sandbox: Sandbox) -> None:
    sandbox.remember("The staging server listens on port 8443.")
    text = "Wanted: Mend the staging server.\nLearnt: The staging server listens on port 8443."
    summarise(sandbox, text, tier=Tier.KEPT)
    question = "On which port does the staging server listen, and who wanted to mend it?"
    told = inject(sandbox, "prompt", text=question, session="s5")
    contents = [row for row in told.splitlines() if row.startswith(("Content:", "Learnt:"))]
    assert "port 8443" in told and len([row for row in contents if "port 8443" in row]) == 1


def test_a_prompt_after_a_start_is_not_given_the_event_again(sandbox: Sandbox) -> None:
    sandbox.remember("The staging server listens on port 8443.")
    summarise(sandbox, "Learnt: The staging server listens on port 8443.", tier=Tier.KEPT)
    assert inject(sandbox, session="s6").count("8443") == 1
    assert inject(sandbox, "prompt", text="Which port does the staging server listen on?", session="s6") == ""
