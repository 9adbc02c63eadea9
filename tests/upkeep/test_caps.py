"""Over the cap the least needed step down to a hint; nothing is lost, and what matters stays."""

from __future__ import annotations

from pathlib import Path

import pytest

from limpet.curating.writing import build_draft, run_many
from limpet.model.memory import Memory, Phase
from limpet.model.signature import Verdict
from limpet.operations.catalogue import load_verb
from limpet.text.tokens import count_tokens
from tests.operations.sandbox import MODEL, Sandbox

CAP = 20
LONG = "# Notes\n\nThe {n}th thing is explained in this paragraph, at some length.\n\n- first point of {n}\n\n" + (
    "And here follows a lot that is only of use to whoever works on it at the moment. " * 8
)


@pytest.fixture(autouse=True)
def cap(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LIMPET_STORE__PROJECT_CAP", str(CAP))


def fill(sandbox: Sandbox, count: int, *, start: int = 0, cwd: Path | None = None, **fields: object) -> list[Memory]:
    verb = load_verb("remember")
    sandbox.ms += 1000
    with sandbox.open(cwd=cwd) as runtime:
        drafts = [
            build_draft(runtime, **verb.accept({"text": LONG.format(n=number).strip(), **fields}))
            for number in range(start, start + count)
        ]
        outcomes = run_many(runtime, drafts)
    return [outcome.memory for outcome in outcomes]  # type: ignore[union-attr]


def phases(sandbox: Sandbox) -> dict[str, Phase]:
    return {stored.memory.id: stored.memory.phase for stored in sandbox.ask("list", limit=1000).items}


def full(sandbox: Sandbox) -> int:
    return sum(phase is Phase.FULL for phase in phases(sandbox).values())


def test_up_to_the_cap_everything_stays_full(sandbox: Sandbox) -> None:
    fill(sandbox, CAP)
    assert full(sandbox) == CAP


def test_over_the_cap_the_lowest_priority_steps_down_and_never_the_one_just_written(sandbox: Sandbox) -> None:
    easy = fill(sandbox, 10, difficulty=0.1)
    hard = fill(sandbox, 10, start=10, difficulty=0.9)
    new = sandbox.remember("The one just written", difficulty=0.0)
    found = phases(sandbox)
    assert found[new.id] is Phase.FULL
    assert all(found[memory.id] is Phase.FULL for memory in hard)
    assert all(found[memory.id] is Phase.HINT for memory in easy)
    assert full(sandbox) <= CAP


def test_what_is_used_stays_longer(sandbox: Sandbox) -> None:
    memories = fill(sandbox, CAP)
    used = memories[0]
    for _ in range(5):
        sandbox.ask("show", id=used.id)
    sandbox.remember("The one just written")
    assert phases(sandbox)[used.id] is Phase.FULL


def test_critical_and_pinned_memories_never_step_down(sandbox: Sandbox) -> None:
    critical = fill(sandbox, 10, impact="CRITICAL", difficulty=0.0)
    pinned = fill(sandbox, 11, start=10, pinned=True, difficulty=0.0)
    assert full(sandbox) == 21
    sandbox.remember("One more that matters little", difficulty=0.0)
    found = phases(sandbox)
    assert all(found[memory.id] is Phase.FULL for memory in (*critical, *pinned))


def test_stepping_down_shortens_what_is_shown_and_keeps_the_original(sandbox: Sandbox) -> None:
    memories = fill(sandbox, CAP, difficulty=0.1)
    sandbox.remember("The one just written")
    lowered = sandbox.ask("show", id=memories[0].id).stored.memory
    assert lowered.phase is Phase.HINT
    assert lowered.original_content == memories[0].original_content
    assert lowered.content == "The 0th thing is explained in this paragraph, at some length.\n- first point of 0"
    assert lowered.token_count == count_tokens(lowered.content)
    assert lowered.updated_at == memories[0].updated_at
    assert "only of use to whoever works" in lowered.original_content
    assert sandbox.texts("recall", query="19th thing explained") != []


def test_restoring_brings_the_text_back_and_the_signature_stays_good(sandbox: Sandbox) -> None:
    sandbox.ask("sign")
    memories = fill(sandbox, CAP, difficulty=0.1)
    sandbox.remember("The one just written")
    for memory in memories[:3]:
        stored = sandbox.ask("show", id=memory.id).stored
        assert (stored.memory.phase, stored.verdict) == (Phase.HINT, Verdict.GOOD)
        restored = sandbox.ask("restore", id=memory.id).stored
        assert (restored.memory.content, restored.verdict) == (memory.content, Verdict.GOOD)
    assert sandbox.ask("verify").problems == ()


def test_a_big_batch_is_brought_down_at_the_next_write(sandbox: Sandbox) -> None:
    fill(sandbox, 3 * CAP)
    assert full(sandbox) == 3 * CAP
    sandbox.remember("The one just written")
    assert full(sandbox) <= CAP


def test_the_caps_of_two_projects_are_their_own(sandbox: Sandbox) -> None:
    fill(sandbox, CAP)
    other = sandbox.folder / "other"
    other.mkdir()
    fill(sandbox, CAP, start=100, cwd=other)
    assert full(sandbox) == CAP


def test_the_agent_has_a_cap_across_its_projects(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LIMPET_STORE__AGENT_CAP", "15")
    fill(sandbox, 10, difficulty=0.1)
    other = sandbox.folder / "other"
    other.mkdir()
    fill(sandbox, 6, start=100, cwd=other)
    assert full(sandbox) < 10


def test_no_cap_is_no_cap(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LIMPET_STORE__PROJECT_CAP", "0")
    fill(sandbox, CAP)
    sandbox.remember("The one just written")
    assert full(sandbox) == CAP + 1


def test_short_texts_stay_as_they_are(sandbox: Sandbox) -> None:
    with sandbox.open() as runtime:
        run_many(runtime, [build_draft(runtime, text=f"Thing number {number}") for number in range(CAP)])
    sandbox.remember("The one just written")
    lowered = [stored.memory for stored in sandbox.ask("list", phase=1).items]
    assert lowered
    assert all(memory.content == memory.original_content for memory in lowered)


def test_a_model_writing_a_lot_takes_no_text_away(sandbox: Sandbox) -> None:
    mine = fill(sandbox, 5)
    for number in range(5):
        sandbox.remember(f"Noise number {number}", as_=MODEL)
    fill(sandbox, CAP, start=50)
    sandbox.remember("The one just written", as_=MODEL)
    for memory in mine:
        assert sandbox.ask("show", id=memory.id).stored.memory.original_content == memory.original_content
