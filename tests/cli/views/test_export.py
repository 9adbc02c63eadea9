"""An export to a file is one line; to standard output it is the data."""

from __future__ import annotations

from tests.cli.shell import Shell


def test_what_was_written_and_left_out_is_counted(shell: Shell) -> None:
    shell.remember("The port is 9090")
    shell.remember("Kept for the owner", "--sensitivity", "private")
    path = shell.folder / "all.jsonl"
    done = shell.say("export", str(path))
    assert done.out == f"wrote 1 memory and 0 facts to {path}\n"
    assert "left out 1 private memory; --private includes it" in done.err
