"""`limpet achievements`: each commit once, trusted no more than a file."""

from __future__ import annotations

from typing import Any

import pytest

from limpet.errors import Refused, UsageError
from limpet.forms.model import render_for_model
from limpet.model.memory import Kind, Origin
from limpet.operations.achievements import AchievementsAnswer
from tests.operations.sandbox import MODEL, Sandbox
from tests.workspace.repositories import git


def commits(sandbox: Sandbox, *messages: str) -> None:
    if not (sandbox.project / ".git").exists():
        git(sandbox.project, "init", "-q")
    for message in messages:
        git(sandbox.project, "commit", "-q", "--allow-empty", "-m", message)


def detect(sandbox: Sandbox, **values: Any) -> AchievementsAnswer:
    answer: AchievementsAnswer = sandbox.ask("achievements", **values)
    return answer


def test_the_history_becomes_memories_of_the_right_kind_and_origin(sandbox: Sandbox) -> None:
    commits(sandbox, "Initial commit", "Add CSV export", "Fix typo", "fix: close the file after reading")
    git(sandbox.project, "tag", "-a", "v1.0.0", "-m", "The first release")
    answer = detect(sandbox)
    assert answer.added == 3 and answer.commits == 4
    memories = [stored.memory for stored in sandbox.ask("list", kind="ACHIEVEMENTS").items]
    assert {memory.title for memory in memories} == {
        "Released v1.0.0",
        "Add CSV export",
        "Started the project: Initial commit",
    }
    for memory in memories:
        assert memory.kind is Kind.ACHIEVEMENTS and memory.origin is Origin.FILE
        assert memory.source is not None and len(memory.source.commit or "") == 40


def test_a_second_run_adds_nothing(sandbox: Sandbox) -> None:
    commits(sandbox, "Initial commit", "Add CSV export")
    detect(sandbox)
    again = detect(sandbox)
    assert again.added == 0 and again.known == 2 and again.found == ()
    commits(sandbox, "Add PDF export")
    assert [each.title for each, _ in detect(sandbox).found] == ["Add PDF export"]


def test_what_was_forgotten_stays_forgotten(sandbox: Sandbox) -> None:
    commits(sandbox, "Initial commit", "Add CSV export")
    detect(sandbox)
    [stored] = [each for each in sandbox.ask("list").items if "CSV" in each.memory.title]
    sandbox.ask("forget", ids=[stored.memory.id])
    assert detect(sandbox).added == 0


def test_a_limit_leaves_the_older_ones_for_the_next_run(sandbox: Sandbox) -> None:
    commits(sandbox, "Initial commit", *(f"Add export number {number}" for number in range(5)))
    first = detect(sandbox, limit=2)
    assert first.added == 2 and first.left_out == 4
    assert detect(sandbox).added == 4


def test_a_dry_run_writes_nothing(sandbox: Sandbox) -> None:
    commits(sandbox, "Initial commit", "Add CSV export")
    assert len(detect(sandbox, dry_run=True).found) == 2
    assert sandbox.ask("list").total == 0


def test_a_shallow_clone_is_mentioned(sandbox: Sandbox) -> None:
    commits(sandbox, "Initial commit", "Add CSV export")
    (sandbox.project / ".git" / "shallow").write_text(git(sandbox.project, "rev-parse", "HEAD") + "\n")
    assert detect(sandbox).shallow


def test_secrets_in_messages_are_redacted(sandbox: Sandbox) -> None:
    token = "ghp_" + "a1B2c3D4e5" * 4
    commits(sandbox, "Initial commit", f"Add the token {token} for the mirror")
    detect(sandbox)
    assert token not in repr(sandbox.ask("list", private=True).items)


def test_without_a_repository_it_says_what_to_do(sandbox: Sandbox) -> None:
    with pytest.raises(UsageError, match="no git repository"):
        detect(sandbox)
    git(sandbox.project, "init", "-q")
    with pytest.raises(UsageError, match="no commit is checked out"):
        detect(sandbox)


def test_a_model_is_told_titles_as_quoted_data(sandbox: Sandbox) -> None:
    commits(sandbox, "Initial commit", "Add CSV export")
    with sandbox.open(MODEL) as runtime:
        from limpet.operations.achievements import run

        said = render_for_model("achievements", runtime, run(runtime))
    assert '"commits":2' in said and "CSV export" in said


def _remove_object(sandbox: Sandbox, id: str) -> None:
    (sandbox.project / ".git" / "objects" / id[:2] / id[2:]).unlink()


def test_a_history_that_ends_at_a_damaged_commit_says_so(sandbox: Sandbox) -> None:
    commits(sandbox, "Initial commit", "Add CSV export", "Add PDF export")
    lost = git(sandbox.project, "rev-parse", "HEAD~1").strip()
    _remove_object(sandbox, lost)
    answer = detect(sandbox)
    assert answer.commits == 1 and answer.damaged == (lost,)


def test_a_head_that_cannot_be_read_is_an_error(sandbox: Sandbox) -> None:
    commits(sandbox, "Initial commit", "Add CSV export")
    _remove_object(sandbox, git(sandbox.project, "rev-parse", "HEAD").strip())
    with pytest.raises(Refused, match="git fsck"):
        detect(sandbox)


def test_a_shallow_clone_is_not_damaged(sandbox: Sandbox) -> None:
    commits(sandbox, "Initial commit", "Add CSV export")
    older = git(sandbox.project, "rev-parse", "HEAD~1").strip()
    (sandbox.project / ".git" / "shallow").write_text(git(sandbox.project, "rev-parse", "HEAD") + "\n")
    _remove_object(sandbox, older)
    assert detect(sandbox).damaged == ()
