"""An import counts what it added and what it skipped."""

from __future__ import annotations

import json
import re
import sys

from tests.cli.shell import Shell, plain


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


def test_an_import_counts_on_a_terminal_and_ctrl_c_ends_it_and_it_goes_on_where_it_stopped(shell: Shell) -> None:
    entity = {"type": "entity", "entityType": "berth"}
    texts = [f"The ferry number {number} needs {number * 7 % 89} crew." for number in range(2500)]
    rows = [json.dumps({**entity, "name": f"Ferry {at}", "observations": [text]}) for at, text in enumerate(texts)]
    path = shell.folder / "memory.jsonl"
    path.write_text("\n".join(rows))
    # The number is for work that takes a while, and a quick machine would be done before.
    slow = "from limpet import cli; from limpet.forms.terminal import ProgressBar as bar; bar.DELAY_MS = 0; cli.main()"
    done = shell.on_a_terminal(
        *("import", str(path), "--from", "server-memory"),
        program=(sys.executable, "-c", slow),
        answers=[("importing memory.jsonl", "\x03")],
    )
    assert done.code == 130, done.out
    stopped = re.search(r"stopped after ([\d,]+) objects?; import again for the rest", plain(done.out))
    assert stopped and int(stopped[1].replace(",", "")) < 2500
    rest = json.loads(shell.say("import", str(path), "--from", "server-memory", "--json").out)
    assert not rest["stopped"]
    assert 0 < rest["added"] <= 2500 and shell.ask("list", "--limit", "1")["total"] == 2500
