"""A backfill says what was read, or where it has looked."""

from __future__ import annotations

from tests.cli.shell import Shell
from tests.hosts.recorded import entry, write_lines


def test_without_sessions_it_says_where_it_has_looked(shell: Shell) -> None:
    (shell.folder / "empty").mkdir()
    done = shell.say("backfill", str(shell.folder / "empty"))
    assert f"no sessions found in {shell.folder / 'empty'}" in done.out + done.err


def test_one_unread_line_is_spoken_of_as_one(shell: Shell) -> None:
    lines = [
        entry("user", "add a retry to the client", cwd=str(shell.cwd)),
        '{"type":"user","message":',
        entry("user", "thanks", second=9),
    ]
    write_lines(shell.nobody / ".claude" / "projects" / "-p" / "s-1.jsonl", lines)
    assert "1 line could not be read and was skipped" in shell.say("backfill").out


def test_a_dry_run_ends_with_the_command_that_stores_the_same(shell: Shell) -> None:
    folder = shell.folder / "old sessions"
    write_lines(folder / "s-1.jsonl", [entry("user", "hi", cwd=str(shell.cwd)), entry("user", "thanks", second=9)])
    words = ("backfill", str(folder), "--host", "claude-code", "--since", "2020-02-01", "--dry-run")
    done = shell.on_a_terminal(*words, columns=300)
    assert "nothing would be noted" in done.out
    assert f"to store it: limpet backfill '{folder}' --since 2020-02-01 --host claude-code" in done.out
    assert "nothing was noted" in shell.say("backfill", str(folder)).out


def test_sessions_that_are_too_old_are_not_missing(shell: Shell) -> None:
    folder = shell.folder / "old"
    write_lines(folder / "s-1.jsonl", [entry("user", "hi", cwd=str(shell.cwd))])
    done = shell.say("backfill", str(folder), "--since", "2127-01-01")
    assert f"no session in {folder} was active since 2127-01-01" in done.out + done.err
    assert "name the folder" not in done.out + done.err
