"""What a person sees of the history."""

from __future__ import annotations

from tests.cli.shell import Shell
from tests.workspace.repositories import git


def test_achievements_are_listed_and_counted(shell: Shell) -> None:
    git(shell.cwd, "init", "-q")
    for message in ("Initial commit", "Add CSV export for orders"):
        git(shell.cwd, "commit", "-q", "--allow-empty", "-m", message)
    would = shell.say("achievements", "--dry-run")
    assert "2 achievements would be remembered" in would.out
    done = shell.say("achievements")
    assert done.code == 0 and "\tfeature\tAdd CSV export for orders\t" in done.out
    assert "2 achievements remembered, from 2 commits" in done.out
    again = shell.say("achievements")
    assert "0 achievements remembered" in again.out and "2 remembered before" in again.out


def test_a_shallow_clone_is_mentioned(shell: Shell) -> None:
    git(shell.cwd, "init", "-q")
    git(shell.cwd, "commit", "-q", "--allow-empty", "-m", "Add CSV export")
    (shell.cwd / ".git" / "shallow").write_text(git(shell.cwd, "rev-parse", "HEAD") + "\n")
    assert "this clone is shallow" in shell.say("achievements").err


def test_a_damaged_commit_is_named(shell: Shell) -> None:
    git(shell.cwd, "init", "-q")
    for message in ("Initial commit", "Add CSV export"):
        git(shell.cwd, "commit", "-q", "--allow-empty", "-m", message)
    lost = git(shell.cwd, "rev-parse", "HEAD~1").strip()
    (shell.cwd / ".git" / "objects" / lost[:2] / lost[2:]).unlink()
    done = shell.say("achievements")
    assert f"the history ends at commit {lost[:10]}, which is missing or damaged" in done.err
    # git would not run here any more; the other commit is kept.
    assert "1 achievement remembered" in done.out
