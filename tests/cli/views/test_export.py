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


def test_an_export_of_nothing_says_so(shell: Shell) -> None:
    done = shell.say("export")
    assert (done.code, done.err) == (0, "limpet: there is nothing to export here\n")
    shell.remember("Kept for the owner", "--sensitivity", "private")
    for words in (("export",), ("export", "--private")):
        assert "nothing to export" not in shell.say(*words).err
