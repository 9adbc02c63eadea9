"""An import counts what it added and what it skipped."""

from __future__ import annotations

import json

from tests.cli.shell import Shell


def test_what_is_added_and_what_is_here_already_is_counted(shell: Shell) -> None:
    shell.remember("The port is 9090")
    path = shell.folder / "all.jsonl"
    shell.say("export", str(path))
    rows = shell.say("import", str(path), "--merge").out.splitlines()
    assert rows[0] == "added 0 memories and 0 facts; skipped 0 with the same text, 1 already here"
    assert shell.say("import", str(path), "--merge", "--dry-run").out.startswith("would add 0 memories")


def test_an_export_without_memories_adds_none_and_says_what_it_asks_for(shell: Shell) -> None:
    path = shell.folder / "none.jsonl"
    shell.say("export", str(path))
    assert shell.say("import", str(path)).out.startswith("added 0 memories and 0 facts")
    head = {
        **json.loads(path.read_text()),
        "projects": [{"id": "prj_1", "name": "shop", "keys": ["git:example.org/a"]}],
    }
    path.write_text(f"{json.dumps(head)}\n")
    printed = shell.say("import", str(path)).out
    assert "line 1: would know the project 'shop' by git:example.org/a" in printed
    assert "other tools" not in printed and "other tools" in shell.say("import").out
