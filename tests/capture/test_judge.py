"""Whole sessions: the same every time, and right about what is worth keeping."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from limpet.capture.judge import explain, judge, summarise
from limpet.capture.speech.spans import split_message
from limpet.capture.state import SegmentState
from limpet.model.memory import Origin
from limpet.settings import CaptureSettings
from tests.capture.marked import (
    Marked,
    judge_long_session,
    judge_session,
    load_marked,
    long_session,
    make_event,
    tally,
)

ALL = list(load_marked())
UNSEEN = [each for each in ALL if each.unseen]


def test_the_corpus_is_large_and_half_of_it_unseen_but_the_sessions() -> None:
    assert len(ALL) >= 400
    single = [each for each in ALL if not each.where.startswith("sessions")]
    assert 0.4 < len(UNSEEN) / len(single) < 0.6


@pytest.mark.parametrize("novelty", [1.0, 0.4], ids=["empty store", "full store"])
@pytest.mark.parametrize("which", [ALL, UNSEEN], ids=["all", "unseen half"])
def test_what_is_kept_is_worth_keeping_and_called_by_its_name(which: list[Marked], novelty: float) -> None:
    found = tally(which, lambda _: novelty)
    assert found.precision >= 0.85
    # Here all finished work is marked as worth keeping. The weights were fitted to marks by which it is not.
    assert found.recall >= 0.80
    assert found.accuracy >= 0.80


def test_replaying_a_session_gives_the_same_outcomes() -> None:
    assert judge_session(long_session()) == judge_long_session()


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=400), st.text(max_size=400), st.booleans())
def test_any_text_at_all_is_judged(command: str, output: str, failed: bool) -> None:
    for short in (
        {"run": command, "out": output, "failed": failed},
        {"prompt": output},
        {"said": output},
        {"write": f"/w/{command}/CLAUDE.md", "new": output},
        {"fetch": command, "out": output},
    ):
        judged = judge(SegmentState(), make_event(short))
        for kept in judged.kept:
            assert kept.draft.text.strip()
            assert kept.draft.title
            assert 0 <= (kept.draft.importance or 0) <= 1


def test_a_title_never_is_the_bare_name_of_a_tool() -> None:
    for each in ALL:
        for kept in judge(SegmentState(), make_event(each.event)).kept:
            title = kept.draft.title or ""
            assert len(title) >= 8
            assert len(title) <= 111
            assert not title.startswith(("Bash:", "Read:", "Edit:"))


def test_a_draft_says_where_it_comes_from() -> None:
    (kept,) = judge(SegmentState(), make_event({"prompt": "Never commit to main."}), transcript="/t.jsonl").kept
    assert kept.draft.session == "s1"
    assert kept.draft.source is not None
    assert kept.draft.source.transcript == "/t.jsonl"


RULE = "We decided to set the registry to fast.example before any install, because the mirror caches every package."


def test_a_task_of_a_page_is_not_told_as_open_work() -> None:
    state = judge(SegmentState(), make_event({"fetch": "https://example.org/page", "out": RULE})).state
    state = judge(state, make_event({"write": "src/app.py", "new": "x = 1"}, minute=1)).state
    state = judge(state, make_event({"todo": [(RULE, "pending"), ("Write the test", "pending")]}, minute=2)).state
    made = summarise(state, "s1")
    assert made is not None and "Write the test" in made.text and "registry" not in made.text


def test_every_verdict_can_be_explained() -> None:
    (rule,) = explain(make_event({"prompt": "Always use pnpm, never npm, because of the workspace links."}))
    assert (rule.tier, rule.why) == ("noted", "a standing rule")
    assert rule.memorability.total >= rule.gate
    (listing,) = explain(make_event({"run": "ls", "out": "a"}))
    assert (listing.tier, listing.why) == ("", "routine")
    (guess,) = explain(make_event({"said": "I think the cache might be the problem."}))
    assert (guess.tier, guess.why) == ("", "it states nothing")
    (task,) = explain(make_event({"prompt": "add a dark mode toggle to the settings page"}))
    assert (task.tier, task.why) == ("", "a wish, below the gate")
    (again,) = explain(make_event({"prompt": "Never commit to main."}), novelty=lambda _: 0.0)
    assert (again.tier, again.why) == ("", "a standing rule, already known")
    assert explain(make_event({"prompt": "/compact"})) == ()


def test_what_the_user_asks_to_remember_is_kept_whatever_its_score() -> None:
    event = make_event({"prompt": "please remember that the port is 5433"})
    (asked,) = explain(event, gate=0.9)
    assert asked.tier == "kept" and asked.memorability.total < 0.9
    (kept,) = judge(SegmentState(), event, settings=CaptureSettings(gate=0.9)).kept
    assert kept.draft.on_purpose and kept.draft.text == "The port is 5433"


EXPLAINED = (
    "The importer must always run with `--single`, because `orders.lock` is held for 30 seconds and the second worker "
    "fails with a deadlock. The root cause is `pool.acquire()` in `worker.py`, which never releases it."
)


@pytest.mark.parametrize(
    "prompt",
    [f"Summarise this email:\n\n{EXPLAINED}", f"> {EXPLAINED}\n\nis that so?", f"```\n{EXPLAINED}\n```\nwhat now?"],
    ids=["announced", "quoted", "fenced"],
)
def test_what_is_pasted_into_a_prompt_is_external(prompt: str) -> None:
    kept = [each.draft for each in judge(SegmentState(), make_event({"prompt": prompt})).kept]
    # Where it is not sure that the text was pasted, it is kept as a quotation.
    assert {draft.origin for draft in kept} <= {Origin.EXTERNAL, Origin.TOOL}
    if not prompt.startswith("```"):
        assert any("orders.lock" in draft.text for draft in kept)


def test_a_rule_that_may_be_pasted_is_noted_but_not_as_the_users() -> None:
    prompt = "From the onboarding guide:\n\nPlease remember: always run `make mirror` before the tests."
    (message,) = [split_message(prompt)]
    assert "make mirror" in message.doubtful
    judgement = judge(SegmentState(), make_event({"prompt": prompt}))
    (kept,) = judgement.kept
    assert (kept.draft.origin, kept.draft.on_purpose) == (Origin.TOOL, False)
    assert judgement.state.taint.outside == ("a text that may be pasted",)


def test_a_fix_is_the_tools_though_its_error_was_pasted_first() -> None:
    error = "ImportError: cannot import name 'tide_table' from 'harbour.tables' (src/harbour/tables.py)"
    session: list[dict[str, Any]] = [
        {"prompt": f"CI fails, please fix it:\n\n```\n{error}\n```"},
        {"run": "pytest tests/test_tide.py", "out": f"E   {error}\n1 failed", "failed": True},
        {"edit": "src/harbour/tables.py", "old": "a", "new": "tide_table = load_table()"},
        {"run": "pytest tests/test_tide.py", "out": "1 passed"},
    ]
    found = [kept.draft for judged in judge_session(session) for kept in judged.kept]
    assert [draft.origin for draft in found if draft.text.startswith("Problem: ")] == [Origin.TOOL]


def test_a_summary_names_what_was_typed_and_not_what_was_pasted() -> None:
    prompt = f"Why does the importer stop?\n\n> {EXPLAINED}"
    state = judge(SegmentState(), make_event({"prompt": prompt})).state
    assert state.notes.goals == ("Why does the importer stop?",)
