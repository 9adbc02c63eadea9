"""A memory that is stored on purpose gets the difficulty of the work since the last memory of its session."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from limpet.curating.writing import run_many
from limpet.lean.record import replace
from limpet.model.memory import Draft, Origin
from limpet.model.outcome import Admitted
from tests.learning.test_worker import Worked
from tests.operations.sandbox import MODEL, USER, isolate_environment


@pytest.fixture
def sandbox(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Worked:
    isolate_environment(monkeypatch, tmp_path)
    return Worked(tmp_path)


def work(sandbox: Worked, *, failures: int, successes: int, session: str = "s1") -> None:
    call: dict[str, Any] = {"tool_name": "Bash", "tool_input": {"command": "ls"}}
    for _ in range(failures):
        sandbox.ms += 1000
        sandbox.report(session, "PostToolUseFailure", error="Exit code 2", **call)
    for _ in range(successes):
        sandbox.ms += 1000
        sandbox.report(session, "PostToolUse", tool_response={"stdout": "README.md"}, **call)


def store(sandbox: Worked, text: str, **options: Any) -> float:
    sandbox.ms += 1000
    return sandbox.remember(text, **{"as_": MODEL, "session": "s1", **options}).difficulty


@pytest.mark.parametrize("learnt", [False, True])
def test_a_stored_memory_uses_the_counters_of_its_session_and_resets_them(sandbox: Worked, learnt: bool) -> None:
    work(sandbox, failures=5, successes=5)
    if learnt:
        sandbox.learn()
    assert store(sandbox, "Migrations run with alembic") == pytest.approx(0.5 * 0.5 + 0.3 * 10 / 50)
    assert store(sandbox, "The port of the API is 9090") == 0.5, "nothing has happened since"
    work(sandbox, failures=0, successes=10)
    assert store(sandbox, "Orders are kept in PostgreSQL") == pytest.approx(0.3 * 10 / 50)


def test_a_given_difficulty_wins_and_other_sessions_do_not_count(sandbox: Worked) -> None:
    work(sandbox, failures=5, successes=5)
    assert store(sandbox, "The port of the API is 9090", session="s2") == 0.5
    assert store(sandbox, "Migrations run with alembic", difficulty=0.9) == 0.9
    assert store(sandbox, "Tests run with pytest", as_=USER, session=None) == 0.5


def test_an_imported_note_takes_no_difficulty_from_the_session(sandbox: Worked) -> None:
    work(sandbox, failures=5, successes=5)
    sandbox.ms += 1000
    drafts = [Draft(text="The port of the API is 9090", origin=origin) for origin in (Origin.IMPORT, Origin.AGENT)]
    drafts[1] = replace(drafts[1], text="Migrations run with alembic")
    with sandbox.open(MODEL, session="s1") as runtime:
        outcomes = run_many(runtime, drafts)
    difficulties = [outcome.memory.difficulty for outcome in outcomes if isinstance(outcome, Admitted)]
    assert difficulties == [0.5, pytest.approx(0.5 * 0.5 + 0.3 * 10 / 50)]


def test_a_compaction_counts(sandbox: Worked) -> None:
    work(sandbox, failures=0, successes=10)
    sandbox.report("s1", "PostCompact", trigger="auto", compact_summary="So far.")
    assert store(sandbox, "Migrations run with alembic") == pytest.approx(0.3 * 10 / 50 + 0.2)


def test_what_is_captured_afterwards_does_not_count_the_same_work_again(sandbox: Worked) -> None:
    work(sandbox, failures=10, successes=0)
    sandbox.learn()
    store(sandbox, "Migrations run with alembic")
    work(sandbox, failures=0, successes=5)
    sandbox.learn()
    sandbox.ms += 1000
    rule = "From now on always use pnpm instead of npm in this repository, because npm breaks the workspace."
    sandbox.report("s1", "UserPromptSubmit", prompt=rule)
    sandbox.learn()
    (captured,) = [each for each in sandbox.json("list")["memories"] if "pnpm" in each["content"]]
    assert captured["difficulty"] == pytest.approx(0.3 * 5 / 50)
