"""An import counts what it added and what it skipped."""

from __future__ import annotations

from tests.cli.shell import Shell


def test_what_is_added_and_what_is_here_already_is_counted(shell: Shell) -> None:
    shell.remember("The port is 9090")
    path = shell.folder / "all.jsonl"
    shell.say("export", str(path))
    rows = shell.say("import", str(path), "--merge").out.splitlines()
    assert rows[0] == "added 0 memories and 0 facts; skipped 0 with the same text, 1 already here"
    assert shell.say("import", str(path), "--merge", "--dry-run").out.startswith("would add 0 memories")
